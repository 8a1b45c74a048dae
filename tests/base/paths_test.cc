// tests/base/paths_test.cc: a path that the system refuses is a failure of its user, not a bug.
#include "base/paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

namespace dlpack_cts {
namespace {

class Paths : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_NE(mkdtemp(folder_.data()), nullptr);
    ASSERT_EQ(symlink(Loop().c_str(), Loop().c_str()), 0);
  }
  void TearDown() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  std::string Loop() const { return folder_ + "/loop"; }
  std::string folder_ = testing::TempDir() + "paths-XXXXXX";
};

TEST_F(Paths, AreThereOrNot) {
  EXPECT_TRUE(Exists(folder_));
  EXPECT_TRUE(IsFolder(folder_));
  EXPECT_FALSE(Exists(folder_ + "/none"));
  EXPECT_FALSE(Exists(""));
  EXPECT_THAT(EntriesOf(folder_), testing::ElementsAre(Loop()));
  EXPECT_THAT(EntriesOf(folder_ + "/none"), testing::IsEmpty());
  EXPECT_EQ(Resolved(Loop()), Loop());
}

TEST_F(Paths, FailWithOneShortSentence) {
  for (const std::string& path : {Loop(), folder_ + "/" + std::string(5000, 'x')}) {
    for (const auto& ask : {Exists, IsFolder}) {
      const std::optional<Failure> failure = FailureOf([&] { ask(path); });
      ASSERT_TRUE(failure.has_value());
      EXPECT_EQ(failure->status(), kUsage);
      EXPECT_THAT(failure->what(), testing::HasSubstr("cannot be used: "));
      EXPECT_LT(std::string(failure->what()).size(), 400U);
    }
  }
  EXPECT_TRUE(FailureOf([] { Absolute(""); }).has_value());
}

TEST_F(Paths, AreNoBugIfTheyAreForgotten) {
  try {
    EXPECT_FALSE(std::filesystem::exists(Loop()));
  } catch (const std::exception& e) {
    EXPECT_EQ(Unforeseen(e).status(), kUsage);
    EXPECT_THAT(Unforeseen(e).what(), testing::HasSubstr(Loop()));
  }
  EXPECT_EQ(Unforeseen(std::runtime_error("x")).status(), kHarness);
}

}  // namespace
}  // namespace dlpack_cts
