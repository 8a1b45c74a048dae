// tests/worker/diagnose_test.cc: diagnosis of findings, crashes, earlier exchanges and pairs, with fakes.
#include "worker/diagnose/diagnosis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/worker/fakes.h"

namespace dlpack_cts::worker {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using Ids = std::vector<std::string>;

const RegisterCases<OfConsumer> kCases = {
    {.id = kCase,
     .rules = {"C-TEST-01"},
     .draw = [](Draw&) { return Plain(); },
     .judge = [](const Recipe&, const Ledger&, Judgement& judgement) { judgement.Holds(); }},
};

Finding Suspect(const Recipe& recipe) {
  Finding suspect;
  suspect.case_id = kCase;
  suspect.side = Side::kImport;
  suspect.family = Family::kPlace;
  suspect.fact = "importS.library";
  suspect.observed = Observed::kBreach;
  suspect.degree = Degree::kRule;
  suspect.count = 7;
  suspect.recipe = nlohmann::json::parse(dlpack_cts::ToJson(recipe));
  return suspect;
}

const ViolatedFact kPlace = Wrong(Family::kPlace, "importS.library");
const ViolatedFact kFlags = Wrong(Family::kFlags, "importS.flags");

struct FinderTest : testing::Test {
  std::vector<Finding> Find(const Recipe& recipe, bool swept = false) {
    Finder finder(examiner, *FindCase(kCase), profile, {crashing, avoided, budget});
    return finder.Find(recipe, swept);
  }

  FakeExaminer examiner;
  Profile profile{};
  std::vector<Recipe> crashing;
  std::vector<Avoided> avoided;
  Budget budget = Finder::kBudget;
};

TEST_F(FinderTest, MinimisesToTheOneTrigger) {
  examiner.rules = {{HasOffset, kPlace}};
  const std::vector<Finding> found = Find(Rich());
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0].triggers, Contains("byte-offset"));
  EXPECT_THAT(found[0].triggers, testing::Not(Contains("rank-2")));
  EXPECT_EQ(found[0].fact, "importS.library");
}

TEST_F(FinderTest, NeedsNoTriggerIfTheDefaultExchangeFails) {
  examiner.rules = {{Always, kPlace}};
  EXPECT_THAT(Find(Rich()).at(0).triggers, IsEmpty());
}

TEST_F(FinderTest, KeepsTwoTriggersThatAreNeededTogether) {
  examiner.rules = {{[](const Recipe& recipe) { return HasOffset(recipe) && HasDims(recipe); }, kPlace}};
  const Ids ids = Find(Rich()).at(0).triggers;
  EXPECT_THAT(ids, Contains("byte-offset"));
  EXPECT_THAT(ids, Contains("rank-1"));
}

TEST_F(FinderTest, NamesScalarsIfADimensionRemovesTheFailure) {
  examiner.rules = {{[](const Recipe& recipe) { return !HasDims(recipe); }, kPlace}};
  EXPECT_THAT(Find(Plain()).at(0).triggers, ElementsAre(kScalar));
}

TEST_F(FinderTest, FindsNothingInAnExchangeThatShowsNothing) { EXPECT_THAT(Find(Rich()), IsEmpty()); }

TEST_F(FinderTest, DoesNotMinimiseToAnotherFact) {
  examiner.rules = {{HasOffset, kPlace}, {[](const Recipe& recipe) { return !HasOffset(recipe); }, kFlags}};
  const std::vector<Finding> found = Find(Rich());
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].fact, "importS.library");
  EXPECT_THAT(found[0].triggers, Contains("byte-offset"));
}

TEST(ViolatedFact, OfADtypeIsShownByTheSameMistakeAlone) {
  const auto mistaken = [](const char* wanted, const char* got) {
    ViolatedFact violated = Wrong(Family::kDtype, "exportS.dtype");
    violated.wanted = wanted;
    violated.got = got;
    return violated;
  };
  const ViolatedFact half_as_bfloat = mistaken("(2, 16, 1)", "(4, 16, 1)");
  const ViolatedFact int_as_uint = mistaken("(0, 64, 1)", "(1, 64, 1)");
  const ViolatedFact wide_float = mistaken("(2, 64, 1)", "(2, 128, 1)");
  EXPECT_FALSE(half_as_bfloat.IsShownBy(mistaken("(6, 8, 1)", "(0, 8, 1)"))) << "bool as int8";
  EXPECT_TRUE(int_as_uint.IsShownBy(mistaken("(0, 8, 1)", "(1, 8, 1)"))) << "the same codes";
  EXPECT_TRUE(int_as_uint.IsShownBy(mistaken("(7, 8, 1)", "(1, 64, 1)"))) << "the same result";
  EXPECT_TRUE(wide_float.IsShownBy(mistaken("(0, 8, 1)", "(0, 16, 1)"))) << "the code is kept";
  EXPECT_TRUE(mistaken("(7, 8, 1)", "(8, 8, 1)").IsShownBy(mistaken("(11, 8, 1)", "(12, 8, 1)"))) << "the next code";
  EXPECT_TRUE(half_as_bfloat.IsShownBy(mistaken("(6, 8, 1)", "none"))) << "without a dtype nothing is compared";
}

TEST(ViolatedFact, HasARuleWhicheverFactTheJudgeNames) {
  const Recipe recipe = Plain();
  Ledger ledger{};
  int reported = 0;
  for (int row = 0; row < static_cast<int>(FactRows().size()); ++row) {
    reported += FactRowAt(row).family == Family::kReported;
    Example example;
    example.showed = Showed::kBreach;
    example.breach.fact = FactRowAt(row).key;
    example.breach.rule = "C-TEST-01";
    const ViolatedFact violated = ViolatedFactOf(example, recipe, ledger);
    EXPECT_NE(violated.family, Family::kReported) << example.breach.fact;
    EXPECT_EQ(FindingOf(violated, {recipe, TriggerSet()}, Shows::kAlone).rule, "C-TEST-01") << example.breach.fact;
  }
  EXPECT_GT(reported, 0);
}

TEST_F(FinderTest, ReportsAFaultOfTheReferenceAsABugOfTheHarness) {
  examiner.rules = {{Always, kPlace}};
  examiner.reference_fault = "the reference contradicts the oracle";
  const std::vector<Finding> found = Find(Rich());
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].observed, Observed::kUnjudged);
  EXPECT_EQ(examiner.runs, 1);
}

TEST_F(FinderTest, DoesNotMinimiseWhatTheReferenceShowsToo) {
  examiner.example.showed = Showed::kBreach;
  examiner.judged = Wrong(Family::kPlace, "importS.library");
  EXPECT_THAT(Find(Rich()), SizeIs(1));
  EXPECT_EQ(examiner.runs, 1);
}

TEST_F(FinderTest, MinimisesWhatTheJudgeReportsAlsoWhereTheComparisonShowsTheSame) {
  ViolatedFact judged = kPlace;
  judged.rule = "C-TEST-01";
  const auto is_rich = [](const Recipe& recipe) { return recipe.offer().dims == 2; };
  // The specification leaves open what a matrix shows.
  examiner.rules = {{is_rich, judged}, {Always, kPlace}, {HasOffset, judged, /*own=*/true}};
  EXPECT_THAT(Find(Rich()).at(0).triggers, ElementsAre("byte-offset"));
}

TEST_F(FinderTest, KeepsWhatMakesTheCaseJudgeSeverely) {
  ViolatedFact note = kPlace;
  note.degree = Degree::kNote;
  examiner.rules = {{HasOffset, kPlace}, {[](const Recipe& recipe) { return !HasOffset(recipe); }, note}};
  const Finding found = Find(Rich()).at(0);
  EXPECT_THAT(found.triggers, Contains("byte-offset"));
  EXPECT_EQ(found.degree, Degree::kRule);
}

TEST_F(FinderTest, NeverRunsACandidateThatCrashedAProcess) {
  examiner.rules = {{Always, kPlace}};
  crashing = {Plain()};
  Find(Rich());
  for (const Recipe& ran : examiner.ran) EXPECT_FALSE(Same(ran, crashing[0]));
}

TEST_F(FinderTest, RunsNoCandidateWithoutABudget) {
  examiner.rules = {{HasOffset, kPlace}};
  budget = {};
  EXPECT_THAT(Find(Rich()).at(0).triggers, Contains("rank-2"));
  EXPECT_EQ(examiner.runs, 1);
}

TEST_F(FinderTest, TriesNoVersionedStructIfOneCrashedAProbe) {
  examiner.rules = {{Always, kPlace}};
  profile.takes_legacy = 1;
  Recipe legacy = Rich();
  legacy.offer().kind = StructKind::kLegacy;
  Normalize(legacy);
  EXPECT_THAT(Find(legacy).at(0).triggers, ElementsAre("legacy"));
  for (const Recipe& ran : examiner.ran) EXPECT_EQ(ran.offer().kind, StructKind::kLegacy);
  // A refusal harms no process.
  profile.versioned_refusal.outcome = Outcome::kRefused;
  EXPECT_THAT(Find(legacy).at(0).triggers, IsEmpty());
}

TEST_F(FinderTest, StaysWithinItsBudget) {
  examiner.rules = {{HasOffset, kPlace}};
  budget = {5, 1000};
  Find(Rich());
  EXPECT_LE(examiner.runs, 5 + 2);  // the first look, and the tensor with a dimension
}

TEST_F(FinderTest, ReportsTheFactOfTheCaseInAdditionToAnIndependentOne) {
  examiner.rules = {{Always, kFlags}, {HasOffset, kPlace}};
  examiner.example.showed = Showed::kBreach;
  examiner.example.breach.fact = "import0.library";
  const std::vector<Finding> found = Find(Rich());
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[0].fact, "importS.library");
  EXPECT_THAT(found[0].triggers, Contains("byte-offset"));
  EXPECT_EQ(found[1].fact, "importS.flags");
}

TEST_F(FinderTest, OmitsTheFactOfTheCaseIfAnotherFactCausesIt) {
  // A wrong place explains whatever else is wrong.
  examiner.rules = {{Always, kPlace}, {Always, kFlags}};
  examiner.example.showed = Showed::kBreach;
  examiner.example.breach.fact = "import0.flags";
  const std::vector<Finding> found = Find(Rich());
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].fact, "importS.library");
}

/// Imports one tensor, and another one at its struct address.
Recipe TwiceAtOneAddress() {
  Recipe recipe = Rich();
  SetLife(recipe, {{Op::kImport},
                   {Op::kDropProducer},
                   {Op::kDropArray},
                   {Op::kCollect},
                   {.op = Op::kImport, .slot = 1, .other = Other::kSlot0},
                   {Op::kRead, 1}});
  Normalize(recipe);
  return recipe;
}

struct DiagnosisTest : testing::Test {
  Diagnosis Make() { return Diagnosis(processes, job, processes.profile, {.mutant = "", .import_seconds = 0}); }

  std::vector<Finding> FindCrash(const Recipe& recipe) {
    const Tried crash = processes.Crash(recipe);
    return Make().FindCrash(kCase, crash.ending, crash.remains.value_or(Remains{}));
  }

  FakeProcesses processes;
  Job job;
};

TEST_F(DiagnosisTest, MinimisesASuspectInANewProcess) {
  processes.examiner.rules = {{HasOffset, kPlace}};
  const std::vector<Finding> found = Make().Find(Suspect(Rich()));
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0].triggers, Contains("byte-offset"));
  EXPECT_EQ(processes.finds, 1);
}

TEST_F(DiagnosisTest, IgnoresASuspectOfAnUnknownCase) {
  Finding suspect = Suspect(Rich());
  suspect.case_id = "no/such/case";
  EXPECT_THAT(Make().Find(suspect), IsEmpty());
  EXPECT_EQ(processes.finds, 0);
}

TEST_F(DiagnosisTest, SearchesAKnownFindingOfASweepOnce) {
  processes.examiner.rules = {{HasOffset, kPlace}};
  Diagnosis diagnosis = Make();
  Finding suspect = Suspect(Rich());
  diagnosis.Find(suspect);
  suspect.swept = true;
  suspect.count = 3;
  const std::vector<Finding> again = diagnosis.Find(suspect);
  ASSERT_THAT(again, SizeIs(1));
  EXPECT_EQ(again[0].count, 3);
  EXPECT_TRUE(again[0].swept);
  EXPECT_EQ(processes.finds, 1);
}

TEST_F(DiagnosisTest, ExaminesAFindingOfAJudgeEachTime) {
  processes.examiner.rules = {{HasOffset, kPlace}};
  Diagnosis diagnosis = Make();
  diagnosis.Find(Suspect(Rich()));
  diagnosis.Find(Suspect(Rich()));
  EXPECT_EQ(processes.finds, 2);
}

TEST_F(DiagnosisTest, ContinuesWithoutCandidatesThatCrash) {
  processes.examiner.rules = {{HasOffset, kPlace}};
  Recipe other = Rich();
  other.offer().shape[0] = 2;
  Normalize(other);
  processes.candidates = {Plain(), other};
  EXPECT_THAT(Make().Find(Suspect(Rich())), SizeIs(1));
  EXPECT_EQ(processes.finds, 3);
}

TEST_F(DiagnosisTest, ReportsAFindingAsItIsIfTooManyCandidatesCrash) {
  processes.examiner.rules = {{HasOffset, kPlace}};
  for (int extent = 1; extent <= 12; ++extent) {
    Recipe candidate = Rich();
    candidate.offer().shape[0] = extent + 3;
    Normalize(candidate);
    processes.candidates.push_back(candidate);
  }
  EXPECT_THAT(Make().Find(Suspect(Rich())).at(0).triggers, Contains("rank-2"));
  EXPECT_EQ(processes.last_budget.runs, 0);
}

TEST_F(DiagnosisTest, FindsTheTriggerOfACrash) {
  processes.crashes = HasOffset;
  const std::vector<Finding> found = FindCrash(Rich());
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].observed, Observed::kCrash);
  EXPECT_THAT(found[0].triggers, Contains("byte-offset"));
  EXPECT_THAT(found[0].triggers, testing::Not(Contains("rank-2")));
  EXPECT_THAT(found[0].fact, HasSubstr("death-"));
}

TEST_F(DiagnosisTest, ACrashThatDoesNotRepeatKeepsItsExample) {
  EXPECT_THAT(FindCrash(Rich()).at(0).triggers, Contains("rank-2"));
  EXPECT_EQ(processes.runs, 1 + (processes.runs > 1 ? 3 : 0));  // the crash itself, and the controls without exchange
}

TEST_F(DiagnosisTest, DistinguishesAHangFromACrash) {
  processes.ending = {.end = End::kTimeout};
  processes.crashes = HasOffset;
  const Finding found = FindCrash(Rich()).at(0);
  EXPECT_EQ(found.observed, Observed::kTimeout);
  EXPECT_THAT(found.fact, HasSubstr("hang-"));
}

TEST_F(DiagnosisTest, TriesAHangWithinAShortLimit) {
  processes.ending = {.end = End::kTimeout};
  processes.crashes = HasOffset;
  FindCrash(Rich());
  for (const double seconds : processes.limits) EXPECT_LT(seconds, job.case_seconds);
}

TEST_F(DiagnosisTest, CrashWithoutAnyExchangeIsTheLibrarysOwn) {
  processes.crashes = Always;
  EXPECT_EQ(FindCrash(Rich()).at(0).observed, Observed::kOwn);
}

TEST_F(DiagnosisTest, MinimisesAKnownCrashOnce) {
  processes.crashes = HasOffset;
  Diagnosis diagnosis = Make();
  const Tried crash = processes.Crash(Rich());
  diagnosis.FindCrash(kCase, crash.ending, crash.remains.value_or(Remains{}));
  const int runs = processes.runs;
  diagnosis.FindCrash(kCase, crash.ending, crash.remains.value_or(Remains{}));
  EXPECT_LT(processes.runs - runs, 10);
}

TEST_F(DiagnosisTest, DoesNotMinimiseIfOnlyTheReportWasLost) {
  processes.crashes = Always;
  for (const End end : {End::kMemory, End::kMute, End::kSilent, End::kTimeout}) {
    const Tried crash = processes.Crash(Rich());
    Make().MinimiseCrash(kCase, {.end = end}, crash.remains.value_or(Remains{}));
    EXPECT_EQ(processes.runs, 0);
  }
}

TEST_F(DiagnosisTest, MinimisesValuesOfACrashAndFindsNeededSteps) {
  processes.crashes = HasDims;
  const Tried crash = processes.Crash(Rich());
  const Remains smallest = Make().MinimiseCrash(kCase, crash.ending, crash.remains.value_or(Remains{}));
  EXPECT_EQ(smallest.recipe.offer().dims, 1);
  EXPECT_EQ(smallest.recipe.used.steps, Rich().used.steps);
  EXPECT_LT(smallest.needed.size(), smallest.recipe.life().size());
}

TEST_F(DiagnosisTest, FindingThatDoesNotOccurAgainIsMarkedAtTimes) {
  const std::vector<Finding> found = Make().Find(Suspect(Rich()));
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0].triggers, ElementsAre(kAtTimes));
  EXPECT_EQ(processes.again, 1);
}

TEST_F(DiagnosisTest, KeepsOnlyTheEarlierExchangesThatAreNeeded) {
  processes.history = {Rich(), Plain(), Rich(), Plain()};
  processes.shows_after = [](const std::vector<Recipe>& earlier) { return std::ranges::any_of(earlier, HasOffset); };
  const Finding found = Make().Find(Suspect(Rich())).at(0);
  EXPECT_THAT(found.earlier, SizeIs(1));
  EXPECT_THAT(found.words.example, HasSubstr("; after: "));
}

TEST_F(DiagnosisTest, RunsCasesAgainForAFewHistoriesOnly) {
  Diagnosis diagnosis = Make();
  for (int i = 0; i < 20; ++i) diagnosis.Find(Suspect(Rich()));
  EXPECT_EQ(processes.again, 8);
}

TEST_F(DiagnosisTest, WhatShowsInAnotherNewProcessHasItsOwnCause) {
  processes.examiner.rules = {{[runs = 0](const Recipe&) mutable { return ++runs > 1; }, kPlace}};
  processes.history = {Rich()};
  processes.shows_after = [](const auto&) { return true; };
  const Finding found = Make().Find(Suspect(Rich())).at(0);
  EXPECT_THAT(found.triggers, testing::Not(Contains(kEarlierExchanges)));
  EXPECT_EQ(processes.again, 0);
}

TEST_F(DiagnosisTest, AccusesEarlierExchangesOnlyAfterThreeNewProcesses) {
  Make().Find(Suspect(Rich()));
  EXPECT_EQ(processes.finds, 3);
}

TEST_F(DiagnosisTest, WhatTheCaseShowsAloneWhenItRunsAgainHasItsOwnCause) {
  processes.shown_again = Rich();
  processes.history = {Plain()};
  processes.shows_after = [](const auto&) { return true; };
  processes.examiner.rules = {{HasOffset, kPlace}};
  const Ids ids = Make().Find(Suspect(Plain())).at(0).triggers;
  EXPECT_EQ(processes.again, 1);
  EXPECT_THAT(ids, ElementsAre("byte-offset"));
}

TEST_F(DiagnosisTest, AnEarlierTensorAtTheAddressExplainsOnlyWhatFailsBecauseOfIt) {
  const auto shares = [](const Recipe& recipe) {
    return std::ranges::count(IdsOf(TriggersOf(recipe)), "same-address") != 0;
  };
  const Recipe twice = TwiceAtOneAddress();
  ASSERT_TRUE(shares(twice));
  processes.examiner.rules = {{shares, kPlace}};
  EXPECT_THAT(Make().Find(Suspect(twice)).at(0).triggers, ElementsAre(kEarlierExchanges));
  // The same tensor fails at its own address too, and each simpler exchange crashes.
  processes.examiner.rules = {{HasOffset, kPlace}};
  for (int extent = 1; extent <= 12; ++extent) {
    Recipe candidate = Rich();
    candidate.offer().shape[0] = extent + 3;
    Normalize(candidate);
    processes.candidates.push_back(candidate);
  }
  const Ids ids = Make().Find(Suspect(twice)).at(0).triggers;
  EXPECT_THAT(ids, Contains("byte-offset"));
  EXPECT_THAT(ids, testing::Not(Contains(kEarlierExchanges)));
}

TEST_F(DiagnosisTest, AReplayUsesTheExchangesOfItsJob) {
  job.replay = Rich();
  job.earlier = {Plain()};
  processes.shows_after = [](const std::vector<Recipe>& earlier) { return !earlier.empty(); };
  EXPECT_THAT(Make().Find(Suspect(Rich())).at(0).earlier, SizeIs(1));
  EXPECT_EQ(processes.again, 0);
}

TEST_F(DiagnosisTest, AttributesAPairToTheLibraryThatFailsWithTheReference) {
  job.pair.emplace();
  processes.examiner.rules = {{HasOffset, kPlace}};
  processes.in_half = [](Side side) { return side == Side::kExport; };
  const std::vector<Finding> found = Make().Find(Suspect(Rich()));
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].side, Side::kExport);
}

TEST_F(DiagnosisTest, AFailureThatNeitherLibraryShowsBelongsToBoth) {
  job.pair.emplace();
  processes.examiner.rules = {{HasOffset, kPlace}};
  EXPECT_THAT(Make().Find(Suspect(Rich())).at(0).triggers, ElementsAre("only-together"));
}

TEST_F(DiagnosisTest, DoesNotSearchCausesForPairsOfAMutant) {
  job.pair.emplace();
  job.verdicts_only = true;
  processes.crashes = HasOffset;
  EXPECT_THAT(FindCrash(Rich()), IsEmpty());
}

}  // namespace
}  // namespace dlpack_cts::worker
