// suites/exchange-api/consumer_calls.cc: how a consumer calls the functions of a table, and what it does with results.
#include "harness/recipe/laws.h"
#include "suites/exchange-api/forged.h"
#include "suites/exchange-api/unusable.h"

namespace dlpack_cts {
namespace {

// XAPI-RET-05: Where a function fails, the consumer uses no out value (it is an address that cannot be read here), and
// reports the exception, or clears it before it goes on.
const Register kFailureIsReported{OfTables({
    .id = "exchange-api/consumer/failure-gives-nothing-and-leaves-nothing",
    .rules = {"XAPI-RET-05"},
    .on_refusal = OnRefusal::kJudge,
    .seldom = true,
    .draw =
        [](Draw& draw) {
          Recipe recipe = DrawTabled(draw);
          recipe.table.failing_slots =
              FunctionBit(draw.Pick(2) == 0 ? TableFunction::kFromObject : TableFunction::kView);
          AskForCopy(draw, recipe);
          return recipe;
        },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          if (ledger.imports[0].table.failed == 0) return judgement.SaysNothing("the library calls no such function");
          RefusedOrRight("XAPI-RET-05", ledger, judgement);
        },
})};

// XAPI-RET-05, as above, where the function does not say why: what it returns decides, and not the exception.
const Register kSilentFailure{OfTables({
    .id = "exchange-api/consumer/silent-failure-gives-nothing",
    .rules = {"XAPI-RET-05"},
    .on_refusal = OnRefusal::kJudge,
    .seldom = true,
    .draw =
        [](Draw& draw) {
          Recipe recipe = DrawTabled(draw);
          recipe.table.silent_slots =
              FunctionBit(draw.Pick(2) == 0 ? TableFunction::kFromObject : TableFunction::kView);
          AskForCopy(draw, recipe);
          return recipe;
        },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          if (ledger.imports[0].table.failed == 0) return judgement.SaysNothing("the library calls no such function");
          RefusedOrRight("XAPI-RET-05", ledger, judgement);
        },
})};

// C-OWN-15, C-DEVICE-08, C-DTYPE-13: What a table gives is the consumer's: where it can make nothing of the type or the
// device it refuses, and releases the tensor once.
const Register kUnusableIsReleased{OfTables({
    .id = "exchange-api/consumer/unusable-tensors-of-a-table-are-released",
    .rules = {"C-OWN-15", "C-DEVICE-08", "C-DTYPE-13"},
    .on_refusal = OnRefusal::kJudge,
    .draw =
        [](Draw& draw) {
          Recipe recipe = DrawTabled(draw);
          MakeUnusable(draw, recipe.offer());
          SetLife(recipe, {Op::kImport, Op::kDescribe, Op::kDropProducer, Op::kDropArray, Op::kCollect});
          return recipe;
        },
    .judge =
        [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
          if (TakesNothingThere(ledger, judgement)) return;
          ReleasedOnce("C-OWN-15", recipe, ledger, judgement);
          NotTakenForHost("C-DEVICE-08", recipe, ledger, judgement,
                          "memory of another device was taken for host memory");
          if (ledger.imports[0].result.known_dtype == 0) return;
          DtypeMatches("C-DTYPE-13", recipe.offer().dtype, ledger, judgement,
                       "a type that does not exist was read as another type");
        },
})};

// XAPI-STREAM-03: Nobody has to ask for the stream of a tensor on the CPU: where it is not answered, the tensor comes.
const Register kStreamIsNoMatter{OfTables({
    .id = "exchange-api/consumer/cpu-tensors-need-no-work-stream",
    .rules = {"XAPI-STREAM-03"},
    .on_refusal = OnRefusal::kWarn,
    .draw =
        [](Draw& draw) {
          Recipe recipe = DrawTabled(draw);
          recipe.table.failing_slots = FunctionBit(TableFunction::kStream);
          return recipe;
        },
    .control = [](Recipe& recipe) { recipe.table.failing_slots = 0; },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          if (TakesNothingThere(ledger, judgement)) return;
          ElementsMatch("XAPI-STREAM-03", ledger, judgement);
        },
})};

// XAPI-ALLOC-11: SetError works in the thread state in which the allocator calls it: here without the GIL.
const Register kSetErrorNeedsNoGil{OfTables({
    .id = "exchange-api/consumer/set-error-works-without-the-gil",
    .rules = {"XAPI-ALLOC-11"},
    .on_refusal = OnRefusal::kJudge,
    .draw =
        [](Draw& draw) {
          Recipe recipe = DrawTabled(draw);
          recipe.table.failing_slots = FunctionBit(TableFunction::kAllocator);
          return recipe;
        },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          if (!Called(ledger, TableFunction::kAllocator)) {
            return judgement.SaysNothing("the library never calls the allocator");
          }
          RefusedOrRight("XAPI-ALLOC-11", ledger, judgement);
        },
})};

// XAPI-FROM-03: Objects are given to functions of the table that was found on their own type: here two producers have
// a type and a table each.
const Register kEachTypeHasItsTable{OfTables({
    .id = "exchange-api/consumer/each-type-is-served-by-its-own-table",
    .rules = {"XAPI-FROM-03"},
    .on_refusal = OnRefusal::kJudge,
    .draw =
        [](Draw& draw) {
          Recipe recipe = DrawTabled(draw);
          SetLife(recipe,
                  {Step{.op = Op::kImport}, Step{.op = Op::kImport, .slot = 1}, Step{.op = Op::kRead, .slot = 1},
                   Step{.op = Op::kDropArray}, Step{.op = Op::kDropArray, .slot = 1}});
          return recipe;
        },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          if (!Called(ledger, TableFunction::kFromObject, 1) && TakesNothingThere(ledger, judgement)) return;
          for (const char* fact : {"import0.table.foreign", "import1.table.foreign"}) {
            const int slot = fact[6] - '0';
            Check(ledger.imports[slot].table.foreign == 0, ledger, judgement, "XAPI-FROM-03", fact, "none",
                  "an object was given to the table of another type");
          }
        },
})};

// XAPI-DLT-03: Shape and strides of a DLTensor without a manager are used only until control returns to the producer:
// then they cannot be read here any more.
const Register kViewIsShortLived{OfTables({
    .id = "exchange-api/consumer/views-are-not-used-for-longer-than-they-live",
    .rules = {"XAPI-DLT-03"},
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          if (!Called(ledger, TableFunction::kView)) return judgement.SaysNothing("the library asks for no view");
          ElementsMatch("XAPI-DLT-03", ledger, judgement);
        },
})};

// XAPI-USE-02: Functions that take or make Python objects are called with the GIL.
const Register kGilIsHeld{OfTables({
    .id = "exchange-api/consumer/python-functions-are-called-with-the-gil",
    .rules = {"XAPI-USE-02"},
    .on_refusal = OnRefusal::kJudge,
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          if (ledger.imports[0].table.called == 0) return judgement.SaysNothing("the library calls no function");
          const int allowed = FunctionBit(TableFunction::kAllocator);
          Check((ledger.imports[0].table.without_gil & ~allowed) == 0, ledger, judgement, "XAPI-USE-02",
                "import0.table.without_gil", "none | allocator", "a function was called without the GIL");
        },
})};

// XAPI-USE-03: A table is const, and nobody frees it: this one lies in memory that cannot be written.
const Register kTableIsConst{OfTables({
    .id = "exchange-api/consumer/tables-are-neither-written-nor-freed",
    .rules = {"XAPI-USE-03"},
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          if (TakesNothingThere(ledger, judgement)) return;
          ElementsMatch("XAPI-USE-03", ledger, judgement);
        },
})};

/// The import of slot 0 is asked for something; that of slot 1 shows whether the library uses tables at all.
Recipe DrawAsked(Draw& draw) {
  Recipe recipe = DrawTabled(draw);
  recipe.call() = {};
  AddCall(recipe, recipe.call());
  SetLife(recipe, {Step{.op = Op::kImport, .slot = 1, .call = 1}, Step{.op = Op::kImport}, Step{.op = Op::kDescribe},
                   Step{.op = Op::kRead}, Step{.op = Op::kDropArray}, Step{.op = Op::kDropArray, .slot = 1}});
  return recipe;
}

// XAPI-USE-05: copy= holds although a table cannot express it.
const Register kCopyHolds{OfTables({
    .id = "exchange-api/consumer/copy-holds-beside-a-table",
    .rules = {"XAPI-USE-05"},
    .on_refusal = OnRefusal::kJudge,
    .needs = {Claim::kCopyKeyword},
    .draw =
        [](Draw& draw) {
          Recipe recipe = DrawAsked(draw);
          recipe.offer().flags &= ~abi::kFlagIsCopied;  // then nobody has to copy again
          recipe.call().copy.kind = draw.Pick(2) == 0 ? ArgumentKind::kTrue : ArgumentKind::kFalse;
          return recipe;
        },
    .judge =
        [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
          if (TakesNothingThere(ledger, judgement, 1)) return;
          if (Refused(ledger)) return judgement.Holds();
          const Description& result = ledger.imports[0].result;
          if (!result.valid || !result.has_pointer) return judgement.SaysNothing("the library describes no address");
          if (IsEmpty(recipe.offer()) || ledger.imports[0].place.area == Area::kNull) {
            return judgement.SaysNothing("there are no elements");
          }
          const bool copy = recipe.call().copy.kind == ArgumentKind::kTrue;
          Check(ledger.imports[0].Aliases() != copy, ledger, judgement, "XAPI-USE-05", "import0.aliases",
                copy ? "0" : "1",
                copy ? "copy=True shares the memory of the table's tensor" : "copy=False copied the table's tensor");
        },
})};

// XAPI-USE-05: device= holds although a table cannot express it: what comes lies on the device that was asked for.
const Register kDeviceHolds{OfTables({
    .id = "exchange-api/consumer/device-holds-beside-a-table",
    .rules = {"XAPI-USE-05"},
    .on_refusal = OnRefusal::kJudge,
    .needs = {Claim::kDeviceKeyword},
    .draw =
        [](Draw& draw) {
          Recipe recipe = DrawAsked(draw);
          recipe.call().dl_device = {ArgumentKind::kPair, {}, draw.Pick(2) == 0 ? abi::kDLCUDA : abi::kDLROCM, 0};
          return recipe;
        },
    .judge =
        [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
          if (TakesNothingThere(ledger, judgement, 1)) return;
          if (Refused(ledger)) return judgement.Holds();
          const Description& result = ledger.imports[0].result;
          if (!result.valid || !result.has_device) return judgement.SaysNothing("the library describes no device");
          const Argument& asked = recipe.call().dl_device;
          Check(result.device.device_type == asked.a, ledger, judgement, "XAPI-USE-05", "import0.device",
                AsText(abi::DLDevice{static_cast<int32_t>(asked.a), 0}),
                "the table's tensor is taken for the one on another device that was asked for");
        },
})};

}  // namespace
}  // namespace dlpack_cts
