// tests/reports/example_test.cc: a recipe in one line, whatever JSON it is.
#include "reports/example.h"

#include <gtest/gtest.h>

namespace dlpack_cts {
namespace {

TEST(Example, SaysWhatItSetsThenItsSteps) {
  const auto recipe = nlohmann::json::parse(
      R"({"format": 2, "kind": "import", "offers": [{"major": 0, "shape": [2, 3]}], "life": [{"op": "import"}, {"op": "read"}]})");
  EXPECT_EQ(ExampleText(recipe), "import, offers[0].major = 0, offers[0].shape = [2,3]; import, read");
}

TEST(Example, TakesAnyJson) {
  EXPECT_EQ(ExampleText(nlohmann::json()), "");
  EXPECT_EQ(ExampleText(3), "");
  EXPECT_EQ(ExampleText(nlohmann::json::object()), "");
  EXPECT_EQ(ExampleText({{"kind", 3}, {"life", {1, {{"op", {1}}}}}}), "3; [1]");
  EXPECT_EQ(ExampleText({{"life", 7}}), "");
  EXPECT_EQ(ExampleText({{"x", "\xff"}}), "x = \xff");
}

}  // namespace
}  // namespace dlpack_cts
