// suites/cuda/streams.cc: the streams that are passed to producers on CUDA, and those that consumers pass.
//
// Nothing is pending on these streams, so the order of work is not tested here (order.cc).

#include "harness/case/needs.h"
#include "suites/cuda/on_cuda.h"

namespace dlpack_cts {
namespace {

const RegisterCases<cuda::OfProducer> kProducerCases = {
    // CUDA-STREAM-04: 1 is the legacy default stream. CUDA-STREAM-05: 2 is the per-thread default stream. A library
    // that accepts them exports the array itself; it may refuse either.
    {.id = "cuda/streams/named-streams-lead-to-the-array",
     .rules = {"CUDA-STREAM-04", "CUDA-STREAM-05"},
     .python = true,
     .draw =
         [](Draw& draw) {
           Recipe recipe = cuda::DrawArray(draw);
           AddCall(recipe, recipe.call()).stream = {};
           recipe.call().stream = argument::Int(1 + draw.Pick(2));
           SetLife(recipe, {{Op::kMake},
                            {Op::kExport},
                            {.op = Op::kExport, .slot = 1, .call = 1},
                            {Op::kDropSource},
                            {Op::kLoseCapsule},
                            {.op = Op::kLoseCapsule, .slot = 1},
                            {Op::kCollect}});
           return recipe;
         },
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           const ExportLedger& exported = ledger.exports[0];
           const ExportLedger& beside = ledger.exports[1];
           if (!cuda::HasElementsOnCuda(beside, judgement)) return;
           const std::string_view rule = recipe.call().stream.a == 2 ? "CUDA-STREAM-05" : "CUDA-STREAM-04";
           const abi::DLDevice own = beside.tensor.device;
           if (!judgement.Expect(
                   "export0.device", OfType(own),
                   "an export with a default stream is on a different device than an export without stream",
                   {.rule = rule})) {
             return;
           }
           const bool shares = beside.IsAtSource() && exported.versioned != 0 && !cuda::IsCopied(exported);
           judgement.Expect("export0.points_at_source", Is(true),
                            "with a default stream the exported tensor is not in the array's memory, and "
                            "DLPACK_FLAG_BITMASK_IS_COPIED is not set",
                            {.rule = rule, .when = shares});
         }},
};

const RegisterCases<cuda::OfConsumer> kConsumerCases = {
    // CUDA-STREAM-11: A stream handle that a consumer passes belongs to the device that __dlpack_device__ returned.
    // Here that is the second device, and data is a fake handle. None, 1 and a refusal are allowed.
    {.id = "cuda/streams/announced-stream-is-of-the-producers-device",
     .rules = {"CUDA-STREAM-11"},
     .on_refusal = OnRefusal::kJudge,
     .python = true,
     .blocked = TakesPlain,
     .draw =
         [](Draw& draw) {
           Recipe recipe = Releasable(draw.PlainImport(draw.TakenKind()));
           PutOn(recipe.offer(), {abi::kDLCUDA, 1}, Placement::kForeignHandle);
           recipe.offer().byte_offset = 0;
           SetLife(recipe, {Op::kImport, Op::kDropProducer, Op::kDropArray, Op::kCollect});
           return recipe;
         },
     .uncontrolled = uncontrolled::kCalls,
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           const int32_t device = recipe.offer().reported_device.device_id;
           bool known = false;
           ForEachCallOfDlpack(ledger, [&](const ProducerCall& call, int index) {
             if (call.cuda_stream_device == 0) return;
             known = true;
             judgement.Expect("import0.callC.cuda_stream_device", AnyOf(device, kNothing),
                              "the consumer passes a stream of a different device than __dlpack_device__ returns",
                              {.index = index});
           });
           if (!known)
             judgement.SaysNothing("the consumer did not pass a stream handle, or there is no second CUDA device");
         }},
};

}  // namespace
}  // namespace dlpack_cts
