// suites/python/dl_device_import.cc: what a consumer with device= requests from the producer, and what it does with
// the answer.
#include <utility>

#include "harness/case/arguments.h"
#include "harness/case/case.h"
#include "harness/case/controls.h"
#include "harness/case/judges.h"
#include "harness/case/needs.h"

namespace dlpack_cts {
namespace {

/// A simple tensor on the CPU, imported with device=(type, 0), and sometimes with copy= as well.
Recipe DrawOnto(Draw& draw, int32_t type) {
  Recipe recipe = Releasable(draw.PlainImport(draw.TakenKind()));
  recipe.offer().seed = draw.random.Next();
  recipe.offer().keywords = kIgnoresKeywords;
  recipe.call().dl_device = argument::Pair(type, 0);
  if (draw.profile.Claims(Claim::kCopyKeyword) && draw.Pick(3) == 0) recipe.call().copy.kind = ArgumentKind::kTrue;
  return recipe;
}

bool IsPublished(int64_t type) { return type >= 1 && type <= abi::kDLTrn && type != 5 && type != 6; }

/// A case about from_dlpack(device=...), whether it succeeds or not.
Case OfDevice(Case made) {
  made.on_refusal = OnRefusal::kJudge;
  made.uncontrolled = uncontrolled::kCalls;
  made.needs = {Claim::kDeviceKeyword};
  made.blocked = TakesPlain;
  return OfPythonConsumer(std::move(made));
}

const RegisterCases<OfDevice> kCases = {
    // PY-DLDEVICE-11: A consumer that passes dl_device passes a tuple of two integers, device type and device id, as
    // __dlpack_device__ returns it.
    {.id = "python/dl-device/question-is-a-pair-of-integers",
     .rules = {"PY-DLDEVICE-11"},
     .draw = [](Draw& draw) { return DrawOnto(draw, abi::kDLCPU); },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           bool asked = false;
           ForEachCallOfDlpack(ledger, [&](const ProducerCall& call, int index) {
             const ArgumentKind kind = call.dl_device.kind;
             if (kind == ArgumentKind::kAbsent) return;
             asked = true;
             judgement.Expect("import0.callC.dl_device",
                              AnyOf(argument::kAbsent, argument::kNone, argument::Pair(1, 0)),
                              "the library passes a dl_device that is not a tuple of two integers",
                              {.index = index, .when = kind != ArgumentKind::kPair});
             judgement.Expect("import0.callC.dl_device",
                              AnyOf(argument::kAbsent, argument::kNone, argument::Pair(1, 0)),
                              "the library passes a dl_device whose device type is not a DLDeviceType",
                              {.index = index, .when = kind == ArgumentKind::kPair && !IsPublished(call.dl_device.a)});
           });
           if (!asked) judgement.SaysNothing("the library does not pass dl_device");
         }},

    // PY-DLDEVICE-08: A consumer that passes dl_device passes a stream that fits that device: None for the CPU,
    // wherever the producer's data is.
    {.id = "python/dl-device/question-for-the-host-has-no-stream",
     .rules = {"PY-DLDEVICE-08"},
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawOnto(draw, abi::kDLCPU);
           // The producer copies to the host on request, so the tensor is on the CPU.
           if (draw.Pick(4) == 0) recipe.offer().reported_device = {abi::kDLCUDA, 0};
           return recipe;
         },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           bool asked = false;
           ForEachCallOfDlpack(ledger, [&](const ProducerCall& call, int index) {
             if (call.dl_device.kind != ArgumentKind::kPair || call.dl_device.a != abi::kDLCPU) return;
             asked = true;
             judgement.Expect("import0.callC.stream", AnyOf(argument::kAbsent, argument::kNone),
                              "the library passes a stream when it requests data on the CPU with dl_device",
                              {.index = index});
           });
           if (!asked) judgement.SaysNothing("the library does not request data on the CPU with dl_device");
         }},

    // PY-DLDEVICE-09: A producer need not support a target other than the CPU. This one refuses or ignores dl_device,
    // and its tensor is on the CPU. The consumer does not return it as an array on the requested device.
    {.id = "python/dl-device/other-devices-are-not-relied-on",
     .rules = {"PY-DLDEVICE-09"},
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawOnto(draw, abi::kDLCUDA);
           recipe.offer().keywords.dl_device = draw.Pick(2) == 0 ? Reply::kBufferError : Reply::kIgnores;
           return recipe;
         },
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           if (ledger.imports[0].capsules == 0 && ledger.imports[0].producer_calls == 0) {
             return judgement.SaysNothing("the library does not call the producer for a device that it does not have");
           }
           ReleasedOnce(recipe, judgement);
           const Description& result = ledger.imports[0].result;
           const bool host = Accepted(ledger) && result.valid && result.has_device &&
                             result.device.device_type != recipe.call().dl_device.a;
           judgement.Expect("import0.device", Is(abi::DLDevice{abi::kDLCUDA, 0}),
                            "from_dlpack(device=...) returns an array on another device than the requested one",
                            {.degree = Degree::kNote, .when = host});
         }},
};

}  // namespace
}  // namespace dlpack_cts
