// mutants/py-from.cc: mutants of the chapter on from_dlpack.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutant kRefusesDeviceNone{{
    .name = "refuses-device-none",
    .rules = {"PY-FROM-02"},
    .what = "refuses device=None",
    .apply = [](Behaviour& behaviour) { behaviour.asking.refuses_none = true; },
}};

// As the conforming variant always-copies, but for what library.toml claims.
const RegisterMutant kCopiesWhatItClaimsToShare{{
    .name = "copies-what-it-claims-to-share",
    .rules = {"PY-FROM-03"},
    .what = "copies every import although it claims zero_copy",
    .apply = [](Behaviour& behaviour) { behaviour.importing.copies = When::Always(); },
}};

const RegisterMutant kStumblesWhereItRefuses{{
    .name = "stumbles-where-it-refuses",
    .rules = {"PY-FROM-11"},
    .what = "raises AttributeError, of a variable that is None, where it should refuse a tensor",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.refusing.raises = kPathAnyTensor;
          behaviour.refusing.error = ErrorClass::kTypo;
        },
}};

const RegisterMutant kStumblesOverLanes{{
    .name = "stumbles-over-lanes",
    .rules = {"PY-FROM-11"},
    .what = "raises AttributeError, of a variable that is None, where it should refuse lanes",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.refusing.raises = kPathLanes;
          behaviour.refusing.error = ErrorClass::kTypo;
        },
}};

}  // namespace
}  // namespace dlpack_cts
