// harness/ledger/record_import.h: what happened to an offer, and to the array that the library made of it.
#ifndef DLPACK_CTS_HARNESS_LEDGER_RECORD_IMPORT_H_
#define DLPACK_CTS_HARNESS_LEDGER_RECORD_IMPORT_H_

#include <cstdint>

#include "harness/ledger/record.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts {

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

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_LEDGER_RECORD_IMPORT_H_
