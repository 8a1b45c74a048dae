// harness/recipe/recipe.cc: sizes, strides and spans of recipes.
#include "harness/recipe/recipe.h"

#include <algorithm>
#include <limits>

#include "harness/recipe/elements.h"

namespace dlpack_cts {
namespace {

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();

int64_t SaturatingMultiply(int64_t a, int64_t b) {
  int64_t product;
  if (!__builtin_mul_overflow(a, b, &product)) return product;
  return (a < 0) == (b < 0) ? kMost : kLeast;
}

int64_t SaturatingAdd(int64_t a, int64_t b) {
  int64_t sum;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return b > 0 ? kMost : kLeast;
}

}  // namespace

Recipe MakeRecipe(RecipeKind kind) {
  Recipe recipe{};
  recipe.magic = kRecipeMagic;
  recipe.format = kRecipeFormat;
  recipe.kind = kind;
  recipe.offer.kind = StructKind::kVersioned;
  recipe.offer.strides_kind = StridesKind::kCompact;
  recipe.offer.alignment_log2 = 6;
  recipe.offer.major = 1;
  recipe.offer.minor = 3;
  recipe.offer.device = {abi::kDLCPU, 0};
  recipe.offer.reported_device = {abi::kDLCPU, 0};
  recipe.offer.dtype = {abi::kDLFloat, 32, 1};
  recipe.offer.fill_extent = 1;
  recipe.request.strides_kind = StridesKind::kCompact;
  recipe.request.dtype = {abi::kDLFloat, 32, 1};
  return recipe;
}

void AddStep(Recipe& recipe, Op op, int slot, int argument) {
  for (Step& step : recipe.life) {
    if (step.op != Op::kEnd) continue;
    step = {op, static_cast<uint8_t>(slot), static_cast<int16_t>(argument)};
    return;
  }
}

void SetLife(Recipe& recipe, std::initializer_list<Op> operations) {
  std::ranges::fill(recipe.life, Step{});
  for (const Op op : operations) AddStep(recipe, op);
}

void SetLife(Recipe& recipe, std::initializer_list<Step> steps) {
  std::ranges::fill(recipe.life, Step{});
  for (const Step& step : steps) AddStep(recipe, step.op, step.slot, step.argument);
}

int64_t ItemSize(abi::DLDataType dtype) { return (int64_t{dtype.bits} * dtype.lanes + 7) / 8; }

int64_t ElementCount(const int64_t* shape, int dims) {
  int64_t count = 1;
  for (int d = 0; d < dims; ++d) {
    if (shape[d] <= 0) return 0;
    count = SaturatingMultiply(count, shape[d]);
  }
  return count;
}

void CompactStrides(const int64_t* shape, int dims, int64_t* strides) {
  int64_t stride = 1;
  for (int d = dims - 1; d >= 0; --d) {
    strides[d] = stride;
    stride = SaturatingMultiply(stride, std::max<int64_t>(1, shape[d]));
  }
}

Span ElementSpan(const int64_t* shape, const int64_t* strides, int dims) {
  Span span = {0, 0};
  for (int d = 0; d < dims; ++d) {
    if (shape[d] <= 0) return {0, -1};
    const int64_t distance = SaturatingMultiply(shape[d] - 1, strides[d]);
    int64_t& side = distance < 0 ? span.lowest : span.highest;
    side = SaturatingAdd(side, distance);
  }
  return span;
}

void EffectiveStrides(const Offer& offer, int64_t* strides) {
  if (offer.strides_kind == StridesKind::kExplicit) {
    std::copy_n(offer.strides, offer.dims, strides);
  } else {
    CompactStrides(offer.shape, offer.dims, strides);
  }
}

void EffectiveStrides(const Request& request, int64_t* strides) {
  if (request.strides_kind == StridesKind::kExplicit) {
    std::copy_n(request.strides, request.dims, strides);
  } else {
    CompactStrides(request.shape, request.dims, strides);
  }
}

}  // namespace dlpack_cts
