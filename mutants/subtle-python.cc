// mutants/subtle-python.cc: second mutants of rules on the Python protocol: defects that show in one place alone.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutant kSwapsStructKindsOfScalars{{
    .name = "swaps-struct-kinds-of-scalars",
    .rules = {"PY-CAPSULE-03", "C-LAYOUT-01", "C-LAYOUT-02", "C-LAYOUT-03"},
    .what = "names legacy scalars versioned and versioned ones legacy",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.capsule.styled = When::Scalar();
          behaviour.capsule.style = NameStyle::kSwapped;
        },
}};

const RegisterMutant kRenamesBareVersionedCapsulesAsLegacy{{
    .name = "renames-bare-versioned-capsules-as-legacy",
    .rules = {"PY-CAPSULE-07"},
    .what = "gives versioned capsules that came bare the legacy used name",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.capsule.wrong_used_name = When::Versioned().And(When::By(kByBareCapsule));
        },
}};

const RegisterMutant kSwapsShapeAndStridesOfBareVersionedTensors{{
    .name = "swaps-shape-and-strides-of-bare-versioned-tensors",
    .rules = {"PY-CAPSULE-09", "C-LAYOUT-03", "PY-FROM-04"},
    .what = "reads the strides of versioned structs in bare capsules as shape",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.importing.swaps_shape_and_strides = When::Versioned().And(When::By(kByBareCapsule));
        },
}};

const RegisterMutant kReleasesBareVersionedTensorsTwice{{
    .name = "releases-bare-versioned-tensors-twice",
    .rules = {"C-OWN-02", "PY-CAPSULE-09"},
    .what = "releases versioned tensors twice that came in bare capsules",
    .apply =
        [](Behaviour& behaviour) { behaviour.owning.releases_twice = When::Versioned().And(When::By(kByBareCapsule)); },
}};

const RegisterMutant kSwapsShapeAndStridesOfVersionedMatrices{{
    .name = "swaps-shape-and-strides-of-versioned-matrices",
    .rules = {"PY-CAPSULE-19", "C-LAYOUT-03", "PY-FROM-04"},
    .what = "reads the strides of versioned matrices as shape",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.importing.swaps_shape_and_strides = When::Versioned().And(When::Rank(2));
        },
}};

const RegisterMutant kAnswersUnpublishedDevicesForViews{{
    .name = "answers-unpublished-devices-for-views",
    .rules = {"PY-DEVICE-02"},
    .what = "answers with device type 5 for strided views",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.answering.device = {5, 0};
          behaviour.answering.answers_device = When::Strided();
        },
}};

const RegisterMutant kAsksForTheDeviceBehindTheCapsule{{
    .name = "asks-for-the-device-behind-the-capsule",
    .rules = {"PY-DEVICE-05"},
    .what = "asks for the device when it has the capsule",
    .apply = [](Behaviour& behaviour) { behaviour.asking.asks_device_late = true; },
}};

const RegisterMutant kSwallowsKeywordsOfScalars{{
    .name = "swallows-keywords-of-scalars",
    .rules = {"PY-DLPACK-05"},
    .what = "ignores unknown keywords where the array is a scalar",
    .apply = [](Behaviour& behaviour) { behaviour.answering.swallows_keywords = When::Scalar(); },
}};

const RegisterMutant kRaisesForTheDeviceOfViews{{
    .name = "raises-for-the-device-of-views",
    .rules = {"PY-DLPACK-09"},
    .what = "raises in __dlpack_device__ of strided views",
    .apply = [](Behaviour& behaviour) { behaviour.answering.device_raises = When::Strided(); },
}};

const RegisterMutant kExportsArraysWithoutMemory{{
    .name = "exports-arrays-without-memory",
    .rules = {"PY-DLPACK-10"},
    .what = "exports arrays that have no memory as if they had",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.exports_oddities = Bit(Oddity::kMeta); },
}};

const RegisterMutant kRefusesCopyNone{{
    .name = "refuses-copy-none",
    .rules = {"PY-FROM-02"},
    .what = "refuses copy=None",
    .apply = [](Behaviour& behaviour) { behaviour.asking.refuses_none_for_copy = true; },
}};

const RegisterMutant kEchoesLaterMinors{{
    .name = "echoes-later-minors",
    .rules = {"PY-MAXVER-05", "PY-MAXVER-02"},
    .what = "declares the minor that was asked for where that is later than its own",
    .apply = [](Behaviour& behaviour) { behaviour.answering.echoes_later_minor = true; },
}};

const RegisterMutant kSwapsShapeAndStridesOfLegacyAnswers{{
    .name = "swaps-shape-and-strides-of-legacy-answers",
    .rules = {"PY-MAXVER-09", "C-LAYOUT-02", "PY-FROM-04"},
    .what = "reads the strides of legacy structs as shape where it asked for versioned ones",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.importing.swaps_shape_and_strides = When::Legacy().And(When::By(kByVersion));
        },
}};

const RegisterMutant kDiesOfTruthValuesForAVersion{{
    .name = "dies-of-truth-values-for-a-version",
    .rules = {"PY-MAXVER-11"},
    .what = "crashes when max_version is a pair of truth values",
    .apply = [](Behaviour& behaviour) { behaviour.answering.true_version_crashes = true; },
}};

const RegisterMutant kRefusesLegacyAnswers{{
    .name = "refuses-legacy-answers",
    .rules = {"PY-MAXVER-13"},
    .what = "refuses legacy capsules of producers that took max_version",
    .apply = [](Behaviour& behaviour) { behaviour.capsule.refuses_legacy = When::By(kByVersion); },
}};

}  // namespace
}  // namespace dlpack_cts
