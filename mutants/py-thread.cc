// mutants/py-thread.cc: mutants of the chapter on threads, GIL and finalisation.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutants kMutants = {
    {.name = "deleter-of-matrices-needs-the-gil",
     .rules = {"PY-THREAD-01"},
     .what = "drops the reference to 2-dimensional arrays in its deleters without acquiring the GIL",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.deleter_needs_gil = When::Rank(2); }},
    {.name = "deleter-takes-the-gil-of-nobody",
     .rules = {"PY-THREAD-02"},
     .what = "acquires the GIL in its deleters after the interpreter was finalised",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.deleter_ignores_end = When::Always(); }},
    {.name = "legacy-deleter-takes-the-gil-of-nobody",
     .rules = {"PY-THREAD-02"},
     .what = "acquires the GIL in deleters of legacy exports after the interpreter was finalised",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.deleter_ignores_end = When::Legacy(); }},
    {.name = "deleter-of-four-bits-deadlocks",
     .rules = {"PY-THREAD-03"},
     .what = "waits in deleters of legacy 4-bit exports for another thread that acquires the GIL",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.deleter_deadlocks = When::Legacy().And(When::Bits(4)); }},
    {.name = "deleter-of-two-bits-deadlocks",
     .rules = {"PY-THREAD-03"},
     .what = "waits in deleters of legacy 2-bit exports for another thread that acquires the GIL",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.deleter_deadlocks = When::Legacy().And(When::Bits(2)); }},
    {.name = "dies-in-exit-handlers",
     .rules = {"PY-THREAD-03"},
     .what = "aborts in deleters that run after the interpreter has begun to shut down",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.deleter_dies_at_exit = When::Always(); }},
    {.name = "deleters-exclude-each-other",
     .rules = {"C-OWN-13"},
     .what = "aborts when two deleters run at the same time",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.deleters_exclude = When::Always(); }},
    {.name = "legacy-deleters-exclude-each-other",
     .rules = {"C-OWN-13"},
     .what = "aborts when two deleters of legacy exports run at the same time",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.deleters_exclude = When::Legacy(); }},
    {.name = "shares-structs-between-threads",
     .rules = {"C-OWN-11"},
     .what = "returns the struct of the most recent export again while another thread exports",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.shares_beside_threads = When::Always(); }},
    {.name = "lets-threads-in-before-the-rename",
     .rules = {"PY-CAPSULE-10"},
     .what = "releases the GIL between its check of the capsule's name and the renaming",
     .apply = [](Behaviour& behaviour) { behaviour.capsule.rests_before_rename = When::Always(); }},
    {.name = "keeps-the-tensor-where-threads-meet",
     .rules = {"C-OWN-02"},
     .what = "stores the tensor's address in a variable of all threads and releases the GIL during the import",
     .apply = [](Behaviour& behaviour) { behaviour.capsule.rests_with_pointer = When::Always(); }},
    {.name = "deleter-leaves-an-exception",
     .rules = {"PY-THREAD-04"},
     .what = "leaves a Python exception set after its deleters",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.deleter_raises = When::Always(); }},
    {.name = "legacy-deleter-leaves-an-exception",
     .rules = {"PY-THREAD-04"},
     .what = "leaves a Python exception set after the deleters of legacy complex exports",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.exporting.deleter_raises = When::Legacy().And(When::Code(abi::kDLComplex));
         }},
    {.name = "locks-its-deleters",
     .rules = {"PY-THREAD-07"},
     .what = "holds a lock while a deleter runs, and every import waits for that lock with the GIL held",
     .apply = [](Behaviour& behaviour) { behaviour.owning.locks_deleters = When::Always(); }},
    {.name = "locks-legacy-deleters-of-matrices",
     .rules = {"PY-THREAD-07"},
     .what = "holds a lock that every import needs while the deleter of a 2-dimensional legacy tensor runs",
     .apply = [](Behaviour& behaviour) { behaviour.owning.locks_deleters = When::Legacy().And(When::Rank(2)); }},
    {.name = "shuts-its-deleters-out",
     .rules = {"PY-THREAD-08"},
     .what = "refuses to import a tensor from within a deleter",
     .apply = [](Behaviour& behaviour) { behaviour.owning.shuts_out_deleters = When::Always(); }},
    {.name = "shuts-deleters-of-complex-numbers-out",
     .rules = {"PY-THREAD-08"},
     .what = "refuses to import a tensor from within the deleter of a versioned complex tensor",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.owning.shuts_out_deleters = When::Versioned().And(When::Code(abi::kDLComplex));
         }},
    {.name = "deleter-frees-without-the-gil",
     .rules = {"PY-THREAD-01"},
     .what = "frees Python memory in its deleters without acquiring the GIL",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.deleter_frees_unlocked = When::Always(); }},
};

}  // namespace
}  // namespace dlpack_cts
