// mutants/c-flags.cc: mutants of the chapter on flags.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutants kMutants = {
    {.name = "sets-unused-flags",
     .rules = {"C-FLAGS-01"},
     .what = "sets a flag bit that no version defines",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.exporting.flags = 1 << 10;
           behaviour.exporting.adds_flags = When::Versioned();
         }},
    {.name = "exports-read-only-as-writable",
     .rules = {"C-FLAGS-02"},
     .what = "exports read-only arrays without DLPACK_FLAG_BITMASK_READ_ONLY",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.drops_read_only = When::Always(); }},
    {.name = "drops-read-only",
     .rules = {"C-FLAGS-03"},
     .what = "imports read-only tensors as writable",
     .apply = [](Behaviour& behaviour) { behaviour.importing.drops_read_only = When::Always(); }},
    {.name = "drops-read-only-of-scalars",
     .rules = {"C-FLAGS-03"},
     .what = "imports 0-dimensional read-only tensors as writable",
     .apply = [](Behaviour& behaviour) { behaviour.importing.drops_read_only = When::Scalar(); }},
    {.name = "refuses-read-only",
     .rules = {"C-FLAGS-04"},
     .what = "refuses read-only tensors",
     .apply = [](Behaviour& behaviour) { behaviour.importing.refused_flags = ~uint64_t{7} | abi::kFlagReadOnly; }},
    {.name = "forgets-is-copied",
     .rules = {"C-FLAGS-05"},
     .what = "exports copies without DLPACK_FLAG_BITMASK_IS_COPIED",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.drops_copied = When::Copy(); }},
    {.name = "flags-shared-memory-as-copied",
     .rules = {"C-FLAGS-06"},
     .what = "sets DLPACK_FLAG_BITMASK_IS_COPIED on exports that share memory",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.exporting.flags = abi::kFlagIsCopied;
           behaviour.exporting.adds_flags = When::Versioned();
         }},
    {.name = "shares-its-copies",
     .rules = {"C-FLAGS-07"},
     .what = "shares the array's memory when a copy is requested and sets DLPACK_FLAG_BITMASK_IS_COPIED",
     .apply =
         [](Behaviour& behaviour) { behaviour.exporting.copy_shares = When::Versioned().And(When::ReadOnly().Not()); }},
    {.name = "ignores-unknown-flags",
     .rules = {"C-FLAGS-09"},
     .what = "imports tensors with unknown flag bits",
     .apply = [](Behaviour& behaviour) { behaviour.importing.refused_flags = 0; }},
    {.name = "reads-flags-of-legacy",
     .rules = {"C-FLAGS-10"},
     .what = "reads a flags field after the end of legacy structs",
     .apply = [](Behaviour& behaviour) { behaviour.importing.reads_flags_of_legacy = When::Always(); }},
    {.name = "hides-read-only-in-legacy",
     .rules = {"C-FLAGS-11"},
     .what = "exports read-only arrays in legacy structs, which have no flags",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.legacy_hides_read_only = When::Always(); }},
    {.name = "reexports-the-copied-flag",
     .rules = {"C-FLAGS-12"},
     .what = "re-exports an import with its DLPACK_FLAG_BITMASK_IS_COPIED",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.keeps_copied = When::Always(); }},
    {.name = "reexports-read-only-as-writable",
     .rules = {"C-FLAGS-12"},
     .what = "re-exports read-only imports without DLPACK_FLAG_BITMASK_READ_ONLY",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.drops_read_only = When::Imported(); }},
    {.name = "takes-any-flag-for-read-only",
     .rules = {"C-LAYOUT-07"},
     .what = "interprets each of the low 8 flag bits as DLPACK_FLAG_BITMASK_READ_ONLY",
     .apply = [](Behaviour& behaviour) { behaviour.importing.read_only_mask = 0xFF; }},
    {.name = "writes-read-only-memory",
     .rules = {"C-FLAGS-03"},
     .what = "writes to the memory of read-only arrays",
     .apply = [](Behaviour& behaviour) { behaviour.owning.writes_read_only = true; }},
    {.name = "drops-read-only-of-strided",
     .rules = {"C-FLAGS-03"},
     .what = "imports read-only tensors that are not compact as writable",
     .apply = [](Behaviour& behaviour) { behaviour.importing.drops_read_only = When::Strided(); }},
    {.name = "exports-read-only-scalars-as-writable",
     .rules = {"C-FLAGS-02"},
     .what = "exports 0-dimensional read-only arrays without DLPACK_FLAG_BITMASK_READ_ONLY",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.drops_read_only = When::Scalar(); }},
    {.name = "forgets-is-copied-of-matrices",
     .rules = {"C-FLAGS-05"},
     .what = "exports copies of 2-dimensional arrays without DLPACK_FLAG_BITMASK_IS_COPIED",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.drops_copied = When::Copy().And(When::Rank(2)); }},
    {.name = "exports-views-of-read-only-as-writable",
     .rules = {"C-FLAGS-02"},
     .what = "exports views of read-only arrays without DLPACK_FLAG_BITMASK_READ_ONLY",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.drops_read_only = When::View(); }},
    {.name = "recalls-copies",
     .rules = {"C-FLAGS-06"},
     .what = "sets DLPACK_FLAG_BITMASK_IS_COPIED on every export of an array after it has exported a copy of it",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.recalls_copies = When::Always(); }},
};

}  // namespace
}  // namespace dlpack_cts
