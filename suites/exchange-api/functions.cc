// suites/exchange-api/functions.cc: what all functions of the exchange table have in common, and the work stream.

#include "suites/exchange-api/table_calls.h"

namespace dlpack_cts {
namespace {

const RegisterCases<OfPythonExchange> kCases = {
    // XAPI-USE-04: The table and __dlpack__ give the same array where both succeed. A function may refuse what
    // __dlpack__ exports. A table is useless if every function refuses the simplest array.
    {.id = "exchange-api/functions/plain-arrays-are-served",
     .rules = {"XAPI-USE-04"},
     .on_refusal = OnRefusal::kJudge,
     .draw =
         [](Draw& draw) {
           Recipe recipe = Releasable(draw.PlainImport(StructKind::kVersioned));
           recipe.request() = draw.PlainRequest();
           SetLife(recipe, {{Op::kMake},
                            {Op::kTableExport, 1},
                            {Op::kDelete, 1},
                            {Op::kTableView, 2},
                            {Op::kTableAllocate, 3},
                            {Op::kDelete, 3},
                            {.op = Op::kTableStream, .argument = 0}});
           if (draw.profile.takes_versioned != 0) AddStep(recipe, Op::kTableImport);
           AddStep(recipe, Op::kDropArray);
           AddStep(recipe, Op::kDropSource);
           return recipe;
         },
     .uncontrolled = uncontrolled::kSteps,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (!WasCalled(ledger, judgement, TableFunction::kFromObject)) return;
           bool any = false;
           for (const TableCall& call : ledger.tables[0].calls) any = any || (call.called != 0 && call.status == 0);
           for (int i = 0; i < kTableFunctions; ++i) {
             const auto function = static_cast<TableFunction>(i);
             const TableCall& call = CallOf(ledger, function);
             judgement.Expect("table0.T.status", Is(0),
                              any ? HeaderName(function) + " fails for the simplest array"
                                  : "every function of the exchange table fails for the simplest array",
                              {.index = static_cast<int>(function),
                               .degree = any ? Degree::kNote : Degree::kWarn,
                               .when = call.called != 0});
           }
         }},

    // XAPI-RET-02: On success no exception is set. A failure of one function does not affect the next call: neither its
    // result nor the exception. Each row makes another function fail.
    {.id = "exchange-api/functions/a-failure-leaves-nothing-behind",
     .rules = {"XAPI-RET-02"},
     .examples = Examples::kTable,
     .table = 3,
     .on_refusal = OnRefusal::kJudge,
     .draw =
         [](Draw& draw) {
           Recipe recipe = Releasable(draw.PlainImport(StructKind::kVersioned));
           PutOn(recipe.offer(), {ForeignDevice(draw.profile, draw.Pick(8)), 0}, Placement::kUnmapped);
           recipe.request() = draw.PlainRequest();
           const Step kFailures[] = {
               {.op = Op::kTableStream, .argument = 1},
               {.op = Op::kTableAllocate, .slot = 3, .argument = static_cast<int32_t>(Prototype::kForeignDevice)},
               {Op::kTableImport}};
           SetLife(recipe, {{Op::kMake},
                            {Op::kTableExport, 1},
                            {Op::kDelete, 1},
                            kFailures[draw.index],
                            {Op::kTableExport, 2},
                            {Op::kDelete, 2},
                            {Op::kDropArray},
                            {Op::kDropSource}});
           return recipe;
         },
     .uncontrolled = uncontrolled::kSteps,
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           if (!WasCalled(ledger, judgement, TableFunction::kFromObject)) return;
           constexpr TableFunction kFailing[] = {TableFunction::kStream, TableFunction::kAllocator,
                                                 TableFunction::kToObject};
           const Op op = recipe.life()[3].op;
           const TableCall& failing = CallOf(ledger, kFailing[op == Op::kTableStream     ? 0
                                                              : op == Op::kTableAllocate ? 1
                                                                                         : 2]);
           const Refusal& before = ledger.exports[1].export_call;
           if (!Exported(ledger, 1) || !before.type.empty())
             return judgement.SaysNothing("the array is not exported without an earlier failure");
           if (failing.called == 0 || failing.status == 0)
             return judgement.SaysNothing("no function of the table failed before the export");
           judgement.Expect("export2.outcome", Is(Outcome::kAccepted),
                            "managed_tensor_from_py_object_no_sync fails after a call of another function failed");
           judgement.Expect("table0.from_object.exception", Is(false),
                            "managed_tensor_from_py_object_no_sync succeeds with the exception of an earlier call set",
                            {.degree = Degree::kWarn, .when = Exported(ledger, 2)});
         }},

    // XAPI-STREAM-02: For the CPU any stream is right. XAPI-STREAM-05: For an unsupported device current_work_stream
    // fails with an exception, or succeeds and writes its out parameter.
    {.id = "exchange-api/functions/the-work-stream-is-answered",
     .rules = {"XAPI-RET-04", "XAPI-RET-01", "XAPI-RET-02", "XAPI-STREAM-02", "XAPI-STREAM-05"},
     .examples = Examples::kTable,
     .table = 2,
     .draw = [](Draw& draw) { return MadeThen(AnyArray(draw), {{.op = Op::kTableStream, .argument = draw.index}}); },
     .judge = [](const Recipe&, const Ledger& ledger,
                 Judgement& judgement) { Returned(ledger, judgement, TableFunction::kStream); }},
};

}  // namespace
}  // namespace dlpack_cts
