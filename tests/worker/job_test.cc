// tests/worker/job_test.cc: what a user reads if a job cannot run.
#include "worker/job/job.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "harness/recipe/dtypes.h"
#include "tests/message_of.h"
#include "worker/job/declared.h"

namespace dlpack_cts::worker {
namespace {

using testing::HasSubstr;

struct ReadJobTest : testing::Test {
  ~ReadJobTest() override { std::remove(path.c_str()); }

  std::optional<Failure> Read(const std::string& text) {
    std::ofstream(path) << text;
    return FailureOf([&] { read = ReadJob(path); });
  }
  std::optional<Failure> Read() { return Read(ToJson(file).dump()); }

  const std::string path = testing::TempDir() + "cts_job_" + std::to_string(getpid());
  JobFile file;
  Job read;
};

TEST_F(ReadJobTest, ReadsWhatTheDriverWrote) {
  file.tested = {"numpy", "python", "/adapters/numpy", {"consumer"}, {{"ranks", {0, 2}}, {"alignment", 64}}};
  file.replayed = {{"kind", "import"}};
  file.examples = 7;
  ASSERT_FALSE(Read());
  EXPECT_EQ(read.subject.library, "numpy");
  const Declared declared = DeclaredOf(read.subject.profile, "");
  EXPECT_EQ(declared.ranks, 0b101u);
  EXPECT_EQ(declared.alignment_log2, 6);
  EXPECT_TRUE(read.replay);
  EXPECT_FALSE(read.pair);
  EXPECT_EQ(read.examples, 7);
}

TEST_F(ReadJobTest, NamesTheErrorInLibraryToml) {
  file.tested.claims = {"flies"};
  std::optional<Failure> failure = Read();
  ASSERT_TRUE(failure);
  EXPECT_STREQ(failure->what(), "library.toml: there is no claim \"flies\"");
  EXPECT_THAT(failure->hint(), HasSubstr("the claims are "));
  file.tested = {};
  file.tested.profile = {{"ranks", {9}}};
  failure = Read();
  ASSERT_TRUE(failure);
  EXPECT_STREQ(failure->what(), "library.toml: [profile] ranks: 9 is not between 0 and 8");
  EXPECT_EQ(failure->hint(), "write numbers of dimensions: ranks = [1, 2, 3]");
}

TEST(DeclaredTest, FollowsTheVersionOfTheLibrary) {
  const nlohmann::json profile = {
      {"copies", true},
      {"ranks", {1, 2}},
      {"made_layouts", {"compact"}},
      {"when",
       {{{"version", ">=2,<3"}, {"copies", false}, {"ranks", {3}}}, {{"version", "<2"}, {"layouts", {"fortran"}}}}}};
  const Declared usual = DeclaredOf(profile, "3.1");
  EXPECT_EQ(usual.traits, 1u << static_cast<uint32_t>(Trait::kCopies));
  EXPECT_EQ(usual.ranks, 0b110u);
  EXPECT_EQ(usual.imported_layouts, 0u);
  EXPECT_EQ(usual.made_layouts, 0b1u);
  const Declared second = DeclaredOf(profile, "2.0.4");
  EXPECT_EQ(second.traits, 0u);
  EXPECT_EQ(second.ranks, 0b1000u);
  EXPECT_EQ(second.made_layouts, 0b1u);
  const Declared old = DeclaredOf(profile, "1.9");
  EXPECT_EQ(old.traits, usual.traits);
  EXPECT_EQ(old.imported_layouts, 0b100u);
  EXPECT_EQ(old.made_layouts, 0b100u);
}

TEST(DeclaredTest, HasExtentsAndTypes) {
  const Declared declared = DeclaredOf({{"last_extents", {1, 3, 4}}, {"element_types", {"uint8"}}}, "");
  EXPECT_EQ(declared.last_extents, 0b11010u);
  EXPECT_TRUE(declared.MayHaveType(DataTypeIndex("uint8")));
  EXPECT_FALSE(declared.MayHaveType(DataTypeIndex("float32")));
}

TEST_F(ReadJobTest, NamesTheErrorInAFinding) {
  file.replayed = {{"kind", "imprt"}};
  const std::optional<Failure> failure = Read();
  ASSERT_TRUE(failure);
  EXPECT_STREQ(failure->what(), "the recipe in the finding is invalid: field 'kind' must be one of import, export");
  EXPECT_EQ(failure->hint(), "use the finding as it was written");
}

TEST_F(ReadJobTest, ShowsWhichJobFileIsInvalid) {
  const std::string invalid = "the job file " + path + " is invalid: ";
  for (const auto& [text, why] :
       {std::pair("{", "it is not valid JSON"), std::pair("{}", "field \"library\": is missing")}) {
    const std::optional<Failure> failure = Read(text);
    ASSERT_TRUE(failure);
    EXPECT_EQ(failure->what(), invalid + why);
    EXPECT_EQ(failure->hint(), "start dlpack-cts instead: it writes the job file and starts the worker");
    EXPECT_EQ(failure->status(), kUsage);
  }
  file.cases = {"no/such/case"};
  EXPECT_EQ(Read()->what(), invalid + "the case \"no/such/case\" does not exist");
  EXPECT_THAT(MessageOf([] { ReadJob("/nonexistent/job.json"); }), HasSubstr("is invalid: it cannot be opened"));
}

}  // namespace
}  // namespace dlpack_cts::worker
