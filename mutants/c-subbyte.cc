// mutants/c-subbyte.cc: mutants of the chapter on sub-byte types.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutants kMutants = {
    {.name = "flags-whole-bytes-as-padded",
     .rules = {"C-SUBBYTE-08"},
     .what = "sets DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED on every versioned export",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.exporting.flags = abi::kFlagSubbytePadded;
           behaviour.exporting.adds_flags = When::Versioned();
         }},
    {.name = "flags-complex-as-padded",
     .rules = {"C-SUBBYTE-08"},
     .what = "sets DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED on exports of complex types",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.exporting.flags = abi::kFlagSubbytePadded;
           behaviour.exporting.adds_flags = When::Versioned().And(When::Code(abi::kDLComplex));
         }},
    {.name = "flags-copies-as-padded",
     .rules = {"C-SUBBYTE-08"},
     .what = "sets DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED on exported copies",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.exporting.flags = abi::kFlagSubbytePadded;
           behaviour.exporting.adds_flags = When::Versioned().And(When::Copy());
         }},
    {.name = "flags-read-only-arrays-as-padded",
     .rules = {"C-SUBBYTE-08"},
     .what = "sets DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED on exports of read-only arrays",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.exporting.flags = abi::kFlagSubbytePadded;
           behaviour.exporting.adds_flags = When::Versioned().And(When::ReadOnly());
         }},
    {.name = "exports-fp6-with-8-bits",
     .rules = {"C-SUBBYTE-01"},
     .what = "exports 6-bit floats with bits = 8",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.exporting.retyped = {abi::kDLFloat6_e2m3fn, 8, 1};
           behaviour.exporting.retypes = When::Bits(6);
         }},
    {.name = "exports-e3m2-with-8-bits",
     .rules = {"C-SUBBYTE-01"},
     .what = "exports 2-dimensional float6_e3m2fn arrays with bits = 8",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.exporting.retyped = {abi::kDLFloat6_e3m2fn, 8, 1};
           behaviour.exporting.retypes = When::Code(abi::kDLFloat6_e3m2fn).And(When::Rank(2));
         }},
    {.name = "exports-fp4-with-8-bits",
     .rules = {"C-SUBBYTE-02"},
     .what = "exports 4-bit floats with bits = 8",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.exporting.retyped = {abi::kDLFloat4_e2m1fn, 8, 1};
           behaviour.exporting.retypes = When::Code(abi::kDLFloat4_e2m1fn);
         }},
    {.name = "copies-fp4-with-8-bits",
     .rules = {"C-SUBBYTE-02"},
     .what = "exports copies of 4-bit floats with bits = 8",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.exporting.retyped = {abi::kDLFloat4_e2m1fn, 8, 1};
           behaviour.exporting.retypes = When::Code(abi::kDLFloat4_e2m1fn).And(When::Copy());
         }},
    {.name = "ignores-the-bits-of-small-floats",
     .rules = {"C-SUBBYTE-03"},
     .what = "imports 6-bit and 4-bit float types without checking dtype.bits",
     .apply = [](Behaviour& behaviour) { behaviour.importing.ignores_small_bits = When::Always(); }},
    {.name = "takes-fp4-of-8-bits",
     .rules = {"C-SUBBYTE-03"},
     .what = "imports float4_e2m1fn tensors with bits = 8 as 4-bit floats",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.importing.ignores_small_bits = When::Code(abi::kDLFloat4_e2m1fn).And(When::Bits(8));
         }},
    {.name = "packs-2-bits-into-4",
     .rules = {"C-SUBBYTE-04"},
     .what = "stores 2-bit elements in 4 bits each",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.having.storage = Storage::kNibbles;
           behaviour.having.stored = When::Always();
         }},
    {.name = "packs-uint2-into-4-bits",
     .rules = {"C-SUBBYTE-04"},
     .what = "stores uint2 in 4 bits each",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.having.storage = Storage::kNibbles;
           behaviour.having.stored = When::Code(abi::kDLUInt);
         }},
    {.name = "packs-high-bits-first",
     .rules = {"C-SUBBYTE-05"},
     .what = "packs small elements from the high bits of each byte downwards",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.having.storage = Storage::kHighFirst;
           behaviour.having.stored = When::Always();
         }},
    {.name = "packs-fp4-high-bits-first",
     .rules = {"C-SUBBYTE-05"},
     .what = "packs 4-bit floats from the high bits of each byte downwards",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.having.storage = Storage::kHighFirst;
           behaviour.having.stored = When::Code(abi::kDLFloat4_e2m1fn);
         }},
    {.name = "reads-high-bits-first",
     .rules = {"C-SUBBYTE-05"},
     .what = "reads packed tensors from the high bits of each byte downwards",
     .apply = [](Behaviour& behaviour) { behaviour.importing.high_bits_first = When::Always(); }},
    {.name = "reads-2-bits-high-first",
     .rules = {"C-SUBBYTE-05"},
     .what = "reads packed 2-bit tensors from the high bits of each byte downwards",
     .apply = [](Behaviour& behaviour) { behaviour.importing.high_bits_first = When::Bits(2); }},
    {.name = "reads-packed-elements-as-padded",
     .rules = {"C-SUBBYTE-05"},
     .what = "reads packed versioned tensors as if each element had its own byte",
     .apply = [](Behaviour& behaviour) { behaviour.importing.never_packed = When::Versioned(); }},
    {.name = "forgets-the-padded-flag",
     .rules = {"C-SUBBYTE-06"},
     .what = "stores each small element in its own byte without DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.having.storage = Storage::kPadded;
           behaviour.having.stored = When::Always();
           behaviour.exporting.drops_padded = When::Always();
         }},
    {.name = "forgets-the-padded-flag-of-uint4",
     .rules = {"C-SUBBYTE-06"},
     .what = "stores each uint4 in its own byte without DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.having.storage = Storage::kPadded;
           behaviour.having.stored = When::Code(abi::kDLUInt);
           behaviour.exporting.drops_padded = When::Bits(4);
         }},
    {.name = "flags-packed-elements-as-padded",
     .rules = {"C-SUBBYTE-06"},
     .what = "sets DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED on packed 4-bit elements",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.exporting.flags = abi::kFlagSubbytePadded;
           behaviour.exporting.adds_flags = When::Versioned().And(When::Bits(4));
         }},
    {.name = "ignores-the-padded-flag",
     .rules = {"C-SUBBYTE-07"},
     .what = "reads padded tensors as packed",
     .apply = [](Behaviour& behaviour) { behaviour.importing.never_padded = When::Always(); }},
    {.name = "ignores-the-padded-flag-of-fp4",
     .rules = {"C-SUBBYTE-07"},
     .what = "reads padded 4-bit float tensors as packed",
     .apply = [](Behaviour& behaviour) { behaviour.importing.never_padded = When::Code(abi::kDLFloat4_e2m1fn); }},
    {.name = "starts-views-inside-a-byte-at-its-begin",
     .rules = {"C-SUBBYTE-09"},
     .what = "exports views that start inside a byte as if they started at the beginning of that byte",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.starts_inside_bytes = When::Always(); }},
    {.name = "starts-views-of-fp4-inside-a-byte-at-its-begin",
     .rules = {"C-SUBBYTE-09"},
     .what = "exports 4-bit float views that start inside a byte as if they started at the beginning of that byte",
     .apply =
         [](Behaviour& behaviour) { behaviour.exporting.starts_inside_bytes = When::Code(abi::kDLFloat4_e2m1fn); }},
    {.name = "counts-pairs-of-imported-elements",
     .rules = {"C-SUBBYTE-10"},
     .what = "halves the last extent of packed tensors on import, as if two elements were one",
     .apply = [](Behaviour& behaviour) { behaviour.importing.counts_pairs = When::Always(); }},
    {.name = "exports-pairs-of-fp4",
     .rules = {"C-SUBBYTE-10"},
     .what = "exports pairs of packed 4-bit floats as one element with two lanes",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.exports_pairs = When::Code(abi::kDLFloat4_e2m1fn); }},
    {.name = "reads-legacy-elements-as-padded",
     .rules = {"C-SUBBYTE-11"},
     .what = "reads small elements of legacy structs as if each had its own byte",
     .apply = [](Behaviour& behaviour) { behaviour.importing.never_packed = When::Legacy(); }},
    {.name = "exports-padded-elements-in-legacy-structs",
     .rules = {"C-SUBBYTE-11"},
     .what = "stores each small element in its own byte and exports it in legacy structs, which have no flags",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.having.storage = Storage::kPadded;
           behaviour.having.stored = When::Always();
           behaviour.exporting.legacy_hides_padding = When::Legacy();
         }},

    // ---- Conforming variants.
    {.name = "pads-small-elements",
     .conforming = true,
     .rules = {"C-SUBBYTE-04", "C-SUBBYTE-06", "C-SUBBYTE-11"},
     .what = "stores each small element in its own byte, sets the padded flag, and refuses legacy exports of them",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.having.storage = Storage::kPadded;
           behaviour.having.stored = When::Always();
         }},
    {.name = "has-no-small-elements",
     .conforming = true,
     .rules = {"C-SUBBYTE-01", "C-SUBBYTE-02", "C-SUBBYTE-04", "C-SUBBYTE-05", "C-SUBBYTE-06", "C-SUBBYTE-11"},
     .what = "supports no types smaller than a byte",
     .apply = [](Behaviour& behaviour) { behaviour.having.storage = Storage::kRefused; }},
    {.name = "refuses-padded-elements",
     .conforming = true,
     .rules = {"C-SUBBYTE-07"},
     .what = "refuses structs with DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED",
     .apply = [](Behaviour& behaviour) { behaviour.importing.refused_flags |= abi::kFlagSubbytePadded; }},
    {.name = "copies-views-that-start-inside-a-byte",
     .conforming = true,
     .rules = {"C-SUBBYTE-09"},
     .what = "exports flagged copies of views that start inside a byte",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.copies_inside_bytes = When::Versioned(); }},
    {.name = "hands-small-elements-on",
     .conforming = true,
     .rules = {"C-SUBBYTE-05", "C-SUBBYTE-07", "C-SUBBYTE-11"},
     .what = "imports and re-exports small elements but cannot read them",
     .apply = [](Behaviour& behaviour) { behaviour.having.opaque_sub_bytes = true; }},
    {.name = "drops-lanes-of-half-bytes",
     .rules = {"C-DTYPE-08"},
     .what = "imports 4-bit elements with several lanes as if they had one lane",
     .apply = [](Behaviour& behaviour) { behaviour.importing.ignores_lanes = When::Bits(4); }},
    {.name = "takes-each-lane-for-a-byte",
     .rules = {"C-SUBBYTE-05", "C-DTYPE-08"},
     .what = "imports lanes as a trailing dimension and reads each small lane from its own byte",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.having.vectors = Vectors::kDimension;
           behaviour.importing.pads_lanes = When::Always();
         }},
    {.name = "reads-lanes-high-bits-first",
     .rules = {"C-SUBBYTE-05"},
     .what = "imports two lanes as a trailing dimension and reads them from the high bits of the byte downwards",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.having.vectors = Vectors::kDimension;
           behaviour.importing.high_bits_first = When::Lanes(2);
         }},
    {.name = "steps-over-lanes-in-the-place-of-vectors",
     .rules = {"C-SUBBYTE-05", "C-DTYPE-08"},
     .what = "imports 4-bit lanes as a trailing dimension, with each vector only one lane after the previous one",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.having.vectors = Vectors::kDimension;
           behaviour.importing.counts_lanes = When::Bits(4);
         }},
    {.name = "exports-vectors-as-scalars",
     .rules = {"C-SUBBYTE-02"},
     .what = "supports types with several lanes but exports them with lanes = 1",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.having.vectors = Vectors::kKept;
           behaviour.exporting.drops_lanes = When::Always();
         }},
    {.name = "keeps-vectors",
     .conforming = true,
     .rules = {"C-DTYPE-08", "C-SUBBYTE-05", "C-LAYOUT-06"},
     .what = "supports types with several lanes",
     .apply = [](Behaviour& behaviour) { behaviour.having.vectors = Vectors::kKept; }},
    {.name = "makes-a-dimension-of-lanes",
     .conforming = true,
     .rules = {"C-DTYPE-08", "C-SUBBYTE-05", "C-LAYOUT-06"},
     .what = "imports lanes as a trailing dimension",
     .apply = [](Behaviour& behaviour) { behaviour.having.vectors = Vectors::kDimension; }},
};

}  // namespace
}  // namespace dlpack_cts
