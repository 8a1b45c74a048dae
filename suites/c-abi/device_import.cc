// suites/c-abi/device_import.cc: how a consumer uses the device.
#include "harness/case/case.h"
#include "harness/case/controls.h"
#include "harness/case/judges.h"

namespace dlpack_cts {
namespace {

/// A tensor on another device, whose data must not be accessed; __dlpack_device__ returns the same device. `dwarf` is
/// the argument of Draw::Dwarf().
Recipe DrawOnDevice(Draw& draw, abi::DLDevice device, int dwarf, const Limits& taken) {
  Limits limits = taken;
  limits.empty = limits.read_only = false;
  Recipe recipe = Releasable(draw.Import(limits));
  PutOn(recipe.offer(), device, Placement::kUnmapped);
  recipe.offer().byte_offset = 0;
  recipe.offer().flags = 0;
  draw.Dwarf(recipe.offer(), dwarf);
  // Only the struct says on which device a bare capsule is. An object is often refused for what it answers.
  const bool bare = (draw.index + draw.index / 8) % 2 != 0 && draw.profile.Claims(Claim::kCapsuleInput);
  SetLife(recipe,
          {bare ? Op::kImportCapsule : Op::kImport, Op::kDescribe, Op::kDropProducer, Op::kDropArray, Op::kCollect});
  return recipe;
}

const RegisterCases<OfConsumer> kCases = {
    // C-DEVICE-06: The meaning of kDLExtDev (12) is implementation-defined. A consumer should accept it only by
    // agreement with the producer, and never treats its data as host memory. The data is inaccessible: an access is
    // reported as UNSAFE.
    {.id = "c-abi/device/extension-device-is-not-host-memory",
     .rules = {"C-DEVICE-06"},
     .on_refusal = OnRefusal::kPass,
     .draw = [](Draw& draw) { return DrawOnDevice(draw, {abi::kDLExtDev, draw.Pick(4)}, draw.Pick(6), draw.limits()); },
     .judge = ExpectsNotHost("a tensor on an extension device (kDLExtDev) was imported as an array on the CPU")},

    // C-DEVICE-08: A consumer refuses a device type that it does not support, without accessing data, and releases the
    // tensor. The class of the exception is PY-FROM-09.
    {.id = "c-abi/device/unsupported-device-is-refused-and-released",
     .rules = {"C-DEVICE-08", "C-DEVICE-10", "C-OWN-15"},
     .examples = Examples::kTable,
     .table = 64,  // eight devices, four numbers of elements, two kinds of struct
     .on_refusal = OnRefusal::kJudge,
     .draw =
         [](Draw& draw) {
           // Devices whose memory a CPU build cannot access.
           constexpr int32_t kTypes[] = {abi::kDLVulkan, abi::kDLMetal,   abi::kDLVPI,  abi::kDLOpenCL,
                                         abi::kDLWebGPU, abi::kDLHexagon, abi::kDLMAIA, abi::kDLTrn};
           Limits limits = draw.limits();
           const bool both = limits.legacy && limits.versioned;
           limits.legacy = limits.legacy && (!both || draw.index < 32);
           limits.versioned = limits.versioned && (!both || draw.index >= 32);
           const abi::DLDevice device = {kTypes[draw.index % 8], static_cast<int32_t>(draw.random.Below(2))};
           return DrawOnDevice(draw, device, draw.index / 8 % 4, limits);
         },
     .control = control::OnCpu,
     .judge =
         [](const Recipe& recipe, const Ledger&, Judgement& judgement) {
           ReleasedOnce(recipe, judgement);
           const bool handle = recipe.offer().device.device_type == abi::kDLOpenCL;
           NotTakenForHost(recipe, judgement, "a tensor on another device was imported as an array on the CPU",
                           {.rule = handle ? "C-DEVICE-10" : "C-DEVICE-08"});
         }},

    // C-LAYOUT-05: DLDevice.device_type is a 32-bit and device_id an int32 field, 8 bytes together: 0x00010001 is not
    // 1.
    {.id = "c-abi/device/type-and-id-have-their-width",
     .rules = {"C-LAYOUT-05"},
     .examples = Examples::kTable,
     .table = 24,
     .on_refusal = OnRefusal::kPass,
     .draw =
         [](Draw& draw) {
           constexpr abi::DLDevice kOdd[] = {{0x00010001, 0}, {0x01000001, 0}, {0x101, 0},
                                             {0, 1},          {0x00010001, 1}, {0x7f000001, 0}};
           return DrawOnDevice(draw, kOdd[draw.index % 6], draw.index / 6, draw.limits());
         },
     .judge =
         ExpectsNotHost("a tensor with a 32-bit device_type other than kDLCPU was imported as an array on the CPU")},
};

}  // namespace
}  // namespace dlpack_cts
