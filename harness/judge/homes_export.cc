// harness/judge/homes_export.cc: the homes of what a library exports, and of its exchange table.
#include "harness/judge/home_list.h"

namespace dlpack_cts {
namespace {

constexpr Side kOut = Side::kExport;

constexpr Home kHomes[] = {
    {kOut, Family::kAsks, "", "", "", "PY-DLPACK-02"},

    // The exchange table.
    {kOut, Family::kTable, "", "", "", "XAPI-FROM-05"},
    {kOut, Family::kTable, "", "tableS.found tableS.current", "", "XAPI-DISC-01"},
    {kOut, Family::kTable, "", "tableS.older tableS.names_differ", "", "XAPI-DISC-02"},
    {kOut, Family::kTable, "", "tableS.readable", "", "C-LAYOUT-09"},
    {kOut, Family::kTable, "", "tableS.version", "", "XAPI-VER-06"},
    {kOut, Family::kTable, "", "tableS.null_slots", "", "XAPI-TAB-02"},
    {kOut, Family::kTable, "", "tableS.moved", "", "XAPI-DISC-04"},
    {kOut, Family::kTable, "", "tableS.changed", "", "XAPI-DISC-05"},
    {kOut, Family::kTable, "", "tableS.chain_ends tableS.chain_length", "", "XAPI-VER-03"},
    {kOut, Family::kTable, "", "tableS.chain_ascends", "", "XAPI-VER-04"},
    {kOut, Family::kTable, "", "tableS.prototype_changed", "", "XAPI-ALLOC-09"},
    {kOut, Family::kTable, "", "tableS.set_errors", "", "XAPI-ALLOC-05"},
    {kOut, Family::kTable, "", "tableS.error_context_wrong tableS.error_text_missing", "", "XAPI-ALLOC-06"},
    {kOut, Family::kTable, "", "tableS.allocator.status", "", "XAPI-ALLOC-08"},
    {kOut, Family::kTable, "",
     "tableS.from_object.status tableS.view.status tableS.stream.status tableS.to_object.status", "", "XAPI-RET-01"},
    {kOut, Family::kTable, "",
     "tableS.from_object.exception tableS.view.exception tableS.stream.exception tableS.to_object.exception "
     "tableS.allocator.exception",
     "", "XAPI-RET-02"},
    {kOut, Family::kTable, "",
     "tableS.from_object.out_written tableS.view.out_written tableS.stream.out_written tableS.to_object.out_written",
     "", "XAPI-RET-04"},
    {kOut, Family::kTable, "", "tableS.object_is_foreign", "", "XAPI-TO-02"},

    {kOut, Family::kDeviceAnswer, "", "", "", "PY-DEVICE-01"},
    {kOut, Family::kDeviceAnswer, "", "sourceS.device_call*", "", "PY-DLPACK-09"},
    {kOut, Family::kDeviceAnswer, "", "sourceS.reported_device", "", "PY-DEVICE-03"},
    {kOut, Family::kDeviceAnswer, "", "sourceS.reported_device", "unpublished", "PY-DEVICE-02"},

    // How the call ended.
    {kOut, Family::kOutcome, "", "", "", "PY-DLPACK-13"},
    {kOut, Family::kException, "", "", "", "PY-DLPACK-04"},
    {kOut, Family::kException, "refused-export", "", "", "PY-DLPACK-03"},
    {kOut, Family::kException, "", "stumbled", "", "PY-DLPACK-13"},
    {kOut, Family::kHang, "", "", "", "PY-DLPACK-13"},
    {kOut, Family::kMemoryInCall, "", "", "", "PY-DLPACK-13"},
    {kOut, Family::kMemoryInCall, "", "exportS.metadata_readable", "", "C-LAYOUT-01"},
    {kOut, Family::kMemoryInCall, "rank-1", "exportS.metadata_readable", "", "C-STRIDES-06"},
    {kOut, Family::kMemoryInCall, "step-table-view", "exportS.metadata_readable", "", "C-LAYOUT-09"},
    {kOut, Family::kMemoryInCall, "", "exportS.null_shape", "1", "C-LAYOUT-01"},
    {kOut, Family::kMemoryInCall, "rank-1", "exportS.null_shape", "1", "C-SHAPE-03"},
    {kOut, Family::kMemoryInCall, "", "exportS.null_shape", "0", "C-SHAPE-01"},
    {kOut, Family::kMemoryInCall, "max_version-int", "", "", "PY-MAXVER-11"},
    {kOut, Family::kMemoryInCall, "max_version-true", "", "", "PY-MAXVER-11"},
    {kOut, Family::kMemoryInCall, "max_version-false", "", "", "PY-MAXVER-11"},
    {kOut, Family::kMemoryInCall, "max_version-list", "", "", "PY-MAXVER-11"},
    {kOut, Family::kMemoryInCall, "max_version-one-tuple", "", "", "PY-MAXVER-11"},
    {kOut, Family::kMemoryInCall, "max_version-string", "", "", "PY-MAXVER-11"},
    {kOut, Family::kMemoryInCall, "max_version-floats", "", "", "PY-MAXVER-11"},
    {kOut, Family::kMemoryInCall, "max_version-huge", "", "", "PY-MAXVER-11"},
    {kOut, Family::kMemoryInCall, "max_version-object", "", "", "PY-MAXVER-11"},
    {kOut, Family::kMemoryInCall, "dl_device-*", "", "", "PY-DLDEVICE-02"},
    {kOut, Family::kMemoryInCall, "stream-handle", "", "", "PY-STREAM-09"},

    // The capsule.
    {kOut, Family::kCapsule, "", "", "", "PY-CAPSULE-01"},
    {kOut, Family::kCapsule, "max_version-1.3", "", "", "PY-CAPSULE-02"},
    {kOut, Family::kCapsule, "", "exportS.is_capsule", "", "PY-DLPACK-02"},
    {kOut, Family::kCapsule, "", "exportS.has_destructor", "", "PY-CAPSULE-04"},
    {kOut, Family::kCapsule, "", "exportS.name_storage", "", "PY-CAPSULE-08"},
    {kOut, Family::kCapsule, "", "exportS.name", "foreign", "PY-CAPSULE-01"},
    {kOut, Family::kCapsule, "", "exportS.name exportS.versioned", "dltensor_versioned", "PY-MAXVER-01"},
    {kOut, Family::kCapsule, "max_version-before-1", "exportS.name exportS.versioned", "", "PY-MAXVER-04"},
    {kOut, Family::kCapsule, "max_version-later-major", "exportS.name exportS.versioned", "", "PY-MAXVER-02"},
    {kOut, Family::kCapsule, "", "exportS.same_capsule", "", "PY-CAPSULE-18"},
    {kOut, Family::kCapsule, "several-tensors", "exportS.same_capsule", "", "PY-CAPSULE-18"},

    // The struct.
    {kOut, Family::kVersion, "", "", "", "C-VERSION-01"},
    {kOut, Family::kVersion, "", "exportS.version", "", "C-VERSION-01"},
    {kOut, Family::kVersion, "max_version-later-minor", "", "", "PY-MAXVER-02"},
    {kOut, Family::kVersion, "dtype-float8*", "", "", "C-VERSION-10"},
    {kOut, Family::kFlags, "", "", "", "C-FLAGS-01"},
    {kOut, Family::kFlags, "", "exportS.flags", "2", "C-FLAGS-06"},
    {kOut, Family::kFlags, "copy-true", "", "", "C-FLAGS-05"},
    {kOut, Family::kFlags, "read-only-array", "", "", "C-FLAGS-02"},
    {kOut, Family::kFlags, "read-only-array copy-true", "", "", "C-FLAGS-07"},
    {kOut, Family::kFlags, "read-only step-reexport", "", "", "C-FLAGS-12"},
    {kOut, Family::kFlags, "is-copied step-reexport", "", "", "C-FLAGS-12"},
    {kOut, Family::kFlags, "subbyte-padded step-reexport", "", "", "C-FLAGS-12"},
    {kOut, Family::kStructDevice, "", "", "", "C-DEVICE-01"},
    {kOut, Family::kStructDevice, "", "exportS.device", "", "C-DEVICE-01"},
    {kOut, Family::kStructDevice, "", "exportS.device", "(1, *", "C-DEVICE-02"},
    {kOut, Family::kStructDevice, "dl_device-none", "", "", "PY-DLDEVICE-01"},
    {kOut, Family::kStructDevice, "dl_device-pair", "", "", "PY-DLDEVICE-06"},
    {kOut, Family::kDtype, "", "", "", "C-DTYPE-02"},
    {kOut, Family::kDtype, "", "exportS.dtype", "", "C-DTYPE-02"},
    {kOut, Family::kDtype, "", "exportS.dtype", "unpublished", "C-DTYPE-01"},
    {kOut, Family::kDtype, "dtype-*", "exportS.dtype", "unpublished", "C-DTYPE-01"},
    {kOut, Family::kDtype, "dtype-bool", "", "", "C-DTYPE-04"},
    {kOut, Family::kDtype, "dtype-bfloat16", "", "", "C-DTYPE-05"},
    {kOut, Family::kDtype, "dtype-complex*", "", "", "C-DTYPE-03"},
    {kOut, Family::kDtype, "dtype-float8*", "", "", "C-DTYPE-07"},
    {kOut, Family::kShape, "", "", "", "C-SHAPE-10"},
    {kOut, Family::kShape, "", "exportS.shape", "", "C-SHAPE-10"},
    {kOut, Family::kShape, "", "exportS.ndim", "", "C-SHAPE-01"},
    {kOut, Family::kShape, "", "exportS.shape", "negative", "C-SHAPE-04"},
    {kOut, Family::kShape, "step-table-allocate", "", "", "XAPI-ALLOC-03"},
    {kOut, Family::kStrides, "", "", "", "C-SHAPE-10"},
    {kOut, Family::kStrides, "", "exportS.null_strides", "", "C-STRIDES-01"},
    {kOut, Family::kStrides, "explicit-strides strided", "exportS.null_strides", "", "C-STRIDES-02"},

    // Where the elements are.
    {kOut, Family::kPlace, "", "", "", "C-DATA-15"},
    {kOut, Family::kPlace, "", "exportS.place exportS.points_at_source", "", "PY-DLPACK-07"},
    {kOut, Family::kPlace, "", "exportS.null_data", "1", "C-DATA-07"},
    {kOut, Family::kPlace, "empty", "exportS.null_data", "", "C-DATA-04"},
    {kOut, Family::kPlace, "", "exportS.data_readable", "", "C-DATA-10"},
    {kOut, Family::kPlace, "", "exportS.elements", "", "C-DATA-12"},
    {kOut, Family::kPlace, "view", "exportS.place exportS.first_elements", "", "C-DATA-14"},
    {kOut, Family::kPlace, "", "sourceS.elements sourceS.used", "", "PY-DLPACK-06"},
    {kOut, Family::kPlace, "stream-*", "sourceS.elements sourceS.used", "", "PY-STREAM-08"},
    {kOut, Family::kPlace, "copy-true", "exportS.place exportS.points_at_source", "", "C-FLAGS-07"},
    {kOut, Family::kPlace, "copy-true", "exportS.write_export", "", "C-FLAGS-07"},
    {kOut, Family::kPlace, "step-reexport", "", "", "C-OWN-18"},
    {kOut, Family::kPlace, "several-tensors", "", "", "C-OWN-11"},
    {kOut, Family::kPlace, "dtype-bool", "", "", "C-DTYPE-16"},

    // What is written.
    {kOut, Family::kWrites, "", "", "", "C-OWN-19"},
    {kOut, Family::kWrites, "step-change-metadata", "", "", "C-SHAPE-05"},
    {kOut, Family::kWrites, "several-tensors", "", "", "C-OWN-19"},

    // Who releases it, and when.
    {kOut, Family::kRelease, "", "", "", "C-OWN-20"},
    {kOut, Family::kRelease, "", "exportS.has_deleter", "", "C-OWN-20"},
    {kOut, Family::kRelease, "step-export-often", "", "", "C-OWN-20"},
    {kOut, Family::kRelease, "step-lose-capsule", "", "", "PY-CAPSULE-04"},
    {kOut, Family::kRelease, "often-unused", "", "", "PY-CAPSULE-04"},
    {kOut, Family::kRelease, "", "death*", "", "PY-CAPSULE-05"},
    {kOut, Family::kRelease, "", "death-delete", "", "C-OWN-06"},
    {kOut, Family::kRelease, "", "thrown*", "", "C-OWN-14"},
    {kOut, Family::kRelease, "", "exportS.same_struct", "", "PY-CAPSULE-18"},
    {kOut, Family::kRelease, "several-tensors", "", "", "C-OWN-11"},
    {kOut, Family::kRelease, "several-tensors", "exportS.same_struct", "", "PY-CAPSULE-18"},
    {kOut, Family::kRelease, "raw-thread", "", "", "C-OWN-12"},
    {kOut, Family::kRelease, "threads", "", "", "C-OWN-13"},
    {kOut, Family::kRelease, "pending-exception step-lose-capsule", "exportS.pending_exception", "", "PY-CAPSULE-13"},
    {kOut, Family::kRelease, "max_version-*", "sourceS.*", "", "PY-DLPACK-12"},
    {kOut, Family::kRelease, "stream-handle", "death*", "", "PY-STREAM-09"},
    {kOut, Family::kRelease, "stream-handle step-lose-capsule", "death*", "", "PY-STREAM-09"},
    {kOut, Family::kRelease, "refused-export", "", "", "PY-DLPACK-12"},
    {kOut, Family::kRelease, "step-reexport", "", "", "C-OWN-18"},
    {kOut, Family::kRelease, "step-table-export", "", "", "XAPI-FROM-01"},
    {kOut, Family::kRelease, "step-table-allocate", "", "", "XAPI-ALLOC-02"},
    {kOut, Family::kRelease, "step-table-view", "", "", "XAPI-DLT-01"},

    // The library's own ways (way.h).
    {kOut, Family::kWay, "", "", "", "C-VERSION-07"},
    {kOut, Family::kWay, "", "exportS.versioned", "", "PY-MAXVER-13"},
    {kOut, Family::kWay, "", "exportS.name_storage", "", "PY-CAPSULE-08"},
};

}  // namespace

std::span<const Home> ExportHomes() { return kHomes; }

}  // namespace dlpack_cts
