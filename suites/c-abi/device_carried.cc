// suites/c-abi/device_carried.cc: memory of other devices that a consumer takes, and what it says when it hands it on.
#include <string>

#include "harness/case/case.h"
#include "harness/case/judges.h"
#include "harness/case/needs.h"
#include "harness/recipe/generator.h"

namespace dlpack_cts {
namespace {

/// Who has a CUDA device may look the pointer up there, and finds what the harness made up.
std::string_view HasNoCuda(const Profile& profile) {
  return profile.Claims(Claim::kCuda) ? "the library has a real CUDA device, which knows that the tensor is made up"
                                      : "";
}

Recipe DrawPlain(Draw& draw, abi::DLDevice device) {
  const bool versioned = draw.profile.takes_versioned && (draw.Pick(2) == 0 || !draw.profile.takes_legacy);
  Recipe recipe = draw.PlainImport(versioned ? StructKind::kVersioned : StructKind::kLegacy);
  recipe.offer().seed = draw.random.Next();
  recipe.offer().device = recipe.offer().reported_device = device;
  MakeReleasable(recipe);
  SetLife(recipe, {{Op::kImport},
                   {Op::kDescribe},
                   {.op = Op::kReexport, .other = Other::kSlot1},
                   {.op = Op::kLoseCapsule, .slot = 1},
                   {Op::kDropProducer},
                   {Op::kDropArray},
                   {Op::kCollect}});
  return recipe;
}

/// The number 0x1, which is no address, and a byte_offset or none.
Recipe DrawHandle(Draw& draw, int32_t type) {
  Recipe recipe = DrawPlain(draw, {type, static_cast<int32_t>(draw.random.Below(2))});
  recipe.offer().placement = Placement::kForeignHandle;
  recipe.offer().byte_offset = static_cast<uint64_t>(draw.Pick(3)) * 64;
  return recipe;
}

/// What the library took is exported again, into slot 1.
bool HandedOn(const Ledger& ledger, Judgement& judgement) {
  if (Exported(ledger, 1)) return true;
  judgement.SaysNothing("the library takes the tensor, and does not export it again");
  return false;
}

// C-DEVICE-10: `data` can be an opaque handle (cl_mem for OpenCL, a buffer of Metal or Vulkan), so no arithmetic is
// done with it, and nobody goes there: it is refused, or handed on as it is, with its byte_offset beside it. Of Metal
// and Vulkan no release says so: recorded.
const Register kHandlesStay{{
    .id = "c-abi/device/opaque-handles-are-handed-on-as-they-are",
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
        [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
          if (!HandedOn(ledger, judgement)) return;
          const bool named = recipe.offer().device.device_type == abi::kDLOpenCL;
          const Degree degree = named ? Degree::kRule : Degree::kNote;
          const ExportLedger& exported = ledger.exports[1];
          if (!Check(exported.tensor.byte_offset == recipe.offer().byte_offset, ledger, judgement, "C-DEVICE-10",
                     "export1.byte_offset", std::to_string(recipe.offer().byte_offset),
                     "an opaque handle is handed on with another byte_offset", degree)) {
            return;
          }
          Check(exported.IsAtSource(), ledger, judgement, "C-DEVICE-10", "export1.points_at_source", "1",
                "another handle is handed on than the one that came", degree);
        },
}};

// C-DEVICE-15: `device_type` names the programming interface that the memory belongs to, also where a library calls
// several of them by one name: what came as one is not handed on as another.
const Register kInterfacesStay{{
    .id = "c-abi/device/interfaces-are-handed-on-by-their-number",
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
        [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
          if (!HandedOn(ledger, judgement)) return;
          const abi::DLDevice came = recipe.offer().device;
          Check(ledger.exports[1].tensor.device.device_type == came.device_type, ledger, judgement, "C-DEVICE-15",
                "export1.device", AsText(came), "memory of one programming interface is handed on as another one's");
        },
}};

/// Memory of the host that is said to be pinned, or managed.
Recipe DrawHostReadable(Draw& draw, bool managed) {
  constexpr int32_t kTypes[] = {abi::kDLCUDAHost, abi::kDLROCMHost, abi::kDLCUDAManaged};
  return DrawPlain(draw, {kTypes[draw.Pick(managed ? 3 : 2)], 0});
}

// C-DEVICE-14: The device_id of pinned memory is 0 and names no GPU: an array that shares it is not said to lie on one.
// Managed memory may be called CUDA memory, so that it shows nothing.
const Register kPinnedIsNoGpu{{
    .id = "c-abi/device/pinned-memory-is-not-taken-for-a-gpus",
    .rules = {"C-DEVICE-14"},
    .on_refusal = OnRefusal::kPass,
    .blocked = HasNoCuda,
    .draw = [](Draw& draw) { return DrawHostReadable(draw, false); },
    .judge =
        [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
          const ImportLedger& import = ledger.imports[0];
          if (!import.result.valid || !import.result.has_device) {
            return judgement.SaysNothing("the adapter does not say on which device the result lies");
          }
          const bool copied = import.result.has_pointer != 0 && !import.Aliases();
          const int32_t type = import.result.device.device_type;
          Check(copied || (type != abi::kDLCUDA && type != abi::kDLROCM), ledger, judgement, "C-DEVICE-14",
                "import0.device", AsText(recipe.offer().device) + " | " + AsText(abi::DLDevice{abi::kDLCPU, 0}),
                "pinned memory is taken for memory of the GPU whose number is its device_id");
        },
}};

// C-DEVICE-13: What is exported as pinned or managed memory lies where the host can read it. Here such memory comes
// from outside, and is exported again.
const Register kPinnedIsReadable{{
    .id = "c-abi/device/pinned-memory-that-is-handed-on-can-be-read",
    .rules = {"C-DEVICE-13"},
    .on_refusal = OnRefusal::kPass,
    .needs = {Claim::kReexport},
    .blocked = HasNoCuda,
    .draw = [](Draw& draw) { return DrawHostReadable(draw, true); },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          if (!HandedOn(ledger, judgement)) return;
          const ExportLedger& exported = ledger.exports[1];
          const int32_t type = exported.tensor.device.device_type;
          if (type != abi::kDLCUDAHost && type != abi::kDLROCMHost && type != abi::kDLCUDAManaged) {
            return judgement.SaysNothing("the memory is handed on under another device");
          }
          Check(exported.elements.reading != Reading::kUnreadable, ledger, judgement, "C-DEVICE-13", "export1.elements",
                "matches", "memory that the host cannot read is called pinned or managed");
        },
}};

}  // namespace
}  // namespace dlpack_cts
