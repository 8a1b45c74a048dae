// mutants/families.cc: mutants that fail for one combination of keywords, one axis or one device.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutants kMutants = {
    // ---- One combination of keywords.
    {.name = "hides-copies-for-a-device",
     .rules = {"C-FLAGS-05", "PY-COPY-04"},
     .what = "does not set IS_COPIED on a copy if copy=True and dl_device are given",
     .apply =
         [](Behaviour& behaviour) { behaviour.exporting.drops_copied = When::Asking(kAskedCopyTrue | kAskedDevice); }},
    {.name = "hides-read-only-where-nothing-is-copied",
     .rules = {"C-FLAGS-02"},
     .what = "does not set READ_ONLY on read-only arrays if copy=False is given",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.drops_read_only = When::Asking(kAskedCopyFalse); }},
    {.name = "calls-views-copies-for-none",
     .rules = {"C-FLAGS-06"},
     .what = "sets IS_COPIED on shared non-compact exports for an explicit copy=None",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.exporting.adds_flags = When::Strided().And(When::Asking(kAskedCopyNone));
           behaviour.exporting.flags = abi::kFlagIsCopied;
         }},
    {.name = "declares-major-two-to-older-minors",
     .rules = {"C-VERSION-01", "PY-MAXVER-03"},
     .what = "exports version 2.0 if max_version has an older minor version and dl_device is given",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.exporting.relabels = When::Asking(kAskedOldMinor | kAskedDevice);
           behaviour.exporting.label = {2, 0};
         }},
    {.name = "names-another-device-to-copy-false",
     .rules = {"PY-DEVICE-03", "PY-DLDEVICE-06"},
     .what = "exports device kDLCUDA if copy=False and dl_device are given",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.exporting.wrong_device = When::Asking(kAskedCopyFalse | kAskedDevice);
           behaviour.exporting.device = {abi::kDLCUDA, 0};
         }},
    {.name = "shares-legacy-copies-of-views",
     .rules = {"PY-COPY-01"},
     .what = "shares the memory of a non-compact array when a legacy copy is requested",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.copy_shares = When::Strided().And(When::Legacy()); }},

    // ---- Unsupported values, one at a time.
    {.name = "takes-hexagon-for-the-cpu",
     .rules = {"C-DEVICE-08"},
     .what = "imports tensors of kDLHexagon as CPU tensors",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.refusing.accepts = kPathDevice;
           behaviour.refusing.only = When::Device(abi::kDLHexagon);
         }},
    {.name = "takes-empty-tensors-of-any-device",
     .rules = {"C-DEVICE-08"},
     .what = "imports zero-size tensors of other devices as CPU tensors",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.refusing.accepts = kPathDevice;
           behaviour.refusing.only = When::Empty();
         }},
    {.name = "takes-scalars-of-any-device",
     .rules = {"C-DEVICE-08"},
     .what = "imports 0-dimensional tensors of other devices as CPU tensors",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.refusing.accepts = kPathDevice;
           behaviour.refusing.only = When::Scalar();
         }},
    {.name = "truncates-devices-of-empty-tensors",
     .rules = {"C-LAYOUT-05"},
     .what = "reads only the low 16 bits of device_type of zero-size tensors",
     .apply = [](Behaviour& behaviour) { behaviour.importing.truncates_device = When::Empty(); }},
    {.name = "truncates-type-codes-of-scalars",
     .rules = {"C-LAYOUT-06"},
     .what = "reads only the low 7 bits of dtype.code of 0-dimensional tensors",
     .apply = [](Behaviour& behaviour) { behaviour.importing.truncates_code = When::Scalar(); }},
    {.name = "truncates-lanes-of-empty-tensors",
     .rules = {"C-LAYOUT-06"},
     .what = "reads only the low 8 bits of dtype.lanes of zero-size tensors",
     .apply = [](Behaviour& behaviour) { behaviour.importing.truncates_lanes = When::Empty(); }},
    {.name = "rounds-the-bits-of-single-elements",
     .rules = {"C-DTYPE-13"},
     .what = "imports unsupported widths as the next smaller supported width for tensors of at most one element",
     .apply = [](Behaviour& behaviour) { behaviour.importing.ignores_bits = When::ElementsAtLeast(2).Not(); }},
    {.name = "ignores-lanes-of-scalars",
     .rules = {"C-DTYPE-08"},
     .what = "imports 0-dimensional tensors with several lanes as if they had one lane",
     .apply = [](Behaviour& behaviour) { behaviour.importing.ignores_lanes = When::Scalar(); }},

    // ---- Arrays that are not a simple strided buffer.
    {.name = "wants-whole-strides-of-single-elements",
     .rules = {"C-STRIDES-13"},
     .what = "refuses arrays whose byte stride in a dimension of extent 1 is not a multiple of the item size",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.wants_whole_strides = When::Always(); }},
    {.name = "exports-zeros-without-memory",
     .rules = {"C-DATA-07"},
     .what = "exports arrays of zeros that have no memory with NULL data",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.exports_oddities = Bit(Oddity::kZeros); }},

    // ---- Many exports at the same time.
    {.name = "has-room-for-64-exports",
     .rules = {"C-OWN-11"},
     .what = "returns the struct of the most recent export again if 64 exports are alive",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.room = 64; }},
    {.name = "has-room-for-256-exports",
     .rules = {"C-OWN-11"},
     .what = "returns the struct of the most recent export again if 256 exports are alive",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.room = 256; }},
    {.name = "takes-legacy-maia-for-the-cpu",
     .rules = {"C-DEVICE-08"},
     .what = "imports legacy tensors of kDLMAIA as CPU tensors",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.refusing.accepts = kPathDevice;
           behaviour.refusing.only = When::Device(abi::kDLMAIA).And(When::Legacy());
         }},
    {.name = "overlooks-the-last-extent",
     .rules = {"C-SHAPE-04"},
     .what = "imports tensors in which only the last extent is negative",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.refusing.accepts = kPathShape;
           behaviour.refusing.only = When::LastNegative();
         }},
    {.name = "ignores-four-lanes",
     .rules = {"C-DTYPE-08"},
     .what = "imports tensors with four lanes as if they had one lane",
     .apply = [](Behaviour& behaviour) { behaviour.importing.ignores_lanes = When::Lanes(4); }},
    {.name = "ignores-256-lanes",
     .rules = {"C-DTYPE-08"},
     .what = "imports tensors with 256 lanes as if they had one lane",
     .apply = [](Behaviour& behaviour) { behaviour.importing.ignores_lanes = When::Lanes(256); }},
    {.name = "loses-zero-strides-beside-negative-ones",
     .rules = {"C-STRIDES-09", "C-STRIDES-10"},
     .what = "imports strides of 0 as compact strides if another stride is negative",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.importing.zero_strides_are_compact = When::Negative().And(When::Broadcast());
         }},

    // ---- Lifetimes.
    {.name = "drops-the-error-of-consumed-capsules",
     .rules = {"PY-CAPSULE-13"},
     .what = "clears a pending exception when a consumed capsule is destroyed",
     .apply = [](Behaviour& behaviour) { behaviour.capsule.used_clears_error = When::Always(); }},
    {.name = "makes-views-writable",
     .rules = {"C-FLAGS-03"},
     .what = "makes views of read-only imports writable",
     .apply = [](Behaviour& behaviour) { behaviour.owning.view_is_writable = When::Imported(); }},
    {.name = "names-cuda-for-views",
     .rules = {"PY-DEVICE-03"},
     .what = "returns kDLCUDA from __dlpack_device__ for non-compact arrays",
     .apply = [](Behaviour& behaviour) { behaviour.answering.device_moves = When::Strided(); }},

    // ---- Refusals of legal input.
    {.name = "refuses-null-deleters",
     .rules = {"C-OWN-05"},
     .what = "refuses tensors whose deleter is NULL",
     .apply = [](Behaviour& behaviour) { behaviour.importing.refuses = When::NullDeleter(); }},
    {.name = "refuses-null-deleters-of-legacy-tensors",
     .rules = {"C-OWN-05"},
     .what = "refuses legacy tensors whose deleter is NULL",
     .apply = [](Behaviour& behaviour) { behaviour.importing.refuses = When::NullDeleter().And(When::Legacy()); }},
    {.name = "refuses-minor-zero",
     .rules = {"C-VERSION-12", "C-VERSION-08"},
     .what = "refuses versioned tensors with minor version 0",
     .apply = [](Behaviour& behaviour) { behaviour.importing.refuses = When::Versioned().And(When::Minor(0)); }},
};

}  // namespace
}  // namespace dlpack_cts
