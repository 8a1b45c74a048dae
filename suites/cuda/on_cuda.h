// suites/cuda/on_cuda.h: arrays that lie in the memory of a CUDA device, and what is asked of them.
#ifndef DLPACK_CTS_SUITES_CUDA_ON_CUDA_H_
#define DLPACK_CTS_SUITES_CUDA_ON_CUDA_H_

#include <algorithm>
#include <string_view>

#include "harness/case/case.h"
#include "harness/case/judges.h"

namespace dlpack_cts::cuda {

inline constexpr std::string_view kElsewhere = "the array is not on a CUDA device";
inline constexpr std::string_view kOneDevice = "needs two CUDA devices, and the driver makes no other one current";
inline constexpr std::string_view kNoCapture = "the driver began no capture";
inline constexpr std::string_view kNoOrder =
    "nothing was pending: the adapter names no stream of the library's (stream), or CUDA orders it with this one "
    "itself";

constexpr Argument Stream(int64_t number) { return {ArgumentKind::kInt, {}, number, 0}; }

/// An array that the library makes, exported in a versioned struct where it has those: that can say that it is a copy.
inline Recipe DrawArray(Draw& draw) {
  Recipe recipe = draw.profile.makes_versioned != 0 ? draw.ExportOf(StructKind::kVersioned) : draw.Export();
  recipe.request().read_only = draw.PlainRequest().read_only;
  return recipe;
}

/// A plain array of at least 8 bytes, which no memory holds by accident. Its export takes the step.
inline Recipe DrawPlainArray(Draw& draw, Step step) {
  Recipe recipe = draw.profile.makes_versioned != 0 ? draw.ExportOf(StructKind::kVersioned) : draw.Export();
  const uint64_t seed = recipe.request().seed;
  recipe.request() = draw.PlainRequest();
  recipe.request().seed = seed;
  const int rank = draw.MadeRank(1);
  recipe.request().dims = static_cast<uint8_t>(rank);
  std::fill_n(recipe.request().shape, rank, 4 + draw.Pick(3));
  recipe.call().copy = recipe.call().dl_device = recipe.call().stream = {};
  step.op = Op::kExport;
  SetLife(recipe, {Step{.op = Op::kMake}, step, Step{.op = Op::kDropSource}, Step{.op = Op::kLoseCapsule},
                   Step{.op = Op::kCollect}});
  return recipe;
}

inline bool IsOnCuda(const ExportLedger& exported) {
  return exported.struct_address != 0 && exported.tensor.device.device_type == abi::kDLCUDA;
}

/// It lies there, and has elements; else the judgement says nothing.
inline bool HasElementsOnCuda(const ExportLedger& exported, Judgement& judgement) {
  if (!IsOnCuda(exported)) {
    judgement.SaysNothing(kElsewhere);
    return false;
  }
  const bool empty =
      exported.tensor.ndim > 0 &&
      std::count(exported.shape, exported.shape + std::min<int>(exported.tensor.ndim, kDims), int64_t{0}) != 0;
  if (empty) judgement.SaysNothing("the array has no elements");
  return !empty;
}

inline bool IsCopied(const ExportLedger& exported) { return (exported.flags & abi::kFlagIsCopied) != 0; }

/// A stream that was captured while the step was taken goes on being captured.
inline void CaptureGoesOn(std::string_view rule, const Ledger& ledger, Judgement& judgement, std::string_view message) {
  const ExportLedger& exported = ledger.exports[0];
  if (!IsOnCuda(exported)) return judgement.SaysNothing(kElsewhere);
  if (IsCopied(exported)) return judgement.SaysNothing("a copy may allocate memory, which ends captures");
  if (exported.cuda_keeps_capture == Answer::kUnknown) return judgement.SaysNothing(kNoCapture);
  Check(exported.cuda_keeps_capture == Answer::kYes, ledger, judgement, rule, "export0.cuda_keeps_capture", "yes",
        message);
}

/// The device that was current before the step, and is not the array's, is current behind it.
inline void DeviceStays(std::string_view rule, const Ledger& ledger, Judgement& judgement, Answer stays,
                        std::string_view fact, std::string_view message) {
  if (!IsOnCuda(ledger.exports[0])) return judgement.SaysNothing(kElsewhere);
  if (stays == Answer::kUnknown) return judgement.SaysNothing(kOneDevice);
  Check(stays == Answer::kYes, ledger, judgement, rule, fact, "yes", message);
}

}  // namespace dlpack_cts::cuda

#endif  // DLPACK_CTS_SUITES_CUDA_ON_CUDA_H_
