// adapters/reference/behaviour.h: every step of the reference that a mutant or a conforming variant can change.
//
// One plain struct. The default of each field is the correct behaviour. Steps that a consumer takes are in `importing`,
// `refusing` and `owning`, those of a producer in `exporting` and `capsule`, the Python protocol's keywords in `asking`
// (consumer) and `answering` (producer), those of the exchange table in `consulting` (consumer) and `table` (producer).
// Both faces of the reference (Python type and native plug-in) obey the same one.
#ifndef DLPACK_CTS_ADAPTERS_REFERENCE_BEHAVIOUR_H_
#define DLPACK_CTS_ADAPTERS_REFERENCE_BEHAVIOUR_H_

#include <cstdint>
#include <type_traits>

#include "adapters/reference/behaviour_export.h"
#include "adapters/reference/behaviour_import.h"
#include "adapters/reference/behaviour_protocol.h"
#include "adapters/reference/behaviour_table.h"
#include "adapters/reference/when.h"

namespace dlpack_cts {

/// What becomes of types with several lanes.
enum class Vectors : uint8_t {
  kRefused,    // there are none
  kKept,       // they are types of their own
  kDimension,  // the lanes become a trailing dimension
};

/// How arrays of elements of less than a byte lie in memory; conforming are the first two.
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
  bool opaque_sub_bytes;   // nobody can look at such elements
  bool container;          // takes what it knows nothing of, and hands it on as it came
  bool raw_bytes;          // conforming: what it does not know becomes an array of as many raw bytes an element
  bool whole_bytes;        // conforming: no array starts inside a byte
  bool keeps_conversions;  // what was read of an array once is what every reading gives
  bool no_read_only;       // nobody can tell whether an array may be written: every one may
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

#endif  // DLPACK_CTS_ADAPTERS_REFERENCE_BEHAVIOUR_H_
