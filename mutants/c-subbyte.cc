// mutants/c-subbyte.cc: mutants of the chapter on sub-byte types.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutant kFlagsWholeBytesAsPadded{{
    .name = "flags-whole-bytes-as-padded",
    .rules = {"C-SUBBYTE-08"},
    .what = "flags every export as padded",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.exporting.flags = abi::kFlagSubbytePadded;
          behaviour.exporting.adds_flags = When::Versioned();
        },
}};

const RegisterMutant kFlagsComplexAsPadded{{
    .name = "flags-complex-as-padded",
    .rules = {"C-SUBBYTE-08"},
    .what = "flags exports of complex types as padded",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.exporting.flags = abi::kFlagSubbytePadded;
          behaviour.exporting.adds_flags = When::Versioned().And(When::Code(abi::kDLComplex));
        },
}};

const RegisterMutant kFlagsCopiesAsPadded{{
    .name = "flags-copies-as-padded",
    .rules = {"C-SUBBYTE-08"},
    .what = "flags the copies that it exports as padded",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.exporting.flags = abi::kFlagSubbytePadded;
          behaviour.exporting.adds_flags = When::Versioned().And(When::Copy());
        },
}};

const RegisterMutant kFlagsReadOnlyArraysAsPadded{{
    .name = "flags-read-only-arrays-as-padded",
    .rules = {"C-SUBBYTE-08"},
    .what = "flags exports of read-only arrays as padded",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.exporting.flags = abi::kFlagSubbytePadded;
          behaviour.exporting.adds_flags = When::Versioned().And(When::ReadOnly());
        },
}};

}  // namespace
}  // namespace dlpack_cts
