// mutants/families.cc: mutants of single members of a family: one combination of keywords, one axis, one device.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

// ---- One combination of keywords.

const RegisterMutant kHidesCopiesForADevice{{
    .name = "hides-copies-for-a-device",
    .rules = {"C-FLAGS-05", "PY-COPY-04"},
    .what = "does not flag a copy that was asked for with dl_device",
    .apply =
        [](Behaviour& behaviour) { behaviour.exporting.drops_copied = When::Asking(kAskedCopyTrue | kAskedDevice); },
}};

const RegisterMutant kHidesReadOnlyWhereNothingIsCopied{{
    .name = "hides-read-only-where-nothing-is-copied",
    .rules = {"C-FLAGS-02"},
    .what = "does not flag read-only arrays where copy=False is given",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.drops_read_only = When::Asking(kAskedCopyFalse); },
}};

const RegisterMutant kCallsViewsCopiesForNone{{
    .name = "calls-views-copies-for-none",
    .rules = {"C-FLAGS-06"},
    .what = "flags a shared view as a copy where copy=None is spelt out",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.exporting.adds_flags = When::Strided().And(When::Asking(kAskedCopyNone));
          behaviour.exporting.flags = abi::kFlagIsCopied;
        },
}};

const RegisterMutant kRelabelsOlderMinors{{
    .name = "declares-major-two-to-older-minors",
    .rules = {"C-VERSION-01", "PY-MAXVER-03"},
    .what = "declares major 2 where an older minor and dl_device are given",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.exporting.relabels = When::Asking(kAskedOldMinor | kAskedDevice);
          behaviour.exporting.label = {2, 0};
        },
}};

const RegisterMutant kNamesAnotherDeviceToNone{{
    .name = "names-another-device-to-copy-false",
    .rules = {"PY-DEVICE-03", "PY-DLDEVICE-06"},
    .what = "names CUDA in the struct where copy=False and dl_device are given",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.exporting.wrong_device = When::Asking(kAskedCopyFalse | kAskedDevice);
          behaviour.exporting.device = {abi::kDLCUDA, 0};
        },
}};

const RegisterMutant kSharesLegacyCopies{{
    .name = "shares-legacy-copies-of-views",
    .rules = {"PY-COPY-01"},
    .what = "shares the memory of a strided array with a legacy copy of it",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.copy_shares = When::Strided().And(When::Legacy()); },
}};

// ---- Foreign values, each by itself.

const RegisterMutant kTakesHexagonForTheCpu{{
    .name = "takes-hexagon-for-the-cpu",
    .rules = {"C-DEVICE-08"},
    .what = "imports tensors on Hexagon as if they were on the CPU",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.refusing.accepts = kPathDevice;
          behaviour.refusing.only = When::Device(abi::kDLHexagon);
        },
}};

const RegisterMutant kTakesEmptyForeignDevices{{
    .name = "takes-empty-tensors-of-any-device",
    .rules = {"C-DEVICE-08"},
    .what = "imports empty tensors of other devices as if they were on the CPU",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.refusing.accepts = kPathDevice;
          behaviour.refusing.only = When::Empty();
        },
}};

const RegisterMutant kTakesForeignScalars{{
    .name = "takes-scalars-of-any-device",
    .rules = {"C-DEVICE-08"},
    .what = "imports scalars of other devices as if they were on the CPU",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.refusing.accepts = kPathDevice;
          behaviour.refusing.only = When::Scalar();
        },
}};

const RegisterMutant kTruncatesDevicesOfSingles{{
    .name = "truncates-devices-of-empty-tensors",
    .rules = {"C-LAYOUT-05"},
    .what = "reads 16 bits of the device type of empty tensors",
    .apply = [](Behaviour& behaviour) { behaviour.importing.truncates_device = When::Empty(); },
}};

const RegisterMutant kTruncatesCodesOfScalars{{
    .name = "truncates-type-codes-of-scalars",
    .rules = {"C-LAYOUT-06"},
    .what = "reads seven bits of the type code of scalars",
    .apply = [](Behaviour& behaviour) { behaviour.importing.truncates_code = When::Scalar(); },
}};

const RegisterMutant kTruncatesLanesOfEmpty{{
    .name = "truncates-lanes-of-empty-tensors",
    .rules = {"C-LAYOUT-06"},
    .what = "reads eight bits of the lanes of empty tensors",
    .apply = [](Behaviour& behaviour) { behaviour.importing.truncates_lanes = When::Empty(); },
}};

const RegisterMutant kIgnoresBitsOfOneElement{{
    .name = "rounds-the-bits-of-single-elements",
    .rules = {"C-DTYPE-13"},
    .what = "takes any number of bits for the next one that it has, where there is one element",
    .apply = [](Behaviour& behaviour) { behaviour.importing.ignores_bits = When::ElementsAtLeast(2).Not(); },
}};

const RegisterMutant kIgnoresLanesOfScalars{{
    .name = "ignores-lanes-of-scalars",
    .rules = {"C-DTYPE-08"},
    .what = "imports scalar vectors as if they had one lane",
    .apply = [](Behaviour& behaviour) { behaviour.importing.ignores_lanes = When::Scalar(); },
}};

// ---- Arrays that are no plain buffer.

const RegisterMutant kWantsWholeStrides{{
    .name = "wants-whole-strides-of-single-elements",
    .rules = {"C-STRIDES-13"},
    .what = "refuses byte strides off the item size in dimensions of one element",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.wants_whole_strides = When::Always(); },
}};

const RegisterMutant kExportsZerosWithoutMemory{{
    .name = "exports-zeros-without-memory",
    .rules = {"C-DATA-07"},
    .what = "exports zeros that lie in no memory with NULL data",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.exports_oddities = Bit(Oddity::kZeros); },
}};

// ---- Many at once.

const RegisterMutant kHasRoomFor64Exports{{
    .name = "has-room-for-64-exports",
    .rules = {"C-OWN-11"},
    .what = "gives the struct of the latest export again where 64 are alive",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.room = 64; },
}};

const RegisterMutant kHasRoomFor256Exports{{
    .name = "has-room-for-256-exports",
    .rules = {"C-OWN-11"},
    .what = "gives the struct of the latest export again where 256 are alive",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.room = 256; },
}};

const RegisterMutant kTakesLegacyMaiaForTheCpu{{
    .name = "takes-legacy-maia-for-the-cpu",
    .rules = {"C-DEVICE-08"},
    .what = "imports legacy tensors on MAIA as if they were on the CPU",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.refusing.accepts = kPathDevice;
          behaviour.refusing.only = When::Device(abi::kDLMAIA).And(When::Legacy());
        },
}};

const RegisterMutant kOverlooksTheLastExtent{{
    .name = "overlooks-the-last-extent",
    .rules = {"C-SHAPE-04"},
    .what = "does not look at the sign of the last extent",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.refusing.accepts = kPathShape;
          behaviour.refusing.only = When::LastNegative();
        },
}};

const RegisterMutant kIgnoresFourLanes{{
    .name = "ignores-four-lanes",
    .rules = {"C-DTYPE-08"},
    .what = "takes vectors of four elements for single ones",
    .apply = [](Behaviour& behaviour) { behaviour.importing.ignores_lanes = When::Lanes(4); },
}};

const RegisterMutant kIgnores256Lanes{{
    .name = "ignores-256-lanes",
    .rules = {"C-DTYPE-08"},
    .what = "takes vectors of 256 elements for single ones",
    .apply = [](Behaviour& behaviour) { behaviour.importing.ignores_lanes = When::Lanes(256); },
}};

const RegisterMutant kLosesZeroStridesBesideNegativeOnes{{
    .name = "loses-zero-strides-beside-negative-ones",
    .rules = {"C-STRIDES-09", "C-STRIDES-10"},
    .what = "takes zero strides for compact where another one is negative",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.importing.zero_strides_are_compact = When::Negative().And(When::Broadcast());
        },
}};

// ---- Lives.

const RegisterMutant kDropsTheErrorOfConsumedCapsules{{
    .name = "drops-the-error-of-consumed-capsules",
    .rules = {"PY-CAPSULE-13"},
    .what = "drops an exception that is pending when a consumed capsule dies",
    .apply = [](Behaviour& behaviour) { behaviour.capsule.used_clears_error = When::Always(); },
}};

const RegisterMutant kMakesViewsWritable{{
    .name = "makes-views-writable",
    .rules = {"C-FLAGS-03"},
    .what = "lets views of read-only imports be written",
    .apply = [](Behaviour& behaviour) { behaviour.owning.view_is_writable = When::Imported(); },
}};

const RegisterMutant kNamesCudaForViews{{
    .name = "names-cuda-for-views",
    .rules = {"PY-DEVICE-03"},
    .what = "answers __dlpack_device__ of strided views with CUDA",
    .apply = [](Behaviour& behaviour) { behaviour.answering.device_moves = When::Strided(); },
}};

// ---- Legal things, refused.

const RegisterMutant kRefusesNullDeleters{{
    .name = "refuses-null-deleters",
    .rules = {"C-OWN-05"},
    .what = "refuses tensors whose deleter is NULL",
    .apply = [](Behaviour& behaviour) { behaviour.importing.refuses = When::NullDeleter(); },
}};

const RegisterMutant kRefusesNullDeletersOfLegacy{{
    .name = "refuses-null-deleters-of-legacy-tensors",
    .rules = {"C-OWN-05"},
    .what = "refuses legacy tensors whose deleter is NULL",
    .apply = [](Behaviour& behaviour) { behaviour.importing.refuses = When::NullDeleter().And(When::Legacy()); },
}};

const RegisterMutant kRefusesMinorZero{{
    .name = "refuses-minor-zero",
    .rules = {"C-VERSION-12", "C-VERSION-08"},
    .what = "refuses versioned tensors of minor version 0",
    .apply = [](Behaviour& behaviour) { behaviour.importing.refuses = When::Versioned().And(When::Minor(0)); },
}};

}  // namespace
}  // namespace dlpack_cts
