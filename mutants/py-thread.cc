// mutants/py-thread.cc: mutants of the chapter on threads, GIL and finalisation.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutant kMatricesNeedTheGil{{
    .name = "deleter-of-matrices-needs-the-gil",
    .rules = {"PY-THREAD-01"},
    .what = "drops arrays of two dimensions without the GIL",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.deleter_needs_gil = When::Rank(2); },
}};

const RegisterMutant kDeleterDeadlocks{{
    .name = "deleter-of-three-dimensions-deadlocks",
    .rules = {"PY-THREAD-03"},
    .what = "waits in deleters of three dimensions for a thread that takes the GIL",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.deleter_deadlocks = When::Rank(3); },
}};

const RegisterMutant kDeleterOfLegacyDeadlocks{{
    .name = "legacy-deleter-deadlocks",
    .rules = {"PY-THREAD-03"},
    .what = "waits in deleters of legacy structs of complex numbers for a thread that takes the GIL",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.exporting.deleter_deadlocks = When::Legacy().And(When::Code(abi::kDLComplex));
        },
}};

const RegisterMutant kDeleterRaises{{
    .name = "deleter-leaves-an-exception",
    .rules = {"PY-THREAD-04"},
    .what = "leaves an exception behind its deleters",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.deleter_raises = When::Always(); },
}};

const RegisterMutant kDeleterOfLegacyRaises{{
    .name = "legacy-deleter-leaves-an-exception",
    .rules = {"PY-THREAD-04"},
    .what = "leaves an exception behind the deleters of legacy structs of complex numbers",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.exporting.deleter_raises = When::Legacy().And(When::Code(abi::kDLComplex));
        },
}};

}  // namespace
}  // namespace dlpack_cts
