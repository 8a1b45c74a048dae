// mutants/py-capsule.cc: mutants of the chapter on capsules.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutant kDoesNotRename{{
    .name = "does-not-rename",
    .rules = {"PY-CAPSULE-06", "PY-CAPSULE-11"},
    .what = "takes the tensor and leaves the capsule unused",
    .apply = [](Behaviour& behaviour) { behaviour.capsule.no_rename = When::Always(); },
}};

const RegisterMutant kRenamesVersionedAsLegacy{{
    .name = "renames-versioned-as-legacy",
    .rules = {"PY-CAPSULE-07"},
    .what = "gives versioned capsules the legacy used name",
    .apply = [](Behaviour& behaviour) { behaviour.capsule.wrong_used_name = When::Versioned(); },
}};

const RegisterMutant kAcceptsUsedCapsules{{
    .name = "accepts-used-capsules",
    .rules = {"PY-CAPSULE-10"},
    .what = "imports used capsules once more",
    .apply = [](Behaviour& behaviour) { behaviour.capsule.accepts_used = When::Always(); },
}};

const RegisterMutant kCapsuleNeverReleases{{
    .name = "capsule-never-releases",
    .rules = {"PY-CAPSULE-04"},
    .what = "makes capsules whose destructor does nothing",
    .apply = [](Behaviour& behaviour) { behaviour.capsule.empty_destructor = When::Always(); },
}};

const RegisterMutant kCapsuleReleasesConsumed{{
    .name = "capsule-releases-consumed",
    .rules = {"PY-CAPSULE-05"},
    .what = "makes capsules whose destructor releases consumed tensors",
    .apply = [](Behaviour& behaviour) { behaviour.capsule.destructor_ignores_name = When::Always(); },
}};

const RegisterMutant kGivesOneCapsule{{
    .name = "gives-one-capsule",
    .rules = {"PY-CAPSULE-18"},
    .what = "gives the same capsule again",
    .apply = [](Behaviour& behaviour) { behaviour.capsule.same_capsule = When::Always(); },
}};

}  // namespace
}  // namespace dlpack_cts
