// mutants/py-copy.cc: mutants of the chapter on copy.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutants kMutants = {
    {.name = "shares-copies-that-were-asked-for",
     .rules = {"PY-COPY-01"},
     .what = "shares the memory of writable arrays although copy=True was requested",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.copy_shares = When::ReadOnly().Not(); }},
    {.name = "shares-copies-of-scalars",
     .rules = {"PY-COPY-01"},
     .what = "shares the memory of writable 0-dimensional arrays although copy=True was requested",
     .apply =
         [](Behaviour& behaviour) { behaviour.exporting.copy_shares = When::Scalar().And(When::ReadOnly().Not()); }},
    {.name = "refuses-to-copy",
     .rules = {"PY-COPY-01"},
     .what = "raises BufferError for copy=True",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.refuses_copy = When::Always(); }},
    {.name = "refuses-to-copy-views",
     .rules = {"PY-COPY-01"},
     .what = "raises BufferError for copy=True of non-compact arrays",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.refuses_copy = When::Strided(); }},
    {.name = "copies-what-it-should-share",
     .rules = {"PY-COPY-02"},
     .what = "exports copies of compact arrays although copy=False was requested",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.copies_against_will = When::Strided().Not(); }},
    {.name = "copies-views-that-it-should-share",
     .rules = {"PY-COPY-02"},
     .what = "exports copies of non-compact arrays although copy=False was requested",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.copies_against_will = When::Strided(); }},
    {.name = "refuses-to-share-with-runtime-errors",
     .rules = {"PY-COPY-02"},
     .what = "raises RuntimeError for copy=False of non-compact arrays",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.exporting.refuses_copy_false = When::Strided();
           behaviour.exporting.copy_error = ErrorClass::kRuntimeError;
         }},
    {.name = "never-grants-to-share",
     .rules = {"PY-COPY-02"},
     .what = "refuses copy=False for every array, although it shares them if copy is not given",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.refuses_copy_false = When::Always(); }},
    {.name = "never-grants-to-share-scalars",
     .rules = {"PY-COPY-02"},
     .what = "refuses copy=False for 0-dimensional arrays, although it shares them if copy is not given",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.refuses_copy_false = When::Rank(0); }},
    {.name = "takes-none-for-true",
     .rules = {"PY-COPY-03"},
     .what = "exports copies for an explicit copy=None",
     .apply = [](Behaviour& behaviour) { behaviour.answering.none_copies = When::Always(); }},
    {.name = "takes-none-for-true-of-views",
     .rules = {"PY-COPY-03"},
     .what = "exports copies of non-compact arrays for an explicit copy=None",
     .apply = [](Behaviour& behaviour) { behaviour.answering.none_copies = When::Strided(); }},
    {.name = "hides-its-copies",
     .rules = {"PY-COPY-04"},
     .what = "copies compact writable arrays without a request and does not set IS_COPIED",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.exporting.copies = When::ReadOnly().Not().And(When::Strided().Not());
           behaviour.exporting.drops_copied = When::Copy().Not();
         }},
    {.name = "hides-its-copies-of-scalars",
     .rules = {"PY-COPY-04"},
     .what = "copies writable 0-dimensional arrays without a request and does not set IS_COPIED",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.exporting.copies = When::Scalar().And(When::ReadOnly().Not());
           behaviour.exporting.drops_copied = When::Copy().Not();
         }},
    {.name = "forgets-copy",
     .rules = {"PY-COPY-06"},
     .what = "neither passes copy on nor makes the copy, except for non-compact tensors",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.asking.keeps_copy = true;
           behaviour.importing.ignores_copy = When::Strided().Not();
         }},
    {.name = "shares-complex-imports-that-it-should-copy",
     .rules = {"PY-COPY-06"},
     .what = "makes the copies of copy=True itself, except for complex tensors",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.asking.keeps_copy = true;
           behaviour.importing.ignores_copy = When::Code(abi::kDLComplex);
         }},
    {.name = "copies-against-the-callers-will",
     .rules = {"PY-COPY-07"},
     .what = "copies on import although copy=False was requested",
     .apply = [](Behaviour& behaviour) { behaviour.importing.copies_against_will = When::Always(); }},
    {.name = "copies-views-against-the-callers-will",
     .rules = {"PY-COPY-07"},
     .what = "copies non-compact tensors on import although copy=False was requested",
     .apply = [](Behaviour& behaviour) { behaviour.importing.copies_against_will = When::Strided(); }},
    {.name = "forgets-copy-beside-a-device",
     .rules = {"PY-COPY-07"},
     .what = "does not pass copy on if a device is requested, and accepts what the producer returns",
     .apply = [](Behaviour& behaviour) { behaviour.asking.forgets_copy_for_device = true; }},
    {.name = "refuses-to-share-imports-with-runtime-errors",
     .rules = {"PY-COPY-07"},
     .what = "raises RuntimeError for copy=False of non-compact tensors",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.importing.refuses_copy_false = When::Strided();
           behaviour.refusing.raises = kPathPolite;
           behaviour.refusing.error = ErrorClass::kRuntimeError;
         }},
    {.name = "keeps-copy-to-itself",
     .rules = {"PY-COPY-08"},
     .what = "makes copies itself instead of passing copy on to the producer",
     .apply = [](Behaviour& behaviour) { behaviour.asking.keeps_copy = true; }},
    {.name = "copies-what-was-copied",
     .rules = {"PY-COPY-08"},
     .what = "copies tensors again that the producer has already copied",
     .apply = [](Behaviour& behaviour) { behaviour.importing.copies_again = When::Always(); }},
    {.name = "copies-die-with-their-array",
     .rules = {"PY-COPY-09"},
     .what = "frees the memory of an exported copy together with the source array",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.copy_dies = When::Copy(); }},
    {.name = "copies-of-matrices-die-with-their-array",
     .rules = {"PY-COPY-09"},
     .what = "frees the memory of an exported copy together with the source array if that is 2-dimensional",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.copy_dies = When::Copy().And(When::Rank(2)); }},
    {.name = "copies-are-never-freed",
     .rules = {"PY-COPY-09"},
     .what = "never frees the memory of exported copies",
     .apply = [](Behaviour& behaviour) { behaviour.exporting.copy_leaks = When::Copy(); }},
    {.name = "asks-again-where-sharing-is-refused",
     .rules = {"PY-FROM-08", "PY-COPY-07"},
     .what = "calls __dlpack__ again without keywords if copy=False is refused, and accepts the result",
     .apply = [](Behaviour& behaviour) { behaviour.asking.retries_unshared = true; }},
};

}  // namespace
}  // namespace dlpack_cts
