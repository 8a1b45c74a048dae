// suites/exchange-api/consumer_calls.cc: how a consumer calls the functions of an exchange table, and what it does with
// the results.
#include "harness/case/arguments.h"
#include "harness/recipe/laws.h"
#include "suites/exchange-api/forged.h"
#include "suites/exchange-api/unusable.h"

namespace dlpack_cts {
namespace {

/// A table with a function that fails in one of two ways.
Recipe DrawFailing(Draw& draw, uint8_t ForgedTable::* way) {
  Recipe recipe = DrawTabled(draw);
  recipe.table.*way = FunctionBit(draw.Pick(2) == 0 ? TableFunction::kFromObject : TableFunction::kView).bits;
  AskForCopy(draw, recipe);
  return recipe;
}

void JudgeFailing(const Recipe&, const Ledger& ledger, Judgement& judgement) {
  if (ledger.imports[0].table.failed == 0)
    return judgement.SaysNothing("the library did not call the function that fails");
  RefusedOrRight(ledger, judgement);
}

/// The elements are right, if the library imports from a table.
void RightElements(const Recipe&, const Ledger& ledger, Judgement& judgement) {
  if (!TakesNothingThere(ledger, judgement)) ElementsMatch(judgement, {.rule = "PY-FROM-04"});
}

/// The import of slot 0 gets keywords; the import of slot 1 shows whether the library uses tables at all.
Recipe DrawAsked(Draw& draw) {
  Recipe recipe = DrawTabled(draw);
  recipe.call() = {};
  AddCall(recipe, recipe.call());
  SetLife(recipe, {Step{.op = Op::kImport, .slot = 1, .call = 1}, Step{.op = Op::kImport}, Step{.op = Op::kDescribe},
                   Step{.op = Op::kRead}, Step{.op = Op::kDropArray}, Step{.op = Op::kDropArray, .slot = 1}});
  return recipe;
}

const RegisterCases<OfTables> kCases = {
    // XAPI-RET-05: When a function fails, the consumer does not use the out value (an unreadable address in this case),
    // and reports the exception, or clears it before it continues.
    {.id = "exchange-api/consumer/failure-gives-nothing-and-leaves-nothing",
     .rules = {"XAPI-RET-05"},
     .on_refusal = OnRefusal::kJudge,
     .seldom = true,
     .draw = [](Draw& draw) { return DrawFailing(draw, &ForgedTable::failing_slots); },
     .uncontrolled = uncontrolled::kResults,
     .judge = JudgeFailing},

    // XAPI-RET-05, as above, with a function that returns -1 without an exception: the returned value decides.
    {.id = "exchange-api/consumer/silent-failure-gives-nothing",
     .rules = {"XAPI-RET-05"},
     .on_refusal = OnRefusal::kJudge,
     .seldom = true,
     .draw = [](Draw& draw) { return DrawFailing(draw, &ForgedTable::silent_slots); },
     .uncontrolled = uncontrolled::kResults,
     .judge = JudgeFailing},

    // C-OWN-15, C-DEVICE-08, C-DTYPE-13: The consumer owns a tensor from a table. If it does not support the dtype or
    // the device, it refuses the tensor and calls its deleter once.
    {.id = "exchange-api/consumer/unusable-tensors-of-a-table-are-released",
     .rules = {"C-OWN-15", "C-DEVICE-08", "C-DTYPE-13"},
     .on_refusal = OnRefusal::kJudge,
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawTabled(draw);
           MakeUnusable(draw, recipe.offer());
           SetLife(recipe, {Op::kImport, Op::kDescribe, Op::kDropProducer, Op::kDropArray, Op::kCollect});
           return recipe;
         },
     .uncontrolled = uncontrolled::kResults,
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           if (TakesNothingThere(ledger, judgement)) return;
           ReleasedOnce(recipe, judgement);
           NotTakenForHost(recipe, judgement, "a tensor on another device was imported as an array on the CPU",
                           {.rule = "C-DEVICE-08"});
           if (ledger.imports[0].result.known_dtype == 0) return;
           DtypeMatches(recipe.offer().dtype, judgement,
                        "a tensor with a dtype that does not exist was imported with another dtype",
                        {.rule = "C-DTYPE-13"});
         }},

    // XAPI-STREAM-03: A tensor on the CPU does not need current_work_stream: the import works although the function
    // fails.
    {.id = "exchange-api/consumer/cpu-tensors-need-no-work-stream",
     .rules = {"XAPI-STREAM-03", "PY-FROM-04"},
     .on_refusal = OnRefusal::kWarn,
     .draw = Changed(DrawTabled,
                     [](Recipe& recipe) { recipe.table.failing_slots = FunctionBit(TableFunction::kStream).bits; }),
     .control = [](const Profile&, Recipe& recipe) { recipe.table.failing_slots = 0; },
     .judge = RightElements},

    // XAPI-ALLOC-11: SetError works in the thread state in which the allocator calls it: without the GIL in this case.
    {.id = "exchange-api/consumer/set-error-works-without-the-gil",
     .rules = {"XAPI-ALLOC-11"},
     .on_refusal = OnRefusal::kJudge,
     .draw = Changed(DrawTabled,
                     [](Recipe& recipe) { recipe.table.failing_slots = FunctionBit(TableFunction::kAllocator).bits; }),
     .uncontrolled = uncontrolled::kResults,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (!Called(ledger, TableFunction::kAllocator)) {
             return judgement.SaysNothing("the library did not call managed_tensor_allocator");
           }
           RefusedOrRight(ledger, judgement);
         }},

    // XAPI-FROM-03: An object is passed only to functions of the table of its own type. In this case each of two
    // producers has its own type and table.
    {.id = "exchange-api/consumer/each-type-is-served-by-its-own-table",
     .rules = {"XAPI-FROM-03"},
     .on_refusal = OnRefusal::kJudge,
     .draw = WithLife(DrawTabled,
                      {Step{.op = Op::kImport}, Step{.op = Op::kImport, .slot = 1}, Step{.op = Op::kRead, .slot = 1},
                       Step{.op = Op::kDropArray}, Step{.op = Op::kDropArray, .slot = 1}}),
     .uncontrolled = uncontrolled::kCalls,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (!Called(ledger, TableFunction::kFromObject, 1) && TakesNothingThere(ledger, judgement)) return;
           for (int slot = 0; slot <= 1; ++slot) {
             judgement.Expect("importS.table.foreign", Is(FunctionSet{}),
                              "a function of the exchange table was called with an object of another type",
                              {.slot = slot});
           }
         }},

    // XAPI-DLT-03: Shape and strides of an unmanaged DLTensor are used only until control returns to the producer.
    // After that they are unreadable in this case.
    {.id = "exchange-api/consumer/views-are-not-used-for-longer-than-they-live",
     .rules = {"XAPI-DLT-03"},
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (!Called(ledger, TableFunction::kView))
             return judgement.SaysNothing("the library did not call dltensor_from_py_object_no_sync");
           ElementsMatch(judgement);
         }},

    // XAPI-USE-02: Functions that take or make Python objects are called with the GIL.
    {.id = "exchange-api/consumer/python-functions-are-called-with-the-gil",
     .rules = {"XAPI-USE-02"},
     .on_refusal = OnRefusal::kJudge,
     .uncontrolled = uncontrolled::kCalls,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (ledger.imports[0].table.called == 0)
             return judgement.SaysNothing("the library did not call a function of the exchange table");
           const uint8_t allowed = FunctionBit(TableFunction::kAllocator).bits;
           judgement.Expect(
               "import0.table.without_gil",
               Lacks(FunctionSet{static_cast<uint8_t>(~allowed)}).Rather(FunctionSet{}, FunctionSet{allowed}),
               "a function of the exchange table other than managed_tensor_allocator was called without the GIL");
         }},

    // XAPI-USE-03: A table is const and is never freed. The table of this case is in read-only memory.
    {.id = "exchange-api/consumer/tables-are-neither-written-nor-freed",
     .rules = {"XAPI-USE-03"},
     .judge = RightElements},

    // XAPI-USE-05: from_dlpack obeys copy= although a table cannot express it.
    {.id = "exchange-api/consumer/copy-holds-beside-a-table",
     .rules = {"XAPI-USE-05"},
     .on_refusal = OnRefusal::kJudge,
     .needs = {Claim::kCopyKeyword},
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawAsked(draw);
           recipe.offer().flags &= ~abi::kFlagIsCopied;  // otherwise copy=True would not require another copy
           recipe.call().copy.kind = draw.Pick(2) == 0 ? ArgumentKind::kTrue : ArgumentKind::kFalse;
           return recipe;
         },
     .uncontrolled = uncontrolled::kResults,
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           if (TakesNothingThere(ledger, judgement, 1)) return;
           if (Refused(ledger)) return judgement.Holds();
           if (!TellsAddress(judgement)) return;
           if (IsEmpty(recipe.offer()) || ledger.imports[0].place.area == Area::kNull) {
             return judgement.SaysNothing("the tensor has no elements, or the address of the imported array is NULL");
           }
           const bool copy = recipe.call().copy.kind == ArgumentKind::kTrue;
           judgement.Expect("import0.aliases", Is(!copy),
                            copy ? "from_dlpack(copy=True) shares the memory of the tensor from the exchange table"
                                 : "from_dlpack(copy=False) copies the tensor from the exchange table");
         }},

    // XAPI-USE-05: from_dlpack obeys device= although a table cannot express it: the array is on the requested device.
    {.id = "exchange-api/consumer/device-holds-beside-a-table",
     .rules = {"XAPI-USE-05"},
     .on_refusal = OnRefusal::kJudge,
     .needs = {Claim::kDeviceKeyword},
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawAsked(draw);
           recipe.call().dl_device = argument::Pair(draw.Pick(2) == 0 ? abi::kDLCUDA : abi::kDLROCM, 0);
           return recipe;
         },
     .uncontrolled = uncontrolled::kResults,
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           if (TakesNothingThere(ledger, judgement, 1)) return;
           if (Refused(ledger)) return judgement.Holds();
           if (!TellsDevice(judgement)) return;
           const Argument& asked = recipe.call().dl_device;
           judgement.Expect("import0.device", OfType(abi::DLDevice{static_cast<int32_t>(asked.a), 0}),
                            "from_dlpack(device=...) returns an array on another device than the requested one");
         }},
};

}  // namespace
}  // namespace dlpack_cts
