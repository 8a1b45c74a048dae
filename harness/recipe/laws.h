// harness/recipe/laws.h: which rules for producers an offer breaks on purpose.
//
// The generator's legal tier breaks none of them. The minimiser never adds one, so that a legal counterexample stays
// legal. The oracle requires only memory safety if a law of memory is broken.
#ifndef DLPACK_CTS_HARNESS_RECIPE_LAWS_H_
#define DLPACK_CTS_HARNESS_RECIPE_LAWS_H_

#include <cstdint>

#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// Laws, one bit each. The first group makes an offer invalid. The second group is legal but rare, or invalid without
/// harm to memory.
inline constexpr uint32_t kLawData = 1u << 0;      // elements without readable memory
inline constexpr uint32_t kLawStrides = 1u << 1;   // strides NULL though ndim is not 0, in a struct of 1.2 or later
inline constexpr uint32_t kLawShape = 1u << 2;     // shape NULL though ndim is not 0
inline constexpr uint32_t kLawExtents = 1u << 3;   // negative ndim or extents, or products that overflow
inline constexpr uint32_t kLawItem = 1u << 4;      // a dtype with 0 bits or 0 lanes
inline constexpr uint32_t kLawReadOnly = 1u << 5;  // memory that is not writable, without READ_ONLY
inline constexpr uint32_t kLawSealed = 1u << 6;    // a major version with a known body that is not readable
inline constexpr uint32_t kHostileLaws =
    kLawData | kLawStrides | kLawShape | kLawExtents | kLawItem | kLawReadOnly | kLawSealed;

inline constexpr uint32_t kLawMajor = 1u << 8;       // another major version
inline constexpr uint32_t kLawName = 1u << 9;        // the capsule does not have the name of its struct
inline constexpr uint32_t kLawDevice = 1u << 10;     // not the CPU, or not the reported device
inline constexpr uint32_t kLawDtype = 1u << 11;      // a dtype without a name, or one that the declared version lacks
inline constexpr uint32_t kLawFlags = 1u << 12;      // flag bits that the declared version lacks
inline constexpr uint32_t kLawAlignment = 1u << 13;  // element 0 is less aligned than its dtype requires
inline constexpr uint32_t kLawRelease = 1u << 14;    // there is a deleter, but the capsule does not call it
inline constexpr uint32_t kLawManners = 1u << 15;    // the fake producer raises, or does not return a new capsule
inline constexpr uint32_t kLawNdim = 1u << 16;       // ndim is greater than the number of dimensions with memory
inline constexpr uint32_t kLawFar = 1u << 17;        // element 0 is far after data (Placement::kFarOffset)
inline constexpr uint32_t kLawHuge = 1u << 18;  // an extent next to a zero extent is so large that products overflow
inline constexpr uint32_t kLawWithheld = 1u << 19;  // zero elements at an address without memory

/// The laws that a normalised offer breaks; 0 for every offer that a conforming producer could make.
uint32_t BrokenLaws(const Offer& offer);

/// Repairs `lies`, a set of laws that the offer breaks: those of kHostileLaws (extents of possible memory, a dtype of a
/// possible size, data for elements, strides and shape if they are needed, READ_ONLY for read-only memory, a readable
/// body) and kLawRelease. A change of another field may have broken them.
void MendLies(Offer& offer, uint32_t lies);

/// The largest byte_offset, in bytes, of a tensor in device memory: a library that ignores it still reads the block.
inline constexpr uint64_t kMostDeviceOffset = 4096;

/// Whether an extent is 0 (or, for extents beyond the dimensions with memory, fill_extent is 0).
bool IsEmpty(const Offer& offer);
bool IsEmpty(const Request& request);

/// log2 of the alignment that a dtype may require: its size, also for complex numbers (compilers vectorise aligned
/// pairs), at most 16 bytes.
int NaturalAlignmentLog2(abi::DLDataType dtype);

/// Whether a struct of that kind and minor version may have the dtype's code.
bool VersionHasDataType(StructKind kind, uint32_t minor, abi::DLDataType dtype);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_RECIPE_LAWS_H_
