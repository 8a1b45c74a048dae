// tests/results/hang_table_test.cc: workers share one table of hangs, and children do not have it.
#include "results/hang_table.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace dlpack_cts {
namespace {

TEST(HangTable, IsSharedByAllThatMapItsPath) {
  const HangMemory memory;
  ASSERT_FALSE(memory.path().empty());
  HangTable* const one = MapHangTable(memory.path());
  HangTable* const other = MapHangTable(memory.path());
  ASSERT_NE(one, nullptr);
  ASSERT_NE(other, nullptr);
  EXPECT_NE(one, other);
  EXPECT_EQ(other->limits, 0);
  EXPECT_EQ(other->hangs[HangTable::kSteps - 1], 0);
  ++one->limits;
  one->hangs[HangTable::kSteps - 1] = 1;
  EXPECT_EQ(other->limits, 1);
  EXPECT_EQ(other->hangs[HangTable::kSteps - 1], 1);
  EXPECT_EQ(memory.limits(), 1);
}

TEST(HangTable, OfAnotherLibraryIsAnotherOne) {
  const HangMemory one;
  const HangMemory other;
  ASSERT_NE(one.path(), other.path());
  ++MapHangTable(one.path())->limits;
  EXPECT_EQ(other.limits(), 0);
}

TEST(HangTable, IsPrivateIfThePathCannotBeUsed) {
  const std::string folder = testing::TempDir();
  for (const std::string& path : {std::string(), std::string("/nowhere/hangs"), folder}) {
    HangTable* const one = MapHangTable(path);
    HangTable* const other = MapHangTable(path);
    ASSERT_NE(one, nullptr) << path;
    ++one->limits;
    EXPECT_EQ(one->limits, 1);
    EXPECT_EQ(other->limits, 0);
  }
}

TEST(HangTableDeathTest, IsNotInAChild) {
  const HangMemory memory;
  HangTable* const table = MapHangTable(memory.path());
  ASSERT_NE(table, nullptr);
  EXPECT_DEATH(++table->limits, "");
  EXPECT_EQ(memory.limits(), 0);
}

}  // namespace
}  // namespace dlpack_cts
