// suites/python/from_results.cc: the result of from_dlpack: its elements, its device, and whether it is usable.
#include <algorithm>

#include "harness/case/arguments.h"
#include "harness/case/case.h"
#include "harness/case/controls.h"
#include "harness/case/entries.h"
#include "harness/case/judges.h"
#include "harness/case/needs.h"

namespace dlpack_cts {
namespace {

const RegisterCases<OfPythonConsumer> kCases = {
    // PY-FROM-04: Shape, dtype and values of the result are those of the exported tensor.
    {.id = "python/from/result-is-the-exported-tensor",
     .rules = {"PY-FROM-04"},
     .draw = Changed(&Draw::ImportOfAnySize, ThroughAnyEntry),
     .judge =
         [](const Recipe& recipe, const Ledger&, Judgement& judgement) {
           if (!ShapeMatches(recipe, judgement)) return;
           if (!DtypeMatches(recipe.offer().dtype, judgement,
                             "the dtype of the imported array is not dl_tensor.dtype")) {
             return;
           }
           ElementsMatch(judgement);
         }},

    // PY-FROM-05: Without `device`, and with device=None, the result is on the producer's device.
    {.id = "python/from/result-is-on-the-producers-device",
     .rules = {"PY-FROM-05"},
     .draw =
         [](Draw& draw) {
           Recipe recipe = draw.Import();
           const bool none = draw.profile.Claims(Claim::kDeviceKeyword) && draw.Pick(3) == 0;
           if (none) recipe.call().dl_device.kind = ArgumentKind::kNone;
           return recipe;
         },
     .judge =
         [](const Recipe& recipe, const Ledger&, Judgement& judgement) {
           if (!TellsDevice(judgement)) return;
           judgement.Expect("import0.device", OfType(recipe.offer().device),
                            "the imported array is on another device than the tensor");
         }},

    // PY-FROM-06: With device= a host device, the result is an array there, or BufferError is raised. The producer
    // reports that its data is on a GPU, and moves it or does not accept dl_device. The library must name devices as
    // DLPack does: one that does not call __dlpack__ is not judged. PY-FROM-04: The values of the result are right.
    {.id = "python/from/host-device-is-served-or-refused",
     .rules = {"PY-FROM-06", "PY-FROM-04"},
     .on_refusal = OnRefusal::kJudge,
     .needs = {Claim::kDeviceKeyword},
     .blocked = TakesPlain,
     .draw =
         [](Draw& draw) {
           Recipe recipe = Releasable(draw.PlainImport(draw.NewestTakenKind()));
           Offer& offer = recipe.offer();
           offer.seed = draw.random.Next();
           offer.keywords = kIgnoresKeywords;
           const bool moves = draw.Pick(3) != 0;  // the other producers decide nothing if their TypeError comes through
           offer.keywords.dl_device = moves ? Reply::kObeys : Reply::kTypeError;
           offer.reported_device = {abi::kDLCUDA, 0};
           if (!moves) {
             offer.device = offer.reported_device;
             offer.placement = Placement::kUnmapped;
           }
           recipe.call().dl_device = argument::Pair(abi::kDLCPU, 0);
           return recipe;
         },
     .control = control::OnCpu,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const ImportLedger& import = ledger.imports[0];
           if (Accepted(ledger)) {
             if (!import.result.has_device)
               return judgement.SaysNothing("the adapter does not report the device of the imported array");
             const int32_t type = import.result.device.device_type;
             judgement.Expect("import0.device", Is(abi::DLDevice{1, 0}),
                              "from_dlpack(device=...) returns an array on another device than the requested one",
                              {.when = type != abi::kDLCPU && type != abi::kDLCUDAHost});
             ElementsMatch(judgement, {.rule = "PY-FROM-04"});
             return;
           }
           const bool asked =
               std::ranges::any_of(CallsOf(import), [](const ProducerCall& call) { return call.is_device == 0; });
           if (!asked)
             return judgement.SaysNothing(
                 "the library refuses without calling __dlpack__, perhaps because it names devices differently");
           if (import.import.type_error != 0)
             return judgement.SaysNothing("from_dlpack raises TypeError, as an old producer does for dl_device");
           judgement.Expect(
               "import0.exception", Is("BufferError"),
               "from_dlpack(device=...) raises an exception other than BufferError for a tensor on another device",
               {.degree = Degree::kWarn, .when = import.import.buffer_error == 0});
         }},

    // PY-FROM-03: A tensor that is on the requested device already is shared, as it is without device=. PY-FROM-06: The
    // library may refuse the request with BufferError.
    {.id = "python/from/own-device-is-shared",
     .rules = {"PY-FROM-03", "PY-FROM-06"},
     .on_refusal = OnRefusal::kJudge,
     .needs = {Claim::kDeviceKeyword},
     .blocked = TakesPlain,
     .draw =
         [](Draw& draw) {
           Recipe recipe = Releasable(draw.PlainImport(draw.NewestTakenKind()));
           recipe.offer().seed = draw.random.Next();
           recipe.offer().keywords = kIgnoresKeywords;
           AddOffer(recipe, recipe.offer());
           AddCall(recipe, recipe.call());
           recipe.call().dl_device = argument::Pair(abi::kDLCPU, 0);
           SetLife(recipe, {{.op = Op::kImport, .slot = 1, .block = 1, .call = 1},
                            {.op = Op::kDescribe, .slot = 1},
                            {Op::kImport},
                            {Op::kDescribe},
                            {.op = Op::kDropArray, .slot = 1},
                            {Op::kDropArray},
                            {.op = Op::kDropProducer, .slot = 1},
                            {Op::kDropProducer},
                            {Op::kCollect}});
           return recipe;
         },
     .uncontrolled = uncontrolled::kSteps,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (!ledger.imports[1].Aliases()) return judgement.SaysNothing("the library copies without device= too");
           const Refusal& refusal = ledger.imports[0].import;
           if (refusal.outcome == Outcome::kRefused) {
             if (refusal.type_error != 0) return judgement.SaysNothing("from_dlpack raises TypeError for device");
             judgement.Expect("import0.outcome", Is(Outcome::kAccepted),
                              "from_dlpack(device=...) refuses a tensor that is on that device",
                              {.rule = "PY-FROM-06", .degree = Degree::kNote});
             return;
           }
           if (ledger.imports[0].result.has_pointer == 0) {
             return judgement.SaysNothing("the adapter does not report the address of the imported array");
           }
           judgement.Expect(
               "import0.aliases", Is(true),
               "from_dlpack(device=...) copies a tensor that is on that device, and shares it without device");
         }},

    // PY-FROM-13: Source and result are ordinary arrays after the exchange: both can be read and computed with. An
    // operation that the library does not support for a dtype is not a violation: it must work on the source first.
    {.id = "python/from/source-and-result-stay-usable",
     .rules = {"PY-FROM-13"},
     .needs = {Claim::kProducer},
     .draw =
         [](Draw& draw) {
           Limits limits = draw.both();
           limits.empty = limits.read_only = false;
           Recipe recipe = draw.Export(limits);
           recipe.call() = {};
           if (draw.Pick(3) == 0) recipe.request().dtype = draw.PlainRequest().dtype;
           SetLife(recipe, {Op::kMake, Op::kReadSource, Op::kUseSource, Op::kImportSource, Op::kDescribe, Op::kRead,
                            Op::kCompute, Op::kReadSource, Op::kUseSource, Op::kDropSource, Op::kRead, Op::kDropArray});
           return recipe;
         },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const ImportLedger& import = ledger.imports[0];
           const SourceLedger& source = ledger.sources[0];
           const auto taken = [](const ElementReading& reading) {
             return reading.reading != Reading::kNotRead && reading.reading != Reading::kUnsupported;
           };
           const auto stays = [&](const ElementReading& reading, FactName<Reading> fact, std::string_view message) {
             if (!taken(reading)) return;
             judgement.Expect(fact, Is(Reading::kMatches), message);
           };
           if (!taken(source.elements)) return judgement.SaysNothing("the elements of the array could not be read");
           stays(source.elements, "source0.elements",
                 "the elements of the source array are wrong or unreadable after it was imported");
           stays(source.used, "source0.used",
                 "a computation with the source array is wrong or fails after it was imported");
           if (!import.result.known_dtype || !judgement.IsPlain(import.result.dtype)) return;
           judgement.Expect("import0.library", Is(Reading::kMatches),
                            "reading the imported array raises an exception, and reading the source array does not",
                            {.when = import.library.raised != 0});
           const bool computes = judgement.Claims(Claim::kCompute) && source.used.reading == Reading::kMatches;
           if (!computes || import.library.reading != Reading::kMatches) return;
           judgement.Expect("import0.computed", Is(Reading::kMatches),
                            "the library computes with the source array, but not with the imported array",
                            {.when = !taken(import.computed)});
         }},
};

}  // namespace
}  // namespace dlpack_cts
