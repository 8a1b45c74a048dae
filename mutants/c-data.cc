// mutants/c-data.cc: mutants of the chapter on data and byte_offset.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutant kIgnoresByteOffset{{
    .name = "ignores-byte-offset",
    .rules = {"C-DATA-01"},
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

const RegisterMutant kTruncatesByteOffset{{
    .name = "truncates-byte-offset",
    .rules = {"C-DATA-09"},
    .what = "keeps the low 32 bits of byte_offset",
    .apply = [](Behaviour& behaviour) { behaviour.importing.truncates_byte_offset = When::Always(); },
}};

const RegisterMutant kOverreadsElements{{
    .name = "overreads-elements",
    .rules = {"C-DATA-11"},
    .what = "reads eight bytes behind the highest element",
    .apply = [](Behaviour& behaviour) { behaviour.importing.overreads = When::Always(); },
}};

const RegisterMutant kWritesElementsOnImport{{
    .name = "writes-elements-on-import",
    .rules = {"C-DATA-16"},
    .what = "flips a bit of element 0 on import",
    .apply = [](Behaviour& behaviour) { behaviour.importing.writes_data = When::Strided(); },
}};

const RegisterMutant kRefusesEmptyNullData{{
    .name = "refuses-empty-null-data",
    .rules = {"C-DATA-05"},
    .what = "refuses zero-size tensors with NULL data",
    .apply = [](Behaviour& behaviour) { behaviour.importing.refuses_empty_null = When::Always(); },
}};

const RegisterMutant kExportsBasePointer{{
    .name = "exports-base-pointer",
    .rules = {"C-DATA-14"},
    .what = "exports the begin of the store instead of element 0",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.base_pointer = When::Always(); },
}};

}  // namespace
}  // namespace dlpack_cts
