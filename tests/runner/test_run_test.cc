// tests/runner/test_run_test.cc: cases are cut into parts of whole suites; names from files become names of files.
#include "runner/run/test_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "runner/base/places.h"

namespace dlpack_cts::runner {
namespace {

using ::testing::ElementsAre;

struct Cases {
  std::vector<CaseInfo> known;
  std::vector<std::string> ids;
};

Cases CasesOf(const std::vector<std::pair<std::string, int>>& suites) {
  Cases cases;
  for (const auto& [suite, count] : suites) {
    for (int i = 0; i < count; ++i) {
      cases.ids.push_back(suite + "/" + std::to_string(i));
      CaseInfo info;
      info.id = cases.ids.back();
      info.suite = suite;
      cases.known.push_back(info);
    }
  }
  return cases;
}

std::vector<size_t> SizesOf(const std::vector<std::vector<std::string>>& parts) {
  std::vector<size_t> sizes;
  for (const auto& part : parts) sizes.push_back(part.size());
  std::sort(sizes.begin(), sizes.end());
  return sizes;
}

TEST(CutTest, EachCaseIsInOnePartInOrder) {
  const Cases cases = CasesOf({{"a", 9}, {"b", 20}, {"c", 1}, {"d", 14}});
  for (int most : {1, 2, 3, 4, 16}) {
    std::vector<std::string> all;
    for (const auto& part : Cut(cases.known, cases.ids, most)) {
      EXPECT_FALSE(part.empty());
      const auto place = [&](const std::string& id) { return std::find(cases.ids.begin(), cases.ids.end(), id); };
      EXPECT_TRUE(std::is_sorted(part.begin(), part.end(),
                                 [&](const auto& one, const auto& other) { return place(one) < place(other); }));
      all.insert(all.end(), part.begin(), part.end());
    }
    EXPECT_THAT(all, ::testing::UnorderedElementsAreArray(cases.ids));
  }
}

TEST(CutTest, SuitesAreNotDivided) {
  const Cases cases = CasesOf({{"a", 9}, {"b", 20}, {"c", 12}});
  std::map<std::string, int> parts_of;
  for (const auto& part : Cut(cases.known, cases.ids, 3)) {
    std::map<std::string, int> suites;
    for (const std::string& id : part) suites[id.substr(0, 1)] = 1;
    for (const auto& [suite, one] : suites) parts_of[suite] += one;
  }
  EXPECT_EQ(parts_of, (std::map<std::string, int>{{"a", 1}, {"b", 1}, {"c", 1}}));
}

TEST(CutTest, PartsHaveAboutTheSameSize) {
  const Cases cases = CasesOf({{"a", 20}, {"b", 10}, {"c", 9}, {"d", 4}, {"e", 3}});
  EXPECT_THAT(SizesOf(Cut(cases.known, cases.ids, 2)), ElementsAre(23, 23));
}

TEST(CutTest, SweepsArePartsOfTheirOwnAndComeFirst) {
  Cases cases = CasesOf({{"a", 20}, {"b", 30}, {"whole", 2}});
  for (CaseInfo& info : cases.known) info.whole = info.suite == "whole";
  EXPECT_THAT(Cut(cases.known, cases.ids, 4), ElementsAre(ElementsAre("whole/0"), ElementsAre("whole/1"),
                                                          ::testing::SizeIs(30), ::testing::SizeIs(20)));
  EXPECT_THAT(SizesOf(Cut(cases.known, cases.ids, 1)), ElementsAre(52)) << "one worker runs all";
}

TEST(CutTest, CasesWithMoreExamplesWeighMore) {
  Cases cases = CasesOf({{"a", 10}, {"b", 9}, {"c", 12}});
  for (CaseInfo& info : cases.known) info.times = info.suite == "b" ? 3 : 1;
  EXPECT_THAT(Cut(cases.known, cases.ids, 2), ElementsAre(::testing::SizeIs(9), ::testing::SizeIs(22)));
}

TEST(CutTest, FewCasesAreOnePart) {
  const Cases cases = CasesOf({{"a", 1}, {"b", 1}, {"c", 1}});
  EXPECT_THAT(SizesOf(Cut(cases.known, cases.ids, 8)), ElementsAre(3));
}

TEST(PlainNameTest, ReturnsAFileNameWithoutPath) {
  EXPECT_EQ(PlainName("numpy"), "numpy");
  EXPECT_EQ(PlainName("2.6.0+cpu"), "2.6.0+cpu");
  EXPECT_EQ(PlainName("../../x"), "_.._.._x");
  EXPECT_EQ(PlainName(".."), "_..");
  EXPECT_EQ(PlainName(""), "_");
  EXPECT_EQ(PlainName(std::string("a\0b/c\n", 6)), "a_b_c_");
  EXPECT_LE(PlainName(std::string(5000, 'x')).size(), 100u);
}

TEST(UnusedNameTest, AppendsTheNextNumber) {
  EXPECT_EQ(UnusedName("a", {}), "a");
  EXPECT_EQ(UnusedName("a", {"a", "a-2"}), "a-3");
}

}  // namespace
}  // namespace dlpack_cts::runner
