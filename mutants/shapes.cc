// mutants/shapes.cc: ten kinds of libraries: conforming variants that change more than one step at once.
//
// `lacks`, `says` and `ranks` declare what its library.toml would declare: missing claims and other choices. No case
// fails on a shape, and most cases for what it supports have a result (tests/mutants/).
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutants kMutants = {
    {.name = "shape-immutable",
     .conforming = true,
     .rules = {"C-FLAGS-03", "C-OWN-16", "PY-COPY-01", "PY-COPY-06", "PY-FROM-13"},
     .what = "has only read-only arrays and sets READ_ONLY on versioned exports",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.having.immutable = true;
           behaviour.importing.remembers_elements = When::Always();
         },
     .lacks = {Claim::kWrite, Claim::kReshapeInPlace, Claim::kTransposeInPlace, Claim::kResizeInPlace},
     .says = {Trait::kImmutable}},
    {.name = "shape-copying",
     .conforming = true,
     .rules = {"C-OWN-03", "C-FLAGS-05", "PY-FROM-03"},
     .what = "copies every import and every versioned export, and refuses copy=False",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.importing.copies = When::Always();
           behaviour.importing.refuses_copy_false = When::Always();
           behaviour.exporting.copies = When::Versioned();
           behaviour.exporting.refuses_copy_false = When::Always();
         },
     .lacks = {Claim::kZeroCopy},
     .says = {Trait::kCopies}},
    {.name = "shape-legacy",
     .conforming = true,
     .rules = {"PY-MAXVER-13", "PY-CAPSULE-01", "PY-CAPSULE-02", "PY-COPY-01", "PY-COPY-02", "PY-COPY-06", "PY-COPY-07",
               "PY-DLDEVICE-03", "PY-DLDEVICE-10", "PY-DLPACK-01", "PY-DLPACK-08", "PY-FROM-02", "PY-FROM-06",
               "PY-MAXVER-02", "PY-MAXVER-03", "PY-MAXVER-04", "XAPI-USE-05"},
     .what = "supports only legacy capsules and no keyword except stream",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.asking.max_version = Wish::kNone;
           behaviour.asking.no_keywords = true;
           behaviour.answering.legacy_only = true;
           behaviour.answering.only_stream = true;
           behaviour.capsule.refuses_versioned = When::Always();
         },
     .lacks = {Claim::kArrayApi, Claim::kCopyKeyword, Claim::kDeviceKeyword, Claim::kExchangeApi}},
    {.name = "shape-capsules",
     .conforming = true,
     .rules = {"PY-CAPSULE-09", "C-DEVICE-11", "PY-DLPACK-09", "PY-FROM-01"},
     .what = "imports and exports bare capsules through functions, because its arrays have no methods",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.asking.capsules_only = true;
           behaviour.answering.no_methods = true;
         },
     .lacks = {Claim::kArrayApi, Claim::kExchangeApi},
     .says = {Trait::kCapsulesOnly}},
    {.name = "shape-consumer",
     .conforming = true,
     .rules = {"C-OWN-03", "C-DATA-10", "C-DATA-14", "C-SHAPE-10", "PY-DLPACK-02", "PY-MAXVER-02"},
     .what = "imports tensors but refuses every export",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.refuses = When::Always(); },
     .lacks = {Claim::kProducer, Claim::kReexport, Claim::kOddities, Claim::kExchangeApi}},
    {.name = "shape-producer",
     .conforming = true,
     .rules = {"C-OWN-09", "C-OWN-16"},
     .what = "exports arrays but refuses every import",
     .apply = [](Behaviour& behaviour) { behaviour.importing.refuses = When::Always(); },
     .lacks = {Claim::kConsumer, Claim::kCapsuleInput, Claim::kReexport, Claim::kCopyKeyword, Claim::kDeviceKeyword,
               Claim::kExchangeApi, Claim::kZeroCopy}},
    {.name = "shape-typed",
     .conforming = true,
     .rules = {"C-SHAPE-02"},
     .what =
         "has one array class for each type and each rank from 1 to 3, and imports 0-dimensional tensors with shape "
         "(1,)",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.asking.typed = true;
           behaviour.having.ranks = 0b1110;
         },
     .lacks = {Claim::kExchangeApi},
     .says = {Trait::kTypedImports},
     .ranks = 0b1110},
    {.name = "shape-borrower",
     .conforming = true,
     .rules = {"PY-CAPSULE-06", "C-OWN-01", "PY-CAPSULE-10"},
     .what = "keeps the capsule unused while the array lives, and drops it only when it is asked to collect",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.capsule.borrows = When::Always();
           behaviour.owning.release = Release::kCollect;
         },
     .lacks = {Claim::kExchangeApi},
     .says = {Trait::kBorrows}},
    {.name = "shape-strict",
     .conforming = true,
     .rules = {"C-DTYPE-13", "C-DATA-03", "PY-DLPACK-04", "C-LAYOUT-01", "C-STRIDES-05", "C-STRIDES-08", "PY-FROM-01",
               "PY-FROM-03", "PY-FROM-04", "PY-MAXVER-15"},
     .what =
         "refuses data that is not 256-byte aligned, strides, newer types, copies, dl_device and older major versions",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.having.alignment_log2 = 8;
           behaviour.having.lacks_codes = ~0b1100111u;  // all but numbers, complex numbers and bool
           behaviour.importing.refuses = When::Strided().And(When::Empty().Not());
           behaviour.importing.refuses_copy = When::Always();
           behaviour.exporting.refuses_copy = When::Always();
           behaviour.answering.dl_device.refuses = kDeviceAny & ~kDeviceNone;
           behaviour.answering.refuses_older_major = true;
         },
     .lacks = {Claim::kArrayApi}},
    {.name = "shape-generous",
     .conforming = true,
     .rules = {"C-DTYPE-14", "PY-MAXVER-11", "PY-FROM-04"},
     .what = "narrows 64-bit numbers with a warning and accepts unusual max_version values, also by position",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.importing.narrows = When::Always();
           behaviour.answering.odd_version_accepted = true;
           behaviour.answering.positional = true;
         },
     .says = {Trait::kNarrows}},
};

}  // namespace
}  // namespace dlpack_cts
