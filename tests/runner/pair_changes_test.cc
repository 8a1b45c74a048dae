// tests/runner/pair_changes_test.cc: which list gets a new deviation of a pair, and what becomes of one that is gone.
#include "runner/run/pair_changes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/runner/files.h"

namespace dlpack_cts::runner {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr char kList[] =
    "# warp.toml: what is known.\n"
    "\n"
    "[[expect]]\n"
    "cause = \"import/place/only-together\"\n"
    "from = [\"jax\",   # a comment\n"
    "        \"mlx\"]  # another one\n"
    "verdict = \"FAIL\"\n"
    "why = \"issue 1\"\n";

class PairChangesTest : public ::testing::Test {
 protected:
  PairLists Lists(const std::string& producer) const {
    return {.producer = producer,
            .producer_file = folder_.path() + "/" + producer + ".toml",
            .consumer = "warp",
            .consumer_file = folder_.path() + "/warp.toml"};
  }

  /// What a run of the pair changes. Each entry that it does not meet is gone.
  std::vector<ListChanges> Changes(const std::string& producer, const dlpack_cts::Run& run) const {
    const PairLists lists = Lists(producer);
    const Expectations list = Expectations::Read(lists);
    return ChangesOf(lists, list, list.Stale({}, "1.0", {}), run);
  }

  TestFolder folder_;
};

Cause Unlisted(Side side, const std::string& id) {
  Cause cause;
  cause.id = id;
  cause.side = side;
  cause.rule = "C-DATA-01";
  cause.as_expected = false;
  return cause;
}

TEST_F(PairChangesTest, ANewCauseIsForTheLibraryThatHasTheDefect) {
  dlpack_cts::Run run;
  run.causes = {Unlisted(Side::kExport, "export/dtype/dtype-bool"), Unlisted(Side::kImport, "import/place/byte-offset"),
                Unlisted(Side::kExport, "export/place/only-together")};
  run.causes[2].triggers = {"only-together"};
  std::vector<ListChanges> all;
  Merge(Changes("mlx", run), all);
  Merge(Changes("jax", run), all);
  ASSERT_THAT(all, SizeIs(3));
  const std::string mlx = Update("", all[0]).text;
  EXPECT_THAT(mlx, HasSubstr("[[expect]]\ncause = \"export/dtype/dtype-bool\"\nto = [\"warp\"]\nverdict = \"FAIL\"\n"));
  const Updated warp = Update("", all[1]);
  EXPECT_THAT(warp.text, HasSubstr("# Known deviations of warp"));
  EXPECT_THAT(warp.text, HasSubstr("cause = \"import/place/byte-offset\"\nfrom = [\"mlx\", \"jax\"]\n"));
  EXPECT_THAT(warp.text, HasSubstr("cause = \"export/place/only-together\"\nfrom = [\"mlx\", \"jax\"]\n"));
  EXPECT_EQ(warp.added, 2u);
}

TEST_F(PairChangesTest, APairThatNoLongerShowsItIsRemovedFromTheEntry) {
  folder_.Write("warp.toml", kList);
  std::vector<ListChanges> all;
  Merge(Changes("mlx", {}), all);
  ASSERT_THAT(all, SizeIs(2));
  const Updated fewer = Update(kList, all[1]);
  EXPECT_EQ(fewer.text,
            "# warp.toml: what is known.\n"
            "\n"
            "[[expect]]\n"
            "cause = \"import/place/only-together\"\n"
            "from = [\"jax\"]  # another one\n"
            "verdict = \"FAIL\"\n"
            "why = \"issue 1\"\n");
  EXPECT_EQ(fewer.kept, 1u);
  EXPECT_THAT(fewer.removed, ElementsAre(HasSubstr("for arrays from mlx, but did not occur")));
}

TEST_F(PairChangesTest, TheEntryGoesWithItsLastPair) {
  folder_.Write("warp.toml", kList);
  std::vector<ListChanges> all;
  Merge(Changes("mlx", {}), all);
  Merge(Changes("jax", {}), all);
  const auto warp = std::ranges::find(all, Lists("mlx").consumer_file, &ListChanges::file);
  ASSERT_NE(warp, all.end());
  const Updated none = Update(kList, *warp);
  EXPECT_EQ(none.text, "# warp.toml: what is known.\n\n");
  EXPECT_EQ(none.kept, 0u);
}

TEST_F(PairChangesTest, APairWithoutTheEntryChangesNothing) {
  folder_.Write("warp.toml", kList);
  std::vector<ListChanges> all;
  Merge(Changes("numpy", {}), all);
  for (const ListChanges& changes : all) {
    EXPECT_THAT(changes.removed, IsEmpty());
    EXPECT_THAT(changes.added, IsEmpty());
  }
}

}  // namespace
}  // namespace dlpack_cts::runner
