// tests/reports/features_test.cc: what results show of a feature; without a result the answer is unknown.
#include "reports/site/features.h"

#include <gtest/gtest.h>

namespace dlpack_cts {
namespace {

Run RunWith(const std::string& case_id, Verdict verdict, const std::string& message = "") {
  Run run;
  Result result;
  result.seen.case_id = case_id;
  result.seen.message = message;
  result.verdict = verdict;
  result.rules = {"C-DATA-01"};
  run.results = {result};
  return run;
}

Cause Limitation(const std::string& id, const std::string& got) {
  Cause cause;
  cause.id = "limit/" + id;
  cause.limitation = true;
  cause.verdict = Verdict::kNote;
  cause.message = "from_dlpack refuses it";
  cause.got = got;
  return cause;
}

Support OfDtype(const std::string& words, const std::string& dtype) {
  Run run;
  run.header.profile = {{"takes", "dtypes", words}};
  return AnswerOf({.profile = "takes/dtypes", .dtype = dtype}, run).support;
}

TEST(Features, PassOfANamedCaseShowsIt) {
  const Feature feature{.cases = {"a/b/c"}};
  EXPECT_EQ(AnswerOf(feature, RunWith("a/b/c", Verdict::kPass)).support, Support::kYes);
  EXPECT_EQ(AnswerOf(feature, RunWith("a/b/other", Verdict::kPass)).support, Support::kUnknown);
}

TEST(Features, WhatWasNotJudgedIsUnknownWithItsReason) {
  const Feature feature{.cases = {"a/b/c"}};
  for (const Verdict verdict : {Verdict::kSkip, Verdict::kBlocked}) {
    const FeatureAnswer answer = AnswerOf(feature, RunWith("a/b/c", verdict, "the adapter does not claim it"));
    EXPECT_EQ(answer.support, Support::kUnknown);
    EXPECT_EQ(answer.text, "the adapter does not claim it");
  }
  EXPECT_EQ(AnswerOf(feature, dlpack_cts::Run()).support, Support::kUnknown);
}

TEST(Features, DeviationIsShownWithItsVerdictBeforeAllElse) {
  dlpack_cts::Run run = RunWith("a/b/c", Verdict::kCrash, "it crashed");
  run.causes = {Limitation("import-object/dims=0", "refused: TypeError")};
  run.header.profile = {{"takes", "ranks", "0 to 64 dimensions"}};
  const Feature feature{
      .cases = {"a/b/c"}, .limits = {"import-object/dims=0"}, .profile = "takes/ranks", .yes = {"0 to *"}};
  const FeatureAnswer answer = AnswerOf(feature, run);
  EXPECT_EQ(answer.support, Support::kWrong);
  EXPECT_EQ(answer.verdict, Verdict::kCrash);
  EXPECT_EQ(answer.rule, "C-DATA-01");
}

TEST(Features, LimitationIsNoAndACopyIsPartly) {
  dlpack_cts::Run run = RunWith("a/b/c", Verdict::kPass);
  run.causes = {Limitation("import-object/dims=0", "refused: TypeError")};
  const Feature feature{.cases = {"a/b/c"}, .limits = {"import-object/dims=0"}};
  EXPECT_EQ(AnswerOf(feature, run).support, Support::kNo);
  run.causes.front().got = "copied";
  EXPECT_EQ(AnswerOf(feature, run).support, Support::kPartly);
  run.causes.front().got = "refused";
  Feature several{.cases = {"a/b/c"}, .limits = {"import-object/dims=0", "import-object/dims=1"}};
  EXPECT_EQ(AnswerOf(several, run).support, Support::kPartly);
  several.cases.clear();
  EXPECT_EQ(AnswerOf(several, run).support, Support::kNo);
}

TEST(Features, WordsOfTheProfileDecide) {
  const Feature feature{.profile = "takes/layouts", .yes = {"any strides"}, .no = {"any strides except negative ones"}};
  dlpack_cts::Run run;
  run.header.profile = {{"makes", "layouts", "any strides"}, {"takes", "layouts", "any strides except negative ones"}};
  EXPECT_EQ(AnswerOf(feature, run).support, Support::kNo);
  run.header.profile[1].words = "any strides";
  EXPECT_EQ(AnswerOf(feature, run).support, Support::kYes);
  run.header.profile[1].words = "some strides";
  EXPECT_EQ(AnswerOf(feature, run).support, Support::kUnknown);
}

TEST(Features, DtypesOfTheProfileAreRead) {
  EXPECT_EQ(OfDtype("all 31 types", "bfloat16"), Support::kYes);
  EXPECT_EQ(OfDtype("all types except bfloat16, float8_*", "bfloat16"), Support::kNo);
  EXPECT_EQ(OfDtype("all types except bfloat16, float8_*", "float8_e5m2"), Support::kNo);
  EXPECT_EQ(OfDtype("all types except bfloat16, float8_*", "bool"), Support::kYes);
  EXPECT_EQ(OfDtype("int8, int32", "int32"), Support::kYes);
  EXPECT_EQ(OfDtype("int8, int32", "int3"), Support::kNo);
  EXPECT_EQ(OfDtype("all types except bool; sub-byte: int4", "bool"), Support::kNo);
  EXPECT_EQ(OfDtype("20 of 31 types", "bool"), Support::kUnknown);
}

}  // namespace
}  // namespace dlpack_cts
