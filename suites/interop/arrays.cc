// suites/interop/arrays.cc: draws the arrays of pairs.
#include "suites/interop/arrays.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace dlpack_cts {
namespace {

/// from_dlpack calls the producer itself; the recipe's own keywords are for __dlpack__.
Recipe WithoutKeywords(Recipe recipe) {
  recipe.call() = {};
  return recipe;
}

}  // namespace

Case OfPairs(Case made) {
  made.pair = true;
  return OfPythonExchange(std::move(made));
}

Recipe AnyArray(Draw& draw) {
  Limits limits = draw.both();
  limits.read_only = limits.read_only && draw.profile.Claims(Claim::kReadOnly);
  limits.deepest = std::min(draw.profile.takes_deepest, draw.profile.makes_deepest);
  Recipe recipe = WithoutKeywords(draw.Export(limits));
  for (int64_t& stride : recipe.request().strides) stride = std::abs(stride);
  return recipe;
}

Recipe CompactArray(Draw& draw) {
  Limits limits = draw.limits();
  limits.strided = false;
  limits.read_only = false;
  limits.empty = false;
  return WithoutKeywords(draw.Export(limits));
}

}  // namespace dlpack_cts
