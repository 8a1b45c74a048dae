// suites/exchange-api/several.cc: several results of one table are independent, and none of them leaks.
#include <algorithm>
#include <utility>

#include "harness/recipe/often.h"
#include "harness/recipe/together.h"
#include "suites/exchange-api/table_calls.h"

namespace dlpack_cts {
namespace {

/// Two arrays of the same rank, where the library makes any, and of different extents.
Recipe TwoArrays(Draw& draw) {
  Recipe recipe = AnyArray(draw);
  Request& request = recipe.request();
  if (request.dims == 0 && draw.MadeRank(2) > 0) {
    request = draw.PlainRequest();
    request.dims = static_cast<uint8_t>(draw.MadeRank(2));
    std::fill_n(request.shape, request.dims, 2);
  }
  request.strides_kind = StridesKind::kCompact;
  request.large = 0;
  Request& second = AddRequest(recipe, request);
  // Only one larger: an extent that is too large is reduced.
  if (second.dims > 0) second.shape[0] = second.shape[0] > 1 ? second.shape[0] - 1 : second.shape[0] + 1;
  return recipe;
}

/// An inspection of the slot did not find a changed field.
void StaysAsItWas(Judgement& judgement, int slot, std::string_view message) {
  judgement.Expect("exportS.changed", Is(PartSet{}), message, {.slot = slot});
}

/// Makes and deletes many tensors as `often` says. One tensor before them shows that the function works.
Recipe Again(Draw& draw, Often often) {
  Recipe recipe = AnyArray(draw);
  recipe.request().large = 0;
  const Op op = often == Often::kTableExport ? Op::kTableExport
                : often == Often::kTableView ? Op::kTableView
                                             : Op::kTableAllocate;
  return MadeThen(
      recipe,
      {{op}, {Op::kDelete}, {Op::kDropSource}, {.op = Op::kExportOften, .argument = static_cast<int32_t>(often)}});
}

Judge JudgeAgain(TableFunction function, std::string_view message) {
  return [=](const Recipe&, const Ledger& ledger, Judgement& judgement) {
    if (!WasCalled(ledger, judgement, function)) return;
    const SourceLedger& source = ledger.sources[0];
    if (source.counted == 0) return judgement.SaysNothing("the memory could not be counted");
    judgement.Expect("source0.kept_bytes", Is(0), message);
    judgement.Expect("source0.kept_objects", Is(0), message);
  };
}

/// Hundreds of arrays or tensors of that rank at once. One before them shows that the function works.
Recipe ManyAtOnce(Draw& draw, Op op, Beside beside) {
  Recipe recipe = AnyArray(draw);
  Request& request = recipe.request();
  MakeWhole(request);
  request.large = 0;
  request.dims = static_cast<uint8_t>(draw.MadeRank(1 + draw.index % 4));
  std::fill_n(request.shape, kDims, 0);
  std::fill_n(request.shape, request.dims, 2);
  return MadeThen(recipe,
                  {{op}, {.op = Op::kExportTogether, .argument = static_cast<int32_t>(beside)}, {Op::kDropSource}});
}

std::string_view RuleOf(TableFunction function, Race race) {
  if (function == TableFunction::kView) return "XAPI-DLT-06";
  if (function == TableFunction::kAllocator) return "XAPI-ALLOC-02";
  return race == Race::kChanged ? "C-SHAPE-05" : "C-OWN-11";
}

Judge JudgeManyAtOnce(TableFunction function, std::string_view message) {
  return [=](const Recipe&, const Ledger& ledger, Judgement& judgement) {
    if (!WasCalled(ledger, judgement, function)) return;
    const Race race = ledger.exports[0].race;
    if (race == Race::kNotRun) {
      return judgement.SaysNothing("not every call succeeded, or the result of a single call is wrong too");
    }
    judgement.Expect("export0.race", Is(Race::kFair), message, {.rule = RuleOf(function, race)});
  };
}

/// A case in which each example makes hundreds of tensors.
Case OfMany(Case made) {
  made.examples = Examples::kTable;
  if (made.table == 1) made.table = 24;
  made.on_refusal = OnRefusal::kJudge;
  made.uncontrolled = uncontrolled::kMemory;
  return OfPythonExchange(std::move(made));
}

const RegisterCases<OfPythonExchange> kExchangeCases = {
    // XAPI-DLT-06, XAPI-DLT-07: The views of two arrays are valid at the same time.
    {.id = "exchange-api/functions/views-of-different-arrays-live-side-by-side",
     .rules = {"XAPI-DLT-06", "XAPI-DLT-07"},
     .on_refusal = OnRefusal::kJudge,
     // Nothing between the views and the inspections returns to Python.
     .draw = WithLife(TwoArrays, {{Op::kMake},
                                  {.op = Op::kMake, .slot = 1, .block = 1},
                                  {Op::kTableFind},
                                  {.op = Op::kTableFind, .slot = 1, .other = Other::kSlot1},
                                  {Op::kTableView},
                                  {.op = Op::kTableView, .slot = 1, .other = Other::kSlot1},
                                  {Op::kInspect},
                                  {Op::kReadExport},
                                  {Op::kInspect, 1},
                                  {Op::kDropSource},
                                  {.op = Op::kDropSource, .slot = 1, .other = Other::kSlot1},
                                  {Op::kCollect}}),
     .uncontrolled = uncontrolled::kMemory,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (!Returned(ledger, judgement, TableFunction::kView)) return;
           if (!Exported(ledger) || !Exported(ledger, 1))
             return judgement.SaysNothing("the library did not make two views");
           StaysAsItWas(judgement, 0,
                        "a call of dltensor_from_py_object_no_sync overwrote the result of a call for another array");
         }},

    // C-OWN-11: Exports of one array are independent: the deleter of one does not free a part of another.
    // C-SHAPE-05: Shape and strides stay as they are until the deleter of their own tensor runs.
    {.id = "exchange-api/functions/exports-of-one-array-are-independent",
     .rules = {"C-OWN-11", "C-SHAPE-05"},
     .on_refusal = OnRefusal::kJudge,
     // The last export may reuse the memory of the deleted one.
     .draw = WithLife(TwoArrays, {{Op::kMake},
                                  {.op = Op::kMake, .slot = 1, .block = 1},
                                  {Op::kTableExport},
                                  {Op::kTableExport, 1},
                                  {Op::kDelete},
                                  {.op = Op::kTableExport, .slot = 2, .other = Other::kSlot1},
                                  {Op::kInspect, 1},
                                  {Op::kInspect, 2},
                                  {Op::kReadExport, 1},
                                  {Op::kDelete, 1},
                                  {Op::kInspect, 2},
                                  {Op::kDelete, 2},
                                  {Op::kDropSource},
                                  {.op = Op::kDropSource, .slot = 1, .other = Other::kSlot1}}),
     .uncontrolled = uncontrolled::kMemory,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (!WasCalled(ledger, judgement, TableFunction::kFromObject)) return;
           if (!Exported(ledger) || !Exported(ledger, 1))
             return judgement.SaysNothing("the library did not make two exports");
           for (int slot = 1; slot <= 2; ++slot) {
             StaysAsItWas(judgement, slot, "an exported struct changed when another export was made or deleted");
           }
           if (!WasRight(ledger, judgement, 1)) return;
           ExportMatches(judgement, "the elements of an export are wrong after another export of the array was deleted",
                         {.slot = 1});
         }},

    // C-OWN-12, PY-THREAD-01: The deleter of a tensor that a table allocated or exported may be called on any thread,
    // and acquires the GIL by itself. Only survival is judged: a deleter that uses Python without the GIL crashes the
    // process, and one that waits for ever is reported as a timeout.
    {.id = "exchange-api/functions/deleters-of-the-table-run-on-any-thread",
     .rules = {"C-OWN-12", "PY-THREAD-01"},
     .on_refusal = OnRefusal::kJudge,
     .draw = WithLife(AnyArray, {{Op::kMake},
                                 {Op::kTableAllocate, 1},
                                 {Op::kTableExport},
                                 {Op::kDropSource},
                                 {.op = Op::kDelete, .slot = 1, .context = Context::kRawThread},
                                 {.op = Op::kDelete, .context = Context::kRawThread},
                                 {Op::kCollect}}),
     .uncontrolled = uncontrolled::kMemory,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const bool allocated = ledger.exports[1].deleted != 0;
           if (!allocated && ledger.exports[0].deleted == 0) return judgement.SaysNothing("no deleter was called");
           judgement.Holds();
         }},
};

const RegisterCases<OfMany> kManyAtOnceCases = {
    // C-OWN-11, C-SHAPE-05: The exports of hundreds of arrays are independent, and keep their shapes and strides.
    {.id = "exchange-api/functions/many-exports-are-apart",
     .rules = {"C-OWN-11", "C-SHAPE-05"},
     .table = 4,
     .draw = [](Draw& draw) { return ManyAtOnce(draw, Op::kTableExport, Beside::kManyByTable); },
     .judge = JudgeManyAtOnce(TableFunction::kFromObject,
                              "hundreds of live exports by managed_tensor_from_py_object_no_sync are not independent")},

    // XAPI-DLT-06: The views of hundreds of arrays are valid at the same time.
    {.id = "exchange-api/functions/many-views-are-apart",
     .rules = {"XAPI-DLT-06"},
     .table = 4,
     .draw = [](Draw& draw) { return ManyAtOnce(draw, Op::kTableView, Beside::kManyViews); },
     .judge = JudgeManyAtOnce(TableFunction::kView,
                              "hundreds of views by dltensor_from_py_object_no_sync are not valid at the same time")},

    // XAPI-ALLOC-02, XAPI-ALLOC-03: Each of hundreds of allocated tensors has memory of its own, and its shape.
    {.id = "exchange-api/functions/many-allocations-are-apart",
     .rules = {"XAPI-ALLOC-02", "XAPI-ALLOC-03"},
     .table = 4,
     .draw = [](Draw& draw) { return ManyAtOnce(draw, Op::kTableAllocate, Beside::kManyAllocations); },
     .judge = JudgeManyAtOnce(TableFunction::kAllocator,
                              "hundreds of live tensors from managed_tensor_allocator do not each have memory of their "
                              "own")},
};

const RegisterCases<OfMany> kManyCases = {
    // XAPI-FROM-01: The deleter of a tensor that the table exported frees everything.
    {.id = "exchange-api/functions/deleted-exports-of-the-table-leave-nothing",
     .rules = {"XAPI-FROM-01"},
     .draw = [](Draw& draw) { return Again(draw, Often::kTableExport); },
     .judge =
         JudgeAgain(TableFunction::kFromObject,
                    "each of many exports by managed_tensor_from_py_object_no_sync leaks memory after its deleter was "
                    "called")},

    // XAPI-DLT-02: The producer owns shape and strides of a view: the caller frees nothing.
    {.id = "exchange-api/functions/views-leave-nothing",
     .rules = {"XAPI-DLT-02"},
     .draw = [](Draw& draw) { return Again(draw, Often::kTableView); },
     .judge =
         JudgeAgain(TableFunction::kView,
                    "each of many calls of dltensor_from_py_object_no_sync leaks memory that the caller cannot free")},

    // XAPI-ALLOC-02: The deleter of an allocated tensor releases it.
    {.id = "exchange-api/functions/deleted-allocations-leave-nothing",
     .rules = {"XAPI-ALLOC-02"},
     .draw = [](Draw& draw) { return Again(draw, Often::kTableAllocate); },
     .judge =
         JudgeAgain(TableFunction::kAllocator,
                    "each of many tensors from managed_tensor_allocator leaks memory after its deleter was called")},
};

}  // namespace
}  // namespace dlpack_cts
