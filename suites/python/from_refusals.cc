// suites/python/from_refusals.cc: how from_dlpack refuses: with which exception, and without a leak.
#include "harness/case/arguments.h"
#include "harness/case/case.h"
#include "harness/case/controls.h"
#include "harness/case/judges.h"
#include "harness/case/needs.h"

namespace dlpack_cts {
namespace {

void MoveAway(Draw& draw, Offer& offer) {
  PutOn(offer, {ForeignDevice(draw.profile, draw.Pick(8)), 0}, Placement::kUnmapped);
}

const RegisterCases<OfPythonConsumer> kCases = {
    // PY-FROM-09: from_dlpack raises BufferError for a device that it does not support, also with copy=True if the
    // producer does not move the data. An array that only carries the tensor is not a violation.
    {.id = "python/from/unsupported-device-is-a-buffer-error",
     .rules = {"PY-FROM-09"},
     .on_refusal = OnRefusal::kJudge,
     .blocked = TakesPlain,
     .draw =
         [](Draw& draw) {
           Recipe recipe = Releasable(draw.Import());
           MoveAway(draw, recipe.offer());
           const bool copy = draw.profile.Claims(Claim::kCopyKeyword) && draw.Pick(3) == 0;
           if (!copy) return recipe;
           recipe.call().copy.kind = ArgumentKind::kTrue;
           recipe.offer().keywords = kIgnoresKeywords;
           return recipe;
         },
     .control = control::OnCpu,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const Refusal& refusal = ledger.imports[0].import;
           if (refusal.outcome != Outcome::kRefused) return judgement.SaysNothing("the tensor was not refused");
           judgement.Expect("import0.exception", Is("BufferError"),
                            "from_dlpack raises an exception other than BufferError for an unsupported device",
                            {.degree = Degree::kWarn, .when = refusal.buffer_error == 0});
         }},

    // PY-FROM-10: After a failed import the producer's tensor is released, whether the tensor or a keyword was the
    // reason.
    {.id = "python/from/failed-import-releases-the-tensor",
     .rules = {"PY-FROM-10"},
     .on_refusal = OnRefusal::kJudge,
     .blocked = TakesPlain,
     .draw =
         [](Draw& draw) {
           const bool legacy = draw.profile.takes_versioned == 0 || (draw.profile.takes_legacy && draw.Pick(2) == 0);
           Recipe recipe = Releasable(draw.PlainImport(legacy ? StructKind::kLegacy : StructKind::kVersioned));
           recipe.offer().keywords = kIgnoresKeywords;
           const bool moves = draw.profile.Claims(Claim::kDeviceKeyword);
           const bool copies = draw.profile.Claims(Claim::kCopyKeyword);
           switch (draw.Pick(5)) {
             case 0:
               recipe.offer().dtype.code = 200;
               return recipe;
             case 1:
               if (copies) recipe.call().copy.kind = ArgumentKind::kTrue;
               return recipe;
             case 2:
               if (copies) recipe.call().copy.kind = ArgumentKind::kFalse;
               return recipe;
             case 3:
               if (moves) recipe.call().dl_device = argument::Pair(abi::kDLCUDA, 0);
               return recipe;
             default:
               MoveAway(draw, recipe.offer());
               return recipe;
           }
         },
     .uncontrolled = uncontrolled::kMemory,
     .judge = [](const Recipe& recipe, const Ledger&, Judgement& judgement) { ReleasedOnce(recipe, judgement); }},

    // PY-FROM-11: Every well-formed tensor is imported or refused with an exception, without an abort, a hang or an
    // access outside the tensor. An abort is reported as CRASH, and a hang as TIMEOUT.
    {.id = "python/from/well-formed-tensors-are-taken-or-refused",
     .rules = {"PY-FROM-11"},
     .examples = Examples::kSweep,
     .on_refusal = OnRefusal::kJudge,
     .draw = [](Draw& draw) { return draw.Import(Tier::kEdge); },
     .uncontrolled = uncontrolled::kMemory,
     .judge = Expects("faults", Is(0), "the library accesses memory that it must not access")},
};

}  // namespace
}  // namespace dlpack_cts
