// suites/python/stream_import.cc: which stream a consumer passes to the producer.
#include <utility>

#include "harness/case/arguments.h"
#include "harness/case/case.h"
#include "harness/case/controls.h"
#include "harness/case/judges.h"
#include "harness/case/needs.h"

namespace dlpack_cts {
namespace {

/// A bare capsule does not have a producer to call.
std::string_view AsksProducers(const Profile& profile) {
  const std::string_view objects = TakesObjects(profile);
  return objects.empty() ? TakesPlain(profile) : objects;
}

/// A tensor of a producer on that device, whose dl_tensor.data is not an address of host memory. A consumer without
/// such devices may call __dlpack__ before it refuses.
Recipe DrawOnDevice(Draw& draw, int32_t type) {
  Recipe recipe = Releasable(draw.PlainImport(draw.TakenKind()));
  PutOn(recipe.offer(), {type, 0}, Placement::kForeignHandle);
  recipe.offer().byte_offset = 0;
  recipe.offer().keywords = draw.Pick(2) == 0 ? kIgnoresKeywords : kStreamOnly;
  SetLife(recipe, {Op::kImport, Op::kDropProducer, Op::kDropArray, Op::kCollect});
  return recipe;
}

constexpr std::string_view kNotAsked = "the library does not call __dlpack__ of a producer on another device";

/// A case about the calls of __dlpack__, whether the import succeeds or not.
Case OfCalls(Case made) {
  made.on_refusal = OnRefusal::kJudge;
  made.uncontrolled = uncontrolled::kCalls;
  made.blocked = AsksProducers;
  return OfPythonConsumer(std::move(made));
}

const RegisterCases<OfCalls> kCases = {
    // PY-STREAM-04: A consumer never passes 0 to a producer on CUDA: the default stream is 1, or None.
    {.id = "python/stream/zero-is-not-passed-to-cuda",
     .rules = {"PY-STREAM-04"},
     .draw = [](Draw& draw) { return DrawOnDevice(draw, abi::kDLCUDA); },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const bool asked = ForEachCallOfDlpack(ledger, [&](const ProducerCall& call, int index) {
             const bool zero = call.stream.kind == ArgumentKind::kInt && call.stream.a == 0;
             judgement.Expect("import0.callC.stream", AnyOf(argument::kAbsent, argument::kNone, argument::Int(1)),
                              "the library passes stream=0 to a producer on CUDA", {.index = index, .when = zero});
           });
           if (!asked) judgement.SaysNothing(kNotAsked);
         }},

    // PY-STREAM-05: On ROCm 1 and 2 are not supported: the default stream is 0, or None.
    {.id = "python/stream/one-and-two-are-not-passed-to-rocm",
     .rules = {"PY-STREAM-05"},
     .draw = [](Draw& draw) { return DrawOnDevice(draw, abi::kDLROCM); },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const bool asked = ForEachCallOfDlpack(ledger, [&](const ProducerCall& call, int index) {
             const bool small = call.stream.kind == ArgumentKind::kInt && (call.stream.a == 1 || call.stream.a == 2);
             judgement.Expect("import0.callC.stream", AnyOf(argument::kAbsent, argument::kNone, argument::Int(0)),
                              "the library passes stream=1 or stream=2 to a producer on ROCm",
                              {.index = index, .when = small});
           });
           if (!asked) judgement.SaysNothing(kNotAsked);
         }},

    // PY-STREAM-06: For data on CUDA or ROCm a consumer passes the stream that it will use. It passes the same stream
    // when it retries without the keywords that the producer does not accept. -1 is a NOTE.
    {.id = "python/stream/stream-is-named-in-every-call",
     .rules = {"PY-STREAM-06"},
     .draw = [](Draw& draw) { return DrawOnDevice(draw, draw.Pick(4) == 0 ? abi::kDLROCM : abi::kDLCUDA); },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const Argument* named = nullptr;
           const bool asked = ForEachCallOfDlpack(ledger, [&](const ProducerCall& call, int index) {
             const bool same = named == nullptr || (call.stream.kind == named->kind && call.stream.a == named->a);
             judgement.Expect("import0.callC.stream", Is(named == nullptr ? argument::kAbsent : *named),
                              "the library does not pass the same stream when it calls __dlpack__ again",
                              {.index = index, .when = !same});
             if (call.stream.kind != ArgumentKind::kInt) return;
             named = call.raised != 0 ? &call.stream : nullptr;  // else the next call is not a retry
             judgement.Expect("import0.callC.stream", AnyOf(argument::kAbsent, argument::kNone, argument::Int(1)),
                              "the library passes stream=-1 to a producer on CUDA or ROCm",
                              {.index = index, .degree = Degree::kNote, .when = call.stream.a == -1});
           });
           if (!asked) judgement.SaysNothing(kNotAsked);
         }},

    // PY-STREAM-07: For data on the CPU a consumer passes None, or no stream, whatever the other keywords are. A
    // consumer that retries without a refused stream gets a NOTE.
    {.id = "python/stream/nothing-is-named-for-the-cpu",
     .rules = {"PY-STREAM-07"},
     .draw =
         [](Draw& draw) {
           Recipe recipe = draw.PlainImport(draw.TakenKind());
           recipe.offer().seed = draw.random.Next();
           if (draw.Pick(3) == 0) recipe.offer().keywords = draw.Pick(2) == 0 ? kStreamOnly : kNoKeywords;
           if (draw.profile.Claims(Claim::kCopyKeyword) && draw.Pick(3) == 0) {
             recipe.call().copy.kind = ArgumentKind::kTrue;
           }
           if (draw.profile.Claims(Claim::kDeviceKeyword) && draw.Pick(3) == 0) {
             recipe.call().dl_device = argument::Pair(abi::kDLCPU, 0);
           }
           return recipe;
         },
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           if (recipe.offer().reported_device.device_type != abi::kDLCPU) {
             return judgement.SaysNothing("the library imports memory of CUDA devices only");
           }
           const bool asked = ForEachCallOfDlpack(ledger, [&](const ProducerCall& call, int index) {
             judgement.Expect(
                 "import0.callC.stream", AnyOf(argument::kAbsent, argument::kNone),
                 "the library passes a stream other than None to a producer on the CPU",
                 {.index = index, .degree = call.raised != 0 && Accepted(ledger) ? Degree::kNote : Degree::kRule});
           });
           if (!asked) judgement.SaysNothing("the library did not call __dlpack__");
         }},

    // PY-STREAM-12: The stream that a consumer passes for data on CUDA or ROCm is None or an integer from -1 on. Any
    // integer beyond 64 bits is accepted.
    {.id = "python/stream/stream-is-none-or-a-number",
     .rules = {"PY-STREAM-12"},
     .draw = [](Draw& draw) { return DrawOnDevice(draw, draw.Pick(2) == 0 ? abi::kDLROCM : abi::kDLCUDA); },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const bool asked = ForEachCallOfDlpack(ledger, [&](const ProducerCall& call, int index) {
             const ArgumentKind kind = call.stream.kind;
             const bool number = kind == ArgumentKind::kTrue || kind == ArgumentKind::kFalse ||
                                 kind == ArgumentKind::kHuge || (kind == ArgumentKind::kInt && call.stream.a >= -1);
             judgement.Expect("import0.callC.stream", AnyOf(argument::kAbsent, argument::kNone, argument::Int(1)),
                              "the library passes a stream that is neither None nor an integer from -1 on",
                              {.index = index, .when = !number});
           });
           if (!asked) judgement.SaysNothing(kNotAsked);
         }},
};

}  // namespace
}  // namespace dlpack_cts
