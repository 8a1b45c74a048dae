// suites/c-abi/device_export.cc: the device that a producer declares.
#include "harness/case/case.h"
#include "harness/case/controls.h"
#include "harness/case/judges.h"

namespace dlpack_cts {
namespace {

const RegisterCases<OfProducer> kCases = {
    // C-DEVICE-01: device.device_type is one of the published DLDeviceType values. 0, 5, 6 and negative numbers were
    // never published; numbers above the table may be newer than it.
    {.id = "c-abi/device/exported-type-is-published",
     .rules = {"C-DEVICE-01"},
     .draw = [](Draw& draw) { return draw.Export(); },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const auto [type, id] = ledger.exports[0].tensor.device;
           const bool never = type <= 0 || type == 5 || type == 6;
           judgement.Expect("export0.device", Is(abi::DLDevice{1, 0}),
                            "dl_tensor.device.device_type was never a published DLDeviceType value", {.when = never});
           judgement.Expect("export0.device", Is(abi::DLDevice{1, 0}),
                            "dl_tensor.device.device_type is greater than every released DLDeviceType value",
                            {.degree = Degree::kNote, .when = type > abi::kDLTrn});
           judgement.Expect("export0.device", Is(abi::DLDevice{type, 0}), "dl_tensor.device.device_id is negative",
                            {.when = id < 0});
         }},

    // C-DEVICE-02: device_id is 0 for ordinary CPU memory.
    {.id = "c-abi/device/exported-cpu-id-is-zero",
     .rules = {"C-DEVICE-02"},
     .draw = [](Draw& draw) { return draw.Export(); },
     .judge = Where(IsOnCpu, Expects("export0.device", Is(abi::DLDevice{1, 0}),
                                     "dl_tensor.device.device_id of CPU memory is not 0"))},

    // C-DEVICE-03: The host can dereference kDLCPU data directly.
    {.id = "c-abi/device/exported-cpu-data-is-host-memory",
     .rules = {"C-DEVICE-03"},
     .draw = [](Draw& draw) { return draw.Export(); },
     .judge =
         Where(IsOnCpu, Expects("export0.elements",
                                IsNot(Reading::kUnreadable, Reading::kMatches, Reading::kDiffers, Reading::kWrongCount),
                                "an element of the exported CPU tensor lies in memory that cannot be read"))},

    // C-DEVICE-11: A tensor is one dense strided region on one device. A sparse array is refused, or exported as a
    // dense copy.
    {.id = "c-abi/device/sparse-arrays-are-not-exported-as-dense",
     .rules = {"C-DEVICE-11"},
     .on_refusal = OnRefusal::kJudge,
     .needs = {Claim::kOddities},
     .draw =
         [](Draw& draw) {
           Recipe recipe = draw.Export();
           MakeOdd(recipe.request(), Oddity::kSparse);
           recipe.request().dtype = {abi::kDLFloat, 32, 1};
           recipe.request().dims = 2;
           recipe.request().shape[0] = draw.random.Between(2, 4);
           recipe.request().shape[1] = draw.random.Between(2, 4);
           return recipe;
         },
     .control = control::OrdinaryArray,
     .judge = BufferErrorOr(ExpectsExport("a sparse array is exported as a dense tensor with wrong elements"))},
};

}  // namespace
}  // namespace dlpack_cts
