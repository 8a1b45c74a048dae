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

const RegisterMutant kDiesInExitHandlers{{
    .name = "dies-in-exit-handlers",
    .rules = {"PY-THREAD-03"},
    .what = "ends the process in deleters that run when the interpreter has begun to end",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.deleter_dies_at_exit = When::Always(); },
}};

const RegisterMutant kDeletersExclude{{
    .name = "deleters-exclude-each-other",
    .rules = {"C-OWN-13"},
    .what = "ends the process when two deleters run at once",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.deleters_exclude = When::Always(); },
}};

const RegisterMutant kLegacyDeletersExclude{{
    .name = "legacy-deleters-exclude-each-other",
    .rules = {"C-OWN-13"},
    .what = "ends the process when two deleters of legacy structs run at once",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.deleters_exclude = When::Legacy(); },
}};

const RegisterMutant kSharesBesideThreads{{
    .name = "shares-structs-between-threads",
    .rules = {"C-OWN-11"},
    .what = "gives the struct of the latest export again while another thread exports",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.shares_beside_threads = When::Always(); },
}};

const RegisterMutant kRestsBeforeRename{{
    .name = "lets-threads-in-before-the-rename",
    .rules = {"PY-CAPSULE-10"},
    .what = "lets other threads in between its look at the capsule's name and the used one",
    .apply = [](Behaviour& behaviour) { behaviour.capsule.rests_before_rename = When::Always(); },
}};

const RegisterMutant kRestsWithPointer{{
    .name = "keeps-the-tensor-where-threads-meet",
    .rules = {"C-OWN-02"},
    .what = "keeps the tensor that it imports in memory of all threads, and lets them in",
    .apply = [](Behaviour& behaviour) { behaviour.capsule.rests_with_pointer = When::Always(); },
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

const RegisterMutant kDeleterFreesUnlocked{{
    .name = "deleter-frees-without-the-gil",
    .rules = {"PY-THREAD-01"},
    .what = "frees memory of Python's in its deleters without taking the GIL, which does no harm at once",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.deleter_frees_unlocked = When::Always(); },
}};

}  // namespace
}  // namespace dlpack_cts
