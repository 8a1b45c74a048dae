// suites/cuda/host_copies.cc: arrays on a CUDA device that are exported to the host.
#include "harness/case/needs.h"
#include "suites/cuda/on_cuda.h"

namespace dlpack_cts {
namespace {

bool IsOfTheHost(abi::DLDevice device) {
  return device.device_type == abi::kDLCPU || device.device_type == abi::kDLCUDAHost ||
         device.device_type == abi::kDLCUDAManaged;
}

const RegisterCases<cuda::OfProducer> kCases = {
    // PY-DLDEVICE-04: An array on CUDA that is exported with dl_device=(1, 0) is in memory that the host can read, and
    // has the array's elements. A producer may also refuse with BufferError; that is recorded.
    {.id = "cuda/host-copies/have-the-arrays-elements",
     .rules = {"PY-DLDEVICE-04"},
     .on_refusal = OnRefusal::kJudge,
     .python = true,
     .blocked = KnowsDlDevice,
     .draw =
         [](Draw& draw) {
           Recipe recipe = cuda::DrawArray(draw);
           AddCall(recipe, recipe.call()).dl_device = {};
           recipe.call().dl_device = argument::Pair(abi::kDLCPU, 0);
           SetLife(recipe, {{Op::kMake},
                            {Op::kExport},
                            {Op::kReadExport},
                            {.op = Op::kExport, .slot = 1, .call = 1},
                            {Op::kDropSource},
                            {Op::kLoseCapsule},
                            {.op = Op::kLoseCapsule, .slot = 1},
                            {Op::kCollect}});
           return recipe;
         },
     .uncontrolled = uncontrolled::kSteps,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const ExportLedger& exported = ledger.exports[0];
           if (!cuda::IsOnCuda(ledger.exports[1])) return judgement.SaysNothing(cuda::kElsewhere);
           if (!judgement.Expect("export0.outcome", Is(Outcome::kAccepted),
                                 "an array on CUDA is not exported with dl_device=(1, 0)",
                                 {.degree = exported.export_call.buffer_error != 0 ? Degree::kNote : Degree::kRule})) {
             return;
           }
           if (!judgement.Expect("export0.device",
                                 AnyOf(abi::DLDevice{1, 0}, abi::DLDevice{3, 0}, abi::DLDevice{13, 0}),
                                 "an export with dl_device=(1, 0) is not in host memory",
                                 {.when = !IsOfTheHost(exported.tensor.device)})) {
             return;
           }
           ExportMatches(judgement, "__dlpack__(dl_device=(1, 0)) exports elements that are not those of the array");
         }},
};

}  // namespace
}  // namespace dlpack_cts
