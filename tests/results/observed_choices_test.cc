// tests/results/observed_choices_test.cc: observed choices are written and read without loss, and have a text of one
// line.
#include "results/observed_choices.h"

#include <gtest/gtest.h>

namespace dlpack_cts {
namespace {

const ObservedChoices kBoth{"A-23", "PY-CAPSULE-17", "the destructor", {{"leaves it", 40}, {"clears it", 2}}};

TEST(ObservedChoices, SurviveARoundTrip) {
  EXPECT_EQ(ToJson(FromJson<ObservedChoices>(ToJson(kBoth))), ToJson(kBoth));
  nlohmann::json wrong = ToJson(kBoth);
  wrong["shown"][0]["count"] = "many";
  EXPECT_THROW(FromJson<ObservedChoices>(wrong), Failure);
  wrong = ToJson(kBoth);
  wrong["more"] = 1;
  EXPECT_THROW(FromJson<ObservedChoices>(wrong), Failure);
}

TEST(ObservedChoices, HaveCountsIfThereAreSeveral) {
  EXPECT_EQ(TextOf(kBoth), "leaves it (40), clears it (2)");
  EXPECT_EQ(TextOf({"A-01", "C-STRIDES-01", "strides", {{"writes strides", 7}}}), "writes strides");
}

}  // namespace
}  // namespace dlpack_cts
