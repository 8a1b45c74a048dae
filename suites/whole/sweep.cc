// suites/whole/sweep.cc: all facts compared with the reference, over exchanges that no single case draws.
#include "suites/whole/mix.h"

namespace dlpack_cts {
namespace {

const RegisterCases<OfConsumer> kConsumerCases = {
    // C-DATA-01: The library does with an offered tensor what the reference does, except where the specification leaves
    // a choice.
    {.id = "whole/import/no-other-fact-deviates",
     .rules = {"C-DATA-01"},
     .examples = Examples::kWhole,
     .draw = [](Draw& draw) { return DrawMix(draw, RecipeKind::kImport); }},
};

const RegisterCases<OfProducer> kProducerCases = {
    // C-DATA-14: The library exports what the reference exports, except where the specification leaves a choice.
    {.id = "whole/export/no-other-fact-deviates",
     .rules = {"C-DATA-14"},
     .examples = Examples::kWhole,
     .draw = [](Draw& draw) { return DrawMix(draw, RecipeKind::kExport); }},
};

}  // namespace
}  // namespace dlpack_cts
