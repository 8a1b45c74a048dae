// reference/behaviour.h: every step of the reference that a mutant or a conforming variant can change.
//
// A plain struct of nested structs. The default of each field is the correct behaviour.
//   - Steps of a consumer: `importing`, `refusing`, `owning`; keywords of the Python protocol in `asking`; the exchange
//     table in `consulting`.
//   - Steps of a producer: `exporting`, `capsule`; keywords of the Python protocol in `answering`; the exchange table
//     in `table`.
//   - Of both: the close of arrays in `closing`; what is left of earlier exchanges, in `remembering` and `keeping`;
//     warnings in `warning`.
// The Python type and the native plug-in of the reference obey the same Behaviour.
#ifndef DLPACK_CTS_REFERENCE_BEHAVIOUR_H_
#define DLPACK_CTS_REFERENCE_BEHAVIOUR_H_

#include <cstdint>
#include <type_traits>

#include "reference/behaviour_earlier.h"
#include "reference/behaviour_export.h"
#include "reference/behaviour_import.h"
#include "reference/behaviour_protocol.h"
#include "reference/behaviour_table.h"
#include "reference/when.h"

namespace dlpack_cts {

/// How dtypes with more than one lane are imported.
enum class Vectors : uint8_t {
  kRefused,    // not supported
  kKept,       // each vector dtype is a dtype of the library
  kDimension,  // the lanes become a trailing dimension
};

/// How elements of fewer than 8 bits are stored. kPacked and kPadded are both correct.
enum class Storage : uint8_t {
  kPacked,     // several to a byte, the first in the low bits
  kPadded,     // one to a byte
  kHighFirst,  // several to a byte, the first in the high bits
  kNibbles,    // 2-bit elements take 4 bits each
  kRefused,    // conforming: the library has no such arrays
};

/// The kinds of arrays that the library has, however they are made. Every field is conforming.
struct Having {
  bool immutable;  // every array is read-only
  uint64_t ranks;  // one bit per number of dimensions; 0: any. Without bit 0, a scalar becomes an array of extent 1.
  uint32_t lacks_codes;    // one bit per type code that the library does not have
  uint8_t alignment_log2;  // of imported data, as a power of two in bytes; 0: any
  Storage storage;         // of elements of fewer than 8 bits
  When stored;             // in which exchanges `storage` applies
  bool opaque_sub_bytes;   // elements of fewer than 8 bits cannot be read
  bool container;          // accepts tensors of unknown dtypes, and re-exports them unchanged
  bool raw_bytes;          // conforming: tensors of unknown dtypes become arrays of raw bytes
  bool whole_bytes;        // conforming: no array starts inside a byte
  bool keeps_conversions;  // caches the first conversion of an array, and returns it for every later read
  bool no_read_only;       // arrays do not record READ_ONLY: all are writable
  When compacts;           // a requested array is made as a row-major, writable copy of it
  Vectors vectors;

  bool HasRank(int64_t ndim) const { return ranks == 0 || (ndim < 64 && ((ranks >> ndim) & 1u) != 0); }

  bool operator==(const Having&) const = default;
};

struct Behaviour {
  Having having;
  Importing importing;
  Refusing refusing;
  Owning owning;
  CloseSteps closing;
  Exporting exporting;
  CapsuleSteps capsule;
  Asking asking;
  Consulting consulting;
  Answering answering;
  Tabling table;
  Remembering remembering;
  Keeping keeping;
  Warning warning;

  bool operator==(const Behaviour&) const = default;
};

static_assert(std::is_trivially_copyable_v<Behaviour>);

/// The behaviour of a correct library.
Behaviour CorrectBehaviour();

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REFERENCE_BEHAVIOUR_H_
