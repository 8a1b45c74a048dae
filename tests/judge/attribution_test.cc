// tests/judge/attribution_test.cc: each finding is attributed to one rule, and the rows name what exists.
#include "harness/attribute/attribution.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "base/enum_words.h"
#include "harness/attribute/properties.h"
#include "harness/case/case.h"
#include "harness/ledger/facts.h"

namespace dlpack_cts {
namespace {

constexpr Family kJudged[] = {Family::kAsks,      Family::kTable,        Family::kDeviceAnswer, Family::kOutcome,
                              Family::kException, Family::kHang,         Family::kMemoryInCall, Family::kCapsule,
                              Family::kFlags,     Family::kStructDevice, Family::kDtype,        Family::kShape,
                              Family::kStrides,   Family::kPlace,        Family::kWrites,       Family::kRelease,
                              Family::kVersion,   Family::kChoice};

std::vector<std::string> WordsOf(std::string_view text) {
  std::istringstream stream{std::string(text)};
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::string NameOf(const AttributionRow& row) {
  return std::string(row.rule) + " " + std::string(ToText(row.side)) + " " + std::string(ToText(row.family)) + " " +
         std::string(row.triggers);
}

bool BeginsOrIs(const std::string& pattern, std::string_view text) {
  return pattern.ends_with('*') ? text.starts_with(pattern.substr(0, pattern.size() - 1)) : text == pattern;
}

/// "death-read": how a step ended, and the step's word.
bool IsEndOfAStep(const std::string& fact) {
  for (const std::string end : {"death", "thrown", "hang"}) {
    if (fact == end + "*") return true;
    if (!fact.starts_with(end + "-")) continue;
    for (size_t op = 0; op < kEnumerators<Op>; ++op) {
      if (ToText(static_cast<Op>(op)) == fact.substr(end.size() + 1)) return true;
    }
  }
  return false;
}

TEST(Attributions, ExistForEachFamilyOfEachSide) {
  for (const Side side : {Side::kImport, Side::kExport}) {
    for (const Family family : kJudged) {
      const AttributionRow& row = AttributionOf({side, family, "", "", {}});
      EXPECT_TRUE(row.triggers.empty() && row.facts.empty() && row.got.empty()) << NameOf(row);
    }
  }
}

TEST(Attributions, CrashOverACapsuleOrAProducerHasTheRuleOfItsRefusal) {
  for (const char* const trigger : {"foreign-name", "name-with-space", "no-name", "gives-none", "used-name",
                                    "no-methods", "device-alone", "producer-raises", "device-raises"}) {
    const std::vector<std::string> triggers = {trigger};
    const std::string_view refused = AttributionOf({Side::kImport, Family::kOutcome, "", "", triggers}).rule;
    EXPECT_EQ(AttributionOf({Side::kImport, Family::kMemoryInCall, "death-import", "", triggers}).rule, refused);
    EXPECT_EQ(AttributionOf({Side::kImport, Family::kMemoryInCall, "faultF", "read struct+0", triggers}).rule, refused);
  }
  // The second import of one capsule.
  const std::vector<std::string> again = {"stored-capsule", "step-import-again"};
  EXPECT_EQ(AttributionOf({Side::kImport, Family::kMemoryInCall, "death-import-again", "", again}).rule,
            "PY-CAPSULE-10");
}

TEST(Attributions, ReadBeyondElementsOfAnotherWidthHasTheRuleOfTheirType) {
  const auto rule_of = [](const std::vector<std::string>& triggers) {
    return AttributionOf({Side::kImport, Family::kPlace, "faultF", "read elements", triggers}).rule;
  };
  EXPECT_EQ(rule_of({"rank-1"}), "C-DATA-11");
  EXPECT_EQ(rule_of({"dtype-unnamed", "rank-1", "legacy"}), "C-DTYPE-13");
  EXPECT_EQ(rule_of({"dtype-unnamed", "rank-1", "explicit-strides", "strided", "legacy"}), "C-DTYPE-13");
  EXPECT_EQ(rule_of({"sub-byte-int4", "rank-1"}), "C-SUBBYTE-05");
}

TEST(Attributions, NameTriggersThatExist) {
  // How the exchange went: no recipe says it.
  const std::set<std::string> seen = {"refused-offer", "refused-export", "earlier-exchanges", "only-together"};
  for (const AttributionRow& row : Attributions()) {
    for (const std::string& trigger : WordsOf(row.triggers)) {
      const auto all = AllTriggers();
      const bool any =
          std::any_of(all.begin(), all.end(), [&](const Trigger* one) { return BeginsOrIs(trigger, one->id); });
      EXPECT_TRUE(any || seen.contains(trigger)) << trigger << " of " << NameOf(row);
    }
  }
}

TEST(Attributions, NameFactsThatExist) {
  for (const AttributionRow& row : Attributions()) {
    for (const std::string& fact : WordsOf(row.facts)) {
      const auto rows = FactRows();
      const bool any =
          std::any_of(rows.begin(), rows.end(), [&](const FactRow& one) { return BeginsOrIs(fact, one.pattern); });
      EXPECT_TRUE(any || fact == "stumbled" || IsEndOfAStep(fact)) << fact << " of " << NameOf(row);
    }
  }
}

TEST(Attributions, NameRulesThatExist) {
  std::set<std::string> rules;
  for (const auto& file : std::filesystem::directory_iterator(CTS_RULES)) {
    std::ifstream text(file.path());
    for (std::string line; std::getline(text, line);) {
      if (line.starts_with("id = \"")) rules.insert(line.substr(6, line.size() - 7));
    }
  }
  ASSERT_GT(rules.size(), 200u);
  for (const AttributionRow& row : Attributions()) EXPECT_TRUE(rules.contains(std::string(row.rule))) << NameOf(row);
}

TEST(Attributions, NeverFitEquallyWell) {
  std::set<std::tuple<Side, Family, std::string, std::string, std::string>> taken;
  for (const AttributionRow& row : Attributions()) {
    std::vector<std::string> triggers = WordsOf(row.triggers);
    std::sort(triggers.begin(), triggers.end());
    std::string sorted;
    for (const std::string& trigger : triggers) sorted += trigger + " ";
    std::vector<std::string> facts = WordsOf(row.facts);
    if (facts.empty()) facts.emplace_back();
    for (const std::string& fact : facts) {
      EXPECT_TRUE(taken.insert({row.side, row.family, sorted, fact, std::string(row.got)}).second) << NameOf(row);
    }
  }
}

TEST(Attributions, PreferTheLeastSimpleTrigger) {
  const std::vector<std::string> set = {"rank-1", "explicit-strides", "strided", "negative-strides", "byte-offset"};
  EXPECT_EQ(AttributionOf({Side::kImport, Family::kPlace, "importS.memory", "differs", set}).rule, "C-DATA-01");
  const std::vector<std::string> strides(set.begin(), set.end() - 1);
  EXPECT_EQ(AttributionOf({Side::kImport, Family::kPlace, "importS.memory", "differs", strides}).rule, "C-STRIDES-09");
}

/// A leak that only versioned exports have is one of the deleter. Only a refused export has a rule of its own.
TEST(Attributions, LeakOfAnAcceptedExportIsOneOfItsDeleter) {
  const auto rule = [](const std::vector<std::string>& set) {
    return AttributionOf({Side::kExport, Family::kRelease, "sourceS.alive_at_end", "1", set}).rule;
  };
  EXPECT_EQ(rule({}), "C-OWN-06");
  EXPECT_EQ(rule({"max_version-1.3"}), "C-OWN-06");
  EXPECT_EQ(rule({"refused-export"}), "PY-DLPACK-12");
}

TEST(Attributions, CompareTheValue) {
  EXPECT_EQ(AttributionOf({Side::kImport, Family::kRelease, "importS.deleter.calls", "0", {}}).rule, "C-OWN-01");
  EXPECT_EQ(AttributionOf({Side::kImport, Family::kRelease, "importS.deleter.calls", "2", {}}).rule, "C-OWN-02");
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
