// harness/ledger/ledger.h: the ledger, plain data about what really happened while one recipe ran.
//
// The engine, the forge's deleter and fault handler, and the subject write it; oracle and cases read it. It lies in
// shared memory, so that it outlives the process that wrote it. Nothing in here judges.
#ifndef DLPACK_CTS_HARNESS_LEDGER_LEDGER_H_
#define DLPACK_CTS_HARNESS_LEDGER_LEDGER_H_

#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

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
  uint8_t buffer_error;  // the exception is a BufferError
  uint8_t type_error;    // the exception is a TypeError
  uint8_t ends_programs;  // the exception is no Exception (SystemExit, KeyboardInterrupt): nobody refuses with it
  FixedText<52> type;  // exception class, or the native error code
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
  uint8_t reserved[7];
  int64_t first_difference;
  uint64_t wanted_bits;  // low 64 bits of the element
  uint64_t got_bits;
};

/// What the library says of an array.
struct Description {
  uint8_t valid;
  uint8_t has_pointer;
  uint8_t has_strides;
  int8_t writable;  // 1 yes, 0 no, -1 the library does not say
  abi::DLDataType dtype;
  int32_t ndim;         // real number; shape and byte_strides hold the first kDims
  uint8_t known_dtype;  // dtype_name was understood
  uint8_t has_device;
  uint8_t reserved[2];
  abi::DLDevice device;
  uint64_t pointer;
  int64_t shape[kDims];
  int64_t byte_strides[kDims];
  FixedText<32> dtype_name;
};

/// One call of __dlpack__ or __dlpack_device__ that the fake producer saw.
struct ProducerCall {
  uint8_t is_device;        // __dlpack_device__
  uint8_t positional;       // number of positional arguments
  uint8_t raised;           // the fake producer answered with an exception
  uint8_t unknown_keyword;  // a keyword outside the four
  Argument max_version;
  Argument dl_device;
  Argument copy;
  Argument stream;
  FixedText<32> unknown_name;
};
inline constexpr int kProducerCalls = 8;

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
};

/// How deleter calls stand to the life of the library's array. Counts are per slot.
struct DeleterLedger {
  int32_t calls;              // all calls that named this slot's struct
  int32_t calls_in_import;    // of these, before from_dlpack returned
  int32_t calls_while_alive;  // of these, after it returned and before the harness dropped the array (or its view)
  int32_t without_gil;
  int32_t with_pending_exception;
  int32_t on_other_thread;
  int32_t from_destructor;  // called by the harness's own capsule destructor
  int32_t wrong_self;       // calls with a pointer that is no live struct of the forge (attributed to slot 0)
};

/// What happened to one offer and the array made of it.
struct ImportLedger {
  Refusal import;
  Refusal again;  // of Op::kImportAgain
  Description result;
  ElementReading memory;    // elements through the described pointer and strides
  ElementReading library;   // elements as the library converts them
  ElementReading computed;  // elements of what the library computed from them
  ElementReading view;      // elements of the view that outlived its array
  DeleterLedger deleter;
  int32_t capsules;     // capsules made for this offer
  uint8_t aliases;      // the described pointer lies in the offered memory
  uint8_t write_seen;   // Op::kWriteSource: 0 not run, 1 the array shows it, 2 it does not
  uint8_t array_write;  // Op::kWriteArray: 0 not run, 1 the memory shows it, 2 it does not, 3 refused
  uint8_t released;     // the deleter had run when life ended and everything was dropped
  NameSeen name_before;
  NameSeen name_after;        // after from_dlpack returned
  NameSeen name_after_again;  // after Op::kImportAgain
  uint8_t capsule_pointer_changed;
  uint8_t capsule_context_changed;
  uint8_t capsule_destructor_changed;
  uint8_t used_name_is_static;  // 0 unknown, 1 a mapping of a file, 2 other memory
  uint8_t reserved;
  uint32_t changed_parts;  // kPart*: differs from what the forge made, when the deleter ran (or at the end)
  int32_t changed_bytes;   // bytes of data, gaps and guard canaries that changed without being asked
  int32_t producer_calls;  // number of calls; the first kProducerCalls are kept
  ProducerCall calls[kProducerCalls];
};

/// What the library exported.
struct ExportLedger {
  Refusal export_call;
  uint8_t is_capsule;
  NameSeen name;
  uint8_t null_shape;
  uint8_t null_strides;
  uint8_t has_deleter;
  uint8_t same_capsule;        // the very object of an earlier export of this life
  uint8_t same_struct;         // the struct of an earlier export that is still alive
  uint8_t metadata_readable;   // shape and strides (where not NULL) could be read in full
  uint8_t data_readable;       // every reachable element could be read
  uint8_t pending_survived;    // Op::kLoseCapsule argument 1: 0 not run, 1 the pending exception survived, 2 it did not
  uint8_t deleted;             // Op::kDelete ran
  uint8_t shares_with_source;  // Op::kWriteExport: 0 not run, 1 the source shows the write, 2 it does not
  uint8_t versioned;           // read as DLManagedTensorVersioned
  uint8_t has_destructor;
  uint8_t name_is_static;      // 0 unknown, 1 a mapping of a file, 2 other memory
  uint8_t has_source_pointer;  // source_pointer was described by the library
  abi::DLPackVersion version;
  uint64_t flags;
  abi::DLTensor tensor;  // pointers as exported, for comparison only
  uint64_t struct_address;
  uint64_t source_pointer;  // what the library says is the address of element 0
  int64_t shape[kDims];
  int64_t strides[kDims];         // elements
  uint32_t changed_parts;         // kPart*: a later Op::kInspect read another value than the first
  ElementReading elements;        // Op::kReadExport, the latest
  ElementReading first_elements;  // the reading at export
};

/// What became of the array that the library made.
struct SourceLedger {
  Refusal make;
  Description description;
  Refusal change;              // Op::kChangeMetadata
  Refusal device_call;         // Op::kAskDevice
  uint8_t device_is_pair;      // a tuple (or subclass) of two
  uint8_t device_type_is_int;  // convertible to int by __index__ or an int subclass
  uint8_t device_id_is_int;
  uint8_t alive_known;          // the subject can tell whether the array object lives
  uint8_t alive_at_end;         // after everything was dropped, deleted and collected
  uint8_t alive_after_refusal;  // a refused export left a reference behind
  uint8_t reserved[2];
  abi::DLDevice device;
  ElementReading elements;    // the library's own conversion after export
  ElementReading used;        // a computation after export
  int64_t references_before;  // reference counts of the array around refused exports; 0 unknown
  int64_t references_after;
};

/// How one function of the exchange table answered; the latest call.
struct TableCall {
  uint8_t called;
  uint8_t exception;    // a Python exception was pending when it returned
  uint8_t out_written;  // the out parameter held another value than before the call
  uint8_t reserved;
  int32_t status;  // returned value
};

/// How the table is published under one of its two names.
enum class Published : uint8_t { kNot, kCapsule, kMisnamedCapsule, kInt, kOther };

enum class TableFunction : uint8_t { kAllocator, kFromObject, kToObject, kView, kStream, kCount };
inline constexpr int kTableFunctions = static_cast<int>(TableFunction::kCount);

/// What the C exchange API of the library's type is like.
struct TableLedger {
  uint8_t looked;               // Op::kTableFind, or a step that needs the table
  uint8_t found;                // a table with major version 1 was reached, and is used
  Published current;            // under the name that 1.3 gives
  Published older;              // under the name of 1.2
  uint8_t names_differ;         // both names lead to tables, and not to the same
  uint8_t readable;             // the whole table could be read
  uint8_t null_slots;           // bit per TableFunction
  uint8_t moved;                // a later lookup, or another array of the type, gave another table
  uint8_t changed;              // a later reading of the same table found other contents
  uint8_t chain_ends;           // prev_api leads to NULL
  uint8_t chain_ascends;        // an entry behind prev_api has a later version than its successor
  uint8_t prototype_changed;    // the allocator wrote to its prototype, shape or strides
  uint8_t error_context_wrong;  // SetError got another context
  uint8_t error_text_missing;   // SetError got a NULL kind or message
  uint8_t object_is_foreign;    // to_py_object gave an object of another type than the array
  uint8_t reserved;
  int32_t chain_length;  // entries behind prev_api
  int32_t set_errors;    // calls of SetError in the latest allocation
  abi::DLPackVersion version;
  uint64_t address;
  TableCall calls[kTableFunctions];
  FixedText<52> error_kind;
  FixedText<200> error_message;
};

/// A touch of memory that the offer or the rules forbid.
enum class Region : uint8_t { kNone, kStruct, kShape, kStrides, kData, kGuard, kContext };
struct Fault {
  Region region;
  uint8_t write;
  uint8_t slot;
  uint8_t after_deleter;  // the struct had been released
  uint32_t offset;        // bytes from the start of the region
  int64_t step;           // index into life
};
inline constexpr int kFaults = 8;

/// The timeline, in the order of happening.
enum class Seen : uint8_t {
  kStep,            // a step began; a = Op, b = its argument
  kAccepted,        // the step's call returned a value
  kRefused,         // the step's call raised
  kProducerCalled,  // a = index into calls
  kDeleterCalled,   // a = 1 by the harness's capsule destructor, b = number of the call
  kFault,           // a = index into faults
  kNameChanged,     // a = NameSeen before, b = after
  kRead,            // a = Reading
  kDropped,         // an object was dropped
};
struct Event {
  Seen seen;
  uint8_t slot;
  int16_t step;
  int32_t a;
  int64_t b;
};
inline constexpr int kEvents = 96;

struct Ledger {
  int32_t step;         // index of the step that runs; -1 before, kSteps after the life
  int32_t event_count;  // may exceed kEvents: later events are counted, not kept
  int32_t fault_count;  // may exceed kFaults
  int32_t unsupported;  // 1: the subject cannot run this recipe at all (Refusal texts say why)
  ImportLedger imports[kSlots];
  ExportLedger exports[kSlots];
  SourceLedger source;
  TableLedger table;
  Fault faults[kFaults];
  Event events[kEvents];

  void Add(Seen seen, int slot, int32_t a = 0, int64_t b = 0) {
    if (event_count < kEvents) {
      events[event_count] = Event{seen, static_cast<uint8_t>(slot), static_cast<int16_t>(step), a, b};
    }
    ++event_count;
  }
};

static_assert(std::is_trivially_copyable_v<Ledger> && std::is_standard_layout_v<Ledger>);

/// Empties the ledger for the next recipe.
inline void Clear(Ledger& ledger) {
  std::memset(&ledger, 0, sizeof(ledger));
  ledger.step = -1;
}

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_LEDGER_LEDGER_H_
