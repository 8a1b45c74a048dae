// harness/ledger/record.h: the records of calls, reads, addresses and descriptions.
#ifndef DLPACK_CTS_HARNESS_LEDGER_RECORD_H_
#define DLPACK_CTS_HARNESS_LEDGER_RECORD_H_

#include <cstdint>
#include <cstring>
#include <string_view>

#include "harness/abi/dlpack.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// A short text inside plain data. A longer text is truncated.
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
  kNotRun,       // the step did not run, or the subject cannot do it (see Refusal::type "unsupported")
  kAccepted,     // it returned a value
  kRefused,      // it raised an exception, or returned an error, with its text
  kUnsupported,  // the adapter reports that the library does not support this
};

/// How many references each of many exchanges leaves: less than 0 if it drops references that it does not own.
struct ReferenceGrowth {
  int32_t rounds;    // measured exchanges; 0: they were not counted
  int32_t producer;  // the object whose __dlpack__ is called
  int32_t type;      // its class
  int32_t capsule;
  int32_t arguments;  // tuples that were passed
  int32_t constants;  // None, True and False
};

struct Refusal {
  Outcome outcome;
  uint8_t buffer_error;   // the exception is a BufferError
  uint8_t type_error;     // the exception is a TypeError
  uint8_t ends_programs;  // the exception is not an Exception (SystemExit, KeyboardInterrupt): not a refusal
  uint8_t stumbled;       // the exception looks like a bug rather than a refusal
  FixedText<51> type;     // class of the exception, or the native error code
  FixedText<24> builtin;  // the builtin class of the exception, or the nearest builtin base class
  FixedText<200> message;
};

/// The result of reading all elements in one way.
enum class Reading : uint8_t {
  kNotRead,
  kMatches,      // every element has the bits that the oracle expects
  kDiffers,      // the element with index `first_difference` (row-major) differs
  kWrongCount,   // the library returned another number of bytes
  kUnreadable,   // the memory that the metadata describe is not readable
  kUnsupported,  // the adapter does not support this way
};

struct ElementReading {
  Reading reading;
  uint8_t raised;  // it is kUnsupported because the library raised
  uint8_t reserved[6];
  int64_t first_difference;
  uint64_t wanted_bits;  // the low 64 bits of the element
  uint64_t got_bits;
};

/// The kind of memory of an address. Equal exchanges record equal values in different processes and arenas.
enum class Area : uint8_t {
  kUnknown,    // no address is known
  kNull,       // 0
  kData,       // from the first byte of the elements to the last
  kFront,      // in the same pages, before the elements
  kBehind,     // in the same pages, after the elements
  kGuard,      // in the inaccessible pages next to them
  kMetadata,   // struct, shape, strides or context of an offer
  kElsewhere,  // in memory that the exchange does not know
};

struct Location {
  Area area;
  uint8_t other;  // 0: memory of the slot itself; else 1 + the slot that it belongs to
  uint8_t reserved[6];
  int64_t offset;  // in bytes from element 0; 0 for kUnknown, kNull, kMetadata and kElsewhere

  bool operator==(const Location& o) const { return area == o.area && other == o.other && offset == o.offset; }
};

/// The answer to a question that some subjects cannot answer.
enum class Answer : uint8_t { kUnknown, kYes, kNo };

/// Whether one side sees what was written through the other.
enum class WriteShown : uint8_t { kNotRun, kShown, kNotShown, kRefused };

/// Whether an exception that was pending before a call is still pending after it.
enum class Survival : uint8_t { kNotRun, kSurvived, kLost };

/// The memory of the bytes of a capsule's name.
enum class NameStorage : uint8_t {
  kUnknown,
  kStatic,  // mapped from a file: constants of a loaded library
  kOther,
};

/// The name of a capsule, as CPython reports it.
enum class NameSeen : uint8_t { kNotSeen, kLegacy, kVersioned, kUsedLegacy, kUsedVersioned, kForeign, kNull };

/// Parts of an offer, one bit each, that a check found changed.
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
  kPartEnd = 1u << 13,  // not a part: the bit after the last one
};

/// The first error in exports or imports by several threads at the same time.
enum class Race : uint8_t {
  kNotRun,        // did not run, or showed nothing
  kFair,          // the same result as one after the other
  kSharedStruct,  // two living exports use one struct
  kOtherTensor,   // an export differs from the earlier export of the array
  kChanged,       // an export changed while it was alive
  kReleasedTwice,
  kNotReleased,   // after everything was dropped
  kReleasedEarly  // while an array uses its memory
};

/// The library's description of an array. What it does not report is missing.
struct Description {
  uint8_t valid;  // describe() returned
  uint8_t has_pointer;
  uint8_t has_strides;
  Answer writable;
  abi::DLDataType dtype;
  int32_t ndim;  // real number of dimensions; shape and byte_strides hold the first kDims; both only with has_shape
  uint8_t known_dtype;  // dtype_name is a known name
  uint8_t has_device;
  uint8_t has_shape;
  uint8_t reserved;
  abi::DLDevice device;
  uint64_t pointer;  // only for reading through it; ImportLedger::place can be compared
  int64_t shape[kDims];
  int64_t byte_strides[kDims];
  FixedText<32> dtype_name;
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_LEDGER_RECORD_H_
