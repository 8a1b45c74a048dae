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
          behaviour.refusing.raises = kPathAnyTensor & ~kPathPolite;
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

const RegisterMutant kDiesOfMalformedDevices{{
    .name = "dies-of-malformed-devices",
    .rules = {"PY-FROM-11"},
    .what = "asks for the device, and dies of an answer that is no tuple of two",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.asking.asks_device = true;
          behaviour.asking.odd_device_crashes = true;
        },
}};

const RegisterMutant kTakesKnownTypesAlone{{
    .name = "takes-known-types-alone",
    .rules = {"PY-FROM-01"},
    .what = "imports its own arrays, and no other object",
    .apply = [](Behaviour& behaviour) { behaviour.asking.known_types_only = When::Always(); },
    .lacks = {Claim::kCapsuleInput},
}};

const RegisterMutant kNeedsWeakReferences{{
    .name = "needs-weak-references",
    .rules = {"PY-FROM-01"},
    .what = "imports only objects that can be referred to weakly",
    .apply = [](Behaviour& behaviour) { behaviour.asking.needs_weak_references = true; },
    .lacks = {Claim::kCapsuleInput},
}};

const RegisterMutant kImportsCubesReversed{{
    .name = "imports-cubes-with-their-shape-reversed",
    .rules = {"PY-FROM-04"},
    .what = "imports the extents of three dimensions in reverse order",
    .apply = [](Behaviour& behaviour) { behaviour.importing.reverses_shape = When::Rank(3); },
}};

const RegisterMutant kSaysThatImportsMoved{{
    .name = "says-that-imports-moved",
    .rules = {"PY-FROM-05"},
    .what = "says that imported arrays are on the GPU",
    .apply = [](Behaviour& behaviour) { behaviour.importing.moves = When::Always(); },
}};

const RegisterMutant kSaysThatComplexImportsMoved{{
    .name = "says-that-complex-imports-moved",
    .rules = {"PY-FROM-05"},
    .what = "says that imported complex arrays are on the GPU",
    .apply = [](Behaviour& behaviour) { behaviour.importing.moves = When::Code(abi::kDLComplex); },
}};

const RegisterMutant kLeavesTheHost{{
    .name = "leaves-the-host",
    .rules = {"PY-FROM-06"},
    .what = "gives an array on the GPU for a device of the host",
    .apply = [](Behaviour& behaviour) { behaviour.asking.leaves_host = true; },
}};

const RegisterMutant kRefusesToMoveWithRuntimeErrors{{
    .name = "refuses-to-move-with-runtime-errors",
    .rules = {"PY-FROM-06"},
    .what = "raises RuntimeError where a device cannot be had",
    .apply = [](Behaviour& behaviour) { behaviour.asking.moved_error = ErrorClass::kRuntimeError; },
}};

const RegisterMutant kMakesEmptyArraysOfAnything{{
    .name = "makes-empty-arrays-of-anything",
    .rules = {"PY-FROM-07"},
    .what = "makes an empty array of an object without the methods",
    .apply = [](Behaviour& behaviour) { behaviour.asking.empty_without_methods = true; },
}};

const RegisterMutant kMakesEmptyArraysOfDevices{{
    .name = "makes-empty-arrays-of-devices",
    .rules = {"PY-FROM-07"},
    .what = "makes an empty array of an object that has no __dlpack__",
    .apply = [](Behaviour& behaviour) { behaviour.asking.empty_without_dlpack = true; },
}};

const RegisterMutant kRaisesItsOwnErrors{{
    .name = "raises-its-own-errors-for-those-of-producers",
    .rules = {"PY-FROM-08"},
    .what = "raises RuntimeError for whatever __dlpack__ raises",
    .apply = [](Behaviour& behaviour) { behaviour.asking.producer_error = ErrorClass::kRuntimeError; },
}};

const RegisterMutant kTakesDeviceErrorsForBufferErrors{{
    .name = "takes-device-errors-for-buffer-errors",
    .rules = {"PY-FROM-08"},
    .what = "raises BufferError for whatever __dlpack_device__ raises",
    .apply = [](Behaviour& behaviour) { behaviour.asking.device_error = ErrorClass::kBufferError; },
}};

const RegisterMutant kRefusesDevicesWithTypeErrors{{
    .name = "refuses-devices-with-type-errors",
    .rules = {"PY-FROM-09", "C-DEVICE-08"},
    .what = "refuses other devices with TypeError",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.refusing.raises = kPathDevice;
          behaviour.refusing.error = ErrorClass::kTypeError;
        },
}};

const RegisterMutant kRefusesToCopyWithTypeErrors{{
    .name = "refuses-copies-from-devices-with-type-errors",
    .rules = {"PY-FROM-09"},
    .what = "raises TypeError where copy=True cannot be had, as from other devices",
    .apply = [](Behaviour& behaviour) { behaviour.asking.copied_error = ErrorClass::kTypeError; },
}};

const RegisterMutant kLeaksWhatItCannotMove{{
    .name = "leaks-what-it-cannot-move",
    .rules = {"PY-FROM-10"},
    .what = "takes tensors that it was asked to move, and never releases them",
    .apply = [](Behaviour& behaviour) { behaviour.refusing.leaks = kPathKeyword; },
}};

const RegisterMutant kLeaksLegacyTensors{{
    .name = "leaks-legacy-tensors-that-it-cannot-share",
    .rules = {"PY-FROM-10"},
    .what = "refuses to share legacy tensors where copy=False was asked for, and never releases them",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.importing.refuses_copy_false = When::Legacy();
          behaviour.refusing.leaks = kPathPolite;
        },
}};

const RegisterMutant kHangsOnVectors{{
    .name = "hangs-on-vectors",
    .rules = {"PY-FROM-11"},
    .what = "never returns when a tensor of vectors is imported",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.refusing.acts = kPathLanes;
          behaviour.refusing.manner = Manner::kHangs;
        },
}};

const RegisterMutant kAbortsOnUnknownFlags{{
    .name = "aborts-on-unknown-flags",
    .rules = {"PY-FROM-11"},
    .what = "ends the process when a tensor has a flag that it does not know",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.refusing.acts = kPathPolite;
          behaviour.refusing.manner = Manner::kAborts;
        },
}};

const RegisterMutant kLocksItsOwnArrays{{
    .name = "locks-what-it-imports-from-itself",
    .rules = {"PY-FROM-13"},
    .what = "cannot read its own arrays any more once it imported them",
    .apply = [](Behaviour& behaviour) { behaviour.asking.locks_own = When::Always(); },
}};

const RegisterMutant kCannotComputeWithImportedViews{{
    .name = "cannot-compute-with-imported-views",
    .rules = {"PY-FROM-13"},
    .what = "computes nothing with imported arrays that are not compact",
    .apply = [](Behaviour& behaviour) { behaviour.importing.cannot_be_computed = When::Strided(); },
}};

}  // namespace
}  // namespace dlpack_cts
