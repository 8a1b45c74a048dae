// suites/interop/arrays.cc: draws the arrays of pairs.
#include "suites/interop/arrays.h"

#include <algorithm>
#include <cstdlib>
#include <span>
#include <utility>

#include "harness/case/judges.h"

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

bool KeepsShape(const Recipe& recipe, const Ledger& ledger, std::string_view message, const Terms& terms,
                Judgement& judgement) {
  const Description& result = ledger.imports[0].result;
  if (!result.has_shape) {
    judgement.SaysNothing("the adapter does not report the shape of the consumer's array");
    return false;
  }
  if (ArrivedAsOneElement(recipe.request().dims, result)) return true;
  bool same = result.ndim == recipe.request().dims;
  for (int d = 0; same && d < recipe.request().dims; ++d) same = result.shape[d] == recipe.request().shape[d];
  if (same) return true;
  return judgement.Expect("import0.shape", Is(std::span<const int64_t>(recipe.request().shape, recipe.request().dims)),
                          message, terms);
}

}  // namespace dlpack_cts
