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

}  // namespace
}  // namespace dlpack_cts
