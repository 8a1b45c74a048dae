// reference/when.h: in which exchanges a changed step of the reference takes effect.
//
// Any test finds a defect that shows in every exchange. A defect of a single dtype, rank or kind of struct tests the
// generator. Plain data, so that a behaviour stays trivially copyable.
#ifndef DLPACK_CTS_REFERENCE_WHEN_H_
#define DLPACK_CTS_REFERENCE_WHEN_H_

#include <cstdint>

#include "harness/abi/dlpack.h"

namespace dlpack_cts {

/// How an export was requested, one bit each.
enum Asked : uint32_t {
  kAskedNothing = 0,
  kAskedCopyTrue = 1u << 0,
  kAskedCopyFalse = 1u << 1,
  kAskedCopyNone = 1u << 2,    // written out by the caller
  kAskedDevice = 1u << 3,      // (device type, device id)
  kAskedDeviceNone = 1u << 4,  // written out by the caller
  kAskedNoVersion = 1u << 5,   // max_version is missing, or None
  kAskedOldMajor = 1u << 6,
  kAskedOldMinor = 1u << 7,
  kAskedNewest = 1u << 8,  // the reference's own version, or a later minor version
  kAskedLaterMajor = 1u << 9,
};

/// How a consumer got a tensor, one bit each. 0 for any other way.
enum Arrival : uint32_t {
  kByBareCapsule = 1u << 0,  // a capsule was passed, not an object
  kByVersion = 1u << 1,      // __dlpack__ was called with max_version
};

/// What one step knows about its exchange.
struct Occasion {
  abi::DLDataType dtype{};
  int32_t ndim = 0;
  int64_t elements = 1;
  uint64_t byte_offset = 0;
  uint64_t flags = 0;
  uint32_t major = 1;
  uint32_t minor = 0;
  uint32_t number = 0;        // of the import or export; the first after the behaviour was set has 1
  bool versioned = false;     // the struct is a DLManagedTensorVersioned
  bool null_strides = false;  // strides is NULL, and ndim is not 0
  bool strided = false;       // not row-major compact
  bool negative = false;      // a negative stride in a dimension of more than one element
  bool broadcast = false;     // a zero stride in a dimension of more than one element
  bool unit = false;          // a dimension of exactly one element
  bool read_only = false;
  bool imported = false;  // the array that is exported was imported
  bool copy = false;      // a copy was requested, or was made
  uint32_t asked = 0;     // bits of Asked
  int32_t device_type = abi::kDLCPU;
  bool last_negative = false;  // the last extent is negative, and no other one
  bool null_deleter = false;   // of an imported struct
  uint32_t arrival = 0;        // bits of Arrival
  uint32_t views = 0;          // length of the chain of views that ends at the array; a view of a view has 2
};

/// One condition on an occasion.
struct Term {
  enum class Trait : uint8_t {
    kNever,
    kAlways,
    kCode,
    kBits,
    kItemSize,
    kRank,
    kRankAtLeast,
    kElementsAtLeast,
    kMinor,
    kMinorAtLeast,
    kMajorAtLeast,
    kFlag,
    kEvery,
    kVersioned,
    kOffset,
    kOffsetAtLeast,  // bytes
    kEmpty,
    kNullStrides,
    kStrided,
    kNegative,
    kBroadcast,
    kUnit,
    kReadOnly,
    kImported,
    kCopy,
    kAsked,
    kLanes,
    kDevice,
    kLastNegative,
    kNullDeleter,
    kArrival,
    kViews,
  };
  Trait trait = Trait::kNever;
  bool negated = false;
  uint64_t value = 0;

  bool operator==(const Term&) const = default;
};

/// A condition of up to two terms. The default never holds.
struct When {
  Term first;
  Term second{Term::Trait::kAlways, false, 0};

  using Trait = Term::Trait;
  static constexpr When Of(Trait trait, uint64_t value = 0) { return When{{trait, false, value}}; }
  static constexpr When Never() { return When{}; }
  static constexpr When Always() { return Of(Trait::kAlways); }
  static constexpr When Code(uint8_t code) { return Of(Trait::kCode, code); }
  static constexpr When Bits(uint8_t bits) { return Of(Trait::kBits, bits); }
  static constexpr When ItemSize(uint64_t bytes) { return Of(Trait::kItemSize, bytes); }
  static constexpr When Rank(uint64_t rank) { return Of(Trait::kRank, rank); }
  static constexpr When RankAtLeast(uint64_t rank) { return Of(Trait::kRankAtLeast, rank); }
  static constexpr When ElementsAtLeast(uint64_t count) { return Of(Trait::kElementsAtLeast, count); }
  static constexpr When Minor(uint32_t minor) { return Of(Trait::kMinor, minor); }
  static constexpr When MinorAtLeast(uint32_t minor) { return Of(Trait::kMinorAtLeast, minor); }
  static constexpr When MajorAtLeast(uint32_t major) { return Of(Trait::kMajorAtLeast, major); }
  static constexpr When Flag(uint64_t mask) { return Of(Trait::kFlag, mask); }
  /// On every n-th exchange.
  static constexpr When Every(uint64_t n) { return Of(Trait::kEvery, n); }
  static constexpr When Versioned() { return Of(Trait::kVersioned); }
  static constexpr When Legacy() { return Versioned().Not(); }
  static constexpr When Offset() { return Of(Trait::kOffset); }
  static constexpr When OffsetAtLeast(uint64_t bytes) { return Of(Trait::kOffsetAtLeast, bytes); }
  static constexpr When Empty() { return Of(Trait::kEmpty); }
  static constexpr When Scalar() { return Rank(0); }
  static constexpr When NullStrides() { return Of(Trait::kNullStrides); }
  static constexpr When Strided() { return Of(Trait::kStrided); }
  static constexpr When Negative() { return Of(Trait::kNegative); }
  static constexpr When Broadcast() { return Of(Trait::kBroadcast); }
  static constexpr When Unit() { return Of(Trait::kUnit); }
  static constexpr When ReadOnly() { return Of(Trait::kReadOnly); }
  static constexpr When Imported() { return Of(Trait::kImported); }
  static constexpr When Copy() { return Of(Trait::kCopy); }
  /// All Asked bits of `mask` are set.
  static constexpr When Asking(uint32_t mask) { return Of(Trait::kAsked, mask); }
  static constexpr When Lanes(uint16_t lanes) { return Of(Trait::kLanes, lanes); }
  static constexpr When Device(int32_t type) { return Of(Trait::kDevice, static_cast<uint64_t>(type)); }
  static constexpr When NullDeleter() { return Of(Trait::kNullDeleter); }
  static constexpr When By(Arrival arrival) { return Of(Trait::kArrival, arrival); }
  /// The array of the step is a view of another array.
  static constexpr When View() { return Of(Trait::kViews, 1); }
  static constexpr When LastNegative() { return Of(Trait::kLastNegative); }

  /// Both conditions hold: When::Code(5).And(When::Offset()). Each of the two has one term.
  constexpr When And(When other) const { return When{first, other.first}; }
  /// The opposite of a condition with one term.
  constexpr When Not() const { return When{{first.trait, !first.negated, first.value}, second}; }

  constexpr bool never() const { return first.trait == Trait::kNever && !first.negated; }

  bool operator==(const When&) const = default;
};

bool HoldsFor(const Term& term, const Occasion& occasion);

/// Whether the condition holds in this exchange. All conditions are evaluated here.
inline bool Holds(const When& when, const Occasion& occasion) {
  return !when.never() && HoldsFor(when.first, occasion) && HoldsFor(when.second, occasion);
}

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REFERENCE_WHEN_H_
