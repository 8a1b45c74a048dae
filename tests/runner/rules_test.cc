// tests/runner/rules_test.cc: reading the rule catalogue, strictly.
#include "runner/catalogue/rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/failure.h"
#include "tests/runner/files.h"

namespace dlpack_cts::runner {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string RuleText(const std::string& id, const std::string& more = "") {
  return "[[rule]]\nid = \"" + id +
         "\"\nactor = \"C\"\nlevel = \"ABI\"\nrequirement = \"does so\"\nstrength = \"must\"\nbasis = \"in an "
         "example\"\n"
         "stake = \"values\"\nbreach = \"FAIL\"\nneeds = \"cpu\"\nsource = \"H1.3:7\"\nstatus = \"tested\"\n" +
         more;
}

std::string Replaced(std::string text, const std::string& old, const std::string& with) {
  return text.replace(text.find(old), old.size(), with);
}

class RulesTest : public ::testing::Test {
 protected:
  Rules Read(const std::string& text) {
    folder_.Write("a.toml", text);
    return ReadRules(folder_.path());
  }

  std::string Refusal(const std::string& text) {
    try {
      Read(text);
    } catch (const Failure& failure) {
      EXPECT_NE(failure.hint(), "");
      return failure.what();
    }
    return "";
  }

  TestFolder folder_;
};

TEST_F(RulesTest, AreReadAsTheyAreWritten) {
  const Rules rules = Read(
      RuleText("C-A-01", "accept = [\"this\", \"that\"]\ntrap = \"a trap\"\nonce = \"one slot\"\nnote = \"a note\"\n"));
  const Rule& rule = rules.at("C-A-01");
  EXPECT_EQ(rule.requirement, "does so");
  EXPECT_EQ(rule.breach, Verdict::kFail);
  EXPECT_THAT(rule.accept, ElementsAre("this", "that"));
  EXPECT_EQ(rule.trap, "a trap");
  EXPECT_EQ(rule.once, "one slot");
  EXPECT_EQ(rule.note, "a note");
  EXPECT_EQ(rule.strength, Level::kMust);
  EXPECT_EQ(rule.stake, Stake::kValues);
  EXPECT_EQ(rule.StrengthText(), "MUST (in an example); at stake: values");
}

TEST_F(RulesTest, OfAllFilesAreOneCatalogue) {
  folder_.Write("b.toml", RuleText("C-B-01"));
  folder_.Write("README.md", "no rules");
  const Rules rules = Read(RuleText("C-A-02") + RuleText("C-A-01"));
  ASSERT_EQ(rules.size(), 3u);
  EXPECT_EQ(rules.begin()->first, "C-A-01");
}

TEST_F(RulesTest, NameTheFileTheLineAndTheFieldThatAreWrong) {
  const std::string good = RuleText("C-A-01");
  EXPECT_THAT(Refusal(Replaced(good, "breach", "breech")), HasSubstr("a.toml:9: the field \"breech\" is unknown"));
  EXPECT_THAT(Refusal(Replaced(good, "\"FAIL\"", "\"CRASH\"")),
              HasSubstr("a.toml:9: the field \"breach\" is not FAIL, WARN or NOTE"));
  EXPECT_THAT(Refusal(Replaced(good, "\"FAIL\"", "\"PASS\"")), HasSubstr("\"breach\" is not FAIL, WARN or NOTE"));
  EXPECT_THAT(Refusal(Replaced(good, "\"values\"", "\"money\"")),
              HasSubstr("a.toml:8: the field \"stake\" is not memory, values, ownership, interoperability or message"));
  EXPECT_THAT(Refusal(Replaced(good, "\"tested\"", "\"done\"")),
              HasSubstr("a.toml:12: the field \"status\" is not tested, untestable or planned"));
  EXPECT_THAT(Refusal(Replaced(good, "source = \"H1.3:7\"\n", "")), HasSubstr("the field \"source\" is missing"));
  EXPECT_THAT(Refusal(Replaced(good, "\"does so\"", "7")),
              HasSubstr("a.toml:5: the field \"requirement\" is not a string"));
  EXPECT_THAT(Refusal(good + good), HasSubstr("is used twice: C-A-01"));
  EXPECT_THAT(Refusal("rules = []"), HasSubstr("holds no [[rule]]"));
  EXPECT_THAT(Refusal("rule = [1]"), HasSubstr("a rule is not a table"));
}

TEST_F(RulesTest, MissingRulesAreAnErrorOfTheHarness) {
  for (const std::string& folder : {folder_.path(), folder_.path() + "/none"}) {
    try {
      ReadRules(folder);
      ADD_FAILURE() << "an empty catalogue was read";
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.status(), kHarness);
    }
  }
}

TEST_F(RulesTest, KnowWhetherOnlyTheArrayApiRequiresThem) {
  const auto alone = [&](const std::string& source) {
    return Read(Replaced(RuleText("C-A-01"), "H1.3:7", source)).at("C-A-01").ArrayApiOnly();
  };
  EXPECT_TRUE(alone("AO:__dlpack__"));
  EXPECT_TRUE(alone("CF:from_dlpack"));
  EXPECT_FALSE(alone("PS:3"));
  EXPECT_FALSE(alone("H1.3:7"));
  EXPECT_FALSE(alone("PS:3, AO:__dlpack__"));
}

TEST_F(RulesTest, ImpliedRulesAreMarked) {
  const Rules rules = Read(Replaced(Replaced(RuleText("C-A-01"), "\"must\"", "\"implied\""), "H1.3:7", "AO:3"));
  EXPECT_EQ(rules.at("C-A-01").strength, Level::kImplied);
  EXPECT_FALSE(rules.at("C-A-01").ArrayApiOnly());
}

}  // namespace
}  // namespace dlpack_cts::runner
