// suites/whole/sweep.cc: whole ledgers beside the reference's, over exchanges that no single case draws.
#include "suites/whole/mix.h"

namespace dlpack_cts {
namespace {

// C-DATA-01: What the library does with an offered tensor is what the reference does, but for what it is free to do.
const Register kImports{{
    .id = "whole/import/no-other-fact-deviates",
    .rules = {"C-DATA-01"},
    .role = Role::kConsumer,
    .examples = Examples::kWhole,
    .draw = [](Draw& draw) { return DrawMix(draw, RecipeKind::kImport); },
}};

// C-DATA-14: What the library exports is what the reference exports, but for what it is free to do.
const Register kExports{{
    .id = "whole/export/no-other-fact-deviates",
    .rules = {"C-DATA-14"},
    .role = Role::kProducer,
    .examples = Examples::kWhole,
    .draw = [](Draw& draw) { return DrawMix(draw, RecipeKind::kExport); },
}};

}  // namespace
}  // namespace dlpack_cts
