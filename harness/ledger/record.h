// harness/ledger/record.h: what a call, a reading or a look at something showed.
#ifndef DLPACK_CTS_HARNESS_LEDGER_RECORD_H_
#define DLPACK_CTS_HARNESS_LEDGER_RECORD_H_

#include <cstdint>
#include <cstring>
#include <string_view>

#include "harness/abi/dlpack.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// A short text inside plain data; longer text is cut.
template <int kSize>
struct FixedText {
  char bytes[kSize];

  void Set(std::string_view text) {
    const size_t n = text.size() < kSize - 1 ? text.size() : kSize - 1;
    std::memcpy(bytes, text.data(), n);
    bytes[n] = '\0';
  }
  std::string_view view() const { return std::string_view(bytes); }
  bool empty() const { return bytes[0] == '\0'; }
};

/// How a call into the library ended.
enum class Outcome : uint8_t {
  kNotRun,       // the life did not come to it, or the subject cannot do it (see Refusal::type "unsupported")
  kAccepted,     // a value came back
  kRefused,      // an exception, or an error return, with its text
  kUnsupported,  // the adapter says that the library has nothing of the kind
};

struct Refusal {
  Outcome outcome;
  uint8_t buffer_error;   // the exception is a BufferError
  uint8_t type_error;     // the exception is a TypeError
  uint8_t ends_programs;  // the exception is not an Exception (SystemExit, KeyboardInterrupt): not a refusal
  uint8_t stumbled;       // the exception looks like a bug, not like a refusal
  FixedText<51> type;     // exception class, or the native error code
  FixedText<24> builtin;  // the class of Python's own that the exception's class is, or the nearest one above it
  FixedText<200> message;
};

/// Result of reading all elements one way.
enum class Reading : uint8_t {
  kNotRead,
  kMatches,      // every element has the bits that the oracle derives from the recipe
  kDiffers,      // the element with index `first_difference` (row-major) has not
  kWrongCount,   // the library gave another number of bytes
  kUnreadable,   // the memory that the metadata names cannot be read
  kUnsupported,  // the adapter has no such reading
};

struct ElementReading {
  Reading reading;
  uint8_t raised;  // kUnsupported, since the library raised
  uint8_t reserved[6];
  int64_t first_difference;
  uint64_t wanted_bits;  // low 64 bits of the element
  uint64_t got_bits;
};

/// Where an address lies, so that two processes and two arenas record the same for the same exchange.
enum class Area : uint8_t {
  kUnknown,    // no address is known
  kNull,       // 0
  kData,       // from the first byte of the elements to the last
  kFront,      // in the same pages, in front of the elements
  kBehind,     // in the same pages, behind the elements
  kGuard,      // in the inaccessible pages beside them
  kMetadata,   // struct, shape, strides or context of an offer
  kElsewhere,  // in no memory that the exchange knows
};

struct Location {
  Area area;
  uint8_t other;  // 0: memory of the slot itself; else 1 + the slot whose memory it is
  uint8_t reserved[6];
  int64_t offset;  // bytes from the address of element 0; 0 for kUnknown, kNull, kMetadata and kElsewhere

  bool operator==(const Location& o) const { return area == o.area && other == o.other && offset == o.offset; }
};

/// The answer to a question that not every subject can answer.
enum class Answer : uint8_t { kUnknown, kYes, kNo };

/// Whether one side shows what was written through the other.
enum class WriteShown : uint8_t { kNotRun, kShown, kNotShown, kRefused };

/// Whether an exception that was pending before a call is pending after it.
enum class Survival : uint8_t { kNotRun, kSurvived, kLost };

/// Where the bytes of a capsule's name lie.
enum class NameStorage : uint8_t {
  kUnknown,
  kStatic,  // a mapping of a file: constants of a loaded library
  kOther,
};

/// State of a capsule as CPython reports it.
enum class NameSeen : uint8_t { kNotSeen, kLegacy, kVersioned, kUsedLegacy, kUsedVersioned, kForeign, kNull };

/// Parts of an offer, as bits: what a check found changed.
enum : uint32_t {
  kPartVersion = 1u << 0,
  kPartContext = 1u << 1,
  kPartDeleter = 1u << 2,
  kPartFlags = 1u << 3,
  kPartData = 1u << 4,
  kPartDevice = 1u << 5,
  kPartNdim = 1u << 6,
  kPartDtype = 1u << 7,
  kPartShapePointer = 1u << 8,
  kPartStridesPointer = 1u << 9,
  kPartByteOffset = 1u << 10,
  kPartShape = 1u << 11,
  kPartStrides = 1u << 12,
  kPartEnd = 1u << 13,  // no part: the bit after the last one
};

/// What became of exports or imports by several threads at once; the first thing that is wrong.
enum class Race : uint8_t {
  kNotRun,        // or it could not show anything
  kFair,          // as if they had come one after the other
  kSharedStruct,  // two exports that are alive lie in one struct
  kOtherTensor,   // an export is another tensor than the array was exported as before
  kChanged,       // an export changed while it was alive
  kReleasedTwice,
  kNotReleased,   // when all was dropped
  kReleasedEarly  // while an array lies in its memory
};

/// What the library says of an array; what it does not know is absent.
struct Description {
  uint8_t valid;  // describe() answered
  uint8_t has_pointer;
  uint8_t has_strides;
  Answer writable;
  abi::DLDataType dtype;
  int32_t ndim;         // real number; shape and byte_strides hold the first kDims; both only with has_shape
  uint8_t known_dtype;  // dtype_name was understood
  uint8_t has_device;
  uint8_t has_shape;
  uint8_t reserved;
  abi::DLDevice device;
  uint64_t pointer;  // for reading through it only; ImportLedger::place is what can be compared
  int64_t shape[kDims];
  int64_t byte_strides[kDims];
  FixedText<32> dtype_name;
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_LEDGER_RECORD_H_
