// mutants/conforming-export.cc: conforming variants of exports and of the exchange table.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutants kMutants = {
    {.name = "exports-no-read-only-arrays",
     .conforming = true,
     .rules = {"C-FLAGS-02", "C-FLAGS-11", "PY-DLPACK-02", "XAPI-FROM-06", "XAPI-USE-04"},
     .what = "refuses to export read-only arrays",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.refuses = When::ReadOnly(); }},
    {.name = "copies-read-only-arrays",
     .conforming = true,
     .rules = {"C-FLAGS-02", "C-FLAGS-11"},
     .what = "exports writable copies of read-only arrays, with IS_COPIED set in versioned structs",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.copies = When::ReadOnly(); }},
    {.name = "has-numbers-alone",
     .conforming = true,
     .rules = {"C-DTYPE-01", "C-DTYPE-02", "C-DTYPE-03", "C-DTYPE-04", "C-DTYPE-05", "C-DTYPE-07", "PY-DLPACK-08",
               "C-LAYOUT-08"},
     .what = "supports only integers and IEEE floats",
     .apply = [](Behaviour& behaviour) { behaviour.having.lacks_codes = ~0b111u; },
     .lacks = {Claim::kArrayApi}},
    {.name = "has-floats-alone",
     .conforming = true,
     .rules = {"C-DTYPE-01", "C-DTYPE-02"},
     .what = "supports only IEEE floats",
     .apply = [](Behaviour& behaviour) { behaviour.having.lacks_codes = ~0b100u; },
     .lacks = {Claim::kArrayApi}},
    {.name = "keeps-its-form-while-lent",
     .conforming = true,
     .rules = {"C-DATA-12", "C-SHAPE-05"},
     .what = "refuses to change an array in place while an export or another array shares its memory",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.refuses_changes = When::Always(); }},
    {.name = "resolves-lazy-arrays",
     .conforming = true,
     .rules = {"C-DATA-15", "PY-DLPACK-03", "XAPI-FROM-02", "PY-DLPACK-07"},
     .what = "exports copies of lazily conjugated arrays, lazily negated arrays, and zeros without memory",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.exporting.resolves_oddities =
               Bit(Oddity::kConjugate) | Bit(Oddity::kNegated) | Bit(Oddity::kZeros);
         }},
    {.name = "exports-dense-native-copies",
     .conforming = true,
     .rules = {"C-DEVICE-11", "C-DTYPE-11", "PY-DLPACK-07"},
     .what = "exports dense copies of sparse arrays and native-endian copies of byte-swapped arrays",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.exporting.resolves_oddities = Bit(Oddity::kSparse) | Bit(Oddity::kForeignByteOrder);
         }},
    {.name = "sets-a-flag-of-a-later-minor",
     .conforming = true,
     .rules = {"C-FLAGS-01"},
     .what = "exports version 1.99 with a flag bit that 1.3 does not define",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.exporting.version = {1, 99};
           behaviour.exporting.flags = 8;
           behaviour.exporting.adds_flags = When::Versioned();
         }},
    {.name = "answers-with-an-enumerator",
     .conforming = true,
     .rules = {"PY-DEVICE-01"},
     .what = "returns an enum member as the device type from __dlpack_device__",
     .apply = [](Behaviour& behaviour) { behaviour.answering.device_is_enum = true; }},
    {.name = "has-the-new-name-alone",
     .conforming = true,
     .rules = {"XAPI-DISC-02"},
     .what = "publishes its exchange table only under the attribute name of DLPack 1.3",
     .apply = [](Behaviour& behaviour) { behaviour.table.published.form = Publishing::Form::kNewName; }},
    {.name = "has-the-old-name-alone",
     .conforming = true,
     .rules = {"XAPI-DISC-02", "XAPI-DISC-01"},
     .what = "publishes its exchange table only under the attribute name of DLPack 1.2",
     .apply = [](Behaviour& behaviour) { behaviour.table.published.form = Publishing::Form::kOldName; }},
    {.name = "allocates-nothing",
     .conforming = true,
     .rules = {"XAPI-ALLOC-01", "XAPI-ALLOC-02", "XAPI-ALLOC-03", "XAPI-ALLOC-09", "XAPI-TAB-01"},
     .what = "has an allocator that always fails",
     .apply = [](Behaviour& behaviour) { behaviour.table.allocates_nothing = true; }},
    {.name = "table-releases-what-it-refuses",
     .conforming = true,
     .rules = {"XAPI-TO-05", "C-OWN-15"},
     .what = "calls the deleter of tensors that managed_tensor_to_py_object_no_sync refuses",
     .apply = [](Behaviour& behaviour) { behaviour.table.releases_once = true; }},
    {.name = "names-no-stream-of-any-device",
     .conforming = true,
     .rules = {"XAPI-TAB-05", "XAPI-STREAM-05"},
     .what = "returns NULL as the current work stream of every device",
     .apply = [](Behaviour& behaviour) { behaviour.table.null_for_all = true; }},
    {.name = "slices-at-bytes",
     .conforming = true,
     .rules = {"C-SUBBYTE-09"},
     .what = "supports no arrays that start inside a byte",
     .apply = [](Behaviour& behaviour) { behaviour.having.whole_bytes = true; }},
    {.name = "has-no-device-for-read-only-arrays",
     .conforming = true,
     .rules = {"PY-DEVICE-01"},
     .what = "refuses to export read-only arrays and raises BufferError in their __dlpack_device__",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.exporting.refuses = When::ReadOnly();
           behaviour.answering.device_raises = When::ReadOnly();
           behaviour.answering.device_error = ErrorClass::kBufferError;
         }},
    {.name = "puts-deleters-off",
     .conforming = true,
     .rules = {"C-OWN-20"},
     .what = "releases what an export holds only when it is asked to collect",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.deleter_defers = When::Always(); }},
    {.name = "queues-its-releases",
     .conforming = true,
     .rules = {"PY-THREAD-01", "C-OWN-20"},
     .what = "releases the array of an export in a pending call of the interpreter",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.deleter_queues = When::Always(); }},
    {.name = "table-validates-late",
     .conforming = true,
     .rules = {"XAPI-TO-04"},
     .what = "imports unusable tensors through its table and raises an exception at their first use",
     .apply = [](Behaviour& behaviour) { behaviour.table.validates_late = true; }},
    {.name = "shares-what-it-resolved",
     .conforming = true,
     .rules = {"C-FLAGS-07"},
     .what = "caches the copy that it makes of a lazy array and exports it again without IS_COPIED",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.exporting.resolves_oddities =
               Bit(Oddity::kConjugate) | Bit(Oddity::kNegated) | Bit(Oddity::kForeignByteOrder);
           behaviour.exporting.caches_resolved = true;
         }},
    {.name = "keeps-what-it-converted",
     .conforming = true,
     .rules = {"C-OWN-16"},
     .what = "has only immutable arrays and caches their elements at the first read",
     .apply = [](Behaviour& behaviour) { behaviour.having.keeps_conversions = true; },
     .lacks = {Claim::kWrite, Claim::kReshapeInPlace, Claim::kTransposeInPlace, Claim::kResizeInPlace},
     .says = {Trait::kImmutable}},
};

}  // namespace
}  // namespace dlpack_cts
