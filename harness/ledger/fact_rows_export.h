// harness/ledger/fact_rows_export.h: the facts of an export and of its array, one row each.
#ifndef DLPACK_CTS_HARNESS_LEDGER_FACT_ROWS_EXPORT_H_
#define DLPACK_CTS_HARNESS_LEDGER_FACT_ROWS_EXPORT_H_

#include "harness/ledger/fact_rows_import.h"

namespace dlpack_cts::rows {

inline bool HasStruct(const ExportLedger& e) { return e.struct_address != 0; }

/// The largest power of two that divides the address; 0 for NULL.
inline int64_t AlignmentOf(uint64_t address) { return static_cast<int64_t>(address & (~address + 1)); }

inline constexpr DeclaredFact kExport[] = {
    {"is_capsule", Field<&ExportLedger::is_capsule>, Family::kCapsule, Known::kReturned,
     "whether the export is a PyCapsule"},
    {"name_agrees", Of([](const ExportLedger& e) {
       return If(e.name == NameSeen::kLegacy || e.name == NameSeen::kVersioned,
                 (e.name == NameSeen::kVersioned) == (e.versioned != 0));
     }),
     Family::kCapsule, kSaid, "whether the struct is of the kind that the capsule's name says"},
    {"name", Field<&ExportLedger::name>, Family::kCapsule, kSaid, "name of the capsule"},
    {"name_storage", Field<&ExportLedger::name_storage>, Family::kCapsule, kSaid,
     "kind of memory that holds the capsule's name"},
    {"has_destructor", Field<&ExportLedger::has_destructor>, Family::kCapsule, kExported,
     "whether the capsule has a destructor"},
    {"versioned", Field<&ExportLedger::versioned>, Family::kVersion, kExported,
     "whether the struct is a DLManagedTensorVersioned"},
    {"version", Of([](const ExportLedger& e) { return If(e.versioned != 0, e.version); }), Family::kVersion, kExported,
     "version of the struct"},
    {"flags", Of([](const ExportLedger& e) { return If(e.versioned != 0, e.flags); }), Family::kFlags, kExported,
     "flags of the struct"},
    {"has_deleter", Field<&ExportLedger::has_deleter>, Family::kRelease, kExported, "whether the struct has a deleter"},
    {"null_data", Of([](const ExportLedger& e) { return e.tensor.data == nullptr; }), Family::kPlace, kExported,
     "whether dl_tensor.data is NULL"},
    {"null_shape", Field<&ExportLedger::null_shape>, Family::kMemoryInCall, kExported,
     "whether dl_tensor.shape is NULL"},
    {"null_strides", Field<&ExportLedger::null_strides>, Family::kStrides, kExported,
     "whether dl_tensor.strides is NULL"},
    {"device", Of([](const ExportLedger& e) { return If(HasStruct(e), e.tensor.device); }), Family::kStructDevice,
     kExported, "dl_tensor.device"},
    {"ndim", Of([](const ExportLedger& e) { return If(HasStruct(e), e.tensor.ndim); }), Family::kShape, kExported,
     "dl_tensor.ndim"},
    {"dtype", Of([](const ExportLedger& e) { return If(HasStruct(e), e.tensor.dtype); }), Family::kDtype, kExported,
     "dl_tensor.dtype"},
    {"shape", Of([](const ExportLedger& e) {
       return If(HasStruct(e) && (e.null_shape == 0 || e.tensor.ndim == 0), Tuple{e.shape, e.tensor.ndim});
     }),
     Family::kShape, kExported, "dl_tensor.shape"},
    {"strides",
     Of([](const ExportLedger& e) { return If(HasStruct(e) && e.null_strides == 0, Tuple{e.strides, e.tensor.ndim}); }),
     Family::kStrides, kExported, "dl_tensor.strides"},
    {"byte_offset", Of([](const ExportLedger& e) { return If(HasStruct(e), e.tensor.byte_offset); }), Family::kPlace,
     kExported, "dl_tensor.byte_offset"},
    {"place", Of([](const ExportLedger& e) { return e.place; }), Family::kPlace, kExported,
     "address of element 0, dl_tensor.data + byte_offset"},
    {"points_at_source",
     Of([](const ExportLedger& e) { return If(HasStruct(e) && e.place.area != Area::kUnknown, e.IsAtSource()); }),
     Family::kPlace, kExported, "whether dl_tensor.data + byte_offset is the address of the array's element 0"},
    {"alignment", Of([](const ExportLedger& e) {
       return If(HasStruct(e), int64_t(AlignmentOf(reinterpret_cast<uint64_t>(e.tensor.data) + e.tensor.byte_offset)));
     }),
     Family::kPlace, kExported, "largest power of two that divides the address of element 0, or 0 for NULL", true},
    {"data_alignment", Of([](const ExportLedger& e) {
       return If(HasStruct(e), int64_t(AlignmentOf(reinterpret_cast<uint64_t>(e.tensor.data))));
     }),
     Family::kPlace, kExported, "largest power of two that divides dl_tensor.data, or 0 for NULL", true},
    {"metadata_readable", Field<&ExportLedger::metadata_readable>, Family::kMemoryInCall, kExported,
     "whether dl_tensor.shape and dl_tensor.strides could be read in full"},
    {"data_readable", Field<&ExportLedger::data_readable>, Family::kPlace, kExported,
     "whether every element could be read"},
    {"packing", Of([](const ExportLedger& e) { return If(e.packing != Packing::kNone, e.packing); }), Family::kPlace,
     kExported, "layout in memory of elements smaller than a byte"},
    {"cuda_memory", Field<&ExportLedger::cuda_memory>, Family::kPlace, kSaid,
     "kind of memory at element 0 that the CUDA driver reports"},
    {"cuda_device", Of([](const ExportLedger& e) {
       return If(e.cuda_memory >= CudaMemory::kHost && e.cuda_device >= 0, e.cuda_device);
     }),
     Family::kStructDevice, kSaid, "CUDA device of the memory at element 0"},
    {"cuda_keeps_device", Field<&ExportLedger::cuda_keeps_device>, Family::kWrites, kSaid,
     "whether the step leaves the current CUDA device as it was"},
    {"cuda_deleter_keeps_device", Field<&ExportLedger::cuda_deleter_keeps_device>, Family::kWrites, kSaid,
     "whether the deleter leaves the current CUDA device as it was"},
    {"cuda_keeps_capture", Field<&ExportLedger::cuda_keeps_capture>, Family::kWrites, kSaid,
     "whether the capture of a CUDA stream goes on after the step"},
    {"cuda_ordered", Told<&ExportLedger::cuda_ordered>, Family::kPlace, kSaid,
     "whether the exported elements are read only after the pending CUDA work"},
    {"cuda_orders_another", Told<&ExportLedger::cuda_orders_another>, Family::kPlace, kSaid,
     "whether the legacy default stream waits for the pending work instead of the stream that was passed"},
    {"cuda_blocks", Told<&ExportLedger::cuda_blocks>, Family::kWrites, kSaid,
     "whether the export returned only after the pending CUDA work was done"},
    {"cuda_copies_apart", Told<&ExportLedger::cuda_copies_apart>, Family::kPlace, kSaid,
     "whether the copy was complete while the stream that was passed was still blocked"},
    {"cuda_leaves_alone", Told<&ExportLedger::cuda_leaves_alone>, Family::kRelease, kSaid,
     "whether the library leaves the stream that was passed alone after that stream was destroyed"},
    {"same_capsule", Field<&ExportLedger::same_capsule>, Family::kCapsule, kExported,
     "whether the capsule is that of an earlier export"},
    {"same_struct", Field<&ExportLedger::same_struct>, Family::kRelease, kExported,
     "whether the struct is that of an earlier export that is still alive"},
    {"pending_exception", Field<&ExportLedger::pending_exception>, Family::kRelease, kSaid,
     "what happened to a pending exception when the capsule was destroyed"},
    {"deleted", Field<&ExportLedger::deleted>, Family::kRelease, kExported,
     "whether the deleter was called, if there is one"},
    {"left_exception", Field<&ExportLedger::left_exception>, Family::kRelease, kExported,
     "whether the deleter returned with a new Python exception set"},
    {"frees_without_gil", Told<&ExportLedger::frees_without_gil>, Family::kRelease, kSaid,
     "whether the deleter allocated or freed Python memory without the GIL"},
    {"survives_fork", Field<&ExportLedger::survives_fork>, Family::kRelease, kSaid,
     "whether the deleter returned in a forked child"},
    {"survives_exit", Field<&ExportLedger::survives_exit>, Family::kRelease, kSaid,
     "whether the deleter returned in an exit handler"},
    {"survives_other", Field<&ExportLedger::survives_other>, Family::kRelease, kSaid,
     "whether the deleter returned at the end of a subinterpreter"},
    {"survives_end", Field<&ExportLedger::survives_end>, Family::kRelease, kSaid,
     "whether the deleter returned after the interpreter was finalised"},
    {"follows_change", Told<&ExportLedger::follows_change>, Family::kShape, kSaid,
     "whether an array that was changed in place is exported with the shape and strides that the library describes "
     "then"},
    {"race", Field<&ExportLedger::race>, Family::kRelease, kSaid, "result of exports by several threads at once"},
    {"write_export", Field<&ExportLedger::write_export>, Family::kPlace, kSaid,
     "whether the array (for an allocation: its own memory) shows what was written through the struct"},
    {"changed", SetOf<PartSet, &ExportLedger::changed_parts>, Family::kWrites, kExported,
     "fields of the struct that a later reading found changed"},
};

inline constexpr DeclaredFact kSource[] = {
    {"device_is_pair", Field<&SourceLedger::device_is_pair>, Family::kDeviceAnswer, Known::kAnswered,
     "whether __dlpack_device__ returned a tuple of two items"},
    {"device_type_is_int", Field<&SourceLedger::device_type_is_int>, Family::kDeviceAnswer, Known::kAnswered,
     "whether the device_type of __dlpack_device__ is an integer"},
    {"device_id_is_int", Field<&SourceLedger::device_id_is_int>, Family::kDeviceAnswer, Known::kAnswered,
     "whether the device_id of __dlpack_device__ is an integer"},
    {"reported_device",
     Of([](const SourceLedger& s) { return If(s.device_call.outcome == Outcome::kAccepted, s.device); }),
     Family::kDeviceAnswer, Known::kAnswered, "result of __dlpack_device__"},
    {"alive_at_end", Of([](const SourceLedger& s) { return If(s.alive_known != 0, s.alive_at_end != 0); }),
     Family::kRelease, Known::kMade, "whether the array object was still alive after everything was dropped"},
    {"kept_bytes", Of([](const SourceLedger& s) { return If(s.counted != 0, s.kept_bytes); }), Family::kRelease,
     Known::kMade, "bytes that each of many exports leaves allocated", true},
    {"kept_objects", Of([](const SourceLedger& s) { return If(s.counted != 0, s.kept_objects); }), Family::kRelease,
     Known::kMade, "blocks of interpreter memory that each of many exports leaves allocated", true},
    {"first_write", Field<&SourceLedger::first_write>, Family::kWrites, kSaid,
     "whether the library wrote an element of its array, at first"},
    {"write", Field<&SourceLedger::write>, Family::kWrites, kSaid,
     "whether the library wrote an element of its array, at last"},
    {"changed", SetOf<PartSet, &SourceLedger::changed_parts>, Family::kWrites, Known::kMade,
     "parts of the description of the array that differ from its description before; flags: whether it is writable"},
    {"closed", Field<&SourceLedger::closed>, Family::kReported, kSaid,
     "outcome of the close of the array that was made"},
    {"references_gained", Field<&SourceLedger::references_gained>, Family::kRelease, Known::kMade,
     "number of references to the array that refused exports leave"},
};

}  // namespace dlpack_cts::rows

#endif  // DLPACK_CTS_HARNESS_LEDGER_FACT_ROWS_EXPORT_H_
