// harness/recipe/recipe.cc: blocks of recipes, and sizes, strides and spans of tensors.
#include "harness/recipe/recipe.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>

#include "harness/recipe/elements.h"
#include "harness/recipe/life.h"
#include "harness/recipe/ops.h"

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

template <typename Block>
Block& Add(Block* blocks, uint8_t& used, const Block& like) {
  if (used < kBlocks) {
    std::memmove(static_cast<void*>(&blocks[used]), &like, sizeof(Block));
    ++used;
  }
  return blocks[used - 1];
}

template <typename Block>
bool SameBytes(const Block* a, const Block* b, int count, int most) {
  return std::memcmp(a, b, static_cast<size_t>(std::min(count, most)) * sizeof(Block)) == 0;
}

/// The size of everything before the first offer.
constexpr size_t kHeader = offsetof(Recipe, offers);

Offer PlainOffer() {
  Offer offer{};
  offer.kind = StructKind::kVersioned;
  offer.strides_kind = StridesKind::kCompact;
  offer.alignment_log2 = 6;
  offer.major = 1;
  offer.minor = 3;
  offer.device = {abi::kDLCPU, 0};
  offer.reported_device = {abi::kDLCPU, 0};
  offer.dtype = {abi::kDLFloat, 32, 1};
  offer.fill_extent = 1;
  return offer;
}

Request PlainRequest() {
  Request request{};
  request.strides_kind = StridesKind::kCompact;
  request.dtype = {abi::kDLFloat, 32, 1};
  request.device = {abi::kDLCPU, 0};
  return request;
}

}  // namespace

Recipe MakeRecipe(RecipeKind kind) {
  Recipe recipe;  // unused blocks stay uninitialised
  std::memset(static_cast<void*>(&recipe), 0, kHeader);
  recipe.magic = kRecipeMagic;
  recipe.format = kRecipeFormat;
  recipe.kind = kind;
  recipe.used = {1, 1, 1, 0};
  recipe.rounds = 1;
  static const Offer kOffer = PlainOffer();
  static const Request kRequest = PlainRequest();
  recipe.offers[0] = kOffer;
  recipe.requests[0] = kRequest;
  recipe.calls[0] = {};
  return recipe;
}

void Copy(const Recipe& from, Recipe& to) {
  if (&from == &to) return;
  std::memcpy(static_cast<void*>(&to), &from, kHeader);
  // Counts that were not normalised may have any value.
  std::copy_n(from.offers, std::min<int>(from.used.offers, kBlocks), to.offers);
  std::copy_n(from.requests, std::min<int>(from.used.requests, kBlocks), to.requests);
  std::copy_n(from.calls, std::min<int>(from.used.calls, kBlocks), to.calls);
  std::copy_n(from.steps, std::min<int>(from.used.steps, kSteps), to.steps);
}

bool SameBlocks(const Recipe& a, const Recipe& b) {
  UsedBlocks counts = b.used;
  counts.steps = a.used.steps;
  return std::memcmp(&a.used, &counts, sizeof(UsedBlocks)) == 0 && a.kind == b.kind && a.rounds == b.rounds &&
         std::memcmp(&a.table, &b.table, sizeof(ForgedTable)) == 0 &&
         SameBytes(a.offers, b.offers, a.used.offers, kBlocks) &&
         SameBytes(a.requests, b.requests, a.used.requests, kBlocks) &&
         SameBytes(a.calls, b.calls, a.used.calls, kBlocks);
}

bool Same(const Recipe& a, const Recipe& b) {
  return std::memcmp(&a, &b, kHeader) == 0 && SameBlocks(a, b) && SameBytes(a.steps, b.steps, a.used.steps, kSteps);
}

Offer& AddOffer(Recipe& recipe, const Offer& like) { return Add(recipe.offers, recipe.used.offers, like); }
Request& AddRequest(Recipe& recipe, const Request& like) { return Add(recipe.requests, recipe.used.requests, like); }
Call& AddCall(Recipe& recipe, const Call& like) { return Add(recipe.calls, recipe.used.calls, like); }

void AddStep(Recipe& recipe, const Step& step) {
  if (recipe.used.steps < kSteps) recipe.steps[recipe.used.steps++] = step;
}

void AddStep(Recipe& recipe, Op op, int slot) {
  Step step;
  step.op = op;
  step.slot = static_cast<uint8_t>(slot);
  AddStep(recipe, step);
}

void SetLife(Recipe& recipe, std::initializer_list<Op> operations) {
  recipe.used.steps = 0;
  for (const Op op : operations) AddStep(recipe, op);
}

void SetLife(Recipe& recipe, std::span<const Step> steps) {
  recipe.used.steps = 0;
  for (const Step& step : steps) AddStep(recipe, step);
}

Recipe WithLife(Recipe recipe, std::initializer_list<Op> operations) {
  SetLife(recipe, operations);
  return recipe;
}

Recipe WithLife(Recipe recipe, std::initializer_list<Step> steps) {
  SetLife(recipe, steps);
  return recipe;
}

bool TakesLong(const Recipe& recipe) {
  return HasStep(recipe,
                 [](const Step& step) { return HasTrait(step.op, OpTrait::kTakesLong) || EndsProcess(step.context); });
}

int64_t ItemBits(abi::DLDataType dtype) { return int64_t{dtype.bits} * dtype.lanes; }

int64_t ItemSize(abi::DLDataType dtype) { return (ItemBits(dtype) + 7) / 8; }

int64_t ElementCount(const int64_t* shape, int dims) {
  int64_t count = 1;
  for (int d = 0; d < dims; ++d) {
    if (shape[d] <= 0) return 0;
    count = SaturatingMultiply(count, shape[d]);
  }
  return count;
}

std::array<int, 4> KeywordOrder(const Call& call) {
  std::array<int, 4> order = {0, 1, 2, 3};
  for (int i = 0; i < call.order; ++i) std::next_permutation(order.begin(), order.end());
  return order;
}

void CompactStrides(const int64_t* shape, int dims, int64_t* strides) {
  int64_t stride = 1;
  for (int d = dims - 1; d >= 0; --d) {
    strides[d] = stride;
    stride = SaturatingMultiply(stride, std::max<int64_t>(1, shape[d]));
  }
}

bool AreCompact(const int64_t* shape, int dims, const int64_t* strides, int64_t unit) {
  int64_t compact[kDims];
  CompactStrides(shape, dims, compact);
  for (int d = 0; d < dims; ++d) {
    if (shape[d] > 1 && strides[d] != compact[d] * unit) return false;
  }
  return true;
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
