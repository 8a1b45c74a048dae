// suites/robustness/hostile_table.cc: how a consumer handles an invalid exchange table.
#include <utility>

#include "suites/exchange-api/forged.h"

namespace dlpack_cts {
namespace {

Case OfInvalidTables(Case made) {
  made.hostile = true;
  return OfTables(std::move(made));
}

const RegisterCases<OfInvalidTables> kCases = {
    // XAPI-DISC-07: Consumers may cache the table of a type, or look it up each time. Here the type returns another
    // address at the second lookup, when an object is imported twice. Both tables stay valid, so the consumer may use
    // either.
    {.id = "robustness/exchange-api/table-that-moved-is-survived",
     .rules = {"XAPI-DISC-07", "PY-FROM-04"},
     .on_refusal = OnRefusal::kJudge,
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawTabled(draw);
           recipe.table.moves = 1;
           SetLife(recipe,
                   {Step{.op = Op::kImport}, Step{.op = Op::kDescribe}, Step{.op = Op::kRead},
                    Step{.op = Op::kImport, .slot = 1}, Step{.op = Op::kRead, .slot = 1}, Step{.op = Op::kDropArray},
                    Step{.op = Op::kImportAgain}, Step{.op = Op::kDropArray}, Step{.op = Op::kDropArray, .slot = 1}});
           return recipe;
         },
     .uncontrolled = uncontrolled::kResults,
     .judge = [](const Recipe&, const Ledger& ledger,
                 Judgement& judgement) { RefusedOrRight(ledger, judgement, {.rule = "PY-FROM-04"}); }},

    // XAPI-RET-05: A consumer does not use a result that a function did not write, even if the function reports
    // success: NULL instead of a tensor, or a view that is all zeros. The producer is wrong (XAPI-RET-04), but the
    // consumer should not crash.
    {.id = "robustness/exchange-api/success-without-a-tensor-is-survived",
     .rules = {"XAPI-RET-05"},
     .examples = Examples::kTable,
     .table = 6,
     .on_refusal = OnRefusal::kJudge,
     .draw =
         [](Draw& draw) {
           constexpr TableFunction kFunctions[] = {TableFunction::kFromObject, TableFunction::kView,
                                                   TableFunction::kAllocator};
           const TableFunction function = kFunctions[draw.index % 3];
           Recipe recipe = DrawTabled(draw);
           recipe.table.empty_slots = FunctionBit(function).bits;
           return recipe;
         },
     .uncontrolled = uncontrolled::kResults,
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           if ((ledger.imports[0].table.called & recipe.table.empty_slots) == 0) {
             return judgement.SaysNothing("the library did not call the function whose result is empty");
           }
           RefusedOrRight(ledger, judgement);
         }},

    // C-VERSION-02, C-VERSION-04: A consumer checks a tensor from a table like any other tensor. A major version other
    // than the table's is the producer's mistake (XAPI-VER-06). Here only the head of the struct is readable.
    {.id = "robustness/exchange-api/tensor-of-another-major-is-not-read",
     .rules = {"C-VERSION-04", "C-VERSION-02"},
     .on_refusal = OnRefusal::kJudge,
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawTabled(draw);
           recipe.offer().major = kForeignMajors[draw.Pick(4)];
           recipe.offer().place = StructPlace::kBodyUnmapped;
           return recipe;
         },
     .uncontrolled = uncontrolled::kResults,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (!TakesNothingThere(ledger, judgement)) judgement.Holds();
         }},
};

}  // namespace
}  // namespace dlpack_cts
