// tests/runner/causes_test.cc: which findings have one cause, whatever order they came in, and what it does to results.
#include "runner/verdict/causes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "results/tally.h"
#include "runner/catalogue/rules.h"
#include "runner/verdict/attribution.h"

namespace dlpack_cts::runner {
namespace {

using Set = std::vector<std::string>;

constexpr const char* kOffset = "c-abi/data/byte-offset-is-added";
constexpr const char* kStrides = "c-abi/strides/any-layout-is-honoured";
constexpr const char* kHostile = "robustness/data/null-data";
constexpr const char* kSweep = "whole/import/no-other-fact-deviates";

Rules TheRules() {
  Rules rules;
  for (const char* id : {"C-DATA-01", "C-STRIDES-08", "C-FLAGS-09"}) {
    Rule rule;
    rule.id = id;
    rule.strength = Level::kMust;
    rule.breach = rules.contains("C-DATA-01") && std::string(id) == "C-FLAGS-09" ? Verdict::kNote : Verdict::kFail;
    rules.emplace(id, rule);
  }
  return rules;
}

Catalogue TheCatalogue() {
  std::vector<CaseInfo> cases(4);
  cases[0].id = kOffset;
  cases[0].rules = {"C-DATA-01"};
  cases[1].id = kStrides;
  cases[1].rules = {"C-STRIDES-08"};
  cases[2].id = kHostile;
  cases[2].rules = {"C-DATA-01"};
  cases[2].hostile = true;
  cases[3].id = kSweep;
  cases[3].rules = {"C-DATA-01"};
  cases[3].whole = true;
  return {.rules = TheRules(), .cases = cases};
}

Finding Of(const std::string& id, Family family, const Set& set, const std::string& rule) {
  Finding finding;
  finding.case_id = id;
  finding.side = Side::kImport;
  finding.family = family;
  finding.triggers = set;
  finding.fact = "importS.memory";
  finding.rule = finding.attributed = rule;
  finding.observed = Observed::kBreach;
  finding.degree = Degree::kRule;
  finding.recipe = nlohmann::json::object();
  return finding;
}

/// Of a death, or of one that needs no exchange.
Finding Ending(const std::string& id, Observed observed, const Set& set, const std::string& rule) {
  Finding finding = Of(id, Family::kPlace, set, rule);
  finding.observed = observed;
  return finding;
}

std::vector<Cause> Causes(const std::vector<Finding>& findings) { return CausesOf(TheCatalogue(), true, findings); }

Result Deviating(const std::string& id, const std::string& rule) {
  Result result;
  result.seen.case_id = id;
  result.rules = {rule};
  result.verdict = Verdict::kFail;
  result.as_expected = false;
  return result;
}

TEST(Causes, AreTheSameInAnyOrder) {
  std::vector<Finding> findings = {Of(kStrides, Family::kPlace, {"strided", "byte-offset"}, "C-STRIDES-08"),
                                   Of(kOffset, Family::kPlace, {"byte-offset"}, "C-DATA-01"),
                                   Of(kStrides, Family::kStrides, {"strided"}, "C-STRIDES-08")};
  std::sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) { return a.family < b.family; });
  const std::vector<Cause> first = Causes(findings);
  std::reverse(findings.begin(), findings.end());
  const std::vector<Cause> second = Causes(findings);
  ASSERT_EQ(first.size(), second.size());
  for (size_t i = 0; i < first.size(); ++i) EXPECT_EQ(ToJson(first[i]), ToJson(second[i]));
}

TEST(Causes, FindingWithMoreTriggersIsMaskedInTheSameFamily) {
  const std::vector<Cause> causes = Causes({Of(kOffset, Family::kPlace, {"byte-offset"}, "C-DATA-01"),
                                            Of(kStrides, Family::kPlace, {"byte-offset", "strided"}, "C-STRIDES-08")});
  ASSERT_EQ(causes.size(), 1u);
  EXPECT_EQ(causes[0].id, "import/place/byte-offset");
  EXPECT_EQ(causes[0].rule, "C-DATA-01");
  EXPECT_EQ(causes[0].cases, (std::vector<std::string>{kOffset, kStrides}));
}

TEST(Causes, OfDifferentFamiliesAreSeparate) {
  EXPECT_EQ(Causes({Of(kOffset, Family::kPlace, {"byte-offset"}, "C-DATA-01"),
                    Of(kStrides, Family::kStrides, {"byte-offset", "strided"}, "C-STRIDES-08")})
                .size(),
            2u);
}

Finding Crash(const std::string& step, const Set& set, const std::string& rule) {
  Finding finding = Ending(kOffset, Observed::kCrash, set, rule);
  finding.family = Family::kMemoryInCall;
  finding.fact = "death-" + step;
  return finding;
}

TEST(Causes, CrashesThatWanderAreOne) {
  std::vector<Finding> findings = {Crash("export", {"strided"}, "C-STRIDES-08")};
  for (const char* const trigger : {"dtype-int8", "rank-1", "byte-offset", "legacy", "view"}) {
    findings.push_back(Crash("make", {"several-tensors", trigger}, "C-DATA-01"));
  }
  const std::vector<Cause> causes = Causes(findings);
  ASSERT_EQ(causes.size(), 1u);
  EXPECT_EQ(causes[0].id, "import/memory-in-a-call/strided");
  EXPECT_EQ(causes[0].rule, "C-DATA-01") << "most crashes have this rule";
  EXPECT_EQ(causes[0].message, "memory is damaged: 6 kinds of exchanges crash, some before their first call");
  findings.push_back(Crash("end", {"several-tensors"}, "C-STRIDES-08"));
  findings.back().family = Family::kRelease;
  EXPECT_EQ(Causes(findings).at(0).rule, "C-STRIDES-08") << "of a release that crashes";
}

TEST(Causes, CrashesInTheirOwnCallsStaySeparate) {
  std::vector<Finding> findings;
  for (const char* const trigger : {"dtype-int8", "rank-1", "byte-offset", "legacy", "view", "strided"}) {
    findings.push_back(Crash("import", {trigger}, "C-DATA-01"));
  }
  EXPECT_EQ(Causes(findings).size(), findings.size());
}

TEST(Causes, LessSevereFindingDoesNotMask) {
  std::vector<Finding> findings = {Of(kOffset, Family::kPlace, {}, "C-FLAGS-09"),
                                   Of(kStrides, Family::kPlace, {"strided"}, "C-STRIDES-08")};
  EXPECT_EQ(Causes(findings).size(), 2u);
}

TEST(Causes, FindingOfInvalidInputDoesNotMask) {
  EXPECT_EQ(
      Causes({Of(kHostile, Family::kPlace, {}, "C-DATA-01"), Of(kStrides, Family::kPlace, {"strided"}, "C-STRIDES-08")})
          .size(),
      2u);
}

TEST(Causes, OfCallsAreSeparatedByTheirFact) {
  std::vector<Finding> findings = {Of(kOffset, Family::kAsks, {}, "C-DATA-01"),
                                   Of(kStrides, Family::kAsks, {}, "C-STRIDES-08")};
  findings[1].fact = "importS.calls";
  EXPECT_EQ(Causes(findings).size(), 2u);
  findings[1].fact = findings[0].fact;
  EXPECT_EQ(Causes(findings).size(), 1u);
}

TEST(Causes, LeakOfLostCapsuleIsMaskedByMissingDestructor) {
  Finding capsule = Of(kOffset, Family::kCapsule, {}, "C-DATA-01");
  capsule.fact = "exportS.has_destructor";
  Finding lost = Of(kSweep, Family::kRelease, {"dl_device-other"}, "C-STRIDES-08");
  lost.loses_capsule = true;
  EXPECT_EQ(Causes({lost, capsule}).size(), 1u);
  lost.triggers.clear();
  EXPECT_EQ(Causes({lost, capsule}).size(), 1u);
  lost.loses_capsule = false;
  EXPECT_EQ(Causes({lost, capsule}).size(), 2u);
}

TEST(Causes, LeaksOfLostCapsulesAreOneCause) {
  const Finding lost = Of(kOffset, Family::kRelease, {"step-lose-capsule"}, "C-DATA-01");
  Finding often = Of(kSweep, Family::kRelease, {"often-unused", "step-export-often"}, "C-STRIDES-08");
  often.loses_capsule = true;
  EXPECT_EQ(Causes({lost, often}).size(), 1u);
  const Finding taken = Of(kSweep, Family::kRelease, {"byte-offset"}, "C-STRIDES-08");
  EXPECT_EQ(Causes({lost, taken}).size(), 2u);
}

TEST(Causes, LostCapsuleMasksOnlyImportsThatLoseOne) {
  Finding lost = Of(kOffset, Family::kRelease, {"step-lose-capsule"}, "C-DATA-01");
  lost.side = Side::kExport;
  Finding import = Of(kStrides, Family::kRelease, {"legacy"}, "C-STRIDES-08");
  EXPECT_EQ(Causes({lost, import}).size(), 2u);
  import.loses_capsule = true;
  EXPECT_EQ(Causes({lost, import}).size(), 1u);
}

TEST(Causes, ExceptionForOldProducersIsMaskedByTheirRefusal) {
  const Finding refused = Of(kOffset, Family::kOutcome, {"max_version-unknown"}, "C-DATA-01");
  Finding raised = Of(kStrides, Family::kException, {"foreign-device", "max_version-unknown"}, "C-STRIDES-08");
  EXPECT_EQ(Causes({refused, raised}).size(), 1u);
  raised.triggers = {"foreign-device"};
  EXPECT_EQ(Causes({refused, raised}).size(), 2u);
}

TEST(Causes, VersionedExportMasksImportOfOwnExports) {
  Finding exported = Of(kOffset, Family::kRelease, {"max_version-1.3"}, "C-DATA-01");
  exported.side = Side::kExport;
  const Finding fed = Of(kStrides, Family::kRelease, {"step-import-source"}, "C-STRIDES-08");
  EXPECT_EQ(Causes({exported, fed}).size(), 1u);
  const Finding other = Of(kStrides, Family::kRelease, {"step-reexport"}, "C-STRIDES-08");
  EXPECT_EQ(Causes({exported, other}).size(), 2u);
}

TEST(Causes, SweptFindingIsMoreThanANoteIfTheJudgeNamesTheRule) {
  Finding judged = Of(kOffset, Family::kMemoryInCall, {"rank-1"}, "C-STRIDES-08");
  judged.judged = "C-DATA-01";
  Finding swept = Of(kOffset, Family::kPlace, {}, "C-DATA-01");
  swept.swept = true;
  swept.degree = Degree::kNote;
  const auto verdict = [&] {
    const std::vector<Cause> causes = Causes({judged, swept});
    return std::find_if(causes.begin(), causes.end(), [](const Cause& cause) { return cause.id == "import/place"; })
        ->verdict;
  };
  EXPECT_EQ(verdict(), Verdict::kFail);
  judged.judged = "C-STRIDES-08";
  EXPECT_EQ(verdict(), Verdict::kNote);
  judged.judged = "C-DATA-01";
  judged.case_id = kStrides;
  EXPECT_EQ(verdict(), Verdict::kNote);
}

TEST(Causes, SecondImportIsMaskedByWrongCapsuleName) {
  Finding name = Of(kOffset, Family::kCapsule, {}, "C-DATA-01");
  name.fact = "importS.name_after";
  const Finding again = Of(kSweep, Family::kRelease, {"step-import-again", "foreign-device"}, "C-STRIDES-08");
  EXPECT_EQ(Causes({again, name}).size(), 1u);
  EXPECT_EQ(Causes({again, name}).front().id, "import/capsule");
  const Finding once = Of(kSweep, Family::kRelease, {"foreign-device"}, "C-STRIDES-08");
  EXPECT_EQ(Causes({once, name}).size(), 2u);
  name.fact = "importS.used_name_storage";
  EXPECT_EQ(Causes({again, name}).size(), 2u);
}

TEST(Causes, SecondReleaseIsMaskedByWrongCapsuleName) {
  Finding named = Of(kOffset, Family::kCapsule, {}, "C-DATA-01");
  named.fact = "importS.name_after";
  Finding twice = Of(kStrides, Family::kRelease, {}, "C-STRIDES-08");
  twice.fact = "importS.deleter.calls";
  ASSERT_EQ(Causes({named, twice}).size(), 1u);
  EXPECT_EQ(Causes({named, twice})[0].rule, "C-DATA-01");
  twice.fact = "importS.deleter.while_alive";
  EXPECT_EQ(Causes({named, twice}).size(), 2u);
}

TEST(Causes, ImportOfOwnExportsIsMaskedByEitherRole) {
  Finding exported = Of(kOffset, Family::kRelease, {"max_version-1.3"}, "C-DATA-01");
  exported.side = Side::kExport;
  exported.fact = "death-end";
  Finding fed = Of(kStrides, Family::kRelease, {"step-import-source"}, "C-STRIDES-08");
  fed.fact = "death-drop-array";
  ASSERT_EQ(Causes({exported, fed}).size(), 1u);
  EXPECT_EQ(Causes({exported, fed})[0].rule, "C-DATA-01");
  fed.triggers = {"step-take-view"};
  EXPECT_EQ(Causes({exported, fed}).size(), 2u) << "an import of the harness's own tensor";
}

TEST(Causes, WrongElementsAfterAWriteAreMaskedByUnrequestedWrites) {
  const Finding writes = Of(kOffset, Family::kWrites, {"dtype-uint8"}, "C-DATA-01");
  const Finding behind = Of(kSweep, Family::kPlace, {"dtype-uint8", "step-write-array"}, "C-STRIDES-08");
  EXPECT_EQ(Causes({behind, writes}).size(), 1u);
  const Finding alone = Of(kSweep, Family::kPlace, {"dtype-uint8", "byte-offset"}, "C-STRIDES-08");
  EXPECT_EQ(Causes({alone, writes}).size(), 2u);
  const Finding other = Of(kSweep, Family::kPlace, {"dtype-int8", "step-write-array"}, "C-STRIDES-08");
  EXPECT_EQ(Causes({other, writes}).size(), 2u);
}

TEST(Causes, WrongElementsAreMaskedByWrongStridesOfSimplerExchanges) {
  const Finding strides = Of(kStrides, Family::kStrides, {"rank-2"}, "C-STRIDES-08");
  const Finding place = Of(kOffset, Family::kPlace, {"copy-true", "rank-2"}, "C-DATA-01");
  ASSERT_EQ(Causes({place, strides}).size(), 1u);
  EXPECT_EQ(Causes({place, strides})[0].rule, "C-STRIDES-08");
  const Finding other = Of(kOffset, Family::kPlace, {"byte-offset"}, "C-DATA-01");
  EXPECT_EQ(Causes({other, strides}).size(), 2u);
  Finding exported = place;
  exported.side = Side::kExport;
  EXPECT_EQ(Causes({exported, strides}).size(), 2u);
}

TEST(Causes, MisplacedWritesAreMaskedByMisplacedElements) {
  const Finding place = Of(kOffset, Family::kPlace, {"byte-offset"}, "C-DATA-01");
  const Finding writes =
      Of(kSweep, Family::kWrites, {"byte-offset", "step-write-array", "two-devices"}, "C-STRIDES-08");
  EXPECT_EQ(Causes({place, writes}).size(), 1u);
  EXPECT_EQ(Causes({place, Of(kSweep, Family::kWrites, {"step-write-array"}, "C-STRIDES-08")}).size(), 2u);
  EXPECT_EQ(Causes({place, Of(kSweep, Family::kWrites, {"byte-offset", "two-devices"}, "C-STRIDES-08")}).size(), 2u);
}

TEST(Causes, ThatMaskEachOtherAreOne) {
  const Finding writes = Of(kOffset, Family::kWrites, {"step-write-array"}, "C-DATA-01");
  const Finding place = Of(kStrides, Family::kPlace, {"rank-1", "step-write-array"}, "C-STRIDES-08");
  EXPECT_EQ(Causes({writes, place}).size(), 1u);
  const Finding plain = Of(kSweep, Family::kPlace, {"rank-1"}, "C-DATA-01");
  EXPECT_EQ(Causes({writes, place, plain}).size(), 2u) << "the write shows where nothing is sought elsewhere";
}

TEST(Causes, MissingCopiedFlagIsMaskedBySharedMemory) {
  Finding place = Of(kOffset, Family::kPlace, {"copy-true"}, "C-DATA-01");
  place.side = Side::kExport;
  place.fact = "exportS.points_at_source";
  place.degree = Degree::kWarn;
  Finding flags = Of(kStrides, Family::kFlags, {"copy-true", "max_version-1.3"}, "C-STRIDES-08");
  flags.side = Side::kExport;
  ASSERT_EQ(Causes({place, flags}).size(), 1u);
  EXPECT_EQ(Causes({place, flags})[0].rule, "C-DATA-01");
  place.fact = "exportS.elements";
  EXPECT_EQ(Causes({place, flags}).size(), 2u);
}

TEST(Causes, EarlierMajorIsMaskedByLaterMajor) {
  const Finding later = Of(kOffset, Family::kOutcome, {"major-2"}, "C-DATA-01");
  const Finding earlier = Of(kStrides, Family::kOutcome, {"major-0"}, "C-STRIDES-08");
  ASSERT_EQ(Causes({earlier, later}).size(), 1u);
  EXPECT_EQ(Causes({earlier, later})[0].rule, "C-DATA-01");
  EXPECT_EQ(Causes({earlier}).size(), 1u);
  EXPECT_EQ(Causes({earlier, Of(kOffset, Family::kOutcome, {"major-2", "legacy"}, "C-DATA-01")}).size(), 2u);
}

TEST(Causes, ReexportIsMaskedByTheImport) {
  const Finding import = Of(kOffset, Family::kPlace, {"byte-offset"}, "C-DATA-01");
  Finding again = Of(kStrides, Family::kPlace, {"byte-offset", "step-reexport"}, "C-STRIDES-08");
  again.side = Side::kExport;
  ASSERT_EQ(Causes({again, import}).size(), 1u);
  EXPECT_EQ(Causes({again, import})[0].rule, "C-DATA-01");
  again.triggers = {"byte-offset"};
  EXPECT_EQ(Causes({again, import}).size(), 2u);
}

TEST(Causes, FindingsThatOccurSometimesAreMaskedByConstantOnes) {
  const Finding always = Of(kOffset, Family::kRelease, {}, "C-DATA-01");
  const Finding at_times = Of(kStrides, Family::kRelease, {"at-times"}, "C-STRIDES-08");
  EXPECT_EQ(Causes({at_times, always}).size(), 1u);
  ASSERT_EQ(Causes({at_times}).size(), 1u);
  EXPECT_EQ(Causes({at_times})[0].id, "import/release/at-times");
  EXPECT_EQ(Causes({at_times})[0].rule, "C-STRIDES-08");
  EXPECT_TRUE(Causes({at_times})[0].triggers.empty()) << "nothing to run without";
}

TEST(Causes, ThatNeedEarlierExchangesAreOne) {
  EXPECT_EQ(Causes({Of(kOffset, Family::kPlace, {"earlier-exchanges"}, "C-DATA-01"),
                    Of(kStrides, Family::kShape, {"earlier-exchanges"}, "C-STRIDES-08")})
                .size(),
            1u);
}

TEST(Causes, RuleIsThatOfMostCasesNotOfMostFindings) {
  Finding flags = Of(kOffset, Family::kException, {"foreign-device"}, "C-FLAGS-09");
  Finding again = flags;
  again.judged = "C-FLAGS-09";
  Finding strides = Of(kStrides, Family::kException, {"foreign-device"}, "C-STRIDES-08");
  for (Finding* finding : {&flags, &again, &strides}) finding->attributed.clear();
  EXPECT_EQ(Causes({flags, strides})[0].rule, Causes({flags, again, strides})[0].rule);
  EXPECT_EQ(Causes({strides, flags})[0].rule, Causes({strides, strides, flags})[0].rule);
}

TEST(Causes, WithoutAnExchangeAreNotes) {
  std::vector<Cause> causes = Causes({Ending(kOffset, Observed::kOwn, {"dtype-int16"}, "C-DATA-01"),
                                      Ending(kStrides, Observed::kCrash, {"dtype-int16"}, "C-DATA-01")});
  ASSERT_EQ(causes.size(), 1u);
  EXPECT_EQ(causes[0].verdict, Verdict::kNote);
  std::vector<Result> results = {Deviating(kOffset, "C-DATA-01"), Deviating(kSweep, "C-DATA-01"),
                                 Deviating(kStrides, "C-STRIDES-08")};
  for (Result& result : results) result.verdict = Verdict::kCrash;
  causes[0].cases.push_back(kSweep);
  Attribute(TheCatalogue(), causes, results);
  EXPECT_EQ(results[0].verdict, Verdict::kBlocked);
  EXPECT_EQ(results[1].verdict, Verdict::kNote);
  EXPECT_EQ(results[2].verdict, Verdict::kBlocked);
  for (const Result& result : results) EXPECT_TRUE(result.as_expected);
}

TEST(Causes, WithoutAnExchangeDoNotMaskAnotherCrash) {
  Finding death = Ending(kOffset, Observed::kCrash, {"byte-offset"}, "C-DATA-01");
  death.family = Family::kMemoryInCall;
  std::vector<Cause> causes = Causes({Ending(kOffset, Observed::kOwn, {"dtype-int16"}, "C-DATA-01"), death});
  ASSERT_EQ(causes.size(), 2u);
  std::vector<Result> results = {Deviating(kOffset, "C-DATA-01")};
  results[0].verdict = Verdict::kCrash;
  Attribute(TheCatalogue(), causes, results);
  EXPECT_EQ(results[0].verdict, Verdict::kCrash);
  EXPECT_EQ(results[0].cause, "import/memory-in-a-call/byte-offset");
}

TEST(Attributing, CasesOfOtherRulesAreBlocked) {
  std::vector<Cause> causes = Causes({Of(kOffset, Family::kPlace, {"byte-offset"}, "C-DATA-01"),
                                      Of(kStrides, Family::kPlace, {"byte-offset", "strided"}, "C-STRIDES-08")});
  std::vector<Result> results = {Deviating(kOffset, "C-DATA-01"), Deviating(kStrides, "C-STRIDES-08")};
  Attribute(TheCatalogue(), causes, results);
  EXPECT_EQ(results[0].verdict, Verdict::kFail);
  EXPECT_EQ(results[0].breached, std::vector<std::string>{"C-DATA-01"});
  EXPECT_EQ(results[1].verdict, Verdict::kBlocked);
  EXPECT_EQ(results[1].cause, causes[0].id);
  EXPECT_FALSE(causes[0].as_expected);
}

TEST(Attributing, FirstCaseReportsACauseWhoseRuleNoCaseTests) {
  std::vector<Cause> causes = Causes({Of(kStrides, Family::kPlace, {"byte-offset"}, "C-DATA-01")});
  std::vector<Result> results = {Deviating(kStrides, "C-STRIDES-08")};
  Attribute(TheCatalogue(), causes, results);
  EXPECT_EQ(results[0].verdict, Verdict::kFail);
  EXPECT_EQ(results[0].breached, std::vector<std::string>{"C-DATA-01"});
}

TEST(Attributing, CauseIsExpectedIfEveryDeviationIsListed) {
  std::vector<Cause> causes = Causes({Of(kOffset, Family::kPlace, {"byte-offset"}, "C-DATA-01")});
  std::vector<Result> results = {Deviating(kOffset, "C-DATA-01")};
  results[0].as_expected = true;
  results[0].expectation = "known";
  Attribute(TheCatalogue(), causes, results);
  EXPECT_TRUE(causes[0].as_expected);
  EXPECT_EQ(causes[0].expectation, "known");
}

TEST(Attributing, ResultOfAListedCauseIsExpected) {
  std::vector<Cause> causes = Causes({Of(kOffset, Family::kPlace, {"byte-offset"}, "C-DATA-01")});
  causes[0].expectation = "known";
  std::vector<Result> results = {Deviating(kOffset, "C-DATA-01")};
  Attribute(TheCatalogue(), causes, results);
  EXPECT_TRUE(results[0].as_expected);
  EXPECT_EQ(results[0].expectation, "known");
}

Result Passing(const std::string& id, const std::string& rule) {
  Result result;
  result.seen.case_id = id;
  result.rules = {rule};
  result.verdict = Verdict::kPass;
  return result;
}

TEST(Attributing, CaseOfTheRuleReportsTheCauseThoughItsJudgePassed) {
  std::vector<Cause> causes = Causes({Of(kOffset, Family::kPlace, {"byte-offset"}, "C-DATA-01"),
                                      Of(kSweep, Family::kPlace, {"byte-offset"}, "C-DATA-01"),
                                      Of(kStrides, Family::kPlace, {"byte-offset"}, "C-DATA-01")});
  std::vector<Result> results = {Passing(kOffset, "C-DATA-01"), Passing(kStrides, "C-STRIDES-08"),
                                 Passing(kSweep, "C-DATA-01")};
  results[2].verdict = Verdict::kNote;
  Attribute(TheCatalogue(), causes, results);
  EXPECT_EQ(results[0].verdict, Verdict::kFail);
  EXPECT_EQ(results[0].breached, std::vector<std::string>{"C-DATA-01"});
  EXPECT_EQ(results[0].cause, causes[0].id);
  EXPECT_FALSE(results[0].as_expected);
  EXPECT_EQ(results[1].verdict, Verdict::kPass);
  EXPECT_EQ(results[2].verdict, Verdict::kNote);
}

TEST(Attributing, SweepReportsACauseThatNoCaseReports) {
  std::vector<Cause> causes = Causes({Of(kStrides, Family::kPlace, {"byte-offset"}, "C-DATA-01"),
                                      Of(kSweep, Family::kPlace, {"byte-offset"}, "C-DATA-01")});
  std::vector<Result> results = {Passing(kOffset, "C-DATA-01"), Passing(kStrides, "C-STRIDES-08"),
                                 Passing(kSweep, "C-DATA-01")};
  Attribute(TheCatalogue(), causes, results);
  EXPECT_EQ(results[0].verdict, Verdict::kPass);
  EXPECT_EQ(results[1].verdict, Verdict::kPass);
  EXPECT_EQ(results[2].verdict, Verdict::kFail);
  EXPECT_EQ(results[2].breached, std::vector<std::string>{"C-DATA-01"});
}

TEST(Attributing, NoteDoesNotChangeAPassingCase) {
  std::vector<Finding> findings = {Of(kOffset, Family::kPlace, {"byte-offset"}, "C-DATA-01")};
  findings[0].degree = Degree::kNote;
  std::vector<Cause> causes = Causes(findings);
  std::vector<Result> results = {Passing(kOffset, "C-DATA-01")};
  Attribute(TheCatalogue(), causes, results);
  EXPECT_EQ(causes[0].verdict, Verdict::kNote);
  EXPECT_EQ(results[0].verdict, Verdict::kPass);
}

TEST(Attributing, UnexpectedCauseIsCountedOnce) {
  dlpack_cts::Run run;
  run.causes = Causes({Of(kOffset, Family::kPlace, {"byte-offset"}, "C-DATA-01")});
  run.causes[0].as_expected = false;
  EXPECT_EQ(CountUnexpected(run), 1);
  run.results = {Deviating(kOffset, "C-DATA-01")};
  run.results[0].cause = run.causes[0].id;
  EXPECT_EQ(CountUnexpected(run), 1);
}

}  // namespace
}  // namespace dlpack_cts::runner
