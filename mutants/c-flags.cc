// mutants/c-flags.cc: mutants of the chapter on flags.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutant kSetsUnusedFlags{{
    .name = "sets-unused-flags",
    .rules = {"C-FLAGS-01"},
    .what = "sets a flag that no version defines",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.exporting.flags = 1 << 10;
          behaviour.exporting.adds_flags = When::Versioned();
        },
}};

const RegisterMutant kExportsReadOnlyAsWritable{{
    .name = "exports-read-only-as-writable",
    .rules = {"C-FLAGS-02"},
    .what = "exports read-only arrays without READ_ONLY",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.drops_read_only = When::Always(); },
}};

const RegisterMutant kDropsReadOnly{{
    .name = "drops-read-only",
    .rules = {"C-FLAGS-03"},
    .what = "imports read-only tensors as writable",
    .apply = [](Behaviour& behaviour) { behaviour.importing.drops_read_only = When::Always(); },
}};

const RegisterMutant kDropsReadOnlyOfScalars{{
    .name = "drops-read-only-of-scalars",
    .rules = {"C-FLAGS-03"},
    .what = "imports read-only tensors of no dimension as writable",
    .apply = [](Behaviour& behaviour) { behaviour.importing.drops_read_only = When::Scalar(); },
}};

const RegisterMutant kRefusesReadOnly{{
    .name = "refuses-read-only",
    .rules = {"C-FLAGS-04"},
    .what = "refuses read-only tensors",
    .apply = [](Behaviour& behaviour) { behaviour.importing.refused_flags = ~uint64_t{7} | abi::kFlagReadOnly; },
}};

const RegisterMutant kForgetsIsCopied{{
    .name = "forgets-is-copied",
    .rules = {"C-FLAGS-05"},
    .what = "does not flag the copies that it exports",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.drops_copied = When::Copy(); },
}};

const RegisterMutant kFlagsSharedMemoryAsCopied{{
    .name = "flags-shared-memory-as-copied",
    .rules = {"C-FLAGS-06"},
    .what = "flags exports that share memory as copies",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.exporting.flags = abi::kFlagIsCopied;
          behaviour.exporting.adds_flags = When::Versioned();
        },
}};

const RegisterMutant kSharesItsCopies{{
    .name = "shares-its-copies",
    .rules = {"C-FLAGS-07"},
    .what = "flags exports as copies that share memory with the array",
    .apply =
        [](Behaviour& behaviour) { behaviour.exporting.copy_shares = When::Versioned().And(When::ReadOnly().Not()); },
}};

const RegisterMutant kIgnoresUnknownFlags{{
    .name = "ignores-unknown-flags",
    .rules = {"C-FLAGS-09"},
    .what = "takes tensors whatever flags they carry",
    .apply = [](Behaviour& behaviour) { behaviour.importing.refused_flags = 0; },
}};

const RegisterMutant kReadsFlagsOfLegacy{{
    .name = "reads-flags-of-legacy",
    .rules = {"C-FLAGS-10"},
    .what = "reads flags behind legacy structs",
    .apply = [](Behaviour& behaviour) { behaviour.importing.reads_flags_of_legacy = When::Always(); },
}};

const RegisterMutant kHidesReadOnlyInLegacy{{
    .name = "hides-read-only-in-legacy",
    .rules = {"C-FLAGS-11"},
    .what = "exports read-only arrays in legacy capsules",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.legacy_hides_read_only = When::Always(); },
}};

const RegisterMutant kReexportsTheCopiedFlag{{
    .name = "reexports-the-copied-flag",
    .rules = {"C-FLAGS-12"},
    .what = "flags re-exports of a copy as copies",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.keeps_copied = When::Always(); },
}};

const RegisterMutant kReexportsReadOnlyAsWritable{{
    .name = "reexports-read-only-as-writable",
    .rules = {"C-FLAGS-12"},
    .what = "re-exports read-only imports without READ_ONLY",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.drops_read_only = When::Imported(); },
}};

const RegisterMutant kTakesAnyFlagForReadOnly{{
    .name = "takes-any-flag-for-read-only",
    .rules = {"C-LAYOUT-07"},
    .what = "takes any of the low 8 flags for READ_ONLY",
    .apply = [](Behaviour& behaviour) { behaviour.importing.read_only_mask = 0xFF; },
}};

const RegisterMutant kWritesReadOnlyMemory{{
    .name = "writes-read-only-memory",
    .rules = {"C-FLAGS-03"},
    .what = "writes through read-only arrays",
    .apply = [](Behaviour& behaviour) { behaviour.owning.writes_read_only = true; },
}};

const RegisterMutant kDropsReadOnlyOfStrided{{
    .name = "drops-read-only-of-strided",
    .rules = {"C-FLAGS-03"},
    .what = "takes read-only tensors that are not compact for writable ones",
    .apply = [](Behaviour& behaviour) { behaviour.importing.drops_read_only = When::Strided(); },
}};

const RegisterMutant kExportsReadOnlyScalarsAsWritable{{
    .name = "exports-read-only-scalars-as-writable",
    .rules = {"C-FLAGS-02"},
    .what = "exports read-only arrays of no dimension as writable",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.drops_read_only = When::Scalar(); },
}};

const RegisterMutant kForgetsIsCopiedOfMatrices{{
    .name = "forgets-is-copied-of-matrices",
    .rules = {"C-FLAGS-05"},
    .what = "exports copies of matrices without IS_COPIED",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.drops_copied = When::Copy().And(When::Rank(2)); },
}};

const RegisterMutant kExportsViewsAsWritable{{
    .name = "exports-views-of-read-only-as-writable",
    .rules = {"C-FLAGS-02"},
    .what = "exports views of read-only arrays without READ_ONLY",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.drops_read_only = When::View(); },
}};

const RegisterMutant kRecallsCopies{{
    .name = "recalls-copies",
    .rules = {"C-FLAGS-06"},
    .what = "flags what is shared as copied once a copy of the array was exported",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.recalls_copies = When::Always(); },
}};

}  // namespace
}  // namespace dlpack_cts
