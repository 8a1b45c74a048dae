// mutants/py-copy.cc: mutants of the chapter on copy.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutant kSharesAskedCopies{{
    .name = "shares-copies-that-were-asked-for",
    .rules = {"PY-COPY-01"},
    .what = "exports the array's own memory where copy=True was asked for",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.copy_shares = When::ReadOnly().Not(); },
}};

const RegisterMutant kSharesCopiesOfScalars{{
    .name = "shares-copies-of-scalars",
    .rules = {"PY-COPY-01"},
    .what = "exports the own memory of arrays of no dimension where copy=True was asked for",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.copy_shares = When::Scalar().And(When::ReadOnly().Not()); },
}};

const RegisterMutant kRefusesToCopy{{
    .name = "refuses-to-copy",
    .rules = {"PY-COPY-01"},
    .what = "raises BufferError for copy=True",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.refuses_copy = When::Always(); },
}};

const RegisterMutant kRefusesToCopyViews{{
    .name = "refuses-to-copy-views",
    .rules = {"PY-COPY-01"},
    .what = "raises BufferError for copy=True of views",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.refuses_copy = When::Strided(); },
}};

const RegisterMutant kCopiesWhatItShouldShare{{
    .name = "copies-what-it-should-share",
    .rules = {"PY-COPY-02"},
    .what = "exports copies of compact arrays where copy=False was asked for",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.copies_against_will = When::Strided().Not(); },
}};

const RegisterMutant kCopiesViewsItShouldShare{{
    .name = "copies-views-that-it-should-share",
    .rules = {"PY-COPY-02"},
    .what = "exports copies of views where copy=False was asked for",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.copies_against_will = When::Strided(); },
}};

const RegisterMutant kRefusesToShareWithRuntimeErrors{{
    .name = "refuses-to-share-with-runtime-errors",
    .rules = {"PY-COPY-02"},
    .what = "raises RuntimeError where copy=False cannot be had, as for views",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.exporting.refuses_copy_false = When::Strided();
          behaviour.exporting.copy_error = ErrorClass::kRuntimeError;
        },
}};

const RegisterMutant kNeverGrantsToShare{{
    .name = "never-grants-to-share",
    .rules = {"PY-COPY-02"},
    .what = "refuses copy=False for every array, and shares them without it",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.refuses_copy_false = When::Always(); },
}};

const RegisterMutant kNeverGrantsToShareScalars{{
    .name = "never-grants-to-share-scalars",
    .rules = {"PY-COPY-02"},
    .what = "refuses copy=False for arrays of no dimension, and shares them without it",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.refuses_copy_false = When::Rank(0); },
}};

const RegisterMutant kTakesNoneForTrue{{
    .name = "takes-none-for-true",
    .rules = {"PY-COPY-03"},
    .what = "exports copies where copy=None is spelt out",
    .apply = [](Behaviour& behaviour) { behaviour.answering.none_copies = When::Always(); },
}};

const RegisterMutant kTakesNoneForTrueOfViews{{
    .name = "takes-none-for-true-of-views",
    .rules = {"PY-COPY-03"},
    .what = "exports copies of views where copy=None is spelt out",
    .apply = [](Behaviour& behaviour) { behaviour.answering.none_copies = When::Strided(); },
}};

const RegisterMutant kHidesItsCopies{{
    .name = "hides-its-copies",
    .rules = {"PY-COPY-04"},
    .what = "exports copies of compact arrays without being asked, and without IS_COPIED",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.exporting.copies = When::ReadOnly().Not().And(When::Strided().Not());
          behaviour.exporting.drops_copied = When::Copy().Not();
        },
}};

const RegisterMutant kHidesItsCopiesOfScalars{{
    .name = "hides-its-copies-of-scalars",
    .rules = {"PY-COPY-04"},
    .what = "exports copies of arrays of no dimension without being asked, and without IS_COPIED",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.exporting.copies = When::Scalar().And(When::ReadOnly().Not());
          behaviour.exporting.drops_copied = When::Copy().Not();
        },
}};

const RegisterMutant kForgetsCopy{{
    .name = "forgets-copy",
    .rules = {"PY-COPY-06"},
    .what = "neither passes copy on nor makes a copy, but of tensors that are not compact",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.asking.keeps_copy = true;
          behaviour.importing.ignores_copy = When::Strided().Not();
        },
}};

const RegisterMutant kSharesComplexImports{{
    .name = "shares-complex-imports-that-it-should-copy",
    .rules = {"PY-COPY-06"},
    .what = "makes the copies of copy=True itself, but of complex tensors",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.asking.keeps_copy = true;
          behaviour.importing.ignores_copy = When::Code(abi::kDLComplex);
        },
}};

const RegisterMutant kCopiesAgainstTheCallersWill{{
    .name = "copies-against-the-callers-will",
    .rules = {"PY-COPY-07"},
    .what = "copies although copy=False was asked for",
    .apply = [](Behaviour& behaviour) { behaviour.importing.copies_against_will = When::Always(); },
}};

const RegisterMutant kCopiesViewsAgainstTheCallersWill{{
    .name = "copies-views-against-the-callers-will",
    .rules = {"PY-COPY-07"},
    .what = "copies tensors that are not compact although copy=False was asked for",
    .apply = [](Behaviour& behaviour) { behaviour.importing.copies_against_will = When::Strided(); },
}};

const RegisterMutant kForgetsCopyForADevice{{
    .name = "forgets-copy-beside-a-device",
    .rules = {"PY-COPY-07"},
    .what = "does not pass copy on where a device is asked for, and takes what comes",
    .apply = [](Behaviour& behaviour) { behaviour.asking.forgets_copy_for_device = true; },
}};

const RegisterMutant kRefusesToShareImportsWithRuntimeErrors{{
    .name = "refuses-to-share-imports-with-runtime-errors",
    .rules = {"PY-COPY-07"},
    .what = "raises RuntimeError where copy=False cannot be had, as for tensors that are not compact",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.importing.refuses_copy_false = When::Strided();
          behaviour.refusing.raises = kPathPolite;
          behaviour.refusing.error = ErrorClass::kRuntimeError;
        },
}};

const RegisterMutant kKeepsCopyToItself{{
    .name = "keeps-copy-to-itself",
    .rules = {"PY-COPY-08"},
    .what = "makes copies itself, and does not ask the producer for them",
    .apply = [](Behaviour& behaviour) { behaviour.asking.keeps_copy = true; },
}};

const RegisterMutant kCopiesWhatWasCopied{{
    .name = "copies-what-was-copied",
    .rules = {"PY-COPY-08"},
    .what = "copies what its producer has copied for it",
    .apply = [](Behaviour& behaviour) { behaviour.importing.copies_again = When::Always(); },
}};

const RegisterMutant kCopiesDieWithTheirArray{{
    .name = "copies-die-with-their-array",
    .rules = {"PY-COPY-09"},
    .what = "frees the memory of copies with the array that they were made of",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.copy_dies = When::Copy(); },
}};

const RegisterMutant kCopiesOfMatricesDieWithTheirArray{{
    .name = "copies-of-matrices-die-with-their-array",
    .rules = {"PY-COPY-09"},
    .what = "frees the memory of copies of matrices with the array that they were made of",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.copy_dies = When::Copy().And(When::Rank(2)); },
}};

const RegisterMutant kCopiesAreNeverFreed{{
    .name = "copies-are-never-freed",
    .rules = {"PY-COPY-09"},
    .what = "never frees the memory of copies",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.copy_leaks = When::Copy(); },
}};

const RegisterMutant kAsksAgainForWhatIsNotShared{{
    .name = "asks-again-where-sharing-is-refused",
    .rules = {"PY-FROM-08", "PY-COPY-07"},
    .what = "asks again without keywords where copy=False is refused, and takes what comes",
    .apply = [](Behaviour& behaviour) { behaviour.asking.retries_unshared = true; },
}};

}  // namespace
}  // namespace dlpack_cts
