// tests/runner/features_test.cc: a feature names only cases and limitations that exist.
#include "runner/catalogue/features.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/failure.h"
#include "tests/runner/files.h"

namespace dlpack_cts::runner {
namespace {

using ::testing::HasSubstr;

const nlohmann::json kLimits = {{{"limit", "make/dims=0"}}};

Catalogue SmallCatalogue() {
  Catalogue catalogue;
  catalogue.cases.emplace_back().id = "a/b/c";
  return catalogue;
}

std::string Row(const std::string& more, const std::string& id = "first") {
  return "[[feature]]\nid = \"" + id + "\"\ngroup = \"Import\"\ntitle = \"T\"\nwhat = \"W.\"\n" + more + "\n";
}

std::string MessageFor(const std::string& text) {
  const TestFolder folder;
  const std::string file = folder.Write("features.toml", text);
  try {
    ReadFeatures(file, SmallCatalogue(), kLimits);
  } catch (const Failure& failure) {
    return failure.what();
  }
  return "";
}

TEST(ReadFeatures, AcceptsNamesThatExist) {
  EXPECT_EQ(MessageFor(Row("cases = [\"a/b/c\"]\nlimits = [\"make/dims=0\"]")), "");
  EXPECT_EQ(MessageFor(Row("profile = \"takes/dtypes\"\ndtype = \"bool\"")), "");
}

TEST(ReadFeatures, RefusesNamesThatDoNotExist) {
  EXPECT_THAT(MessageFor(Row("cases = [\"a/b/d\"]")), HasSubstr("names a case that does not exist: a/b/d"));
  EXPECT_THAT(MessageFor(Row("limits = [\"make/dims=zero\"]")),
              HasSubstr("names a limitation that does not exist: make/dims=zero"));
  EXPECT_THAT(MessageFor(Row("casess = [\"a/b/c\"]")), HasSubstr("casess"));
}

TEST(ReadFeatures, RefusesAFeatureThatNothingShowsOrThatOccursTwice) {
  EXPECT_THAT(MessageFor(Row("")), HasSubstr("nothing could show the feature"));
  EXPECT_THAT(MessageFor(Row("profile = \"takes/dtypes\"")), HasSubstr("needs `yes` and `no`, or `dtype`"));
  EXPECT_THAT(MessageFor(Row("cases = [\"a/b/c\"]") + Row("cases = [\"a/b/c\"]")), HasSubstr("is used twice: first"));
}

}  // namespace
}  // namespace dlpack_cts::runner
