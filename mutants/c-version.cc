// mutants/c-version.cc: mutants of the chapter on versions.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutants kMutants = {
    {.name = "declares-major-three",
     .rules = {"C-VERSION-01", "PY-MAXVER-03"},
     .what = "exports version 3.1",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.exporting.relabels = When::Versioned();
           behaviour.exporting.label = {3, 1};
         }},
    {.name = "declares-two-versions",
     .rules = {"C-VERSION-01"},
     .what = "exports version 1.1 instead of 1.3 in every second export",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.exporting.relabels = When::Versioned().And(When::Every(2));
           behaviour.exporting.label = {1, 1};
         }},
    {.name = "reads-body-of-foreign-majors",
     .rules = {"C-VERSION-02", "C-VERSION-04"},
     .what = "reads the whole struct before it checks the version",
     .apply = [](Behaviour& behaviour) { behaviour.importing.reads_body_before_version = When::Always(); }},
    {.name = "leaks-foreign-majors",
     .rules = {"C-VERSION-03"},
     .what = "consumes tensors of another major version when it refuses them and never calls their deleters",
     .apply = [](Behaviour& behaviour) { behaviour.refusing.leaks = kPathVersion; }},
    {.name = "imports-foreign-majors",
     .rules = {"C-VERSION-05", "C-VERSION-06", "PY-MAXVER-06"},
     .what = "imports tensors of any major version",
     .apply = [](Behaviour& behaviour) { behaviour.importing.major_check = MajorCheck::kNone; }},
    {.name = "imports-smaller-majors",
     .rules = {"C-VERSION-05"},
     .what = "imports tensors of a smaller major version than its own",
     .apply = [](Behaviour& behaviour) { behaviour.importing.major_check = MajorCheck::kNotGreater; }},
    {.name = "imports-larger-majors",
     .rules = {"C-VERSION-06"},
     .what = "imports tensors of a larger major version than its own",
     .apply = [](Behaviour& behaviour) { behaviour.importing.major_check = MajorCheck::kNotLess; }},
    {.name = "truncates-major",
     .rules = {"C-VERSION-06", "PY-MAXVER-06"},
     .what = "compares only the low 8 bits of the major version",
     .apply = [](Behaviour& behaviour) { behaviour.importing.major_check = MajorCheck::kByte; }},
    {.name = "truncates-major-to-16-bits",
     .rules = {"C-VERSION-06"},
     .what = "compares only the low 16 bits of the major version",
     .apply = [](Behaviour& behaviour) { behaviour.importing.major_check = MajorCheck::kShort; }},
    {.name = "compares-the-minor-alone",
     .rules = {"C-VERSION-06"},
     .what = "compares the minor version instead of the major version",
     .apply = [](Behaviour& behaviour) { behaviour.importing.major_check = MajorCheck::kMinorInstead; }},
    {.name = "refuses-newer-minors",
     .rules = {"C-VERSION-07"},
     .what = "refuses minor versions newer than its own",
     .apply = [](Behaviour& behaviour) { behaviour.importing.major_check = MajorCheck::kEqualWithKnownMinor; }},
    {.name = "refuses-older-minors",
     .rules = {"C-VERSION-08", "C-LAYOUT-10"},  // like a consumer that treats 1.2 as major version 2
     .what = "refuses versioned tensors of minor version 2",
     .apply = [](Behaviour& behaviour) { behaviour.importing.refuses = When::Versioned().And(When::Minor(2)); }},
    {.name = "uses-newer-enumerators",
     .rules = {"C-VERSION-10"},
     .what = "exports version 1.0 with 8-bit and smaller float types, which version 1.1 added",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.exporting.version = {1, 0};
           behaviour.exporting.legacy_has_float8 = When::Always();
         }},
    {.name = "exports-legacy-only",
     .rules = {"C-VERSION-12"},
     .what = "exports only legacy capsules",
     .apply = [](Behaviour& behaviour) { behaviour.answering.legacy_only = true; }},
    {.name = "stumbles-over-foreign-majors",
     .rules = {"C-VERSION-06"},
     .what = "raises NameError instead of BufferError for tensors of another major version",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.refusing.raises = kPathVersion;
           behaviour.refusing.error = ErrorClass::kNameError;
         }},
    {.name = "exits-on-foreign-majors",
     .rules = {"C-VERSION-06"},
     .what = "exits the process when a tensor has another major version",
     .apply =
         [](Behaviour& behaviour) {
           behaviour.refusing.acts = kPathVersion;
           behaviour.refusing.manner = Manner::kExits;
         }},
    {.name = "reads-refused-majors",
     .rules = {"C-VERSION-02", "C-VERSION-04"},
     .what = "reads the whole struct of another major version when it refuses it",
     .apply = [](Behaviour& behaviour) { behaviour.refusing.touches_tensor = kPathVersion; }},
};

}  // namespace
}  // namespace dlpack_cts
