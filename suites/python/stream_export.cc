// suites/python/stream_export.cc: what a producer on the CPU, which has no streams, does with stream.
#include <algorithm>

#include "harness/case/arguments.h"
#include "harness/case/case.h"
#include "harness/case/controls.h"
#include "harness/case/judges.h"
#include "harness/case/needs.h"

namespace dlpack_cts {
namespace {

using argument::Int;

/// An array that is exported with `stream` into slot 0, and, for comparison, with `beside` into slot 1.
Recipe DrawBeside(Draw& draw, Argument stream, Argument beside) {
  Recipe recipe = draw.Export();
  if (!draw.profile.makes_versioned || !draw.profile.makes_legacy) recipe.call() = draw.PlainCall();
  recipe.request().read_only = draw.PlainRequest().read_only;
  AddCall(recipe, recipe.call()).stream = beside;
  recipe.call().stream = stream;
  SetLife(recipe, {{Op::kMake},
                   {Op::kReadSource},
                   {Op::kExport},
                   {.op = Op::kExport, .slot = 1, .call = 1},
                   {Op::kReadSource},
                   {Op::kLoseCapsule},
                   {.op = Op::kTakeCapsule, .slot = 1},
                   {.op = Op::kDelete, .slot = 1},
                   {Op::kDropSource},
                   {Op::kCollect}});
  return recipe;
}

/// The array cannot be exported with stream=None.
bool RefusedBeside(const Ledger& ledger, Judgement& judgement) {
  if (ledger.exports[1].export_call.outcome != Outcome::kRefused) return false;
  judgement.SaysNothing("the array is not exported with stream=None either");
  return true;
}

/// A library that re-exports tensors of any device also has to judge streams for arrays on these devices.
std::string_view CarriesForeignTensors(const Profile& profile) {
  if (profile.Claims(Claim::kCuda))
    return "the adapter claims cuda, and the tensor of this case is not on a real CUDA device";
  return TakesPlain(profile);
}

const RegisterCases<OfPythonProducer> kProducerCases = {
    // PY-STREAM-01: On the CPU the only stream is None, and a producer should refuse another one. Many libraries accept
    // -1, which disables synchronization: that is a NOTE.
    {.id = "python/stream/arrays-on-the-cpu-take-none-alone",
     .rules = {"PY-STREAM-01"},
     .on_refusal = OnRefusal::kJudge,
     .blocked = MakesHostArrays,
     .draw =
         [](Draw& draw) {
           constexpr int64_t kStreams[] = {-1, 0, 1, 2, 3, 4096};
           const Argument stream = Int(kStreams[draw.Pick(6)]);
           Recipe recipe = DrawBeside(draw, stream, stream.a == -1 ? Int(1) : argument::kNone);
           const bool on_device = draw.profile.takes_keywords != 0 && draw.index % 4 == 3;
           // The array's own device has no stream either.
           for (int call = 0; on_device && call < 2; ++call) {
             recipe.call(call).dl_device = argument::Pair(abi::kDLCPU, 0);
           }
           return recipe;
         },
     .uncontrolled = uncontrolled::kSteps,
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           const bool no_order = recipe.call().stream.a == -1;
           if (no_order && ledger.exports[1].export_call.outcome == Outcome::kAccepted) {
             return judgement.SaysNothing("__dlpack__ accepts every stream, which other examples report");
           }
           if (!no_order && RefusedBeside(ledger, judgement)) return;
           if (ledger.exports[0].struct_address != 0 && ledger.exports[0].tensor.device.device_type != abi::kDLCPU) {
             return judgement.SaysNothing("the array is not on the CPU");
           }
           judgement.Expect("export0.outcome", IsNot(Outcome::kAccepted, Outcome::kRefused),
                            no_order ? "__dlpack__ accepts stream=-1 for an array on the CPU"
                                     : "__dlpack__ accepts a stream other than None for an array on the CPU",
                            {.degree = no_order ? Degree::kNote : Degree::kRule});
         }},

    // PY-STREAM-02: A stream is None or an integer from -1 on. Anything else should be refused, without a leak;
    // accepting it is a NOTE.
    {.id = "python/stream/what-is-no-stream-is-refused",
     .rules = {"PY-STREAM-02"},
     .examples = Examples::kTable,
     .table = 10,
     .on_refusal = OnRefusal::kJudge,
     .draw =
         [](Draw& draw) {
           constexpr int kIntegers = 2;
           constexpr Argument kOdd[] = {Int(-2),
                                        Int(INT64_MIN),
                                        {ArgumentKind::kString, {}, 0, 0},
                                        {ArgumentKind::kObject, {}, 0, 0},
                                        {ArgumentKind::kList, {}, 1, 0},
                                        argument::Pair(1, 0),
                                        {ArgumentKind::kOneTuple, {}, 1, 0},
                                        {ArgumentKind::kFloats, {}, 1, 0},
                                        {ArgumentKind::kHuge, {}, 0, 0},
                                        {ArgumentKind::kBools, {}, 1, 0}};
           // On a CUDA device other integers could be used as handles, which crashes the driver.
           const bool on_cuda = draw.profile.Claims(Claim::kCuda);
           Recipe recipe =
               DrawBeside(draw, kOdd[on_cuda ? std::max(draw.index, kIntegers) : draw.index], argument::kNone);
           recipe.request() = draw.PlainRequest();
           recipe.call().max_version = recipe.call(1).max_version = draw.PlainCall().max_version;
           return recipe;
         },
     .uncontrolled = uncontrolled::kSteps,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (RefusedBeside(ledger, judgement)) return;
           judgement.Expect("export0.outcome", IsNot(Outcome::kAccepted, Outcome::kRefused),
                            "__dlpack__ accepts a stream that is neither None nor an integer from -1 on",
                            {.degree = Degree::kNote});
           judgement.Expect("source0.alive_at_end", AnyOf(false, kNothing),
                            "the array is still referenced after __dlpack__ was called with an invalid stream",
                            {.degree = Degree::kNote});
         }},

    // PY-STREAM-08: Support for values other than None is optional. A producer without it refuses, and does not change
    // the array.
    {.id = "python/stream/refused-stream-leaves-the-array-alone",
     .rules = {"PY-STREAM-08", "PY-DLPACK-06"},
     .on_refusal = OnRefusal::kJudge,
     .draw =
         [](Draw& draw) {
           constexpr int64_t kStreams[] = {0, 1, 2, 4096};  // the last one is not a stream: only for the host
           return DrawBeside(draw, Int(kStreams[draw.Pick(draw.profile.Claims(Claim::kCuda) ? 3 : 4)]), {});
         },
     .uncontrolled = uncontrolled::kMemory,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (ledger.exports[0].export_call.outcome != Outcome::kRefused) {
             return judgement.SaysNothing("the stream was not refused");
           }
           const SourceLedger& source = ledger.sources[0];
           judgement.Expect("source0.alive_at_end", AnyOf(false, kNothing),
                            "the array is still referenced after __dlpack__ refused a stream",
                            {.degree = Degree::kNote});
           const Reading reading = source.elements.reading;
           judgement.Expect(
               "source0.elements", Is(Reading::kMatches),
               "the elements of the array are wrong or unreadable after __dlpack__ refused a stream",
               {.rule = "PY-DLPACK-06", .when = reading != Reading::kNotRead && reading != Reading::kUnsupported});
         }},

    // PY-STREAM-09: The consumer owns the stream: a producer does not destroy it, and does not use the handle after
    // __dlpack__ has returned. The handle of this case is invalid: a producer that uses it crashes.
    {.id = "python/stream/foreign-handle-is-not-used",
     .rules = {"PY-STREAM-09"},
     .on_refusal = OnRefusal::kPass,
     .blocked = MakesHostArrays,
     .draw = [](Draw& draw) { return DrawBeside(draw, Int(4096 * draw.random.Between(1, 15)), {}); },
     .judge = [](const Recipe&, const Ledger&, Judgement& judgement) { judgement.Holds(); }},
};

const RegisterCases<OfPythonConsumer> kConsumerCases = {
    // PY-STREAM-03: On CUDA stream=0 is disallowed, and a producer should refuse it. PY-STREAM-05: On ROCm 1 and 2 are
    // not supported; accepting them is a NOTE. The array is a tensor on that device that the library imported.
    {.id = "python/stream/disallowed-streams-of-a-device-are-refused",
     .rules = {"PY-STREAM-03", "PY-STREAM-05"},
     .examples = Examples::kTable,
     .table = 6,
     .on_refusal = OnRefusal::kSkip,
     .needs = {Claim::kReexport},
     .blocked = CarriesForeignTensors,
     .draw =
         [](Draw& draw) {
           const int row = draw.index % 3;
           const int32_t type = row == 0 ? abi::kDLCUDA : abi::kDLROCM;
           Recipe recipe = Releasable(draw.PlainImport(draw.NewestTakenKind()));
           PutOn(recipe.offer(), {type, 0}, Placement::kForeignHandle);
           recipe.call() = draw.index < 3 ? draw.PlainCall() : Call{};
           AddCall(recipe, recipe.call()).stream = Int(row);
           SetLife(recipe, {{Op::kImport},
                            {Op::kDescribe},
                            {.op = Op::kReexport, .other = Other::kSlot1},
                            {.op = Op::kReexport, .other = Other::kSlot2, .call = 1},
                            {.op = Op::kLoseCapsule, .slot = 1},
                            {.op = Op::kLoseCapsule, .slot = 2},
                            {Op::kDropProducer},
                            {Op::kDropArray},
                            {Op::kCollect}});
           return recipe;
         },
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           const abi::DLDevice device = recipe.offer().device;
           const ExportLedger& beside = ledger.exports[1];
           if (!Exported(ledger, 1) || beside.tensor.device.device_type != device.device_type) {
             return judgement.SaysNothing("the library does not re-export the tensor on its device");
           }
           const bool cuda = device.device_type == abi::kDLCUDA;
           judgement.Expect(
               "export2.outcome", IsNot(Outcome::kAccepted, Outcome::kRefused),
               cuda ? "__dlpack__ accepts stream=0 for an array on CUDA"
                    : "__dlpack__ accepts stream=1 or stream=2 for an array on ROCm",
               {.rule = cuda ? "PY-STREAM-03" : "PY-STREAM-05", .degree = cuda ? Degree::kRule : Degree::kNote});
         }},
};

}  // namespace
}  // namespace dlpack_cts
