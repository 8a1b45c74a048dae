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

}  // namespace
}  // namespace dlpack_cts
