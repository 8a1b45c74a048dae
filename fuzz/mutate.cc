// fuzz/mutate.cc: the mutator by field, over our generator and our shrinker.
#include "fuzz/mutate.h"

#include <limits>
#include <vector>

#include "harness/recipe/dtypes.h"
#include "harness/recipe/fields.h"
#include "harness/recipe/normalize.h"
#include "harness/recipe/shrink.h"

namespace dlpack_cts {
namespace {

constexpr int kWalk = 1 << 20;  // the generator's index starts anywhere in its walk

bool IsOffered(const Field& field) { return field.name.starts_with("offer.") || field.name.starts_with("call.copy"); }

const std::vector<const Field*>& OfferFields() {
  static const std::vector<const Field*> fields = [] {
    std::vector<const Field*> found;
    for (const Field& field : Fields()) {
      if (IsOffered(field)) found.push_back(&field);
    }
    return found;
  }();
  return fields;
}

Recipe Fresh(const Offering& offering, Random& random) {
  Limits limits;
  limits.negative = offering.negative;
  const auto tier = static_cast<Tier>(random.Below(static_cast<uint64_t>(offering.tier) + 1));
  Recipe recipe = DrawImport(random, static_cast<int>(random.Below(kWalk)), tier, limits);
  FoldImport(recipe, offering);
  return recipe;
}

/// A value near the old one, a value where programs stumble, or any word of an enumerator.
uint64_t OtherValue(const Field& field, uint64_t old, Random& random) {
  if (!field.words.empty()) return random.Below(field.words.size());
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  constexpr int64_t kCorners[] = {0, 1, 2, 3, 4, 8, 64, 127, 128, 255, 256, 257, 4096, int64_t{1} << 31, kMax, -1};
  switch (random.Below(4)) {
    case 0:
      return old + 1;
    case 1:
      return old - 1;
    case 2:
      return old ^ (uint64_t{1} << random.Below(8 * field.size));
    default:
      return static_cast<uint64_t>(kCorners[random.Below(std::size(kCorners))]);
  }
}

void ChangeField(Recipe& recipe, Random& random) {
  const std::vector<const Field*>& fields = OfferFields();
  const Field& field = *fields[random.Below(fields.size())];
  const int used = field.count > 1 ? std::max(1, std::min<int>(field.count, recipe.offer.dims)) : 1;
  const int index = static_cast<int>(random.Below(static_cast<uint64_t>(used)));
  WriteField(field, &recipe, index, OtherValue(field, ReadField(field, &recipe, index), random));
}

void ChangeType(Recipe& recipe, Random& random) {
  const auto types = DataTypes();
  recipe.offer.dtype = types[random.Below(types.size())].dtype;
}

void ChangeDims(Recipe& recipe, Random& random) {
  Offer& offer = recipe.offer;
  if (offer.dims > 0 && random.OneIn(2)) {
    --offer.dims;
  } else if (offer.dims < kDims) {
    offer.shape[offer.dims] = random.Between(0, 4);
    offer.strides[offer.dims] = random.Between(-3, 12);
    ++offer.dims;
  }
  offer.ndim = offer.dims;
}

void ChangeStrides(Recipe& recipe, Random& random) {
  Offer& offer = recipe.offer;
  if (offer.strides_kind != StridesKind::kExplicit) CompactStrides(offer.shape, offer.dims, offer.strides);
  offer.strides_kind = StridesKind::kExplicit;
  if (offer.dims == 0) return;
  int64_t& stride = offer.strides[random.Below(offer.dims)];
  switch (random.Below(4)) {
    case 0:
      stride = 0;
      return;
    case 1:
      stride *= 2;
      return;
    case 2:
      stride = -stride;
      return;
    default:
      std::swap(stride, offer.strides[random.Below(offer.dims)]);
  }
}

void ChangeOffset(Recipe& recipe, Random& random) {
  const int64_t item = std::max<int64_t>(1, ItemSize(recipe.offer.dtype));
  recipe.offer.byte_offset = static_cast<uint64_t>(item * random.Between(0, 12));
}

void ChangeLife(Recipe& recipe, Random& random) {
  constexpr Op kOps[] = {Op::kDescribe,    Op::kRead,         Op::kCompute, Op::kTakeView,     Op::kDropArray,
                         Op::kDropCapsule, Op::kDropProducer, Op::kCollect, Op::kDropElsewhere};
  if (random.OneIn(3)) return SetPlainLife(recipe);
  for (Step& step : recipe.life) step = Step{};
  AddStep(recipe, Op::kImport);
  const uint64_t steps = 2 + random.Below(8);
  for (uint64_t i = 0; i < steps; ++i) AddStep(recipe, kOps[random.Below(std::size(kOps))]);
}

}  // namespace

Recipe Mutate(const Recipe& recipe, const Offering& offering, Random& random) {
  if (random.OneIn(6)) return Fresh(offering, random);
  Recipe changed = recipe;
  if (random.OneIn(24)) {
    const std::vector<Recipe> simpler = ShrinkCandidates(recipe);
    if (!simpler.empty()) changed = simpler[random.Below(simpler.size())];
  }
  const uint64_t changes = 1 + random.Below(3);
  for (uint64_t i = 0; i < changes; ++i) {
    Normalize(changed);  // what changed before may have left more dimensions than there are
    switch (random.Below(10)) {
      case 0:
        ChangeType(changed, random);
        break;
      case 1:
        ChangeDims(changed, random);
        break;
      case 2:
        ChangeStrides(changed, random);
        break;
      case 3:
        ChangeOffset(changed, random);
        break;
      case 4:
        ChangeLife(changed, random);
        break;
      default:
        ChangeField(changed, random);
    }
  }
  FoldImport(changed, offering);
  return changed;
}

Recipe Cross(const Recipe& a, const Recipe& b, const Offering& offering, Random& random) {
  Recipe child = a;
  for (const Field* field : OfferFields()) {
    if (random.OneIn(2)) continue;
    for (int i = 0; i < field->count; ++i) WriteField(*field, &child, i, ReadField(*field, &b, i));
  }
  FoldImport(child, offering);
  return child;
}

}  // namespace dlpack_cts
