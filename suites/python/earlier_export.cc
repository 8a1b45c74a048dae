// suites/python/earlier_export.cc: exports after other exports: refused ones, ones with keywords, ones on another
// thread.
#include <utility>

#include "harness/case/arguments.h"
#include "harness/case/needs.h"
#include "suites/python/earlier.h"

namespace dlpack_cts {
namespace {

constexpr int kSources = 3;

/// Any array, exported by the simplest call before and after a second call, which is a copy of the first one. With
/// `arrays`, each export is that of a new array.
Recipe DrawAround(Draw& draw, Context context = Context::kUsual, bool arrays = false) {
  Recipe recipe = draw.Export();
  recipe.call() = draw.PlainCall();
  if (draw.profile.makes_versioned != 0 && draw.Pick(2) == 0) recipe.call().max_version = kNewestVersion;
  AddCall(recipe, recipe.call());
  const auto of = [arrays](int slot) { return arrays ? OtherOf(slot) : Other::kNone; };
  SetLife(recipe, {{.op = Op::kMake},
                   {.op = Op::kExport, .slot = kBefore, .other = of(kBefore)},
                   {.op = Op::kLoseCapsule, .slot = kBefore}});
  if (arrays) AddStep(recipe, {.op = Op::kMake, .slot = kBetween});
  AddStep(recipe, {.op = Op::kExport, .slot = kBetween, .other = of(kBetween), .call = 1, .context = context});
  AddStep(recipe, {.op = Op::kLoseCapsule, .slot = kBetween});
  if (arrays) AddStep(recipe, {.op = Op::kMake, .slot = kAfter});
  AddStep(recipe, {.op = Op::kExport, .slot = kAfter, .other = of(kAfter)});
  AddStep(recipe, {.op = Op::kReadExport, .slot = kAfter});
  AddStep(recipe, {.op = Op::kLoseCapsule, .slot = kAfter});
  for (int slot = 0; slot < (arrays ? kSources : 1); ++slot) {
    AddStep(recipe, {.op = Op::kDropSource, .other = OtherOf(slot)});
  }
  return recipe;
}

/// Arguments that every producer may refuse.
void MakeRefused(Call& call, int how) {
  switch (how) {
    case 0:
      call.max_version = argument::Int(1);
      return;
    case 1:
      call.max_version = {ArgumentKind::kOneTuple, {}, 1, 0};
      return;
    case 2:
      call.dl_device = argument::Pair(abi::kDLVulkan, 0);
      return;
    case 3:
      call.unknown_keyword = 1;
      return;
    case 4:
      call.copy = {ArgumentKind::kString, {}, 0, 0};
      return;
    default:
      call.stream = {ArgumentKind::kObject, {}, 0, 0};
      return;
  }
}

/// Arguments that every producer may grant.
void MakeSpecial(Call& call, int how) {
  constexpr Argument kVersions[] = {argument::Pair(1, 0), argument::Pair(1, 3), argument::Pair(0, 8),
                                    argument::Pair(2, 0), argument::kNone};
  switch (how) {
    case 0:
      call.copy = argument::kTrue;
      return;
    case 1:
      call.copy = argument::kFalse;
      return;
    case 2:
      call.dl_device = argument::Pair(abi::kDLCPU, 0);
      return;
    default:
      call.max_version = kVersions[how - 3];
      return;
  }
}
constexpr int kRefused = 6;
constexpr int kSpecial = 8;

/// A case about an export after another one.
Case OfLaterExport(Case made) {
  made.on_refusal = OnRefusal::kJudge;
  made.uncontrolled = uncontrolled::kSteps;
  made.judge = [](const Recipe&, const Ledger& ledger, Judgement& judgement) { ExportIsAsBefore(ledger, judgement); };
  return OfPythonProducer(std::move(made));
}

const RegisterCases<OfLaterExport> kCases = {
    // PY-DLPACK-14: An export does not depend on an earlier one. Here the earlier one has arguments that are refused.
    {.id = "python/earlier/export-after-a-refused-export-is-as-before",
     .rules = {"PY-DLPACK-14"},
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawAround(draw);
           MakeRefused(recipe.call(1), draw.Pick(kRefused));
           return recipe;
         }},

    // PY-DLPACK-14, as above. The earlier export of the array has a keyword that the later one does not have.
    {.id = "python/earlier/export-after-keywords-is-as-before",
     .rules = {"PY-DLPACK-14"},
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawAround(draw);
           MakeSpecial(recipe.call(1), draw.Pick(kSpecial));
           return recipe;
         }},

    // PY-DLPACK-14, as above, for three arrays of one kind: what a library learns from one array does not hold for
    // another one.
    {.id = "python/earlier/export-of-another-array-is-as-before",
     .rules = {"PY-DLPACK-14"},
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawAround(draw, Context::kUsual, true);
           if (draw.Pick(2) == 0) {
             MakeRefused(recipe.call(1), draw.Pick(kRefused));
           } else {
             MakeSpecial(recipe.call(1), draw.Pick(kSpecial));
           }
           return recipe;
         }},

    // PY-DLPACK-14, as above. The earlier export runs on another thread.
    {.id = "python/earlier/export-after-another-thread-is-as-before",
     .rules = {"PY-DLPACK-14"},
     .draw = [](Draw& draw) { return DrawAround(draw, Context::kRawThread); }},
};

}  // namespace
}  // namespace dlpack_cts
