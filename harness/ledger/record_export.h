// harness/ledger/record_export.h: what the library made and exported.
#ifndef DLPACK_CTS_HARNESS_LEDGER_RECORD_EXPORT_H_
#define DLPACK_CTS_HARNESS_LEDGER_RECORD_EXPORT_H_

#include <cstdint>

#include "harness/ledger/record.h"

namespace dlpack_cts {

/// How exported elements of less than a byte lie in memory: in which way they are read rightly.
enum class Packing : uint8_t {
  kNone,       // not known: other types, or not read
  kLowFirst,   // several to a byte, low bits first
  kPadded,     // a byte each
  kHighFirst,  // several to a byte, high bits first
  kInside,     // as kLowFirst, but element 0 starts behind the begin of its byte
  kOther,
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

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_LEDGER_RECORD_EXPORT_H_
