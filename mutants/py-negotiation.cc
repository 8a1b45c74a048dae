// mutants/py-negotiation.cc: mutants of single combinations of requested and exported version.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutants kMutants = {
    // ---- Producers.
    {.name = "takes-spelt-none-for-versioned",
     .rules = {"PY-MAXVER-01"},
     .what = "exports versioned capsules for an explicit max_version=None, but not if it is missing",
     .apply = [](Behaviour& behaviour) { behaviour.answering.spelt_none_is_versioned = true; }},
    {.name = "copies-into-versioned-structs-unasked",
     .rules = {"PY-MAXVER-01"},
     .what = "exports versioned capsules without max_version if copy=True is given",
     .apply =
         [](Behaviour& behaviour) { behaviour.answering.turns_kind = When::Asking(kAskedNoVersion | kAskedCopyTrue); }},
    {.name = "reads-the-version-as-a-number",
     .rules = {"PY-MAXVER-04"},
     .what = "reads max_version as a decimal number, so that (0, 10) means 1.0",
     .apply = [](Behaviour& behaviour) { behaviour.answering.adds_minor_to_major = true; }},
    {.name = "forgets-the-old-major-for-a-device",
     .rules = {"PY-MAXVER-04"},
     .what = "exports versioned capsules for major version 0 if dl_device is given",
     .apply =
         [](Behaviour& behaviour) { behaviour.answering.turns_kind = When::Asking(kAskedOldMajor | kAskedDevice); }},
    {.name = "echoes-the-major",
     .rules = {"PY-MAXVER-02"},
     .what = "exports the major version of max_version with its own minor version",
     .apply = [](Behaviour& behaviour) { behaviour.answering.echoes_major = true; }},
    {.name = "gives-later-majors-legacy-structs",
     .rules = {"PY-MAXVER-02"},
     .what = "exports legacy capsules if max_version has a later major version than its own",
     .apply = [](Behaviour& behaviour) { behaviour.answering.legacy_for_later_majors = true; }},
    {.name = "refuses-later-majors",
     .rules = {"PY-MAXVER-13"},
     .what = "refuses a max_version with a later major version than its own",
     .apply = [](Behaviour& behaviour) { behaviour.answering.refuses_later_majors = true; }},
    {.name = "raises-value-errors-for-old-majors",
     .rules = {"PY-MAXVER-04"},
     .what = "raises ValueError if the major version of max_version is below 1",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.answering.refuses_older_major = true;
           behaviour.answering.version_error = ErrorClass::kValueError;
         }},
    {.name = "stumbles-over-old-majors",
     .rules = {"PY-DLPACK-13", "PY-MAXVER-04"},
     .what = "raises NameError if the major version of max_version is below 1",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.answering.refuses_older_major = true;
           behaviour.answering.version_error = ErrorClass::kNameError;
         }},

    // ---- Consumers.
    {.name = "asks-for-a-later-minor",
     .rules = {"PY-MAXVER-15"},
     .what = "passes max_version=(1, 99)",
     .apply = [](Behaviour& behaviour) { behaviour.asking.max_version = Wish::kFutureMinor; }},
    {.name = "asks-for-a-far-major",
     .rules = {"PY-MAXVER-15"},
     .what = "passes max_version=(100, 3)",
     .apply = [](Behaviour& behaviour) { behaviour.asking.max_version = Wish::kFarMajor; }},
    {.name = "asks-for-a-negative-minor",
     .rules = {"PY-MAXVER-15"},
     .what = "passes max_version=(1, -1)",
     .apply = [](Behaviour& behaviour) { behaviour.asking.max_version = Wish::kNegative; }},
    {.name = "asks-again-with-the-version",
     .rules = {"PY-MAXVER-07", "PY-MAXVER-13"},
     .what = "calls an old producer again with max_version",
     .apply = [](Behaviour& behaviour) { behaviour.asking.retry_keeps_version = true; }},
    {.name = "drops-the-stream-with-the-version",
     .rules = {"PY-MAXVER-08", "PY-STREAM-06"},
     .what = "passes stream=4096 to producers on CUDA, but not when it calls again without keywords",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.asking.stream = {ArgumentKind::kInt, {}, 4096, 0};
           behaviour.asking.stream_at = Moment::kForCuda;
           behaviour.asking.retry_forgets_stream = true;
         }},
    {.name = "rewrites-errors-when-it-asks-again",
     .rules = {"PY-FROM-08"},
     .what = "raises RuntimeError instead of the exception that an old producer raised",
     .apply = [](Behaviour& behaviour) { behaviour.asking.retry_error = ErrorClass::kRuntimeError; }},
    {.name = "makes-value-errors-of-those-of-producers",
     .rules = {"PY-FROM-08"},
     .what = "raises ValueError instead of the exception that __dlpack__ raised",
     .apply = [](Behaviour& behaviour) { behaviour.asking.producer_error = ErrorClass::kValueError; }},
};

}  // namespace
}  // namespace dlpack_cts
