// suites/cuda/memory.cc: where the memory of arrays on a CUDA device lies, as the driver says.
#include <algorithm>
#include <bit>
#include <string>

#include "suites/cuda/on_cuda.h"

namespace dlpack_cts {
namespace {

using cuda::HasElementsOnCuda;
using cuda::IsCopied;

// CUDA-MEM-01: To the driver, the address that a kDLCUDA tensor names is device or managed memory, on the device that
// the struct names. Memory that it does not know is left alone where the device reads all of the host's.
const Register kDeviceMemory{{
    .id = "cuda/memory/driver-knows-it-as-device-memory",
    .rules = {"CUDA-MEM-01"},
    .role = Role::kProducer,
    .needs = {Claim::kCuda},
    .draw = cuda::DrawArray,
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          const ExportLedger& exported = ledger.exports[0];
          if (!HasElementsOnCuda(exported, judgement)) return;
          if (exported.cuda_memory == CudaMemory::kNotAsked) return judgement.SaysNothing("the driver was not asked");
          if (exported.cuda_memory == CudaMemory::kPageable) {
            return judgement.SaysNothing("the device reads all of the host's memory");
          }
          const bool device = exported.cuda_memory == CudaMemory::kDevice;
          if (!Check(device || exported.cuda_memory == CudaMemory::kManaged, ledger, judgement, "CUDA-MEM-01",
                     "export0.cuda_memory", "device | managed", "a kDLCUDA tensor does not lie in device memory")) {
            return;
          }
          // Managed memory is every device's, and of some the driver names none.
          const int32_t named = exported.tensor.device.device_id;
          Check(!device || exported.cuda_device < 0 || exported.cuda_device == named, ledger, judgement, "CUDA-MEM-01",
                "export0.cuda_device", std::to_string(named), "the memory is another device's than the struct names");
        },
}};

// CUDA-MEM-03: The address is that of the array's own buffer on the device. A copy says that it is one, which a legacy
// struct cannot.
const Register kOwnBuffer{{
    .id = "cuda/memory/exported-address-is-the-arrays",
    .rules = {"CUDA-MEM-03"},
    .role = Role::kProducer,
    .needs = {Claim::kCuda},
    .draw = cuda::DrawArray,
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          const ExportLedger& exported = ledger.exports[0];
          if (!HasElementsOnCuda(exported, judgement)) return;
          if (exported.place.area == Area::kUnknown) return judgement.SaysNothing("the library tells no address");
          if (exported.versioned == 0 || IsCopied(exported)) return judgement.SaysNothing("it may be a copy");
          Check(exported.IsAtSource(), ledger, judgement, "CUDA-MEM-03", "export0.points_at_source", "1",
                "an array on CUDA is exported at another address than its own, and IS_COPIED is not set");
        },
}};

// CUDA-MEM-04: Allocations of CUDA are aligned to 256 bytes. Any alignment is right: recorded.
const Register kAligned{{
    .id = "cuda/memory/whole-arrays-are-256-byte-aligned",
    .rules = {"CUDA-MEM-04"},
    .role = Role::kProducer,
    .needs = {Claim::kCuda},
    .draw =
        [](Draw& draw) {
          // A view lies where its indices put it.
          Recipe recipe = cuda::DrawArray(draw);
          recipe.request().making = Making::kFresh;
          recipe.request().strides_kind = StridesKind::kCompact;
          recipe.request().offset = 0;
          return recipe;
        },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          if (!HasElementsOnCuda(ledger.exports[0], judgement)) return;
          // Alone, one may be aligned by accident.
          const auto address = reinterpret_cast<uint64_t>(ledger.exports[0].tensor.data);
          const int64_t least =
              std::min(judgement.LeastAlignment(), int64_t{1} << std::min(std::countr_zero(address), 8));
          judgement.Expect(least == 256, "CUDA-MEM-04", "", "256", std::to_string(least),
                           "data on CUDA is not 256-byte aligned, which the header waives", Degree::kNote);
        },
}};

}  // namespace
}  // namespace dlpack_cts
