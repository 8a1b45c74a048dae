// suites/cuda/deleters.cc: deleters of device memory, on any thread and with any current device.
#include "suites/cuda/on_cuda.h"

namespace dlpack_cts {
namespace {

/// An array that is exported and dropped; `deletion` releases the export.
Recipe DrawDeletion(Draw& draw, const Step& deletion) {
  return WithLife(cuda::DrawArray(draw),
                  {Step{.op = Op::kMake}, Step{.op = Op::kExport}, Step{.op = Op::kTakeCapsule},
                   Step{.op = Op::kLoseCapsule}, Step{.op = Op::kDropSource}, deletion, Step{.op = Op::kCollect}});
}

const RegisterCases<cuda::OfProducer> kCases = {
    // CUDA-MEM-07: The deleter of device memory releases it even on a thread that never had a current device.
    {.id = "cuda/deleters/run-on-a-thread-without-a-device",
     .rules = {"CUDA-MEM-07"},
     .draw = [](Draw& draw) { return DrawDeletion(draw, {.op = Op::kDelete, .context = Context::kRawThread}); },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (!cuda::IsOnCuda(ledger.exports[0])) return judgement.SaysNothing(cuda::kElsewhere);
           NothingHeld(
               judgement,
               "the array is still referenced after the deleter was called on a thread without a current device");
         }},

    // CUDA-MEM-07: The deleter does not change the current device.
    {.id = "cuda/deleters/leave-the-current-device-alone",
     .rules = {"CUDA-MEM-07"},
     .draw = [](Draw& draw) { return DrawDeletion(draw, {.op = Op::kDelete, .context = Context::kOtherDevice}); },
     .judge = cuda::DeviceStays(&ExportLedger::cuda_deleter_keeps_device, "export0.cuda_deleter_keeps_device",
                                "a deleter changes the current CUDA device and does not restore it")},
};

}  // namespace
}  // namespace dlpack_cts
