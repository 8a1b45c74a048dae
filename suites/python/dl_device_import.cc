// suites/python/dl_device_import.cc: what a consumer that is told a device asks of the producer, and makes of the
// answer.
#include "harness/case/case.h"
#include "harness/case/judges.h"
#include "harness/case/needs.h"

namespace dlpack_cts {
namespace {

/// A plain tensor on the CPU, imported with device=(type, 0), and now and then with copy= as well.
Recipe DrawOnto(Draw& draw, int32_t type) {
  const bool versioned = draw.profile.takes_versioned && (draw.Pick(2) == 0 || !draw.profile.takes_legacy);
  Recipe recipe = draw.PlainImport(versioned ? StructKind::kVersioned : StructKind::kLegacy);
  recipe.offer().seed = draw.random.Next();
  recipe.offer().keywords = kIgnoresKeywords;
  recipe.call().dl_device = {ArgumentKind::kPair, {}, type, 0};
  if (draw.profile.Claims(Claim::kCopyKeyword) && draw.Pick(3) == 0) recipe.call().copy.kind = ArgumentKind::kTrue;
  MakeReleasable(recipe);
  return recipe;
}

bool IsPublished(int64_t type) { return type >= 1 && type <= abi::kDLTrn && type != 5 && type != 6; }

// PY-DLDEVICE-11: A consumer that passes dl_device passes a tuple of two integers, device type and device id, as
// __dlpack_device__ returns it.
const Register kPassesAPair{{
    .id = "python/dl-device/question-is-a-pair-of-integers",
    .rules = {"PY-DLDEVICE-11"},
    .on_refusal = OnRefusal::kJudge,
    .needs = {Claim::kDeviceKeyword},
    .python = true,
    .blocked = TakesPlain,
    .draw = [](Draw& draw) { return DrawOnto(draw, abi::kDLCPU); },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          bool asked = false;
          ForEachCallOfDlpack(ledger, [&](const ProducerCall& call, const std::string& key) {
            const ArgumentKind kind = call.dl_device.kind;
            if (kind == ArgumentKind::kAbsent) return;
            asked = true;
            Check(kind == ArgumentKind::kNone || kind == ArgumentKind::kPair, ledger, judgement, "PY-DLDEVICE-11",
                  key + "dl_device", "absent | None | (1, 0)", "dl_device is no tuple of two integers");
            Check(kind != ArgumentKind::kPair || IsPublished(call.dl_device.a), ledger, judgement, "PY-DLDEVICE-11",
                  key + "dl_device", "absent | None | (1, 0)", "dl_device begins with no published device type");
          });
          if (!asked) judgement.SaysNothing("the library passes no dl_device");
        },
}};

// PY-DLDEVICE-08: A consumer that passes dl_device passes a stream that fits that device: None for the CPU, wherever
// the producer's data is.
const Register kNoStreamForTheHost{{
    .id = "python/dl-device/question-for-the-host-has-no-stream",
    .rules = {"PY-DLDEVICE-08"},
    .on_refusal = OnRefusal::kJudge,
    .needs = {Claim::kDeviceKeyword},
    .python = true,
    .blocked = TakesPlain,
    .draw =
        [](Draw& draw) {
          Recipe recipe = DrawOnto(draw, abi::kDLCPU);
          // Such a producer copies to the host when it is asked to; what it then gives is on the CPU.
          if (draw.Pick(4) == 0) recipe.offer().reported_device = {abi::kDLCUDA, 0};
          return recipe;
        },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          bool asked = false;
          ForEachCallOfDlpack(ledger, [&](const ProducerCall& call, const std::string& key) {
            if (call.dl_device.kind != ArgumentKind::kPair || call.dl_device.a != abi::kDLCPU) return;
            asked = true;
            const bool none = call.stream.kind == ArgumentKind::kAbsent || call.stream.kind == ArgumentKind::kNone;
            Check(none, ledger, judgement, "PY-DLDEVICE-08", key + "stream", "absent | None",
                  "a stream is passed for data that is asked for on the CPU");
          });
          if (!asked) judgement.SaysNothing("the library asks for no data on the CPU");
        },
}};

// PY-DLDEVICE-09: Producers need support no other target than the CPU: whether this one refuses dl_device or overlooks
// it, what it gives is on the CPU, and is not taken for what was asked for.
const Register kNobodyHasToMove{{
    .id = "python/dl-device/other-devices-are-not-relied-on",
    .rules = {"PY-DLDEVICE-09"},
    .on_refusal = OnRefusal::kJudge,
    .needs = {Claim::kDeviceKeyword},
    .python = true,
    .blocked = TakesPlain,
    .draw =
        [](Draw& draw) {
          Recipe recipe = DrawOnto(draw, abi::kDLCUDA);
          recipe.offer().keywords.dl_device = draw.Pick(2) == 0 ? Reply::kBufferError : Reply::kIgnores;
          return recipe;
        },
    .judge =
        [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
          if (ledger.imports[0].capsules == 0 && ledger.imports[0].producer_calls == 0) {
            return judgement.SaysNothing("the library has no such device, and does not ask the producer");
          }
          ReleasedOnce("PY-DLDEVICE-09", recipe, ledger, judgement);
          const Description& result = ledger.imports[0].result;
          const bool host = Accepted(ledger) && result.valid && result.has_device &&
                            result.device.device_type != recipe.call().dl_device.a;
          Check(!host, ledger, judgement, "PY-DLDEVICE-09", "import0.device", host ? "(2, 0)" : "",
                "a tensor on the CPU is taken for the one on another device that was asked for", Degree::kNote);
        },
}};

}  // namespace
}  // namespace dlpack_cts
