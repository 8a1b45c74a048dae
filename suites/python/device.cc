// suites/python/device.cc: what producers return from __dlpack_device__, and how consumers use it.
#include "harness/case/case.h"
#include "harness/case/controls.h"
#include "harness/case/judges.h"
#include "harness/case/keywords.h"

namespace dlpack_cts {
namespace {

Recipe DrawAsked(Draw& draw) {
  Recipe recipe = draw.Export();
  recipe.call() = draw.PlainCall();
  AskForVersioned(draw, recipe);
  SetLife(recipe, {Op::kMake, Op::kAskDevice, Op::kExport, Op::kAskDevice, Op::kDropSource});
  return recipe;
}

bool Answered(const Ledger& ledger, Judgement& judgement) {
  const Outcome outcome = ledger.sources[0].device_call.outcome;
  if (outcome == Outcome::kAccepted) return true;
  judgement.SaysNothing(outcome == Outcome::kUnsupported
                            ? "the library has functions instead of the methods __dlpack__ and __dlpack_device__"
                            : "__dlpack_device__ raised an exception, which another case reports");
  return false;
}

bool AnsweredWithAType(const Ledger& ledger, Judgement& judgement) {
  if (!Answered(ledger, judgement)) return false;
  if (ledger.sources[0].device_type_is_int != 0) return true;
  judgement.SaysNothing("the device type is not an integer, which another case reports");
  return false;
}

const RegisterCases<OfPythonProducer> kProducerCases = {
    // PY-DEVICE-01: __dlpack_device__ returns a tuple of two: the device type, an integer or an enumerator of one, and
    // the device id, an integer.
    {.id = "python/device/answer-is-a-pair-of-integers",
     .rules = {"PY-DEVICE-01"},
     .on_refusal = OnRefusal::kJudge,
     .draw = DrawAsked,
     .uncontrolled = uncontrolled::kResults,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (!Answered(ledger, judgement)) return;
           if (!judgement.Expect("source0.device_is_pair", Is(true),
                                 "__dlpack_device__ does not return a tuple of two items")) {
             return;
           }
           judgement.Expect("source0.device_type_is_int", Is(true),
                            "__dlpack_device__ returns a device type that is not an integer");
           judgement.Expect("source0.device_id_is_int", Is(true),
                            "__dlpack_device__ returns a device id that is not an integer");
         }},

    // PY-DEVICE-02: The device type is a DLDeviceType: 0, 5, 6 and negative numbers never are. A type that the array
    // API does not list is a NOTE.
    {.id = "python/device/type-is-published",
     .rules = {"PY-DEVICE-02"},
     .on_refusal = OnRefusal::kJudge,
     .draw = DrawAsked,
     .uncontrolled = uncontrolled::kResults,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (!AnsweredWithAType(ledger, judgement)) return;
           const int32_t type = ledger.sources[0].device.device_type;
           const bool never = type <= 0 || type == 5 || type == 6;
           const bool listed = (type >= 1 && type <= 4) || (type >= 7 && type <= 10) || type == 13 || type == 14;
           judgement.Expect("source0.reported_device", InWords<abi::DLDevice>("any published device type"),
                            "__dlpack_device__ returns a device type that is not a DLDeviceType", {.when = never});
           judgement.Expect("source0.reported_device",
                            InWords<abi::DLDevice>("any device type of the array API's list"),
                            "__dlpack_device__ returns a device type that the array API standard does not list",
                            {.degree = Degree::kNote, .when = !never && !listed});
         }},

    // PY-DEVICE-03: __dlpack_device__ returns dl_tensor.device of the export. A difference between pinned or managed
    // memory and its host or device is WARN like any other.
    {.id = "python/device/answer-agrees-with-the-capsule",
     .rules = {"PY-DEVICE-03"},
     .draw = Changed(DrawAsked, [](Draw& draw, Recipe& recipe) { AddKeywords(draw, recipe); }),
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           if (!AnsweredWithAType(ledger, judgement)) return;
           const abi::DLDevice exported = ledger.exports[0].tensor.device;
           const abi::DLDevice named = ledger.sources[0].device;
           const Argument& asked = recipe.call().dl_device;
           if (asked.kind == ArgumentKind::kPair && asked.a != named.device_type && asked.a == exported.device_type) {
             return judgement.SaysNothing("another device was requested and exported");
           }
           const Description& array = ledger.sources[0].description;
           const auto is = [](abi::DLDevice a, abi::DLDevice b) {
             return a.device_type == b.device_type && a.device_id == b.device_id;
           };
           const bool same_id = ledger.sources[0].device_id_is_int == 0 || exported.device_id == named.device_id;
           const bool same = exported.device_type == named.device_type && same_id;
           // The one that differs from the array's own device is wrong.
           const bool by_struct = array.has_device != 0 && is(array.device, named);
           constexpr std::string_view kMessage =
               "__dlpack_device__ returns another device than dl_tensor.device of the export";
           judgement.Expect("export0.device", Is(named), kMessage, {.when = !same && by_struct});
           judgement.Expect("source0.reported_device", Is(exported), kMessage, {.when = !same && !by_struct});
         }},

    // PY-DEVICE-04: __dlpack_device__ should not have side effects: the array keeps its elements, and is not
    // referenced. Its cost is not measured.
    {.id = "python/device/question-changes-nothing",
     .rules = {"PY-DEVICE-04", "PY-DLPACK-06"},
     .on_refusal = OnRefusal::kJudge,
     .draw =
         [](Draw& draw) {
           Recipe recipe = draw.Export();
           recipe.call() = draw.PlainCall();
           SetLife(recipe, {Op::kMake, Op::kAskDevice, Op::kReadSource, Op::kDropSource, Op::kCollect});
           return recipe;
         },
     .uncontrolled = uncontrolled::kMemory,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (!Answered(ledger, judgement)) return;
           const SourceLedger& source = ledger.sources[0];
           const Reading reading = source.elements.reading;
           const bool same = reading != Reading::kDiffers && reading != Reading::kWrongCount;
           judgement.Expect("source0.elements", Is(Reading::kMatches),
                            "the elements of the array are wrong after __dlpack_device__ was called",
                            {.rule = "PY-DLPACK-06", .when = !same});
           judgement.Expect("source0.alive_at_end", AnyOf(false, kNothing),
                            "the array is still referenced after __dlpack_device__ was called",
                            {.degree = Degree::kNote});
         }},
};

const RegisterCases<OfPythonConsumer> kConsumerCases = {
    // PY-DEVICE-03: The same of an array that was imported and is exported again.
    {.id = "python/device/answer-of-an-imported-array-agrees-with-its-export",
     .rules = {"PY-DEVICE-03"},
     .needs = {Claim::kReexport},
     .draw =
         [](Draw& draw) {
           Recipe recipe = draw.Import();
           recipe.offer().flags = 0;  // some libraries do not export what is read-only
           recipe.offer().placement = Placement::kEndsAtGuard;
           recipe.call() = draw.PlainCall();
           AskForVersioned(draw, recipe);
           SetLife(recipe, {{Op::kImport}, {Op::kAskArray}, {.op = Op::kReexport, .slot = 0, .other = Other::kSlot1}});
           return recipe;
         },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (!IsReexported(judgement) || !AnsweredWithAType(ledger, judgement)) return;
           const ExportLedger& again = ledger.exports[1];
           const SourceLedger& array = ledger.sources[0];
           const bool same_id = array.device_id_is_int == 0 || again.tensor.device.device_id == array.device.device_id;
           judgement.Expect(
               "source0.reported_device", Is(again.tensor.device),
               "__dlpack_device__ of the imported array returns another device than dl_tensor.device of its export",
               {.when = again.tensor.device.device_type != array.device.device_type || !same_id});
         }},

    // PY-DEVICE-05: A consumer should call __dlpack_device__ before __dlpack__. Not doing so is a NOTE.
    {.id = "python/device/consumer-asks-before-it-takes",
     .rules = {"PY-DEVICE-05"},
     .on_refusal = OnRefusal::kJudge,
     .draw = [](Draw& draw) { return draw.Import(); },
     .uncontrolled = uncontrolled::kCalls,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const ImportLedger& import = ledger.imports[0];
           if (import.producer_calls == 0)
             return judgement.SaysNothing("the library called neither __dlpack__ nor __dlpack_device__");
           judgement.Expect("import0.call0.method", Is(Method::kDlpackDevice),
                            "the library calls __dlpack__ without calling __dlpack_device__ first",
                            {.degree = Degree::kNote});
         }},

    // PY-DEVICE-07: If __dlpack_device__ and dl_tensor.device name different kinds of host memory (pinned and CPU), the
    // tensor is refused, or imported with its values (PY-FROM-04).
    {.id = "python/device/disagreement-about-host-memory-does-no-harm",
     .rules = {"PY-DEVICE-07", "PY-FROM-04"},
     .on_refusal = OnRefusal::kPass,
     .draw =
         [](Draw& draw) {
           Recipe recipe = Releasable(draw.Import());
           const bool pinned_inside = draw.Pick(2) == 0;
           recipe.offer().device = {pinned_inside ? abi::kDLCUDAHost : abi::kDLCPU, 0};
           recipe.offer().reported_device = {pinned_inside ? abi::kDLCPU : abi::kDLCUDAHost, 0};
           return recipe;
         },
     .judge =
         [](const Recipe& recipe, const Ledger&, Judgement& judgement) {
           ReleasedOnce(recipe, judgement);
           ElementsMatch(
               judgement,
               "a tensor whose dl_tensor.device and __dlpack_device__ name different host memory was imported "
               "with wrong elements",
               {.rule = "PY-FROM-04"});
         }},
};

}  // namespace
}  // namespace dlpack_cts
