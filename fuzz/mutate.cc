// fuzz/mutate.cc: the mutator of single fields, on top of the generator and the minimiser.
#include "fuzz/mutate.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/minimise/simpler.h"
#include "harness/recipe/fields.h"
#include "harness/recipe/normalize.h"

namespace dlpack_cts::fuzz {
namespace {

constexpr int kWalk = 1 << 20;  // the generator starts at a random index

/// A field of the first block of its kind.
struct Place {
  const Field* field;
  size_t block;  // offset of the block in the recipe

  const void* In(const Recipe& recipe) const { return reinterpret_cast<const uint8_t*>(&recipe) + block; }
  void* In(Recipe& recipe) const { return reinterpret_cast<uint8_t*>(&recipe) + block; }
};

using FieldList = std::vector<Place>;

/// The fields that a target varies.
const FieldList& FieldsOf(const Target& target) {
  static std::map<const Target*, FieldList> known;
  const auto [place, is_new] = known.try_emplace(&target);
  if (!is_new) return place->second;
  const auto add = [&list = place->second, &target](std::span<const Field> fields, const char* prefix, size_t block) {
    for (const Field& field : fields) {
      const std::string name = prefix + std::string(field.name);
      for (const std::string_view beginning : target.fields) {
        if (name.starts_with(beginning)) list.push_back({&field, block});
      }
    }
  };
  add(OfferFields(), "offer.", offsetof(Recipe, offers));
  add(RequestFields(), "request.", offsetof(Recipe, requests));
  add(CallFields(), "call.", offsetof(Recipe, calls));
  return place->second;
}

Recipe Fresh(const Target& target, const Offering& offering, Random& random) {
  Limits limits;
  limits.negative = offering.negative;
  const auto tier = static_cast<Tier>(random.Below(static_cast<uint64_t>(offering.tier) + 1));
  Recipe recipe = target.draw(random, static_cast<int>(random.Below(kWalk)), tier, limits);
  target.fold(recipe, offering);
  return recipe;
}

/// A value near the old one, a value that often causes errors, or any enumerator.
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

/// The number of dimensions in use; later entries of shape and strides are unused.
int DimsOf(const Recipe& recipe) {
  return recipe.kind == RecipeKind::kImport ? recipe.offer().dims : recipe.request().dims;
}

void ChangeField(const FieldList& fields, Recipe& recipe, Random& random) {
  const Place& place = fields[random.Below(fields.size())];
  const Field& field = *place.field;
  const int used = field.count > 1 ? std::max(1, std::min<int>(field.count, DimsOf(recipe))) : 1;
  const int index = static_cast<int>(random.Below(static_cast<uint64_t>(used)));
  void* const block = place.In(recipe);
  WriteField(field, block, index, OtherValue(field, ReadField(field, block, index), random));
}

}  // namespace

Recipe Mutate(const Target& target, const Recipe& recipe, const Offering& offering, Random& random) {
  if (random.OneIn(6)) return Fresh(target, offering, random);
  Recipe changed = recipe;
  if (random.OneIn(24)) PickSimpler(recipe, random, changed);
  const uint64_t changes = 1 + random.Below(3);
  for (uint64_t i = 0; i < changes; ++i) {
    Normalize(changed);  // an earlier change may have made the number of dimensions too large
    if (random.OneIn(2)) {
      target.change(changed, random);
    } else {
      ChangeField(FieldsOf(target), changed, random);
    }
  }
  target.fold(changed, offering);
  return changed;
}

Recipe Cross(const Target& target, const Recipe& a, const Recipe& b, const Offering& offering, Random& random) {
  Recipe child = a;
  for (const Place& place : FieldsOf(target)) {
    if (random.OneIn(2)) continue;
    const Field& field = *place.field;
    for (int i = 0; i < field.count; ++i) WriteField(field, place.In(child), i, ReadField(field, place.In(b), i));
  }
  target.fold(child, offering);
  return child;
}

}  // namespace dlpack_cts::fuzz
