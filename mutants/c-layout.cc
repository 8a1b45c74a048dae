// mutants/c-layout.cc: mutants of the chapter on struct layouts.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutants kMutants = {
    {.name = "swaps-struct-kinds",
     .rules = {"C-LAYOUT-01", "C-LAYOUT-02", "C-LAYOUT-03", "C-LAYOUT-10", "PY-CAPSULE-03"},
     .what = "names capsules of legacy structs dltensor_versioned and capsules of versioned structs dltensor",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.capsule.styled = When::Always();
           behaviour.capsule.style = NameStyle::kSwapped;
         }},
    {.name = "swaps-shape-and-strides",
     .rules = {"C-LAYOUT-01"},
     .what = "reads dl_tensor.strides as the shape",
     .apply = [](Behaviour& behaviour) { behaviour.importing.swaps_shape_and_strides = When::Always(); }},
    {.name = "reads-legacy-as-versioned",
     .rules = {"C-VERSION-12"},
     .what = "reads legacy structs with the layout of DLManagedTensorVersioned",
     .apply = [](Behaviour& behaviour) { behaviour.capsule.legacy_read_as_versioned = When::Always(); }},
    {.name = "reads-versioned-as-legacy",
     .rules = {"C-VERSION-12"},
     .what = "reads versioned structs with the layout of DLManagedTensor",
     .apply = [](Behaviour& behaviour) { behaviour.capsule.versioned_read_as_legacy = When::Always(); }},
    {.name = "reads-minor-before-major",
     .rules = {"C-LAYOUT-10", "C-VERSION-12"},
     .what = "reads version.minor as the major version and version.major as the minor version",
     .apply = [](Behaviour& behaviour) { behaviour.importing.swaps_version = When::Always(); }},
    {.name = "swaps-table-functions",
     .rules = {"C-LAYOUT-09"},
     .what = "puts managed_tensor_from_py_object_no_sync into the slot of dltensor_from_py_object_no_sync",
     .apply = [](Behaviour& behaviour) { behaviour.table.wrong_slot = true; }},
    {.name = "folds-the-flags",
     .rules = {"C-LAYOUT-07"},
     .what = "reads flag bit 32 as flag bit 0",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.importing.refused_flags = 0;
           behaviour.importing.read_only_mask = abi::kFlagReadOnly | abi::kFlagReadOnly << 32;
         }},
    {.name = "swaps-shape-and-strides-of-legacy",
     .rules = {"C-LAYOUT-02", "PY-MAXVER-09"},
     .what = "reads dl_tensor.strides of legacy structs as the shape",
     .apply = [](Behaviour& behaviour) { behaviour.importing.swaps_shape_and_strides = When::Legacy(); }},
    {.name = "swaps-shape-and-strides-of-versioned",
     .rules = {"C-LAYOUT-03", "PY-CAPSULE-19"},
     .what = "reads dl_tensor.strides of versioned structs as the shape",
     .apply = [](Behaviour& behaviour) { behaviour.importing.swaps_shape_and_strides = When::Versioned(); }},
    {.name = "exports-major-behind-minor",
     .rules = {"C-LAYOUT-10", "C-VERSION-01"},
     .what = "writes the minor version into version.major and the major version into version.minor",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.exporting.relabels = When::Always();
           behaviour.exporting.label = {3, 1};
         }},
};

}  // namespace
}  // namespace dlpack_cts
