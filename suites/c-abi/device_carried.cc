// suites/c-abi/device_carried.cc: memory of other devices that a consumer imports and re-exports.

#include "harness/case/case.h"
#include "harness/case/judges.h"
#include "harness/case/keywords.h"
#include "harness/case/needs.h"
#include "harness/recipe/generator.h"

namespace dlpack_cts {
namespace {

/// A library with a real CUDA device may ask the driver about the pointer, which the harness made up.
std::string_view HasNoCuda(const Profile& profile) {
  return profile.Claims(Claim::kCuda)
             ? "the adapter claims cuda, and the tensor of this case is not on a real CUDA device"
             : "";
}

Recipe DrawPlain(Draw& draw, abi::DLDevice device) {
  Recipe recipe = Releasable(draw.PlainImport(draw.TakenKind()));
  recipe.offer().seed = draw.random.Next();
  recipe.offer().device = recipe.offer().reported_device = device;
  SetLife(recipe, {{Op::kImport},
                   {Op::kDescribe},
                   {.op = Op::kReexport, .other = Other::kSlot1},
                   {.op = Op::kLoseCapsule, .slot = 1},
                   {Op::kDropProducer},
                   {Op::kDropArray},
                   {Op::kCollect}});
  return recipe;
}

/// The handle 0x1, which is not an address, with or without a byte_offset.
Recipe DrawHandle(Draw& draw, int32_t type) {
  Recipe recipe = DrawPlain(draw, {type, static_cast<int32_t>(draw.random.Below(2))});
  recipe.offer().placement = Placement::kForeignHandle;
  recipe.offer().byte_offset = static_cast<uint64_t>(draw.Pick(3)) * 64;
  return recipe;
}

/// Host memory that is declared as pinned, or as managed.
Recipe DrawHostReadable(Draw& draw, bool managed) {
  constexpr int32_t kTypes[] = {abi::kDLCUDAHost, abi::kDLROCMHost, abi::kDLCUDAManaged};
  return DrawPlain(draw, {kTypes[draw.Pick(managed ? 3 : 2)], 0});
}

const RegisterCases<OfConsumer> kCases = {
    // C-DEVICE-10: `data` can be an opaque handle (cl_mem for OpenCL, a buffer of Metal or Vulkan). A consumer does no
    // arithmetic with it and does not dereference it: it refuses the tensor, or re-exports handle and byte_offset
    // unchanged. No release says this about Metal and Vulkan, so there it is only recorded.
    {.id = "c-abi/device/opaque-handles-are-handed-on-as-they-are",
     .rules = {"C-DEVICE-10"},
     .on_refusal = OnRefusal::kPass,
     .needs = {Claim::kReexport},
     .blocked = TakesPlain,
     .draw =
         [](Draw& draw) {
           constexpr int32_t kTypes[] = {abi::kDLOpenCL, abi::kDLMetal, abi::kDLOpenCL, abi::kDLVulkan};
           return DrawHandle(draw, kTypes[draw.Pick(4)]);
         },
     .judge =
         [](const Recipe& recipe, const Ledger&, Judgement& judgement) {
           if (!IsReexported(judgement)) return;
           const bool named = recipe.offer().device.device_type == abi::kDLOpenCL;
           const Degree degree = named ? Degree::kRule : Degree::kNote;
           if (!judgement.Expect("export1.byte_offset", Is(recipe.offer().byte_offset),
                                 "an opaque handle is re-exported with a different byte_offset", {.degree = degree})) {
             return;
           }
           judgement.Expect("export1.points_at_source", Is(true),
                            "an opaque handle is re-exported as a different handle", {.degree = degree});
         }},

    // C-DEVICE-15: `device_type` names the programming interface that the memory belongs to, even if a library uses one
    // name for several of them. A tensor is re-exported with the device_type that it was imported with.
    {.id = "c-abi/device/interfaces-are-handed-on-by-their-number",
     .rules = {"C-DEVICE-15"},
     .on_refusal = OnRefusal::kPass,
     .needs = {Claim::kReexport},
     .blocked = TakesPlain,
     .draw =
         [](Draw& draw) {
           constexpr int32_t kTypes[] = {abi::kDLROCM, abi::kDLOneAPI, abi::kDLWebGPU, abi::kDLMAIA, abi::kDLTrn};
           return DrawHandle(draw, kTypes[draw.Pick(5)]);
         },
     .judge =
         [](const Recipe& recipe, const Ledger&, Judgement& judgement) {
           if (!IsReexported(judgement)) return;
           const abi::DLDevice came = recipe.offer().device;
           judgement.Expect("export1.device", OfType(came),
                            "the re-exported tensor has a different device_type than the imported tensor");
         }},

    // C-DEVICE-14: The device_id of pinned memory is 0 and does not name a GPU. An array that shares pinned memory does
    // not report a GPU as its device. Managed memory may be reported as CUDA memory, so it is not tested.
    {.id = "c-abi/device/pinned-memory-is-not-taken-for-a-gpus",
     .rules = {"C-DEVICE-14"},
     .on_refusal = OnRefusal::kPass,
     .blocked = HasNoCuda,
     .draw = [](Draw& draw) { return DrawHostReadable(draw, false); },
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           const ImportLedger& import = ledger.imports[0];
           if (!TellsDevice(judgement)) return;
           const bool copied = import.result.has_pointer != 0 && !import.Aliases();
           const int32_t type = import.result.device.device_type;
           judgement.Expect("import0.device", AnyOf(recipe.offer().device, abi::DLDevice{abi::kDLCPU, 0}),
                            "pinned host memory was imported as memory of a GPU",
                            {.when = !copied && (type == abi::kDLCUDA || type == abi::kDLROCM)});
         }},

    // C-DEVICE-13: The host can read memory that is exported as pinned or managed. Here such memory is imported and
    // re-exported.
    {.id = "c-abi/device/pinned-memory-that-is-handed-on-can-be-read",
     .rules = {"C-DEVICE-13"},
     .on_refusal = OnRefusal::kPass,
     .needs = {Claim::kReexport},
     .blocked = HasNoCuda,
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawHostReadable(draw, true);
           AskForVersioned(draw, recipe);
           return recipe;
         },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (!IsReexported(judgement)) return;
           const ExportLedger& exported = ledger.exports[1];
           const int32_t type = exported.tensor.device.device_type;
           if (type != abi::kDLCUDAHost && type != abi::kDLROCMHost && type != abi::kDLCUDAManaged) {
             return judgement.SaysNothing("the re-exported tensor is not declared as pinned or managed memory");
           }
           judgement.Expect(
               "export1.elements", IsNot(Reading::kUnreadable, Reading::kMatches),
               "the re-exported tensor is declared as pinned or managed memory, but the host cannot read it");
         }},
};

}  // namespace
}  // namespace dlpack_cts
