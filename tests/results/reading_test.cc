// tests/results/reading_test.cc: observed choices are written and read without loss, and have a text of one line.
#include "results/reading.h"

#include <gtest/gtest.h>

namespace dlpack_cts {
namespace {

const Readings kBoth{"A-23", "PY-CAPSULE-17", "the destructor", {{"leaves it", 40}, {"clears it", 2}}};

TEST(Readings, SurviveARoundTrip) {
  EXPECT_EQ(ToJson(FromJson<Readings>(ToJson(kBoth))), ToJson(kBoth));
  nlohmann::json wrong = ToJson(kBoth);
  wrong["shown"][0]["count"] = "many";
  EXPECT_THROW(FromJson<Readings>(wrong), Failure);
  wrong = ToJson(kBoth);
  wrong["more"] = 1;
  EXPECT_THROW(FromJson<Readings>(wrong), Failure);
}

TEST(Readings, HaveCountsIfThereAreSeveral) {
  EXPECT_EQ(TextOf(kBoth), "leaves it (40), clears it (2)");
  EXPECT_EQ(TextOf({"A-01", "C-STRIDES-01", "strides", {{"writes strides", 7}}}), "writes strides");
}

}  // namespace
}  // namespace dlpack_cts
