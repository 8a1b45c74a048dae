// mutants/c-device.cc: mutants of the chapter on devices.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutant kExportsDeviceTypeZero{{
    .name = "exports-device-type-zero",
    .rules = {"C-DEVICE-01"},
    .what = "exports arrays with device type 0",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.exporting.device = {0, 0};
          behaviour.exporting.wrong_device = When::Always();
        },
}};

const RegisterMutant kExportsDeviceIdThree{{
    .name = "exports-device-id-three",
    .rules = {"C-DEVICE-02"},
    .what = "exports views with device id 3",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.exporting.device = {abi::kDLCPU, 3};
          behaviour.exporting.wrong_device = When::Strided();
        },
}};

const RegisterMutant kTakesEveryDeviceForTheHost{{
    .name = "takes-every-device-for-the-host",
    .rules = {"C-DEVICE-06", "C-DEVICE-08"},
    .what = "imports tensors of any device as host memory",
    .apply = [](Behaviour& behaviour) { behaviour.refusing.accepts = kPathDevice; },
}};

const RegisterMutant kLeaksRefusedDevices{{
    .name = "leaks-refused-devices",
    .rules = {"C-DEVICE-08", "C-OWN-15"},
    .what = "takes tensors of other devices and never releases them",
    .apply = [](Behaviour& behaviour) { behaviour.refusing.leaks = kPathDevice; },
}};

const RegisterMutant kReleasesRefusedDevicesTwice{{
    .name = "releases-refused-devices-twice",
    .rules = {"C-DEVICE-08", "C-OWN-15"},
    .what = "releases tensors of other devices, and leaves them to the capsule too",
    .apply = [](Behaviour& behaviour) { behaviour.refusing.releases_twice = kPathDevice; },
}};

const RegisterMutant kTouchesForeignData{{
    .name = "touches-foreign-data",
    .rules = {"C-DEVICE-08"},
    .what = "reads a byte of the data before it refuses the device",
    .apply = [](Behaviour& behaviour) { behaviour.importing.reads_foreign_data = When::Always(); },
}};

const RegisterMutant kRefusesDevicesWithValueErrors{{
    .name = "refuses-devices-with-value-errors",
    .rules = {"C-DEVICE-08"},
    .what = "refuses other devices with ValueError",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.refusing.raises = kPathDevice;
          behaviour.refusing.error = ErrorClass::kValueError;
        },
}};

const RegisterMutant kExportsSparseAsDense{{
    .name = "exports-sparse-as-dense",
    .rules = {"C-DEVICE-11"},
    .what = "exports the memory of sparse arrays as dense elements",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.exports_oddities = Bit(Oddity::kSparse); },
}};

const RegisterMutant kTruncatesDeviceType{{
    .name = "truncates-device-type",
    .rules = {"C-LAYOUT-05"},
    .what = "reads 16 bits of the device type",
    .apply = [](Behaviour& behaviour) { behaviour.importing.truncates_device = When::Always(); },
}};

const RegisterMutant kAddsOffsetsToHandles{{
    .name = "adds-offsets-to-handles",
    .rules = {"C-DEVICE-10"},
    .what = "takes tensors of other devices, and adds byte_offset to their data when it exports them again",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.importing.carries_devices = When::Always();
          behaviour.importing.moves_handles = When::Always();
        },
}};

const RegisterMutant kForgetsOffsetsOfHandles{{
    .name = "forgets-offsets-of-handles",
    .rules = {"C-DEVICE-10"},
    .what = "takes tensors of OpenCL, and exports them again without their byte_offset",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.importing.carries_devices = When::Device(abi::kDLOpenCL);
          behaviour.importing.forgets_offsets = When::Always();
        },
}};

const RegisterMutant kCallsEveryDeviceCuda{{
    .name = "calls-every-device-cuda",
    .rules = {"C-DEVICE-15"},
    .what = "takes tensors of other devices, and exports them again as ones of CUDA",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.importing.carries_devices = When::Always();
          behaviour.importing.renames_devices = When::Always();
        },
}};

const RegisterMutant kCallsRocmCuda{{
    .name = "calls-rocm-cuda",
    .rules = {"C-DEVICE-15"},
    .what = "takes tensors of ROCm, and exports them again as ones of CUDA",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.importing.carries_devices = When::Device(abi::kDLROCM);
          behaviour.importing.renames_devices = When::Always();
        },
}};

const RegisterMutant kTakesPinnedMemoryForAGpus{{
    .name = "takes-pinned-memory-for-a-gpus",
    .rules = {"C-DEVICE-14"},
    .what = "says of pinned memory that it lies on the GPU of its device_id",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.importing.takes_pinned = When::Always();
          behaviour.importing.moves_pinned = When::Always();
        },
}};

const RegisterMutant kExportsPinnedMemoryThatIsNone{{
    .name = "exports-pinned-memory-that-is-none",
    .rules = {"C-DEVICE-13"},
    .what = "takes pinned memory, and exports an address that is not mapped as such",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.importing.takes_pinned = When::Always();
          behaviour.exporting.wild_data = When::Device(abi::kDLCUDAHost);
        },
}};

const RegisterMutant kTakesPinnedMemoryOfRocmForAGpus{{
    .name = "takes-pinned-memory-of-rocm-for-a-gpus",
    .rules = {"C-DEVICE-14"},
    .what = "says of memory that ROCm pinned that it lies on the GPU of its device_id",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.importing.takes_pinned = When::Always();
          behaviour.importing.moves_pinned = When::Device(abi::kDLROCMHost);
        },
}};

const RegisterMutant kExportsManagedMemoryThatIsNone{{
    .name = "exports-managed-memory-that-is-none",
    .rules = {"C-DEVICE-13"},
    .what = "takes managed memory, and exports an address that is not mapped as such",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.importing.takes_pinned = When::Always();
          behaviour.exporting.wild_data = When::Device(abi::kDLCUDAManaged);
        },
}};

}  // namespace
}  // namespace dlpack_cts
