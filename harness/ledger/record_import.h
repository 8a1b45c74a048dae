// harness/ledger/record_import.h: the records of offers, and of the arrays that the library made from them.
#ifndef DLPACK_CTS_HARNESS_LEDGER_RECORD_IMPORT_H_
#define DLPACK_CTS_HARNESS_LEDGER_RECORD_IMPORT_H_

#include <cstdint>

#include "harness/ledger/record.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// One call of __dlpack__ or __dlpack_device__ of the fake producer.
struct ProducerCall {
  uint8_t is_device;        // __dlpack_device__, not __dlpack__
  uint8_t positional;       // number of positional arguments
  uint8_t raised;           // the fake producer raised
  uint8_t unknown_keyword;  // a keyword other than the four
  Argument max_version;
  Argument dl_device;
  Argument copy;
  Argument stream;
  FixedText<32> unknown_name;
  int32_t cuda_stream_device;  // 1 + the CUDA device of the stream, as the driver reports; 0: unknown
  int32_t reserved;
};
inline constexpr int kProducerCalls = 8;

/// Deleter calls, and when they came. Counts are per slot.
struct DeleterLedger {
  int32_t calls;              // all calls with this slot's struct
  int32_t calls_in_import;    // those before from_dlpack returned
  int32_t calls_while_alive;  // those after it returned, and before the harness dropped the array (or its view)
  int32_t without_gil;
  int32_t with_pending_exception;
  int32_t on_other_thread;
  int32_t from_destructor;  // those from the harness's own capsule destructor
  int32_t wrong_self;       // calls with a pointer that is not a live struct of the forge (counted for slot 0)
};

/// How the library used the forged exchange table on the type of a producer. Sets of functions have one bit for each
/// TableFunction.
struct TableUse {
  uint8_t looked;       // kLooked*
  uint8_t called;       // functions
  uint8_t failed;       // called functions that returned -1
  uint8_t without_gil;  // called without the GIL
  uint8_t foreign;      // called with an object of another type
  uint8_t pending;      // called with an exception pending
  uint8_t reserved[2];
};
enum : uint8_t { kLookedOnType = 1u << 0, kLookedOnObject = 1u << 1 };

/// The record of one offer, and of the array made from it.
struct ImportLedger {
  Refusal import;
  Refusal again;  // of Op::kImportAgain
  Description result;
  ElementReading memory;    // read through the described pointer and strides
  ElementReading library;   // by the library's own conversion
  ElementReading computed;  // of a computation of the library
  ElementReading view;      // of the view that outlived its array
  DeleterLedger deleter;
  int32_t capsules;         // capsules made for this offer
  WriteShown write_source;  // Op::kWriteSource: seen in the array
  WriteShown write_array;   // Op::kWriteArray: seen in the memory
  uint8_t released;         // the deleter had run after everything was dropped
  NameSeen name_before;
  NameSeen name_after;        // after from_dlpack returned
  NameSeen name_after_again;  // after Op::kImportAgain
  uint8_t capsule_pointer_changed;
  uint8_t capsule_context_changed;
  uint8_t capsule_destructor_changed;
  NameStorage used_name_storage;
  uint8_t warned;             // the library issued a warning during the import
  Answer taken_within;        // the library imported another such tensor while the deleter ran (DeleterKind)
  Race race;                  // Op::kImportTogether
  Answer cuda_ordered;        // Context::kPendingWork: the library reads the elements after the work
  Outcome closed;             // of the latest Op::kCloseArray
  Answer cuda_keeps_capture;  // Context::kCapture: the capture is intact
  Answer stays;               // Op::kTableImport: the array object lives after it was dropped, and holds the tensor
  uint8_t reserved[3];        // because ledgers are compared byte by byte
  int32_t cuda_status;        // CUDA status after the library has read; 0: no error
  int32_t reserved_too;
  Location place;          // of the described pointer, relative to element 0 of the offer (or of the source array)
  uint32_t changed_parts;  // kPart*: parts that had changed when the deleter ran (or at the end)
  int32_t changed_bytes;   // bytes of data, gaps and guard canaries that changed without a request
  TableUse table;
  ReferenceGrowth references;  // Op::kCountImports
  int32_t producer_calls;      // number of calls; the first kProducerCalls are recorded
  ProducerCall calls[kProducerCalls];

  /// Whether the array's elements are in the offered memory.
  bool Aliases() const { return place.area == Area::kData && place.other == 0; }
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_LEDGER_RECORD_IMPORT_H_
