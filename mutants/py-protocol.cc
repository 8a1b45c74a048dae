// mutants/py-protocol.cc: mutants of the chapters on __dlpack__, max_version and __dlpack_device__.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutant kIgnoresMaxVersion{{
    .name = "ignores-max-version",
    .rules = {"PY-MAXVER-01", "PY-MAXVER-04"},
    .what = "exports versioned capsules whatever max_version says",
    .apply = [](Behaviour& behaviour) { behaviour.answering.ignores_max_version = true; },
}};

const RegisterMutant kReadsMinorAsMajor{{
    .name = "reads-minor-as-major",
    .rules = {"PY-MAXVER-04"},
    .what = "takes the minor of max_version for the major",
    .apply = [](Behaviour& behaviour) { behaviour.answering.reads_minor_as_major = true; },
}};

const RegisterMutant kDeviceIsAList{{
    .name = "device-is-a-list",
    .rules = {"PY-DEVICE-01"},
    .what = "returns the device as a list",
    .apply = [](Behaviour& behaviour) { behaviour.answering.device_is_list = true; },
}};

const RegisterMutant kSwallowsKeywords{{
    .name = "swallows-keywords",
    .rules = {"PY-DLPACK-05"},
    .what = "ignores unknown keywords",
    .apply = [](Behaviour& behaviour) { behaviour.answering.swallows_keywords = true; },
}};

}  // namespace
}  // namespace dlpack_cts
