// suites/cuda/device_memory.cc: what only a machine with a CUDA device can show; SKIP elsewhere.
#include "suites/cuda/on_cuda.h"

namespace dlpack_cts {
namespace {

Recipe DrawCudaExport(Draw& draw) {
  Recipe recipe = draw.Export();
  recipe.request().read_only = 0;
  return recipe;
}

bool OnCuda(const Ledger& ledger) {
  return Exported(ledger) && ledger.exports[0].tensor.device.device_type == abi::kDLCUDA;
}

const RegisterCases<cuda::OfProducer> kCases = {
    // C-DEVICE-12: kernels on device device_id can dereference kDLCUDA data.
    {.id = "cuda/memory/exported-data-lies-on-its-device",
     .rules = {"C-DEVICE-12"},
     .draw = DrawCudaExport,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (!OnCuda(ledger)) return judgement.SaysNothing("the array is not on a CUDA device");
           if (IsEmpty(ledger.exports[0])) return judgement.SaysNothing("the array has no elements");
           judgement.Expect("export0.null_data", Is(false),
                            "dl_tensor.data of a CUDA tensor is NULL although the tensor has elements");
         }},

    // C-DEVICE-02: device_id is 0 for pinned memory, whichever device is current.
    {.id = "cuda/memory/pinned-memory-has-device-id-zero",
     .rules = {"C-DEVICE-02"},
     .draw = DrawCudaExport,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const abi::DLDevice device = ledger.exports[0].tensor.device;
           if (device.device_type != abi::kDLCUDAHost)
             return judgement.SaysNothing("the array is not in pinned memory");
           judgement.Expect("export0.device", Is(abi::DLDevice{3, 0}),
                            "dl_tensor.device.device_id of pinned memory is not 0");
         }},
};

}  // namespace
}  // namespace dlpack_cts
