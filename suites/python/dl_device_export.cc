// suites/python/dl_device_export.cc: what a producer does with dl_device.
#include <utility>

#include "harness/case/arguments.h"
#include "harness/case/case.h"
#include "harness/case/controls.h"
#include "harness/case/judges.h"
#include "harness/case/needs.h"

namespace dlpack_cts {
namespace {

/// An array that is exported with `dl_device` into slot 0, and, for comparison, with `beside` into slot 1.
Recipe DrawBeside(Draw& draw, Argument dl_device, Argument beside) {
  Recipe recipe = draw.Export();
  if (!draw.profile.makes_versioned || !draw.profile.makes_legacy) recipe.call() = draw.PlainCall();
  recipe.request().read_only = draw.PlainRequest().read_only;
  AddCall(recipe, recipe.call()).dl_device = beside;
  recipe.call().dl_device = dl_device;
  SetLife(recipe, {{Op::kMake},
                   {Op::kAskDevice},
                   {Op::kExport},
                   {Op::kReadExport},
                   {.op = Op::kExport, .slot = 1, .call = 1},
                   {Op::kDropSource}});
  return recipe;
}

/// Device types that no array on the CPU has, and whose memory is not host memory.
Argument DrawElsewhere(Draw& draw) {
  constexpr int32_t kTypes[] = {abi::kDLVulkan, abi::kDLMetal,  abi::kDLVPI,  abi::kDLOpenCL, abi::kDLWebGPU,
                                abi::kDLMAIA,   abi::kDLOneAPI, abi::kDLROCM, abi::kDLTrn,    abi::kDLCUDA};
  const int32_t type = kTypes[draw.Pick(draw.profile.Claims(Claim::kCuda) ? 9 : 10)];
  return argument::Pair(type == draw.profile.made_device.device_type ? abi::kDLHexagon : type, 0);
}

/// The device of the library's arrays.
Argument OwnDevice(const Draw& draw) {
  const abi::DLDevice own = draw.profile.made_device;
  return draw.profile.MakesElsewhere() ? argument::Pair(own.device_type, own.device_id)
                                       : argument::Pair(abi::kDLCPU, 0);
}

/// Whether the array was exported without dl_device on the device that the recipe asks for.
bool IsOnAskedDevice(const Recipe& recipe, const ExportLedger& beside) {
  return beside.struct_address != 0 && beside.tensor.device.device_type == recipe.call().dl_device.a;
}

/// The export into slot 1, for comparison, was refused.
bool RefusedBeside(const Ledger& ledger, Judgement& judgement) {
  if (ledger.exports[1].export_call.outcome != Outcome::kRefused) return false;
  judgement.SaysNothing("the array is not exported with dl_device=None or without dl_device either");
  return true;
}

/// Both exports returned structs.
bool BothGave(const Ledger& ledger, Judgement& judgement) {
  if (ledger.exports[0].struct_address != 0 && ledger.exports[1].struct_address != 0) return true;
  judgement.SaysNothing("one of the two exports raises an exception, or does not return a DLPack capsule");
  return false;
}

Case OfDlDevice(Case made) {
  made.blocked = KnowsDlDevice;
  return OfPythonProducer(std::move(made));
}

const RegisterCases<OfDlDevice> kCases = {
    // PY-DLDEVICE-01: dl_device=None exports on the array's own device, as a call without dl_device does.
    {.id = "python/dl-device/none-names-the-arrays-own-device",
     .rules = {"PY-DLDEVICE-01"},
     .on_refusal = OnRefusal::kJudge,
     .draw = [](Draw& draw) { return DrawBeside(draw, argument::kNone, {}); },
     .uncontrolled = uncontrolled::kSteps,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const Refusal& call = ledger.exports[0].export_call;
           if (RefusedBeside(ledger, judgement)) return;
           // A producer that does not accept the keyword raises TypeError, which another case judges.
           if (!Exported(ledger) && call.type_error == 0) {
             judgement.Expect("export0.outcome", Is(Outcome::kAccepted),
                              "__dlpack__(dl_device=None) raises an exception");
             return;
           }
           if (!BothGave(ledger, judgement)) return;
           const abi::DLDevice own = ledger.exports[1].tensor.device;
           judgement.Expect("export0.device", Is(own),
                            "__dlpack__(dl_device=None) exports on another device than __dlpack__ without dl_device");
         }},

    // PY-DLDEVICE-02: dl_device is a tuple of two items as __dlpack_device__ returns it. A producer may accept or
    // refuse anything else, without a crash or leak, and does not export on another device.
    {.id = "python/dl-device/odd-arguments-do-no-harm",
     .rules = {"PY-DLDEVICE-02"},
     .examples = Examples::kTable,
     .table = 10,
     .on_refusal = OnRefusal::kJudge,
     .draw =
         [](Draw& draw) {
           constexpr Argument kOdd[] = {{ArgumentKind::kList, {}, 1, 0},
                                        {ArgumentKind::kOneTuple, {}, 1, 0},
                                        {ArgumentKind::kFloats, {}, 1, 0},
                                        argument::Int(1),
                                        {ArgumentKind::kString, {}, 0, 0},
                                        {ArgumentKind::kHuge, {}, 0, 0},
                                        {ArgumentKind::kObject, {}, 0, 0},
                                        {ArgumentKind::kTrue, {}, 0, 0},
                                        argument::Pair(-1, -1),
                                        {ArgumentKind::kBools, {}, 1, 0}};
           Recipe recipe = draw.Export();
           recipe.request() = draw.PlainRequest();
           recipe.call() = draw.PlainCall();
           recipe.call().dl_device = kOdd[draw.index];
           SetLife(recipe, {Op::kMake, Op::kAskDevice, Op::kExport, Op::kDropSource, Op::kLoseCapsule, Op::kCollect});
           return recipe;
         },
     .uncontrolled = uncontrolled::kMemory,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const SourceLedger& source = ledger.sources[0];
           judgement.Expect("source0.alive_at_end", AnyOf(false, kNothing),
                            "the array is still referenced after __dlpack__ was called with an invalid dl_device",
                            {.degree = Degree::kNote});
           if (ledger.exports[0].struct_address == 0 || source.device_type_is_int == 0) return;
           // Some of the invalid arguments can be read as (1, 0).
           if (ledger.exports[0].tensor.device.device_type == abi::kDLCPU) return;
           judgement.Expect(
               "export0.device", OfType(source.device),
               "__dlpack__ with an invalid dl_device exports on another device than __dlpack_device__ returns",
               {.degree = Degree::kNote});
         }},

    // PY-DLDEVICE-03: An unsupported device type raises BufferError. An export on that device would be right as well.
    {.id = "python/dl-device/unsupported-type-raises-buffer-error",
     .rules = {"PY-DLDEVICE-03"},
     .on_refusal = OnRefusal::kJudge,
     .draw = [](Draw& draw) { return DrawBeside(draw, DrawElsewhere(draw), argument::kNone); },
     .uncontrolled = uncontrolled::kSteps,
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           if (RefusedBeside(ledger, judgement)) return;
           const auto asked = static_cast<int32_t>(recipe.call().dl_device.a);
           if (asked == abi::kDLCPU) return judgement.SaysNothing("the device type of the array itself was requested");
           if (ledger.exports[0].struct_address != 0) {
             judgement.Expect("export0.device", OfType(abi::DLDevice{asked, 0}),
                              "__dlpack__ exports on another device than dl_device instead of raising BufferError");
             return;
           }
           judgement.Expect("export0.exception", Is("BufferError"),
                            "__dlpack__ does not raise BufferError for an unsupported dl_device",
                            {.when = ledger.exports[0].export_call.buffer_error == 0});
         }},

    // PY-DLDEVICE-05: If another device needs a copy and copy=False was passed, BufferError is raised: for a supported
    // device because a copy is not allowed, and for an unsupported device as well. The array API 2023.12 required
    // ValueError.
    {.id = "python/dl-device/other-device-without-a-copy-raises-buffer-error",
     .rules = {"PY-DLDEVICE-05"},
     .on_refusal = OnRefusal::kJudge,
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawBeside(draw, DrawElsewhere(draw), argument::kNone);
           recipe.call().copy.kind = ArgumentKind::kFalse;
           return recipe;
         },
     .control = [](const Profile&, Recipe& recipe) { recipe.call().dl_device = {}; },
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           if (RefusedBeside(ledger, judgement)) return;
           const bool shared =
               recipe.call().dl_device.a == abi::kDLCPU || recipe.call().copy.kind != ArgumentKind::kFalse;
           if (shared) return judgement.SaysNothing("the requested device is the CPU, or a copy is allowed");
           if (!judgement.Expect(
                   "export0.outcome", IsNot(Outcome::kAccepted, Outcome::kRefused),
                   "__dlpack__(copy=False) exports although dl_device cannot share the memory of the array")) {
             return;
           }
           const Refusal& call = ledger.exports[0].export_call;
           judgement.Expect("export0.exception", Is("BufferError"),
                            "__dlpack__(copy=False) does not raise BufferError for a dl_device that needs a copy",
                            {.degree = call.builtin.view() == "ValueError" ? Degree::kNote : Degree::kRule,
                             .when = call.buffer_error == 0});
         }},

    // PY-DLDEVICE-06: dl_tensor.device is the requested dl_device. The id of a CPU may become 0, and pinned host memory
    // may keep its device type.
    {.id = "python/dl-device/struct-names-the-device-that-was-asked-for",
     .rules = {"PY-DLDEVICE-06"},
     .draw =
         [](Draw& draw) {
           return DrawBeside(draw, argument::Pair(abi::kDLCPU, draw.Pick(4) == 0 ? draw.random.Between(1, 7) : 0), {});
         },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (!BothGave(ledger, judgement)) return;
           const int32_t named = ledger.exports[0].tensor.device.device_type;
           const int32_t own = ledger.exports[1].tensor.device.device_type;
           const bool host = own == abi::kDLCUDAHost || own == abi::kDLROCMHost || own == abi::kDLCUDAManaged;
           judgement.Expect("export0.device", Is(abi::DLDevice{1, 0}),
                            "dl_tensor.device of the export is not the requested dl_device",
                            {.when = named != abi::kDLCPU && !(host && named == own)});
         }},

    // PY-DLDEVICE-08: A request for data on the CPU has no stream. A producer that gets a stream nevertheless may
    // refuse it, or export complete data. PY-STREAM-01 says whether it may accept the stream.
    {.id = "python/dl-device/stream-for-the-host-costs-no-data",
     .rules = {"PY-DLDEVICE-08"},
     .on_refusal = OnRefusal::kPass,
     .draw =
         [](Draw& draw) {
           constexpr int64_t kStreams[] = {0, 1, 2, 4096};  // the last one is not a stream: only for the host
           const int few = draw.profile.Claims(Claim::kCuda) ? 3 : 4;
           Recipe recipe = DrawBeside(draw, argument::Pair(abi::kDLCPU, 0), {});
           recipe.call().stream = argument::Int(kStreams[draw.Pick(few)]);
           return recipe;
         },
     .judge =
         ExpectsExport("__dlpack__(dl_device=(1, 0), stream=...) exports elements that are not those of the array")},

    // PY-DLDEVICE-10: A request for the array's own device does not copy if a call without dl_device does not.
    {.id = "python/dl-device/own-device-needs-no-copy",
     .rules = {"PY-DLDEVICE-10"},
     .draw = [](Draw& draw) { return DrawBeside(draw, OwnDevice(draw), {}); },
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           if (!BothGave(ledger, judgement)) return;
           const ExportLedger& beside = ledger.exports[1];
           if (!IsOnAskedDevice(recipe, beside)) {
             return judgement.SaysNothing("the array is not exported on the requested device without dl_device");
           }
           const bool shares = beside.IsAtSource() && (beside.flags & abi::kFlagIsCopied) == 0;
           if (!shares)
             return judgement.SaysNothing("the export without dl_device is not seen to share the memory of the array");
           judgement.Expect("export0.points_at_source", Is(true),
                            "__dlpack__ does not share the array when dl_device is the device of the array");
         }},

    // PY-DLDEVICE-10: A producer can export on the array's own device. A library that claims the array API has promised
    // it. Others may refuse dl_device as such, and refusing this device is a NOTE.
    {.id = "python/dl-device/own-device-is-granted",
     .rules = {"PY-DLDEVICE-10"},
     .on_refusal = OnRefusal::kJudge,
     .draw = [](Draw& draw) { return DrawBeside(draw, OwnDevice(draw), {}); },
     .uncontrolled = uncontrolled::kSteps,
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           if (!IsOnAskedDevice(recipe, ledger.exports[1])) {
             return judgement.SaysNothing("the array is not exported on the requested device without dl_device");
           }
           const Refusal& call = ledger.exports[0].export_call;
           if (call.type_error != 0) return judgement.SaysNothing("__dlpack__ raises TypeError for dl_device");
           judgement.Expect("export0.outcome", Is(Outcome::kAccepted),
                            "__dlpack__ raises an exception for dl_device although the array is on that device",
                            {.degree = judgement.Claims(Claim::kArrayApi) ? Degree::kWarn : Degree::kNote});
         }},

    // PY-DLDEVICE-10: The array is on the requested device already, so no copy is needed, and copy=False does not
    // justify a refusal. The two keywords are granted one by one first.
    {.id = "python/dl-device/own-device-is-granted-without-a-copy",
     .rules = {"PY-DLDEVICE-10", "PY-COPY-02"},
     .on_refusal = OnRefusal::kJudge,
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawBeside(draw, OwnDevice(draw), OwnDevice(draw));
           recipe.call().copy.kind = ArgumentKind::kFalse;
           AddCall(recipe, recipe.call()).dl_device = {};
           SetLife(recipe, {{Op::kMake},
                            {.op = Op::kExport, .slot = 1, .call = 1},
                            {.op = Op::kExport, .slot = 2, .call = 2},
                            {Op::kExport},
                            {Op::kDropSource}});
           return recipe;
         },
     .uncontrolled = uncontrolled::kSteps,
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           for (const int alone : {1, 2}) {
             if (!IsOnAskedDevice(recipe, ledger.exports[alone])) {
               return judgement.SaysNothing("the array is not exported with dl_device alone, or with copy=False alone");
             }
           }
           judgement.Expect("export0.outcome", Is(Outcome::kAccepted),
                            "__dlpack__ raises an exception for copy=False and the array's own device together, and "
                            "accepts each of them alone");
         }},
};

}  // namespace
}  // namespace dlpack_cts
