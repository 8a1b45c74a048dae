// mutants/c-version.cc: mutants of the chapter on versions.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutant kImportsForeignMajors{{
    .name = "imports-foreign-majors",
    .rules = {"C-VERSION-05", "C-VERSION-06", "PY-MAXVER-06"},
    .what = "imports tensors of any major version",
    .apply = [](Behaviour& behaviour) { behaviour.importing.major_check = MajorCheck::kNone; },
}};

const RegisterMutant kTruncatesMajor{{
    .name = "truncates-major",
    .rules = {"C-VERSION-05"},
    .what = "compares the low byte of the major version",
    .apply = [](Behaviour& behaviour) { behaviour.importing.major_check = MajorCheck::kByte; },
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

}  // namespace
}  // namespace dlpack_cts
