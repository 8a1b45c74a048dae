// mutants/py-maxver.cc: mutants of the chapter on max_version.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutant kIgnoresMaxVersion{{
    .name = "ignores-max-version",
    .rules = {"PY-MAXVER-01", "PY-MAXVER-04"},
    .what = "exports versioned capsules whatever max_version says",
    .apply = [](Behaviour& behaviour) { behaviour.answering.ignores_max_version = true; },
}};

const RegisterMutant kTakesNoneForVersioned{{
    .name = "takes-none-for-versioned",
    .rules = {"PY-MAXVER-01"},
    .what = "exports versioned capsules where max_version is not given",
    .apply = [](Behaviour& behaviour) { behaviour.answering.none_is_versioned = true; },
}};

const RegisterMutant kEchoesMaxVersion{{
    .name = "echoes-max-version",
    .rules = {"PY-MAXVER-02", "PY-MAXVER-05"},
    .what = "declares max_version as its own version",
    .apply = [](Behaviour& behaviour) { behaviour.answering.echoes_version = true; },
}};

const RegisterMutant kDeclaresMajorTwo{{
    .name = "declares-major-two",
    .rules = {"PY-MAXVER-03", "C-VERSION-01"},
    .what = "declares a major above the requested one",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.exporting.relabels = When::Versioned();
          behaviour.exporting.label = {2, 0};
        },
}};

const RegisterMutant kReadsMinorAsMajor{{
    .name = "reads-minor-as-major",
    .rules = {"PY-MAXVER-04"},
    .what = "takes the minor of max_version for the major",
    .apply = [](Behaviour& behaviour) { behaviour.answering.reads_minor_as_major = true; },
}};

const RegisterMutant kDoesNotAskAgain{{
    .name = "does-not-ask-again",
    .rules = {"PY-MAXVER-07", "PY-MAXVER-13"},
    .what = "gives up when the producer does not know the keywords",
    .apply = [](Behaviour& behaviour) { behaviour.asking.no_retry = true; },
}};

const RegisterMutant kForgetsCopyWhenItAsksAgain{{
    .name = "forgets-copy-when-it-asks-again",
    .rules = {"PY-MAXVER-10"},
    .what = "does not make the copy that an old producer could not make",
    .apply = [](Behaviour& behaviour) { behaviour.asking.retry_forgets_copy = true; },
}};

const RegisterMutant kCopiesWhenItAsksAgain{{
    .name = "copies-when-it-asks-again",
    .rules = {"PY-MAXVER-10"},
    .what = "copies from an old producer although copy=False was asked for",
    .apply = [](Behaviour& behaviour) { behaviour.asking.retry_copies = true; },
}};

const RegisterMutant kDiesOfOddVersions{{
    .name = "dies-of-odd-versions",
    .rules = {"PY-MAXVER-11", "PY-DLPACK-04"},
    .what = "crashes when max_version is no pair",
    .apply = [](Behaviour& behaviour) { behaviour.answering.odd_version_crashes = true; },
}};

const RegisterMutant kNeedsDlpackInfo{{
    .name = "needs-dlpack-info",
    .rules = {"PY-MAXVER-12"},
    .what = "calls __dlpack_info__",
    .apply = [](Behaviour& behaviour) { behaviour.asking.needs_info = true; },
}};

const RegisterMutant kPassesAVersionKeyword{{
    .name = "passes-a-version-keyword",
    .rules = {"PY-MAXVER-12"},
    .what = "passes the keyword version",
    .apply = [](Behaviour& behaviour) { behaviour.asking.passes_version_keyword = true; },
}};

const RegisterMutant kWantsTheExactVersion{{
    .name = "wants-the-exact-version",
    .rules = {"PY-MAXVER-13"},
    .what = "exports only where max_version is its own version",
    .apply = [](Behaviour& behaviour) { behaviour.answering.exact_version_only = true; },
}};

const RegisterMutant kAsksForAnOldMajor{{
    .name = "asks-for-an-old-major",
    .rules = {"PY-MAXVER-14"},
    .what = "asks for version 0.8",
    .apply = [](Behaviour& behaviour) { behaviour.asking.max_version = Wish::kOldMajor; },
}};

const RegisterMutant kAsksForNoVersion{{
    .name = "asks-for-no-version",
    .rules = {"PY-MAXVER-14"},
    .what = "passes no max_version",
    .apply = [](Behaviour& behaviour) { behaviour.asking.max_version = Wish::kNone; },
}};

const RegisterMutant kAsksWithAList{{
    .name = "asks-with-a-list",
    .rules = {"PY-MAXVER-15"},
    .what = "passes max_version as a list",
    .apply = [](Behaviour& behaviour) { behaviour.asking.max_version = Wish::kList; },
}};

const RegisterMutant kAsksWithFloats{{
    .name = "asks-with-floats",
    .rules = {"PY-MAXVER-15"},
    .what = "passes max_version as floats",
    .apply = [](Behaviour& behaviour) { behaviour.asking.max_version = Wish::kFloats; },
}};

const RegisterMutant kAsksWithTruthValues{{
    .name = "asks-with-truth-values",
    .rules = {"PY-MAXVER-15"},
    .what = "passes max_version as two truth values",
    .apply = [](Behaviour& behaviour) { behaviour.asking.max_version = Wish::kBools; },
}};

const RegisterMutant kAsksWithText{{
    .name = "asks-with-text",
    .rules = {"PY-MAXVER-15"},
    .what = "passes max_version as text",
    .apply = [](Behaviour& behaviour) { behaviour.asking.max_version = Wish::kString; },
}};

const RegisterMutant kAsksByPosition{{
    .name = "asks-by-position",
    .rules = {"PY-MAXVER-15"},
    .what = "passes max_version by position",
    .apply = [](Behaviour& behaviour) { behaviour.asking.positional = true; },
}};

const RegisterMutant kAsksWithOneNumber{{
    .name = "asks-with-one-number",
    .rules = {"PY-MAXVER-15"},
    .what = "passes max_version as a tuple of one number",
    .apply = [](Behaviour& behaviour) { behaviour.asking.max_version = Wish::kOneTuple; },
}};

const RegisterMutant kAsksForAFutureMajor{{
    .name = "asks-for-a-future-major",
    .rules = {"PY-MAXVER-15"},
    .what = "asks for a major version that it cannot read",
    .apply = [](Behaviour& behaviour) { behaviour.asking.max_version = Wish::kFutureMajor; },
}};

const RegisterMutant kAsksForTheMinorFirst{{
    .name = "asks-for-the-minor-first",
    .rules = {"PY-MAXVER-15"},
    .what = "passes the minor version in front of the major",
    .apply = [](Behaviour& behaviour) { behaviour.asking.max_version = Wish::kMinorFirst; },
}};

const RegisterMutant kRaisesFirstError{{
    .name = "raises-the-first-error-behind-a-capsule",
    .rules = {"PY-MAXVER-07"},
    .what = "raises the TypeError of its first call although the second one gave a capsule",
    .apply = [](Behaviour& behaviour) { behaviour.asking.raises_first_error = true; },
}};

}  // namespace
}  // namespace dlpack_cts
