// mutants/subtle-python.cc: second mutants of rules on the Python protocol: defects that show in one place only.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutants kMutants = {
    {.name = "swaps-struct-kinds-of-scalars",
     .rules = {"PY-CAPSULE-03", "C-LAYOUT-01", "C-LAYOUT-02", "C-LAYOUT-03"},
     .what = "names capsules of 0-dimensional legacy structs dltensor_versioned, and of versioned ones dltensor",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.capsule.styled = When::Scalar();
           behaviour.capsule.style = NameStyle::kSwapped;
         }},
    {.name = "renames-bare-versioned-capsules-as-legacy",
     .rules = {"PY-CAPSULE-07"},
     .what = "renames versioned capsules to used_dltensor if they are passed without an object",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.capsule.wrong_used_name = When::Versioned().And(When::By(kByBareCapsule));
         }},
    {.name = "swaps-shape-and-strides-of-bare-versioned-tensors",
     .rules = {"PY-CAPSULE-09", "C-LAYOUT-03", "PY-FROM-04"},
     .what = "reads dl_tensor.strides of versioned structs as the shape if the capsule is passed without an object",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.importing.swaps_shape_and_strides = When::Versioned().And(When::By(kByBareCapsule));
         }},
    {.name = "releases-bare-versioned-tensors-twice",
     .rules = {"C-OWN-02", "PY-CAPSULE-09"},
     .what = "calls the deleter of versioned tensors twice if the capsule is passed without an object",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.owning.releases_twice = When::Versioned().And(When::By(kByBareCapsule));
         }},
    {.name = "swaps-shape-and-strides-of-versioned-matrices",
     .rules = {"PY-CAPSULE-19", "C-LAYOUT-03", "PY-FROM-04"},
     .what = "reads dl_tensor.strides of 2-dimensional versioned structs as the shape",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.importing.swaps_shape_and_strides = When::Versioned().And(When::Rank(2));
         }},
    {.name = "answers-unpublished-devices-for-views",
     .rules = {"PY-DEVICE-02"},
     .what = "returns the unpublished device type 5 from __dlpack_device__ for non-compact arrays",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.answering.device = {5, 0};
           behaviour.answering.answers_device = When::Strided();
         }},
    {.name = "asks-for-the-device-behind-the-capsule",
     .rules = {"PY-DEVICE-05"},
     .what = "calls __dlpack_device__ only after __dlpack__",
     .apply = [](Behaviour& behaviour) { behaviour.asking.asks_device_late = true; }},
    {.name = "swallows-keywords-of-scalars",
     .rules = {"PY-DLPACK-05"},
     .what = "ignores unknown keywords for 0-dimensional arrays",
     .apply = [](Behaviour& behaviour) { behaviour.answering.swallows_keywords = When::Scalar(); }},
    {.name = "raises-for-the-device-of-views",
     .rules = {"PY-DLPACK-09"},
     .what = "raises RuntimeError in __dlpack_device__ of non-compact arrays",
     .apply = [](Behaviour& behaviour) { behaviour.answering.device_raises = When::Strided(); }},
    {.name = "exports-arrays-without-memory",
     .rules = {"PY-DLPACK-10"},
     .what = "exports arrays that have no memory",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.exports_oddities = Bit(Oddity::kMeta); }},
    {.name = "refuses-copy-none",
     .rules = {"PY-FROM-02"},
     .what = "refuses copy=None",
     .apply = [](Behaviour& behaviour) { behaviour.asking.refuses_none_for_copy = true; }},
    {.name = "echoes-later-minors",
     .rules = {"PY-MAXVER-05", "PY-MAXVER-02"},
     .what = "exports the minor version of max_version if it is later than its own",
     .apply = [](Behaviour& behaviour) { behaviour.answering.echoes_later_minor = true; }},
    {.name = "swaps-shape-and-strides-of-legacy-answers",
     .rules = {"PY-MAXVER-09", "C-LAYOUT-02", "PY-FROM-04"},
     .what = "reads dl_tensor.strides of legacy structs as the shape if it had passed max_version",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.importing.swaps_shape_and_strides = When::Legacy().And(When::By(kByVersion));
         }},
    {.name = "dies-of-truth-values-for-a-version",
     .rules = {"PY-MAXVER-11"},
     .what = "crashes if max_version is a tuple of two bools",
     .apply = [](Behaviour& behaviour) { behaviour.answering.true_version_crashes = true; }},
    {.name = "refuses-legacy-answers",
     .rules = {"PY-MAXVER-13"},
     .what = "refuses legacy capsules from producers that accepted max_version",
     .apply = [](Behaviour& behaviour) { behaviour.capsule.refuses_legacy = When::By(kByVersion); }},
};

}  // namespace
}  // namespace dlpack_cts
