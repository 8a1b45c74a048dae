// mutants/c-subbyte.cc: mutants of the chapter on sub-byte types.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutant kFlagsWholeBytesAsPadded{{
    .name = "flags-whole-bytes-as-padded",
    .rules = {"C-SUBBYTE-08"},
    .what = "flags every export as padded",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.exporting.flags = abi::kFlagSubbytePadded;
          behaviour.exporting.adds_flags = When::Versioned();
        },
}};

const RegisterMutant kFlagsComplexAsPadded{{
    .name = "flags-complex-as-padded",
    .rules = {"C-SUBBYTE-08"},
    .what = "flags exports of complex types as padded",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.exporting.flags = abi::kFlagSubbytePadded;
          behaviour.exporting.adds_flags = When::Versioned().And(When::Code(abi::kDLComplex));
        },
}};

const RegisterMutant kFlagsCopiesAsPadded{{
    .name = "flags-copies-as-padded",
    .rules = {"C-SUBBYTE-08"},
    .what = "flags the copies that it exports as padded",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.exporting.flags = abi::kFlagSubbytePadded;
          behaviour.exporting.adds_flags = When::Versioned().And(When::Copy());
        },
}};

const RegisterMutant kFlagsReadOnlyArraysAsPadded{{
    .name = "flags-read-only-arrays-as-padded",
    .rules = {"C-SUBBYTE-08"},
    .what = "flags exports of read-only arrays as padded",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.exporting.flags = abi::kFlagSubbytePadded;
          behaviour.exporting.adds_flags = When::Versioned().And(When::ReadOnly());
        },
}};

const RegisterMutant kExportsFp6With8Bits{{
    .name = "exports-fp6-with-8-bits",
    .rules = {"C-SUBBYTE-01"},
    .what = "exports floats of 6 bits with bits = 8",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.exporting.retyped = {abi::kDLFloat6_e2m3fn, 8, 1};
          behaviour.exporting.retypes = When::Bits(6);
        },
}};

const RegisterMutant kExportsE3m2With8Bits{{
    .name = "exports-e3m2-with-8-bits",
    .rules = {"C-SUBBYTE-01"},
    .what = "exports float6_e3m2fn in matrices with bits = 8",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.exporting.retyped = {abi::kDLFloat6_e3m2fn, 8, 1};
          behaviour.exporting.retypes = When::Code(abi::kDLFloat6_e3m2fn).And(When::Rank(2));
        },
}};

const RegisterMutant kExportsFp4With8Bits{{
    .name = "exports-fp4-with-8-bits",
    .rules = {"C-SUBBYTE-02"},
    .what = "exports floats of 4 bits with bits = 8",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.exporting.retyped = {abi::kDLFloat4_e2m1fn, 8, 1};
          behaviour.exporting.retypes = When::Code(abi::kDLFloat4_e2m1fn);
        },
}};

const RegisterMutant kCopiesFp4With8Bits{{
    .name = "copies-fp4-with-8-bits",
    .rules = {"C-SUBBYTE-02"},
    .what = "exports copies of floats of 4 bits with bits = 8",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.exporting.retyped = {abi::kDLFloat4_e2m1fn, 8, 1};
          behaviour.exporting.retypes = When::Code(abi::kDLFloat4_e2m1fn).And(When::Copy());
        },
}};

const RegisterMutant kIgnoresSmallBits{{
    .name = "ignores-the-bits-of-small-floats",
    .rules = {"C-SUBBYTE-03"},
    .what = "imports floats of 6 and 4 bits whatever their bits say",
    .apply = [](Behaviour& behaviour) { behaviour.importing.ignores_small_bits = When::Always(); },
}};

const RegisterMutant kIgnoresFp4Bytes{{
    .name = "takes-fp4-of-8-bits",
    .rules = {"C-SUBBYTE-03"},
    .what = "imports floats of 4 bits that say that they have 8",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.importing.ignores_small_bits = When::Code(abi::kDLFloat4_e2m1fn).And(When::Bits(8));
        },
}};

const RegisterMutant kPacksTwoBitsIntoFour{{
    .name = "packs-2-bits-into-4",
    .rules = {"C-SUBBYTE-04"},
    .what = "stores elements of 2 bits in 4 bits each",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.having.storage = Storage::kNibbles;
          behaviour.having.stored = When::Always();
        },
}};

const RegisterMutant kPacksUint2IntoFour{{
    .name = "packs-uint2-into-4-bits",
    .rules = {"C-SUBBYTE-04"},
    .what = "stores uint2 in 4 bits each",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.having.storage = Storage::kNibbles;
          behaviour.having.stored = When::Code(abi::kDLUInt);
        },
}};

const RegisterMutant kStoresHighBitsFirst{{
    .name = "packs-high-bits-first",
    .rules = {"C-SUBBYTE-05"},
    .what = "packs its elements from the high bits of each byte down",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.having.storage = Storage::kHighFirst;
          behaviour.having.stored = When::Always();
        },
}};

const RegisterMutant kStoresFp4HighBitsFirst{{
    .name = "packs-fp4-high-bits-first",
    .rules = {"C-SUBBYTE-05"},
    .what = "packs floats of 4 bits from the high bits of each byte down",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.having.storage = Storage::kHighFirst;
          behaviour.having.stored = When::Code(abi::kDLFloat4_e2m1fn);
        },
}};

const RegisterMutant kReadsHighBitsFirst{{
    .name = "reads-high-bits-first",
    .rules = {"C-SUBBYTE-05"},
    .what = "reads packed imports from the high bits of each byte down",
    .apply = [](Behaviour& behaviour) { behaviour.importing.high_bits_first = When::Always(); },
}};

const RegisterMutant kReadsTwoBitsHighFirst{{
    .name = "reads-2-bits-high-first",
    .rules = {"C-SUBBYTE-05"},
    .what = "reads packed imports of 2 bits from the high bits of each byte down",
    .apply = [](Behaviour& behaviour) { behaviour.importing.high_bits_first = When::Bits(2); },
}};

const RegisterMutant kReadsPackedAsPadded{{
    .name = "reads-packed-elements-as-padded",
    .rules = {"C-SUBBYTE-05"},
    .what = "reads packed imports in versioned structs as if each element had a byte",
    .apply = [](Behaviour& behaviour) { behaviour.importing.never_packed = When::Versioned(); },
}};

const RegisterMutant kForgetsPaddedFlag{{
    .name = "forgets-the-padded-flag",
    .rules = {"C-SUBBYTE-06"},
    .what = "has a byte for each small element, and does not say so",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.having.storage = Storage::kPadded;
          behaviour.having.stored = When::Always();
          behaviour.exporting.drops_padded = When::Always();
        },
}};

const RegisterMutant kForgetsPaddedFlagOfUint4{{
    .name = "forgets-the-padded-flag-of-uint4",
    .rules = {"C-SUBBYTE-06"},
    .what = "has a byte for each small unsigned integer, and does not say so",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.having.storage = Storage::kPadded;
          behaviour.having.stored = When::Code(abi::kDLUInt);
          behaviour.exporting.drops_padded = When::Bits(4);
        },
}};

const RegisterMutant kFlagsPackedAsPadded{{
    .name = "flags-packed-elements-as-padded",
    .rules = {"C-SUBBYTE-06"},
    .what = "flags packed 4-bit elements as padded",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.exporting.flags = abi::kFlagSubbytePadded;
          behaviour.exporting.adds_flags = When::Versioned().And(When::Bits(4));
        },
}};

const RegisterMutant kIgnoresPaddedFlag{{
    .name = "ignores-the-padded-flag",
    .rules = {"C-SUBBYTE-07"},
    .what = "reads padded imports as packed ones",
    .apply = [](Behaviour& behaviour) { behaviour.importing.never_padded = When::Always(); },
}};

const RegisterMutant kIgnoresPaddedFlagOfFp4{{
    .name = "ignores-the-padded-flag-of-fp4",
    .rules = {"C-SUBBYTE-07"},
    .what = "reads padded floats of 4 bits as packed ones",
    .apply = [](Behaviour& behaviour) { behaviour.importing.never_padded = When::Code(abi::kDLFloat4_e2m1fn); },
}};

const RegisterMutant kStartsInsideBytes{{
    .name = "starts-views-inside-a-byte-at-its-begin",
    .rules = {"C-SUBBYTE-09"},
    .what = "exports views that start inside a byte from its begin on",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.starts_inside_bytes = When::Always(); },
}};

const RegisterMutant kStartsInsideBytesOfFp4{{
    .name = "starts-views-of-fp4-inside-a-byte-at-its-begin",
    .rules = {"C-SUBBYTE-09"},
    .what = "exports views of floats of 4 bits that start inside a byte from its begin on",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.starts_inside_bytes = When::Code(abi::kDLFloat4_e2m1fn); },
}};

const RegisterMutant kCountsImportedPairs{{
    .name = "counts-pairs-of-imported-elements",
    .rules = {"C-SUBBYTE-10"},
    .what = "presents two packed elements as one",
    .apply = [](Behaviour& behaviour) { behaviour.importing.counts_pairs = When::Always(); },
}};

const RegisterMutant kExportsPairs{{
    .name = "exports-pairs-of-fp4",
    .rules = {"C-SUBBYTE-10"},
    .what = "exports pairs of packed floats of 4 bits as vectors",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.exports_pairs = When::Code(abi::kDLFloat4_e2m1fn); },
}};

const RegisterMutant kReadsLegacyAsPadded{{
    .name = "reads-legacy-elements-as-padded",
    .rules = {"C-SUBBYTE-11"},
    .what = "reads small elements of legacy structs as if each had a byte",
    .apply = [](Behaviour& behaviour) { behaviour.importing.never_packed = When::Legacy(); },
}};

const RegisterMutant kExportsLegacyPadding{{
    .name = "exports-padded-elements-in-legacy-structs",
    .rules = {"C-SUBBYTE-11"},
    .what = "has a byte for each small element, which a legacy struct cannot say",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.having.storage = Storage::kPadded;
          behaviour.having.stored = When::Always();
          behaviour.exporting.legacy_hides_padding = When::Legacy();
        },
}};

// ---- Conforming variants.

const RegisterMutant kPadsSmallElements{{
    .name = "pads-small-elements",
    .conforming = true,
    .rules = {"C-SUBBYTE-04", "C-SUBBYTE-06", "C-SUBBYTE-11"},
    .what = "has a byte for each small element, says so, and has no legacy export of them",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.having.storage = Storage::kPadded;
          behaviour.having.stored = When::Always();
        },
}};

const RegisterMutant kRefusesSmallElements{{
    .name = "has-no-small-elements",
    .conforming = true,
    .rules = {"C-SUBBYTE-01", "C-SUBBYTE-02", "C-SUBBYTE-04", "C-SUBBYTE-05", "C-SUBBYTE-06", "C-SUBBYTE-11"},
    .what = "has no types of less than a byte",
    .apply = [](Behaviour& behaviour) { behaviour.having.storage = Storage::kRefused; },
}};

const RegisterMutant kRefusesPadding{{
    .name = "refuses-padded-elements",
    .conforming = true,
    .rules = {"C-SUBBYTE-07"},
    .what = "refuses structs that are flagged as padded",
    .apply = [](Behaviour& behaviour) { behaviour.importing.refused_flags |= abi::kFlagSubbytePadded; },
}};

const RegisterMutant kCopiesInsideBytes{{
    .name = "copies-views-that-start-inside-a-byte",
    .conforming = true,
    .rules = {"C-SUBBYTE-09"},
    .what = "exports flagged copies of views that start inside a byte",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.copies_inside_bytes = When::Versioned(); },
}};

const RegisterMutant kOpaqueSmallElements{{
    .name = "hands-small-elements-on",
    .conforming = true,
    .rules = {"C-SUBBYTE-05", "C-SUBBYTE-07", "C-SUBBYTE-11"},
    .what = "has containers of small elements that nobody can look into",
    .apply = [](Behaviour& behaviour) { behaviour.having.opaque_sub_bytes = true; },
}};

const RegisterMutant kDropsLanesOfHalfBytes{{
    .name = "drops-lanes-of-half-bytes",
    .rules = {"C-DTYPE-08"},
    .what = "reads vectors of 4-bit lanes as as many scalars",
    .apply = [](Behaviour& behaviour) { behaviour.importing.ignores_lanes = When::Bits(4); },
}};

const RegisterMutant kPadsLanes{{
    .name = "takes-each-lane-for-a-byte",
    .rules = {"C-SUBBYTE-05", "C-DTYPE-08"},
    .what = "makes a dimension of lanes, and reads each that has less than a byte from a byte of its own",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.having.vectors = Vectors::kDimension;
          behaviour.importing.pads_lanes = When::Always();
        },
}};

const RegisterMutant kReadsLanesHighBitsFirst{{
    .name = "reads-lanes-high-bits-first",
    .rules = {"C-SUBBYTE-05"},
    .what = "makes a dimension of pairs, and reads them from the high bits of their byte down",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.having.vectors = Vectors::kDimension;
          behaviour.importing.high_bits_first = When::Lanes(2);
        },
}};

const RegisterMutant kPacksVectorsApart{{
    .name = "steps-over-lanes-in-the-place-of-vectors",
    .rules = {"C-SUBBYTE-05", "C-DTYPE-08"},
    .what = "makes a dimension of lanes, and lets each vector start one lane behind the last one",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.having.vectors = Vectors::kDimension;
          behaviour.importing.counts_lanes = When::Bits(4);
        },
}};

const RegisterMutant kExportsVectorsAsScalars{{
    .name = "exports-vectors-as-scalars",
    .rules = {"C-SUBBYTE-02"},
    .what = "has vectors, and exports them as as many scalars",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.having.vectors = Vectors::kKept;
          behaviour.exporting.drops_lanes = When::Always();
        },
}};

const RegisterMutant kKeepsVectors{{
    .name = "keeps-vectors",
    .conforming = true,
    .rules = {"C-DTYPE-08", "C-SUBBYTE-05", "C-LAYOUT-06"},
    .what = "has types of several lanes",
    .apply = [](Behaviour& behaviour) { behaviour.having.vectors = Vectors::kKept; },
}};

const RegisterMutant kMakesADimensionOfLanes{{
    .name = "makes-a-dimension-of-lanes",
    .conforming = true,
    .rules = {"C-DTYPE-08", "C-SUBBYTE-05", "C-LAYOUT-06"},
    .what = "makes lanes a trailing dimension",
    .apply = [](Behaviour& behaviour) { behaviour.having.vectors = Vectors::kDimension; },
}};

}  // namespace
}  // namespace dlpack_cts
