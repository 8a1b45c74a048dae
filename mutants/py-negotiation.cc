// mutants/py-negotiation.cc: mutants of single cells of the negotiation: what is asked, and what is answered.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

// ---- Producers.

const RegisterMutant kTakesSpeltNoneForVersioned{{
    .name = "takes-spelt-none-for-versioned",
    .rules = {"PY-MAXVER-01"},
    .what = "exports versioned capsules where max_version is None, and not where it is absent",
    .apply = [](Behaviour& behaviour) { behaviour.answering.spelt_none_is_versioned = true; },
}};

const RegisterMutant kForgetsThatNothingWasAskedForACopy{{
    .name = "copies-into-versioned-structs-unasked",
    .rules = {"PY-MAXVER-01"},
    .what = "exports versioned capsules without max_version where copy=True is given",
    .apply =
        [](Behaviour& behaviour) { behaviour.answering.turns_kind = When::Asking(kAskedNoVersion | kAskedCopyTrue); },
}};

const RegisterMutant kReadsTheVersionAsANumber{{
    .name = "reads-the-version-as-a-number",
    .rules = {"PY-MAXVER-04"},
    .what = "takes version 0.10 for 1.0",
    .apply = [](Behaviour& behaviour) { behaviour.answering.adds_minor_to_major = true; },
}};

const RegisterMutant kForgetsTheOldMajorForADevice{{
    .name = "forgets-the-old-major-for-a-device",
    .rules = {"PY-MAXVER-04"},
    .what = "exports versioned capsules for major 0 where dl_device is given",
    .apply = [](Behaviour& behaviour) { behaviour.answering.turns_kind = When::Asking(kAskedOldMajor | kAskedDevice); },
}};

const RegisterMutant kEchoesTheMajor{{
    .name = "echoes-the-major",
    .rules = {"PY-MAXVER-02"},
    .what = "declares the major of max_version, and its own minor",
    .apply = [](Behaviour& behaviour) { behaviour.answering.echoes_major = true; },
}};

const RegisterMutant kGivesLaterMajorsLegacyStructs{{
    .name = "gives-later-majors-legacy-structs",
    .rules = {"PY-MAXVER-02"},
    .what = "exports legacy capsules for a max_version above its own major",
    .apply = [](Behaviour& behaviour) { behaviour.answering.legacy_for_later_majors = true; },
}};

const RegisterMutant kRefusesLaterMajors{{
    .name = "refuses-later-majors",
    .rules = {"PY-MAXVER-13"},
    .what = "refuses a max_version above its own major",
    .apply = [](Behaviour& behaviour) { behaviour.answering.refuses_later_majors = true; },
}};

const RegisterMutant kRaisesValueErrorsForOldMajors{{
    .name = "raises-value-errors-for-old-majors",
    .rules = {"PY-MAXVER-04"},
    .what = "refuses a max_version below 1 with ValueError",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.answering.refuses_older_major = true;
          behaviour.answering.version_error = ErrorClass::kValueError;
        },
}};

const RegisterMutant kStumblesOverOldMajors{{
    .name = "stumbles-over-old-majors",
    .rules = {"PY-DLPACK-13", "PY-MAXVER-04"},
    .what = "meets a variable that was never set where max_version is below 1",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.answering.refuses_older_major = true;
          behaviour.answering.version_error = ErrorClass::kNameError;
        },
}};

// ---- Consumers.

const RegisterMutant kAsksForALaterMinor{{
    .name = "asks-for-a-later-minor",
    .rules = {"PY-MAXVER-15"},
    .what = "asks for version 1.99",
    .apply = [](Behaviour& behaviour) { behaviour.asking.max_version = Wish::kFutureMinor; },
}};

const RegisterMutant kAsksForAFarMajor{{
    .name = "asks-for-a-far-major",
    .rules = {"PY-MAXVER-15"},
    .what = "asks for version 100.3",
    .apply = [](Behaviour& behaviour) { behaviour.asking.max_version = Wish::kFarMajor; },
}};

const RegisterMutant kAsksForANegativeMinor{{
    .name = "asks-for-a-negative-minor",
    .rules = {"PY-MAXVER-15"},
    .what = "asks for version (1, -1)",
    .apply = [](Behaviour& behaviour) { behaviour.asking.max_version = Wish::kNegative; },
}};

const RegisterMutant kAsksAgainWithTheVersion{{
    .name = "asks-again-with-the-version",
    .rules = {"PY-MAXVER-07", "PY-MAXVER-13"},
    .what = "keeps max_version when it asks an old producer again",
    .apply = [](Behaviour& behaviour) { behaviour.asking.retry_keeps_version = true; },
}};

const RegisterMutant kDropsTheStreamWithTheVersion{{
    .name = "drops-the-stream-with-the-version",
    .rules = {"PY-MAXVER-08", "PY-STREAM-06"},
    .what = "passes stream 4096 to producers on CUDA, and no keyword when it asks again",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.asking.stream = {ArgumentKind::kInt, {}, 4096, 0};
          behaviour.asking.stream_at = Moment::kForCuda;
          behaviour.asking.retry_forgets_stream = true;
        },
}};

const RegisterMutant kRewritesErrorsWhenItAsksAgain{{
    .name = "rewrites-errors-when-it-asks-again",
    .rules = {"PY-FROM-08"},
    .what = "makes RuntimeError of what an old producer raises",
    .apply = [](Behaviour& behaviour) { behaviour.asking.retry_error = ErrorClass::kRuntimeError; },
}};

const RegisterMutant kMakesValueErrorsOfThoseOfProducers{{
    .name = "makes-value-errors-of-those-of-producers",
    .rules = {"PY-FROM-08"},
    .what = "raises ValueError for what __dlpack__ raises",
    .apply = [](Behaviour& behaviour) { behaviour.asking.producer_error = ErrorClass::kValueError; },
}};

}  // namespace
}  // namespace dlpack_cts
