// tests/native/memory_use_test.cc: what of the process's memory counts as held.
#include "engine/memory_use.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <vector>

namespace dlpack_cts {
namespace {

constexpr size_t kBlock = 16384;
constexpr size_t kBlocks = 256;
constexpr int64_t kAll = kBlock * kBlocks;

void* Touched(size_t size) {
  void* const memory = std::malloc(size);
  std::memset(memory, 1, size);
  return memory;
}

// Where the last block stays, malloc keeps the pages in front of it, of which a count would say that they were lost.
TEST(MemoryUse, FreePagesAreReleased) {
  if (MemoryInUse().heap == 0) GTEST_SKIP() << "another allocator stands in for the C library's";
  GiveFreePagesBack();
  const MemoryUse before = MemoryInUse();
  std::vector<void*> blocks(kBlocks);
  for (void*& block : blocks) block = Touched(kBlock);
  void* const last = Touched(64);
  EXPECT_GE((MemoryInUse() - before).resident, kAll * 3 / 4);
  for (void* const block : blocks) std::free(block);
  EXPECT_LT((MemoryInUse() - before).heap, kAll / 8);
  GiveFreePagesBack();
  EXPECT_LT((MemoryInUse() - before).resident, kAll / 8);
  std::free(last);
}

// What is held stays counted.
TEST(MemoryUse, HeldBlocksStayCounted) {
  if (MemoryInUse().heap == 0) GTEST_SKIP() << "another allocator stands in for the C library's";
  GiveFreePagesBack();
  const MemoryUse before = MemoryInUse();
  std::vector<void*> blocks(kBlocks);
  for (void*& block : blocks) block = Touched(kBlock);
  GiveFreePagesBack();
  EXPECT_GE((MemoryInUse() - before).heap, kAll);
  EXPECT_GE((MemoryInUse() - before).resident, kAll * 3 / 4);
  for (void* const block : blocks) std::free(block);
}

}  // namespace
}  // namespace dlpack_cts
