// harness/judge/coordinate_rows.h: what the rows of properties share.
#ifndef DLPACK_CTS_HARNESS_JUDGE_COORDINATE_ROWS_H_
#define DLPACK_CTS_HARNESS_JUDGE_COORDINATE_ROWS_H_

#include <vector>

#include "harness/judge/coordinates.h"
#include "harness/recipe/enum_table.h"
#include "harness/recipe/ops.h"

namespace dlpack_cts {

/// Adds the triggers of the enumerators.
template <typename Enum>
void AddValues(const EnumTable<Enum>& table, bool (*holds)(const Recipe&, int), void (*set)(Recipe&, int),
               Coordinate& coordinate) {
  for (const Enum value : table.order()) {
    const Named& named = table[value];
    if (named.id.empty()) continue;
    coordinate.values.push_back(
        {std::string(named.id), std::string(named.statement), holds, set, static_cast<int>(value)});
  }
}

/// Calls `visit` with every one of the blocks that a step of the life uses, once.
template <typename AnyRecipe, typename Blocks, typename Visit>
void ForBlocks(AnyRecipe& recipe, bool (*uses)(Op), Blocks& blocks, Visit visit) {
  uint32_t seen = 0;
  for (const Step& step : recipe.life()) {
    if (!uses(step.op) || ((seen >> step.block) & 1u) != 0) continue;
    seen |= 1u << step.block;
    visit(blocks[step.block]);
  }
}

template <typename AnyRecipe, typename Visit>
void ForOffers(AnyRecipe& recipe, Visit visit) {
  ForBlocks(recipe, UsesOffer, recipe.offers, visit);
}

template <typename AnyRecipe, typename Visit>
void ForRequests(AnyRecipe& recipe, Visit visit) {
  ForBlocks(recipe, UsesRequest, recipe.requests, visit);
}

/// Every offer and request that the life uses.
template <typename AnyRecipe, typename Visit>
void ForTensors(AnyRecipe& recipe, Visit visit) {
  ForOffers(recipe, visit);
  ForRequests(recipe, visit);
}

template <typename Test>
bool AnyOffer(const Recipe& recipe, Test test) {
  bool any = false;
  ForOffers(recipe, [&](const Offer& offer) { any = any || test(offer); });
  return any;
}

template <typename Test>
bool AnyRequest(const Recipe& recipe, Test test) {
  bool any = false;
  ForRequests(recipe, [&](const Request& request) { any = any || test(request); });
  return any;
}

template <typename Test>
bool AnyTensor(const Recipe& recipe, Test test) {
  bool any = false;
  ForTensors(recipe, [&](const auto& tensor) { any = any || test(tensor); });
  return any;
}

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_JUDGE_COORDINATE_ROWS_H_
