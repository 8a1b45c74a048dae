// mutants/conforming.cc: conforming variants of the reference; every case must pass on them.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutants kMutants = {
    {.name = "always-copies",
     .conforming = true,
     .rules = {"C-OWN-03", "PY-CAPSULE-09", "C-DATA-01", "C-DATA-03", "C-DATA-05", "C-FLAGS-03", "C-FLAGS-04",
               "C-LAYOUT-01", "C-OWN-16", "C-SHAPE-06", "C-SHAPE-08", "C-SHAPE-09", "C-STRIDES-03", "C-VERSION-08",
               "PY-CAPSULE-16", "XAPI-TO-01"},
     .what = "copies every import unless copy=False was requested",
     .apply = [](Behaviour& behaviour) { behaviour.importing.copies = When::Always(); },
     .lacks = {Claim::kZeroCopy},
     .says = {Trait::kCopies}},
    {.name = "never-copies",
     .conforming = true,
     .rules = {"C-FLAGS-05", "PY-COPY-04", "PY-COPY-09", "PY-FROM-02", "PY-MAXVER-10", "XAPI-USE-05"},
     .what = "refuses copy=True on import and export",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.importing.refuses_copy = When::Always();
           behaviour.exporting.refuses_copy = When::Always();
         },
     .lacks = {Claim::kArrayApi}},
    {.name = "exports-copies",
     .conforming = true,
     .rules = {"C-FLAGS-05", "C-DATA-12", "C-DATA-14", "C-OWN-10", "C-OWN-16", "C-SHAPE-10", "C-STRIDES-13",
               "PY-COPY-03", "XAPI-FROM-06"},
     .what = "copies every versioned export unless copy is given, and sets IS_COPIED",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.copies = When::Versioned(); }},
    {.name = "legacy-only",
     .conforming = true,
     .rules = {"PY-MAXVER-13", "C-LAYOUT-03", "C-LAYOUT-10", "C-VERSION-02", "C-VERSION-03", "C-VERSION-07",
               "C-VERSION-08", "PY-CAPSULE-02", "PY-CAPSULE-19", "PY-MAXVER-02", "PY-MAXVER-07", "PY-MAXVER-15"},
     .what = "imports and exports legacy capsules only",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.asking.max_version = Wish::kNone;
           behaviour.answering.legacy_only = true;
           behaviour.capsule.refuses_versioned = When::Always();
         }},
    {.name = "versioned-only",
     .conforming = true,
     .rules = {"PY-MAXVER-01", "C-FLAGS-10", "C-LAYOUT-02", "C-VERSION-12", "PY-CAPSULE-01", "PY-MAXVER-13"},
     .what = "imports and exports versioned capsules only",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.answering.versioned_only = true;
           behaviour.capsule.refuses_legacy = When::Always();
         }},
    {.name = "exports-offsets",
     .conforming = true,
     .rules = {"C-DATA-14", "C-DATA-02", "PY-DLPACK-07", "XAPI-USE-04"},
     .what = "exports data 64 bytes below element 0 with byte_offset 64",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.offset_bytes = 64; }},
    {.name = "declares-1-0",
     .conforming = true,
     .rules = {"C-VERSION-01", "PY-MAXVER-02"},
     .what = "exports version 1.0 with NULL strides for compact arrays",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.exporting.version = {1, 0};
           behaviour.exporting.null_strides = When::Always();
         }},
    {.name = "carries-devices",
     .conforming = true,
     .rules = {"C-DEVICE-10", "C-DEVICE-15", "C-DEVICE-08", "PY-STREAM-03"},
     .what = "imports and re-exports tensors of every device without reading their data",
     .apply = [](Behaviour& behaviour) { behaviour.importing.carries_devices = When::Always(); }},
    {.name = "takes-pinned",
     .conforming = true,
     .rules = {"C-DEVICE-13", "C-DEVICE-14", "PY-DEVICE-07"},
     .what = "imports pinned and managed memory, reads it, and reports its device correctly",
     .apply = [](Behaviour& behaviour) { behaviour.importing.takes_pinned = When::Always(); }},
    {.name = "odd-unit-strides",
     .conforming = true,
     .rules = {"C-STRIDES-11", "C-SHAPE-10", "XAPI-USE-04"},
     .what = "exports arbitrary strides for dimensions of extent 0 and 1",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.odd_unit_strides = When::Always(); }},
    {.name = "releases-on-another-thread",
     .conforming = true,
     .rules = {"C-OWN-12", "C-OWN-01"},
     .what = "calls the deleters of imports on another thread",
     .apply = [](Behaviour& behaviour) { behaviour.owning.release = Release::kOtherThread; }},
    {.name = "releases-on-collect",
     .conforming = true,
     .rules = {"C-OWN-01"},
     .what = "calls the deleters of imports only when it is asked to collect",
     .apply = [](Behaviour& behaviour) { behaviour.owning.release = Release::kCollect; }},
    {.name = "refusals-consume",
     .conforming = true,
     .rules = {"PY-CAPSULE-06", "PY-CAPSULE-11", "PY-MAXVER-06"},
     .what = "renames the capsules that it refuses and calls their deleters",
     .apply = [](Behaviour& behaviour) { behaviour.refusing.consumes = kPathAnyTensor; }},
    {.name = "clears-destructors",
     .conforming = true,
     .rules = {"PY-CAPSULE-17", "PY-CAPSULE-06", "PY-CAPSULE-07"},
     .what = "clears the destructor of capsules that it has consumed",
     .apply = [](Behaviour& behaviour) { behaviour.capsule.clears_destructor = When::Always(); }},
    {.name = "keeps-capsules",
     .conforming = true,
     .rules = {"PY-CAPSULE-14", "PY-CAPSULE-16"},
     .what = "keeps a reference to the capsule while the array lives",
     .apply = [](Behaviour& behaviour) { behaviour.capsule.keeps_capsule = When::Always(); }},
    {.name = "holds-memory-only",
     .conforming = true,
     .rules = {"C-OWN-10"},
     .what = "keeps the memory of an export alive, but not the array",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.holds_memory_only = When::Always(); }},
    {.name = "raises-runtime-errors",
     .conforming = true,
     .rules = {"PY-DLPACK-03"},
     .what = "refuses imports with RuntimeError, except for other devices",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.refusing.error = ErrorClass::kRuntimeError;
           behaviour.refusing.raises = ~(kPathDevice | kPathKeyword);
         }},
    {.name = "takes-positional-max-version",
     .conforming = true,
     .rules = {"PY-DLPACK-01"},
     .what = "accepts max_version as a positional argument",
     .apply = [](Behaviour& behaviour) { behaviour.answering.positional = true; }},
    {.name = "declares-1-1",
     .conforming = true,
     .rules = {"C-VERSION-01", "C-VERSION-07", "XAPI-FROM-05", "XAPI-VER-06"},
     .what = "exports version 1.1",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.version = {1, 1}; }},
    {.name = "declares-1-2",
     .conforming = true,
     .rules = {"C-VERSION-01", "C-VERSION-07"},
     .what = "exports version 1.2",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.version = {1, 2}; }},
    {.name = "declares-1-99",
     .conforming = true,
     .rules = {"C-VERSION-01", "C-VERSION-07", "PY-CAPSULE-03", "PY-MAXVER-05", "XAPI-VER-06"},
     .what = "exports version 1.99",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.version = {1, 99}; }},
    {.name = "caps-the-minor",
     .conforming = true,
     .rules = {"PY-MAXVER-05", "PY-MAXVER-03"},
     .what = "exports the requested minor version if it is lower than its own",
     .apply = [](Behaviour& behaviour) { behaviour.answering.caps_minor = true; }},
    {.name = "legacy-null-strides",
     .conforming = true,
     .rules = {"C-STRIDES-01"},
     .what = "exports compact arrays with NULL strides in legacy structs",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.null_strides = When::Legacy(); }},
    {.name = "null-strides-before-1-2",
     .conforming = true,
     .rules = {"C-STRIDES-01", "XAPI-FROM-05"},
     .what = "exports version 1.1 with NULL strides for compact arrays",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.exporting.version = {1, 1};
           behaviour.exporting.null_strides = When::Always();
         }},
    {.name = "gives-scalars-a-shape",
     .conforming = true,
     .rules = {"C-SHAPE-02", "C-STRIDES-07"},
     .what = "exports 0-dimensional arrays with non-NULL shape and strides",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.shape_of_scalar = When::Always(); }},
    {.name = "imports-read-only",
     .conforming = true,
     .rules = {"C-FLAGS-03", "PY-FROM-13"},
     .what = "imports every tensor as read-only",
     .apply = [](Behaviour& behaviour) { behaviour.importing.all_read_only = When::Always(); }},
    {.name = "refuses-everything-optional",
     .conforming = true,
     .rules = {"C-DTYPE-13", "C-FLAGS-05", "PY-MAXVER-04", "PY-DLPACK-04", "C-DTYPE-05", "PY-DLDEVICE-10"},
     .what = "refuses bfloat16, copies, dl_device and older major versions with exceptions",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.importing.refuses = When::Code(abi::kDLBfloat);
           behaviour.exporting.refuses = When::Code(abi::kDLBfloat);
           behaviour.importing.refuses_copy = When::Always();
           behaviour.exporting.refuses_copy = When::Always();
           behaviour.answering.dl_device.refuses = kDeviceAny & ~kDeviceNone;
           behaviour.answering.refuses_older_major = true;
         },
     .lacks = {Claim::kArrayApi}},
    {.name = "adds-a-dimension-to-scalars",
     .conforming = true,
     .rules = {"C-SHAPE-02"},
     .what = "imports 0-dimensional tensors as 1-dimensional",
     .apply = [](Behaviour& behaviour) { behaviour.importing.adds_dimension_to_scalar = When::Always(); }},
    {.name = "refuses-float8",
     .conforming = true,
     .rules = {"C-DTYPE-13", "C-DTYPE-07", "C-OWN-05"},
     .what = "does not support float8_e5m2",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.importing.refuses = When::Code(abi::kDLFloat8_e5m2);
           behaviour.exporting.refuses = When::Code(abi::kDLFloat8_e5m2);
         }},
    {.name = "takes-odd-versions",
     .conforming = true,
     .rules = {"PY-MAXVER-11", "PY-DLPACK-04"},
     .what = "accepts lists and tuples of more than two numbers for max_version",
     .apply = [](Behaviour& behaviour) { behaviour.answering.odd_version_accepted = true; }},
    {.name = "passes-stream-none",
     .conforming = true,
     .rules = {"PY-DLPACK-01", "PY-STREAM-07"},
     .what = "passes stream=None",
     .apply = [](Behaviour& behaviour) { behaviour.asking.stream = {ArgumentKind::kNone, {}, 0, 0}; }},
    {.name = "asks-twice",
     .conforming = true,
     .rules = {"PY-CAPSULE-04"},
     .what = "requests two capsules and drops the first one",
     .apply = [](Behaviour& behaviour) { behaviour.asking.calls_twice = true; }},
    {.name = "asks-capsules-for-their-methods",
     .conforming = true,
     .rules = {"PY-FROM-11"},
     .what = "imports only objects with __dlpack__ and raises AttributeError for bare capsules",
     .apply = [](Behaviour& behaviour) { behaviour.asking.objects_only = true; }},
    {.name = "raises-value-errors",
     .conforming = true,
     .rules = {"C-OWN-15", "PY-CAPSULE-10", "PY-CAPSULE-15", "PY-MAXVER-06", "C-VERSION-06"},
     .what = "refuses imports with ValueError, except for other devices",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.refusing.error = ErrorClass::kValueError;
           behaviour.refusing.raises = ~(kPathDevice | kPathKeyword);
         }},
    {.name = "legacy-refusals-consume",
     .conforming = true,
     .rules = {"PY-CAPSULE-11"},
     .what = "renames the legacy capsules that it refuses and calls their deleters",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.refusing.consumes = kPathAnyTensor;
           behaviour.refusing.only = When::Legacy();
         }},
    {.name = "capsules-release-later",
     .conforming = true,
     .rules = {"PY-CAPSULE-04"},
     .what = "releases the tensors of unconsumed capsules only when it is asked to collect",
     .apply = [](Behaviour& behaviour) { behaviour.capsule.defers_release = When::Always(); }},
    {.name = "refuses-copies-of-views",
     .conforming = true,
     .rules = {"C-FLAGS-05"},
     .what = "refuses copy=True for exports of non-compact arrays",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.refuses_copy = When::Strided(); },
     .lacks = {Claim::kArrayApi}},
    {.name = "copies-are-read-only",
     .conforming = true,
     .rules = {"C-FLAGS-07"},
     .what = "exports copies with READ_ONLY set",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.copy_is_read_only = When::Copy(); }},
    {.name = "multiplies-before-it-looks-for-zero",
     .conforming = true,
     .rules = {"C-SHAPE-11"},
     .what = "refuses zero-size tensors whose other extents overflow",
     .apply = [](Behaviour& behaviour) { behaviour.importing.multiplies_before_looking_for_zero = When::Always(); }},
    {.name = "refuses-to-share",
     .conforming = true,
     .rules = {"PY-DLPACK-04", "PY-COPY-02"},
     .what = "refuses every export with copy=False",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.refuses_copy_false = When::Always(); }},
    {.name = "compares-the-whole-version",
     .conforming = true,
     .rules = {"PY-MAXVER-04", "PY-MAXVER-03"},
     .what = "exports legacy capsules for a max_version with a smaller minor version than its own",
     .apply = [](Behaviour& behaviour) { behaviour.answering.compares_whole_version = true; }},
    {.name = "raises-type-errors",
     .conforming = true,
     .rules = {"C-OWN-15", "PY-MAXVER-06"},
     .what = "refuses imports with TypeError, except for other devices",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.refusing.error = ErrorClass::kTypeError;
           behaviour.refusing.raises = ~(kPathDevice | kPathKeyword);
         }},
    {.name = "names-on-the-heap",
     .conforming = true,
     .rules = {"PY-CAPSULE-08"},
     .what = "stores capsule names in heap memory that it never frees",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.capsule.styled = When::Always();
           behaviour.capsule.style = NameStyle::kHeap;
           behaviour.capsule.heap_used_name = When::Always();
         }},
    {.name = "unknown-keywords-are-buffer-errors",
     .conforming = true,
     .rules = {"PY-DLPACK-05"},
     .what = "raises BufferError for unknown keywords",
     .apply = [](Behaviour& behaviour) { behaviour.answering.unknown_keyword = ErrorClass::kBufferError; }},
    {.name = "has-sixteen-dimensions",
     .conforming = true,
     .rules = {"C-SHAPE-08", "C-SHAPE-01", "C-SHAPE-07"},
     .what = "supports at most sixteen dimensions and refuses larger tensors with an exception",
     .apply = [](Behaviour& behaviour) { behaviour.having.ranks = (uint64_t{1} << 17) - 1; }},
    {.name = "deleter-wants-its-process",
     .conforming = true,
     .rules = {"PY-THREAD-03"},
     .what = "aborts a forked child process that calls a deleter",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.deleter_wants_process = When::Always(); }},
};

}  // namespace
}  // namespace dlpack_cts
