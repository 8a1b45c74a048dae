// mutants/py-device.cc: mutants of the chapter on __dlpack_device__.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutant kDeviceIsAList{{
    .name = "device-is-a-list",
    .rules = {"PY-DEVICE-01"},
    .what = "returns the device as a list",
    .apply = [](Behaviour& behaviour) { behaviour.answering.device_is_list = true; },
}};

const RegisterMutant kDeviceIsATriple{{
    .name = "device-is-a-triple",
    .rules = {"PY-DEVICE-01"},
    .what = "returns the device as three numbers",
    .apply = [](Behaviour& behaviour) { behaviour.answering.device_is_triple = true; },
}};

const RegisterMutant kDeviceTypeIsText{{
    .name = "device-type-is-text",
    .rules = {"PY-DEVICE-01"},
    .what = "names the device type in words",
    .apply = [](Behaviour& behaviour) { behaviour.answering.device_type_is_text = true; },
}};

const RegisterMutant kAnswersUnpublishedDevices{{
    .name = "answers-unpublished-devices",
    .rules = {"PY-DEVICE-02"},
    .what = "answers with device type 5",
    .apply = [](Behaviour& behaviour) { behaviour.answering.device = {5, 0}; },
}};

const RegisterMutant kAnswersAnotherDevice{{
    .name = "answers-another-device",
    .rules = {"PY-DEVICE-03"},
    .what = "answers that its CPU arrays lie on CUDA",
    .apply = [](Behaviour& behaviour) { behaviour.answering.device = {abi::kDLCUDA, 0}; },
}};

const RegisterMutant kAnswersAnotherDeviceId{{
    .name = "answers-another-device-id",
    .rules = {"PY-DEVICE-03"},
    .what = "answers that its arrays lie on the second CPU",
    .apply = [](Behaviour& behaviour) { behaviour.answering.device = {abi::kDLCPU, 1}; },
}};

const RegisterMutant kDoesNotAskForTheDevice{{
    .name = "does-not-ask-for-the-device",
    .rules = {"PY-DEVICE-05"},
    .what = "takes capsules without asking for the device",
    .apply = [](Behaviour& behaviour) { behaviour.asking.asks_device = false; },
}};

const RegisterMutant kBelievesTheReportedDevice{{
    .name = "believes-the-reported-device",
    .rules = {"PY-DEVICE-07"},
    .what = "ignores the device in the struct",
    .apply = [](Behaviour& behaviour) { behaviour.asking.trusts_reported_device = true; },
}};

const RegisterMutant kLeaksRefusedPinnedMemory{{
    .name = "leaks-refused-pinned-memory",
    .rules = {"PY-DEVICE-07", "C-OWN-15"},
    .what = "takes pinned tensors and never releases them",
    .apply = [](Behaviour& behaviour) { behaviour.refusing.leaks = kPathDevice; },
}};

const RegisterMutant kAskingForTheDeviceChangesAnElement{{
    .name = "asking-for-the-device-changes-an-element",
    .rules = {"PY-DLPACK-06", "PY-DEVICE-04"},
    .what = "flips a bit of element 0 when it is asked for the device",
    .apply = [](Behaviour& behaviour) { behaviour.answering.device_mutates = true; },
}};

const RegisterMutant kRaisesBufferErrorsForTheDevice{{
    .name = "raises-buffer-errors-for-the-device",
    .rules = {"PY-DLPACK-09"},
    .what = "raises BufferError in __dlpack_device__ of matrices, and exports them",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.answering.device_raises = When::Rank(2);
          behaviour.answering.device_error = ErrorClass::kBufferError;
        },
}};

}  // namespace
}  // namespace dlpack_cts
