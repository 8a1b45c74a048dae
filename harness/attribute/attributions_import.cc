// harness/attribute/attributions_import.cc: the attributions for imports.
#include "harness/attribute/attribution.h"

namespace dlpack_cts {
namespace {

// Calls of the producer.
constexpr AttributionRow kAsks[] = {
    {.rule = "PY-MAXVER-15"},
    {.rule = "PY-MAXVER-07", .triggers = "max_version-unknown"},
    {.rule = "PY-MAXVER-08", .triggers = "copy-unknown"},
    {.rule = "PY-MAXVER-12", .facts = "importS.callC.keywords"},
    {.rule = "PY-MAXVER-12", .triggers = "max_version-unknown", .facts = "importS.callC.keywords"},
    {.rule = "PY-MAXVER-15", .triggers = "max_version-unknown", .facts = "importS.callC.positional"},
    {.rule = "PY-DLDEVICE-11", .triggers = "dl_device-pair", .facts = "importS.callC.dl_device"},
    {.rule = "PY-DLDEVICE-08", .triggers = "dl_device-pair", .facts = "importS.callC.stream"},
    {.rule = "PY-STREAM-07", .facts = "importS.callC.stream"},
    {.rule = "CUDA-STREAM-11", .facts = "importS.callC.cuda_stream_device"},
    {.rule = "PY-STREAM-07", .triggers = "max_version-unknown | copy-unknown", .facts = "importS.callC.stream"},
};

constexpr AttributionRow kTable[] = {
    {.rule = "XAPI-TO-04"},
    {.rule = "XAPI-TO-02", .facts = "tableS.object_is_foreign"},
    {.rule = "XAPI-RET-04", .facts = "tableS.to_object.out_written tableS.to_object.overran"},
    {.rule = "XAPI-RET-02", .facts = "tableS.to_object.exception"},
    {.rule = "XAPI-RET-01", .facts = "tableS.to_object.status"},
    {.rule = "XAPI-USE-02", .facts = "importS.table.without_gil"},
    {.rule = "XAPI-FROM-03", .facts = "importS.table.foreign"},
    {.rule = "XAPI-DISC-06", .triggers = "table-on-object"},
};

constexpr AttributionRow kDeviceAnswer[] = {
    {.rule = "PY-DEVICE-07"},
};

// How the call ended.
constexpr AttributionRow kOutcome[] = {
    {.rule = "PY-FROM-01"},
    {.rule = "PY-MAXVER-07", .triggers = "max_version-unknown"},
    {.rule = "C-VERSION-08", .triggers = "minor-0 | minor-1 | minor-2"},
    {.rule = "C-VERSION-07", .triggers = "minor-undefined"},
    {.rule = "C-VERSION-06", .triggers = "major-*"},
    {.rule = "C-OWN-05", .triggers = "null-deleter"},
    {.rule = "C-DEVICE-08", .triggers = "foreign-device"},
    {.rule = "C-DTYPE-13", .triggers = "dtype-unnamed"},
    {.rule = "C-SUBBYTE-03", .triggers = "sub-byte-of-other-bits"},
    {.rule = "C-DTYPE-08", .triggers = "lanes | lanes sub-byte-*"},
    {.rule = "PY-CAPSULE-15", .triggers = "foreign-name | name-with-space | no-name | gives-none"},
    {.rule = "PY-CAPSULE-10", .triggers = "used-name"},
    {.rule = "PY-FROM-07", .triggers = "no-methods | device-alone"},
    {.rule = "PY-FROM-08", .triggers = "producer-raises | producer-refuses | producer-errs | device-raises"},
    {.rule = "XAPI-VER-07", .triggers = "table-minor-undefined"},
    {.rule = "XAPI-DISC-09", .triggers = "table-on-object"},
    {.rule = "XAPI-STREAM-03", .triggers = "table-stream-fails"},
    {.rule = "XAPI-USE-05", .triggers = "dl_device-pair-elsewhere table"},
};

constexpr AttributionRow kException[] = {
    {.rule = "PY-FROM-08"},
    {.rule = "XAPI-DISC-08", .triggers = "misnamed-table | table-no-capsule", .facts = "stumbled"},
    {.rule = "XAPI-DISC-09", .triggers = "table-on-object | table-lookup-raises", .facts = "stumbled"},
    {.rule = "XAPI-STREAM-03", .triggers = "table-stream-fails", .facts = "stumbled"},
    {.rule = "XAPI-RET-05", .triggers = "table-fails | table-view-fails", .facts = "stumbled"},
    {.rule = "PY-FROM-11", .facts = "stumbled"},
    {.rule = "PY-FROM-07", .triggers = "no-methods | device-alone"},
    {.rule = "PY-FROM-06", .triggers = "dl_device-pair"},
    {.rule = "C-VERSION-06", .triggers = "major-*", .facts = "stumbled"},
};

constexpr AttributionRow kHang[] = {
    {.rule = "PY-FROM-11"},
    {.rule = "C-SHAPE-04", .triggers = "impossible-extents"},
    {.rule = "C-SHAPE-01", .triggers = "negative-ndim"},
    {.rule = "PY-THREAD-07", .triggers = "deleter-meets-thread"},
    {.rule = "PY-THREAD-08", .triggers = "deleter-reenters | deleter-drops-another"},
    {.rule = "PY-CAPSULE-15", .triggers = "foreign-name | name-with-space | no-name | gives-none"},
    {.rule = "PY-CAPSULE-10", .triggers = "used-name"},
};

// Metadata whose use crashes in a call.
constexpr AttributionRow kMemoryInCall[] = {
    {.rule = "C-SHAPE-07"},
    {.rule = "PY-FROM-11", .facts = "death* thrown*"},
    // What is not a DLPack capsule, or not one any more, is read as if it were one.
    {.rule = "PY-CAPSULE-15",
     .triggers = "foreign-name | name-with-space | no-name | gives-none | foreign-name legacy | name-with-space legacy "
                 "| no-name legacy"},
    {.rule = "PY-CAPSULE-10",
     .triggers =
         "used-name | used-name legacy | stored-capsule step-import-again | stored-capsule step-import-again legacy"},
    {.rule = "PY-FROM-07", .triggers = "no-methods | device-alone"},
    {.rule = "PY-FROM-08", .triggers = "producer-raises | producer-refuses | producer-errs | device-raises"},
    {.rule = "XAPI-DISC-08", .triggers = "misnamed-table | table-no-capsule"},
    {.rule = "XAPI-VER-01", .triggers = "table-major-other"},
    {.rule = "XAPI-VER-02", .triggers = "table-chain table-major-other"},
    {.rule = "XAPI-ALLOC-11", .triggers = "table-allocator-fails"},
    {.rule = "XAPI-TAB-06", .triggers = "table-without-view"},
    {.rule = "XAPI-RET-05",
     .triggers = "table-fails | table-fails-silently | table-view-fails-silently | table-gives-nothing | "
                 "table-view-of-nothing | table-allocates-nothing | table-view-fails"},
    {.rule = "XAPI-DISC-07", .triggers = "table-moves"},
    {.rule = "XAPI-DLT-03", .triggers = "table", .facts = "faultF"},
    {.rule = "XAPI-USE-03", .triggers = "table", .facts = "death* thrown*"},
    {.rule = "C-VERSION-06", .triggers = "major-* table | major-*"},
    {.rule = "C-VERSION-04", .triggers = "major-* unmapped-body table | major-* unmapped-body"},
    {.rule = "C-OWN-05", .triggers = "null-deleter major-*"},
    {.rule = "C-DATA-03", .triggers = "misaligned"},
    {.rule = "C-STRIDES-03", .triggers = "null-strides"},
    {.rule = "C-STRIDES-09", .triggers = "negative-strides"},
    {.rule = "C-OWN-09", .triggers = "null-context | number-context | unmapped-context"},
    {.rule = "C-OWN-05", .triggers = "null-deleter"},
    {.rule = "PY-THREAD-07", .triggers = "deleter-meets-thread"},
    {.rule = "PY-THREAD-08", .triggers = "deleter-reenters | deleter-drops-another"},
    {.rule = "C-SHAPE-02", .triggers = "null-shape"},
    {.rule = "C-SHAPE-03", .triggers = "rank-1 null-shape"},
    {.rule = "C-DTYPE-13", .triggers = "dtype-unnamed"},
    {.rule = "PY-FROM-11", .triggers = "dtype-unnamed", .facts = "death* thrown*"},
    {.rule = "C-SUBBYTE-03", .triggers = "sub-byte-of-other-bits"},
    {.rule = "C-DTYPE-08", .triggers = "lanes"},
    {.rule = "C-DATA-06", .triggers = "empty no-memory"},
    {.rule = "C-DATA-08", .triggers = "no-memory"},
    {.rule = "C-DEVICE-08", .triggers = "foreign-device | foreign-device no-memory"},
    {.rule = "C-DEVICE-10", .triggers = "foreign-device opencl-device | foreign-device no-memory opencl-device"},
    {.rule = "C-STRIDES-07", .facts = "faultF", .got = "read strides*"},
    {.rule = "C-SHAPE-07", .triggers = "rank-1 | rank-1 legacy", .facts = "faultF", .got = "read strides*"},
    {.rule = "C-FLAGS-10", .triggers = "legacy", .facts = "faultF", .got = "read struct*"},
    {.rule = "C-STRIDES-07", .triggers = "legacy", .facts = "faultF", .got = "read strides*"},
    {.rule = "C-SHAPE-04", .triggers = "impossible-extents"},
    {.rule = "C-SHAPE-01", .triggers = "negative-ndim"},
    {.rule = "C-SHAPE-11", .triggers = "empty huge-extents"},
    {.rule = "C-SHAPE-08", .triggers = "ndim-beyond | rank-9"},
    {.rule = "C-OWN-17", .triggers = "table step-peek", .facts = "death* thrown*"},
    {.rule = "XAPI-DLT-03", .triggers = "table step-peek", .facts = "faultF"},
    {.rule = "XAPI-TAB-06", .triggers = "table table-without-view step-peek"},
    {.rule = "XAPI-VER-01", .triggers = "table table-major-other step-peek", .facts = "faultF"},
};

constexpr AttributionRow kCapsule[] = {
    {.rule = "PY-CAPSULE-06"},
    {.rule = "PY-CAPSULE-06", .facts = "importS.name_after"},
    {.rule = "PY-CAPSULE-07", .facts = "importS.name_after", .got = "used_dltensor"},
    {.rule = "PY-CAPSULE-07", .facts = "importS.name_after", .got = "used_dltensor_versioned"},
    {.rule = "PY-CAPSULE-08", .facts = "importS.used_name_storage"},
    {.rule = "PY-CAPSULE-17", .facts = "importS.capsule_pointer_changed importS.capsule_context_changed"},
    {.rule = "PY-CAPSULE-14", .facts = "importS.capsule_destructor_changed"},
    {.rule = "PY-CAPSULE-10", .triggers = "step-import-again | stored-capsule | used-name"},
    {.rule = "PY-CAPSULE-11", .triggers = "refused-offer"},
    {.rule = "PY-FROM-04", .triggers = "same-producer", .facts = "importS.name_before"},
    {.rule = "PY-FROM-01", .triggers = "index-for-device"},
};

// Metadata of the array.
constexpr AttributionRow kVersion[] = {
    {.rule = "C-VERSION-02"},
};

constexpr AttributionRow kFlags[] = {
    {.rule = "C-LAYOUT-07"},
    {.rule = "C-FLAGS-03", .triggers = "read-only"},
    {.rule = "PY-COPY-06", .triggers = "copy-true"},
    {.rule = "PY-FROM-14", .triggers = "dl_device-pair several-tensors"},
    {.rule = "C-FLAGS-10", .triggers = "legacy"},
    {.rule = "C-FLAGS-09", .triggers = "unknown-flags"},
};

constexpr AttributionRow kStructDevice[] = {
    {.rule = "PY-FROM-05"},
    {.rule = "C-DEVICE-08", .triggers = "foreign-device"},
    {.rule = "C-DEVICE-10", .triggers = "foreign-device opencl-device"},
    {.rule = "C-DEVICE-14", .triggers = "foreign-device pinned-device"},
    {.rule = "PY-DEVICE-07", .triggers = "two-devices"},
    {.rule = "PY-FROM-06", .triggers = "dl_device-pair"},
};

constexpr AttributionRow kDtype[] = {
    {.rule = "C-DTYPE-14"},
    {.rule = "PY-FROM-01", .triggers = "index-for-device"},
    {.rule = "C-DTYPE-14", .facts = "importS.dtype"},
    {.rule = "C-DTYPE-08", .triggers = "lanes | lanes sub-byte-*"},
    {.rule = "C-DTYPE-13", .triggers = "dtype-unnamed"},
    {.rule = "C-SUBBYTE-03", .triggers = "sub-byte-of-other-bits"},
    {.rule = "C-DTYPE-14", .triggers = "sub-byte-*"},
    {.rule = "C-OWN-21", .triggers = "earlier-exchanges"},
    {.rule = "XAPI-USE-04", .triggers = "table step-peek | step-peek"},
};

constexpr AttributionRow kShape[] = {
    {.rule = "PY-FROM-04"},
    {.rule = "PY-FROM-04", .facts = "importS.ndim importS.shape"},
    {.rule = "C-DTYPE-08", .triggers = "lanes"},
    {.rule = "C-SHAPE-08", .triggers = "ndim-beyond"},
    {.rule = "C-SHAPE-09", .triggers = "impossible-extents"},
    {.rule = "C-SHAPE-11", .triggers = "empty"},
    {.rule = "PY-FROM-04", .triggers = "empty", .facts = "importS.ndim importS.shape"},
    {.rule = "C-OWN-21", .triggers = "earlier-exchanges"},
    {.rule = "XAPI-USE-04", .triggers = "table step-peek | step-peek"},
    // The producer changed its array in place behind the import.
    {.rule = "C-SHAPE-05", .triggers = "step-change-metadata"},
};

constexpr AttributionRow kStrides[] = {
    {.rule = "C-STRIDES-08"},
    {.rule = "C-SHAPE-05", .triggers = "step-change-metadata"},
    {.rule = "C-STRIDES-03", .triggers = "null-strides"},
    {.rule = "C-STRIDES-08", .triggers = "explicit-strides"},
    {.rule = "C-STRIDES-09", .triggers = "explicit-strides strided negative-strides"},
    {.rule = "C-STRIDES-10", .triggers = "explicit-strides strided zero-strides"},
    {.rule = "C-STRIDES-14", .triggers = "lanes"},
    {.rule = "PY-COPY-06", .triggers = "copy-true"},
    {.rule = "PY-COPY-07", .triggers = "copy-false"},
    {.rule = "PY-MAXVER-10", .triggers = "copy-true copy-unknown | copy-false copy-unknown"},
    {.rule = "XAPI-USE-04", .triggers = "table step-peek | step-peek"},
};

// The address of the elements.
constexpr AttributionRow kPlace[] = {
    {.rule = "PY-FROM-04"},
    {.rule = "CUDA-STREAM-10", .facts = "importS.cuda_ordered"},
    {.rule = "XAPI-STREAM-06", .triggers = "table", .facts = "importS.cuda_ordered"},
    {.rule = "CUDA-MEM-05", .facts = "importS.cuda_status"},
    {.rule = "C-SHAPE-04", .triggers = "impossible-extents", .facts = "death* thrown*"},
    {.rule = "C-SHAPE-08", .triggers = "ndim-beyond"},
    {.rule = "PY-FROM-04", .facts = "importS.memory importS.view"},
    {.rule = "C-DATA-11", .facts = "death*"},
    {.rule = "C-DATA-11", .facts = "faultF"},
    {.rule = "C-DATA-12", .triggers = "step-change-metadata"},
    {.rule = "C-DATA-01", .triggers = "byte-offset | odd-byte-offset"},
    {.rule = "C-DATA-09", .triggers = "byte-offset far-offset | byte-offset large-offset"},
    {.rule = "C-DATA-03", .triggers = "little-alignment | misaligned"},
    {.rule = "C-DATA-11", .triggers = "little-alignment", .facts = "faultF"},
    {.rule = "C-DATA-01", .triggers = "little-alignment", .facts = "importS.memory importS.view"},
    {.rule = "C-DATA-03", .triggers = "misaligned", .facts = "death* thrown* faultF"},
    {.rule = "C-DATA-11", .triggers = "starts-at-guard"},
    {.rule = "C-STRIDES-11", .triggers = "unit-extent | idle-strides"},
    {.rule = "C-STRIDES-08", .triggers = "unit-extent | idle-strides", .facts = "importS.memory importS.view"},
    {.rule = "C-DATA-06", .triggers = "empty | empty no-memory"},
    {.rule = "C-DATA-06",
     .triggers = "empty byte-offset | empty no-memory byte-offset | empty large-offset byte-offset | empty far-offset "
                 "byte-offset",
     .facts = "faultF death*"},
    {.rule = "C-STRIDES-12", .triggers = "empty idle-strides"},
    {.rule = "C-STRIDES-03", .triggers = "null-strides"},
    {.rule = "C-STRIDES-08", .triggers = "explicit-strides strided | large"},
    {.rule = "C-DATA-13", .triggers = "large copy-true"},
    {.rule = "C-STRIDES-09", .triggers = "explicit-strides strided negative-strides"},
    {.rule = "C-STRIDES-10", .triggers = "explicit-strides strided zero-strides"},
    {.rule = "C-DTYPE-08", .triggers = "lanes"},
    {.rule = "C-SUBBYTE-05", .triggers = "lanes sub-byte-* | sub-byte-*"},
    {.rule = "C-SUBBYTE-05", .triggers = "sub-byte-*", .facts = "faultF"},
    // The width is another one than the library reads: bools of 1 bit are packed, and end before as many bytes.
    {.rule = "C-DTYPE-13", .triggers = "dtype-unnamed | dtype-unnamed explicit-strides strided"},
    {.rule = "C-SUBBYTE-11", .triggers = "sub-byte-* legacy"},
    {.rule = "C-SUBBYTE-07", .triggers = "sub-byte-* subbyte-padded"},
    {.rule = "C-DATA-08", .triggers = "no-memory"},
    {.rule = "C-SHAPE-03", .triggers = "rank-1 null-shape"},
    {.rule = "C-DEVICE-08", .triggers = "foreign-device | foreign-device no-memory"},
    {.rule = "C-DEVICE-10", .triggers = "foreign-device opencl-device | foreign-device no-memory opencl-device"},
    {.rule = "PY-DEVICE-07", .triggers = "foreign-device two-devices"},
    {.rule = "PY-COPY-06",
     .triggers = "copy-true",
     .facts = "importS.place importS.aliases importS.write_source importS.write_array"},
    {.rule = "PY-COPY-07", .triggers = "copy-false"},
    {.rule = "PY-MAXVER-10", .triggers = "copy-true copy-unknown | copy-false copy-unknown"},
    {.rule = "XAPI-USE-05", .triggers = "copy-true table | copy-false table"},
    {.rule = "C-OWN-03", .triggers = "step-take-view | step-drop-capsule"},
    {.rule = "C-OWN-16", .triggers = "step-write-array step-take-view | step-write-source | step-write-array"},
    {.rule = "C-DATA-03", .triggers = "little-alignment step-take-view"},
    {.rule = "C-STRIDES-11", .triggers = "unit-extent step-take-view"},
    {.rule = "C-DATA-01", .triggers = "byte-offset step-take-view"},
    {.rule = "C-OWN-18", .triggers = "step-reexport"},
    {.rule = "C-OWN-03", .triggers = "view-of-closed | closed-view"},
    {.rule = "C-OWN-21", .triggers = "earlier-exchanges"},
    {.rule = "XAPI-USE-04", .triggers = "table step-peek | step-peek"},
    {.rule = "PY-FROM-04", .triggers = "same-producer"},
};

// Writes.
constexpr AttributionRow kWrites[] = {
    {.rule = "C-SHAPE-06"},
    {.rule = "XAPI-TO-03", .facts = "importS.cuda_keeps_capture"},
    {.rule = "C-DATA-16", .facts = "importS.changed_bytes"},
    {.rule = "C-OWN-09", .facts = "importS.changed", .got = "manager_ctx"},
    {.rule = "XAPI-USE-03", .triggers = "table", .facts = "faultF"},
    {.rule = "C-VERSION-04", .triggers = "major-*"},
    {.rule = "C-DATA-16", .triggers = "read-only-page"},
    {.rule = "C-FLAGS-03", .triggers = "read-only step-write-array"},
    {.rule = "C-OWN-16", .triggers = "step-write-array | step-write-source"},
};

// Releases.
constexpr AttributionRow kRelease[] = {
    {.rule = "C-OWN-02"},
    {.rule = "C-OWN-01", .facts = "importS.deleter.calls importS.released", .got = "0"},
    {.rule = "PY-FROM-15", .triggers = "producer-cycle", .facts = "importS.deleter.calls importS.released"},
    {.rule = "C-OWN-02", .facts = "importS.deleter.calls", .got = "many"},
    {.rule = "C-OWN-03", .facts = "importS.deleter.in_import importS.deleter.while_alive"},
    {.rule = "C-OWN-04", .facts = "importS.deleter.wrong_self"},
    {.rule = "PY-FROM-15",
     .triggers = "step-count-imports | refused-offer step-count-imports | refused-offer",
     .facts = "importS.references.producer importS.references.type importS.references.capsule "
              "importS.references.arguments importS.references.constants"},
    {.rule = "C-OWN-07", .facts = "faultF"},
    {.rule = "C-OWN-08", .facts = "death* thrown*"},
    {.rule = "PY-CAPSULE-13", .facts = "deleterD.pending"},
    {.rule = "C-OWN-05", .triggers = "null-deleter"},
    {.rule = "PY-THREAD-07", .triggers = "deleter-meets-thread"},
    {.rule = "PY-THREAD-08", .triggers = "deleter-reenters | deleter-drops-another"},
    {.rule = "PY-FROM-14", .triggers = "producer-imports"},
    {.rule = "C-SHAPE-04", .triggers = "impossible-extents", .facts = "death* thrown*"},
    {.rule = "C-SHAPE-01", .triggers = "negative-ndim", .facts = "death* thrown*"},
    {.rule = "C-OWN-15", .triggers = "refused-offer"},
    {.rule = "XAPI-TO-05", .triggers = "refused-offer step-table-import"},
    {.rule = "C-VERSION-03", .triggers = "refused-offer major-* | major-*"},
    {.rule = "PY-DLPACK-12", .triggers = "refused-export"},
    {.rule = "PY-CAPSULE-10",
     .triggers = "step-import-again | stored-capsule | one-capsule step-import-together | one-bare-capsule "
                 "step-import-together"},
    {.rule = "C-OWN-03", .triggers = "step-take-view"},
    {.rule = "C-OWN-18", .triggers = "step-reexport"},
    {.rule = "C-OWN-06", .triggers = "step-reexport", .facts = "importS.deleter.calls importS.released", .got = "0"},
    {.rule = "PY-CAPSULE-04",
     .triggers = "step-reexport step-lose-capsule",
     .facts = "importS.deleter.calls importS.released",
     .got = "0"},
    {.rule = "PY-CAPSULE-12", .triggers = "step-reexport null-deleter"},
    {.rule = "C-OWN-02", .triggers = "step-import-together"},
    {.rule = "C-OWN-21",
     .triggers = "many-imports step-import-together | many-bare-imports step-import-together | many-table-imports "
                 "step-import-together",
     .facts = "importS.race",
     .got = "another-tensor"},
    {.rule = "C-STRIDES-08",
     .triggers = "far-elements step-import-together | far-bare-elements step-import-together | far-table-elements "
                 "step-import-together",
     .facts = "importS.race",
     .got = "another-tensor"},
    // Strides that were cut lead to memory of no tensor too.
    {.rule = "C-STRIDES-08",
     .triggers = "far-elements step-import-together | far-bare-elements step-import-together | far-table-elements "
                 "step-import-together",
     .facts = "faultF death* thrown*"},
    {.rule = "C-OWN-01", .triggers = "step-import-together", .facts = "importS.race", .got = "not-released"},
    {.rule = "C-OWN-19", .triggers = "step-import-together", .facts = "importS.race", .got = "one-struct-twice"},
    {.rule = "C-OWN-03", .triggers = "step-import-together", .facts = "importS.race", .got = "released-early"},
    {.rule = "C-OWN-12", .triggers = "raw-thread"},
    {.rule = "C-OWN-13", .triggers = "threads"},
    {.rule = "XAPI-TO-01", .triggers = "step-table-import"},
    {.rule = "XAPI-TO-02", .triggers = "step-table-import", .facts = "importS.stays"},
    {.rule = "C-OWN-02", .triggers = "step-close-array", .facts = "faultF death* thrown*"},
    {.rule = "C-OWN-07", .triggers = "step-close-array other-order", .facts = "faultF"},
    {.rule = "C-OWN-03",
     .triggers = "step-close-array view-of-closed | step-close-array closed-view | step-close-array view-of-closed "
                 "other-order | step-close-array closed-view other-order",
     .facts = "faultF"},
    {.rule = "C-OWN-21", .triggers = "earlier-exchanges"},
    {.rule = "C-OWN-02", .triggers = "table step-peek", .facts = "importS.deleter.in_import"},
};

// Observed choices of the library (harness/choices/choice.h).
constexpr AttributionRow kChoice[] = {
    {.rule = "C-OWN-03"},
    {.rule = "C-FLAGS-03", .facts = "importS.writable"},
    {.rule = "PY-CAPSULE-17", .facts = "importS.capsule_destructor_changed"},
    {.rule = "PY-CAPSULE-08", .facts = "importS.used_name_storage"},
};

const RegisterAttributions kImports(Side::kImport, {kAsks, kTable, kDeviceAnswer, kOutcome, kException, kHang,
                                                    kMemoryInCall, kCapsule, kVersion, kFlags, kStructDevice, kDtype,
                                                    kShape, kStrides, kPlace, kWrites, kRelease, kChoice});

}  // namespace
}  // namespace dlpack_cts
