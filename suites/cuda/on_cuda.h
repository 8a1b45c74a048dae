// suites/cuda/on_cuda.h: arrays in the memory of a CUDA device, and checks that the cases share.
#ifndef DLPACK_CTS_SUITES_CUDA_ON_CUDA_H_
#define DLPACK_CTS_SUITES_CUDA_ON_CUDA_H_

#include <algorithm>
#include <string_view>
#include <utility>

#include "harness/case/arguments.h"
#include "harness/case/case.h"
#include "harness/case/controls.h"
#include "harness/case/judges.h"

namespace dlpack_cts::cuda {

inline constexpr std::string_view kElsewhere = "the array is not on a CUDA device";
inline constexpr std::string_view kOneDevice =
    "the case needs two CUDA devices, but a second one could not be made current";
inline constexpr std::string_view kNoCapture = "the CUDA driver did not start a stream capture";
inline constexpr std::string_view kNoOrder =
    "pending work could not be observed: the adapter has no stream(), or CUDA already orders the two streams";

/// A case of a library that makes arrays on a CUDA device.
inline Case OfConsumer(Case made) {
  made.needs = {Claim::kCuda};
  return made;
}
inline Case OfProducer(Case made) { return cuda::OfConsumer(dlpack_cts::OfProducer(std::move(made))); }
inline Case OfExchange(Case made) { return cuda::OfConsumer(OfPythonExchange(std::move(made))); }

/// An array that the library makes, exported in a versioned struct if it has one: only that can declare a copy.
inline Recipe DrawArray(Draw& draw) {
  Recipe recipe = draw.profile.makes_versioned != 0 ? draw.ExportOf(StructKind::kVersioned) : draw.Export();
  recipe.request().read_only = draw.PlainRequest().read_only;
  return recipe;
}

/// A default array of at least 8 bytes, so that its elements are not in memory by accident. `step` exports it.
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

/// True if the export is on CUDA and has elements; otherwise the judgement says nothing.
inline bool HasElementsOnCuda(const ExportLedger& exported, Judgement& judgement) {
  if (!IsOnCuda(exported)) {
    judgement.SaysNothing(kElsewhere);
    return false;
  }
  const bool empty = IsEmpty(exported);
  if (empty) judgement.SaysNothing("the array has no elements");
  return !empty;
}

inline bool IsCopied(const ExportLedger& exported) { return (exported.flags & abi::kFlagIsCopied) != 0; }

/// The capture that was active during the step is still valid, also if the step failed. Export 1 is the same one
/// without a capture.
inline Judge CaptureGoesOn(std::string_view message) {
  return [=](const Recipe&, const Ledger& ledger, Judgement& judgement) {
    const ExportLedger& exported = ledger.exports[0];
    if (!IsOnCuda(ledger.exports[1])) return judgement.SaysNothing(kElsewhere);
    if (IsCopied(ledger.exports[1]) || IsCopied(exported))
      return judgement.SaysNothing("the export is a copy, which may allocate memory and so invalidate the capture");
    if (exported.cuda_keeps_capture == Answer::kUnknown) return judgement.SaysNothing(kNoCapture);
    judgement.Expect("export0.cuda_keeps_capture", Is(Answer::kYes), message);
    if (!IsOnCuda(exported)) judgement.SaysNothing("the export failed, and the capture went on");
  };
}

/// The device that was current before the step, and is not the array's, is still current after it.
inline Judge DeviceStays(Answer ExportLedger::* stays, FactName<Answer> fact, std::string_view message) {
  return [=](const Recipe&, const Ledger& ledger, Judgement& judgement) {
    if (!IsOnCuda(ledger.exports[0])) return judgement.SaysNothing(kElsewhere);
    if (ledger.exports[0].*stays == Answer::kUnknown) return judgement.SaysNothing(kOneDevice);
    judgement.Expect(fact, Is(Answer::kYes), message);
  };
}

}  // namespace dlpack_cts::cuda

#endif  // DLPACK_CTS_SUITES_CUDA_ON_CUDA_H_
