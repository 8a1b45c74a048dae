// fuzz/targets/export_fold.cc: changes any recipe into an export.
#include "fuzz/targets/fold.h"

#include <algorithm>
#include <cstddef>
#include <span>

#include "harness/case/arguments.h"
#include "harness/recipe/dtypes.h"
#include "harness/recipe/normalize.h"
#include "harness/recipe/ops.h"

namespace dlpack_cts::fuzz {
namespace {

constexpr int kExports = 3;  // alive at the same time

/// Arguments that every producer with keywords accepts.
void FoldCall(Call& call) {
  Argument& version = call.max_version;
  const bool pair = version.kind == ArgumentKind::kPair && version.a >= 1 && version.b >= 0;
  if (!IsNothing(version) && !pair) version = argument::Pair(1, 3);
  if (!IsNothing(call.dl_device)) call.dl_device = argument::Pair(abi::kDLCPU, 0);
  if (!IsNothing(call.copy) && call.copy.kind != ArgumentKind::kFalse) call.copy = argument::kTrue;
  if (!IsNothing(call.stream)) call.stream = argument::kNone;
  call.unknown_keyword = 0;
}

void FoldType(Request& request) {
  if (DataTypeIndex(request.dtype) >= 0) return;
  const auto types = WholeByteTypes();
  request.dtype = types[static_cast<size_t>(request.dtype.code * 31 + request.dtype.bits) % types.size()].dtype;
}

/// The step, limited to what the target runs. `before` is the step before it.
Step Folded(const Step& step, const Step& before) {
  Step folded;
  folded.op = step.op;
  folded.slot = static_cast<uint8_t>(step.slot % kExports);
  if (step.op == Op::kExport) folded.call = static_cast<uint8_t>(step.call & 1u);
  if (step.op == Op::kLoseCapsule && step.context == Context::kPendingException) folded.context = step.context;
  if (step.op == Op::kDelete && (step.lane != 0 || step.context == Context::kRawThread)) {
    folded.context = Context::kRawThread;
    if (step.lane != 0) folded.lane = static_cast<uint8_t>(1 + folded.slot);
  }
  // Deleters on other threads run in parallel with the deleters directly before them, and with nothing else.
  const bool joins = folded.lane != 0 && before.lane != 0 && folded.lane != before.lane && step.barrier == 0;
  folded.barrier = (folded.lane != 0 || before.lane != 0) && !joins ? 1 : 0;
  return folded;
}

/// Makes the array, then runs those steps of the recipe that do not change elements, in their order. One of them is the
/// export into slot 0, once, while the array exists. A step without its input (a capsule that was lost) does nothing.
void FoldLife(Recipe& recipe) {
  Step steps[kSteps + 1] = {};
  size_t count = 0;
  bool exported = false;
  bool plain = false;  // an export without max_version
  steps[count++].op = Op::kMake;
  for (const Step& step : recipe.life()) {
    if (count == kSteps) break;
    const Step folded = Folded(step, steps[count - 1]);
    const bool is_first = step.op == Op::kExport && folded.slot == 0;
    const bool comes_wrong = (is_first && exported) || (step.op == Op::kDropSource && !exported);
    if (!HasTrait(step.op, OpTrait::kFuzzedExport) || comes_wrong) continue;
    steps[count++] = folded;
    exported = exported || is_first;
    plain = plain || folded.call != 0;
  }
  if (count == 1) {
    recipe.used.calls = 1;
    return SetPlainLife(recipe);
  }
  if (!exported) {
    std::copy_backward(steps + 1, steps + count, steps + count + 1);
    steps[1] = {.op = Op::kExport};
    count = std::min<size_t>(count + 1, kSteps);
  }
  recipe.used.calls = 1;
  if (plain) AddCall(recipe, recipe.call()).max_version = {};
  SetLife(recipe, std::span<const Step>(steps, count));
}

}  // namespace

void FoldExport(Recipe& recipe, const Offering& offering) {
  recipe.kind = RecipeKind::kExport;
  recipe.used.offers = recipe.used.requests = 1;
  recipe.rounds = 1;
  recipe.table = {};
  recipe.offer() = MakeRecipe(RecipeKind::kExport).offer();
  if (recipe.used.calls == 1) AddCall(recipe, recipe.call());  // because steps may refer to it
  Normalize(recipe);
  Request& request = recipe.request();
  request.large = 0;  // because large arrays are slow
  request.device = {abi::kDLCPU, 0};
  FoldType(request);
  // The interface of native plug-ins has no other arguments, and no unusual arrays without a claim.
  if (offering.tier == Tier::kLegal || !offering.capsules) {
    request.oddity = Oddity::kNone;
    FoldCall(recipe.call());
  }
  FoldLife(recipe);
  Normalize(recipe);
}

}  // namespace dlpack_cts::fuzz
