// suites/robustness/hostile_functions.cc: functions of the library's exchange table that get a wrong object.
#include <utility>

#include "harness/recipe/life.h"
#include "harness/recipe/passed.h"
#include "suites/exchange-api/table_calls.h"

namespace dlpack_cts {
namespace {

constexpr int kBefore = 1;
constexpr int kAfter = 2;
constexpr int kWrong = 3;

Case OfWrongObjects(Case made) {
  made.hostile = true;
  made.on_refusal = OnRefusal::kJudge;
  made.uncontrolled = uncontrolled::kSteps;
  return OfPythonProducer(std::move(made));
}

const RegisterCases<OfWrongObjects> kCases = {
    // XAPI-RET-02: A function that gets an object other than an array of the table's type may fail. Then it sets an
    // exception, and the next call is not affected. The caller is wrong (XAPI-FROM-03).
    {.id = "robustness/exchange-api/other-objects-are-refused",
     .rules = {"XAPI-RET-02", "XAPI-RET-03"},
     .examples = Examples::kTable,
     .table = 8,
     .draw =
         [](Draw& draw) {
           constexpr Passed kOthers[] = {Passed::kInteger, Passed::kNone, Passed::kObject, Passed::kClass};
           Recipe recipe = draw.Export();
           recipe.call() = {};
           recipe.request() = draw.PlainRequest();
           SetLife(recipe, {{Op::kMake},
                            {.op = Op::kTableExport, .slot = kBefore},
                            {.op = Op::kDelete, .slot = kBefore},
                            {.op = draw.index < 4 ? Op::kTableExport : Op::kTableView,
                             .slot = kWrong,
                             .argument = static_cast<int32_t>(kOthers[draw.index % 4])},
                            {.op = Op::kTableExport, .slot = kAfter},
                            {.op = Op::kDelete, .slot = kAfter},
                            {Op::kDropSource}});
           return recipe;
         },
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           if (!WasCalled(ledger, judgement, TableFunction::kFromObject)) return;
           const bool views = HasStep(recipe, Op::kTableView);
           const TableFunction function = views ? TableFunction::kView : TableFunction::kFromObject;
           const Refusal& wrong = ledger.exports[kWrong].export_call;
           if (!Exported(ledger, kBefore)) return judgement.SaysNothing("the array is not exported by the table");
           if (wrong.outcome == Outcome::kNotRun || wrong.outcome == Outcome::kUnsupported) {
             return judgement.SaysNothing("the function was not called with another object");
           }
           judgement.Expect("exportS.outcome", Is(Outcome::kRefused),
                            HeaderName(function) + " returns 0 for an object that is not an array of the type",
                            {.slot = kWrong, .degree = Degree::kNote});
           judgement.Expect("table0.T.exception", Is(true),
                            HeaderName(function) + " fails without an exception for an object that is not an array",
                            {.index = static_cast<int>(function),
                             .degree = Degree::kWarn,
                             .when = wrong.outcome == Outcome::kRefused && wrong.type.empty()});
           judgement.Expect("exportS.outcome", Is(Outcome::kAccepted),
                            "managed_tensor_from_py_object_no_sync fails after a function got a wrong object",
                            {.slot = kAfter, .degree = Degree::kWarn});
         }},
};

}  // namespace
}  // namespace dlpack_cts
