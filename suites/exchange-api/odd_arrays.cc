// suites/exchange-api/odd_arrays.cc: what an export through a table does with arrays that DLPack cannot describe.
#include "suites/exchange-api/table_calls.h"

namespace dlpack_cts {
namespace {

const RegisterCases<OfPythonExchange> kCases = {
    // XAPI-FROM-02: An array that DLPack cannot describe raises BufferError where that is possible. Another exception
    // is a NOTE. Python objects are not exported as numbers. Other exports must have the right elements (XAPI-USE-04).
    // XAPI-RET-01, XAPI-RET-02, XAPI-RET-04: Status, exception and out parameter agree also when the export is refused.
    {.id = "exchange-api/functions/inexpressible-arrays-are-not-exported",
     .rules = {"XAPI-FROM-02", "XAPI-RET-01", "XAPI-RET-02", "XAPI-RET-04"},
     .on_refusal = OnRefusal::kJudge,
     .needs = {Claim::kOddities},
     .seldom = true,
     .draw =
         [](Draw& draw) {
           constexpr Oddity kKinds[] = {Oddity::kObject, Oddity::kForeignByteOrder, Oddity::kLongDouble,
                                        Oddity::kSparse};
           Recipe recipe = draw.Export();
           MakeOdd(recipe.request(), kKinds[draw.Pick(4)]);
           recipe.request().dims = 1;
           recipe.request().shape[0] = draw.random.Between(2, 5);
           return MadeThen(recipe, {{Op::kTableExport},
                                    {Op::kTableView, 1},
                                    {Op::kInspect},
                                    {Op::kReadExport},
                                    {Op::kDelete},
                                    {Op::kDropSource}});
         },
     .control = control::OrdinaryArray,
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           const TableCall& call = ledger.tables[0].calls[static_cast<size_t>(TableFunction::kFromObject)];
           if (call.called == 0)
             return judgement.SaysNothing("the library has no such array, or does not publish a usable exchange table");
           JudgeReturn(ledger, judgement, TableFunction::kFromObject);
           if (CallOf(ledger, TableFunction::kView).called != 0) JudgeReturn(ledger, judgement, TableFunction::kView);
           const ExportLedger& record = ledger.exports[0];
           if (record.export_call.outcome == Outcome::kRefused) {
             // A missing exception breaks XAPI-RET-02.
             judgement.Expect(
                 "export0.exception", Is("BufferError"),
                 "managed_tensor_from_py_object_no_sync raises an exception other than BufferError for an array that "
                 "DLPack cannot describe",
                 {.degree = Degree::kNote, .when = call.exception != 0 && record.export_call.buffer_error == 0});
             return;
           }
           const bool objects = recipe.request().oddity == Oddity::kObject;
           // A success without a tensor breaks XAPI-RET-04.
           const bool given = Exported(ledger) && record.struct_address != 0;
           if (!objects || !given) return judgement.SaysNothing("the array was exported, or the call returned nothing");
           judgement.Expect("export0.outcome", Is(Outcome::kRefused),
                            "an array of Python objects is exported with a dtype code other than kDLOpaqueHandle",
                            {.when = record.tensor.dtype.code != abi::kDLOpaqueHandle});
         }},

    // XAPI-FROM-05: An export through the table obeys the C rules, C-DATA-15 in this case: lazy conjugation or negation
    // is resolved, or the export is refused.
    {.id = "exchange-api/functions/lazy-conjugates-and-negations-are-resolved",
     .rules = {"XAPI-FROM-05", "C-DATA-15"},
     .examples = Examples::kTable,  // so that both kinds run, whichever of them fails
     .table = 16,
     .on_refusal = OnRefusal::kPass,
     .needs = {Claim::kOddities},
     .draw = WithLife(&Draw::ExportLazy,
                      {Op::kMake, Op::kTableExport, Op::kInspect, Op::kReadExport, Op::kDelete, Op::kDropSource}),
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const TableCall& call = ledger.tables[0].calls[static_cast<size_t>(TableFunction::kFromObject)];
           if (call.called == 0 || !Exported(ledger))
             return judgement.SaysNothing("the library has no such array, or does not publish a usable exchange table");
           ExportMatches(judgement,
                         "the exported memory does not hold the values of the lazily conjugated or negated array");
         }},
};

}  // namespace
}  // namespace dlpack_cts
