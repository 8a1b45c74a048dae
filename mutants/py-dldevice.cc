// mutants/py-dldevice.cc: mutants of the chapter on dl_device.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutants kMutants = {
    {.name = "none-names-another-device",
     .rules = {"PY-DLDEVICE-01"},
     .what = "exports device kDLCUDAHost for dl_device=None",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.answering.dl_device.labels = kDeviceNone;
           behaviour.answering.dl_device.label = {abi::kDLCUDAHost, 0};
         }},
    {.name = "none-names-another-cpu-for-wide-elements",
     .rules = {"PY-DLDEVICE-01"},
     .what = "exports device_id 1 for dl_device=None if the elements have eight bytes",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.answering.dl_device.labels = kDeviceNone;
           behaviour.answering.dl_device.label = {abi::kDLCPU, 1};
           behaviour.answering.dl_device.only = When::ItemSize(8);
         }},
    {.name = "refuses-dl-device-none",
     .rules = {"PY-DLDEVICE-01"},
     .what = "refuses dl_device=None",
     .apply = [](Behaviour& behaviour) { behaviour.answering.dl_device.refuses = kDeviceNone; }},
    {.name = "dies-of-odd-devices",
     .rules = {"PY-DLDEVICE-02"},
     .what = "crashes if dl_device is not a pair of integers",
     .apply = [](Behaviour& behaviour) { behaviour.answering.dl_device.crashes = kDeviceMalformed; }},
    {.name = "dies-of-half-a-device",
     .rules = {"PY-DLDEVICE-02"},
     .what = "crashes if dl_device is a tuple of one integer",
     .apply = [](Behaviour& behaviour) { behaviour.answering.dl_device.crashes = kDeviceOneTuple; }},
    {.name = "dies-of-truth-values-for-a-device",
     .rules = {"PY-DLDEVICE-02"},
     .what = "crashes if dl_device is a tuple of two bools",
     .apply = [](Behaviour& behaviour) { behaviour.answering.dl_device.crashes = kDeviceBools; }},
    {.name = "odd-devices-leak",
     .rules = {"PY-DLDEVICE-02", "PY-DLPACK-12"},
     .what = "keeps a reference to the array if dl_device is a list",
     .apply = [](Behaviour& behaviour) { behaviour.answering.dl_device.leaks = kDeviceList; }},
    {.name = "odd-devices-move",
     .rules = {"PY-DLDEVICE-02"},
     .what = "exports device kDLCUDA if dl_device is a tuple of floats",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.answering.dl_device.ignores = kDeviceFloats;
           behaviour.answering.dl_device.labels = kDeviceFloats;
           behaviour.answering.dl_device.label = {abi::kDLCUDA, 0};
         }},
    {.name = "raises-value-errors-for-other-devices",
     .rules = {"PY-DLDEVICE-03"},
     .what = "raises ValueError instead of BufferError for another device type in dl_device",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.answering.dl_device.errs = kDeviceForeign;
           behaviour.answering.dl_device.error = ErrorClass::kValueError;
         }},
    {.name = "ignores-other-devices-for-matrices",
     .rules = {"PY-DLDEVICE-03"},
     .what = "ignores another device type in dl_device for 2-dimensional arrays",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.answering.dl_device.ignores = kDeviceElsewhere;
           behaviour.answering.dl_device.only = When::Rank(2);
         }},
    {.name = "shares-with-every-device",
     .rules = {"PY-DLDEVICE-05"},
     .what = "ignores another device type in dl_device if copy=False is given",
     .apply = [](Behaviour& behaviour) { behaviour.answering.dl_device.ignores = kDeviceUnshared; }},
    {.name = "raises-runtime-errors-where-it-may-not-copy",
     .rules = {"PY-DLDEVICE-05"},
     .what = "raises RuntimeError for another device type in dl_device with copy=False",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.answering.dl_device.errs = kDeviceUnshared;
           behaviour.answering.dl_device.error = ErrorClass::kRuntimeError;
         }},
    {.name = "names-pinned-memory-for-the-host",
     .rules = {"PY-DLDEVICE-06"},
     .what = "exports device kDLCUDAHost if dl_device is the CPU",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.answering.dl_device.labels = kDeviceHere;
           behaviour.answering.dl_device.label = {abi::kDLCUDAHost, 0};
         }},
    {.name = "names-cuda-for-views-on-the-host",
     .rules = {"PY-DLDEVICE-06"},
     .what = "exports device kDLCUDA for non-compact arrays if dl_device is the CPU",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.answering.dl_device.labels = kDeviceHere;
           behaviour.answering.dl_device.label = {abi::kDLCUDA, 0};
           behaviour.answering.dl_device.only = When::Strided();
         }},
    {.name = "streams-spoil-data-for-the-host",
     .rules = {"PY-DLDEVICE-08"},
     .what = "accepts integer streams and changes element 0 on export if dl_device is given too",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.answering.stream.ignores = kStreamInt;
           behaviour.answering.stream.spoils = kStreamInt;
         }},
    {.name = "handles-spoil-data-for-the-host",
     .rules = {"PY-DLDEVICE-08"},
     .what = "accepts stream handles above 2 and changes element 0 on export if dl_device is given too",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.answering.stream.ignores = kStreamHandle;
           behaviour.answering.stream.spoils = kStreamHandle;
         }},
    {.name = "passes-a-stream-for-the-host",
     .rules = {"PY-DLDEVICE-08"},
     .what = "passes stream=1 if a device is requested",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.asking.stream = {ArgumentKind::kInt, {}, 1, 0};
           behaviour.asking.stream_at = Moment::kWithDevice;
         }},
    {.name = "passes-its-stream-for-copies-to-the-host",
     .rules = {"PY-DLDEVICE-08"},
     .what = "passes stream=1 to producers on CUDA if a device is requested",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.asking.stream = {ArgumentKind::kInt, {}, 1, 0};
           behaviour.asking.stream_at = Moment::kForCudaToHost;
         }},
    {.name = "takes-any-device-for-the-right-one",
     .rules = {"PY-DLDEVICE-09"},
     .what = "imports the tensor without checking that it is on the requested device",
     .apply = [](Behaviour& behaviour) { behaviour.asking.believes_devices = true; }},
    {.name = "takes-what-is-left-for-the-right-device",
     .rules = {"PY-DLDEVICE-09"},
     .what = "calls __dlpack__ again without dl_device if that is refused, and does not check the device of the result",
     .apply = [](Behaviour& behaviour) { behaviour.asking.retry_believes_devices = true; }},
    {.name = "copies-for-its-own-device",
     .rules = {"PY-DLDEVICE-10"},
     .what = "exports a copy if dl_device is the CPU, where the array already is",
     .apply = [](Behaviour& behaviour) { behaviour.answering.dl_device.copies = kDeviceHere; }},
    {.name = "copies-vectors-for-its-own-device",
     .rules = {"PY-DLDEVICE-10"},
     .what = "exports a copy in 1-dimensional legacy exports if dl_device is the CPU, where the array already is",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.answering.dl_device.copies = kDeviceHere;
           behaviour.answering.dl_device.only = When::Rank(1).And(When::Legacy());
         }},
    {.name = "refuses-its-own-device",
     .rules = {"PY-DLDEVICE-10"},
     .what = "refuses dl_device=(1, 0), where its arrays are",
     .apply = [](Behaviour& behaviour) { behaviour.answering.dl_device.refuses = kDeviceHere; }},
    {.name = "refuses-its-own-device-for-matrices",
     .rules = {"PY-DLDEVICE-10"},
     .what = "refuses dl_device=(1, 0) for 2-dimensional arrays, which are there",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.answering.dl_device.refuses = kDeviceHere;
           behaviour.answering.dl_device.only = When::Rank(2);
         }},
    {.name = "asks-for-a-device-with-a-list",
     .rules = {"PY-DLDEVICE-11"},
     .what = "passes dl_device as a list",
     .apply = [](Behaviour& behaviour) { behaviour.asking.dl_device = {ArgumentKind::kList, {}, 1, 0}; }},
    {.name = "asks-for-a-device-with-text",
     .rules = {"PY-DLDEVICE-11"},
     .what = "passes dl_device as a string",
     .apply = [](Behaviour& behaviour) { behaviour.asking.dl_device = {ArgumentKind::kString, {}, 0, 0}; }},
    {.name = "asks-for-a-device-id-first",
     .rules = {"PY-DLDEVICE-11"},
     .what = "passes dl_device with the device id before the device type",
     .apply = [](Behaviour& behaviour) { behaviour.asking.dl_device = {ArgumentKind::kPair, {}, 0, 1}; }},
    {.name = "asks-for-copies-with-half-a-device",
     .rules = {"PY-DLDEVICE-11"},
     .what = "passes dl_device as a tuple of one integer if copy is given too",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.asking.dl_device = {ArgumentKind::kOneTuple, {}, 1, 0};
           behaviour.asking.dl_device_at = Moment::kWithCopy;
         }},
};

}  // namespace
}  // namespace dlpack_cts
