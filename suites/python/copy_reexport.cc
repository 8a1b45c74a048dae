// suites/python/copy_reexport.cc: copies of arrays that the library imported.
#include <utility>

#include "harness/case/arguments.h"
#include "harness/case/case.h"
#include "harness/case/judges.h"
#include "harness/case/keywords.h"
#include "harness/case/needs.h"
#include "harness/case/thresholds.h"

namespace dlpack_cts {
namespace {

constexpr Terms kCopied{.slot = 1};

/// Any tensor with elements, whose array is exported into slot 1 with copy=True.
Recipe DrawCopied(Draw& draw) {
  Limits limits = OfAnySize(draw);
  limits.empty = false;
  Recipe recipe = draw.Import(limits);
  Offer& offer = recipe.offer();
  offer.deleter = DeleterKind::kCounting;
  offer.flags &= abi::kFlagReadOnly;
  if (offer.large == 0) offer.placement = Placement::kEndsAtGuard;
  recipe.call() = {};
  AddCall(recipe, draw.PlainCall()).copy = argument::kTrue;
  if (draw.profile.makes_versioned) recipe.call(1).max_version = kNewestVersion;
  return recipe;
}

Case OfCopiedImport(Case made) {
  made.needs = {Claim::kReexport};
  made.blocked = KnowsCopy;
  return OfPythonProducer(std::move(made));
}

const RegisterCases<OfCopiedImport> kCases = {
    // PY-COPY-01: With copy=True an imported array is exported as a copy, too. C-DATA-15: The copy has its elements.
    // PY-COPY-04: IS_COPIED is set.
    {.id = "python/copy/copies-of-imported-arrays-are-apart",
     .rules = {"PY-COPY-01", "C-DATA-15", "PY-COPY-04"},
     .draw =
         [](Draw& draw) {
           return WithLife(DrawCopied, {{Op::kImport},
                                        {Op::kDescribe},
                                        {.op = Op::kReexport, .other = Other::kSlot1, .call = 1},
                                        {Op::kTakeCapsule, 1},
                                        {Op::kReadExport, 1},
                                        {Op::kDelete, 1},
                                        {Op::kRead},
                                        {Op::kDropArray}})(draw);
         },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (!IsReexported(judgement)) return;
           const ExportLedger& copy = ledger.exports[1];
           judgement.Expect("export1.points_at_source", AnyOf(false, kNothing),
                            "__dlpack__(copy=True) of an imported array exports the memory of the imported tensor",
                            {.degree = judgement.Says(Trait::kImmutable) ? Degree::kNote : Degree::kRule});
           const bool apart = copy.place.area != Area::kUnknown && !copy.IsAtSource();
           judgement.Expect("export1.flags", HasFlag(abi::kFlagIsCopied),
                            "DLPACK_FLAG_BITMASK_IS_COPIED is not set on a copy of an imported array",
                            {.rule = "PY-COPY-04", .when = apart && copy.versioned != 0});
           ExportMatches(judgement, "the elements of a copy of an imported array are not those of the imported tensor",
                         {.rule = "C-DATA-15", .slot = 1});
         }},

    // PY-COPY-09: A copy of an imported array stays valid when that array and the imported tensor are gone. C-OWN-06:
    // It does not keep the imported tensor after it was released itself.
    {.id = "python/copy/copies-of-imported-arrays-outlive-them",
     .rules = {"PY-COPY-09", "C-OWN-06"},
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawCopied(draw);
           recipe.offer().seal_on_delete = 1;
           SetLife(recipe, {{Op::kImport},
                            {.op = Op::kReexport, .other = Other::kSlot1, .call = 1},
                            {Op::kTakeCapsule, 1},
                            {Op::kDropProducer},
                            {Op::kDropCapsule},
                            {Op::kDropArray},
                            {Op::kCollect},
                            {Op::kReadExport, 1},
                            {Op::kDelete, 1},
                            {Op::kCollect}});
           return recipe;
         },
     .judge =
         [](const Recipe& recipe, const Ledger&, Judgement& judgement) {
           if (!IsReexported(judgement)) return;
           ExportMatches(judgement, "the elements of a copy are wrong after the imported array was dropped", kCopied);
           ReleasedOnce(recipe, judgement, {.rule = "C-OWN-06"});
         }},
};

}  // namespace
}  // namespace dlpack_cts
