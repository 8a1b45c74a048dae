// harness/judge/coordinate_list.h: the lists that make up Coordinates(), and what their rows share.
#ifndef DLPACK_CTS_HARNESS_JUDGE_COORDINATE_LIST_H_
#define DLPACK_CTS_HARNESS_JUDGE_COORDINATE_LIST_H_

#include <vector>

#include "harness/judge/coordinates.h"

namespace dlpack_cts {

std::vector<Coordinate> LifeCoordinates();
std::vector<Coordinate> CallCoordinates();
std::vector<Coordinate> OfferCoordinates();
std::vector<Coordinate> RequestCoordinates();
std::vector<Coordinate> TensorCoordinates();

/// True for operations that use an offer, and for those that use a request.
constexpr bool TakesOffer(Op op) { return op == Op::kImport || op == Op::kImportCapsule || op == Op::kTableImport; }
constexpr bool TakesRequest(Op op) { return op == Op::kMake || op == Op::kTableAllocate; }

/// Calls `visit` with every offer that the life uses.
template <typename AnyRecipe, typename Visit>
void ForOffers(AnyRecipe& recipe, Visit visit) {
  uint32_t seen = 0;
  for (const Step& step : recipe.life()) {
    if (!TakesOffer(step.op) || ((seen >> step.block) & 1u) != 0) continue;
    seen |= 1u << step.block;
    visit(recipe.offers[step.block]);
  }
}

template <typename AnyRecipe, typename Visit>
void ForRequests(AnyRecipe& recipe, Visit visit) {
  uint32_t seen = 0;
  for (const Step& step : recipe.life()) {
    if (!TakesRequest(step.op) || ((seen >> step.block) & 1u) != 0) continue;
    seen |= 1u << step.block;
    visit(recipe.requests[step.block]);
  }
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

#endif  // DLPACK_CTS_HARNESS_JUDGE_COORDINATE_LIST_H_
