// suites/python/other_objects.cc: producers of other classes, whose attributes raise, or that refer to their import.
#include <algorithm>
#include <iterator>
#include <utility>

#include "harness/case/case.h"
#include "harness/case/controls.h"
#include "harness/case/judges.h"
#include "harness/case/needs.h"

namespace dlpack_cts {
namespace {

constexpr int kUsual = 0;
constexpr int kCycle = 1;

/// The simplest tensor, of an object that is in `gives` at the row.
template <const auto& kGiving>
Recipe DrawOf(Draw& draw) {
  Recipe recipe = Releasable(draw.PlainImport(draw.NewestTakenKind()));
  recipe.offer().seed = draw.random.Next();
  recipe.offer().alignment_log2 = 8;
  recipe.offer().keywords = kIgnoresKeywords;
  recipe.offer().gives = kGiving[static_cast<size_t>(draw.index)];
  return recipe;
}

/// Classes whose objects have both methods. A consumer that looks up special methods on the class, as CPython does,
/// finds none in the last three.
constexpr Gives kClasses[] = {Gives::kInherits,   Gives::kNoModule,  Gives::kNoneForModule, Gives::kOfMetaclass,
                              Gives::kOfInstance, Gives::kByGetattr, Gives::kStatic};
constexpr Gives kRaising[] = {Gives::kOthersRaise, Gives::kTableRaises, Gives::kDeviceLookupRaises,
                              Gives::kLookupRaises};
constexpr Gives kInterrupting[] = {Gives::kInterrupts};

Degree DegreeOf(Gives gives) {
  if (gives == Gives::kInherits) return Degree::kRule;
  const bool on_class = gives == Gives::kNoModule || gives == Gives::kNoneForModule || gives == Gives::kOfMetaclass;
  return on_class ? Degree::kWarn : Degree::kNote;
}

Case OfOtherObject(Case made) {
  made.on_refusal = OnRefusal::kJudge;
  made.blocked = TakesObjects;
  return OfPythonConsumer(std::move(made));
}

const RegisterCases<OfOtherObject> kCases = {
    // PY-FROM-01: It does not matter how an object has its methods, or which attributes its class lacks.
    {.id = "python/from/objects-of-other-classes-are-taken",
     .rules = {"PY-FROM-01"},
     .examples = Examples::kTable,
     .table = 7,
     .draw = DrawOf<kClasses>,
     .control = control::UsualProducer,
     .judge =
         [](const Recipe& recipe, const Ledger&, Judgement& judgement) {
           constexpr std::string_view kRefused[] = {
               "a tensor is refused if the class of its producer inherits the methods",
               "a tensor is refused if the class of its producer has no __module__",
               "a tensor is refused if __module__ of its producer's class is None",
               "a tensor is refused if its producer is a class, whose metaclass has the methods",
               "a tensor is refused if the methods are attributes of its producer, and not of the class",
               "a tensor is refused if __getattr__ of its producer finds the methods",
               "a tensor is refused if the methods of its producer are static"};
           const Gives gives = recipe.offer().gives;
           const auto* const row = std::ranges::find(kClasses, gives);
           if (row == std::end(kClasses)) return judgement.SaysNothing("the producer is of the usual class");
           ReleasedOnce(recipe, judgement, {.rule = "PY-CAPSULE-11"});
           if (!judgement.Expect("import0.outcome", Is(Outcome::kAccepted), kRefused[row - kClasses],
                                 {.degree = DegreeOf(gives)})) {
             return;
           }
           ElementsMatch(judgement, "a tensor is imported with wrong elements if its producer is of another class");
         }},

    // PY-CAPSULE-11: An import that fails because the look-up of an attribute raises releases the tensor, too. An
    // import may pass this exception on, or need no such attribute. PY-FROM-08: One that fails raises it.
    {.id = "python/from/attributes-that-raise-do-no-harm",
     .rules = {"PY-CAPSULE-11", "PY-FROM-08"},
     .examples = Examples::kTable,
     .table = 4,
     .draw = DrawOf<kRaising>,
     .control = control::UsualProducer,
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           ReleasedOnce(recipe, judgement);
           if (Accepted(ledger)) {
             if (recipe.offer().gives != Gives::kLookupRaises) {
               ElementsMatch(judgement,
                             "a tensor is imported with wrong elements if the look-up of an attribute raises");
               return;
             }
             judgement.Expect("import0.outcome", Is(Outcome::kRefused),
                              "from_dlpack returns an array although the look-up of __dlpack__ raises");
             return;
           }
           judgement.Expect("import0.exception", Is("RuntimeError"),
                            "from_dlpack raises a different exception than the look-up of an attribute raised",
                            {.rule = "PY-FROM-08",
                             .degree = Degree::kNote,
                             .when = ledger.imports[0].import.builtin.view() != "RuntimeError"});
         }},

    // PY-FROM-08: An interrupt during __dlpack__ reaches the caller, as every exception does.
    {.id = "python/from/interrupts-of-the-producer-arrive",
     .rules = {"PY-FROM-08"},
     .examples = Examples::kTable,
     .table = 1,
     .draw = DrawOf<kInterrupting>,
     .control = control::UsualProducer,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const ImportLedger& import = ledger.imports[0];
           const bool raised =
               std::ranges::any_of(CallsOf(import), [](const ProducerCall& call) { return call.raised != 0; });
           if (!raised) return judgement.SaysNothing("the library did not call __dlpack__");
           if (!judgement.Expect("import0.outcome", Is(Outcome::kRefused),
                                 "from_dlpack returns an array although __dlpack__ raised KeyboardInterrupt")) {
             return;
           }
           judgement.Expect("import0.exception", Is("KeyboardInterrupt"),
                            "from_dlpack raises a different exception than KeyboardInterrupt, which __dlpack__ raised",
                            {.when = import.import.builtin.view() != "KeyboardInterrupt"});
         }},
};

Case OfCycles(Case made) {
  made.uncontrolled = uncontrolled::kSteps;
  return OfOtherObject(std::move(made));
}

const RegisterCases<OfCycles> kCycles = {
    // PY-FROM-15: A result may keep its producer. If the producer refers to the result, only the garbage collector can
    // release both, so the class of the result has to show the reference to it.
    {.id = "python/references/cycle-with-the-producer-is-collected",
     .rules = {"PY-FROM-15"},
     .draw =
         [](Draw& draw) {
           Recipe recipe = Releasable(draw.Import());
           recipe.offer().gives = Gives::kCapsule;
           recipe.offer().deleter = DeleterKind::kCounting;
           recipe.call() = {};
           AddOffer(recipe, recipe.offer()).gives = Gives::kKeepsArray;
           SetLife(recipe, {{.op = Op::kImport, .slot = kUsual},
                            {.op = Op::kDropArray, .slot = kUsual},
                            {.op = Op::kDropCapsule, .slot = kUsual},
                            {.op = Op::kDropProducer, .slot = kUsual},
                            {.op = Op::kImport, .slot = kCycle, .block = 1},
                            {.op = Op::kDropArray, .slot = kCycle},
                            {.op = Op::kDropCapsule, .slot = kCycle},
                            {.op = Op::kDropProducer, .slot = kCycle},
                            {.op = Op::kCollect}});
           return recipe;
         },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (!Accepted(ledger, kUsual) || !Accepted(ledger, kCycle)) {
             return judgement.SaysNothing("the tensor was not accepted");
           }
           if (ledger.imports[kUsual].released == 0) {
             return judgement.SaysNothing("the tensor of a usual producer was not released");
           }
           judgement.Expect("importS.released", Is(true),
                            "the tensor is never released if its producer refers to the imported array",
                            {.slot = kCycle, .degree = Degree::kWarn});
         }},
};

}  // namespace
}  // namespace dlpack_cts
