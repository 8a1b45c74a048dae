// mutants/c-shape.cc: mutants of the chapter on shapes.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutant kExportsADimensionTooMany{{
    .name = "exports-a-dimension-too-many",
    .rules = {"C-SHAPE-01"},
    .what = "exports arrays with ndim one too large",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.ndim_too_large = When::Always(); },
}};

const RegisterMutant kExportsADimensionTooFew{{
    .name = "exports-a-dimension-too-few",
    .rules = {"C-SHAPE-01"},
    .what = "exports arrays of three or more dimensions with ndim one too small",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.ndim_too_small = When::RankAtLeast(3); },
}};

const RegisterMutant kRemembersTheFirstExport{{
    .name = "remembers-the-first-export",
    .rules = {"C-SHAPE-10"},
    .what = "exports an array that was changed in place with the shape and strides of its first export",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.remembers_dims = When::Always(); },
}};

const RegisterMutant kTakesNegativeNdim{{
    .name = "takes-negative-ndim",
    .rules = {"C-SHAPE-01", "C-SHAPE-08"},
    .what = "imports tensors with any ndim, including negative and very large ones",
    .apply = [](Behaviour& behaviour) { behaviour.refusing.accepts = kPathDims; },
}};

const RegisterMutant kReadsTheShapeOfScalars{{
    .name = "reads-the-shape-of-scalars",
    .rules = {"C-SHAPE-07"},
    .what = "reads through a non-NULL shape of 0-dimensional tensors",
    .apply = [](Behaviour& behaviour) { behaviour.importing.reads_shape_of_scalar = When::Always(); },
}};

const RegisterMutant kWantsAShapeOfScalars{{
    .name = "wants-a-shape-of-scalars",
    .rules = {"C-SHAPE-02"},
    .what = "refuses 0-dimensional tensors whose shape is NULL",
    .apply = [](Behaviour& behaviour) { behaviour.importing.refuses_null_shape_of_scalar = When::Always(); },
}};

const RegisterMutant kExportsNullShape{{
    .name = "exports-null-shape",
    .rules = {"C-SHAPE-03"},
    .what = "exports 1-dimensional arrays with a NULL shape",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.null_shape = When::Rank(1); },
}};

const RegisterMutant kExportsNegativeExtents{{
    .name = "exports-negative-extents",
    .rules = {"C-SHAPE-04"},
    .what = "exports negative extents",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.negates_extents = When::Always(); },
}};

const RegisterMutant kTakesNegativeExtents{{
    .name = "takes-negative-extents",
    .rules = {"C-SHAPE-04"},
    .what = "imports tensors with negative extents",
    .apply = [](Behaviour& behaviour) { behaviour.refusing.accepts = kPathShape; },
}};

const RegisterMutant kExportsLiveMetadata{{
    .name = "exports-live-metadata",
    .rules = {"C-SHAPE-05"},
    .what = "exports pointers to the array's own shape and strides, which change with the array",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.lives_in_array = When::Always(); },
}};

const RegisterMutant kExportsLiveMetadataOfLegacy{{
    .name = "exports-live-metadata-of-legacy",
    .rules = {"C-SHAPE-05"},
    .what = "exports pointers to the array's own shape and strides in legacy structs",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.lives_in_array = When::Legacy(); },
}};

const RegisterMutant kWritesTheShape{{
    .name = "writes-the-shape",
    .rules = {"C-SHAPE-06"},
    .what = "changes shape[0] of the imported struct",
    .apply = [](Behaviour& behaviour) { behaviour.importing.writes_shape = When::Always(); },
}};

const RegisterMutant kWritesTheStrides{{
    .name = "writes-the-strides",
    .rules = {"C-SHAPE-06"},
    .what = "changes strides[0] of imported structs with two or more dimensions",
    .apply = [](Behaviour& behaviour) { behaviour.importing.writes_strides = When::RankAtLeast(2); },
}};

const RegisterMutant kReadsBeyondTheShape{{
    .name = "reads-beyond-the-shape",
    .rules = {"C-SHAPE-07"},
    .what = "reads one extent beyond the end of shape",
    .apply = [](Behaviour& behaviour) { behaviour.importing.reads_beyond_shape = When::Always(); },
}};

const RegisterMutant kReadsBeyondTheStrides{{
    .name = "reads-beyond-the-strides",
    .rules = {"C-SHAPE-07", "C-STRIDES-07"},
    .what = "reads one stride beyond the end of strides",
    .apply = [](Behaviour& behaviour) { behaviour.importing.reads_beyond_strides = When::Always(); },
}};

const RegisterMutant kDropsTheLastDimension{{
    .name = "drops-the-last-dimension",
    .rules = {"C-SHAPE-07", "PY-FROM-04"},
    .what = "drops the last dimension of tensors with four or more dimensions on import",
    .apply = [](Behaviour& behaviour) { behaviour.importing.drops_last_dimension = When::RankAtLeast(4); },
}};

const RegisterMutant kWrapsProducts{{
    .name = "wraps-products",
    .rules = {"C-SHAPE-09", "PY-FROM-04"},
    .what = "keeps only the low 7 bits of each extent and does not check sizes for overflow",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.refusing.accepts = kPathExtents | kPathStrides;
          behaviour.importing.truncates_extents = When::Always();
        },
}};

const RegisterMutant kExportsTheShapeReversed{{
    .name = "exports-the-shape-reversed",
    .rules = {"C-SHAPE-10"},
    .what = "exports shape in reverse order",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.reverses_shape = When::Always(); },
}};

const RegisterMutant kSqueezesUnitDimensions{{
    .name = "squeezes-unit-dimensions",
    .rules = {"C-SHAPE-07", "PY-FROM-04"},
    .what = "drops dimensions of extent 1 on import",
    .apply = [](Behaviour& behaviour) { behaviour.importing.squeezes_unit_dimensions = When::Always(); },
}};

const RegisterMutant kTruncatesExtents{{
    .name = "truncates-extents",
    .rules = {"C-SHAPE-11", "PY-FROM-04"},
    .what = "reads only the low 7 bits of each extent",
    .apply = [](Behaviour& behaviour) { behaviour.importing.truncates_extents = When::Always(); },
}};

const RegisterMutant kWritesTheFlags{{
    .name = "writes-the-flags",
    .rules = {"C-SHAPE-06"},
    .what = "changes the flags of the imported struct",
    .apply = [](Behaviour& behaviour) { behaviour.importing.writes_flags = When::Always(); },
}};

const RegisterMutant kWritesTheByteOffset{{
    .name = "writes-the-byte-offset",
    .rules = {"C-SHAPE-06"},
    .what = "changes byte_offset of imported legacy structs",
    .apply = [](Behaviour& behaviour) { behaviour.importing.writes_byte_offset = When::Legacy(); },
}};

const RegisterMutant kExportsThirtyTwoExtents{{
    .name = "exports-thirty-two-extents",
    .rules = {"C-SHAPE-10"},
    .what = "exports extent 1 for every dimension after the thirty-second",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.keeps_32_extents = When::Always(); },
}};

const RegisterMutant kDropsTheLastOfUnitDimensions{{
    .name = "drops-the-last-of-unit-dimensions",
    .rules = {"C-SHAPE-07", "PY-FROM-04"},
    .what = "drops the last dimension of tensors that have a dimension of extent 1 on import",
    .apply = [](Behaviour& behaviour) { behaviour.importing.drops_last_dimension = When::Unit(); },
}};

const RegisterMutant kWritesTheShapeOfEmptyTensors{{
    .name = "writes-the-shape-of-empty-tensors",
    .rules = {"C-SHAPE-06"},
    .what = "changes shape[0] of imported zero-size structs",
    .apply = [](Behaviour& behaviour) { behaviour.importing.writes_shape = When::Empty(); },
}};

const RegisterMutant kExportsTheShapeOfCubesReversed{{
    .name = "exports-the-shape-of-cubes-reversed",
    .rules = {"C-SHAPE-10"},
    .what = "exports shape of arrays with three or more dimensions in reverse order",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.reverses_shape = When::RankAtLeast(3); },
}};

const RegisterMutant kExportsNullShapeOfLegacy{{
    .name = "exports-null-shape-of-legacy",
    .rules = {"C-SHAPE-03"},
    .what = "exports legacy structs with a NULL shape",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.null_shape = When::Legacy(); },
}};

const RegisterMutant kExportsNegativeExtentsOfIntegers{{
    .name = "exports-negative-extents-of-integers",
    .rules = {"C-SHAPE-04"},
    .what = "exports negative extents for signed integer arrays",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.negates_extents = When::Code(abi::kDLInt); },
}};

const RegisterMutant kReadsBeyondTheShapeOfMatrices{{
    .name = "reads-beyond-the-shape-of-matrices",
    .rules = {"C-SHAPE-07"},
    .what = "reads one extent beyond the end of shape of 2-dimensional tensors",
    .apply = [](Behaviour& behaviour) { behaviour.importing.reads_beyond_shape = When::Rank(2); },
}};

const RegisterMutant kReadsAMissingShape{{
    .name = "reads-a-missing-shape",
    .rules = {"C-SHAPE-03"},
    .what = "reads shape of tensors with dimensions without checking for NULL",
    .apply = [](Behaviour& behaviour) { behaviour.refusing.accepts = kPathNoShape; },
}};

const RegisterMutant kReadsAMissingShapeOfLegacy{{
    .name = "reads-a-missing-shape-of-legacy",
    .rules = {"C-SHAPE-03"},
    .what = "reads shape of legacy tensors with dimensions without checking for NULL",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.refusing.acts = kPathNoShape;
          behaviour.refusing.manner = Manner::kCrashes;
          behaviour.refusing.only = When::Legacy();
        },
}};

const RegisterMutant kFreesDimsWithTheArray{{
    .name = "frees-shapes-with-the-array",
    .rules = {"C-SHAPE-05"},
    .what = "frees shape and strides of an export together with the array, unless the export is a copy",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.dims_die = When::Copy().Not(); },
}};

}  // namespace
}  // namespace dlpack_cts
