// mutants/c-dtype.cc: mutants of the chapter on element types.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutant kTakesBfloat16ForFloat16{{
    .name = "takes-bfloat16-for-float16",
    .rules = {"C-DTYPE-05", "C-DTYPE-14"},
    .what = "imports bfloat16 as float16",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.importing.retypes = When::Code(abi::kDLBfloat);
          behaviour.importing.retyped = {abi::kDLFloat, 16, 1};
        },
}};

const RegisterMutant kIgnoresLanes{{
    .name = "ignores-lanes",
    .rules = {"C-DTYPE-08", "C-LAYOUT-06"},
    .what = "takes vectors for their first lane",
    .apply = [](Behaviour& behaviour) { behaviour.importing.ignores_lanes = When::Always(); },
}};

const RegisterMutant kExportsBoolAsUint8{{
    .name = "exports-bool-as-uint8",
    .rules = {"C-DTYPE-04"},
    .what = "exports bool as uint8",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.exporting.retypes = When::Code(abi::kDLBool);
          behaviour.exporting.retyped = {abi::kDLUInt, 8, 1};
        },
}};

}  // namespace
}  // namespace dlpack_cts
