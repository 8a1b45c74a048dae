// mutants/py-capsule.cc: mutants of the chapter on capsules.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutants kMutants = {
    {.name = "names-legacy-capsules-with-a-space",
     .rules = {"PY-CAPSULE-01"},
     .what = "appends a space to the name of legacy capsules",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.capsule.styled = When::Legacy();
           behaviour.capsule.style = NameStyle::kTrailingSpace;
         }},
    {.name = "names-no-versioned-capsules",
     .rules = {"PY-CAPSULE-02"},
     .what = "makes versioned capsules without a name",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.capsule.styled = When::Versioned();
           behaviour.capsule.style = NameStyle::kNull;
         }},
    {.name = "makes-used-capsules",
     .rules = {"PY-CAPSULE-01", "PY-CAPSULE-02"},
     .what = "makes new capsules with the used name",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.capsule.styled = When::Always();
           behaviour.capsule.style = NameStyle::kUsed;
         }},
    {.name = "capsule-never-releases",
     .rules = {"PY-CAPSULE-04"},
     .what = "makes capsules with a destructor that does nothing",
     .apply = [](Behaviour& behaviour) { behaviour.capsule.empty_destructor = When::Always(); }},
    {.name = "capsule-has-no-destructor",
     .rules = {"PY-CAPSULE-04"},
     .what = "makes legacy capsules without a destructor",
     .apply = [](Behaviour& behaviour) { behaviour.capsule.no_destructor = When::Legacy(); }},
    {.name = "memory-of-lost-capsules-leaks",
     .rules = {"PY-CAPSULE-04"},
     .what = "makes capsules without a destructor whose exports hold the array's memory, but not the array",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.capsule.no_destructor = When::Always();
           behaviour.exporting.holds_memory_only = When::Always();
         }},

    // The destructor exists, and no array object stays alive to show that it does nothing.
    {.name = "memory-of-unused-capsules-stays",
     .rules = {"PY-CAPSULE-04"},
     .what = "makes legacy capsules with an empty destructor whose exports hold the memory, but not the array",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.capsule.empty_destructor = When::Legacy().And(When::Imported().Not());
           behaviour.exporting.holds_memory_only = When::Always();
         }},
    {.name = "capsule-releases-consumed",
     .rules = {"PY-CAPSULE-05"},
     .what = "makes capsules whose destructor also calls the deleter of consumed tensors",
     .apply = [](Behaviour& behaviour) { behaviour.capsule.destructor_ignores_name = When::Always(); }},
    {.name = "capsule-releases-only-consumed",
     .rules = {"PY-CAPSULE-05"},
     .what = "makes capsules whose destructor calls the deleter only of consumed tensors",
     .apply = [](Behaviour& behaviour) { behaviour.capsule.destructor_inverted = When::Always(); }},
    {.name = "does-not-rename",
     .rules = {"PY-CAPSULE-06", "PY-CAPSULE-16"},
     .what = "consumes the tensor without renaming the capsule",
     .apply = [](Behaviour& behaviour) { behaviour.capsule.no_rename = When::Always(); }},

    // The capsule no longer releases its tensor, so this is not a borrowing consumer.
    {.name = "takes-the-destructor-for-the-name",
     .rules = {"PY-CAPSULE-06", "PY-CAPSULE-10"},
     .what = "clears the capsule's destructor instead of renaming the capsule",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.capsule.no_rename = When::Always();
           behaviour.capsule.clears_destructor = When::Always();
         }},
    {.name = "takes-none-for-a-capsule",
     .rules = {"PY-CAPSULE-15"},
     .what = "returns an empty array if __dlpack__ does not return a capsule",
     .apply = [](Behaviour& behaviour) { behaviour.asking.empty_without_capsule = true; }},
    {.name = "misspells-the-used-name",
     .rules = {"PY-CAPSULE-06"},
     .what = "renames capsules to dltensor_used",
     .apply = [](Behaviour& behaviour) { behaviour.capsule.misspelt_used_name = When::Always(); }},
    {.name = "renames-versioned-as-legacy",
     .rules = {"PY-CAPSULE-07"},
     .what = "renames versioned capsules to used_dltensor",
     .apply = [](Behaviour& behaviour) { behaviour.capsule.wrong_used_name = When::Versioned(); }},
    {.name = "frees-the-name",
     .rules = {"PY-CAPSULE-08"},
     .what = "names capsules with a string that it overwrites afterwards",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.capsule.styled = When::Always();
           behaviour.capsule.style = NameStyle::kFreed;
         }},
    {.name = "frees-the-used-name",
     .rules = {"PY-CAPSULE-08"},
     .what = "renames capsules with a string that it overwrites afterwards",
     .apply = [](Behaviour& behaviour) { behaviour.capsule.freed_used_name = When::Always(); }},
    {.name = "accepts-used-capsules",
     .rules = {"PY-CAPSULE-10"},
     .what = "imports capsules with a used name again",
     .apply = [](Behaviour& behaviour) { behaviour.capsule.accepts_used = When::Always(); }},
    {.name = "renames-before-it-checks",
     .rules = {"PY-CAPSULE-11"},
     .what = "renames the capsule before it checks the tensor, and never calls the deleter if it then refuses",
     .apply = [](Behaviour& behaviour) { behaviour.capsule.renames_before_checks = When::Always(); }},
    {.name = "leaks-refused-vectors",
     .rules = {"PY-CAPSULE-11"},
     .what = "renames capsules of tensors with several lanes when it refuses them, and never calls their deleters",
     .apply = [](Behaviour& behaviour) { behaviour.refusing.leaks = kPathLanes; }},
    {.name = "destructor-clears-the-error",
     .rules = {"PY-CAPSULE-13"},
     .what = "clears a pending exception in the destructor of its capsules",
     .apply = [](Behaviour& behaviour) { behaviour.capsule.destructor_clears_error = When::Always(); }},
    {.name = "accepts-any-name",
     .rules = {"PY-CAPSULE-15"},
     .what = "imports capsules with any name",
     .apply = [](Behaviour& behaviour) { behaviour.capsule.accepts_any_name = When::Always(); }},
    {.name = "compares-a-prefix-of-the-name",
     .rules = {"PY-CAPSULE-15"},
     .what = "imports capsules whose name only begins with dltensor or dltensor_versioned",
     .apply = [](Behaviour& behaviour) { behaviour.capsule.compares_prefix = When::Always(); }},
    {.name = "renames-foreign-capsules",
     .rules = {"PY-CAPSULE-15"},
     .what = "renames capsules of other protocols to used_dltensor when it refuses them",
     .apply = [](Behaviour& behaviour) { behaviour.capsule.renames_foreign = When::Always(); }},
    {.name = "changes-the-capsules-pointer",
     .rules = {"PY-CAPSULE-17"},
     .what = "changes the pointer of capsules that it has consumed",
     .apply = [](Behaviour& behaviour) { behaviour.capsule.changes_pointer = When::Always(); }},
    {.name = "changes-the-capsules-context",
     .rules = {"PY-CAPSULE-17"},
     .what = "changes the context of capsules that it has consumed",
     .apply = [](Behaviour& behaviour) { behaviour.capsule.changes_context = When::Always(); }},
    {.name = "gives-one-capsule",
     .rules = {"PY-CAPSULE-18"},
     .what = "returns the same capsule from every call of __dlpack__",
     .apply = [](Behaviour& behaviour) { behaviour.capsule.same_capsule = When::Always(); }},
    {.name = "misspells-the-used-name-of-legacy",
     .rules = {"PY-CAPSULE-06"},
     .what = "renames legacy capsules to dltensor_used",
     .apply = [](Behaviour& behaviour) { behaviour.capsule.misspelt_used_name = When::Legacy(); }},
    {.name = "capsules-of-scalars-have-no-destructor",
     .rules = {"PY-CAPSULE-04"},
     .what = "makes capsules of 0-dimensional arrays without a destructor",
     .apply = [](Behaviour& behaviour) { behaviour.capsule.no_destructor = When::Scalar(); }},
    {.name = "does-not-rename-legacy",
     .rules = {"PY-CAPSULE-06", "PY-CAPSULE-16"},
     .what = "consumes legacy tensors without renaming their capsules",
     .apply = [](Behaviour& behaviour) { behaviour.capsule.no_rename = When::Legacy(); }},
    {.name = "capsule-releases-consumed-legacy",
     .rules = {"PY-CAPSULE-05"},
     .what = "makes legacy capsules whose destructor also calls the deleter of consumed tensors",
     .apply = [](Behaviour& behaviour) { behaviour.capsule.destructor_ignores_name = When::Legacy(); }},
    {.name = "misnames-versioned-copies",
     .rules = {"PY-CAPSULE-03"},
     .what = "names the capsules of versioned copies dltensor",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.capsule.styled = When::Versioned().And(When::Copy());
           behaviour.capsule.style = NameStyle::kSwapped;
         }},
};

}  // namespace
}  // namespace dlpack_cts
