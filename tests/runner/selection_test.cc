// tests/runner/selection_test.cc: globs, the nearest name, and which cases a command line selects.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/failure.h"
#include "runner/base/glob.h"
#include "runner/catalogue/catalogue.h"

namespace dlpack_cts::runner {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::vector<CaseInfo> kCases = {
    {"c-abi/own/kept-alive", {"C-OWN-02"}, Role::kProducer, "c-abi/own"},
    {"c-abi/own/released-once", {"C-OWN-01"}, Role::kConsumer, "c-abi/own"},
    {"python/copy/is-honoured", {"PY-COPY-01"}, Role::kProducer, "python/copy"},
};

std::string Hint(const std::vector<std::string>& globs, const std::vector<std::string>& roles = {}) {
  try {
    SelectCases(kCases, globs, roles);
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), kUsage);
    return std::string(failure.what()) + "|" + failure.hint();
  }
  return "";
}

TEST(Glob, MatchesTheWholeNameAndAcrossSlashes) {
  EXPECT_TRUE(Matches("c-abi/*", "c-abi/own/released-once"));
  EXPECT_TRUE(Matches("*released*", "c-abi/own/released-once"));
  EXPECT_TRUE(Matches("c-abi/own/released-onc?", "c-abi/own/released-once"));
  EXPECT_TRUE(Matches("[cp]*", "python/copy/is-honoured"));
  EXPECT_FALSE(Matches("c-abi", "c-abi/own/released-once"));
  EXPECT_FALSE(Matches("own/*", "c-abi/own/released-once"));
  EXPECT_FALSE(Matches("", "c-abi/own/released-once"));
  EXPECT_FALSE(Matches("C-ABI/*", "c-abi/own/released-once"));
}

TEST(Nearest, SuggestsAtMostThreeNamesTheClosestFirst) {
  EXPECT_EQ(Nearest("nmupy", {"torch", "numpy", "reference"}), "did you mean numpy?");
  EXPECT_EQ(Nearest("case-1", {"case-12", "case-2", "case-3", "case-4"}), "did you mean case-12, case-2, case-3?");
  EXPECT_EQ(Nearest("quite-different", {"torch", "numpy"}), "");
  EXPECT_EQ(Nearest("anything", {}), "");
}

TEST(Nearest, FindsThePartOfAName) {
  EXPECT_EQ(Nearest("released-once", {"c-abi/own/released-once", "python/copy/is-honoured"}),
            "did you mean c-abi/own/released-once?");
}

TEST(Nearest, PutsAWordThatIsNearlyTheSameBeforeNamesThatContainIt) {
  EXPECT_EQ(Nearest("claims", {"c-abi/dtype/claims-hold", "a/claims/b", "claim"}),
            "did you mean claim, a/claims/b, c-abi/dtype/claims-hold?");
}

TEST(Selection, WithoutGlobsIsEveryCase) { EXPECT_EQ(SelectCases(kCases, {}, {}).size(), 3u); }

TEST(Selection, HasAllMatchesInTheOrderOfTheCatalogue) {
  EXPECT_THAT(SelectCases(kCases, {"python/*", "*/kept-alive"}, {}),
              ElementsAre("c-abi/own/kept-alive", "python/copy/is-honoured"));
  EXPECT_THAT(SelectCases(kCases, {"c-abi/*", "c-abi/own/*"}, {}),
              ElementsAre("c-abi/own/kept-alive", "c-abi/own/released-once"));
}

TEST(Selection, IsNarrowedByRoles) {
  EXPECT_THAT(SelectCases(kCases, {"c-abi/*"}, {"consumer"}), ElementsAre("c-abi/own/released-once"));
  EXPECT_EQ(SelectCases(kCases, {}, {"consumer", "producer"}).size(), 3u);
}

TEST(Selection, LeavesOutWhatIsDeselected) {
  EXPECT_THAT(SelectCases(kCases, {}, {}, {"c-abi/*"}), ElementsAre("python/copy/is-honoured"));
  EXPECT_THAT(SelectCases(kCases, {"c-abi/*"}, {}, {"*/kept-alive"}), ElementsAre("c-abi/own/released-once"));
  EXPECT_THROW(SelectCases(kCases, {}, {}, {"no/such-case"}), Failure);
  EXPECT_THROW(SelectCases(kCases, {"python/*"}, {}, {"python/*"}), Failure);
}

TEST(Selection, RefusesAGlobWithoutMatch) {
  EXPECT_THAT(Hint({"c-abi/*", "c-abi/own/released-twice"}),
              HasSubstr("no case matches \"c-abi/own/released-twice\"|did you mean c-abi/own/released-once"));
  EXPECT_THAT(Hint({"nothing-like-it"}), HasSubstr("list cases"));
}

TEST(Selection, RefusesAnEmptySelection) {
  EXPECT_THAT(Hint({"python/*"}, {"consumer"}), HasSubstr("leave no case to run"));
}

}  // namespace
}  // namespace dlpack_cts::runner
