// suites/cuda/current_device.cc: exports while the current device is not the array's device.
#include "suites/cuda/on_cuda.h"

namespace dlpack_cts {
namespace {

const RegisterCases<cuda::OfProducer> kCases = {
    // CUDA-MEM-08: An export that succeeds does not change the current device. A library that needs the array's device
    // to be current may refuse.
    {.id = "cuda/current-device/stays-behind-an-export",
     .rules = {"CUDA-MEM-08"},
     .draw = WithLife(cuda::DrawArray,
                      {Step{.op = Op::kMake}, Step{.op = Op::kExport, .context = Context::kOtherDevice},
                       Step{.op = Op::kDropSource}, Step{.op = Op::kLoseCapsule}, Step{.op = Op::kCollect}}),
     .judge = cuda::DeviceStays(&ExportLedger::cuda_keeps_device, "export0.cuda_keeps_device",
                                "an export changes the current CUDA device and does not restore it")},
};

}  // namespace
}  // namespace dlpack_cts
