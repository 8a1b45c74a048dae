// harness/recipe/packing.h: elements of fewer than 8 bits in memory: several to a byte, the first in the low bits.
//
// Everywhere else an element has whole bytes (ItemSize): backing stores, conversions and expected elements hold one
// byte for each element of fewer than 8 bits, its value in the low bits. Only memory that an exchanged struct describes
// is packed, unless the struct is flagged IS_SUBBYTE_TYPE_PADDED. Lanes of fewer than 8 bits are packed within their
// element: lane l starts at bit l * bits. An element of 8 bits or more starts at a byte, as the size formula of
// dlpack.h says, and the rest of its last byte is 0.
#ifndef DLPACK_CTS_HARNESS_RECIPE_PACKING_H_
#define DLPACK_CTS_HARNESS_RECIPE_PACKING_H_

#include <cstdint>
#include <span>

#include "harness/abi/dlpack.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// Whether elements of the dtype have fewer than 8 bits.
bool IsSubByte(abi::DLDataType dtype);
/// Whether it is a vector of lanes of fewer than 8 bits.
bool HasPackedLanes(abi::DLDataType dtype);
/// Whether lanes do not fill whole bytes, so that no text defines where the next element starts.
bool LeavesBitsOver(abi::DLDataType dtype);

/// Copies the values of all lanes of elements with packed lanes, one byte each.
void SplitLanes(abi::DLDataType dtype, std::span<const uint8_t> elements, std::span<uint8_t> lanes);

/// Bits from one element to the next if elements share bytes; 0 if each has its own bytes.
int PackedBits(abi::DLDataType dtype, bool padded);
int PackedBits(const Offer& offer);
/// The same for a struct with these flags; a legacy struct has none.
int PackedBits(abi::DLDataType dtype, bool versioned, uint64_t flags);

/// The number of bytes that hold so many packed bits.
int64_t PackedBytes(int64_t bits);

/// The value of `width` bits at `bit`, counted from the lowest bit of *first; `bit` may be negative. Reads only the
/// bytes of the value.
uint8_t BitsAt(const uint8_t* first, int64_t bit, int width);
void SetBitsAt(uint8_t* first, int64_t bit, int width, uint8_t value);

/// Packs one value per byte into `width` bits each, starting at `bit`. Other bits stay.
void Pack(std::span<const uint8_t> values, int width, int64_t bit, uint8_t* first);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_RECIPE_PACKING_H_
