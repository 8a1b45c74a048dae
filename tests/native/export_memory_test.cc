// tests/native/export_memory_test.cc: where an exported tensor lies, and how its elements are written.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "subject/exported_tensor.h"

namespace dlpack_cts {
namespace {

/// A tensor of two dimensions as it is recorded. Strides are in elements.
ExportLedger Record(void* data, std::array<int64_t, 2> shape, std::array<int64_t, 2> strides, uint8_t bits = 8) {
  ExportLedger record{};
  record.struct_address = 0x1000;
  record.versioned = 1;
  record.metadata_readable = 1;
  record.tensor.data = data;
  record.tensor.device = {abi::kDLCPU, 0};
  record.tensor.dtype = {abi::kDLUInt, bits, 1};
  record.tensor.ndim = 2;
  std::copy(shape.begin(), shape.end(), record.shape);
  std::copy(strides.begin(), strides.end(), record.strides);
  return record;
}

std::vector<uint8_t> Numbers(size_t count) {
  std::vector<uint8_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), uint8_t{1});
  return numbers;
}

TEST(WriteAllExported, WritesCompactElementsInRowMajorOrder) {
  std::vector<uint8_t> memory(8, 0);
  ASSERT_TRUE(WriteAllExported(Record(memory.data(), {2, 3}, {3, 1}), Numbers(6)));
  EXPECT_EQ(memory, (std::vector<uint8_t>{1, 2, 3, 4, 5, 6, 0, 0}));
}

TEST(WriteAllExported, ReadsNullStridesAsCompact) {
  std::vector<uint8_t> memory(6, 0);
  ExportLedger record = Record(memory.data(), {2, 3}, {77, 77});
  record.null_strides = 1;
  ASSERT_TRUE(WriteAllExported(record, Numbers(6)));
  EXPECT_EQ(memory, Numbers(6));
}

TEST(WriteAllExported, FollowsStrides) {
  std::vector<uint8_t> memory(12, 0);
  ASSERT_TRUE(WriteAllExported(Record(memory.data(), {2, 3}, {1, 4}), Numbers(6)));
  EXPECT_EQ(memory, (std::vector<uint8_t>{1, 4, 0, 0, 2, 5, 0, 0, 3, 6, 0, 0}));
}

TEST(WriteAllExported, WritesPackedElements) {
  std::vector<uint8_t> memory(2, 0);
  ASSERT_TRUE(WriteAllExported(Record(memory.data(), {2, 2}, {2, 1}, 4), Numbers(4)));
  EXPECT_EQ(memory, (std::vector<uint8_t>{0x21, 0x43}));
}

TEST(WriteAllExported, WritesMoreThanAPipeHolds) {
  constexpr size_t kMany = size_t{1} << 20;
  std::vector<uint8_t> memory(kMany, 0);
  ASSERT_TRUE(WriteAllExported(Record(memory.data(), {1024, 1024}, {1024, 1}), Numbers(kMany)));
  EXPECT_EQ(memory, Numbers(kMany));
}

TEST(WriteAllExported, LeavesWhatMustNotBeWritten) {
  std::vector<uint8_t> memory(6, 0);
  ExportLedger record = Record(memory.data(), {2, 3}, {3, 1});
  record.flags = abi::kFlagReadOnly;
  EXPECT_FALSE(WriteAllExported(record, Numbers(6)));
  record.flags = 0;
  record.tensor.device.device_type = abi::kDLCUDA;
  EXPECT_FALSE(WriteAllExported(record, Numbers(6)));
  record.tensor.device.device_type = abi::kDLCPU;
  record.tensor.ndim = kDims + 1;  // the record has no room for all extents
  EXPECT_FALSE(WriteAllExported(record, Numbers(6)));
  const uint8_t one = 1;
  EXPECT_FALSE(WriteExported(record, 0, &one));
  EXPECT_EQ(memory, std::vector<uint8_t>(6, 0));
}

TEST(WriteAllExported, SurvivesMemoryThatIsNotMapped) {
  constexpr size_t kPage = 4096;
  void* const page = mmap(nullptr, kPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(page, MAP_FAILED);
  EXPECT_FALSE(WriteAllExported(Record(page, {2, 3}, {3, 1}), Numbers(6)));
  EXPECT_FALSE(WriteAllExported(Record(page, {2, 3}, {1, 4}), Numbers(6)));
  munmap(page, kPage);
}

/// At these addresses nothing is read.
ExportLedger At(uint64_t managed, uint64_t data) {
  ExportLedger record = Record(reinterpret_cast<void*>(data), {2, 3}, {3, 1});
  record.struct_address = managed;
  record.tensor.shape = reinterpret_cast<int64_t*>(managed + sizeof(abi::DLManagedTensorVersioned));
  record.tensor.strides = record.tensor.shape + 2;
  return record;
}

bool AreApart(const ExportLedger& one, const ExportLedger& other) { return LiesApart(MemoryOf(one), MemoryOf(other)); }

TEST(LiesApart, NeighboursAreApart) {
  EXPECT_TRUE(AreApart(At(0x1000, 0x8000), At(0x2000, 0x8006)));
  EXPECT_TRUE(AreApart(At(0x2000, 0x8006), At(0x1000, 0x8000)));
}

TEST(LiesApart, ElementsMayNotLieInOtherElements) {
  EXPECT_FALSE(AreApart(At(0x1000, 0x8000), At(0x2000, 0x8005)));
  EXPECT_FALSE(AreApart(At(0x2000, 0x8005), At(0x1000, 0x8000)));
}

TEST(LiesApart, ElementsMayNotLieInAStructOrItsArrays) {
  const ExportLedger other = At(0x2000, 0x9000);
  const uint64_t arrays = 0x2000 + sizeof(abi::DLManagedTensorVersioned);
  for (const uint64_t data : {uint64_t{0x2000}, arrays - 1, arrays, arrays + 16}) {
    EXPECT_FALSE(AreApart(At(0x1000, data), other)) << std::hex << data;
  }
  EXPECT_TRUE(AreApart(At(0x1000, arrays + 32), other));
}

TEST(LiesApart, ATensorIsComparedWithItsOwnStruct) {
  const ExportLedger good = At(0x1000, 0x8000);
  EXPECT_TRUE(AreApart(good, good));
  const ExportLedger bad = At(0x1000, 0x1008);
  EXPECT_FALSE(AreApart(bad, bad));
}

TEST(LiesApart, EmptyTensorsLieNowhere) {
  ExportLedger empty = At(0x1000, 0x8000);
  empty.shape[0] = 0;
  EXPECT_TRUE(AreApart(empty, At(0x2000, 0x8000)));
  EXPECT_TRUE(AreApart(At(0x2000, 0x8000), empty));
}

}  // namespace
}  // namespace dlpack_cts
