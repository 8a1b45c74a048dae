// harness/ledger/record_export.h: the records of arrays that the library made and exported.
#ifndef DLPACK_CTS_HARNESS_LEDGER_RECORD_EXPORT_H_
#define DLPACK_CTS_HARNESS_LEDGER_RECORD_EXPORT_H_

#include <cstdint>

#include "harness/ledger/record.h"

namespace dlpack_cts {

/// How exported elements of fewer than 8 bits are stored: the packing that gives the expected elements.
enum class Packing : uint8_t {
  kNone,       // unknown: other dtypes, or not read
  kLowFirst,   // several to a byte, the first in the low bits
  kPadded,     // one to a byte
  kHighFirst,  // several to a byte, the first in the high bits
  kInside,     // as kLowFirst, but element 0 does not start at a byte
  kOther,
};

/// The kind of memory that the CUDA driver reports for an address. It is asked only if the library claims `cuda`.
enum class CudaMemory : uint8_t {
  kNotAsked,
  kUnknown,   // not CUDA memory
  kPageable,  // not CUDA memory, on a device that can read all host memory
  kHost,      // pinned host memory
  kDevice,
  kManaged,
};

/// The record of an export.
struct ExportLedger {
  Refusal export_call;
  uint8_t is_capsule;
  NameSeen name;
  uint8_t null_shape;
  uint8_t null_strides;
  uint8_t has_deleter;
  uint8_t same_capsule;        // the same object as an earlier export of this life
  uint8_t same_struct;         // the same struct as an earlier export that is still alive
  uint8_t metadata_readable;   // shape and strides (unless NULL) were readable
  uint8_t data_readable;       // every reachable element was readable
  Survival pending_exception;  // Op::kLoseCapsule, Context::kPendingException
  uint8_t deleted;             // Op::kDelete ran
  WriteShown write_export;     // Op::kWriteExport: seen in the source; Op::kTableAllocate: seen in the memory itself
  uint8_t versioned;           // read as DLManagedTensorVersioned
  uint8_t has_destructor;
  NameStorage name_storage;
  Packing packing;
  Answer left_exception;  // Op::kDelete, with the GIL: the deleter left an exception pending
  Race race;              // Op::kExportTogether
  Answer follows_change;  // after Op::kChangeMetadata: shape and strides are those that the library describes then
  // Op::kDelete in a fork: the deleter returned.
  Answer survives_fork;   // Context::kForkedChild
  Answer survives_exit;   // Context::kAtExit
  Answer survives_other;  // Context::kSubinterpreter
  Answer survives_end;    // Context::kFinalised
  // As the CUDA driver reports.
  CudaMemory cuda_memory;  // of element 0
  // Context::kOtherDevice: the current device is the same as before.
  Answer cuda_keeps_device;
  Answer cuda_deleter_keeps_device;
  Answer cuda_keeps_capture;  // Context::kCapture: the capture is intact
  // Context::kPendingWork: whether the elements come after the work on the stream that the export names; whether that
  // stream did not, and the legacy default stream did; whether the export returned only after the work was done.
  Answer cuda_ordered;
  Answer cuda_orders_another;
  Answer cuda_blocks;
  Answer cuda_copies_apart;  // Context::kHeldStream: the copy was made before work on the requested stream could run
  Answer cuda_leaves_alone;  // Context::kEndedStream: the library does not use the stream's handle
  Answer frees_without_gil;  // Op::kDelete, Context::kRawThread: the deleter used Python's memory without the GIL
  int32_t cuda_device;       // of that memory; -1 for other memory
  abi::DLPackVersion version;
  uint64_t flags;
  abi::DLTensor tensor;  // pointers as exported, only for comparison
  uint64_t struct_address;
  Location place;  // of element 0, relative to element 0 of the array (or of the offer that is re-exported)
  int64_t shape[kDims];
  int64_t strides[kDims];         // in elements
  uint32_t changed_parts;         // kPart*: parts that a later Op::kInspect read differently
  ElementReading elements;        // of the latest Op::kReadExport
  ElementReading first_elements;  // read at the export
  ReferenceGrowth references;     // Op::kCountExports

  /// Whether element 0 of the export is element 0 of the source.
  bool IsAtSource() const { return place.area == Area::kData && place.other == 0 && place.offset == 0; }
};

/// The record of an array that the library made.
struct SourceLedger {
  Refusal make;
  Description description;     // the latest one
  Refusal change;              // Op::kChangeMetadata
  Refusal device_call;         // Op::kAskDevice
  uint8_t device_is_pair;      // it is a tuple (or subclass) of two
  uint8_t device_type_is_int;  // convertible to int by __index__, or an int subclass
  uint8_t device_id_is_int;
  uint8_t alive_known;     // the subject can report whether the array object is alive
  uint8_t alive_at_end;    // after everything was dropped, deleted and collected
  Answer outlived;         // the array object stayed alive when it was dropped before an export
  uint8_t counted;         // Op::kExportOften: memory was measured
  Outcome closed;          // of the latest Op::kCloseSource
  WriteShown first_write;  // of the first Op::kWriteMade
  WriteShown write;        // of the latest one
  uint32_t changed_parts;  // kPart*: parts of the description that the latest Op::kDescribeSource read differently than
                           // the description before it; kPartFlags: whether the array is writable
  abi::DLDevice device;
  ElementReading elements;    // by the library's own conversion, after the export
  ElementReading used;        // of a computation after the export
  int64_t references_gained;  // references to the array that its refused exports left, in all
  int64_t kept_bytes;         // bytes of memory that each of many exports leaks
  int64_t kept_objects;       // objects of the runtime that each of many exports leaks
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_LEDGER_RECORD_EXPORT_H_
