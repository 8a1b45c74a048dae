// mutants/conforming-import.cc: conforming variants of imports.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutants kMutants = {
    {.name = "reads-gaps",
     .conforming = true,
     .rules = {"C-DATA-11"},
     .what = "reads every byte from the first element to the last, including the bytes between elements",
     .apply = [](Behaviour& behaviour) { behaviour.importing.reads_gaps = When::Always(); }},
    {.name = "takes-pinned-memory",
     .conforming = true,
     .rules = {"C-DEVICE-08", "PY-DEVICE-07", "PY-FROM-05", "C-LAYOUT-05"},
     .what = "imports CUDA pinned memory as CPU memory",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.refusing.accepts = kPathDevice;
           behaviour.refusing.only = When::Device(abi::kDLCUDAHost);
         }},
    {.name = "copies-what-is-strided",
     .conforming = true,
     .rules = {"C-STRIDES-05", "C-STRIDES-08", "C-STRIDES-09", "C-STRIDES-10", "C-SHAPE-08", "PY-FROM-03"},
     .what = "copies non-compact tensors unless copy=False was requested",
     .apply = [](Behaviour& behaviour) { behaviour.importing.copies = When::Strided(); }},
    {.name = "knows-no-read-only",
     .conforming = true,
     .rules = {"C-FLAGS-03", "C-FLAGS-04", "C-FLAGS-12", "XAPI-TO-04"},
     .what = "does not support read-only arrays and ignores READ_ONLY",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.having.no_read_only = true;
           behaviour.importing.drops_read_only = When::Always();
         },
     .lacks = {Claim::kReadOnly}},
    {.name = "refuses-reexports",
     .conforming = true,
     .rules = {"C-FLAGS-12", "C-OWN-18"},
     .what = "refuses to export imported arrays",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.refuses = When::Imported(); },
     .lacks = {Claim::kReexport}},
    {.name = "copies-reexports",
     .conforming = true,
     .rules = {"C-FLAGS-12", "C-OWN-18"},
     .what = "exports imported arrays as copies with IS_COPIED set",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.copies = When::Imported(); }},
    {.name = "hands-everything-on",
     .conforming = true,
     .rules = {"C-DEVICE-06", "C-DEVICE-08", "C-DTYPE-08", "C-DTYPE-09", "C-DTYPE-10", "C-DTYPE-13", "C-LAYOUT-05",
               "C-LAYOUT-06", "C-VERSION-09", "PY-FROM-09"},
     .what =
         "imports and re-exports tensors of every type and device, but cannot read elements that it does not support",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.having.container = true;
           behaviour.importing.carries_devices = When::Always();
         }},
    {.name = "refuses-negative-strides",
     .conforming = true,
     .rules = {"C-STRIDES-09", "XAPI-TO-04"},
     .what = "refuses negative strides with an exception",
     .apply = [](Behaviour& behaviour) { behaviour.importing.refuses = When::Negative().And(When::Empty().Not()); }},
    {.name = "refuses-forbidden-null-strides",
     .conforming = true,
     .rules = {"C-STRIDES-04"},
     .what = "refuses NULL strides in structs of version 1.2 and later, where they are forbidden",
     .apply =
         [](Behaviour& behaviour) { behaviour.importing.refuses = When::NullStrides().And(When::MinorAtLeast(2)); }},
    {.name = "reads-no-lanes-as-one",
     .conforming = true,
     .rules = {"C-DTYPE-09"},
     .what = "imports lanes = 0 as lanes = 1",
     .apply = [](Behaviour& behaviour) { behaviour.importing.ignores_lanes = When::Lanes(0); }},
    {.name = "names-a-stream-of-its-own-to-cuda",
     .conforming = true,
     .rules = {"PY-STREAM-04", "PY-STREAM-06", "PY-STREAM-12"},
     .what = "passes stream=4096 to producers on CUDA",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.asking.stream = {ArgumentKind::kInt, {}, 4096, 0};
           behaviour.asking.stream_at = Moment::kForCuda;
         }},
    {.name = "has-no-memory-for-broadcasts",
     .conforming = true,
     .rules = {"C-STRIDES-10"},
     .what = "raises MemoryError for strides of 0",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.importing.refuses = When::Broadcast().And(When::Empty().Not());
           behaviour.refusing.raises = kPathPolite;
           behaviour.refusing.error = ErrorClass::kMemoryError;
         }},
    {.name = "takes-extents-of-any-size",
     .conforming = true,
     .rules = {"C-SHAPE-09"},
     .what = "imports tensors whose size overflows, but cannot read their elements",
     .apply = [](Behaviour& behaviour) { behaviour.refusing.accepts = kPathExtents; }},
    {.name = "refuses-far-offsets",
     .conforming = true,
     .rules = {"C-DATA-09"},
     .what = "refuses a byte_offset of 2^31 or more",
     .apply = [](Behaviour& behaviour) { behaviour.importing.refuses = When::OffsetAtLeast(uint64_t{1} << 31); }},
    {.name = "refuses-broadcasts",
     .conforming = true,
     .rules = {"C-STRIDES-10"},
     .what = "refuses strides of 0 with an exception",
     .apply = [](Behaviour& behaviour) { behaviour.importing.refuses = When::Broadcast().And(When::Empty().Not()); }},
    {.name = "knows-a-type-of-a-later-minor",
     .conforming = true,
     .rules = {"C-VERSION-09"},
     .what = "imports type code 255 in structs of version 1.4 and later as a type of that version",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.refusing.accepts = kPathDtype;
           behaviour.refusing.only = When::Code(255).And(When::MinorAtLeast(4));
         }},
    {.name = "has-floats-of-any-width",
     .conforming = true,
     .rules = {"C-DTYPE-13"},
     .what = "supports IEEE floats of every width",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.refusing.accepts = kPathDtype;
           behaviour.refusing.only = When::Code(abi::kDLFloat);
         }},
    {.name = "takes-raw-bytes",
     .conforming = true,
     .rules = {"C-DTYPE-08", "C-DTYPE-13"},
     .what = "imports unknown types as arrays of raw bytes and refuses to export them",
     .apply = [](Behaviour& behaviour) { behaviour.having.raw_bytes = true; }},
    {.name = "carries-null",
     .conforming = true,
     .rules = {"C-DATA-08"},
     .what = "imports tensors that have elements but NULL data, and does not read them",
     .apply = [](Behaviour& behaviour) { behaviour.importing.carries_null = When::Always(); }},
    {.name = "takes-integers-for-tables",
     .conforming = true,
     .rules = {"XAPI-DISC-08"},
     .what = "accepts an int under the attribute name of DLPack 1.3 as the address of a table, as in 1.2",
     .apply = [](Behaviour& behaviour) { behaviour.consulting.takes_integers = true; }},
    {.name = "copies-what-views-show",
     .conforming = true,
     .rules = {"XAPI-DLT-01"},
     .what = "copies the DLTensor view of the exchange table for copy=True, and requests no managed tensor",
     .apply = [](Behaviour& behaviour) { behaviour.consulting.copies_views = true; }},
    {.name = "takes-objects-for-their-table",
     .conforming = true,
     .rules = {"XAPI-DISC-09"},
     .what = "imports only bare capsules and objects whose type has an exchange table",
     .apply = [](Behaviour& behaviour) { behaviour.consulting.tables_only = true; }},
};

}  // namespace
}  // namespace dlpack_cts
