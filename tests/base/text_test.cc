// tests/base/text_test.cc: lists, tuples and hashes.
#include "base/text.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"

namespace dlpack_cts {
namespace {

TEST(Joined, SeparatorIsBetweenTexts) {
  EXPECT_EQ(Joined(std::vector<std::string>{}, ", "), "");
  EXPECT_EQ(Joined(std::vector<std::string>{"a"}, ", "), "a");
  EXPECT_EQ(Joined(std::vector<std::string>{"", "b", ""}, ", "), ", b, ");
}

TEST(Split, EqualsSplitOfPython) {
  using Parts = std::vector<std::string_view>;
  EXPECT_EQ(Split("", " | "), (Parts{""}));
  EXPECT_EQ(Split("a", " | "), (Parts{"a"}));
  EXPECT_EQ(Split("a | b || c | ", " | "), (Parts{"a", "b || c", ""}));
}

TEST(TupleText, EqualsTupleTextOfPython) {
  const int64_t values[] = {2, -3};
  EXPECT_EQ(TupleText(values, 0), "()");
  EXPECT_EQ(TupleText(values, 1), "(2,)");
  EXPECT_EQ(TupleText(values, 2), "(2, -3)");
}

// Folders of environments and seeds of cases have names made of it.
TEST(Fnv1a, IsThePublishedFunction) {
  EXPECT_EQ(Fnv1a(""), 0xcbf29ce484222325u);
  EXPECT_EQ(Fnv1a("a"), 0xaf63dc4c8601ec8cu);
  EXPECT_EQ(Fnv1a("foobar"), 0x85944171f73967e8u);
}

}  // namespace
}  // namespace dlpack_cts
