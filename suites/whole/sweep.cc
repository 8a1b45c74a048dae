// suites/whole/sweep.cc: all facts compared with the reference, over exchanges that no single case draws.
#include "suites/whole/mix.h"

namespace dlpack_cts {
namespace {

// C-DATA-01: The library does with an offered tensor what the reference does, except where the specification leaves a
// choice.
const Register kImports{{
    .id = "whole/import/no-other-fact-deviates",
    .rules = {"C-DATA-01"},
    .role = Role::kConsumer,
    .examples = Examples::kWhole,
    .draw = [](Draw& draw) { return DrawMix(draw, RecipeKind::kImport); },
}};

// C-DATA-14: The library exports what the reference exports, except where the specification leaves a choice.
const Register kExports{{
    .id = "whole/export/no-other-fact-deviates",
    .rules = {"C-DATA-14"},
    .role = Role::kProducer,
    .examples = Examples::kWhole,
    .draw = [](Draw& draw) { return DrawMix(draw, RecipeKind::kExport); },
}};

}  // namespace
}  // namespace dlpack_cts
