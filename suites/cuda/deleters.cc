// suites/cuda/deleters.cc: deleters of device memory, on any thread and whatever device is current there.
#include "suites/cuda/on_cuda.h"

namespace dlpack_cts {
namespace {

/// An array that is exported and dropped, and whose export `deletion` releases.
Recipe DrawDeletion(Draw& draw, const Step& deletion) {
  Recipe recipe = cuda::DrawArray(draw);
  SetLife(recipe, {Step{.op = Op::kMake}, Step{.op = Op::kExport}, Step{.op = Op::kTakeCapsule},
                   Step{.op = Op::kLoseCapsule}, Step{.op = Op::kDropSource}, deletion, Step{.op = Op::kCollect}});
  return recipe;
}

// CUDA-MEM-07: The deleter of device memory runs on a thread on which no device was ever current, and releases it.
const Register kAnyThread{{
    .id = "cuda/deleters/run-on-a-thread-without-a-device",
    .rules = {"CUDA-MEM-07"},
    .role = Role::kProducer,
    .needs = {Claim::kCuda},
    .draw = [](Draw& draw) { return DrawDeletion(draw, {.op = Op::kDelete, .context = Context::kRawThread}); },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          if (!cuda::IsOnCuda(ledger.exports[0])) return judgement.SaysNothing(cuda::kElsewhere);
          NothingHeld("CUDA-MEM-07", ledger, judgement,
                      "an array on CUDA lives on after its deleter ran on a thread without a device");
        },
}};

// CUDA-MEM-07: It does not leave another device current than before.
const Register kDeviceStays{{
    .id = "cuda/deleters/leave-the-current-device-alone",
    .rules = {"CUDA-MEM-07"},
    .role = Role::kProducer,
    .needs = {Claim::kCuda},
    .draw = [](Draw& draw) { return DrawDeletion(draw, {.op = Op::kDelete, .context = Context::kOtherDevice}); },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          cuda::DeviceStays("CUDA-MEM-07", ledger, judgement, ledger.exports[0].cuda_deleter_keeps_device,
                            "export0.cuda_deleter_keeps_device", "a deleter leaves another device current than before");
        },
}};

}  // namespace
}  // namespace dlpack_cts
