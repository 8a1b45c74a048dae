// mutants/py-device.cc: mutants of the chapter on __dlpack_device__.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutants kMutants = {
    {.name = "device-is-a-list",
     .rules = {"PY-DEVICE-01"},
     .what = "returns a list from __dlpack_device__",
     .apply = [](Behaviour& behaviour) { behaviour.answering.device_is_list = true; }},
    {.name = "device-is-a-triple",
     .rules = {"PY-DEVICE-01"},
     .what = "returns three integers from __dlpack_device__",
     .apply = [](Behaviour& behaviour) { behaviour.answering.device_is_triple = true; }},
    {.name = "device-type-is-text",
     .rules = {"PY-DEVICE-01"},
     .what = "returns the device type as a string from __dlpack_device__",
     .apply = [](Behaviour& behaviour) { behaviour.answering.device_type_is_text = true; }},
    {.name = "answers-unpublished-devices",
     .rules = {"PY-DEVICE-02"},
     .what = "returns the unpublished device type 5 from __dlpack_device__",
     .apply = [](Behaviour& behaviour) { behaviour.answering.device = {5, 0}; }},
    {.name = "answers-another-device",
     .rules = {"PY-DEVICE-03"},
     .what = "returns kDLCUDA from __dlpack_device__ for CPU arrays",
     .apply = [](Behaviour& behaviour) { behaviour.answering.device = {abi::kDLCUDA, 0}; }},
    {.name = "answers-another-device-id",
     .rules = {"PY-DEVICE-03"},
     .what = "returns device_id 1 from __dlpack_device__ for arrays on CPU 0",
     .apply = [](Behaviour& behaviour) { behaviour.answering.device = {abi::kDLCPU, 1}; }},
    {.name = "names-cuda-for-imported-arrays",
     .rules = {"PY-DEVICE-03"},
     .what = "returns kDLCUDA from __dlpack_device__ for arrays that it imported",
     .apply = [](Behaviour& behaviour) { behaviour.answering.device_moves = When::Imported(); }},
    {.name = "does-not-ask-for-the-device",
     .rules = {"PY-DEVICE-05"},
     .what = "calls __dlpack__ without calling __dlpack_device__ first",
     .apply = [](Behaviour& behaviour) { behaviour.asking.asks_device = false; }},
    {.name = "believes-the-reported-device",
     .rules = {"PY-DEVICE-07"},
     .what = "uses the device from __dlpack_device__ and ignores dl_tensor.device",
     .apply = [](Behaviour& behaviour) { behaviour.asking.trusts_reported_device = true; }},
    {.name = "leaks-refused-pinned-memory",
     .rules = {"PY-DEVICE-07", "C-OWN-15"},
     .what = "consumes tensors of other devices, such as pinned memory, when it refuses them, and never calls their "
             "deleters",
     .apply = [](Behaviour& behaviour) { behaviour.refusing.leaks = kPathDevice; }},
    {.name = "asking-for-the-device-changes-an-element",
     .rules = {"PY-DLPACK-06", "PY-DEVICE-04"},
     .what = "flips a bit of element 0 in __dlpack_device__",
     .apply = [](Behaviour& behaviour) { behaviour.answering.device_mutates = true; }},
    {.name = "raises-buffer-errors-for-the-device",
     .rules = {"PY-DLPACK-09"},
     .what = "raises BufferError in __dlpack_device__ of 2-dimensional arrays, although it exports them",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.answering.device_raises = When::Rank(2);
           behaviour.answering.device_error = ErrorClass::kBufferError;
         }},
};

}  // namespace
}  // namespace dlpack_cts
