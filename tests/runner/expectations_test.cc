// tests/runner/expectations_test.cc: which results a list of known deviations covers, and which entries are stale.
#include "runner/verdict/expectations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/failure.h"
#include "base/version.h"
#include "tests/runner/files.h"

namespace dlpack_cts::runner {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const KnownNames kKnown = {{"c-abi/own/released-once", "c-abi/own/kept-alive", "c-abi/data/aligned"},
                           {"C-OWN-01", "C-OWN-02", "C-DATA-01"}};

Result Judged(const std::string& id, Verdict verdict, const std::string& message = "the deleter ran twice") {
  Result result;
  result.seen.case_id = id;
  result.verdict = verdict;
  result.seen.message = message;
  result.rules = {id == "c-abi/data/aligned" ? "C-DATA-01" : "C-OWN-01"};
  if (verdict == Verdict::kFail || verdict == Verdict::kCrash) result.breached = result.rules;
  result.library_version = "2.4.6";
  return result;
}

std::string Entry(const std::string& what, const std::string& verdict = "FAIL", const std::string& versions = "") {
  return "[[expect]]\n" + what + "\nverdict = \"" + verdict + "\"\nmessage = \"the deleter ran\"\nwhy = \"issue 1\"\n" +
         (versions.empty() ? "" : "versions = \"" + versions + "\"\n");
}

std::vector<std::string> SentencesOf(const std::vector<StaleEntry>& stale) {
  std::vector<std::string> sentences;
  for (const StaleEntry& one : stale) sentences.push_back(one.sentence);
  return sentences;
}

class ExpectationsTest : public ::testing::Test {
 protected:
  Expectations Read(const std::string& text) { return Expectations::Read(folder_.Write("expectations.toml", text)); }

  /// Applies the list to one result. Returns whether the result was expected.
  bool Covers(const std::string& text, Result result) {
    Expectations list = Read(text);
    list.Apply(result);
    return result.as_expected;
  }

  std::vector<std::string> Stale(const std::string& text, std::vector<Result> results,
                                 const std::string& version = "2.4.6") {
    Expectations list = Read(text);
    for (Result& result : results) list.Apply(result);
    return SentencesOf(list.Stale(results, version, kKnown));
  }

  TestFolder folder_;
};

const Result kFails = Judged("c-abi/own/released-once", Verdict::kFail);

TEST_F(ExpectationsTest, AreAListAlsoWithoutAnEntry) {
  EXPECT_TRUE(Read("").IsList());
  EXPECT_TRUE(Read(Entry("rule = \"C-OWN-*\"")).IsList());
  EXPECT_FALSE(Expectations::Read(folder_.Write("other.toml", "") + ".missing").IsList());
}

TEST_F(ExpectationsTest, CoverTheDeviationThatTheyName) {
  EXPECT_FALSE(Covers("", kFails));
  EXPECT_TRUE(Covers(Entry("case = \"c-abi/own/released-once\""), kFails));
  EXPECT_TRUE(Covers(Entry("case = \"c-abi/*\""), kFails));
  EXPECT_TRUE(Covers(Entry("rule = \"C-OWN-01\""), kFails));
  EXPECT_TRUE(Covers(Entry("rule = \"C-OWN-*\""), kFails));
  EXPECT_FALSE(Covers(Entry("case = \"c-abi/data/*\""), kFails));
  EXPECT_FALSE(Covers(Entry("rule = \"C-DATA-01\""), kFails));
}

TEST_F(ExpectationsTest, CoverNoOtherVerdictOrMessage) {
  const std::string entry = Entry("case = \"c-abi/*\"");
  EXPECT_FALSE(Covers(entry, Judged("c-abi/own/released-once", Verdict::kCrash)));
  EXPECT_FALSE(Covers(entry, Judged("c-abi/own/released-once", Verdict::kLeak)));
  EXPECT_FALSE(Covers(entry, Judged("c-abi/own/released-once", Verdict::kFail, "the values differ")));
  EXPECT_FALSE(Covers(entry, Judged("c-abi/own/released-once", Verdict::kFail, "the deleter")));
  EXPECT_FALSE(Covers(entry, Judged("c-abi/own/released-once", Verdict::kFail, "and the deleter ran")));
  EXPECT_TRUE(Covers(entry, Judged("c-abi/own/released-once", Verdict::kFail, "the deleter ran")));
}

TEST_F(ExpectationsTest, WithARuleCompareTheBreachedRule) {
  Result result = kFails;
  result.rules = {"C-OWN-01", "C-OWN-02"};
  result.breached = {"C-OWN-02"};
  EXPECT_FALSE(Covers(Entry("rule = \"C-OWN-01\""), result));
  EXPECT_TRUE(Covers(Entry("rule = \"C-OWN-02\""), result));
}

TEST_F(ExpectationsTest, KeepTheReasonWithTheResult) {
  Expectations list = Read(Entry("case = \"c-abi/*\""));
  Result result = kFails;
  list.Apply(result);
  EXPECT_EQ(result.expectation, "issue 1");
  Result good = Judged("c-abi/own/kept-alive", Verdict::kPass);
  list.Apply(good);
  EXPECT_TRUE(good.as_expected);
  EXPECT_EQ(good.expectation, "");
}

TEST_F(ExpectationsTest, ApplyToTheVersionsThatTheyName) {
  for (const char* versions : {">=2.4", "==2.4.6", "<3", ">2.4.5,<2.4.7", "!=2.4.5", ">= 2.0, < 3"}) {
    EXPECT_TRUE(Covers(Entry("case = \"c-abi/*\"", "FAIL", versions), kFails)) << versions;
  }
  for (const char* versions : {">=2.5", "==2.4", "<2.4.6", ">2,<2.4", "!=2.4.6"}) {
    EXPECT_FALSE(Covers(Entry("case = \"c-abi/*\"", "FAIL", versions), kFails)) << versions;
  }
}

TEST_F(ExpectationsTest, ComparePartsOfVersionsAsNumbers) {
  EXPECT_TRUE(VersionMatches(">=2.9", "2.13.0"));
  EXPECT_TRUE(VersionMatches("==2.13.0", "2.13.0+cpu"));
  EXPECT_TRUE(VersionMatches("==1.2", "1.2.0"));
  EXPECT_TRUE(VersionMatches("<2", "1.26.4"));
  EXPECT_TRUE(VersionMatches("", "anything"));
  EXPECT_TRUE(VersionMatches(">=0", "unknown"));
  EXPECT_FALSE(VersionMatches(">=1", "unknown"));
  EXPECT_FALSE(VersionMatches(">=1", ""));
  EXPECT_TRUE(VersionMatches(">=1", "99999999999999999999.1"));
}

TEST_F(ExpectationsTest, AreStaleIfTheirCaseReportsSomethingElse) {
  const std::string entry = Entry("case = \"c-abi/own/released-once\"");
  EXPECT_THAT(Stale(entry, {kFails}), IsEmpty());
  EXPECT_THAT(Stale(entry, {Judged("c-abi/own/released-once", Verdict::kPass, "")}),
              ElementsAre(HasSubstr(
                  ":1: c-abi/own/released-once is listed as FAIL (the deleter ran), but gave PASS in version")));
  EXPECT_THAT(Stale(entry, {Judged("c-abi/own/released-once", Verdict::kFail, "the values differ")}),
              ElementsAre(HasSubstr("gave FAIL (the values differ)")));
}

TEST_F(ExpectationsTest, AboutARuleAreStaleWhenItsCasesPass) {
  EXPECT_THAT(Stale(Entry("rule = \"C-OWN-01\""), {Judged("c-abi/own/released-once", Verdict::kPass, "")}),
              ElementsAre(HasSubstr("C-OWN-01 is listed as FAIL")));
  Result other = kFails;
  other.rules = {"C-OWN-01", "C-OWN-02"};
  other.breached = {"C-OWN-02"};
  EXPECT_THAT(Stale(Entry("rule = \"C-OWN-01\""), {other}), ElementsAre(HasSubstr("but gave no such violation")));
}

TEST_F(ExpectationsTest, AreNotStaleIfNoCaseOfThemRan) {
  for (const char* what : {"case = \"c-abi/own/kept-alive\"", "rule = \"C-OWN-02\"", "case = \"c-abi/data/*\""}) {
    EXPECT_THAT(Stale(Entry(what), {kFails}), IsEmpty()) << what;
  }
  EXPECT_THAT(Stale(Entry("case = \"c-abi/own/released-once\"", "FAIL", ">=3"),
                    {Judged("c-abi/own/released-once", Verdict::kPass, "")}),
              IsEmpty());
}

TEST_F(ExpectationsTest, AreNotStaleIfAnotherListedDeviationMasksThem) {
  const std::string listed = Entry("case = \"c-abi/own/released-once\"");
  const std::string hidden =
      "[[expect]]\ncase = \"c-abi/own/*\"\nverdict = \"FAIL\"\nmessage = \"another one\"\nwhy = \"issue 2\"\n";
  EXPECT_THAT(Stale(listed + hidden, {kFails}), IsEmpty());
  EXPECT_THAT(Stale(hidden, {kFails}), ElementsAre(HasSubstr("another one")));
}

TEST_F(ExpectationsTest, OfManyCasesAreNotStaleInARunOfSome) {
  Expectations list = Read(Entry("case = \"c-abi/own/*\""));
  KnownNames some = kKnown;
  some.selected = true;
  const std::vector<Result> passed = {Judged("c-abi/own/released-once", Verdict::kPass, "")};
  EXPECT_THAT(SentencesOf(list.Stale(passed, "2.4.6", some)), IsEmpty());
  EXPECT_THAT(SentencesOf(list.Stale(passed, "2.4.6", kKnown)), ElementsAre(HasSubstr("c-abi/own/*")));
}

TEST_F(ExpectationsTest, OfACauseAreNotStaleInARunOfSomeCasesOrWithoutAWholeSweep) {
  Expectations list = Read("[[expect]]\ncause = \"import/place/byte-offset\"\nverdict = \"FAIL\"\nwhy = \"issue 1\"\n");
  KnownNames some = kKnown;
  some.selected = true;
  EXPECT_THAT(SentencesOf(list.Stale({}, "2.4.6", some)), IsEmpty());
  KnownNames unswept = kKnown;
  unswept.swept = false;
  EXPECT_THAT(SentencesOf(list.Stale({}, "2.4.6", unswept)), IsEmpty());
  EXPECT_THAT(SentencesOf(list.Stale({}, "2.4.6", kKnown)), ElementsAre(HasSubstr("did not occur")));
}

TEST_F(ExpectationsTest, OfASeldomCauseAreNotStale) {
  const std::string entry = "[[expect]]\ncause = \"export/flags/again\"\nverdict = \"FAIL\"\nwhy = \"issue 1\"\n";
  EXPECT_THAT(SentencesOf(Read(entry + "seldom = false\n").Stale({}, "2.4.6", kKnown)),
              ElementsAre(HasSubstr("again")));
  EXPECT_THAT(SentencesOf(Read(entry + "seldom = true\n").Stale({}, "2.4.6", kKnown)), IsEmpty());
}

TEST_F(ExpectationsTest, OfAnIncludedFileApplyAndAreNotStale) {
  const std::string entry = "[[expect]]\nverdict = \"FAIL\"\ncause = ";
  folder_.Write("cpu.toml", entry + "\"import/place/*\"\nwhy = \"as on the CPU\"\n");
  Expectations list = Read("include = [\"cpu.toml\"]\n" + entry + "\"import/place/b\"\nwhy = \"its own\"\n");
  Cause cause;
  cause.verdict = Verdict::kFail;
  for (const auto& [id, why] : {std::pair("import/place/a", "as on the CPU"), std::pair("import/place/b", "its own")}) {
    cause.id = id;
    list.Apply(cause, "2.4.6");
    EXPECT_EQ(cause.expectation, why);
  }
  Expectations unmet = Read("include = [\"cpu.toml\"]\n");
  EXPECT_THAT(SentencesOf(unmet.Stale({}, "2.4.6", kKnown)), IsEmpty());
}

TEST_F(ExpectationsTest, ThatIncludeThemselvesSaySo) {
  EXPECT_THROW(Read("include = [\"expectations.toml\"]\n"), Failure);
}

TEST_F(ExpectationsTest, ThatIncludeAMissingFileSaySo) {
  EXPECT_THROW(Read("include = [\"missing.toml\"]\n"), Failure);
}

TEST_F(ExpectationsTest, AreNotStaleWhereTheirCaseWasNotJudged) {
  const std::string entry = Entry("case = \"c-abi/own/released-once\"");
  for (const Verdict verdict : {Verdict::kSkip, Verdict::kBlocked}) {
    EXPECT_THAT(Stale(entry, {Judged("c-abi/own/released-once", verdict, "the library has none")}), IsEmpty());
  }
}

TEST_F(ExpectationsTest, ThatAreStaleNameTheVersion) {
  EXPECT_THAT(Stale(Entry("case = \"c-abi/own/released-once\""),
                    {Judged("c-abi/own/released-once", Verdict::kPass, "")}, "2.5.5"),
              ElementsAre(HasSubstr("in version 2.5.5")));
}

TEST_F(ExpectationsTest, WithoutAMatchingCaseAreAlwaysStale) {
  for (const char* what : {"case = \"c-abi/own/released-twice\"", "case = \"python/*\"", "rule = \"C-OWN-99\""}) {
    EXPECT_THAT(Stale(Entry(what), {}), ElementsAre(HasSubstr(" matches "))) << what;
    EXPECT_THAT(Stale(Entry(what, "FAIL", ">=3"), {kFails}), ElementsAre(HasSubstr(" matches "))) << what;
  }
}

TEST_F(ExpectationsTest, FirstMatchingEntryApplies) {
  const std::string both = Entry("case = \"c-abi/own/*\"") + Entry("case = \"c-abi/own/released-once\"");
  EXPECT_THAT(Stale(both, {kFails}), ElementsAre(HasSubstr(":6: ")));
}

/// A cause of a pair that shows with the reference as partner.
Cause Accused(Side side, const std::string& id) {
  Cause cause;
  cause.id = id;
  cause.side = side;
  cause.verdict = Verdict::kFail;
  return cause;
}

Cause Together() {
  Cause cause = Accused(Side::kImport, "import/place/only-together");
  cause.triggers = {"only-together"};
  return cause;
}

std::string CauseEntry(const std::string& id, const std::string& more = "") {
  return "[[expect]]\ncause = \"" + id + "\"\n" + more + "verdict = \"FAIL\"\nwhy = \"issue 1\"\n";
}

/// The lists of warp, which imports, and of mlx, which exports.
class PairExpectationsTest : public ExpectationsTest {
 protected:
  Expectations Of(const std::string& warp, const std::string& mlx, const std::string& producer = "mlx") {
    Expectations list = Expectations::Read(PairLists{.producer = producer,
                                                     .producer_file = folder_.Write("mlx.toml", mlx),
                                                     .consumer = "warp",
                                                     .consumer_file = folder_.Write("warp.toml", warp)});
    list.SetConsumerVersion("1.10");
    return list;
  }

  static bool Covers(Expectations list, Cause cause) {
    list.Apply(cause, "0.30");
    return !cause.expectation.empty();
  }

  static std::vector<std::string> Stale(Expectations list) { return SentencesOf(list.Stale({}, "0.30", kKnown)); }
};

TEST_F(PairExpectationsTest, HoldTheCausesThatEachLibraryHasAlone) {
  const Cause import = Accused(Side::kImport, "import/place/byte-offset");
  const Cause exported = Accused(Side::kExport, "export/dtype/dtype-bool");
  EXPECT_TRUE(Covers(Of(CauseEntry("import/place/*"), ""), import));
  EXPECT_TRUE(Covers(Of("", CauseEntry("export/dtype/*")), exported));
  // The list of the other library says nothing about it.
  EXPECT_FALSE(Covers(Of("", CauseEntry("import/place/*")), import));
  EXPECT_FALSE(Covers(Of(CauseEntry("export/dtype/*"), ""), exported));
  EXPECT_FALSE(Covers(Of(CauseEntry("*"), CauseEntry("*")), Together()));
}

TEST_F(PairExpectationsTest, CompareTheVersionOfTheirLibrary) {
  const Cause import = Accused(Side::kImport, "import/place/byte-offset");
  EXPECT_TRUE(Covers(Of(CauseEntry("import/place/*", "versions = \"==1.10\"\n"), ""), import));
  EXPECT_FALSE(Covers(Of(CauseEntry("import/place/*", "versions = \"==0.30\"\n"), ""), import));
  const Cause exported = Accused(Side::kExport, "export/dtype/dtype-bool");
  EXPECT_TRUE(Covers(Of("", CauseEntry("export/*", "versions = \"==0.30\"\n")), exported));
}

TEST_F(PairExpectationsTest, WithAPartnerHoldOnlyForThatPair) {
  const std::string from_mlx = CauseEntry("import/place/*", "from = [\"jax\", \"mlx\"]\n");
  EXPECT_TRUE(Covers(Of(from_mlx, ""), Together()));
  EXPECT_TRUE(Covers(Of("", CauseEntry("import/place/*", "to = [\"warp\"]\n")), Together()));
  EXPECT_FALSE(Covers(Of(from_mlx, "", "numpy"), Together()));
  EXPECT_FALSE(Covers(Of(CauseEntry("import/place/*", "to = [\"mlx\"]\n"), ""), Together()));
  // A library alone has no partner.
  EXPECT_THAT(Read(from_mlx).entries(), IsEmpty());
}

TEST_F(PairExpectationsTest, AreStaleOnlyWithAPartner) {
  EXPECT_THAT(Stale(Of(CauseEntry("import/place/*"), CauseEntry("export/place/*"))), IsEmpty());
  EXPECT_THAT(
      Stale(Of(CauseEntry("import/place/*", "from = [\"mlx\"]\n"), "")),
      ElementsAre(HasSubstr("warp.toml:1: the cause import/place/* is listed as FAIL for arrays from mlx, but did "
                            "not occur in version 1.10")));
  EXPECT_THAT(
      Stale(Of("", CauseEntry("export/place/*", "to = [\"warp\"]\n"))),
      ElementsAre(HasSubstr("mlx.toml:1: the cause export/place/* is listed as FAIL for arrays that go to warp, "
                            "but did not occur in version 0.30")));
  EXPECT_THAT(Stale(Of(CauseEntry("import/place/*", "from = [\"jax\"]\n"), "")), IsEmpty());
}

TEST_F(PairExpectationsTest, DoNotListThatEachLimitationOfALibraryIsKnown) {
  const std::string limit = "[[expect]]\ncause = \"limit/make/dtype=bool\"\nverdict = \"NOTE\"\nwhy = \"no bool\"\n";
  EXPECT_FALSE(Of(limit, limit).IsList());
}

TEST_F(PairExpectationsTest, WithAWrongPartnerSayWhatToWrite) {
  const auto refused = [&](const std::string& text) {
    const std::optional<Failure> failure = FailureOf([&] { Read(text); });
    return failure ? std::string(failure->what()) : "read";
  };
  EXPECT_THAT(refused(CauseEntry("a", "from = []\n")), HasSubstr("from\" is empty"));
  EXPECT_THAT(refused(CauseEntry("a", "from = \"mlx\"\n")), HasSubstr("is not a list"));
  EXPECT_THAT(refused(CauseEntry("a", "from = [\"mlx\"]\nto = [\"mlx\"]\n")), HasSubstr("cannot be used with"));
  EXPECT_THAT(refused(Entry("case = \"interop/pair/both-arrays-die\"")), HasSubstr("names a case of pairs"));
}

TEST_F(ExpectationsTest, WithoutAFileAreEmpty) {
  EXPECT_THAT(Expectations::Read(folder_.path() + "/none.toml").entries(), IsEmpty());
}

}  // namespace
}  // namespace dlpack_cts::runner
