// reference/behaviour.h: every step of the reference that a mutant or a conforming variant can change.
//
// One plain struct. The default of each field is the correct behaviour. Steps that a consumer takes are in `importing`,
// `refusing` and `owning`, those of a producer in `exporting` and `capsule`, the Python protocol's keywords in `asking`
// (consumer) and `answering` (producer), those of the exchange table in `consulting` (consumer) and `table` (producer).
// Both faces of the reference (Python type and native plug-in) obey the same one.
#ifndef DLPACK_CTS_REFERENCE_BEHAVIOUR_H_
#define DLPACK_CTS_REFERENCE_BEHAVIOUR_H_

#include <cstdint>
#include <type_traits>

#include "reference/behaviour_export.h"
#include "reference/behaviour_import.h"
#include "reference/behaviour_protocol.h"
#include "reference/behaviour_table.h"
#include "reference/when.h"

namespace dlpack_cts {

/// How types with several lanes are imported.
enum class Vectors : uint8_t {
  kRefused,    // not supported
  kKept,       // they are types of their own
  kDimension,  // the lanes become a trailing dimension
};

/// How sub-byte elements are stored. The first two are conforming.
enum class Storage : uint8_t {
  kPacked,     // several to a byte, low bits first
  kPadded,     // a byte each
  kHighFirst,  // several to a byte, high bits first
  kNibbles,    // those of 2 bits in 4 bits each
  kRefused,    // conforming: there are no such arrays
};

/// What kinds of arrays the library has at all, whichever way they come to be. Conforming, all of it.
struct Having {
  bool immutable;          // every array is read-only
  uint64_t ranks;          // bit per number of dimensions; 0: any. What comes without any gets one of extent 1.
  uint32_t lacks_codes;    // bit per type code
  uint8_t alignment_log2;  // of what is imported
  Storage storage;         // of elements of less than a byte
  When stored;             // where `storage` is used
  bool opaque_sub_bytes;   // such elements cannot be read
  bool container;          // accepts unknown tensors, and forwards them unchanged
  bool raw_bytes;          // conforming: unknown types become arrays of raw bytes
  bool whole_bytes;        // conforming: no array starts inside a byte
  bool keeps_conversions;  // the first conversion of an array is cached for all reads
  bool no_read_only;       // arrays do not record READ_ONLY: all can be written
  Vectors vectors;

  bool HasRank(int64_t ndim) const { return ranks == 0 || (ndim < 64 && ((ranks >> ndim) & 1u) != 0); }

  bool operator==(const Having&) const = default;
};

struct Behaviour {
  Having having;
  Importing importing;
  Refusing refusing;
  Owning owning;
  Exporting exporting;
  CapsuleSteps capsule;
  Asking asking;
  Consulting consulting;
  Answering answering;
  Tabling table;

  bool operator==(const Behaviour&) const = default;
};

static_assert(std::is_trivially_copyable_v<Behaviour>);

/// The behaviour of a correct library.
Behaviour CorrectBehaviour();

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REFERENCE_BEHAVIOUR_H_
