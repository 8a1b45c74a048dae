// suites/python/from_dlpack.cc: the function from_dlpack: its keywords, and its result.
#include "harness/case/case.h"
#include "harness/case/controls.h"
#include "harness/case/judges.h"
#include "harness/case/needs.h"

namespace dlpack_cts {
namespace {

const RegisterCases<OfPythonConsumer> kCases = {
    // PY-FROM-02: A library that claims 2023.12 or later accepts from_dlpack(x, device=None, copy=None). None requests
    // nothing, so the result is that of a call without keywords. PY-FROM-04: Its values are right.
    {.id = "python/from/none-keywords-ask-for-nothing",
     .rules = {"PY-FROM-02", "PY-FROM-04"},
     .on_refusal = OnRefusal::kJudge,
     .needs = {Claim::kDeviceKeyword},
     .blocked = TakesPlain,
     .draw =
         [](Draw& draw) {
           Recipe recipe = draw.PlainImport(draw.TakenKind());
           recipe.offer().seed = draw.random.Next();
           recipe.call().dl_device.kind = ArgumentKind::kNone;
           const bool both = draw.profile.Claims(Claim::kCopyKeyword) && draw.Pick(2) == 0;
           if (both) recipe.call().copy.kind = ArgumentKind::kNone;
           return recipe;
         },
     .control = control::NoKeywords,
     .judge =
         [](const Recipe&, const Ledger&, Judgement& judgement) {
           if (!judgement.Expect("import0.outcome", Is(Outcome::kAccepted),
                                 "from_dlpack raises an exception for a keyword that is None")) {
             return;
           }
           ElementsMatch(judgement, {.rule = "PY-FROM-04"});
         }},

    // PY-FROM-03: If possible the result is a zero-copy view of the producer's memory. Each library decides what is
    // possible, so the case needs the claim zero_copy, and uses an aligned compact tensor of a supported dtype.
    {.id = "python/from/plain-tensors-are-shared",
     .rules = {"PY-FROM-03"},
     .needs = {Claim::kZeroCopy},
     .draw =
         [](Draw& draw) {
           Limits limits = draw.limits();
           limits.strided = limits.empty = limits.offset = limits.read_only = false;
           Recipe recipe = draw.Import(limits);
           recipe.offer().alignment_log2 = 8;
           recipe.offer().placement = Placement::kEndsAtGuard;
           recipe.offer().flags = 0;
           return recipe;
         },
     .judge =
         Where(TellsAddress, Expects("import0.aliases", Is(true),
                                     "an aligned compact tensor is not shared although the adapter claims zero_copy"))},

    // PY-CAPSULE-06, PY-CAPSULE-09: The rules for the capsule of a producer also hold for a bare capsule.
    {.id = "python/from/bare-capsule-is-taken-over",
     .rules = {"PY-CAPSULE-06", "PY-CAPSULE-07", "PY-CAPSULE-09"},
     .needs = {Claim::kCapsuleInput},
     .draw = WithLife([](Draw& draw) { return Releasable(draw.Import()); },
                      {Op::kImportCapsule, Op::kDescribe, Op::kDropCapsule, Op::kCollect, Op::kRead, Op::kCompute,
                       Op::kDropArray, Op::kCollect}),
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           const ImportLedger& import = ledger.imports[0];
           ReleasedWithTheArray(recipe, judgement, {.rule = "PY-CAPSULE-09"});
           ElementsMatch(judgement, "the elements of the imported array are wrong after its capsule was destroyed",
                         {.rule = "PY-CAPSULE-09"});
           if (!import.Aliases() || judgement.Says(Trait::kBorrows))
             return;  // a consumer that copies may leave it unused
           const bool versioned = recipe.offer().kind == StructKind::kVersioned;
           MarkedUsed(recipe, judgement, {.rule = versioned ? "PY-CAPSULE-07" : "PY-CAPSULE-06"});
         }},
};

}  // namespace
}  // namespace dlpack_cts
