// harness/recipe/packing.h: elements of less than a byte in memory: several to a byte, low bits first.
//
// Everywhere else an element has whole bytes (ItemSize): backing stores, conversions and expected elements hold one
// byte for each element of less than a byte, its value in the low bits. Only memory that an exchanged struct describes
// is packed, unless the struct is flagged IS_SUBBYTE_TYPE_PADDED. Lanes of less than a byte are packed within their
// element: lane l lies at bit l * bits of it. An element of eight bits or more starts a byte, as the header's formula
// for the size has it, and what is left of its last byte is 0.
#ifndef DLPACK_CTS_HARNESS_RECIPE_PACKING_H_
#define DLPACK_CTS_HARNESS_RECIPE_PACKING_H_

#include <cstdint>
#include <span>

#include "harness/abi/dlpack.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// True for types whose elements have less than 8 bits.
bool IsSubByte(abi::DLDataType dtype);
/// True for vectors of several values of less than a byte.
bool HasPackedLanes(abi::DLDataType dtype);
/// True if no text defines how elements follow each other: lanes that do not fill whole bytes.
bool LeavesBitsOver(abi::DLDataType dtype);

/// The values of all lanes, a byte each, of elements with packed lanes.
void SplitLanes(abi::DLDataType dtype, std::span<const uint8_t> elements, std::span<uint8_t> lanes);

/// Bits from one element to the next where elements share bytes; 0 where each has whole bytes of its own.
int PackedBits(abi::DLDataType dtype, bool padded);
int PackedBits(const Offer& offer);
/// Of a struct with these flags; a legacy struct has none.
int PackedBits(abi::DLDataType dtype, bool versioned, uint64_t flags);

/// Bytes that hold so many packed bits.
int64_t PackedBytes(int64_t bits);

/// The value of `width` bits at that bit, counted from the lowest one of *first; `bit` may be negative. Touches only
/// the bytes that hold the value.
uint8_t BitsAt(const uint8_t* first, int64_t bit, int width);
void SetBitsAt(uint8_t* first, int64_t bit, int width, uint8_t value);

/// Packs one value a byte into so many bits each, from that bit on; what lies between stays.
void Pack(std::span<const uint8_t> values, int width, int64_t bit, uint8_t* first);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_RECIPE_PACKING_H_
