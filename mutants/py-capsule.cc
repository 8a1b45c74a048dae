// mutants/py-capsule.cc: mutants of the chapter on capsules.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutant kNamesLegacyCapsulesWithASpace{{
    .name = "names-legacy-capsules-with-a-space",
    .rules = {"PY-CAPSULE-01"},
    .what = "adds a space to the name of legacy capsules",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.capsule.styled = When::Legacy();
          behaviour.capsule.style = NameStyle::kTrailingSpace;
        },
}};

const RegisterMutant kNamesNoVersionedCapsules{{
    .name = "names-no-versioned-capsules",
    .rules = {"PY-CAPSULE-02"},
    .what = "makes versioned capsules without a name",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.capsule.styled = When::Versioned();
          behaviour.capsule.style = NameStyle::kNull;
        },
}};

const RegisterMutant kMakesUsedCapsules{{
    .name = "makes-used-capsules",
    .rules = {"PY-CAPSULE-01", "PY-CAPSULE-02"},
    .what = "makes capsules that carry the used name",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.capsule.styled = When::Always();
          behaviour.capsule.style = NameStyle::kUsed;
        },
}};

const RegisterMutant kCapsuleNeverReleases{{
    .name = "capsule-never-releases",
    .rules = {"PY-CAPSULE-04"},
    .what = "makes capsules whose destructor does nothing",
    .apply = [](Behaviour& behaviour) { behaviour.capsule.empty_destructor = When::Always(); },
}};

const RegisterMutant kCapsuleHasNoDestructor{{
    .name = "capsule-has-no-destructor",
    .rules = {"PY-CAPSULE-04"},
    .what = "makes legacy capsules without a destructor",
    .apply = [](Behaviour& behaviour) { behaviour.capsule.no_destructor = When::Legacy(); },
}};

const RegisterMutant kMemoryOfLostCapsulesLeaks{{
    .name = "memory-of-lost-capsules-leaks",
    .rules = {"PY-CAPSULE-04"},
    .what = "makes capsules without a destructor, which hold the array's memory and not the array",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.capsule.no_destructor = When::Always();
          behaviour.exporting.holds_memory_only = When::Always();
        },
}};

// The destructor is there, and no array object tells that it does nothing.
const RegisterMutant kMemoryOfUnusedCapsulesStays{{
    .name = "memory-of-unused-capsules-stays",
    .rules = {"PY-CAPSULE-04"},
    .what = "makes legacy capsules whose destructor does nothing, of exports that hold the memory and not the array",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.capsule.empty_destructor = When::Legacy().And(When::Imported().Not());
          behaviour.exporting.holds_memory_only = When::Always();
        },
}};

const RegisterMutant kCapsuleReleasesConsumed{{
    .name = "capsule-releases-consumed",
    .rules = {"PY-CAPSULE-05"},
    .what = "makes capsules whose destructor releases consumed tensors",
    .apply = [](Behaviour& behaviour) { behaviour.capsule.destructor_ignores_name = When::Always(); },
}};

const RegisterMutant kCapsuleReleasesOnlyConsumed{{
    .name = "capsule-releases-only-consumed",
    .rules = {"PY-CAPSULE-05"},
    .what = "makes capsules whose destructor releases consumed tensors alone",
    .apply = [](Behaviour& behaviour) { behaviour.capsule.destructor_inverted = When::Always(); },
}};

const RegisterMutant kDoesNotRename{{
    .name = "does-not-rename",
    .rules = {"PY-CAPSULE-06", "PY-CAPSULE-16"},
    .what = "takes the tensor and leaves the capsule unused",
    .apply = [](Behaviour& behaviour) { behaviour.capsule.no_rename = When::Always(); },
}};

// What holds the capsule no longer releases its tensor, so that nobody has borrowed it.
const RegisterMutant kTakesTheDestructorAlone{{
    .name = "takes-the-destructor-for-the-name",
    .rules = {"PY-CAPSULE-06", "PY-CAPSULE-10"},
    .what = "takes the destructor of capsules away, and leaves them their name",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.capsule.no_rename = When::Always();
          behaviour.capsule.clears_destructor = When::Always();
        },
}};

const RegisterMutant kTakesNoneForACapsule{{
    .name = "takes-none-for-a-capsule",
    .rules = {"PY-CAPSULE-15"},
    .what = "makes an empty array of an object whose __dlpack__ returns None",
    .apply = [](Behaviour& behaviour) { behaviour.asking.empty_without_capsule = true; },
}};

const RegisterMutant kMisspellsTheUsedName{{
    .name = "misspells-the-used-name",
    .rules = {"PY-CAPSULE-06"},
    .what = "renames capsules to dltensor_used",
    .apply = [](Behaviour& behaviour) { behaviour.capsule.misspelt_used_name = When::Always(); },
}};

const RegisterMutant kRenamesVersionedAsLegacy{{
    .name = "renames-versioned-as-legacy",
    .rules = {"PY-CAPSULE-07"},
    .what = "gives versioned capsules the legacy used name",
    .apply = [](Behaviour& behaviour) { behaviour.capsule.wrong_used_name = When::Versioned(); },
}};

const RegisterMutant kFreesTheName{{
    .name = "frees-the-name",
    .rules = {"PY-CAPSULE-08"},
    .what = "names capsules with memory that it then overwrites",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.capsule.styled = When::Always();
          behaviour.capsule.style = NameStyle::kFreed;
        },
}};

const RegisterMutant kFreesTheUsedName{{
    .name = "frees-the-used-name",
    .rules = {"PY-CAPSULE-08"},
    .what = "renames capsules with memory that it then overwrites",
    .apply = [](Behaviour& behaviour) { behaviour.capsule.freed_used_name = When::Always(); },
}};

const RegisterMutant kAcceptsUsedCapsules{{
    .name = "accepts-used-capsules",
    .rules = {"PY-CAPSULE-10"},
    .what = "imports used capsules once more",
    .apply = [](Behaviour& behaviour) { behaviour.capsule.accepts_used = When::Always(); },
}};

const RegisterMutant kRenamesBeforeItChecks{{
    .name = "renames-before-it-checks",
    .rules = {"PY-CAPSULE-11"},
    .what = "renames capsules before it looks into them, and then forgets the tensor",
    .apply = [](Behaviour& behaviour) { behaviour.capsule.renames_before_checks = When::Always(); },
}};

const RegisterMutant kLeaksRefusedVectors{{
    .name = "leaks-refused-vectors",
    .rules = {"PY-CAPSULE-11"},
    .what = "renames capsules of vector tensors and never releases them",
    .apply = [](Behaviour& behaviour) { behaviour.refusing.leaks = kPathLanes; },
}};

const RegisterMutant kDestructorClearsTheError{{
    .name = "destructor-clears-the-error",
    .rules = {"PY-CAPSULE-13"},
    .what = "drops a pending exception in the destructor of its capsules",
    .apply = [](Behaviour& behaviour) { behaviour.capsule.destructor_clears_error = When::Always(); },
}};

const RegisterMutant kAcceptsAnyName{{
    .name = "accepts-any-name",
    .rules = {"PY-CAPSULE-15"},
    .what = "imports capsules of any name",
    .apply = [](Behaviour& behaviour) { behaviour.capsule.accepts_any_name = When::Always(); },
}};

const RegisterMutant kComparesAPrefixOfTheName{{
    .name = "compares-a-prefix-of-the-name",
    .rules = {"PY-CAPSULE-15"},
    .what = "imports capsules whose name begins with dltensor",
    .apply = [](Behaviour& behaviour) { behaviour.capsule.compares_prefix = When::Always(); },
}};

const RegisterMutant kRenamesForeignCapsules{{
    .name = "renames-foreign-capsules",
    .rules = {"PY-CAPSULE-15"},
    .what = "gives capsules of other protocols the used name",
    .apply = [](Behaviour& behaviour) { behaviour.capsule.renames_foreign = When::Always(); },
}};

const RegisterMutant kChangesTheCapsulesPointer{{
    .name = "changes-the-capsules-pointer",
    .rules = {"PY-CAPSULE-17"},
    .what = "sets another pointer in capsules that it took",
    .apply = [](Behaviour& behaviour) { behaviour.capsule.changes_pointer = When::Always(); },
}};

const RegisterMutant kChangesTheCapsulesContext{{
    .name = "changes-the-capsules-context",
    .rules = {"PY-CAPSULE-17"},
    .what = "sets the context of capsules that it took",
    .apply = [](Behaviour& behaviour) { behaviour.capsule.changes_context = When::Always(); },
}};

const RegisterMutant kGivesOneCapsule{{
    .name = "gives-one-capsule",
    .rules = {"PY-CAPSULE-18"},
    .what = "gives the same capsule again",
    .apply = [](Behaviour& behaviour) { behaviour.capsule.same_capsule = When::Always(); },
}};

const RegisterMutant kMisspellsTheUsedNameOfLegacy{{
    .name = "misspells-the-used-name-of-legacy",
    .rules = {"PY-CAPSULE-06"},
    .what = "gives taken legacy capsules a name that is no used name",
    .apply = [](Behaviour& behaviour) { behaviour.capsule.misspelt_used_name = When::Legacy(); },
}};

const RegisterMutant kCapsulesOfScalarsHaveNoDestructor{{
    .name = "capsules-of-scalars-have-no-destructor",
    .rules = {"PY-CAPSULE-04"},
    .what = "makes capsules without a destructor for arrays of no dimension",
    .apply = [](Behaviour& behaviour) { behaviour.capsule.no_destructor = When::Scalar(); },
}};

const RegisterMutant kDoesNotRenameLegacy{{
    .name = "does-not-rename-legacy",
    .rules = {"PY-CAPSULE-06", "PY-CAPSULE-16"},
    .what = "leaves the name of legacy capsules that it took",
    .apply = [](Behaviour& behaviour) { behaviour.capsule.no_rename = When::Legacy(); },
}};

const RegisterMutant kCapsuleReleasesConsumedLegacy{{
    .name = "capsule-releases-consumed-legacy",
    .rules = {"PY-CAPSULE-05"},
    .what = "releases legacy tensors with their capsules although these were taken",
    .apply = [](Behaviour& behaviour) { behaviour.capsule.destructor_ignores_name = When::Legacy(); },
}};

const RegisterMutant kMisnamesCopies{{
    .name = "misnames-versioned-copies",
    .rules = {"PY-CAPSULE-03"},
    .what = "names the capsules of versioned copies as those of legacy structs",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.capsule.styled = When::Versioned().And(When::Copy());
          behaviour.capsule.style = NameStyle::kSwapped;
        },
}};

}  // namespace
}  // namespace dlpack_cts
