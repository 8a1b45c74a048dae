// mutants/conforming-call.cc: conforming variants that pass or accept other devices, streams and keywords.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutants kMutants = {
    {.name = "takes-odd-devices",
     .conforming = true,
     .rules = {"PY-DLDEVICE-02", "PY-DLPACK-04"},
     .what = "ignores a dl_device that is not a pair of integers",
     .apply = [](Behaviour& behaviour) { behaviour.answering.dl_device.ignores = kDeviceMalformed; }},
    {.name = "raises-value-errors-for-odd-devices",
     .conforming = true,
     .rules = {"PY-DLDEVICE-02"},
     .what = "raises ValueError when dl_device is not a pair of integers",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.answering.dl_device.errs = kDeviceMalformed;
           behaviour.answering.dl_device.error = ErrorClass::kValueError;
         }},
    {.name = "raises-value-errors-where-it-may-not-copy",
     .conforming = true,
     .rules = {"PY-DLDEVICE-05"},
     .what = "raises ValueError for another dl_device with copy=False, as the 2023.12 standard said",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.answering.dl_device.errs = kDeviceUnshared;
           behaviour.answering.dl_device.error = ErrorClass::kValueError;
         }},
    {.name = "takes-every-cpu-for-its-own",
     .conforming = true,
     .rules = {"PY-DLDEVICE-06", "PY-DLDEVICE-03"},
     .what = "treats every CPU device_id in dl_device as 0",
     .apply = [](Behaviour& behaviour) { behaviour.answering.dl_device.ignores = kDeviceOtherId; }},
    {.name = "asks-for-a-device-with-an-enumerator",
     .conforming = true,
     .rules = {"PY-DLDEVICE-11"},
     .what = "passes an enum member as the device type in dl_device",
     .apply = [](Behaviour& behaviour) { behaviour.asking.device_is_enum = true; }},
    {.name = "keeps-devices-to-itself",
     .conforming = true,
     .rules = {"PY-DLDEVICE-08", "PY-DLDEVICE-11"},
     .what = "never passes dl_device",
     .apply = [](Behaviour& behaviour) { behaviour.asking.keeps_device = true; }},
    {.name = "takes-stream-minus-one",
     .conforming = true,
     .rules = {"PY-STREAM-01"},
     .what = "accepts and ignores stream=-1",
     .apply = [](Behaviour& behaviour) { behaviour.answering.stream.ignores = kStreamMinusOne; }},
    {.name = "names-its-stream-to-cuda",
     .conforming = true,
     .rules = {"PY-STREAM-04", "PY-STREAM-06", "PY-STREAM-12", "PY-MAXVER-08"},
     .what = "passes stream=1 (the default stream) to producers on CUDA",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.asking.stream = {ArgumentKind::kInt, {}, 1, 0};
           behaviour.asking.stream_at = Moment::kForCuda;
         }},
    {.name = "asks-again-by-and-by",
     .conforming = true,
     .rules = {"PY-MAXVER-07", "PY-MAXVER-08"},
     .what = "calls an old producer again without max_version, and then without any keyword",
     .apply = [](Behaviour& behaviour) { behaviour.asking.retries_by_steps = true; }},
    {.name = "asks-plainly-first",
     .conforming = true,
     .rules = {"PY-MAXVER-07"},
     .what = "calls __dlpack__ without max_version first, and with it if that fails",
     .apply = [](Behaviour& behaviour) { behaviour.asking.asks_plainly_first = true; }},
    {.name = "asks-again-without-the-device",
     .conforming = true,
     .rules = {"PY-DLDEVICE-09"},
     .what = "calls __dlpack__ again without dl_device if the producer refuses it, and checks the device of the result",
     .apply = [](Behaviour& behaviour) { behaviour.asking.retries_without_device = true; }},
    {.name = "chains-errors",
     .conforming = true,
     .rules = {"PY-FROM-08"},
     .what = "raises a subclass of the producer's exception, chained to that exception",
     .apply = [](Behaviour& behaviour) { behaviour.asking.chains_errors = true; }},
    {.name = "asks-again-after-any-error",
     .conforming = true,
     .rules = {"PY-MAXVER-07", "PY-FROM-08"},
     .what = "calls __dlpack__ again without keywords after any exception",
     .apply = [](Behaviour& behaviour) { behaviour.asking.retries_any = true; }},
};

}  // namespace
}  // namespace dlpack_cts
