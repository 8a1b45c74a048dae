// mutants/c-own.cc: mutants of the chapter on ownership.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutant kNeverReleases{{
    .name = "never-releases",
    .rules = {"C-OWN-01"},
    .what = "never calls the deleter of what it imported",
    .apply = [](Behaviour& behaviour) { behaviour.owning.leaks = When::Always(); },
}};

const RegisterMutant kNeverReleasesEmpty{{
    .name = "never-releases-empty",
    .rules = {"C-OWN-01"},
    .what = "never calls the deleter of zero-size tensors",
    .apply = [](Behaviour& behaviour) { behaviour.owning.leaks = When::Empty(); },
}};

const RegisterMutant kReleasesTwice{{
    .name = "releases-twice",
    .rules = {"C-OWN-02"},
    .what = "calls the deleter twice",
    .apply = [](Behaviour& behaviour) { behaviour.owning.releases_twice = When::Always(); },
}};

const RegisterMutant kReleasesEarly{{
    .name = "releases-early",
    .rules = {"C-OWN-03"},
    .what = "calls the deleter while the array shares the memory",
    .apply = [](Behaviour& behaviour) { behaviour.owning.releases_early = When::Always(); },
}};

const RegisterMutant kReleasesACopyOfTheStruct{{
    .name = "releases-a-copy-of-the-struct",
    .rules = {"C-OWN-04"},
    .what = "hands a copy of the struct to the deleter",
    .apply = [](Behaviour& behaviour) { behaviour.owning.releases_copy = When::Always(); },
}};

const RegisterMutant kCallsNullDeleters{{
    .name = "calls-null-deleters",
    .rules = {"C-OWN-05"},
    .what = "calls deleters that are NULL",
    .apply = [](Behaviour& behaviour) { behaviour.owning.calls_null_deleter = When::Always(); },
}};

const RegisterMutant kLeaksRefusedDevices{{
    .name = "leaks-refused-devices",
    .rules = {"C-OWN-15", "C-DEVICE-08"},
    .what = "takes tensors of foreign devices, refuses and never releases them",
    .apply = [](Behaviour& behaviour) { behaviour.refusing.leaks = kPathDevice; },
}};

const RegisterMutant kReleasesRefusedTypesTwice{{
    .name = "releases-refused-types-twice",
    .rules = {"C-OWN-02", "C-OWN-15"},
    .what = "calls the deleter of refused types and leaves the capsule as it is",
    .apply = [](Behaviour& behaviour) { behaviour.refusing.releases_twice = kPathDtype; },
}};

const RegisterMutant kExportsLiveMetadata{{
    .name = "exports-live-metadata",
    .rules = {"C-SHAPE-05"},
    .what = "exports the shape and strides of the live array",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.lives_in_array = When::Always(); },
}};

const RegisterMutant kExportsMemoryThatDies{{
    .name = "exports-memory-that-dies",
    .rules = {"C-OWN-10"},
    .what = "exports memory that dies with the array",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.memory_dies = When::Always(); },
}};

const RegisterMutant kDeleterLeaks{{
    .name = "deleter-leaks",
    .rules = {"C-OWN-06", "C-OWN-20", "PY-CAPSULE-04"},
    .what = "keeps a reference to the array after the deleter",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.deleter_leaks = When::Always(); },
}};

const RegisterMutant kDeleterNeedsTheGil{{
    .name = "deleter-needs-the-gil",
    .rules = {"C-OWN-12"},
    .what = "drops the array without the GIL",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.deleter_needs_gil = When::Always(); },
}};

}  // namespace
}  // namespace dlpack_cts
