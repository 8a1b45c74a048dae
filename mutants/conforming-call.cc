// mutants/conforming-call.cc: variants that ask, or answer, with other devices and streams, as the rules allow.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutant kTakesOddDevices{{
    .name = "takes-odd-devices",
    .conforming = true,
    .rules = {"PY-DLDEVICE-02", "PY-DLPACK-04"},
    .what = "takes lists, text and anything else for dl_device",
    .apply = [](Behaviour& behaviour) { behaviour.answering.dl_device.ignores = kDeviceMalformed; },
}};

const RegisterMutant kRaisesValueErrorsForOddDevices{{
    .name = "raises-value-errors-for-odd-devices",
    .conforming = true,
    .rules = {"PY-DLDEVICE-02"},
    .what = "raises ValueError where dl_device is no pair",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.answering.dl_device.errs = kDeviceMalformed;
          behaviour.answering.dl_device.error = ErrorClass::kValueError;
        },
}};

const RegisterMutant kRaisesValueErrorsWhereItMayNotCopy{{
    .name = "raises-value-errors-where-it-may-not-copy",
    .conforming = true,
    .rules = {"PY-DLDEVICE-05"},
    .what = "raises ValueError for another dl_device with copy=False, as 2023.12 said",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.answering.dl_device.errs = kDeviceUnshared;
          behaviour.answering.dl_device.error = ErrorClass::kValueError;
        },
}};

const RegisterMutant kTakesEveryCpuForItsOwn{{
    .name = "takes-every-cpu-for-its-own",
    .conforming = true,
    .rules = {"PY-DLDEVICE-06", "PY-DLDEVICE-03"},
    .what = "takes any id of a CPU for 0",
    .apply = [](Behaviour& behaviour) { behaviour.answering.dl_device.ignores = kDeviceOtherId; },
}};

const RegisterMutant kAsksForADeviceWithAnEnumerator{{
    .name = "asks-for-a-device-with-an-enumerator",
    .conforming = true,
    .rules = {"PY-DLDEVICE-11"},
    .what = "passes an enumerator as the device type",
    .apply = [](Behaviour& behaviour) { behaviour.asking.device_is_enum = true; },
}};

const RegisterMutant kKeepsDevicesToItself{{
    .name = "keeps-devices-to-itself",
    .conforming = true,
    .rules = {"PY-DLDEVICE-08", "PY-DLDEVICE-11"},
    .what = "never passes dl_device",
    .apply = [](Behaviour& behaviour) { behaviour.asking.keeps_device = true; },
}};

const RegisterMutant kTakesStreamMinusOne{{
    .name = "takes-stream-minus-one",
    .conforming = true,
    .rules = {"PY-STREAM-01"},
    .what = "takes stream=-1 as None",
    .apply = [](Behaviour& behaviour) { behaviour.answering.stream.ignores = kStreamMinusOne; },
}};

const RegisterMutant kNamesItsStreamToCuda{{
    .name = "names-its-stream-to-cuda",
    .conforming = true,
    .rules = {"PY-STREAM-04", "PY-STREAM-06", "PY-STREAM-12", "PY-MAXVER-08"},
    .what = "passes the default stream to producers on CUDA",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.asking.stream = {ArgumentKind::kInt, {}, 1, 0};
          behaviour.asking.stream_at = Moment::kForCuda;
        },
}};

const RegisterMutant kAsksAgainByAndBy{{
    .name = "asks-again-by-and-by",
    .conforming = true,
    .rules = {"PY-MAXVER-07", "PY-MAXVER-08"},
    .what = "asks an old producer again without max_version, and then without any keyword",
    .apply = [](Behaviour& behaviour) { behaviour.asking.retries_by_steps = true; },
}};

const RegisterMutant kAsksPlainlyFirst{{
    .name = "asks-plainly-first",
    .conforming = true,
    .rules = {"PY-MAXVER-07"},
    .what = "asks without max_version, and with it where that fails",
    .apply = [](Behaviour& behaviour) { behaviour.asking.asks_plainly_first = true; },
}};

const RegisterMutant kAsksAgainWithoutTheDevice{{
    .name = "asks-again-without-the-device",
    .conforming = true,
    .rules = {"PY-DLDEVICE-09"},
    .what = "asks again without dl_device where the producer refuses it, and sees what came",
    .apply = [](Behaviour& behaviour) { behaviour.asking.retries_without_device = true; },
}};

const RegisterMutant kChainsErrors{{
    .name = "chains-errors",
    .conforming = true,
    .rules = {"PY-FROM-08"},
    .what = "raises exceptions of its own, of classes below the producer's and chained to them",
    .apply = [](Behaviour& behaviour) { behaviour.asking.chains_errors = true; },
}};

const RegisterMutant kAsksAgainAfterAnyError{{
    .name = "asks-again-after-any-error",
    .conforming = true,
    .rules = {"PY-MAXVER-07", "PY-FROM-08"},
    .what = "asks again without keywords whatever was raised",
    .apply = [](Behaviour& behaviour) { behaviour.asking.retries_any = true; },
}};

}  // namespace
}  // namespace dlpack_cts
