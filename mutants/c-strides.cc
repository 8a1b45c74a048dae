// mutants/c-strides.cc: mutants of the chapter on strides.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutant kReadsNullStridesAsColumnMajor{{
    .name = "reads-null-strides-as-column-major",
    .rules = {"C-STRIDES-03"},
    .what = "reads NULL strides as column-major",
    .apply = [](Behaviour& behaviour) { behaviour.importing.null_strides_are_column_major = When::NullStrides(); },
}};

const RegisterMutant kDereferencesNullStrides{{
    .name = "dereferences-null-strides",
    .rules = {"C-STRIDES-03"},
    .what = "dereferences NULL strides",
    .apply = [](Behaviour& behaviour) { behaviour.importing.dereferences_null_strides = When::NullStrides(); },
}};

const RegisterMutant kIgnoresStrides{{
    .name = "ignores-strides",
    .rules = {"C-STRIDES-08"},
    .what = "takes strided tensors for compact ones",
    .apply = [](Behaviour& behaviour) { behaviour.importing.ignores_strides = When::Always(); },
}};

const RegisterMutant kMakesNegativeStridesPositive{{
    .name = "makes-negative-strides-positive",
    .rules = {"C-STRIDES-09"},
    .what = "drops the sign of strides",
    .apply = [](Behaviour& behaviour) { behaviour.importing.strides_made_positive = When::Always(); },
}};

const RegisterMutant kReadsZeroStridesAsCompact{{
    .name = "reads-zero-strides-as-compact",
    .rules = {"C-STRIDES-10"},
    .what = "takes zero strides for compact ones",
    .apply = [](Behaviour& behaviour) { behaviour.importing.zero_strides_are_compact = When::Broadcast(); },
}};

const RegisterMutant kBelievesStridesOfUnitDimensions{{
    .name = "believes-strides-of-unit-dimensions",
    .rules = {"C-STRIDES-11"},
    .what = "moves element 0 by the strides of dimensions of one element",
    .apply = [](Behaviour& behaviour) { behaviour.importing.believes_unit_strides = When::Unit(); },
}};

const RegisterMutant kExportsStridesInBytes{{
    .name = "exports-strides-in-bytes",
    .rules = {"C-STRIDES-05"},
    .what = "exports strides in bytes",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.strides_in_bytes = When::Always(); },
}};

}  // namespace
}  // namespace dlpack_cts
