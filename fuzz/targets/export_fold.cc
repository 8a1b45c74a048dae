// fuzz/targets/export_fold.cc: makes an export of any recipe.
#include "fuzz/targets/export_fold.h"

#include <algorithm>

#include "harness/recipe/dtypes.h"
#include "harness/recipe/normalize.h"

namespace dlpack_cts {
namespace {

constexpr int kExports = 3;  // side by side

constexpr Argument Pair(int64_t a, int64_t b) { return {ArgumentKind::kPair, {}, a, b}; }

bool IsNothing(const Argument& argument) {
  return argument.kind == ArgumentKind::kAbsent || argument.kind == ArgumentKind::kNone;
}

/// Arguments that every producer with keywords knows.
void FoldCall(Call& call) {
  Argument& version = call.max_version;
  const bool pair = version.kind == ArgumentKind::kPair && version.a >= 1 && version.b >= 0;
  if (!IsNothing(version) && !pair) version = Pair(1, 3);
  if (!IsNothing(call.dl_device)) call.dl_device = Pair(abi::kDLCPU, 0);
  if (!IsNothing(call.copy) && call.copy.kind != ArgumentKind::kFalse) call.copy = {ArgumentKind::kTrue, {}, 0, 0};
  if (!IsNothing(call.stream)) call.stream = {ArgumentKind::kNone, {}, 0, 0};
  call.unknown_keyword = 0;
}

void FoldType(Request& request) {
  if (DataTypeIndex(request.dtype) >= 0) return;
  const auto types = DataTypes();
  request.dtype = types[static_cast<size_t>(request.dtype.code * 31 + request.dtype.bits) % types.size()].dtype;
}

/// Steps that change no element. What a step needs and lacks (a capsule that was lost) makes it do nothing.
bool IsHarmless(Op op) {
  switch (op) {
    case Op::kExport:
    case Op::kAskDevice:
    case Op::kInspect:
    case Op::kReadExport:
    case Op::kTakeCapsule:
    case Op::kLoseCapsule:
    case Op::kDelete:
    case Op::kDeleteTogether:
    case Op::kReadSource:
    case Op::kUseSource:
    case Op::kDropSource:
    case Op::kCollect:
      return true;
    default:
      return false;
  }
}

/// The array is made, then come the harmless steps of the recipe's own life in their order; among them the export into
/// slot 0, once, while the array is there.
void FoldLife(Recipe& recipe) {
  Step steps[kSteps] = {};
  int count = 0;
  bool exported = false;
  steps[count++].op = Op::kMake;
  for (const Step& step : recipe.life) {
    if (step.op == Op::kEnd || count == kSteps) break;
    const auto slot = static_cast<uint8_t>(step.slot % kExports);
    const bool is_first = step.op == Op::kExport && slot == 0;
    const bool comes_wrong = (is_first && exported) || (step.op == Op::kDropSource && !exported);
    if (!IsHarmless(step.op) || comes_wrong) continue;
    const bool varies = step.op == Op::kExport || step.op == Op::kLoseCapsule || step.op == Op::kDelete;
    steps[count++] = {step.op, slot, static_cast<int16_t>(varies ? step.argument & 1 : 0)};
    exported = exported || is_first;
  }
  if (count == 1) return SetPlainLife(recipe);
  if (!exported) {
    std::copy_backward(steps + 1, steps + kSteps - 1, steps + kSteps);
    steps[1] = {Op::kExport, 0, 0};
  }
  std::copy_n(steps, kSteps, recipe.life);
}

}  // namespace

void FoldExport(Recipe& recipe, const Offering& offering) {
  recipe.kind = RecipeKind::kExport;
  recipe.offer = MakeRecipe(RecipeKind::kExport).offer;
  Normalize(recipe);
  Request& request = recipe.request;
  if (request.making == Making::kReexport) request.making = Making::kView;
  FoldType(request);
  if (offering.tier == Tier::kLegal) {
    request.oddity = Oddity::kNone;
    FoldCall(recipe.call);
  }
  FoldLife(recipe);
  Normalize(recipe);
}

}  // namespace dlpack_cts
