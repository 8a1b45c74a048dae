// mutants/conforming-python.cc: variants of the reference that the rules on copy and from_dlpack allow.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutants kMutants = {
    {.name = "makes-copies-itself",
     .conforming = true,
     .rules = {"PY-COPY-06", "PY-COPY-08", "PY-COPY-04"},
     .what = "makes copies itself instead of passing copy on, also of tensors that the producer has copied",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.asking.keeps_copy = true;
           behaviour.importing.copies_again = When::Always();
         }},
    {.name = "refuses-to-share-with-value-errors",
     .conforming = true,
     .rules = {"PY-COPY-02", "PY-COPY-07"},
     .what = "raises ValueError for copy=False on import and export",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.exporting.refuses_copy_false = When::Always();
           behaviour.exporting.copy_error = ErrorClass::kValueError;
           behaviour.importing.refuses_copy_false = When::Always();
           behaviour.refusing.raises = kPathPolite;
           behaviour.refusing.error = ErrorClass::kValueError;
         }},
    {.name = "raises-type-errors-without-the-methods",
     .conforming = true,
     .rules = {"PY-FROM-07"},
     .what = "raises TypeError for objects that lack a method",
     .apply = [](Behaviour& behaviour) { behaviour.asking.missing_error = ErrorClass::kTypeError; }},
};

}  // namespace
}  // namespace dlpack_cts
