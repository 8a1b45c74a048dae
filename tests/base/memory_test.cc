// tests/base/memory_test.cc: the resident size of a process.
#include "base/memory.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstddef>
#include <vector>

namespace dlpack_cts {
namespace {

constexpr size_t kBytes = size_t{64} << 20;

TEST(ResidentBytes, GrowsWithMemoryThatIsUsed) {
  const int64_t before = ResidentBytes(getpid());
  ASSERT_GT(before, 0);
  const std::vector<char> used(kBytes, 1);
  EXPECT_GE(ResidentBytes(getpid()) - before, static_cast<int64_t>(kBytes) / 2) << static_cast<int>(used[kBytes / 2]);
}

TEST(ResidentBytes, IsZeroForAProcessThatDoesNotExist) { EXPECT_EQ(ResidentBytes(-1), 0); }

}  // namespace
}  // namespace dlpack_cts
