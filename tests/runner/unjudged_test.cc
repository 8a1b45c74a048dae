// tests/runner/unjudged_test.cc: a value is judged if any case has a conclusive example of it.
#include "runner/run/unjudged.h"

#include <gtest/gtest.h>

namespace dlpack_cts::runner {
namespace {

Result WithShares(std::vector<ValueShare> shares) {
  Result result;
  result.seen.shares = std::move(shares);
  return result;
}

TEST(UnjudgedValues, AreThoseWithoutAConclusiveExampleInAnyCase) {
  const nlohmann::json values = {{{"value", "scalar"}, {"words", "the tensor has no dimensions"}},
                                 {{"value", "empty"}, {"words", "the tensor has no elements"}},
                                 {{"value", "lanes"}, {"words", "dtype.lanes is not 1"}}};
  const std::vector<Result> results = {WithShares({{"scalar", 5, 0}, {"empty", 3, 0}}), WithShares({{"scalar", 5, 1}}),
                                       WithShares({{"empty", 4, 0}})};
  const nlohmann::json unjudged = ToJson(UnjudgedValues(values, results));
  const nlohmann::json wanted = {{{"value", "empty"}, {"words", "the tensor has no elements"}, {"drawn", 7}},
                                 {{"value", "lanes"}, {"words", "dtype.lanes is not 1"}, {"drawn", 0}}};
  EXPECT_EQ(unjudged, wanted);
}

}  // namespace
}  // namespace dlpack_cts::runner
