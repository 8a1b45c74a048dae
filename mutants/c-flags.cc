// mutants/c-flags.cc: mutants of the chapter on flags.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutant kDropsReadOnly{{
    .name = "drops-read-only",
    .rules = {"C-FLAGS-03"},
    .what = "imports read-only tensors as writable",
    .apply = [](Behaviour& behaviour) { behaviour.importing.drops_read_only = When::Always(); },
}};

const RegisterMutant kForgetsIsCopied{{
    .name = "forgets-is-copied",
    .rules = {"C-FLAGS-05"},
    .what = "does not flag the copies that it exports",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.drops_copied = When::Copy(); },
}};

const RegisterMutant kExportsReadOnlyAsWritable{{
    .name = "exports-read-only-as-writable",
    .rules = {"C-FLAGS-02"},
    .what = "exports read-only arrays without READ_ONLY",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.drops_read_only = When::Always(); },
}};

}  // namespace
}  // namespace dlpack_cts
