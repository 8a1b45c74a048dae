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

const RegisterMutant kDeleterIgnoresTheEnd{{
    .name = "deleter-takes-the-gil-of-nobody",
    .rules = {"PY-THREAD-02"},
    .what = "takes the GIL of an interpreter that was finalised",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.deleter_ignores_end = When::Always(); },
}};

const RegisterMutant kLegacyDeleterIgnoresTheEnd{{
    .name = "legacy-deleter-takes-the-gil-of-nobody",
    .rules = {"PY-THREAD-02"},
    .what = "takes the GIL of an interpreter that was finalised in the deleters of legacy structs",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.deleter_ignores_end = When::Legacy(); },
}};

const RegisterMutant kDeleterOfFourBitsDeadlocks{{
    .name = "deleter-of-four-bits-deadlocks",
    .rules = {"PY-THREAD-03"},
    .what = "waits in deleters of legacy structs of elements of four bits for a thread that takes the GIL",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.deleter_deadlocks = When::Legacy().And(When::Bits(4)); },
}};

const RegisterMutant kDeleterOfTwoBitsDeadlocks{{
    .name = "deleter-of-two-bits-deadlocks",
    .rules = {"PY-THREAD-03"},
    .what = "waits in deleters of legacy structs of elements of two bits for a thread that takes the GIL",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.deleter_deadlocks = When::Legacy().And(When::Bits(2)); },
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

const RegisterMutant kLocksDeleters{{
    .name = "locks-its-deleters",
    .rules = {"PY-THREAD-07"},
    .what = "holds a lock while a deleter runs, for which every import waits with the GIL",
    .apply = [](Behaviour& behaviour) { behaviour.owning.locks_deleters = When::Always(); },
}};

const RegisterMutant kLocksLegacyDeleters{{
    .name = "locks-legacy-deleters-of-matrices",
    .rules = {"PY-THREAD-07"},
    .what = "holds such a lock while the deleters of legacy structs of two dimensions run",
    .apply = [](Behaviour& behaviour) { behaviour.owning.locks_deleters = When::Legacy().And(When::Rank(2)); },
}};

const RegisterMutant kShutsOutDeleters{{
    .name = "shuts-its-deleters-out",
    .rules = {"PY-THREAD-08"},
    .what = "takes no tensor from within a deleter",
    .apply = [](Behaviour& behaviour) { behaviour.owning.shuts_out_deleters = When::Always(); },
}};

const RegisterMutant kShutsOutDeletersOfComplex{{
    .name = "shuts-deleters-of-complex-numbers-out",
    .rules = {"PY-THREAD-08"},
    .what = "takes no tensor from within the deleter of versioned complex numbers",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.owning.shuts_out_deleters = When::Versioned().And(When::Code(abi::kDLComplex));
        },
}};

}  // namespace
}  // namespace dlpack_cts
