// mutants/c-shape.cc: mutants of the chapter on shapes.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutant kExportsADimensionTooMany{{
    .name = "exports-a-dimension-too-many",
    .rules = {"C-SHAPE-01"},
    .what = "exports one dimension more than the array has",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.ndim_too_large = When::Always(); },
}};

const RegisterMutant kExportsADimensionTooFew{{
    .name = "exports-a-dimension-too-few",
    .rules = {"C-SHAPE-01"},
    .what = "exports one dimension less than the array has",
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
    .what = "takes any number of dimensions",
    .apply = [](Behaviour& behaviour) { behaviour.refusing.accepts = kPathDims; },
}};

const RegisterMutant kReadsTheShapeOfScalars{{
    .name = "reads-the-shape-of-scalars",
    .rules = {"C-SHAPE-07"},
    .what = "reads the shape of tensors without dimensions",
    .apply = [](Behaviour& behaviour) { behaviour.importing.reads_shape_of_scalar = When::Always(); },
}};

const RegisterMutant kWantsAShapeOfScalars{{
    .name = "wants-a-shape-of-scalars",
    .rules = {"C-SHAPE-02"},
    .what = "refuses tensors without dimensions whose shape is NULL",
    .apply = [](Behaviour& behaviour) { behaviour.importing.refuses_null_shape_of_scalar = When::Always(); },
}};

const RegisterMutant kExportsNullShape{{
    .name = "exports-null-shape",
    .rules = {"C-SHAPE-03"},
    .what = "exports NULL as the shape",
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
    .what = "takes negative extents",
    .apply = [](Behaviour& behaviour) { behaviour.refusing.accepts = kPathShape; },
}};

const RegisterMutant kExportsLiveMetadata{{
    .name = "exports-live-metadata",
    .rules = {"C-SHAPE-05"},
    .what = "exports the shape and strides of the live array",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.lives_in_array = When::Always(); },
}};

const RegisterMutant kExportsLiveMetadataOfLegacy{{
    .name = "exports-live-metadata-of-legacy",
    .rules = {"C-SHAPE-05"},
    .what = "exports the shape and strides of the live array in legacy structs",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.lives_in_array = When::Legacy(); },
}};

const RegisterMutant kWritesTheShape{{
    .name = "writes-the-shape",
    .rules = {"C-SHAPE-06"},
    .what = "changes the first extent of what it imports",
    .apply = [](Behaviour& behaviour) { behaviour.importing.writes_shape = When::Always(); },
}};

const RegisterMutant kWritesTheStrides{{
    .name = "writes-the-strides",
    .rules = {"C-SHAPE-06"},
    .what = "changes the first stride of what it imports",
    .apply = [](Behaviour& behaviour) { behaviour.importing.writes_strides = When::RankAtLeast(2); },
}};

const RegisterMutant kReadsBeyondTheShape{{
    .name = "reads-beyond-the-shape",
    .rules = {"C-SHAPE-07"},
    .what = "reads one extent too many",
    .apply = [](Behaviour& behaviour) { behaviour.importing.reads_beyond_shape = When::Always(); },
}};

const RegisterMutant kReadsBeyondTheStrides{{
    .name = "reads-beyond-the-strides",
    .rules = {"C-SHAPE-07", "C-STRIDES-07"},
    .what = "reads one stride too many",
    .apply = [](Behaviour& behaviour) { behaviour.importing.reads_beyond_strides = When::Always(); },
}};

const RegisterMutant kDropsTheLastDimension{{
    .name = "drops-the-last-dimension",
    .rules = {"C-SHAPE-07", "PY-FROM-04"},
    .what = "imports all dimensions but the last of rank four and more",
    .apply = [](Behaviour& behaviour) { behaviour.importing.drops_last_dimension = When::RankAtLeast(4); },
}};

const RegisterMutant kWrapsProducts{{
    .name = "wraps-products",
    .rules = {"C-SHAPE-09", "PY-FROM-04"},
    .what = "multiplies extents in 7 bits",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.refusing.accepts = kPathExtents | kPathStrides;
          behaviour.importing.truncates_extents = When::Always();
        },
}};

const RegisterMutant kExportsTheShapeReversed{{
    .name = "exports-the-shape-reversed",
    .rules = {"C-SHAPE-10"},
    .what = "exports the extents in reverse order",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.reverses_shape = When::Always(); },
}};

const RegisterMutant kSqueezesUnitDimensions{{
    .name = "squeezes-unit-dimensions",
    .rules = {"C-SHAPE-07", "PY-FROM-04"},
    .what = "drops dimensions of one element",
    .apply = [](Behaviour& behaviour) { behaviour.importing.squeezes_unit_dimensions = When::Always(); },
}};

const RegisterMutant kTruncatesExtents{{
    .name = "truncates-extents",
    .rules = {"C-SHAPE-11", "PY-FROM-04"},
    .what = "reads 7 bits of each extent",
    .apply = [](Behaviour& behaviour) { behaviour.importing.truncates_extents = When::Always(); },
}};

const RegisterMutant kWritesTheFlags{{
    .name = "writes-the-flags",
    .rules = {"C-SHAPE-06"},
    .what = "changes the flags of what it imports",
    .apply = [](Behaviour& behaviour) { behaviour.importing.writes_flags = When::Always(); },
}};

const RegisterMutant kWritesTheByteOffset{{
    .name = "writes-the-byte-offset",
    .rules = {"C-SHAPE-06"},
    .what = "changes byte_offset of legacy tensors",
    .apply = [](Behaviour& behaviour) { behaviour.importing.writes_byte_offset = When::Legacy(); },
}};

const RegisterMutant kExportsThirtyTwoExtents{{
    .name = "exports-thirty-two-extents",
    .rules = {"C-SHAPE-10"},
    .what = "exports one element in every dimension behind the thirty-second",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.keeps_32_extents = When::Always(); },
}};

const RegisterMutant kDropsTheLastOfUnitDimensions{{
    .name = "drops-the-last-of-unit-dimensions",
    .rules = {"C-SHAPE-07", "PY-FROM-04"},
    .what = "drops the last dimension of tensors that have a dimension of one element",
    .apply = [](Behaviour& behaviour) { behaviour.importing.drops_last_dimension = When::Unit(); },
}};

const RegisterMutant kWritesTheShapeOfEmptyTensors{{
    .name = "writes-the-shape-of-empty-tensors",
    .rules = {"C-SHAPE-06"},
    .what = "writes into the shape of tensors without elements",
    .apply = [](Behaviour& behaviour) { behaviour.importing.writes_shape = When::Empty(); },
}};

const RegisterMutant kExportsTheShapeOfCubesReversed{{
    .name = "exports-the-shape-of-cubes-reversed",
    .rules = {"C-SHAPE-10"},
    .what = "exports the shape of three dimensions or more in reverse",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.reverses_shape = When::RankAtLeast(3); },
}};

const RegisterMutant kExportsNullShapeOfLegacy{{
    .name = "exports-null-shape-of-legacy",
    .rules = {"C-SHAPE-03"},
    .what = "exports legacy tensors with a NULL shape",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.null_shape = When::Legacy(); },
}};

const RegisterMutant kExportsNegativeExtentsOfIntegers{{
    .name = "exports-negative-extents-of-integers",
    .rules = {"C-SHAPE-04"},
    .what = "exports the extents of integers negated",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.negates_extents = When::Code(abi::kDLInt); },
}};

const RegisterMutant kReadsBeyondTheShapeOfMatrices{{
    .name = "reads-beyond-the-shape-of-matrices",
    .rules = {"C-SHAPE-07"},
    .what = "reads an extent behind those of matrices",
    .apply = [](Behaviour& behaviour) { behaviour.importing.reads_beyond_shape = When::Rank(2); },
}};

const RegisterMutant kReadsAMissingShape{{
    .name = "reads-a-missing-shape",
    .rules = {"C-SHAPE-03"},
    .what = "reads the shape where it is NULL",
    .apply = [](Behaviour& behaviour) { behaviour.refusing.accepts = kPathNoShape; },
}};

const RegisterMutant kReadsAMissingShapeOfLegacy{{
    .name = "reads-a-missing-shape-of-legacy",
    .rules = {"C-SHAPE-03"},
    .what = "reads the shape of legacy tensors where it is NULL",
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
    .what = "frees shape and strides of what it exports with the array",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.dims_die = When::Copy().Not(); },
}};

}  // namespace
}  // namespace dlpack_cts
