// mutants/py-from.cc: mutants of the chapter on from_dlpack.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutants kMutants = {
    {.name = "refuses-device-none",
     .rules = {"PY-FROM-02"},
     .what = "refuses device=None",
     .apply = [](Behaviour& behaviour) { behaviour.asking.refuses_none = true; }},

    // Like the conforming variant always-copies, except that library.toml claims zero_copy.
    {.name = "copies-what-it-claims-to-share",
     .rules = {"PY-FROM-03"},
     .what = "copies every import although it claims zero_copy",
     .apply = [](Behaviour& behaviour) { behaviour.importing.copies = When::Always(); }},
    {.name = "stumbles-where-it-refuses",
     .rules = {"PY-FROM-11"},
     .what = "raises AttributeError, as for an attribute of None, instead of BufferError when it refuses a tensor",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.refusing.raises = kPathAnyTensor & ~kPathPolite;
           behaviour.refusing.error = ErrorClass::kTypo;
         }},
    {.name = "stumbles-over-lanes",
     .rules = {"PY-FROM-11"},
     .what =
         "raises AttributeError, as for an attribute of None, instead of BufferError for tensors with several lanes",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.refusing.raises = kPathLanes;
           behaviour.refusing.error = ErrorClass::kTypo;
         }},
    {.name = "dies-of-malformed-devices",
     .rules = {"PY-FROM-11"},
     .what = "crashes if __dlpack_device__ does not return a tuple of two",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.asking.asks_device = true;
           behaviour.asking.odd_device_crashes = true;
         }},
    {.name = "takes-known-types-alone",
     .rules = {"PY-FROM-01"},
     .what = "imports only its own arrays",
     .apply = [](Behaviour& behaviour) { behaviour.asking.known_types_only = When::Always(); },
     .lacks = {Claim::kCapsuleInput}},
    {.name = "needs-weak-references",
     .rules = {"PY-FROM-01"},
     .what = "imports only objects that support weak references",
     .apply = [](Behaviour& behaviour) { behaviour.asking.needs_weak_references = true; },
     .lacks = {Claim::kCapsuleInput}},
    {.name = "imports-cubes-with-their-shape-reversed",
     .rules = {"PY-FROM-04"},
     .what = "imports shape of 3-dimensional tensors in reverse order",
     .apply = [](Behaviour& behaviour) { behaviour.importing.reverses_shape = When::Rank(3); }},
    {.name = "says-that-imports-moved",
     .rules = {"PY-FROM-05"},
     .what = "reports the GPU as the device of imported arrays",
     .apply = [](Behaviour& behaviour) { behaviour.importing.moves = When::Always(); }},
    {.name = "says-that-complex-imports-moved",
     .rules = {"PY-FROM-05"},
     .what = "reports the GPU as the device of imported complex arrays",
     .apply = [](Behaviour& behaviour) { behaviour.importing.moves = When::Code(abi::kDLComplex); }},
    {.name = "leaves-the-host",
     .rules = {"PY-FROM-06"},
     .what = "returns an array on the GPU if device= requests the CPU",
     .apply = [](Behaviour& behaviour) { behaviour.asking.leaves_host = true; }},
    {.name = "refuses-to-move-with-runtime-errors",
     .rules = {"PY-FROM-06"},
     .what = "raises RuntimeError for every failure if device= is given",
     .apply = [](Behaviour& behaviour) { behaviour.asking.moved_error = ErrorClass::kRuntimeError; }},
    {.name = "makes-empty-arrays-of-anything",
     .rules = {"PY-FROM-07"},
     .what = "returns an empty array for an object without __dlpack__ and __dlpack_device__",
     .apply = [](Behaviour& behaviour) { behaviour.asking.empty_without_methods = true; }},
    {.name = "makes-empty-arrays-of-devices",
     .rules = {"PY-FROM-07"},
     .what = "returns an empty array for an object without __dlpack__",
     .apply = [](Behaviour& behaviour) { behaviour.asking.empty_without_dlpack = true; }},
    {.name = "raises-its-own-errors-for-those-of-producers",
     .rules = {"PY-FROM-08"},
     .what = "raises RuntimeError instead of the exception that __dlpack__ raised",
     .apply = [](Behaviour& behaviour) { behaviour.asking.producer_error = ErrorClass::kRuntimeError; }},
    {.name = "takes-device-errors-for-buffer-errors",
     .rules = {"PY-FROM-08"},
     .what = "raises BufferError instead of the exception that __dlpack_device__ raised",
     .apply = [](Behaviour& behaviour) { behaviour.asking.device_error = ErrorClass::kBufferError; }},
    {.name = "refuses-devices-with-type-errors",
     .rules = {"PY-FROM-09", "C-DEVICE-08"},
     .what = "raises TypeError instead of BufferError for tensors of other devices",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.refusing.raises = kPathDevice;
           behaviour.refusing.error = ErrorClass::kTypeError;
         }},
    {.name = "refuses-copies-from-devices-with-type-errors",
     .rules = {"PY-FROM-09"},
     .what = "raises TypeError for every failure if copy=True is given",
     .apply = [](Behaviour& behaviour) { behaviour.asking.copied_error = ErrorClass::kTypeError; }},
    {.name = "leaks-what-it-cannot-move",
     .rules = {"PY-FROM-10"},
     .what =
         "consumes tensors that are not on the requested device when it refuses them, and never calls their deleters",
     .apply = [](Behaviour& behaviour) { behaviour.refusing.leaks = kPathKeyword; }},
    {.name = "leaks-legacy-tensors-that-it-cannot-share",
     .rules = {"PY-FROM-10"},
     .what = "consumes legacy tensors when it refuses copy=False, and never calls their deleters",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.importing.refuses_copy_false = When::Legacy();
           behaviour.refusing.leaks = kPathPolite;
         }},
    {.name = "hangs-on-vectors",
     .rules = {"PY-FROM-11"},
     .what = "hangs when it imports a tensor with several lanes",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.refusing.acts = kPathLanes;
           behaviour.refusing.manner = Manner::kHangs;
         }},
    {.name = "aborts-on-unknown-flags",
     .rules = {"PY-FROM-11"},
     .what = "aborts when a tensor has an unknown flag bit",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.refusing.acts = kPathPolite;
           behaviour.refusing.manner = Manner::kAborts;
         }},
    {.name = "locks-what-it-imports-from-itself",
     .rules = {"PY-FROM-13"},
     .what = "makes its own arrays unreadable when it imports them",
     .apply = [](Behaviour& behaviour) { behaviour.asking.locks_own = When::Always(); }},
    {.name = "cannot-compute-with-imported-views",
     .rules = {"PY-FROM-13"},
     .what = "raises an exception in computations with imported non-compact tensors",
     .apply = [](Behaviour& behaviour) { behaviour.importing.cannot_be_computed = When::Strided(); }},
};

}  // namespace
}  // namespace dlpack_cts
