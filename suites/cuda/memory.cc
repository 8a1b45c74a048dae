// suites/cuda/memory.cc: where the memory of arrays on a CUDA device lies, according to the driver.
#include "suites/cuda/on_cuda.h"

namespace dlpack_cts {
namespace {

using cuda::HasElementsOnCuda;
using cuda::IsCopied;

constexpr std::string_view kNoKernel =
    "no kernel read the elements: dlpack-cts was built without nvcc (set DLPACK_CTS_NVCC in CMake), the CUDA driver is "
    "older "
    "than nvcc, or the tensor is too large";

Recipe DrawCudaExport(Draw& draw) {
  Recipe recipe = draw.Export();
  recipe.request().read_only = 0;
  return recipe;
}

/// True if the export has elements in memory of that type, and the driver was asked about it.
bool DeclaresKnownMemory(const ExportLedger& exported, int32_t type, Judgement& judgement) {
  const bool declared = exported.struct_address != 0 && exported.tensor.device.device_type == type;
  if (!declared) {
    judgement.SaysNothing("the array is not declared as memory of that kind");
  } else if (IsEmpty(exported)) {
    judgement.SaysNothing("the array has no elements");
  } else if (exported.cuda_memory == CudaMemory::kNotAsked || exported.cuda_memory == CudaMemory::kPageable) {
    judgement.SaysNothing("the CUDA driver does not tell the kinds of memory apart");
  } else {
    return true;
  }
  return false;
}

const RegisterCases<cuda::OfProducer> kCases = {
    // CUDA-MEM-01: The driver reports the address of a kDLCUDA tensor as device or managed memory, on the device that
    // the struct names. Memory that the driver does not know is not judged if the device can read all host memory.
    {.id = "cuda/memory/driver-knows-it-as-device-memory",
     .rules = {"CUDA-MEM-01"},
     .draw = cuda::DrawArray,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const ExportLedger& exported = ledger.exports[0];
           if (!HasElementsOnCuda(exported, judgement)) return;
           if (exported.cuda_memory == CudaMemory::kNotAsked)
             return judgement.SaysNothing("the CUDA driver was not asked about the memory");
           if (exported.cuda_memory == CudaMemory::kPageable) {
             return judgement.SaysNothing("the device can read all host memory");
           }
           const bool device = exported.cuda_memory == CudaMemory::kDevice;
           if (!judgement.Expect("export0.cuda_memory", AnyOf(CudaMemory::kDevice, CudaMemory::kManaged),
                                 "the memory of a kDLCUDA tensor is neither device memory nor managed memory")) {
             return;
           }
           // Managed memory belongs to every device, and for some of it the driver names no device.
           const int32_t named = exported.tensor.device.device_id;
           judgement.Expect("export0.cuda_device", Is(named),
                            "the memory is on a different CUDA device than dl_tensor.device.device_id",
                            {.when = device && exported.cuda_device >= 0});
         }},

    // CUDA-MEM-03: The address is that of the array's own buffer on the device. A copy declares that it is a copy,
    // which a legacy struct cannot.
    {.id = "cuda/memory/exported-address-is-the-arrays",
     .rules = {"CUDA-MEM-03"},
     .draw = cuda::DrawArray,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const ExportLedger& exported = ledger.exports[0];
           if (!HasElementsOnCuda(exported, judgement)) return;
           if (exported.place.area == Area::kUnknown)
             return judgement.SaysNothing("the adapter does not report the address of the array");
           if (exported.versioned == 0 || IsCopied(exported)) return judgement.SaysNothing("the export may be a copy");
           judgement.Expect(
               "export0.points_at_source", Is(true),
               "the exported tensor is not in the array's memory, and DLPACK_FLAG_BITMASK_IS_COPIED is not set");
         }},

    // CUDA-MEM-04: CUDA allocations are aligned to 256 bytes. Any alignment is allowed, so it is only recorded.
    {.id = "cuda/memory/whole-arrays-are-256-byte-aligned",
     .rules = {"CUDA-MEM-04"},
     .draw =
         [](Draw& draw) {
           // A view starts where its indices put it.
           Recipe recipe = cuda::DrawArray(draw);
           MakeWhole(recipe.request());
           return recipe;
         },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (!HasElementsOnCuda(ledger.exports[0], judgement)) return;
           AlignmentIs256(judgement,
                          "dl_tensor.data in CUDA memory is not aligned to 256 bytes (a note in dlpack.h waives this)");
         }},

    // C-DEVICE-12: Kernels on device device_id can dereference kDLCUDA data. A kernel of the harness reads every
    // element,
    // for any layout. The driver's opinion of the address does not matter.
    {.id = "cuda/memory/exported-data-lies-on-its-device",
     .rules = {"C-DEVICE-12"},
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawCudaExport(draw);
           recipe.request().oddity = draw.PlainRequest().oddity;
           recipe.call().copy = recipe.call().dl_device = recipe.call().stream = {};
           SetLife(recipe, {Step{.op = Op::kMake}, Step{.op = Op::kExport}, Step{.op = Op::kReadExport, .stream = 1},
                            Step{.op = Op::kDropSource}, Step{.op = Op::kLoseCapsule}, Step{.op = Op::kCollect}});
           return recipe;
         },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (!HasElementsOnCuda(ledger.exports[0], judgement)) return;
           if (!judgement.Expect("export0.null_data", Is(false),
                                 "dl_tensor.data of a CUDA tensor is NULL although the tensor has elements")) {
             return;
           }
           if (ledger.exports[0].metadata_readable == 0)
             return judgement.SaysNothing("shape or strides of the exported tensor could not be read");
           const Reading reading = ledger.exports[0].elements.reading;
           if (reading != Reading::kUnreadable && reading != Reading::kMatches && reading != Reading::kDiffers)
             return judgement.SaysNothing(kNoKernel);
           judgement.Expect(
               "export0.elements", Is(Reading::kMatches),
               reading == Reading::kUnreadable
                   ? "a kernel on device dl_tensor.device.device_id cannot read the elements"
                   : "a kernel on device dl_tensor.device.device_id reads elements that are not the array's");
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

    // C-DEVICE-04: kDLCUDAHost names host memory that is pinned. Pinned memory may be declared as kDLCPU too, so only
    // what declares kDLCUDAHost is judged. The driver reports page-locked memory of any kind as host memory.
    {.id = "cuda/memory/declared-pinned-memory-is-pinned",
     .rules = {"C-DEVICE-04"},
     .draw = DrawCudaExport,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const ExportLedger& exported = ledger.exports[0];
           if (!DeclaresKnownMemory(exported, abi::kDLCUDAHost, judgement)) return;
           if (exported.cuda_memory == CudaMemory::kManaged)
             return judgement.SaysNothing("the array is in managed memory, which another case judges");
           judgement.Expect("export0.cuda_memory", Is(CudaMemory::kHost),
                            "dl_tensor.device is kDLCUDAHost, but the CUDA driver does not report pinned host memory");
         }},

    // C-DEVICE-05: kDLCUDAManaged names managed memory, which may be declared as kDLCUDA too, but not as kDLCUDAHost.
    {.id = "cuda/memory/managed-memory-is-declared-as-such",
     .rules = {"C-DEVICE-05"},
     .draw = DrawCudaExport,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const ExportLedger& exported = ledger.exports[0];
           const bool managed = exported.cuda_memory == CudaMemory::kManaged;
           const int32_t type = exported.tensor.device.device_type;
           if (!managed && !DeclaresKnownMemory(exported, abi::kDLCUDAManaged, judgement)) return;
           judgement.Expect("export0.cuda_memory", Is(CudaMemory::kManaged),
                            "dl_tensor.device is kDLCUDAManaged, but the CUDA driver does not report managed memory",
                            {.degree = Degree::kNote, .when = !managed});
           judgement.Expect("export0.device", Is(abi::DLDevice{abi::kDLCUDAManaged, 0}),
                            "managed CUDA memory is declared as pinned host memory (kDLCUDAHost)",
                            {.when = managed && type == abi::kDLCUDAHost});
         }},
};

}  // namespace
}  // namespace dlpack_cts
