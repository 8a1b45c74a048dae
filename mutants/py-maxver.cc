// mutants/py-maxver.cc: mutants of the chapter on max_version.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutant kIgnoresMaxVersion{{
    .name = "ignores-max-version",
    .rules = {"PY-MAXVER-01", "PY-MAXVER-04"},
    .what = "exports versioned capsules for every max_version",
    .apply = [](Behaviour& behaviour) { behaviour.answering.ignores_max_version = true; },
}};

const RegisterMutant kTakesNoneForVersioned{{
    .name = "takes-none-for-versioned",
    .rules = {"PY-MAXVER-01"},
    .what = "exports versioned capsules even if max_version is not given",
    .apply = [](Behaviour& behaviour) { behaviour.answering.none_is_versioned = true; },
}};

const RegisterMutant kEchoesMaxVersion{{
    .name = "echoes-max-version",
    .rules = {"PY-MAXVER-02", "PY-MAXVER-05"},
    .what = "exports max_version as the version of the struct",
    .apply = [](Behaviour& behaviour) { behaviour.answering.echoes_version = true; },
}};

const RegisterMutant kDeclaresMajorTwo{{
    .name = "declares-major-two",
    .rules = {"PY-MAXVER-03", "C-VERSION-01"},
    .what = "exports version 2.0 in every versioned struct",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.exporting.relabels = When::Versioned();
          behaviour.exporting.label = {2, 0};
        },
}};

const RegisterMutant kReadsMinorAsMajor{{
    .name = "reads-minor-as-major",
    .rules = {"PY-MAXVER-04"},
    .what = "reads the minor version of max_version as its major version",
    .apply = [](Behaviour& behaviour) { behaviour.answering.reads_minor_as_major = true; },
}};

const RegisterMutant kDoesNotAskAgain{{
    .name = "does-not-ask-again",
    .rules = {"PY-MAXVER-07", "PY-MAXVER-13"},
    .what = "fails if the producer does not accept the keywords, instead of calling again without them",
    .apply = [](Behaviour& behaviour) { behaviour.asking.no_retry = true; },
}};

const RegisterMutant kForgetsCopyWhenItAsksAgain{{
    .name = "forgets-copy-when-it-asks-again",
    .rules = {"PY-MAXVER-10"},
    .what = "does not make the copy for copy=True if an old producer does not accept the keyword copy",
    .apply = [](Behaviour& behaviour) { behaviour.asking.retry_forgets_copy = true; },
}};

const RegisterMutant kCopiesWhenItAsksAgain{{
    .name = "copies-when-it-asks-again",
    .rules = {"PY-MAXVER-10"},
    .what = "copies from an old producer although copy=False was requested",
    .apply = [](Behaviour& behaviour) { behaviour.asking.retry_copies = true; },
}};

const RegisterMutant kDiesOfOddVersions{{
    .name = "dies-of-odd-versions",
    .rules = {"PY-MAXVER-11", "PY-DLPACK-04"},
    .what = "crashes if max_version is not a tuple of two",
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
    .what = "passes a keyword named version",
    .apply = [](Behaviour& behaviour) { behaviour.asking.passes_version_keyword = true; },
}};

const RegisterMutant kWantsTheExactVersion{{
    .name = "wants-the-exact-version",
    .rules = {"PY-MAXVER-13"},
    .what = "refuses every max_version that is not its own version",
    .apply = [](Behaviour& behaviour) { behaviour.answering.exact_version_only = true; },
}};

const RegisterMutant kAsksForAnOldMajor{{
    .name = "asks-for-an-old-major",
    .rules = {"PY-MAXVER-14"},
    .what = "passes max_version=(0, 8)",
    .apply = [](Behaviour& behaviour) { behaviour.asking.max_version = Wish::kOldMajor; },
}};

const RegisterMutant kAsksForNoVersion{{
    .name = "asks-for-no-version",
    .rules = {"PY-MAXVER-14"},
    .what = "does not pass max_version",
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
    .what = "passes max_version as a tuple of floats",
    .apply = [](Behaviour& behaviour) { behaviour.asking.max_version = Wish::kFloats; },
}};

const RegisterMutant kAsksWithTruthValues{{
    .name = "asks-with-truth-values",
    .rules = {"PY-MAXVER-15"},
    .what = "passes max_version as a tuple of two bools",
    .apply = [](Behaviour& behaviour) { behaviour.asking.max_version = Wish::kBools; },
}};

const RegisterMutant kAsksWithText{{
    .name = "asks-with-text",
    .rules = {"PY-MAXVER-15"},
    .what = "passes max_version as a string",
    .apply = [](Behaviour& behaviour) { behaviour.asking.max_version = Wish::kString; },
}};

const RegisterMutant kAsksByPosition{{
    .name = "asks-by-position",
    .rules = {"PY-MAXVER-15"},
    .what = "passes max_version as a positional argument",
    .apply = [](Behaviour& behaviour) { behaviour.asking.positional = true; },
}};

const RegisterMutant kAsksWithOneNumber{{
    .name = "asks-with-one-number",
    .rules = {"PY-MAXVER-15"},
    .what = "passes max_version as a tuple of one integer",
    .apply = [](Behaviour& behaviour) { behaviour.asking.max_version = Wish::kOneTuple; },
}};

const RegisterMutant kAsksForAFutureMajor{{
    .name = "asks-for-a-future-major",
    .rules = {"PY-MAXVER-15"},
    .what = "passes max_version=(2, 0), a major version that it cannot read",
    .apply = [](Behaviour& behaviour) { behaviour.asking.max_version = Wish::kFutureMajor; },
}};

const RegisterMutant kAsksForTheMinorFirst{{
    .name = "asks-for-the-minor-first",
    .rules = {"PY-MAXVER-15"},
    .what = "passes max_version with the minor version before the major version",
    .apply = [](Behaviour& behaviour) { behaviour.asking.max_version = Wish::kMinorFirst; },
}};

const RegisterMutant kRaisesFirstError{{
    .name = "raises-the-first-error-behind-a-capsule",
    .rules = {"PY-MAXVER-07"},
    .what = "raises the TypeError of its first call although the second call returned a capsule",
    .apply = [](Behaviour& behaviour) { behaviour.asking.raises_first_error = true; },
}};

}  // namespace
}  // namespace dlpack_cts
