// harness/attribute/attributions_export.cc: the attributions for exports, and for a library's exchange table.
#include "harness/attribute/attribution.h"

namespace dlpack_cts {
namespace {

constexpr AttributionRow kAsks[] = {
    {.rule = "PY-DLPACK-02"},
};

// The exchange table.
constexpr AttributionRow kTable[] = {
    {.rule = "XAPI-FROM-05"},
    {.rule = "XAPI-DISC-01", .facts = "tableS.found tableS.current"},
    {.rule = "XAPI-DISC-02", .facts = "tableS.current", .got = "int"},
    {.rule = "XAPI-DISC-02", .facts = "tableS.older tableS.names_differ"},
    {.rule = "C-LAYOUT-09", .facts = "tableS.readable"},
    {.rule = "XAPI-VER-06", .facts = "tableS.version"},
    {.rule = "XAPI-TAB-02", .facts = "tableS.null_slots"},
    {.rule = "XAPI-TAB-01", .facts = "tableS.null_slots", .got = "allocator"},
    {.rule = "XAPI-TAB-03", .facts = "tableS.null_slots", .got = "to_object"},
    {.rule = "XAPI-TAB-05", .facts = "tableS.null_slots", .got = "stream"},
    {.rule = "XAPI-DISC-04", .facts = "tableS.moved"},
    {.rule = "XAPI-DISC-05", .facts = "tableS.changed"},
    {.rule = "XAPI-VER-03", .facts = "tableS.chain_ends"},
    {.rule = "XAPI-VER-04", .facts = "tableS.chain_ascends"},
    {.rule = "XAPI-ALLOC-09", .facts = "tableS.prototype_changed"},
    {.rule = "XAPI-ALLOC-05", .facts = "tableS.set_errors"},
    {.rule = "XAPI-ALLOC-06", .facts = "tableS.error_context_wrong tableS.error_text_missing"},
    {.rule = "XAPI-ALLOC-08", .facts = "tableS.allocator.status tableS.allocator.out_written"},
    {.rule = "XAPI-RET-01",
     .facts = "tableS.from_object.status tableS.view.status tableS.stream.status tableS.to_object.status"},
    {.rule = "XAPI-RET-02", .triggers = "passed-* | viewed-*", .facts = "tableS.from_object.status tableS.view.status"},
    {.rule = "XAPI-RET-02",
     .facts = "tableS.from_object.exception tableS.view.exception tableS.stream.exception tableS.to_object.exception "
              "tableS.allocator.exception"},
    {.rule = "XAPI-RET-04",
     .facts = "tableS.from_object.out_written tableS.view.out_written tableS.stream.out_written "
              "tableS.to_object.out_written tableS.allocator.overran tableS.from_object.overran tableS.view.overran "
              "tableS.stream.overran tableS.to_object.overran"},
    {.rule = "XAPI-TO-02", .facts = "tableS.object_is_foreign"},
    {.rule = "XAPI-STREAM-04", .facts = "tableS.cuda_knows_stream"},
    {.rule = "XAPI-STREAM-01", .facts = "tableS.stream_is_own"},
};

constexpr AttributionRow kDeviceAnswer[] = {
    {.rule = "PY-DEVICE-01"},
    {.rule = "PY-DLPACK-09", .facts = "sourceS.device_call*"},
    {.rule = "PY-DEVICE-03", .facts = "sourceS.reported_device"},
    {.rule = "PY-DEVICE-02", .facts = "sourceS.reported_device", .got = "unpublished"},
};

// How the call ended.
constexpr AttributionRow kOutcome[] = {
    {.rule = "PY-DLPACK-13"},
    {.rule = "XAPI-FROM-02", .triggers = "odd-object step-table-export"},
    {.rule = "PY-DLPACK-03", .triggers = "odd-date | odd-quantized | odd-text | odd-object"},
    {.rule = "PY-DLPACK-01", .triggers = "fresh-names"},
    {.rule = "PY-COPY-01", .triggers = "copy-true"},
    {.rule = "PY-STREAM-03", .triggers = "foreign-device stream-zero"},
};

constexpr AttributionRow kException[] = {
    {.rule = "PY-DLPACK-04"},
    {.rule = "PY-DLPACK-03", .triggers = "refused-export"},
    {.rule = "PY-COPY-02", .triggers = "refused-export", .facts = "exportS.is_buffer_error"},
    {.rule = "XAPI-FROM-02", .triggers = "step-table-export", .facts = "exportS.exception"},
    {.rule = "PY-DLPACK-13", .facts = "stumbled"},
};

constexpr AttributionRow kHang[] = {
    {.rule = "PY-DLPACK-13"},
    {.rule = "PY-THREAD-03", .facts = "hang-delete hang-lose-capsule"},
};

constexpr AttributionRow kMemoryInCall[] = {
    {.rule = "PY-DLPACK-13"},
    {.rule = "C-LAYOUT-01", .facts = "exportS.metadata_readable"},
    {.rule = "C-STRIDES-06", .triggers = "rank-1", .facts = "exportS.metadata_readable"},
    {.rule = "XAPI-ALLOC-01", .triggers = "step-table-allocate"},
    {.rule = "XAPI-ALLOC-03", .triggers = "lanes step-table-allocate", .facts = "death*"},
    {.rule = "XAPI-RET-03",
     .triggers = "step-table-allocate | step-table-view | step-table-export | step-table-export passed-* | "
                 "step-table-view viewed-*",
     .facts = "thrown*"},
    {.rule = "XAPI-TAB-04", .triggers = "step-table-view"},
    {.rule = "XAPI-STREAM-05", .triggers = "step-table-stream"},
    {.rule = "C-LAYOUT-09", .triggers = "step-table-view", .facts = "exportS.metadata_readable"},
    {.rule = "C-LAYOUT-01", .facts = "exportS.null_shape", .got = "1"},
    {.rule = "C-SHAPE-03", .triggers = "rank-1", .facts = "exportS.null_shape", .got = "1"},
    {.rule = "C-SHAPE-01", .facts = "exportS.null_shape", .got = "0"},
    {.rule = "PY-MAXVER-11",
     .triggers = "max_version-int | max_version-true | max_version-false | max_version-list | max_version-one-tuple | "
                 "max_version-string | max_version-floats | max_version-huge | max_version-object | max_version-bools"},
    {.rule = "PY-MAXVER-02", .triggers = "max_version-later-minor | max_version-later-major"},
    {.rule = "PY-MAXVER-04", .triggers = "max_version-before-1"},
    {.rule = "PY-DLDEVICE-02", .triggers = "dl_device-*"},
    {.rule = "PY-STREAM-09", .triggers = "stream-handle"},
};

constexpr AttributionRow kCapsule[] = {
    {.rule = "PY-CAPSULE-01"},
    {.rule = "PY-CAPSULE-02", .triggers = "max_version-1.3"},
    {.rule = "PY-DLPACK-01", .triggers = "fresh-names max_version-*"},
    {.rule = "PY-DLPACK-01", .triggers = "keyword-order max_version-*"},
    {.rule = "PY-CAPSULE-03", .facts = "exportS.name_agrees"},
    {.rule = "PY-CAPSULE-03", .triggers = "max_version-1.3", .facts = "exportS.name_agrees"},
    {.rule = "PY-DLPACK-02", .facts = "exportS.is_capsule"},
    {.rule = "PY-CAPSULE-04", .facts = "exportS.has_destructor"},
    {.rule = "PY-CAPSULE-04", .triggers = "max_version-1.3", .facts = "exportS.has_destructor"},
    {.rule = "PY-CAPSULE-08", .facts = "exportS.name_storage"},
    {.rule = "PY-CAPSULE-01", .facts = "exportS.name", .got = "foreign"},
    {.rule = "PY-MAXVER-01", .facts = "exportS.name exportS.versioned", .got = "dltensor_versioned"},
    {.rule = "PY-MAXVER-04", .triggers = "max_version-before-1", .facts = "exportS.name exportS.versioned"},
    {.rule = "PY-MAXVER-02", .triggers = "max_version-later-major", .facts = "exportS.name exportS.versioned"},
    {.rule = "PY-MAXVER-02",
     .triggers = "max_version-enum-pair | max_version-subclass-pair",
     .facts = "exportS.name exportS.versioned"},
    {.rule = "PY-CAPSULE-18", .facts = "exportS.same_capsule"},
    {.rule = "PY-CAPSULE-18", .triggers = "several-tensors", .facts = "exportS.same_capsule"},
};

// The struct.
constexpr AttributionRow kVersion[] = {
    {.rule = "C-VERSION-01"},
    {.rule = "C-VERSION-01", .facts = "exportS.version"},
    {.rule = "PY-MAXVER-02", .triggers = "max_version-later-minor | max_version-later-major"},
    {.rule = "C-VERSION-10", .triggers = "dtype-float8*"},
    {.rule = "XAPI-VER-06", .triggers = "step-table-export"},
};

constexpr AttributionRow kFlags[] = {
    {.rule = "C-FLAGS-01"},
    {.rule = "C-FLAGS-01", .facts = "exportS.flags", .got = "unpublished"},
    {.rule = "C-FLAGS-06", .facts = "exportS.flags", .got = "2"},
    {.rule = "C-SUBBYTE-08", .facts = "exportS.flags", .got = "4"},
    {.rule = "C-SUBBYTE-06", .triggers = "sub-byte-*"},
    {.rule = "C-FLAGS-05", .triggers = "copy-true"},
    {.rule = "C-SUBBYTE-08", .triggers = "copy-true", .facts = "exportS.flags", .got = "6"},
    {.rule = "C-FLAGS-06", .triggers = "copy-true several-tensors", .facts = "exportS.flags", .got = "2"},
    {.rule = "PY-COPY-02", .triggers = "copy-false"},
    {.rule = "PY-DLPACK-14", .triggers = "copy-false several-tensors", .facts = "exportS.flags"},
    {.rule = "C-FLAGS-02", .triggers = "read-only-array | read-only-array copy-false"},
    {.rule = "C-SUBBYTE-08", .triggers = "read-only-array", .facts = "exportS.flags", .got = "5"},
    {.rule = "C-FLAGS-07", .triggers = "read-only-array copy-true"},
    {.rule = "C-FLAGS-12",
     .triggers = "read-only step-reexport | is-copied step-reexport | subbyte-padded step-reexport"},
    {.rule = "XAPI-ALLOC-03", .triggers = "step-table-allocate"},
    {.rule = "XAPI-FROM-05", .triggers = "step-table-export"},
};

constexpr AttributionRow kStructDevice[] = {
    {.rule = "C-DEVICE-01"},
    {.rule = "CUDA-MEM-01", .facts = "exportS.cuda_device"},
    {.rule = "C-DEVICE-01", .facts = "exportS.device"},
    {.rule = "C-DEVICE-02", .facts = "exportS.device", .got = "(1, *"},
    {.rule = "C-DEVICE-15", .triggers = "foreign-device"},
    {.rule = "PY-DLDEVICE-01", .triggers = "dl_device-none"},
    {.rule = "PY-DLDEVICE-06", .triggers = "dl_device-pair"},
    {.rule = "XAPI-ALLOC-02", .triggers = "step-table-allocate"},
};

constexpr AttributionRow kDtype[] = {
    {.rule = "C-DTYPE-02"},
    {.rule = "C-DTYPE-02", .facts = "exportS.dtype"},
    {.rule = "C-DTYPE-01", .facts = "exportS.dtype", .got = "unpublished"},
    {.rule = "C-DTYPE-01", .triggers = "dtype-*", .facts = "exportS.dtype", .got = "unpublished"},
    {.rule = "C-DTYPE-04", .triggers = "dtype-bool"},
    {.rule = "C-DTYPE-05", .triggers = "dtype-bfloat16"},
    {.rule = "C-DTYPE-03", .triggers = "dtype-complex*"},
    {.rule = "C-DTYPE-07", .triggers = "dtype-float8*"},
    {.rule = "C-SUBBYTE-01", .triggers = "sub-byte-float6*"},
    {.rule = "C-SUBBYTE-02", .triggers = "sub-byte-float4*"},
    {.rule = "XAPI-ALLOC-03", .triggers = "step-table-allocate"},
};

constexpr AttributionRow kShape[] = {
    {.rule = "C-SHAPE-10"},
    {.rule = "C-SHAPE-10", .facts = "exportS.shape"},
    {.rule = "C-SHAPE-01", .facts = "exportS.ndim"},
    {.rule = "C-SHAPE-10", .triggers = "step-change-metadata", .facts = "exportS.follows_change"},
    {.rule = "C-SHAPE-04", .facts = "exportS.shape", .got = "negative"},
    {.rule = "C-SHAPE-03", .triggers = "huge-extents step-reexport", .facts = "exportS.shape"},
    {.rule = "XAPI-ALLOC-03", .triggers = "step-table-allocate"},
    {.rule = "XAPI-ALLOC-04",
     .triggers = "step-table-allocate",
     .facts = "exportS.shape",
     .got = "(6510615555426900570*"},
    {.rule = "XAPI-DLT-02", .triggers = "step-table-view"},
    {.rule = "XAPI-USE-04", .triggers = "step-table-export"},
};

// The shape is right here: it comes before the strides in causal order.
constexpr AttributionRow kStrides[] = {
    {.rule = "C-STRIDES-05"},
    {.rule = "XAPI-ALLOC-10", .triggers = "step-table-allocate"},
    {.rule = "C-STRIDES-01", .facts = "exportS.null_strides"},
    {.rule = "C-STRIDES-02", .triggers = "explicit-strides strided", .facts = "exportS.null_strides"},
    {.rule = "PY-COPY-02", .triggers = "copy-false"},
};

// The address of the elements.
constexpr std::string_view kWhere = "exportS.place exportS.points_at_source";

constexpr AttributionRow kPlace[] = {
    {.rule = "C-DATA-15"},
    {.rule = "CUDA-MEM-01", .facts = "exportS.cuda_memory"},
    {.rule = "CUDA-STREAM-03", .triggers = "pending-cuda-work", .facts = "exportS.cuda_ordered"},
    {.rule = "CUDA-STREAM-02", .triggers = "pending-cuda-work stream-none", .facts = "exportS.cuda_ordered"},
    {.rule = "CUDA-STREAM-04", .triggers = "pending-cuda-work stream-int", .facts = "exportS.cuda_ordered"},
    {.rule = "CUDA-STREAM-05", .triggers = "pending-cuda-work stream-per-thread", .facts = "exportS.cuda_ordered"},
    {.rule = "CUDA-STREAM-01", .triggers = "pending-cuda-work stream-handle", .facts = "exportS.cuda_ordered"},
    {.rule = "CUDA-STREAM-07", .triggers = "pending-cuda-work stream-minus-one", .facts = "exportS.cuda_ordered"},
    {.rule = "CUDA-STREAM-16", .triggers = "pending-cuda-work dl_device-pair", .facts = "exportS.cuda_ordered"},
    {.rule = "CUDA-STREAM-06", .facts = "exportS.cuda_orders_another"},
    {.rule = "CUDA-STREAM-15",
     .triggers = "held-cuda-stream",
     .facts = "exportS.cuda_ordered exportS.cuda_copies_apart"},
    {.rule = "XAPI-ALLOC-10",
     .triggers = "step-table-allocate | several-tensors step-table-allocate",
     .facts = "exportS.first_elements exportS.elements"},
    {.rule = "XAPI-ALLOC-03",
     .triggers = "step-table-allocate | sub-byte-* step-table-allocate",
     .facts = "exportS.write_export exportS.null_data"},
    {.rule = "XAPI-FROM-06",
     .triggers = "step-table-export | sub-byte-* inside-a-byte step-table-export",
     .facts = "exportS.points_at_source exportS.place"},
    {.rule = "XAPI-FROM-01", .triggers = "step-table-export other-order", .facts = "exportS.elements"},
    {.rule = "PY-DLPACK-07", .facts = kWhere},
    {.rule = "C-DATA-07", .facts = "exportS.null_data", .got = "1"},
    {.rule = "C-DATA-04", .triggers = "empty", .facts = "exportS.null_data"},
    {.rule = "C-DATA-10", .facts = "exportS.data_readable"},
    {.rule = "C-OWN-10", .facts = "exportS.elements"},
    {.rule = "C-DATA-12",
     .triggers = "step-change-metadata",
     .facts = "exportS.elements importS.library importS.memory importS.computed"},
    {.rule = "C-DATA-14", .triggers = "view", .facts = "exportS.place exportS.first_elements"},
    {.rule = "C-DATA-14", .triggers = "kept-as-view | array-offset kept-as-view"},
    {.rule = "PY-DLPACK-06", .facts = "sourceS.elements sourceS.used"},
    {.rule = "PY-STREAM-08", .triggers = "stream-*", .facts = "sourceS.elements sourceS.used"},
    {.rule = "PY-FROM-13", .triggers = "step-import-source", .facts = "sourceS.elements sourceS.used"},
    {.rule = "PY-COPY-04", .triggers = "max_version-1.3", .facts = kWhere, .got = "elsewhere"},
    {.rule = "C-DATA-14", .triggers = "array-offset max_version-1.3", .facts = kWhere, .got = "elsewhere"},
    {.rule = "PY-COPY-01", .triggers = "copy-true", .facts = kWhere},
    {.rule = "C-OWN-16", .triggers = "step-write-export", .facts = "exportS.write_export"},
    {.rule = "PY-COPY-01", .triggers = "copy-true", .facts = "exportS.write_export"},
    {.rule = "PY-COPY-09", .triggers = "copy-true", .facts = "exportS.elements"},
    {.rule = "C-DATA-15", .triggers = "copy-true", .facts = "exportS.first_elements"},
    {.rule = "C-FLAGS-07", .triggers = "copy-true max_version-1.3", .facts = kWhere},
    {.rule = "C-FLAGS-07", .triggers = "copy-true max_version-1.3", .facts = "exportS.write_export"},
    {.rule = "PY-COPY-02", .triggers = "copy-false | copy-false max_version-1.3", .facts = kWhere},
    {.rule = "PY-COPY-03", .triggers = "copy-none", .facts = kWhere},
    {.rule = "C-OWN-18", .triggers = "step-reexport"},
    {.rule = "PY-COPY-01", .triggers = "copy-true step-reexport", .facts = kWhere},
    {.rule = "PY-COPY-09", .triggers = "copy-true step-reexport", .facts = "exportS.elements"},
    {.rule = "C-DATA-15", .triggers = "copy-true step-reexport", .facts = "exportS.first_elements"},
    {.rule = "PY-COPY-04", .triggers = "max_version-1.3 step-reexport", .facts = kWhere, .got = "elsewhere"},
    {.rule = "PY-COPY-02", .triggers = "copy-false step-reexport", .facts = kWhere},
    {.rule = "C-OWN-10", .triggers = "step-close-source | view-of-closed-source | closed-view-of-source"},
    {.rule = "C-DEVICE-10", .triggers = "foreign-device step-reexport"},
    {.rule = "C-DEVICE-13", .triggers = "foreign-device pinned-device step-reexport"},
    {.rule = "C-OWN-11", .triggers = "several-tensors"},
    {.rule = "C-FLAGS-07",
     .triggers = "copy-true several-tensors | copy-true max_version-1.3 several-tensors | "
                 "copy-true several-tensors step-write-export | "
                 "copy-true max_version-1.3 several-tensors step-write-export"},
    {.rule = "C-DTYPE-16", .triggers = "dtype-bool"},
    {.rule = "C-SUBBYTE-04", .triggers = "sub-byte-*"},
    {.rule = "C-SUBBYTE-05", .triggers = "sub-byte-*", .facts = "exportS.packing", .got = "high-first"},
    {.rule = "C-SUBBYTE-11", .triggers = "sub-byte-*", .facts = "exportS.packing", .got = "padded"},
    {.rule = "C-SUBBYTE-06",
     .triggers = "sub-byte-* max_version-* | sub-byte-* step-table-export",
     .facts = "exportS.packing",
     .got = "padded"},
    // Exports of the same array that are not copies are packed, so the storage is not padded.
    {.rule = "C-SUBBYTE-04",
     .triggers = "sub-byte-* copy-true | sub-byte-* copy-true max_version-*",
     .facts = "exportS.packing",
     .got = "padded"},
    {.rule = "C-SUBBYTE-09", .triggers = "sub-byte-* inside-a-byte"},
};

// Writes.
constexpr AttributionRow kWrites[] = {
    {.rule = "C-OWN-19"},
    {.rule = "CUDA-MEM-08", .triggers = "other-cuda-device", .facts = "exportS.cuda_keeps_device"},
    {.rule = "CUDA-MEM-07", .triggers = "other-cuda-device", .facts = "exportS.cuda_deleter_keeps_device"},
    {.rule = "CUDA-STREAM-14", .triggers = "cuda-capture", .facts = "exportS.cuda_keeps_capture"},
    {.rule = "CUDA-STREAM-07", .facts = "exportS.cuda_blocks"},
    {.rule = "XAPI-FROM-04", .triggers = "cuda-capture step-table-export", .facts = "exportS.cuda_keeps_capture"},
    {.rule = "XAPI-DLT-04", .triggers = "cuda-capture step-table-view", .facts = "exportS.cuda_keeps_capture"},
    {.rule = "XAPI-DLT-06", .triggers = "step-table-view", .facts = "exportS.changed"},
    {.rule = "C-SHAPE-05", .facts = "exportS.changed", .got = "shape strides"},
    {.rule = "C-SHAPE-05", .facts = "exportS.changed", .got = "shape"},
    {.rule = "C-SHAPE-05", .facts = "exportS.changed", .got = "strides"},
    {.rule = "C-SHAPE-05", .triggers = "step-change-metadata"},
    {.rule = "C-OWN-19", .triggers = "several-tensors"},
    {.rule = "C-OWN-11", .triggers = "several-tensors step-table-export", .facts = "exportS.changed"},
    {.rule = "PY-DLPACK-06",
     .triggers = "step-write-made",
     .facts = "sourceS.first_write sourceS.write sourceS.changed"},
    {.rule = "PY-FROM-13",
     .triggers = "step-import-source step-write-made",
     .facts = "sourceS.first_write sourceS.write sourceS.changed"},
};

// Releases.
constexpr AttributionRow kRelease[] = {
    {.rule = "C-OWN-06"},
    // Whatever the exchange: the reference of the export is dropped when everything else is.
    {.rule = "C-OWN-06", .facts = "sourceS.alive_at_end"},
    {.rule = "C-OWN-20", .triggers = "step-close-source", .facts = "sourceS.alive_at_end"},
    {.rule = "CUDA-STREAM-12", .facts = "exportS.cuda_leaves_alone"},
    {.rule = "C-OWN-20", .facts = "exportS.has_deleter"},
    {.rule = "PY-DLPACK-15",
     .triggers = "step-count-exports | refused-export step-count-exports | refused-export",
     .facts = "exportS.references.producer exportS.references.type exportS.references.capsule "
              "exportS.references.arguments exportS.references.constants"},
    {.rule = "PY-THREAD-04", .facts = "exportS.left_exception"},
    {.rule = "PY-THREAD-03", .triggers = "at-exit", .facts = "exportS.survives_exit"},
    {.rule = "PY-THREAD-02", .triggers = "finalised", .facts = "exportS.survives_end"},
    {.rule = "C-OWN-06", .triggers = "step-export-often"},
    {.rule = "XAPI-FROM-01", .triggers = "often-by-table | step-table-export"},
    {.rule = "XAPI-DLT-02", .triggers = "often-viewed"},
    {.rule = "XAPI-ALLOC-02", .triggers = "often-allocated | step-table-allocate"},
    {.rule = "PY-CAPSULE-04", .triggers = "step-lose-capsule | often-unused"},
    {.rule = "PY-COPY-09", .triggers = "copy-true step-export-often"},
    {.rule = "PY-CAPSULE-05", .facts = "death*"},
    {.rule = "C-OWN-06", .facts = "death-delete"},
    {.rule = "C-OWN-14", .facts = "thrown*"},
    {.rule = "PY-CAPSULE-18", .facts = "exportS.same_struct"},
    {.rule = "C-OWN-11", .triggers = "several-tensors"},
    {.rule = "C-OWN-13", .triggers = "step-export-together | threads"},
    {.rule = "C-OWN-11", .triggers = "step-export-together", .facts = "exportS.race"},
    {.rule = "C-SHAPE-05", .triggers = "step-export-together", .facts = "exportS.race", .got = "changed"},
    {.rule = "C-OWN-19", .triggers = "step-export-together", .facts = "exportS.race", .got = "one-struct-twice"},
    {.rule = "XAPI-DLT-06",
     .triggers = "many-views step-export-together | step-table-view many-views step-export-together",
     .facts = "exportS.race"},
    {.rule = "XAPI-ALLOC-02",
     .triggers = "many-allocations step-export-together | step-table-allocate many-allocations step-export-together",
     .facts = "exportS.race"},
    {.rule = "PY-CAPSULE-18", .triggers = "several-tensors", .facts = "exportS.same_struct"},
    {.rule = "C-OWN-12", .triggers = "raw-thread | raw-thread step-table-export"},
    {.rule = "XAPI-ALLOC-03",
     .triggers = "lanes step-table-allocate | lanes raw-thread step-table-allocate",
     .facts = "death*"},
    {.rule = "C-OWN-12", .triggers = "raw-thread step-table-allocate"},
    {.rule = "PY-THREAD-01", .triggers = "raw-thread", .facts = "exportS.frees_without_gil"},
    {.rule = "C-OWN-13", .triggers = "threads raw-thread several-tensors"},
    {.rule = "PY-THREAD-04", .triggers = "pending-exception", .facts = "exportS.pending_exception"},
    {.rule = "PY-CAPSULE-13", .triggers = "pending-exception step-lose-capsule", .facts = "exportS.pending_exception"},
    {.rule = "PY-STREAM-09", .triggers = "stream-handle | stream-handle step-lose-capsule", .facts = "death*"},
    {.rule = "PY-DLPACK-12", .triggers = "refused-export"},
    {.rule = "C-OWN-18", .triggers = "step-reexport"},
    {.rule = "PY-CAPSULE-12", .triggers = "null-deleter step-reexport | null-deleter step-reexport step-lose-capsule"},
    {.rule = "XAPI-DLT-01", .triggers = "step-table-view"},
    {.rule = "PY-DLPACK-13", .triggers = "step-close-source", .facts = "death* thrown*"},
};

// Observed choices of the library (harness/choices/choice.h).
constexpr AttributionRow kChoice[] = {
    {.rule = "C-VERSION-07"},
    {.rule = "PY-MAXVER-13", .facts = "exportS.versioned"},
    {.rule = "PY-CAPSULE-08", .facts = "exportS.name_storage"},
};

const RegisterAttributions kExports(Side::kExport, {kAsks, kTable, kDeviceAnswer, kOutcome, kException, kHang,
                                                    kMemoryInCall, kCapsule, kVersion, kFlags, kStructDevice, kDtype,
                                                    kShape, kStrides, kPlace, kWrites, kRelease, kChoice});

}  // namespace
}  // namespace dlpack_cts
