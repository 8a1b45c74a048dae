// mutants/c-version.cc: mutants of the chapter on versions.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutant kDeclaresMajorThree{{
    .name = "declares-major-three",
    .rules = {"C-VERSION-01", "PY-MAXVER-03"},
    .what = "declares version 3.1",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.exporting.relabels = When::Versioned();
          behaviour.exporting.label = {3, 1};
        },
}};

const RegisterMutant kDeclaresTwoVersions{{
    .name = "declares-two-versions",
    .rules = {"C-VERSION-01"},
    .what = "declares version 1.1 in every second export",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.exporting.relabels = When::Versioned().And(When::Every(2));
          behaviour.exporting.label = {1, 1};
        },
}};

const RegisterMutant kReadsBodyOfForeignMajors{{
    .name = "reads-body-of-foreign-majors",
    .rules = {"C-VERSION-02", "C-VERSION-04"},
    .what = "reads the whole struct before the version",
    .apply = [](Behaviour& behaviour) { behaviour.importing.reads_body_before_version = When::Always(); },
}};

const RegisterMutant kLeaksForeignMajors{{
    .name = "leaks-foreign-majors",
    .rules = {"C-VERSION-03"},
    .what = "takes tensors of a foreign major and never releases them",
    .apply = [](Behaviour& behaviour) { behaviour.refusing.leaks = kPathVersion; },
}};

const RegisterMutant kImportsForeignMajors{{
    .name = "imports-foreign-majors",
    .rules = {"C-VERSION-05", "C-VERSION-06", "PY-MAXVER-06"},
    .what = "imports tensors of any major version",
    .apply = [](Behaviour& behaviour) { behaviour.importing.major_check = MajorCheck::kNone; },
}};

const RegisterMutant kImportsSmallerMajors{{
    .name = "imports-smaller-majors",
    .rules = {"C-VERSION-05"},
    .what = "imports tensors of a smaller major version",
    .apply = [](Behaviour& behaviour) { behaviour.importing.major_check = MajorCheck::kNotGreater; },
}};

const RegisterMutant kImportsLargerMajors{{
    .name = "imports-larger-majors",
    .rules = {"C-VERSION-06"},
    .what = "imports tensors of a larger major version",
    .apply = [](Behaviour& behaviour) { behaviour.importing.major_check = MajorCheck::kNotLess; },
}};

const RegisterMutant kTruncatesMajor{{
    .name = "truncates-major",
    .rules = {"C-VERSION-06", "PY-MAXVER-06"},
    .what = "compares the low byte of the major version",
    .apply = [](Behaviour& behaviour) { behaviour.importing.major_check = MajorCheck::kByte; },
}};

const RegisterMutant kTruncatesMajorTo16Bits{{
    .name = "truncates-major-to-16-bits",
    .rules = {"C-VERSION-06"},
    .what = "compares the low 16 bits of the major version",
    .apply = [](Behaviour& behaviour) { behaviour.importing.major_check = MajorCheck::kShort; },
}};

const RegisterMutant kComparesTheMinorAlone{{
    .name = "compares-the-minor-alone",
    .rules = {"C-VERSION-06"},
    .what = "compares the minor version instead of the major",
    .apply = [](Behaviour& behaviour) { behaviour.importing.major_check = MajorCheck::kMinorInstead; },
}};

const RegisterMutant kRefusesNewerMinors{{
    .name = "refuses-newer-minors",
    .rules = {"C-VERSION-07"},
    .what = "refuses minor versions that it does not know",
    .apply = [](Behaviour& behaviour) { behaviour.importing.major_check = MajorCheck::kEqualWithKnownMinor; },
}};

const RegisterMutant kRefusesOlderMinors{{
    .name = "refuses-older-minors",
    .rules = {"C-VERSION-08", "C-LAYOUT-10"},  // as one who takes 1.2 for major 2
    .what = "refuses minor version 2",
    .apply = [](Behaviour& behaviour) { behaviour.importing.refuses = When::Versioned().And(When::Minor(2)); },
}};

const RegisterMutant kUsesNewerEnumerators{{
    .name = "uses-newer-enumerators",
    .rules = {"C-VERSION-10"},
    .what = "exports 8-bit floats in version 1.0",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.exporting.version = {1, 0};
          behaviour.exporting.legacy_has_float8 = When::Always();
        },
}};

const RegisterMutant kExportsLegacyOnly{{
    .name = "exports-legacy-only",
    .rules = {"C-VERSION-12"},
    .what = "exports no versioned capsule",
    .apply = [](Behaviour& behaviour) { behaviour.answering.legacy_only = true; },
}};

const RegisterMutant kStumblesOverForeignMajors{{
    .name = "stumbles-over-foreign-majors",
    .rules = {"C-VERSION-06"},
    .what = "raises NameError where it should refuse a foreign major",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.refusing.raises = kPathVersion;
          behaviour.refusing.error = ErrorClass::kNameError;
        },
}};

const RegisterMutant kExitsOnForeignMajors{{
    .name = "exits-on-foreign-majors",
    .rules = {"C-VERSION-06"},
    .what = "ends the process when the major version is foreign",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.refusing.acts = kPathVersion;
          behaviour.refusing.manner = Manner::kExits;
        },
}};

const RegisterMutant kReadsRefusedMajors{{
    .name = "reads-refused-majors",
    .rules = {"C-VERSION-02", "C-VERSION-04"},
    .what = "reads the whole struct of a foreign major for its error message",
    .apply = [](Behaviour& behaviour) { behaviour.refusing.touches_tensor = kPathVersion; },
}};

}  // namespace
}  // namespace dlpack_cts
