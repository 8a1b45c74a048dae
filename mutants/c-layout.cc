// mutants/c-layout.cc: mutants of the chapter on struct layouts.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutant kSwapsStructKinds{{
    .name = "swaps-struct-kinds",
    .rules = {"C-LAYOUT-01", "C-LAYOUT-02", "C-LAYOUT-03", "C-LAYOUT-10", "PY-CAPSULE-03"},
    .what = "names legacy structs versioned and versioned ones legacy",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.capsule.styled = When::Always();
          behaviour.capsule.style = NameStyle::kSwapped;
        },
}};

const RegisterMutant kSwapsShapeAndStrides{{
    .name = "swaps-shape-and-strides",
    .rules = {"C-LAYOUT-01"},
    .what = "reads the strides as shape",
    .apply = [](Behaviour& behaviour) { behaviour.importing.swaps_shape_and_strides = When::Always(); },
}};

const RegisterMutant kReadsLegacyAsVersioned{{
    .name = "reads-legacy-as-versioned",
    .rules = {"C-VERSION-12"},
    .what = "reads legacy structs as versioned ones",
    .apply = [](Behaviour& behaviour) { behaviour.capsule.legacy_read_as_versioned = When::Always(); },
}};

const RegisterMutant kReadsVersionedAsLegacy{{
    .name = "reads-versioned-as-legacy",
    .rules = {"C-VERSION-12"},
    .what = "reads versioned structs as legacy ones",
    .apply = [](Behaviour& behaviour) { behaviour.capsule.versioned_read_as_legacy = When::Always(); },
}};

const RegisterMutant kReadsMinorBeforeMajor{{
    .name = "reads-minor-before-major",
    .rules = {"C-LAYOUT-10", "C-VERSION-12"},
    .what = "takes the minor version for the major",
    .apply = [](Behaviour& behaviour) { behaviour.importing.swaps_version = When::Always(); },
}};

const RegisterMutant kSwapsTableFunctions{{
    .name = "swaps-table-functions",
    .rules = {"C-LAYOUT-09"},
    .what = "has from_py_object in the slot of the view",
    .apply = [](Behaviour& behaviour) { behaviour.table.wrong_slot = true; },
}};

const RegisterMutant kFoldsTheFlags{{
    .name = "folds-the-flags",
    .rules = {"C-LAYOUT-07"},
    .what = "reads bit 32 of the flags as bit 0",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.importing.refused_flags = 0;
          behaviour.importing.read_only_mask = abi::kFlagReadOnly | abi::kFlagReadOnly << 32;
        },
}};

const RegisterMutant kSwapsShapeAndStridesOfLegacy{{
    .name = "swaps-shape-and-strides-of-legacy",
    .rules = {"C-LAYOUT-02", "PY-MAXVER-09"},
    .what = "reads the strides of legacy structs as shape",
    .apply = [](Behaviour& behaviour) { behaviour.importing.swaps_shape_and_strides = When::Legacy(); },
}};

const RegisterMutant kSwapsShapeAndStridesOfVersioned{{
    .name = "swaps-shape-and-strides-of-versioned",
    .rules = {"C-LAYOUT-03", "PY-CAPSULE-19"},
    .what = "reads the strides of versioned structs as shape",
    .apply = [](Behaviour& behaviour) { behaviour.importing.swaps_shape_and_strides = When::Versioned(); },
}};

const RegisterMutant kSwapsMajorAndMinor{{
    .name = "exports-major-behind-minor",
    .rules = {"C-LAYOUT-10", "C-VERSION-01"},
    .what = "writes the minor version where the major belongs",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.exporting.relabels = When::Always();
          behaviour.exporting.label = {3, 1};
        },
}};

}  // namespace
}  // namespace dlpack_cts
