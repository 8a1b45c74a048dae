// tests/judge/homes_test.cc: whatever is wrong has one home, and never two that fit as well.
#include "harness/judge/homes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "harness/case/case.h"
#include "harness/judge/coordinates.h"

namespace dlpack_cts {
namespace {

constexpr Family kJudged[] = {Family::kAsks,      Family::kTable,        Family::kDeviceAnswer, Family::kOutcome,
                              Family::kException, Family::kHang,         Family::kMemoryInCall, Family::kCapsule,
                              Family::kFlags,     Family::kStructDevice, Family::kDtype,        Family::kShape,
                              Family::kStrides,   Family::kPlace,        Family::kWrites,       Family::kRelease,
                              Family::kVersion,   Family::kWay};

std::vector<std::string> WordsOf(std::string_view text) {
  std::istringstream stream{std::string(text)};
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::string NameOf(const Home& home) {
  return std::string(home.rule) + " " + std::string(ToText(home.family)) + " " + std::string(home.needs);
}

TEST(Homes, AreThereForEachFamilyOfEachSide) {
  for (const Side side : {Side::kImport, Side::kExport}) {
    for (const Family family : kJudged) {
      const Home& home = HomeOf({side, family, "", "", {}});
      EXPECT_TRUE(home.needs.empty() && home.facts.empty() && home.got.empty()) << NameOf(home);
    }
  }
}

TEST(Homes, NeedWhatThereIs) {
  // What an exchange shows, and no recipe tells.
  const std::set<std::string> seen = {"refused-offer", "refused-export", "earlier-exchanges", "only-together"};
  for (const Home& home : Homes()) {
    for (const std::string& need : WordsOf(home.needs)) {
      const bool many = need.ends_with('*');
      const std::string prefix = many ? need.substr(0, need.size() - 1) : need;
      const auto all = Peculiarities();
      const bool any = std::any_of(all.begin(), all.end(), [&](const Peculiarity* one) {
        return many ? one->id.starts_with(prefix) : one->id == need;
      });
      EXPECT_TRUE(any || seen.contains(need)) << NameOf(home);
    }
    for (const std::string& fact : WordsOf(home.facts)) {
      const auto rows = FactRows();
      const std::string prefix = fact.ends_with('*') ? fact.substr(0, fact.size() - 1) : fact;
      const bool any = std::any_of(rows.begin(), rows.end(), [&](const FactRow& row) {
        return fact == prefix ? row.pattern == fact : row.pattern.starts_with(prefix);
      });
      EXPECT_TRUE(any || fact == "stumbled" || fact.starts_with("death") || fact.starts_with("thrown") ||
                  fact.starts_with("hang"))
          << fact << " of " << NameOf(home);
    }
  }
}

TEST(Homes, NeverFitAsWellAsAnother) {
  std::set<std::tuple<Side, Family, std::string, std::string, std::string>> taken;
  for (const Home& home : Homes()) {
    std::vector<std::string> needs = WordsOf(home.needs);
    std::sort(needs.begin(), needs.end());
    std::string sorted;
    for (const std::string& need : needs) sorted += need + " ";
    std::vector<std::string> facts = WordsOf(home.facts);
    if (facts.empty()) facts.emplace_back();
    for (const std::string& fact : facts) {
      EXPECT_TRUE(taken.insert({home.side, home.family, sorted, fact, std::string(home.got)}).second) << NameOf(home);
    }
  }
}

TEST(Homes, PreferTheLeastPlainPeculiarity) {
  const std::vector<std::string> set = {"rank-1", "explicit-strides", "strided", "negative-strides", "byte-offset"};
  EXPECT_EQ(HomeOf({Side::kImport, Family::kPlace, "importS.memory", "differs", set}).rule, "C-DATA-01");
  const std::vector<std::string> strides(set.begin(), set.end() - 1);
  EXPECT_EQ(HomeOf({Side::kImport, Family::kPlace, "importS.memory", "differs", strides}).rule, "C-STRIDES-09");
}

TEST(Homes, LookAtTheValue) {
  EXPECT_EQ(HomeOf({Side::kImport, Family::kRelease, "importS.deleter.calls", "0", {}}).rule, "C-OWN-01");
  EXPECT_EQ(HomeOf({Side::kImport, Family::kRelease, "importS.deleter.calls", "2", {}}).rule, "C-OWN-02");
  EXPECT_TRUE(FitsValue("unpublished", "(40, 16, 1)"));
  EXPECT_TRUE(FitsValue("unpublished", "(5, 0)"));
  EXPECT_FALSE(FitsValue("unpublished", "(5, 64, 1)"));
  EXPECT_FALSE(FitsValue("unpublished", "(1, 0)"));
  EXPECT_TRUE(FitsValue("unpublished", "21760"));
  EXPECT_TRUE(FitsValue("unpublished", "9"));
  EXPECT_FALSE(FitsValue("unpublished", "7"));
  EXPECT_FALSE(FitsValue("unpublished", "none"));
  EXPECT_TRUE(FitsValue("negative", "(2, -3)"));
  EXPECT_FALSE(FitsValue("many", "1"));
}

}  // namespace
}  // namespace dlpack_cts
