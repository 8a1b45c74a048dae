// suites/python/from_objects.cc: producers whose integers have other classes, that import first, or that are imported
// while warnings are exceptions.
#include <utility>

#include "harness/case/case.h"
#include "harness/case/controls.h"
#include "harness/case/judges.h"
#include "harness/case/needs.h"

namespace dlpack_cts {
namespace {

constexpr int kUsual = 0;
constexpr int kOther = 1;

/// Any tensor of the usual producer, and the same tensor of another one.
Recipe DrawTwice(Draw& draw, Gives gives) {
  Recipe recipe = Releasable(draw.Import());
  recipe.offer().gives = Gives::kCapsule;
  recipe.offer().deleter = DeleterKind::kCounting;
  recipe.call() = {};
  AddOffer(recipe, recipe.offer()).gives = gives;
  SetLife(recipe, {{.op = Op::kImport, .slot = kUsual},
                   {.op = Op::kDropArray, .slot = kUsual},
                   {.op = Op::kImport, .slot = kOther, .block = 1},
                   {.op = Op::kDescribe, .slot = kOther},
                   {.op = Op::kRead, .slot = kOther},
                   {.op = Op::kDropArray, .slot = kOther}});
  return recipe;
}

/// The tensor of the other producer is imported, with its elements, if that of the usual one is.
Judge JudgeOther(std::string_view refused, std::string_view wrong, Degree degree) {
  return [=](const Recipe&, const Ledger& ledger, Judgement& judgement) {
    if (!Accepted(ledger, kUsual)) return judgement.SaysNothing("the tensor of a usual producer was not accepted");
    if (!judgement.Expect("importS.outcome", Is(Outcome::kAccepted), refused, {.slot = kOther, .degree = degree})) {
      return;
    }
    ElementsMatch(judgement, wrong, {.slot = kOther});
  };
}

Case OfObjectImport(Case made) {
  made.on_refusal = OnRefusal::kJudge;
  made.uncontrolled = uncontrolled::kSteps;
  made.blocked = TakesObjects;
  return OfPythonConsumer(std::move(made));
}

const RegisterCases<OfObjectImport> kCases = {
    // PY-FROM-01: The device type that __dlpack_device__ returns may be an enumerator, as the array API writes it.
    {.id = "python/from/device-types-may-be-enumerators",
     .rules = {"PY-FROM-01"},
     .draw = [](Draw& draw) { return DrawTwice(draw, Gives::kEnumForDevice); },
     .judge = JudgeOther("a tensor is refused if __dlpack_device__ returns an enumerator",
                         "a tensor is imported with wrong elements if __dlpack_device__ returns an enumerator",
                         Degree::kRule)},

    // PY-FROM-01: An object of a subclass of tuple or int is a tuple or an int.
    {.id = "python/from/devices-may-be-objects-of-subclasses",
     .rules = {"PY-FROM-01"},
     .draw = [](Draw& draw) { return DrawTwice(draw, Gives::kSubclassForDevice); },
     .judge = JudgeOther("a tensor is refused if __dlpack_device__ returns an object of a subclass of tuple",
                         "a tensor is imported with wrong elements if __dlpack_device__ returns a subclass of tuple",
                         Degree::kWarn)},

    // PY-FROM-01: An object that has __index__, as NumPy's integers have, is not an int. It may be refused, and is not
    // misread.
    {.id = "python/from/devices-of-index-objects-are-not-misread",
     .rules = {"PY-FROM-01"},
     .draw = [](Draw& draw) { return DrawTwice(draw, Gives::kIndexForDevice); },
     .judge =
         JudgeOther("a tensor is refused if __dlpack_device__ returns objects that have __index__ and are not ints",
                    "a tensor is imported with wrong elements if __dlpack_device__ returns objects with __index__",
                    Degree::kNote)},

    // PY-FROM-14: __dlpack__ may run any Python code, also code that imports another tensor with the same library.
    {.id = "python/earlier/import-around-another-one-is-as-usual",
     .rules = {"PY-FROM-14"},
     .draw = [](Draw& draw) { return DrawTwice(draw, Gives::kImportsFirst); },
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           const Answer taken = ledger.imports[kOther].taken_within;
           if (!Accepted(ledger, kUsual))
             return judgement.SaysNothing("the tensor of a usual producer was not accepted");
           JudgeOther("a tensor is refused if its producer imports another tensor",
                      "a tensor is imported with wrong elements if its producer imports another tensor",
                      Degree::kRule)(recipe, ledger, judgement);
           judgement.Expect("importS.taken_within", Is(Answer::kYes),
                            "the library cannot import a tensor while it calls __dlpack__ of another one",
                            {.slot = kOther, .when = taken != Answer::kUnknown});
           ReleasedOnce(recipe, judgement, {.rule = "C-OWN-02", .slot = kOther});
         }},

    // PY-CAPSULE-11: A warning of the library may be an exception. However such an import ends, the tensor is released
    // once.
    {.id = "python/from/imports-with-strict-warnings-release-the-tensor",
     .rules = {"PY-CAPSULE-11"},
     .draw =
         [](Draw& draw) {
           Recipe recipe = Releasable(draw.Import());
           recipe.call() = {};
           SetLife(recipe, {{.op = Op::kImport, .context = Context::kStrictWarnings},
                            {.op = Op::kDescribe},
                            {.op = Op::kRead},
                            {.op = Op::kDropArray},
                            {.op = Op::kDropProducer},
                            {.op = Op::kDropCapsule}});
           return recipe;
         },
     .judge = [](const Recipe& recipe, const Ledger&, Judgement& judgement) { ReleasedOnce(recipe, judgement); }},
};

const RegisterCases<OfPythonProducer> kExports = {
    // PY-DLPACK-12: A warning of the library may be an exception. An export that ends so leaves no reference to the
    // array.
    {.id = "python/dlpack/exports-with-strict-warnings-leave-nothing-behind",
     .rules = {"PY-DLPACK-12"},
     .on_refusal = OnRefusal::kJudge,
     .draw =
         [](Draw& draw) {
           Recipe recipe = draw.ExportOrCopy();
           SetLife(recipe, {{.op = Op::kMake},
                            {.op = Op::kExport, .context = Context::kStrictWarnings},
                            {.op = Op::kDropSource},
                            {.op = Op::kLoseCapsule},
                            {.op = Op::kCollect}});
           return recipe;
         },
     .uncontrolled = uncontrolled::kMemory,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (!ledger.sources[0].alive_known)
             return judgement.SaysNothing("it cannot be observed when the library frees an array object");
           judgement.Expect("source0.alive_at_end", IsNot(true, false),
                            "the array is still referenced after it was exported with warnings as exceptions");
         }},
};

}  // namespace
}  // namespace dlpack_cts
