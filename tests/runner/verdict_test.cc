// tests/runner/verdict_test.cc: how an observation becomes a verdict.
#include "runner/verdict.h"

#include <gtest/gtest.h>

#include "runner/failure.h"

namespace dlpack_cts::runner {
namespace {

Rules SomeRules() {
  Rules rules;
  const auto add = [&](const std::string& id, Verdict breach, const std::string& source, const std::string& strength) {
    Rule rule;
    rule.id = id;
    rule.breach = breach;
    rule.source = source;
    rule.strength_class = strength;
    rules.emplace(id, rule);
  };
  add("FAILS", Verdict::kFail, "H1.3:1", "MUST");
  add("WARNS", Verdict::kWarn, "H1.3:1", "SHOULD");
  add("NOTES", Verdict::kNote, "H1.3:1", "MAY");
  add("ARRAY-API", Verdict::kFail, "AO:__dlpack__", "MUST");
  add("ARRAY-API-SHOULD", Verdict::kWarn, "CF:from_dlpack", "SHOULD");
  add("ARRAY-API-IMPLIED", Verdict::kFail, "AO:__dlpack__", "implied");
  add("BOTH", Verdict::kFail, "PS:12, AO:__dlpack__", "MUST");
  return rules;
}

Observation Observe(const std::string& observed, const std::string& rule = "", const std::string& degree = "rule") {
  Observation observation;
  observation.case_id = "c-abi/own/a-case";
  observation.observed = observed;
  observation.rule = rule;
  observation.degree = degree;
  return observation;
}

Verdict Of(const Observation& observation, bool claims_array_api = true) {
  return VerdictOf(observation, SomeRules(), claims_array_api);
}

TEST(Verdict, OfABreachIsWhatTheRuleSays) {
  EXPECT_EQ(Of(Observe("breach", "FAILS")), Verdict::kFail);
  EXPECT_EQ(Of(Observe("breach", "WARNS")), Verdict::kWarn);
  EXPECT_EQ(Of(Observe("breach", "NOTES")), Verdict::kNote);
}

TEST(Verdict, IsLoweredByTheDegreeAndNeverRaised) {
  EXPECT_EQ(Of(Observe("breach", "FAILS", "warn")), Verdict::kWarn);
  EXPECT_EQ(Of(Observe("breach", "FAILS", "note")), Verdict::kNote);
  EXPECT_EQ(Of(Observe("breach", "WARNS", "note")), Verdict::kNote);
  EXPECT_EQ(Of(Observe("breach", "NOTES", "warn")), Verdict::kNote);
  EXPECT_EQ(Of(Observe("breach", "WARNS", "warn")), Verdict::kWarn);
}

TEST(Verdict, OfTheArrayApiAloneIsOneLowerWithoutTheClaim) {
  EXPECT_EQ(Of(Observe("breach", "ARRAY-API"), true), Verdict::kFail);
  EXPECT_EQ(Of(Observe("breach", "ARRAY-API"), false), Verdict::kWarn);
  EXPECT_EQ(Of(Observe("breach", "ARRAY-API-SHOULD"), false), Verdict::kNote);
  EXPECT_EQ(Of(Observe("breach", "ARRAY-API", "warn"), false), Verdict::kNote);
  EXPECT_EQ(Of(Observe("breach", "ARRAY-API", "note"), false), Verdict::kNote);
}

TEST(Verdict, OfAnImpliedRuleOrOneOfTheHeaderNeedsNoClaim) {
  EXPECT_EQ(Of(Observe("breach", "ARRAY-API-IMPLIED"), false), Verdict::kFail);
  EXPECT_EQ(Of(Observe("breach", "BOTH"), false), Verdict::kFail);
  EXPECT_EQ(Of(Observe("breach", "FAILS"), false), Verdict::kFail);
}

TEST(Verdict, OfWhatStandsForItselfKnowsNoRule) {
  const std::pair<const char*, Verdict> own[] = {{"held", Verdict::kPass},     {"leak", Verdict::kLeak},
                                                 {"unsafe", Verdict::kUnsafe}, {"crash", Verdict::kCrash},
                                                 {"memory", Verdict::kCrash},  {"timeout", Verdict::kTimeout},
                                                 {"skip", Verdict::kSkip},     {"blocked", Verdict::kBlocked}};
  for (const auto& [observed, verdict] : own) {
    for (const char* degree : {"rule", "warn", "note", ""}) {
      EXPECT_EQ(Of(Observe(observed, "NOTES", degree), false), verdict) << observed;
      EXPECT_EQ(Of(Observe(observed, "NO-SUCH-RULE", degree), false), verdict) << observed;
    }
  }
}

TEST(Verdict, OfACaseThatJudgedNothingIsAFaultOfTheHarness) {
  for (const char* observed : {"unjudged", "", "PASS", "anything"}) {
    try {
      Of(Observe(observed));
      ADD_FAILURE() << observed << " gave a verdict";
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.status(), kHarness);
      EXPECT_STREQ(failure.what(), "the case c-abi/own/a-case gave no judgement");
    }
  }
}

TEST(Verdict, OfAnUnknownRuleIsAFaultOfTheHarness) {
  try {
    Of(Observe("breach", "NO-SUCH-RULE"));
    ADD_FAILURE() << "an unknown rule gave a verdict";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), kHarness);
    EXPECT_NE(std::string(failure.what()).find("NO-SUCH-RULE"), std::string::npos);
  }
}

}  // namespace
}  // namespace dlpack_cts::runner
