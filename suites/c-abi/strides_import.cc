// suites/c-abi/strides_import.cc: how a consumer reads strides.
#include "harness/case/case.h"
#include "harness/case/judges.h"

namespace dlpack_cts {
namespace {

void OfferNullStrides(Recipe& recipe) {
  recipe.offer.strides_kind = StridesKind::kNull;
  if (AtLeast(recipe.offer, 1, 2)) recipe.offer.minor %= 2;
}

// C-STRIDES-03: A consumer reads NULL strides of a <1.2 or legacy tensor as compact row-major.
const Register kNullMeansRowMajor{{
    .id = "c-abi/strides/null-means-row-major",
    .rules = {"C-STRIDES-03"},
    .on_refusal = OnRefusal::kWarn,
    .draw =
        [](Draw& draw) {
          Recipe recipe = draw.Import();
          OfferNullStrides(recipe);
          return recipe;
        },
    .control = [](Recipe& recipe) { recipe.offer.strides_kind = StridesKind::kCompact; },
    .judge =
        [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
          ShapeMatches("C-STRIDES-03", recipe, ledger, judgement);
          ElementsMatch("C-STRIDES-03", ledger, judgement);
        },
}};

}  // namespace
}  // namespace dlpack_cts
