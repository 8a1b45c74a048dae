// mutants/c-data.cc: mutants of the chapter on data and byte_offset.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutant kIgnoresByteOffset{{
    .name = "ignores-byte-offset",
    .rules = {"C-DATA-01", "C-DATA-03"},
    .what = "ignores byte_offset",
    .apply = [](Behaviour& behaviour) { behaviour.importing.ignores_byte_offset = When::Always(); },
}};

const RegisterMutant kIgnoresByteOffsetOfComplex{{
    .name = "ignores-byte-offset-of-complex",
    .rules = {"C-DATA-01"},
    .what = "ignores byte_offset where the type is complex",
    .apply = [](Behaviour& behaviour) { behaviour.importing.ignores_byte_offset = When::Code(abi::kDLComplex); },
}};

const RegisterMutant kIgnoresByteOffsetOfLegacyMatrices{{
    .name = "ignores-byte-offset-of-legacy-matrices",
    .rules = {"C-DATA-01"},
    .what = "ignores byte_offset of legacy tensors with two dimensions",
    .apply = [](Behaviour& behaviour) { behaviour.importing.ignores_byte_offset = When::Legacy().And(When::Rank(2)); },
}};

const RegisterMutant kIgnoresByteOffsetOfReversed{{
    .name = "ignores-byte-offset-of-reversed",
    .rules = {"C-DATA-01"},
    .what = "ignores byte_offset beside a negative stride",
    .apply = [](Behaviour& behaviour) { behaviour.importing.ignores_byte_offset = When::Negative(); },
}};

const RegisterMutant kRefusesByteOffsetWithoutStrides{{
    .name = "refuses-byte-offset-without-strides",
    .rules = {"C-DATA-01"},
    .what = "refuses a byte_offset where strides is NULL, and takes each alone",
    .apply = [](Behaviour& behaviour) { behaviour.importing.refuses = When::Offset().And(When::NullStrides()); },
}};

const RegisterMutant kAddsByteOffsetTwice{{
    .name = "adds-byte-offset-twice",
    .rules = {"C-DATA-01"},
    .what = "adds byte_offset twice",
    .apply = [](Behaviour& behaviour) { behaviour.importing.adds_byte_offset_twice = When::Always(); },
}};

const RegisterMutant kSubtractsByteOffset{{
    .name = "subtracts-byte-offset",
    .rules = {"C-DATA-01"},
    .what = "subtracts byte_offset",
    .apply = [](Behaviour& behaviour) { behaviour.importing.subtracts_byte_offset = When::Always(); },
}};

const RegisterMutant kCountsByteOffsetInElements{{
    .name = "counts-byte-offset-in-elements",
    .rules = {"C-DATA-01"},
    .what = "takes byte_offset for a number of elements",
    .apply = [](Behaviour& behaviour) { behaviour.importing.byte_offset_in_elements = When::Always(); },
}};

const RegisterMutant kRoundsByteOffsets{{
    .name = "rounds-byte-offsets-to-items",
    .rules = {"C-DATA-01"},
    .what = "counts whole items alone in byte_offset",
    .apply = [](Behaviour& behaviour) { behaviour.importing.byte_offset_in_items = When::Always(); },
}};

const RegisterMutant kRoundsByteOffsetsOfScalars{{
    .name = "rounds-byte-offsets-of-scalars",
    .rules = {"C-DATA-01"},
    .what = "counts whole items alone in the byte_offset of scalars",
    .apply = [](Behaviour& behaviour) { behaviour.importing.byte_offset_in_items = When::Scalar(); },
}};

const RegisterMutant kAlignsAddresses{{
    .name = "aligns-addresses",
    .rules = {"C-DATA-03"},
    .what = "rounds the address of element 0 down to 64 bytes",
    .apply = [](Behaviour& behaviour) { behaviour.importing.aligns_address = When::Always(); },
}};

const RegisterMutant kAlignsToItems{{
    .name = "aligns-to-the-item-size",
    .rules = {"C-DATA-03"},
    .what = "rounds the address of element 0 down to the item size",
    .apply = [](Behaviour& behaviour) { behaviour.importing.aligns_to_items = When::Always(); },
}};

const RegisterMutant kExportsUnalignedData{{
    .name = "exports-unaligned-data",
    .rules = {"C-DATA-02"},
    .what = "exports data that is aligned to 8 bytes only",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.offset_bytes = 8; },
}};

const RegisterMutant kExportsEmptyData{{
    .name = "exports-empty-data",
    .rules = {"C-DATA-04"},
    .what = "gives zero-size tensors an address",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.empty_has_data = When::Always(); },
}};

const RegisterMutant kRefusesEmptyNullData{{
    .name = "refuses-empty-null-data",
    .rules = {"C-DATA-05"},
    .what = "refuses zero-size tensors with NULL data",
    .apply = [](Behaviour& behaviour) { behaviour.importing.refuses_empty_null = When::Always(); },
}};

const RegisterMutant kReadsEmptyData{{
    .name = "reads-empty-data",
    .rules = {"C-DATA-06"},
    .what = "reads the data of zero-size tensors",
    .apply = [](Behaviour& behaviour) { behaviour.importing.reads_empty_data = When::Always(); },
}};

const RegisterMutant kExportsScalarsWithoutData{{
    .name = "exports-scalars-without-data",
    .rules = {"C-DATA-07"},
    .what = "exports tensors of no dimension with NULL data",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.null_data = When::Scalar(); },
}};

const RegisterMutant kTakesNullData{{
    .name = "takes-null-data",
    .rules = {"C-DATA-08"},
    .what = "takes NULL data for elements",
    .apply = [](Behaviour& behaviour) { behaviour.refusing.accepts = kPathNullData; },
}};

const RegisterMutant kTruncatesByteOffset{{
    .name = "truncates-byte-offset",
    .rules = {"C-DATA-09"},
    .what = "keeps the low 32 bits of byte_offset",
    .apply = [](Behaviour& behaviour) { behaviour.importing.truncates_byte_offset = When::Always(); },
}};

const RegisterMutant kExportsUnmappedData{{
    .name = "exports-unmapped-data",
    .rules = {"C-DATA-10", "C-DEVICE-03"},
    .what = "exports an address that is not mapped as CPU memory",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.wild_data = When::Strided(); },
}};

const RegisterMutant kOverreadsElements{{
    .name = "overreads-elements",
    .rules = {"C-DATA-11", "C-DATA-13"},
    .what = "reads eight bytes behind the highest element",
    .apply = [](Behaviour& behaviour) { behaviour.importing.overreads = When::Always(); },
}};

const RegisterMutant kUnderreadsElements{{
    .name = "underreads-elements",
    .rules = {"C-DATA-11"},
    .what = "reads eight bytes in front of the lowest element",
    .apply = [](Behaviour& behaviour) { behaviour.importing.underreads = When::Always(); },
}};

const RegisterMutant kExportsMemoryThatDies{{
    .name = "exports-memory-that-dies",
    .rules = {"C-DATA-12", "C-OWN-10"},
    .what = "exports memory that dies with the array",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.memory_dies = When::Always(); },
}};

const RegisterMutant kExportsMemoryOfLegacyThatDies{{
    .name = "exports-memory-of-legacy-that-dies",
    .rules = {"C-DATA-12", "C-OWN-10"},
    .what = "exports legacy tensors whose memory dies with the array",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.memory_dies = When::Legacy(); },
}};

const RegisterMutant kExportsBasePointer{{
    .name = "exports-base-pointer",
    .rules = {"C-DATA-14"},
    .what = "exports the begin of the store instead of element 0",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.base_pointer = When::Always(); },
}};

const RegisterMutant kForgetsExportedOffset{{
    .name = "forgets-exported-offset",
    .rules = {"C-DATA-14"},
    .what = "exports data that lies lower and leaves byte_offset at 0",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.exporting.offset_bytes = 64;
          behaviour.exporting.forgets_offset = When::Always();
        },
}};

const RegisterMutant kExportsOffsetInElements{{
    .name = "exports-offset-in-elements",
    .rules = {"C-DATA-14"},
    .what = "exports byte_offset as a number of elements",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.exporting.offset_bytes = 64;
          behaviour.exporting.offset_in_elements = When::Always();
        },
}};

const RegisterMutant kExportsLazyConjugates{{
    .name = "exports-lazy-conjugates",
    .rules = {"C-DATA-15"},
    .what = "exports the memory of conjugated arrays as it is",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.exports_oddities = Bit(Oddity::kConjugate); },
}};

const RegisterMutant kExportsLazyNegations{{
    .name = "exports-lazy-negations",
    .rules = {"C-DATA-15"},
    .what = "exports the memory of negated arrays as it is",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.exports_oddities = Bit(Oddity::kNegated); },
}};

const RegisterMutant kExportsViewsAsCompact{{
    .name = "exports-views-as-compact",
    .rules = {"C-DATA-15", "C-SHAPE-10"},
    .what = "exports views with the strides of whole arrays",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.strides_are_compact = When::Strided(); },
}};

const RegisterMutant kWritesElementsOnImport{{
    .name = "writes-elements-on-import",
    .rules = {"C-DATA-16"},
    .what = "flips a bit of element 0 on import",
    .apply = [](Behaviour& behaviour) { behaviour.importing.writes_data = When::Strided(); },
}};

const RegisterMutant kWritesGapsOnImport{{
    .name = "writes-gaps-on-import",
    .rules = {"C-DATA-16"},
    .what = "flips a bit between the elements of strided tensors",
    .apply = [](Behaviour& behaviour) { behaviour.importing.writes_gap = When::Strided(); },
}};

const RegisterMutant kGivesEmptyCopies{{
    .name = "gives-empty-copies",
    .rules = {"C-DATA-01"},
    .what = "imports copies that were never filled",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.importing.copies = When::Always();
          behaviour.importing.copies_nothing = When::Always();
        },
}};

const RegisterMutant kExportsColumnMajorStrides{{
    .name = "exports-column-major-strides",
    .rules = {"C-DATA-15", "C-SHAPE-10"},
    .what = "exports row-major matrices with column-major strides",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.strides_column_major = When::Rank(2); },
}};

const RegisterMutant kSubtractsByteOffsetOfReadOnly{{
    .name = "subtracts-byte-offset-of-read-only",
    .rules = {"C-DATA-01"},
    .what = "subtracts byte_offset of read-only tensors",
    .apply = [](Behaviour& behaviour) { behaviour.importing.subtracts_byte_offset = When::ReadOnly(); },
}};

const RegisterMutant kCountsByteOffsetOfHalvesInElements{{
    .name = "counts-byte-offset-of-halves-in-elements",
    .rules = {"C-DATA-01"},
    .what = "takes byte_offset for a number of elements where these have two bytes",
    .apply = [](Behaviour& behaviour) { behaviour.importing.byte_offset_in_elements = When::ItemSize(2); },
}};

const RegisterMutant kIgnoresByteOffsetOfManyElements{{
    .name = "ignores-byte-offset-of-many-elements",
    .rules = {"C-DATA-01"},
    .what = "ignores byte_offset of a hundred elements or more",
    .apply = [](Behaviour& behaviour) { behaviour.importing.ignores_byte_offset = When::ElementsAtLeast(100); },
}};

const RegisterMutant kOverreadsVectorsOfBytes{{
    .name = "overreads-vectors-of-bytes",
    .rules = {"C-DATA-11", "C-DATA-13"},
    .what = "reads eight bytes behind vectors of bytes",
    .apply = [](Behaviour& behaviour) { behaviour.importing.overreads = When::ItemSize(1).And(When::Rank(1)); },
}};

const RegisterMutant kExportsBasePointerOfCubes{{
    .name = "exports-base-pointer-of-cubes",
    .rules = {"C-DATA-14"},
    .what = "exports the begin of the store for three dimensions or more",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.base_pointer = When::RankAtLeast(3); },
}};

const RegisterMutant kExportsMemoryOfViewsThatDies{{
    .name = "exports-memory-of-views-that-dies",
    .rules = {"C-DATA-12", "C-OWN-10"},
    .what = "exports views whose memory dies with the array",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.memory_dies = When::Strided(); },
}};

const RegisterMutant kWritesUnsignedElementsOnImport{{
    .name = "writes-unsigned-elements-on-import",
    .rules = {"C-DATA-16"},
    .what = "flips a bit of element 0 of unsigned integers",
    .apply = [](Behaviour& behaviour) { behaviour.importing.writes_data = When::Code(abi::kDLUInt); },
}};

const RegisterMutant kForgetsOffsetsOfViews{{
    .name = "forgets-offsets-of-views-of-views",
    .rules = {"C-DATA-14"},
    .what = "exports views of what begins behind its memory's first element from there on",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.base_pointer = When::View(); },
}};

}  // namespace
}  // namespace dlpack_cts
