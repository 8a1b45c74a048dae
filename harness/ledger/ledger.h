// harness/ledger/ledger.h: the ledger, plain data about what really happened while one recipe ran.
//
// The engine, the forge's deleter and fault handler, and the subject write it; oracle and cases read it. It lies in
// shared memory, so that it outlives the process that wrote it. Nothing in here judges.
//
// Deleters run on any thread at any time: what they write is reserved or counted atomically. Everything else is written
// by the thread that takes the life's steps, and read when the life is over.
#ifndef DLPACK_CTS_HARNESS_LEDGER_LEDGER_H_
#define DLPACK_CTS_HARNESS_LEDGER_LEDGER_H_

#include <algorithm>
#include <atomic>
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
  int32_t cuda_stream_device;  // 1 + the CUDA device of the stream, as the driver says; 0 unknown
  int32_t reserved;
};
inline constexpr int kProducerCalls = 8;

/// How exported elements of less than a byte lie in memory: in which way they are read rightly.
enum class Packing : uint8_t {
  kNone,       // not known: other types, or not read
  kLowFirst,   // several to a byte, low bits first
  kPadded,     // a byte each
  kHighFirst,  // several to a byte, high bits first
  kInside,     // as kLowFirst, but element 0 starts behind the begin of its byte
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

/// How deleter calls stand to the life of the library's array. Counts are per slot.
struct DeleterLedger {
  int32_t calls;              // all calls that named this slot's struct
  int32_t calls_in_import;    // of these, before from_dlpack returned
  int32_t calls_while_alive;  // of these, after it returned and before the harness dropped the array (or its view)
  int32_t without_gil;
  int32_t with_pending_exception;
  int32_t on_other_thread;
  int32_t from_destructor;  // called by the harness's own capsule destructor
  int32_t wrong_self;       // calls with a pointer that is not a live struct of the forge (counted for slot 0)
};

/// Who called a deleter.
enum class ThreadKind : uint8_t {
  kNobody,   // no call
  kMaker,    // the thread that made the struct
  kHarness,  // another thread of the harness
  kForeign,  // a thread that the harness did not start
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

/// What the CUDA driver reports for an address. It is asked only if the library claims `cuda`.
enum class CudaMemory : uint8_t {
  kNotAsked,
  kUnknown,   // not CUDA memory
  kPageable,  // the same, on a device that reads all of the host's memory
  kHost,      // pinned
  kDevice,
  kManaged,
};

/// One call of a deleter of the forge.
struct DeleterCall {
  uint8_t slot;   // of the struct; 0 for a wrong self
  uint8_t wrong;  // the pointer is not a live struct of the forge
  ThreadKind thread;
  int8_t lane;              // of the harness's threads, 0 for the one that takes the steps; -1 for a thread without one
  Answer gil;               // the caller held the GIL
  Answer pending;           // a Python exception was pending
  uint8_t from_destructor;  // called by the harness's own capsule destructor
  uint8_t reserved;
  int32_t step;  // the step of the life that ran meanwhile
};
inline constexpr int kDeleterCalls = 16;

/// What the library did with the forged table of the C exchange API, on the type of a producer. Sets of functions: a
/// bit per TableFunction.
struct TableUse {
  uint8_t looked;       // kLooked*
  uint8_t called;       // functions
  uint8_t failed;       // of these, those that returned -1
  uint8_t without_gil;  // of these, those that were called without it
  uint8_t foreign;      // of these, those that were given an object of another type
  uint8_t pending;      // of these, those that were called with an exception pending
  uint8_t reserved[2];
};
enum : uint8_t { kLookedOnType = 1u << 0, kLookedOnObject = 1u << 1 };

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
  int32_t capsules;         // capsules made for this offer
  WriteShown write_source;  // Op::kWriteSource: in the array
  WriteShown write_array;   // Op::kWriteArray: in the memory
  uint8_t released;         // the deleter had run when life ended and everything was dropped
  NameSeen name_before;
  NameSeen name_after;        // after from_dlpack returned
  NameSeen name_after_again;  // after Op::kImportAgain
  uint8_t capsule_pointer_changed;
  uint8_t capsule_context_changed;
  uint8_t capsule_destructor_changed;
  NameStorage used_name_storage;
  uint8_t warned;       // the library issued a warning while it imported
  Answer taken_within;  // the library took another such tensor while the deleter ran (DeleterKind)
  Race race;            // Op::kImportTogether
  Answer cuda_ordered;  // Context::kPendingWork: what the library reads comes behind the work
  uint8_t reserved[6];  // ledgers are compared byte by byte
  int32_t cuda_status;  // what the driver says when the library has read: 0 all is well
  int32_t reserved_too;
  Location place;          // of the described pointer, from element 0 of the offer (or of the array it was made of)
  uint32_t changed_parts;  // kPart*: differs from what the forge made, when the deleter ran (or at the end)
  int32_t changed_bytes;   // bytes of data, gaps and guard canaries that changed without being asked
  TableUse table;
  int32_t producer_calls;  // number of calls; the first kProducerCalls are kept
  ProducerCall calls[kProducerCalls];

  /// The array's elements are those of the offered memory itself.
  bool Aliases() const { return place.area == Area::kData && place.other == 0; }
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
  Survival pending_exception;  // Op::kLoseCapsule, Context::kPendingException
  uint8_t deleted;             // Op::kDelete ran
  WriteShown write_export;     // Op::kWriteExport: in the source; Op::kTableAllocate: in the memory itself
  uint8_t versioned;           // read as DLManagedTensorVersioned
  uint8_t has_destructor;
  NameStorage name_storage;
  Packing packing;
  Answer left_exception;  // Op::kDelete, with the GIL: the deleter left a Python exception behind
  Race race;              // Op::kExportTogether
  Answer follows_change;  // behind Op::kChangeMetadata: shape and strides are those that the library tells then
  // Op::kDelete in a copy of the process: the deleter came back there.
  Answer survives_fork;   // Context::kForkedChild
  Answer survives_exit;   // Context::kAtExit
  Answer survives_other;  // Context::kSubinterpreter
  Answer survives_end;    // Context::kFinalised
  // As the CUDA driver says.
  CudaMemory cuda_memory;  // of element 0
  // Context::kOtherDevice: the same device is current as before.
  Answer cuda_keeps_device;
  Answer cuda_deleter_keeps_device;
  Answer cuda_keeps_capture;  // Context::kCapture: the capture goes on
  // Context::kPendingWork: the elements come behind the work, on the stream that the export names; that stream was
  // none, and the legacy default stream waits in its place; the export came back when the work was done.
  Answer cuda_ordered;
  Answer cuda_orders_another;
  Answer cuda_blocks;
  Answer cuda_copies_apart;  // Context::kHeldStream: the copy was there before the stream that it was asked for on
  Answer cuda_leaves_alone;  // Context::kEndedStream: the library does not use the stream's handle
  Answer frees_without_gil;  // Op::kDelete, Context::kRawThread: the deleter used Python's memory without the GIL
  int32_t cuda_device;       // of that memory; -1 for other memory
  abi::DLPackVersion version;
  uint64_t flags;
  abi::DLTensor tensor;  // pointers as exported, for comparison only
  uint64_t struct_address;
  Location place;  // of element 0, from element 0 of the array (or of the offer that is exported again)
  int64_t shape[kDims];
  int64_t strides[kDims];         // elements
  uint32_t changed_parts;         // kPart*: a later Op::kInspect read another value than the first
  ElementReading elements;        // Op::kReadExport, the latest
  ElementReading first_elements;  // the reading at export

  /// Element 0 is the very one that is exported.
  bool IsAtSource() const { return place.area == Area::kData && place.other == 0 && place.offset == 0; }
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
  uint8_t alive_known;   // the subject can tell whether the array object lives
  uint8_t alive_at_end;  // after everything was dropped, deleted and collected
  Answer outlived;       // the array object lived on when it was dropped while an export lived
  uint8_t counted;       // Op::kExportOften: the memory was counted
  uint8_t reserved[1];
  abi::DLDevice device;
  ElementReading elements;    // the library's own conversion after export
  ElementReading used;        // a computation after export
  int64_t references_before;  // reference counts of the array around refused exports; 0 unknown
  int64_t references_after;
  int64_t kept_bytes;    // of memory, that stay of each of many exports
  int64_t kept_objects;  // of the subject's language
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
  Answer cuda_knows_stream;     // the CUDA driver knows what current_work_stream gave as a stream
  Answer stream_is_own;         // and it is the one that the adapter names; unknown for the named default streams
  int32_t chain_length;         // entries behind prev_api
  int32_t set_errors;           // calls of SetError in the latest allocation
  uint64_t stream;              // that current_work_stream gave, where it was called and wrote one
  abi::DLPackVersion version;
  uint64_t address;
  TableCall calls[kTableFunctions];
  FixedText<52> error_kind;
  FixedText<200> error_message;
};

/// A touch of memory that the offer or the rules forbid.
enum class Region : uint8_t { kNone, kStruct, kShape, kStrides, kData, kGuard, kContext, kTable, kView };
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
  kDeleterCalled,   // a = index into deleter_calls
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
inline constexpr int kEvents = 6 * kSteps;

/// One block a slot, zero until somebody writes it. Access through a ledger that is not const marks the block as used,
/// so that emptying and comparing ledgers costs in proportion to what an exchange used.
template <typename T>
class PerSlot {
 public:
  static_assert(kSlots <= 32);

  T& operator[](int slot) {
    const uint32_t bit = 1u << slot;
    const std::atomic_ref<uint32_t> used(used_);
    if ((used.load(std::memory_order_relaxed) & bit) == 0) used.fetch_or(bit, std::memory_order_relaxed);
    return blocks_[slot];
  }
  const T& operator[](int slot) const { return blocks_[slot]; }
  const T* begin() const { return blocks_; }
  const T* end() const { return blocks_ + kSlots; }

  bool Used(int slot) const { return (used_ >> slot & 1u) != 0; }

  void Clear() {
    for (int slot = 0; slot < kSlots; ++slot) {
      if (Used(slot)) std::memset(&blocks_[slot], 0, sizeof(T));
    }
    used_ = 0;
  }

 private:
  uint32_t used_;
  T blocks_[kSlots];
};

/// Counts one more, whatever other threads do.
inline int32_t Count(int32_t& counter) { return std::atomic_ref(counter).fetch_add(1, std::memory_order_relaxed); }

/// Made empty. Memory that was never a ledger, such as shared memory, is zero, or wiped first.
struct Ledger {
  Ledger() {
    std::memset(static_cast<void*>(this), 0, sizeof(*this));
    step = -1;
  }

  int32_t step;           // index of the step that runs; -1 before, kSteps after the life
  int32_t event_count;    // may exceed kEvents: later events are counted, not kept
  int32_t fault_count;    // may exceed kFaults
  int32_t deleter_count;  // may exceed kDeleterCalls
  int32_t unsupported;    // 1: the subject cannot run this recipe at all (Refusal texts say why)
  int32_t reserved;
  PerSlot<ImportLedger> imports;
  PerSlot<ExportLedger> exports;
  PerSlot<SourceLedger> sources;
  PerSlot<TableLedger> tables;
  Fault faults[kFaults];
  DeleterCall deleter_calls[kDeleterCalls];
  Event events[kEvents];

  /// The step that began last. Safe on any thread.
  int32_t Step() { return std::atomic_ref(step).load(std::memory_order_relaxed); }
  void BeginStep(int32_t index) { std::atomic_ref(step).store(index, std::memory_order_relaxed); }

  /// Appends to the timeline. Safe on any thread, and in a signal handler.
  void Add(Seen seen, int slot, int32_t a = 0, int64_t b = 0) { AddAt(Step(), seen, slot, a, b); }
  void AddAt(int32_t during, Seen seen, int slot, int32_t a, int64_t b = 0) {
    const int32_t index = Count(event_count);
    if (index < 0 || index >= kEvents) return;
    events[index] = Event{seen, static_cast<uint8_t>(slot), static_cast<int16_t>(during), a, b};
  }

  /// Lists a call of a deleter. Safe on any thread.
  void Add(const DeleterCall& call) {
    const int32_t index = Count(deleter_count);
    if (index >= 0 && index < kDeleterCalls) deleter_calls[index] = call;
    AddAt(call.step, Seen::kDeleterCalled, call.slot, index);
  }
};

static_assert(std::is_trivially_copyable_v<Ledger> && std::is_standard_layout_v<Ledger>);

/// Empties the ledger for the next recipe, at the cost of what was used since the last time.
inline void Clear(Ledger& ledger) {
  const auto empty = [](auto& list, int32_t count) {
    constexpr size_t kRoom = sizeof(list) / sizeof(list[0]);
    std::memset(list, 0, std::min(static_cast<size_t>(std::max(count, 0)), kRoom) * sizeof(list[0]));
  };
  ledger.imports.Clear();
  ledger.exports.Clear();
  ledger.sources.Clear();
  ledger.tables.Clear();
  empty(ledger.faults, ledger.fault_count);
  empty(ledger.deleter_calls, ledger.deleter_count);
  empty(ledger.events, ledger.event_count);
  ledger.step = -1;
  ledger.event_count = ledger.fault_count = ledger.deleter_count = ledger.unsupported = 0;
}

/// Empties every byte, whatever they are: for memory that a library may have written over.
inline void Wipe(Ledger& ledger) { ledger = Ledger(); }

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_LEDGER_LEDGER_H_
