// mutants/py-stream.cc: mutants of the chapter on stream.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutants kMutants = {
    {.name = "ignores-streams",
     .rules = {"PY-STREAM-01"},
     .what = "accepts and ignores every integer stream",
     .apply = [](Behaviour& behaviour) { behaviour.answering.stream.ignores = kStreamInt; }},
    {.name = "takes-zero-for-no-stream",
     .rules = {"PY-STREAM-01"},
     .what = "accepts and ignores stream=0",
     .apply = [](Behaviour& behaviour) { behaviour.answering.stream.ignores = kStreamZero; }},
    {.name = "takes-anything-for-a-stream",
     .rules = {"PY-STREAM-02", "PY-DLPACK-04"},
     .what = "accepts and ignores every stream that is not an integer",
     .apply = [](Behaviour& behaviour) { behaviour.answering.stream.ignores = kStreamNoInt; }},
    {.name = "takes-streams-below-minus-one",
     .rules = {"PY-STREAM-02"},
     .what = "accepts and ignores streams below -1",
     .apply = [](Behaviour& behaviour) { behaviour.answering.stream.ignores = kStreamBelow; }},
    {.name = "passes-stream-zero",
     .rules = {"PY-STREAM-04", "PY-STREAM-07"},
     .what = "passes stream=0",
     .apply = [](Behaviour& behaviour) { behaviour.asking.stream = {ArgumentKind::kInt, {}, 0, 0}; }},
    {.name = "passes-zero-to-cuda",
     .rules = {"PY-STREAM-04"},
     .what = "passes stream=0 to producers on CUDA",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.asking.stream = {ArgumentKind::kInt, {}, 0, 0};
           behaviour.asking.stream_at = Moment::kForCuda;
         }},
    {.name = "forgets-its-stream-when-it-asks-again",
     .rules = {"PY-STREAM-06", "PY-MAXVER-08"},
     .what = "passes stream=1 to producers on CUDA, but not when it calls again without keywords",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.asking.stream = {ArgumentKind::kInt, {}, 1, 0};
           behaviour.asking.stream_at = Moment::kForCuda;
           behaviour.asking.retry_forgets_stream = true;
         }},
    {.name = "asks-for-no-order",
     .rules = {"PY-STREAM-06"},
     .what = "passes stream=-1 to producers on CUDA",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.asking.stream = {ArgumentKind::kInt, {}, -1, 0};
           behaviour.asking.stream_at = Moment::kForCuda;
         }},
    {.name = "passes-a-stream-for-the-cpu",
     .rules = {"PY-STREAM-07"},
     .what = "passes stream=1 to producers on every device",
     .apply = [](Behaviour& behaviour) { behaviour.asking.stream = {ArgumentKind::kInt, {}, 1, 0}; }},
    {.name = "passes-minus-one-for-copies",
     .rules = {"PY-STREAM-07"},
     .what = "passes stream=-1 if copy is given",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.asking.stream = {ArgumentKind::kInt, {}, -1, 0};
           behaviour.asking.stream_at = Moment::kWithCopy;
         }},
    {.name = "passes-a-stream-when-it-asks-again",
     .rules = {"PY-STREAM-07"},
     .what = "passes stream=1 when it calls an old producer again",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.asking.stream = {ArgumentKind::kInt, {}, 1, 0};
           behaviour.asking.stream_at = Moment::kOnRetry;
         }},
    {.name = "refused-streams-leak",
     .rules = {"PY-STREAM-08", "PY-DLPACK-12"},
     .what = "keeps a reference to the array when it refuses a stream",
     .apply = [](Behaviour& behaviour) { behaviour.answering.stream.leaks = kStreamInt; }},
    {.name = "refused-handles-lock-the-array",
     .rules = {"PY-STREAM-08"},
     .what = "makes the array unreadable when it refuses a stream handle above 2",
     .apply = [](Behaviour& behaviour) { behaviour.answering.stream.locks = kStreamHandle; }},
    {.name = "reads-foreign-streams",
     .rules = {"PY-STREAM-09"},
     .what = "dereferences stream handles above 2",
     .apply = [](Behaviour& behaviour) { behaviour.answering.stream.touches = kStreamHandle; }},
    {.name = "reads-foreign-streams-later",
     .rules = {"PY-STREAM-09"},
     .what = "accepts stream handles above 2 and dereferences them when the array is destroyed",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.answering.stream.ignores = kStreamHandle;
           behaviour.answering.stream.touches_late = kStreamHandle;
         }},
    {.name = "passes-text-for-a-stream",
     .rules = {"PY-STREAM-12"},
     .what = "passes a string as stream to producers on CUDA",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.asking.stream = {ArgumentKind::kString, {}, 0, 0};
           behaviour.asking.stream_at = Moment::kForCuda;
         }},
    {.name = "passes-a-stream-below-minus-one",
     .rules = {"PY-STREAM-12"},
     .what = "passes stream=-7 to producers on CUDA",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.asking.stream = {ArgumentKind::kInt, {}, -7, 0};
           behaviour.asking.stream_at = Moment::kForCuda;
         }},
    {.name = "passes-the-default-stream-of-cuda-to-rocm",
     .rules = {"PY-STREAM-05"},
     .what = "passes stream=1 to producers on ROCm",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.asking.stream = {ArgumentKind::kInt, {}, 1, 0};
           behaviour.asking.stream_at = Moment::kForRocm;
         }},
    {.name = "passes-the-per-thread-stream-of-cuda-to-rocm",
     .rules = {"PY-STREAM-05"},
     .what = "passes stream=2 to producers on ROCm",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.asking.stream = {ArgumentKind::kInt, {}, 2, 0};
           behaviour.asking.stream_at = Moment::kForRocm;
         }},
    {.name = "takes-zero-for-a-stream-of-cuda",
     .rules = {"PY-STREAM-03"},
     .what = "imports and re-exports tensors of other devices, and accepts stream=0 for CUDA tensors",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.importing.carries_devices = When::Always();
           behaviour.answering.stream.ignores = kStreamZero;
           behaviour.answering.stream.only = When::Device(abi::kDLCUDA);
         }},
};

}  // namespace
}  // namespace dlpack_cts
