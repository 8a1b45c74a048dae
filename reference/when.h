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
  kByNone = 1u << 2,         // the caller of from_dlpack wrote out None for a keyword
  kByDevice = 1u << 3,       // the caller of from_dlpack named a device
  kByNewerTable = 1u << 4,   // from an exchange table of a later minor version than the reference's
  kByGivenTable = 1u << 5,   // from the exchange table of the object's type
  kByOwnTable = 1u << 6,     // managed_tensor_to_py_object_no_sync of the reference was called
  kByPeek = 1u << 7,         // only the metadata are read
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

/// A condition of up to two terms, which both hold. The default never holds.
struct When {
  Term first;
  Term second{Term::Trait::kAlways, false, 0};

  using Trait = Term::Trait;
  static constexpr When Of(Trait trait, uint64_t value = 0) { return When{{trait, false, value}}; }
  static constexpr When Never() { return When{}; }
  static constexpr When Always() { return Of(Trait::kAlways); }

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
