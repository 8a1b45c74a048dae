// harness/recipe/packing.cc: moves values of fewer than 8 bits to and from packed memory.
#include "harness/recipe/packing.h"

namespace dlpack_cts {
namespace {

constexpr int kByte = 8;

uint8_t MaskOf(int width) { return static_cast<uint8_t>((1u << width) - 1); }

/// Whether the value reaches into a second byte.
bool Straddles(int64_t bit, int width) { return (bit & (kByte - 1)) + width > kByte; }

}  // namespace

bool IsSubByte(abi::DLDataType dtype) {
  const int64_t bits = ItemBits(dtype);
  return bits > 0 && bits < kByte;
}

bool HasPackedLanes(abi::DLDataType dtype) { return dtype.bits > 0 && dtype.bits < kByte && dtype.lanes > 1; }

bool LeavesBitsOver(abi::DLDataType dtype) { return HasPackedLanes(dtype) && ItemBits(dtype) % kByte != 0; }

void SplitLanes(abi::DLDataType dtype, std::span<const uint8_t> elements, std::span<uint8_t> lanes) {
  const auto item = static_cast<size_t>(ItemSize(dtype));
  for (size_t i = 0; i < lanes.size(); ++i) {
    const uint8_t* const element = elements.data() + i / dtype.lanes * item;
    lanes[i] = BitsAt(element, static_cast<int64_t>(i % dtype.lanes) * dtype.bits, dtype.bits);
  }
}

int PackedBits(abi::DLDataType dtype, bool padded) {
  return IsSubByte(dtype) && !padded ? static_cast<int>(ItemBits(dtype)) : 0;
}

int PackedBits(abi::DLDataType dtype, bool versioned, uint64_t flags) {
  return PackedBits(dtype, versioned && (flags & abi::kFlagSubbytePadded) != 0);
}

int PackedBits(const Offer& offer) {
  return PackedBits(offer.dtype, offer.kind == StructKind::kVersioned, offer.flags);
}

int64_t PackedBytes(int64_t bits) { return (bits + kByte - 1) >> 3; }

uint8_t BitsAt(const uint8_t* first, int64_t bit, int width) {
  const uint8_t* const byte = first + (bit >> 3);  // rounds down, also below 0
  const auto shift = static_cast<int>(bit & (kByte - 1));
  unsigned value = static_cast<unsigned>(*byte) >> shift;
  if (Straddles(bit, width)) value |= static_cast<unsigned>(byte[1]) << (kByte - shift);
  return static_cast<uint8_t>(value & MaskOf(width));
}

void SetBitsAt(uint8_t* first, int64_t bit, int width, uint8_t value) {
  uint8_t* const byte = first + (bit >> 3);
  const auto shift = static_cast<int>(bit & (kByte - 1));
  const unsigned mask = static_cast<unsigned>(MaskOf(width)) << shift;
  const unsigned bits = (static_cast<unsigned>(value) << shift) & mask;
  byte[0] = static_cast<uint8_t>((byte[0] & ~mask) | bits);
  if (Straddles(bit, width)) byte[1] = static_cast<uint8_t>((byte[1] & ~(mask >> kByte)) | (bits >> kByte));
}

void Pack(std::span<const uint8_t> values, int width, int64_t bit, uint8_t* first) {
  for (const uint8_t value : values) {
    SetBitsAt(first, bit, width, value);
    bit += width;
  }
}

}  // namespace dlpack_cts
