// reference/when.cc: evaluates conditions.
#include "reference/when.h"

namespace dlpack_cts {
namespace {

bool Plain(const Term& term, const Occasion& o) {
  using Trait = Term::Trait;
  switch (term.trait) {
    case Trait::kNever:
      return false;
    case Trait::kAlways:
      return true;
    case Trait::kCode:
      return o.dtype.code == term.value;
    case Trait::kBits:
      return o.dtype.bits == term.value;
    case Trait::kItemSize:
      return (uint64_t{o.dtype.bits} * o.dtype.lanes + 7) / 8 == term.value;
    case Trait::kRank:
      return static_cast<uint64_t>(o.ndim) == term.value;
    case Trait::kRankAtLeast:
      return o.ndim >= 0 && static_cast<uint64_t>(o.ndim) >= term.value;
    case Trait::kElementsAtLeast:
      return static_cast<uint64_t>(o.elements) >= term.value;
    case Trait::kMinor:
      return o.versioned && o.minor == term.value;
    case Trait::kMinorAtLeast:
      return o.versioned && o.minor >= term.value;
    case Trait::kMajorAtLeast:
      return o.versioned && o.major >= term.value;
    case Trait::kFlag:
      return (o.flags & term.value) != 0;
    case Trait::kEvery:
      return term.value != 0 && o.number % term.value == term.value - 1;
    case Trait::kVersioned:
      return o.versioned;
    case Trait::kOffsetAtLeast:
      return o.byte_offset >= term.value;
    case Trait::kOffset:
      return o.byte_offset != 0;
    case Trait::kEmpty:
      return o.elements == 0;
    case Trait::kNullStrides:
      return o.null_strides;
    case Trait::kStrided:
      return o.strided;
    case Trait::kNegative:
      return o.negative;
    case Trait::kBroadcast:
      return o.broadcast;
    case Trait::kUnit:
      return o.unit;
    case Trait::kReadOnly:
      return o.read_only;
    case Trait::kImported:
      return o.imported;
    case Trait::kCopy:
      return o.copy;
    case Trait::kAsked:
      return (o.asked & term.value) == term.value;
    case Trait::kLanes:
      return o.dtype.lanes == term.value;
    case Trait::kDevice:
      return static_cast<uint64_t>(o.device_type) == term.value;
    case Trait::kLastNegative:
      return o.last_negative;
    case Trait::kNullDeleter:
      return o.null_deleter;
    case Trait::kArrival:
      return (o.arrival & term.value) != 0;
    case Trait::kViews:
      return o.views >= term.value;
  }
  return false;
}

}  // namespace

bool HoldsFor(const Term& term, const Occasion& occasion) { return Plain(term, occasion) != term.negated; }

}  // namespace dlpack_cts
