// suites/python/source_after.cc: the library's own array after an exchange: still writable, and described as before.
#include <initializer_list>

#include "harness/case/arguments.h"
#include "harness/case/case.h"
#include "harness/case/controls.h"
#include "harness/case/judges.h"
#include "harness/case/keywords.h"
#include "harness/case/needs.h"
#include "suites/python/earlier.h"

namespace dlpack_cts {
namespace {

/// An array that is exported, written and described, then takes part in an exchange, and is written, described and
/// exported again. The first export is not judged: it is the control of the last one.
void SetLifeAround(Recipe& recipe, const Step& exchange, const Step& end) {
  AddCall(recipe, recipe.call());
  SetLife(recipe, {{Op::kMake},
                   {.op = Op::kExport, .slot = kBefore, .call = 1},
                   {.op = Op::kLoseCapsule, .slot = kBefore},
                   {Op::kWriteMade},
                   {Op::kDescribeSource},
                   exchange,
                   end,
                   {Op::kCollect},
                   {Op::kWriteMade},
                   {Op::kDescribeSource},
                   {Op::kReadSource},
                   {.op = Op::kExport, .slot = kAfter, .call = 1},
                   {.op = Op::kLoseCapsule, .slot = kAfter},
                   {Op::kDropSource}});
}

/// An export with a keyword that no library grants.
void MakeUnacceptable(Call& call, int how) {
  switch (how) {
    case 0:
      call.max_version = {ArgumentKind::kOneTuple, {}, 1, 0};
      break;
    case 1:
      call.dl_device = argument::Pair(abi::kDLVulkan, 0);
      break;
    case 2:
      call.unknown_keyword = 1;
      break;
    default:
      call.dl_device = argument::Pair(abi::kDLVulkan, 0);
      call.copy = argument::kTrue;
      break;
  }
}

/// What the array was before the exchange it is after it. `Terms::rule` and its degree are those of the breach.
void SourceIsAsBefore(const Ledger& ledger, const Terms& terms, Judgement& judgement) {
  const SourceLedger& source = ledger.sources[0];
  const bool writes = source.first_write == WriteShown::kShown || source.first_write == WriteShown::kRefused;
  if (!writes && source.description.valid == 0) {
    return judgement.SaysNothing("the adapter neither describes nor writes the array");
  }
  const bool was_writable = source.first_write == WriteShown::kShown;
  Terms written = terms;
  // A write that does not show is a matter of what the library keeps (C-OWN-16), not of permission.
  written.when = writes && (source.write == WriteShown::kShown || source.write == WriteShown::kRefused);
  judgement.Expect("source0.write", Is(source.first_write),
                   was_writable ? "an array that was writable before the exchange cannot be written after it"
                                : "an array that was read-only before the exchange can be written after it",
                   written);
  Terms described = terms;
  described.when = source.description.valid != 0;
  judgement.Expect("source0.changed", Is(PartSet{}),
                   "the library describes the array differently after the exchange than before it", described);
}

/// An array that is written: with at least one element.
Recipe DrawArray(Draw& draw, bool both) {
  Limits limits = both ? draw.both() : draw.made();
  limits.empty = false;
  Recipe recipe = draw.Export(limits);
  recipe.call() = draw.PlainCall();
  AskForVersioned(draw, recipe);
  return recipe;
}

const RegisterCases<OfPythonConsumer> kImports = {
    // PY-FROM-13: A library that imports its own array leaves it as it was, whether the import is a copy, or is
    // refused.
    {.id = "python/source/import-leaves-it-as-before",
     .rules = {"PY-FROM-13"},
     .on_refusal = OnRefusal::kJudge,
     .needs = {Claim::kProducer},
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawArray(draw, true);
           SetLifeAround(recipe, {.op = Op::kImportSource, .slot = kBetween}, {.op = Op::kDropArray, .slot = kBetween});
           Call& call = recipe.call();
           call = {};
           const int how = draw.Pick(4);
           if (how == 1 && draw.profile.Claims(Claim::kCopyKeyword)) call.copy = argument::kTrue;
           if (how == 2 && draw.profile.Claims(Claim::kDeviceKeyword))
             call.dl_device = argument::Pair(abi::kDLVulkan, 0);
           return recipe;
         },
     .uncontrolled = uncontrolled::kSteps,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (ledger.imports[kBetween].import.outcome == Outcome::kNotRun) {
             return judgement.SaysNothing("the array was not passed to from_dlpack");
           }
           SourceIsAsBefore(ledger, {.rule = "PY-FROM-13"}, judgement);
           if (Exported(ledger, kBefore)) ExportIsAsBefore(ledger, judgement);
         }},
};

const RegisterCases<OfPythonProducer> kExports = {
    // PY-FROM-13, PY-DLPACK-06: An export whose capsule is gone leaves the array as it was. The same holds for a copy.
    {.id = "python/source/export-leaves-it-as-before",
     .rules = {"PY-DLPACK-06", "PY-FROM-13"},
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawArray(draw, false);
           draw.SometimesCopy(recipe);
           SetLife(recipe, {{Op::kMake},
                            {Op::kWriteMade},
                            {Op::kDescribeSource},
                            {Op::kExport},
                            {Op::kLoseCapsule},
                            {Op::kCollect},
                            {Op::kWriteMade},
                            {Op::kDescribeSource},
                            {Op::kReadSource},
                            {Op::kDropSource}});
           return recipe;
         },
     .judge = [](const Recipe&, const Ledger& ledger,
                 Judgement& judgement) { SourceIsAsBefore(ledger, {.rule = "PY-DLPACK-06"}, judgement); }},

    // PY-DLPACK-06: The array stays as it was while its export exists.
    {.id = "python/source/living-export-leaves-it-as-before",
     .rules = {"PY-DLPACK-06"},
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawArray(draw, false);
           draw.SometimesCopy(recipe);
           SetLife(recipe, {{Op::kMake},
                            {Op::kWriteMade},
                            {Op::kDescribeSource},
                            {Op::kExport},
                            {Op::kWriteMade},
                            {Op::kDescribeSource},
                            {Op::kLoseCapsule},
                            {Op::kDropSource}});
           return recipe;
         },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           // A library may lock its array as long as others use its memory.
           SourceIsAsBefore(ledger, {.degree = Degree::kWarn}, judgement);
         }},

    // PY-DLPACK-12: An export that is refused leaves the array as it was.
    {.id = "python/source/refused-export-leaves-it-as-before",
     .rules = {"PY-DLPACK-12"},
     .on_refusal = OnRefusal::kJudge,
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawArray(draw, false);
           SetLifeAround(recipe, {.op = Op::kExport, .slot = kBetween}, {.op = Op::kLoseCapsule, .slot = kBetween});
           MakeUnacceptable(recipe.call(), draw.Pick(4));
           return recipe;
         },
     .uncontrolled = uncontrolled::kSteps,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (ledger.exports[kBetween].export_call.outcome != Outcome::kRefused) {
             return judgement.SaysNothing("the export was not refused");
           }
           // python/earlier/ compares the exports before and after it.
           SourceIsAsBefore(ledger, {.rule = "PY-DLPACK-12"}, judgement);
         }},
};

}  // namespace
}  // namespace dlpack_cts
