// tests/judge/freedom_test.cc: the list of freedoms is one that a reader can trust.
#include "harness/judge/freedom.h"

#include <gtest/gtest.h>

#include <cctype>
#include <set>
#include <string>

namespace dlpack_cts {
namespace {

TEST(Freedoms, HaveNamesOfTheirOwn) {
  std::set<std::string_view> ids;
  for (const Freedom& freedom : Freedoms()) EXPECT_TRUE(ids.insert(freedom.id).second) << freedom.id;
}

TEST(Freedoms, NameTheRuleThatLeavesThemOpen) {
  for (const Freedom& freedom : Freedoms()) {
    ASSERT_GT(freedom.source.size(), 3u) << freedom.id;
    EXPECT_TRUE(std::isdigit(static_cast<unsigned char>(freedom.source.back()))) << freedom.id;
    EXPECT_FALSE(freedom.what.empty()) << freedom.id;
    EXPECT_NE(freedom.use, nullptr) << freedom.id;
  }
}

TEST(Freedoms, SpeakOfNoFactThatEveryExchangeHasToShow) {
  for (const char* key :
       {"import0.deleter.wrong_self", "import0.changed", "import0.changed_bytes", "import0.outcome",
        "export0.metadata_readable", "export0.changed", "export0.same_struct", "export0.has_deleter", "faults"}) {
    ASSERT_GE(FactIndex(key), 0) << key;
    EXPECT_TRUE(FreedomsOf(FactIndex(key)).empty()) << key;
  }
}

TEST(Freedoms, LetNoDeviceBeAnotherButThatOfALibraryOnCuda) {
  const std::span<const uint8_t> free = FreedomsOf(FactIndex("export0.device"));
  ASSERT_EQ(free.size(), 1u);
  EXPECT_EQ(Freedoms()[free[0]].id, "makes-arrays-on-cuda");
}

TEST(Freedoms, LetNoTypeBeExportedOtherwiseButANarrowedOneAndPairs) {
  const std::span<const uint8_t> free = FreedomsOf(FactIndex("export0.dtype"));
  ASSERT_EQ(free.size(), 2u);
  EXPECT_EQ(Freedoms()[free[0]].id, "exports-pairs");
  EXPECT_EQ(Freedoms()[free[1]].id, "reexports-what-it-narrowed");
}

}  // namespace
}  // namespace dlpack_cts
