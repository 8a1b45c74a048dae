// mutants/c-strides.cc: mutants of the chapter on strides.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutant kExportsNullStrides{{
    .name = "exports-null-strides",
    .rules = {"C-STRIDES-01"},
    .what = "exports compact arrays with NULL strides in structs of version 1.3",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.null_strides = When::Versioned(); },
}};

const RegisterMutant kExportsNullStridesOfViews{{
    .name = "exports-null-strides-of-views",
    .rules = {"C-STRIDES-02"},
    .what = "exports NULL strides for every layout in legacy structs",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.null_strides_of_any = When::Legacy(); },
}};

const RegisterMutant kReadsNullStridesAsColumnMajor{{
    .name = "reads-null-strides-as-column-major",
    .rules = {"C-STRIDES-03"},
    .what = "reads NULL strides as column-major",
    .apply = [](Behaviour& behaviour) { behaviour.importing.null_strides_are_column_major = When::NullStrides(); },
}};

const RegisterMutant kDereferencesNullStrides{{
    .name = "dereferences-null-strides",
    .rules = {"C-STRIDES-03", "C-STRIDES-04"},
    .what = "reads strides without checking for NULL",
    .apply = [](Behaviour& behaviour) { behaviour.importing.dereferences_null_strides = When::NullStrides(); },
}};

const RegisterMutant kDereferencesNullStridesOfCubes{{
    .name = "dereferences-null-strides-of-cubes",
    .rules = {"C-STRIDES-03"},
    .what = "reads strides of 3-dimensional tensors without checking for NULL",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.importing.dereferences_null_strides = When::NullStrides().And(When::Rank(3));
        },
}};

const RegisterMutant kExportsStridesInBytes{{
    .name = "exports-strides-in-bytes",
    .rules = {"C-STRIDES-05"},
    .what = "exports strides in bytes",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.strides_in_bytes = When::Always(); },
}};

const RegisterMutant kReadsStridesInBytes{{
    .name = "reads-strides-in-bytes",
    .rules = {"C-STRIDES-05"},
    .what = "interprets strides as bytes where a stride is a multiple of the item size",
    .apply = [](Behaviour& behaviour) { behaviour.importing.strides_in_bytes = When::Always(); },
}};

const RegisterMutant kExportsUnmappedStrides{{
    .name = "exports-unmapped-strides",
    .rules = {"C-STRIDES-06"},
    .what = "exports a strides pointer that is not mapped",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.wild_strides = When::Always(); },
}};

const RegisterMutant kReadsTheStridesOfScalars{{
    .name = "reads-the-strides-of-scalars",
    .rules = {"C-STRIDES-07"},
    .what = "reads through a non-NULL strides pointer of 0-dimensional tensors",
    .apply = [](Behaviour& behaviour) { behaviour.importing.reads_strides_of_scalar = When::Always(); },
}};

const RegisterMutant kIgnoresStrides{{
    .name = "ignores-strides",
    .rules = {"C-STRIDES-08"},
    .what = "imports non-compact tensors as compact",
    .apply = [](Behaviour& behaviour) { behaviour.importing.ignores_strides = When::Always(); },
}};

const RegisterMutant kIgnoresStridesOfReadOnly{{
    .name = "ignores-strides-of-read-only",
    .rules = {"C-STRIDES-08"},
    .what = "imports non-compact read-only tensors as compact",
    .apply = [](Behaviour& behaviour) { behaviour.importing.ignores_strides = When::ReadOnly(); },
}};

const RegisterMutant kTruncatesStrides{{
    .name = "truncates-strides",
    .rules = {"C-STRIDES-08"},
    .what = "reads only the low 8 bits of each stride",
    .apply = [](Behaviour& behaviour) { behaviour.importing.truncates_strides = When::Always(); },
}};

const RegisterMutant kReversesStrides{{
    .name = "reverses-strides",
    .rules = {"C-STRIDES-08"},
    .what = "reads the strides in reverse order",
    .apply = [](Behaviour& behaviour) { behaviour.importing.reverses_strides = When::Always(); },
}};

const RegisterMutant kMakesNegativeStridesPositive{{
    .name = "makes-negative-strides-positive",
    .rules = {"C-STRIDES-09"},
    .what = "makes negative strides positive on import",
    .apply = [](Behaviour& behaviour) { behaviour.importing.strides_made_positive = When::Always(); },
}};

const RegisterMutant kReadsNegativeStridesAsZero{{
    .name = "reads-negative-strides-as-zero",
    .rules = {"C-STRIDES-09"},
    .what = "imports negative strides of 2-dimensional tensors as 0",
    .apply = [](Behaviour& behaviour) { behaviour.importing.negative_strides_are_zero = When::Rank(2); },
}};

const RegisterMutant kReadsZeroStridesAsCompact{{
    .name = "reads-zero-strides-as-compact",
    .rules = {"C-STRIDES-10"},
    .what = "imports strides of 0 as the strides of a compact tensor",
    .apply = [](Behaviour& behaviour) { behaviour.importing.zero_strides_are_compact = When::Broadcast(); },
}};

const RegisterMutant kBelievesStridesOfUnitDimensions{{
    .name = "believes-strides-of-unit-dimensions",
    .rules = {"C-STRIDES-11"},
    .what = "moves element 0 by the strides of dimensions of extent 1",
    .apply = [](Behaviour& behaviour) { behaviour.importing.believes_unit_strides = When::Unit(); },
}};

const RegisterMutant kBelievesStridesOfEmptyTensors{{
    .name = "believes-strides-of-empty-tensors",
    .rules = {"C-STRIDES-12"},
    .what = "refuses zero-size tensors whose last stride is not 1",
    .apply = [](Behaviour& behaviour) { behaviour.importing.believes_empty_strides = When::Always(); },
}};

const RegisterMutant kExportsUnalignedStrides{{
    .name = "exports-unaligned-strides",
    .rules = {"C-STRIDES-13"},
    .what = "exports rounded strides for byte strides that are not a multiple of the item size",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.exports_oddities = Bit(Oddity::kUnalignedStride); },
}};

const RegisterMutant kCannotReadStridedImports{{
    .name = "cannot-read-strided-imports",
    .rules = {"C-STRIDES-08"},
    .what = "imports non-compact tensors but raises an exception when their elements are read",
    .apply = [](Behaviour& behaviour) { behaviour.importing.cannot_be_read = When::Strided(); },
}};

const RegisterMutant kStumblesOverStrides{{
    .name = "stumbles-over-strides",
    .rules = {"C-STRIDES-05", "PY-DLPACK-03", "PY-DLPACK-13"},
    .what = "raises SystemError instead of exporting a non-compact array",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.exporting.refuses = When::Strided();
          behaviour.exporting.error = ErrorClass::kSystemError;
        },
}};

const RegisterMutant kReadsEightStrides{{
    .name = "reads-eight-strides",
    .rules = {"C-STRIDES-08"},
    .what = "reads eight strides and treats all further dimensions as compact",
    .apply = [](Behaviour& behaviour) { behaviour.importing.reads_eight_strides = When::Always(); },
}};

const RegisterMutant kCountsBytesInSixteenBits{{
    .name = "counts-bytes-in-sixteen-bits",
    .rules = {"C-STRIDES-08"},
    .what = "copies every import with a 16-bit byte count",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.importing.copies = When::Always();
          behaviour.importing.copies_size_mod_2_16 = When::Always();
        },
}};

const RegisterMutant kReadsNullStridesOfLegacyAsColumnMajor{{
    .name = "reads-null-strides-of-legacy-as-column-major",
    .rules = {"C-STRIDES-03"},
    .what = "reads NULL strides of legacy tensors as column-major",
    .apply = [](Behaviour& behaviour) { behaviour.importing.null_strides_are_column_major = When::Legacy(); },
}};

const RegisterMutant kReadsStridesOfWideElementsInBytes{{
    .name = "reads-strides-of-wide-elements-in-bytes",
    .rules = {"C-STRIDES-05", "C-STRIDES-08"},
    .what = "interprets strides of 8-byte elements as bytes",
    .apply = [](Behaviour& behaviour) { behaviour.importing.strides_in_bytes = When::ItemSize(8); },
}};

const RegisterMutant kIgnoresStridesOfCubes{{
    .name = "ignores-strides-of-cubes",
    .rules = {"C-STRIDES-08"},
    .what = "ignores the strides of 3-dimensional tensors",
    .apply = [](Behaviour& behaviour) { behaviour.importing.ignores_strides = When::Rank(3); },
}};

const RegisterMutant kMakesNegativeStridesOfMatricesPositive{{
    .name = "makes-negative-strides-of-matrices-positive",
    .rules = {"C-STRIDES-09"},
    .what = "makes negative strides of 2-dimensional tensors positive on import",
    .apply = [](Behaviour& behaviour) { behaviour.importing.strides_made_positive = When::Rank(2); },
}};

const RegisterMutant kReadsZeroStridesOfLegacyAsCompact{{
    .name = "reads-zero-strides-of-legacy-as-compact",
    .rules = {"C-STRIDES-10"},
    .what = "imports strides of 0 in legacy tensors as the strides of a compact tensor",
    .apply = [](Behaviour& behaviour) { behaviour.importing.zero_strides_are_compact = When::Legacy(); },
}};

const RegisterMutant kBelievesUnitStridesOfLegacy{{
    .name = "believes-unit-strides-of-legacy",
    .rules = {"C-STRIDES-11"},
    .what = "moves element 0 of legacy tensors by the strides of dimensions of extent 1",
    .apply = [](Behaviour& behaviour) { behaviour.importing.believes_unit_strides = When::Legacy(); },
}};

const RegisterMutant kExportsStridesOfWideElementsInBytes{{
    .name = "exports-strides-of-wide-elements-in-bytes",
    .rules = {"C-STRIDES-05"},
    .what = "exports strides of 8-byte elements in bytes",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.strides_in_bytes = When::ItemSize(8); },
}};

const RegisterMutant kExportsNullStridesOfStridedCubes{{
    .name = "exports-null-strides-of-strided-cubes",
    .rules = {"C-STRIDES-02"},
    .what = "exports non-compact 3-dimensional arrays with NULL strides",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.null_strides_of_any = When::Strided().And(When::Rank(3)); },
}};

const RegisterMutant kExportsNegativeStridesAsPositive{{
    .name = "exports-negative-strides-as-positive",
    .rules = {"C-STRIDES-02", "C-DATA-15", "C-SHAPE-10"},
    .what = "exports positive strides for arrays with negative strides",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.strides_made_positive = When::Negative(); },
}};

}  // namespace
}  // namespace dlpack_cts
