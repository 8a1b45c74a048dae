// tests/results/parse_test.cc: text from elsewhere becomes JSON, or a phrase that says why not.
#include "results/parse.h"

#include <gtest/gtest.h>

#include "tests/message_of.h"

namespace dlpack_cts {
namespace {

std::string ErrorOf(const std::string& text) {
  return MessageOf([&] { ParseJson(text); });
}

std::string Nested(int levels) { return std::string(levels, '[') + std::string(levels, ']'); }

TEST(ParseJsonTest, AcceptsOneValue) {
  EXPECT_EQ(ErrorOf(R"({"a": [1, "x"]})"), "");
  EXPECT_EQ(ErrorOf("3"), "");
}

TEST(ParseJsonTest, ReportsInvalidJson) {
  for (const char* text : {"", "{", "[1,]", "\xff", "1e999", "{} {}", "nul"})
    EXPECT_EQ(ErrorOf(text), "is not valid JSON");
}

TEST(ParseJsonTest, LimitsTheNesting) {
  EXPECT_EQ(ErrorOf(Nested(kDeepest)), "");
  EXPECT_EQ(ErrorOf(Nested(kDeepest + 1)), "is nested more than 100 levels deep");
  EXPECT_EQ(ErrorOf(Nested(2'000'000)), "is nested more than 100 levels deep");
  EXPECT_EQ(ErrorOf(std::string(200'000, '{')), "is nested more than 100 levels deep");
}

TEST(ParseJsonTest, IgnoresBracketsInTexts) {
  EXPECT_EQ(ErrorOf('"' + std::string(1000, '[') + '"'), "");
  EXPECT_EQ(ErrorOf(R"("\")" + std::string(1000, '{') + '"'), "");
  EXPECT_EQ(ErrorOf(R"(["\\",)" + Nested(kDeepest) + "]"), "is nested more than 100 levels deep");
}

}  // namespace
}  // namespace dlpack_cts
