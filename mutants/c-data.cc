// mutants/c-data.cc: mutants of the chapter on data and byte_offset.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutant kIgnoresByteOffset{{
    .name = "ignores-byte-offset",
    .rules = {"C-DATA-01", "C-DATA-03"},
    .what = "ignores dl_tensor.byte_offset on import",
    .apply = [](Behaviour& behaviour) { behaviour.importing.ignores_byte_offset = When::Always(); },
}};

const RegisterMutant kIgnoresByteOffsetOfComplex{{
    .name = "ignores-byte-offset-of-complex",
    .rules = {"C-DATA-01"},
    .what = "ignores byte_offset of complex tensors on import",
    .apply = [](Behaviour& behaviour) { behaviour.importing.ignores_byte_offset = When::Code(abi::kDLComplex); },
}};

const RegisterMutant kIgnoresByteOffsetOfLegacyMatrices{{
    .name = "ignores-byte-offset-of-legacy-matrices",
    .rules = {"C-DATA-01"},
    .what = "ignores byte_offset of 2-dimensional legacy tensors on import",
    .apply = [](Behaviour& behaviour) { behaviour.importing.ignores_byte_offset = When::Legacy().And(When::Rank(2)); },
}};

const RegisterMutant kIgnoresByteOffsetOfReversed{{
    .name = "ignores-byte-offset-of-reversed",
    .rules = {"C-DATA-01"},
    .what = "ignores byte_offset of tensors with a negative stride on import",
    .apply = [](Behaviour& behaviour) { behaviour.importing.ignores_byte_offset = When::Negative(); },
}};

const RegisterMutant kRefusesByteOffsetWithoutStrides{{
    .name = "refuses-byte-offset-without-strides",
    .rules = {"C-DATA-01"},
    .what = "refuses tensors that have both a non-zero byte_offset and NULL strides",
    .apply = [](Behaviour& behaviour) { behaviour.importing.refuses = When::Offset().And(When::NullStrides()); },
}};

const RegisterMutant kAddsByteOffsetTwice{{
    .name = "adds-byte-offset-twice",
    .rules = {"C-DATA-01"},
    .what = "adds byte_offset twice on import",
    .apply = [](Behaviour& behaviour) { behaviour.importing.adds_byte_offset_twice = When::Always(); },
}};

const RegisterMutant kSubtractsByteOffset{{
    .name = "subtracts-byte-offset",
    .rules = {"C-DATA-01"},
    .what = "subtracts byte_offset from data on import",
    .apply = [](Behaviour& behaviour) { behaviour.importing.subtracts_byte_offset = When::Always(); },
}};

const RegisterMutant kCountsByteOffsetInElements{{
    .name = "counts-byte-offset-in-elements",
    .rules = {"C-DATA-01"},
    .what = "interprets byte_offset as a number of elements on import",
    .apply = [](Behaviour& behaviour) { behaviour.importing.byte_offset_in_elements = When::Always(); },
}};

const RegisterMutant kRoundsByteOffsets{{
    .name = "rounds-byte-offsets-to-items",
    .rules = {"C-DATA-01"},
    .what = "rounds byte_offset down to a multiple of the item size on import",
    .apply = [](Behaviour& behaviour) { behaviour.importing.byte_offset_in_items = When::Always(); },
}};

const RegisterMutant kRoundsByteOffsetsOfScalars{{
    .name = "rounds-byte-offsets-of-scalars",
    .rules = {"C-DATA-01"},
    .what = "rounds byte_offset of 0-dimensional tensors down to a multiple of the item size on import",
    .apply = [](Behaviour& behaviour) { behaviour.importing.byte_offset_in_items = When::Scalar(); },
}};

const RegisterMutant kAlignsAddresses{{
    .name = "aligns-addresses",
    .rules = {"C-DATA-03"},
    .what = "rounds the address of element 0 down to a multiple of 64 bytes on import",
    .apply = [](Behaviour& behaviour) { behaviour.importing.aligns_address = When::Always(); },
}};

const RegisterMutant kAlignsToItems{{
    .name = "aligns-to-the-item-size",
    .rules = {"C-DATA-03"},
    .what = "rounds the address of element 0 down to a multiple of the item size on import",
    .apply = [](Behaviour& behaviour) { behaviour.importing.aligns_to_items = When::Always(); },
}};

const RegisterMutant kExportsUnalignedData{{
    .name = "exports-unaligned-data",
    .rules = {"C-DATA-02"},
    .what = "exports data pointers that are aligned to 8 bytes only",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.offset_bytes = 8; },
}};

const RegisterMutant kExportsEmptyData{{
    .name = "exports-empty-data",
    .rules = {"C-DATA-04"},
    .what = "exports zero-size tensors with non-NULL data",
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
    .what = "reads through the data pointer of zero-size tensors on import",
    .apply = [](Behaviour& behaviour) { behaviour.importing.reads_empty_data = When::Always(); },
}};

const RegisterMutant kExportsScalarsWithoutData{{
    .name = "exports-scalars-without-data",
    .rules = {"C-DATA-07"},
    .what = "exports 0-dimensional tensors with NULL data",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.null_data = When::Scalar(); },
}};

const RegisterMutant kTakesNullData{{
    .name = "takes-null-data",
    .rules = {"C-DATA-08"},
    .what = "imports tensors that have elements but NULL data",
    .apply = [](Behaviour& behaviour) { behaviour.refusing.accepts = kPathNullData; },
}};

const RegisterMutant kTruncatesByteOffset{{
    .name = "truncates-byte-offset",
    .rules = {"C-DATA-09"},
    .what = "keeps only the low 32 bits of byte_offset on import",
    .apply = [](Behaviour& behaviour) { behaviour.importing.truncates_byte_offset = When::Always(); },
}};

const RegisterMutant kExportsUnmappedData{{
    .name = "exports-unmapped-data",
    .rules = {"C-DATA-10", "C-DEVICE-03"},
    .what = "exports non-compact CPU arrays with a data pointer that is not mapped",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.wild_data = When::Strided(); },
}};

const RegisterMutant kOverreadsElements{{
    .name = "overreads-elements",
    .rules = {"C-DATA-11", "C-DATA-13"},
    .what = "reads eight bytes after the highest element on import",
    .apply = [](Behaviour& behaviour) { behaviour.importing.overreads = When::Always(); },
}};

const RegisterMutant kUnderreadsElements{{
    .name = "underreads-elements",
    .rules = {"C-DATA-11"},
    .what = "reads eight bytes before the lowest element on import",
    .apply = [](Behaviour& behaviour) { behaviour.importing.underreads = When::Always(); },
}};

const RegisterMutant kExportsMemoryThatDies{{
    .name = "exports-memory-that-dies",
    .rules = {"C-DATA-12", "C-OWN-10"},
    .what = "frees the memory of an export together with the array",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.memory_dies = When::Always(); },
}};

const RegisterMutant kExportsMemoryOfLegacyThatDies{{
    .name = "exports-memory-of-legacy-that-dies",
    .rules = {"C-DATA-12", "C-OWN-10"},
    .what = "frees the memory of a legacy export together with the array",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.memory_dies = When::Legacy(); },
}};

const RegisterMutant kExportsBasePointer{{
    .name = "exports-base-pointer",
    .rules = {"C-DATA-14"},
    .what = "exports the start of the allocation instead of the address of element 0",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.base_pointer = When::Always(); },
}};

const RegisterMutant kForgetsExportedOffset{{
    .name = "forgets-exported-offset",
    .rules = {"C-DATA-14"},
    .what = "exports data 64 bytes below element 0 with byte_offset 0",
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
    .what = "exports the raw memory of lazily conjugated arrays",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.exports_oddities = Bit(Oddity::kConjugate); },
}};

const RegisterMutant kExportsLazyNegations{{
    .name = "exports-lazy-negations",
    .rules = {"C-DATA-15"},
    .what = "exports the raw memory of lazily negated arrays",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.exports_oddities = Bit(Oddity::kNegated); },
}};

const RegisterMutant kExportsViewsAsCompact{{
    .name = "exports-views-as-compact",
    .rules = {"C-DATA-15", "C-SHAPE-10"},
    .what = "exports non-compact arrays with compact row-major strides",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.strides_are_compact = When::Strided(); },
}};

const RegisterMutant kWritesElementsOnImport{{
    .name = "writes-elements-on-import",
    .rules = {"C-DATA-16"},
    .what = "flips a bit of element 0 of non-compact tensors on import",
    .apply = [](Behaviour& behaviour) { behaviour.importing.writes_data = When::Strided(); },
}};

const RegisterMutant kWritesGapsOnImport{{
    .name = "writes-gaps-on-import",
    .rules = {"C-DATA-16"},
    .what = "flips a bit in the byte after element 0 of non-compact tensors on import",
    .apply = [](Behaviour& behaviour) { behaviour.importing.writes_gap = When::Strided(); },
}};

const RegisterMutant kGivesEmptyCopies{{
    .name = "gives-empty-copies",
    .rules = {"C-DATA-01"},
    .what = "copies every import and leaves all bytes of the copy zero",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.importing.copies = When::Always();
          behaviour.importing.copies_nothing = When::Always();
        },
}};

const RegisterMutant kExportsColumnMajorStrides{{
    .name = "exports-column-major-strides",
    .rules = {"C-DATA-15", "C-SHAPE-10"},
    .what = "exports 2-dimensional arrays with column-major strides",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.strides_column_major = When::Rank(2); },
}};

const RegisterMutant kSubtractsByteOffsetOfReadOnly{{
    .name = "subtracts-byte-offset-of-read-only",
    .rules = {"C-DATA-01"},
    .what = "subtracts byte_offset of read-only tensors on import",
    .apply = [](Behaviour& behaviour) { behaviour.importing.subtracts_byte_offset = When::ReadOnly(); },
}};

const RegisterMutant kCountsByteOffsetOfHalvesInElements{{
    .name = "counts-byte-offset-of-halves-in-elements",
    .rules = {"C-DATA-01"},
    .what = "interprets byte_offset as a number of elements where an element has two bytes",
    .apply = [](Behaviour& behaviour) { behaviour.importing.byte_offset_in_elements = When::ItemSize(2); },
}};

const RegisterMutant kIgnoresByteOffsetOfManyElements{{
    .name = "ignores-byte-offset-of-many-elements",
    .rules = {"C-DATA-01"},
    .what = "ignores byte_offset of tensors with 100 or more elements on import",
    .apply = [](Behaviour& behaviour) { behaviour.importing.ignores_byte_offset = When::ElementsAtLeast(100); },
}};

const RegisterMutant kOverreadsVectorsOfBytes{{
    .name = "overreads-vectors-of-bytes",
    .rules = {"C-DATA-11", "C-DATA-13"},
    .what = "reads eight bytes after the last element of 1-dimensional tensors with one-byte elements",
    .apply = [](Behaviour& behaviour) { behaviour.importing.overreads = When::ItemSize(1).And(When::Rank(1)); },
}};

const RegisterMutant kExportsBasePointerOfCubes{{
    .name = "exports-base-pointer-of-cubes",
    .rules = {"C-DATA-14"},
    .what = "exports arrays of three or more dimensions with the start of the allocation as data",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.base_pointer = When::RankAtLeast(3); },
}};

const RegisterMutant kExportsMemoryOfViewsThatDies{{
    .name = "exports-memory-of-views-that-dies",
    .rules = {"C-DATA-12", "C-OWN-10"},
    .what = "frees the memory of a non-compact export together with the array",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.memory_dies = When::Strided(); },
}};

const RegisterMutant kWritesUnsignedElementsOnImport{{
    .name = "writes-unsigned-elements-on-import",
    .rules = {"C-DATA-16"},
    .what = "flips a bit of element 0 of unsigned integer tensors on import",
    .apply = [](Behaviour& behaviour) { behaviour.importing.writes_data = When::Code(abi::kDLUInt); },
}};

const RegisterMutant kForgetsOffsetsOfViews{{
    .name = "forgets-offsets-of-views-of-views",
    .rules = {"C-DATA-14"},
    .what = "exports views with the start of the allocation as data",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.base_pointer = When::View(); },
}};

}  // namespace
}  // namespace dlpack_cts
