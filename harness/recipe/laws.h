// harness/recipe/laws.h: which rules for producers an offer breaks on purpose.
//
// The generator's legal tier breaks none; the shrinker never adds one, so that a legal counterexample stays legal; the
// oracle asks nothing but memory safety where a law of memory is broken.
#ifndef DLPACK_CTS_HARNESS_RECIPE_LAWS_H_
#define DLPACK_CTS_HARNESS_RECIPE_LAWS_H_

#include <cstdint>

#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// Laws as bits. The first group makes an offer hostile; the second is legal but rare, or a lie that harms no memory.
inline constexpr uint32_t kLawData = 1u << 0;      // elements without readable memory
inline constexpr uint32_t kLawStrides = 1u << 1;   // NULL strides with dimensions, declared for 1.2 or later
inline constexpr uint32_t kLawShape = 1u << 2;     // NULL shape with dimensions
inline constexpr uint32_t kLawExtents = 1u << 3;   // negative ndim or extents, or products that overflow
inline constexpr uint32_t kLawItem = 1u << 4;      // a dtype of no bits or no lanes
inline constexpr uint32_t kLawReadOnly = 1u << 5;  // memory that cannot be written, without READ_ONLY
inline constexpr uint32_t kLawSealed = 1u << 6;    // this major has a body, and it is not readable
inline constexpr uint32_t kHostileLaws =
    kLawData | kLawStrides | kLawShape | kLawExtents | kLawItem | kLawReadOnly | kLawSealed;

inline constexpr uint32_t kLawMajor = 1u << 8;       // a foreign major
inline constexpr uint32_t kLawName = 1u << 9;        // the capsule is not named as its struct demands
inline constexpr uint32_t kLawDevice = 1u << 10;     // not the CPU, or another one than reported
inline constexpr uint32_t kLawDtype = 1u << 11;      // a triple without a name, or one that the declared version lacks
inline constexpr uint32_t kLawFlags = 1u << 12;      // bits that the declared version lacks
inline constexpr uint32_t kLawAlignment = 1u << 13;  // element 0 is less aligned than its type
inline constexpr uint32_t kLawRelease = 1u << 14;    // a deleter, but a capsule that does not call it
inline constexpr uint32_t kLawManners = 1u << 15;    // the fake producer raises, or returns no new capsule
inline constexpr uint32_t kLawNdim = 1u << 16;       // more declared dimensions than a recipe backs
inline constexpr uint32_t kLawFar = 1u << 17;        // element 0 lies far behind data (Placement::kFarOffset)
inline constexpr uint32_t kLawHuge = 1u << 18;      // an extent beside a zero extent is so large that products overflow
inline constexpr uint32_t kLawWithheld = 1u << 19;  // zero elements at an address without memory

/// The laws that a normal offer breaks; 0 for every offer that a well-behaved producer could make.
uint32_t BrokenLaws(const Offer& offer);

/// Takes those of these lies out of the offer that it tells: of kHostileLaws (extents that describe memory, a type of
/// some size, data for elements, strides and shape where they are needed, READ_ONLY memory only with its flag, a
/// readable body) and kLawRelease. A change of another field may have left them behind.
void MendLies(Offer& offer, uint32_t lies);

/// True when shape holds a zero extent (and, declared beyond the backed dimensions, fill_extent 0).
bool IsEmpty(const Offer& offer);
bool IsEmpty(const Request& request);

/// log2 of the alignment that an element type may ask for: its size, also for complex numbers (compilers vectorise
/// aligned pairs); at most 16 bytes.
int NaturalAlignmentLog2(abi::DLDataType dtype);

/// True when a struct of that kind and minor version may use the type's code.
bool VersionHasDataType(StructKind kind, uint32_t minor, abi::DLDataType dtype);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_RECIPE_LAWS_H_
