// mutants/c-device.cc: mutants of the chapter on devices.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutants kMutants = {
    {.name = "exports-device-type-zero",
     .rules = {"C-DEVICE-01"},
     .what = "exports arrays with device_type 0",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.exporting.device = {0, 0};
           behaviour.exporting.wrong_device = When::Always();
         }},
    {.name = "exports-device-id-three",
     .rules = {"C-DEVICE-02"},
     .what = "exports non-compact arrays with device_id 3",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.exporting.device = {abi::kDLCPU, 3};
           behaviour.exporting.wrong_device = When::Strided();
         }},
    {.name = "takes-every-device-for-the-host",
     .rules = {"C-DEVICE-06", "C-DEVICE-08"},
     .what = "imports tensors of every device as CPU memory",
     .apply = [](Behaviour& behaviour) { behaviour.refusing.accepts = kPathDevice; }},
    {.name = "leaks-refused-devices",
     .rules = {"C-DEVICE-08", "C-OWN-15"},
     .what = "consumes tensors of other devices when it refuses them and never calls their deleters",
     .apply = [](Behaviour& behaviour) { behaviour.refusing.leaks = kPathDevice; }},
    {.name = "releases-refused-devices-twice",
     .rules = {"C-DEVICE-08", "C-OWN-15"},
     .what = "calls the deleter of a refused tensor of another device and leaves its capsule unused",
     .apply = [](Behaviour& behaviour) { behaviour.refusing.releases_twice = kPathDevice; }},
    {.name = "touches-foreign-data",
     .rules = {"C-DEVICE-08"},
     .what = "reads a byte of the data before it refuses another device",
     .apply = [](Behaviour& behaviour) { behaviour.importing.reads_foreign_data = When::Always(); }},
    {.name = "refuses-devices-with-value-errors",
     .rules = {"C-DEVICE-08"},
     .what = "raises ValueError instead of BufferError for tensors of other devices",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.refusing.raises = kPathDevice;
           behaviour.refusing.error = ErrorClass::kValueError;
         }},
    {.name = "exports-sparse-as-dense",
     .rules = {"C-DEVICE-11"},
     .what = "exports the memory of sparse arrays as dense elements",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.exports_oddities = Bit(Oddity::kSparse); }},
    {.name = "truncates-device-type",
     .rules = {"C-LAYOUT-05"},
     .what = "reads only the low 16 bits of device_type",
     .apply = [](Behaviour& behaviour) { behaviour.importing.truncates_device = When::Always(); }},
    {.name = "adds-offsets-to-handles",
     .rules = {"C-DEVICE-10"},
     .what = "imports tensors of other devices and adds byte_offset to their data pointer on re-export",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.importing.carries_devices = When::Always();
           behaviour.importing.moves_handles = When::Always();
         }},
    {.name = "forgets-offsets-of-handles",
     .rules = {"C-DEVICE-10"},
     .what = "imports OpenCL tensors and re-exports them with byte_offset 0",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.importing.carries_devices = When::Device(abi::kDLOpenCL);
           behaviour.importing.forgets_offsets = When::Always();
         }},
    {.name = "calls-every-device-cuda",
     .rules = {"C-DEVICE-15"},
     .what = "imports tensors of other devices and re-exports them as CUDA tensors",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.importing.carries_devices = When::Always();
           behaviour.importing.renames_devices = When::Always();
         }},
    {.name = "calls-rocm-cuda",
     .rules = {"C-DEVICE-15"},
     .what = "imports ROCm tensors and re-exports them as CUDA tensors",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.importing.carries_devices = When::Device(abi::kDLROCM);
           behaviour.importing.renames_devices = When::Always();
         }},
    {.name = "takes-pinned-memory-for-a-gpus",
     .rules = {"C-DEVICE-14"},
     .what = "reports imported pinned and managed memory as CUDA memory",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.importing.takes_pinned = When::Always();
           behaviour.importing.moves_pinned = When::Always();
         }},
    {.name = "exports-pinned-memory-that-is-none",
     .rules = {"C-DEVICE-13"},
     .what = "imports CUDA pinned memory and re-exports it with a data pointer that is not mapped",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.importing.takes_pinned = When::Always();
           behaviour.exporting.wild_data = When::Device(abi::kDLCUDAHost);
         }},
    {.name = "takes-pinned-memory-of-rocm-for-a-gpus",
     .rules = {"C-DEVICE-14"},
     .what = "reports imported ROCm pinned memory as CUDA memory",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.importing.takes_pinned = When::Always();
           behaviour.importing.moves_pinned = When::Device(abi::kDLROCMHost);
         }},
    {.name = "exports-managed-memory-that-is-none",
     .rules = {"C-DEVICE-13"},
     .what = "imports CUDA managed memory and re-exports it with a data pointer that is not mapped",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.importing.takes_pinned = When::Always();
           behaviour.exporting.wild_data = When::Device(abi::kDLCUDAManaged);
         }},
};

}  // namespace
}  // namespace dlpack_cts
