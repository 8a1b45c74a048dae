// suites/c-abi/strides_import.cc: how a consumer reads strides.
#include <algorithm>
#include <iterator>
#include <limits>

#include "harness/case/case.h"
#include "harness/case/entries.h"
#include "harness/case/judges.h"
#include "harness/case/thresholds.h"
#include "harness/recipe/generator.h"
#include "harness/recipe/layout.h"

namespace dlpack_cts {
namespace {

void OfferNullStrides(Recipe& recipe) {
  recipe.offer().strides_kind = StridesKind::kNull;
  if (AtLeast(recipe.offer(), 1, 2)) recipe.offer().minor %= 2;
}

void OfferCompactStrides(const Profile&, Recipe& recipe) { recipe.offer().strides_kind = StridesKind::kCompact; }

/// Writes the compact strides out, so that single entries can be changed.
void WriteOutStrides(Recipe& recipe) {
  recipe.offer().strides_kind = StridesKind::kExplicit;
  CompactStrides(recipe.offer().shape, recipe.offer().dims, recipe.offer().strides);
}

Recipe DrawWithDims(Draw& draw, int least, bool scalar_allowed = false) {
  Limits limits = draw.limits();
  limits.scalar = limits.scalar && scalar_allowed;
  Recipe recipe = draw.Import(limits);
  Offer& offer = recipe.offer();
  while (offer.dims < least) offer.shape[offer.dims++] = draw.random.Between(2, 4);
  offer.ndim = offer.dims;
  WriteOutStrides(recipe);
  draw.SometimesCopy(recipe);
  return recipe;
}

/// A stride that has no meaning in a dimension of extent 0 or 1. Every second one is about as large as a field of 16,
/// 32 or 64 bits.
int64_t OddStride(Random& random) {
  if (random.OneIn(2)) {
    const int64_t size = DrawMagnitude(random);
    return random.OneIn(2) ? -size : size;
  }
  constexpr int64_t kOdd[] = {
      0, 777, -5, 3, std::numeric_limits<int64_t>::max(), std::numeric_limits<int64_t>::min(), int64_t{1} << 32};
  return kOdd[random.Below(std::size(kOdd))];
}

void JudgeElements(const Recipe& recipe, const Ledger&, Judgement& judgement) {
  if (ShapeMatches(recipe, judgement)) ElementsMatch(judgement);
}

const RegisterCases<OfConsumer> kCases = {
    // C-STRIDES-03: A consumer reads NULL strides of a <1.2 or legacy tensor as compact row-major.
    {.id = "c-abi/strides/null-means-row-major",
     .rules = {"C-STRIDES-03"},
     .on_refusal = OnRefusal::kWarn,
     .draw =
         [](Draw& draw) {
           Recipe recipe = draw.Import();
           OfferNullStrides(recipe);
           recipe.offer().byte_offset = 0;  // C-DATA-01 reports a consumer that refuses byte_offset
           draw.SometimesCopy(recipe);
           return recipe;
         },
     .control = OfferCompactStrides,
     .judge = JudgeElements},

    // C-STRIDES-05: Strides count elements, not bytes.
    {.id = "c-abi/strides/imported-strides-count-elements",
     .rules = {"C-STRIDES-05"},
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawWithDims(draw, 1);
           Offer& offer = recipe.offer();
           offer.placement = Placement::kEndsAtGuard;
           for (int d = 0; d < offer.dims; ++d) offer.shape[d] = draw.random.Between(2, 3);
           CompactStrides(offer.shape, offer.dims, offer.strides);
           for (int d = 0; d < offer.dims; ++d) offer.strides[d] *= 2;
           return recipe;
         },
     .judge = JudgeElements},

    // C-STRIDES-08: A consumer honours arbitrary strides, refuses them or copies. It never treats a strided tensor as
    // contiguous.
    {.id = "c-abi/strides/any-layout-is-honoured",
     .rules = {"C-STRIDES-08"},
     .examples = Examples::kSweep,
     .draw = [](Draw& draw) { return draw.ImportOfAnySize(); },
     .judge = JudgeElements},

    // C-STRIDES-09: Negative strides are allowed. A consumer that does not support them raises an exception.
    {.id = "c-abi/strides/negative-strides-are-honoured",
     .rules = {"C-STRIDES-09"},
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawWithDims(draw, 1);
           Offer& offer = recipe.offer();
           const auto least = static_cast<int>(draw.random.Below(offer.dims));
           for (int d = 0; d < offer.dims; ++d) {
             offer.shape[d] = std::max<int64_t>(offer.shape[d], 2);
             offer.shape[d] = std::min<int64_t>(offer.shape[d], 4);
           }
           CompactStrides(offer.shape, offer.dims, offer.strides);
           for (int d = 0; d < offer.dims; ++d) {
             if (d == least || draw.random.OneIn(3)) offer.strides[d] = -offer.strides[d];
           }
           return recipe;
         },
     .judge = JudgeElements},

    // C-STRIDES-10: Zero strides (broadcast) are allowed. A consumer supports or refuses them, and does not use the
    // extent as the memory size.
    {.id = "c-abi/strides/zero-strides-repeat-one-element",
     .rules = {"C-STRIDES-10"},
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawWithDims(draw, 1);
           Offer& offer = recipe.offer();
           for (int d = 0; d < offer.dims; ++d) offer.shape[d] = std::clamp<int64_t>(offer.shape[d], 2, 4);
           CompactStrides(offer.shape, offer.dims, offer.strides);
           const auto least = static_cast<int>(draw.random.Below(offer.dims));
           const bool all = draw.random.OneIn(3);
           for (int d = 0; d < offer.dims; ++d) {
             if (all || d == least) offer.strides[d] = 0;
           }
           // Another stride may be negative as well.
           const bool signed_too = draw.profile.survives_negative != 0 && offer.dims > 1 && draw.random.OneIn(4);
           if (signed_too) offer.strides[(least + 1) % offer.dims] *= -1;
           return recipe;
         },
     .judge = JudgeElements},

    // C-STRIDES-11: For extents <= 1 the stride has no meaning, so a consumer should accept any value there.
    {.id = "c-abi/strides/stride-of-size-one-dimension-is-ignored",
     .rules = {"C-STRIDES-11", "C-STRIDES-08"},
     .on_refusal = OnRefusal::kWarn,
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawWithDims(draw, 1);
           Offer& offer = recipe.offer();
           const auto least = static_cast<int>(draw.random.Below(offer.dims));
           const bool single = draw.Pick(4) == 0;  // the tensor has one element
           for (int d = 0; d < offer.dims; ++d) {
             if (offer.shape[d] == 0) offer.shape[d] = 2;
             if (d == least || single) offer.shape[d] = 1;
           }
           CompactStrides(offer.shape, offer.dims, offer.strides);
           for (int d = 0; d < offer.dims; ++d) {
             if (offer.shape[d] == 1) offer.strides[d] = OddStride(draw.random);
           }
           ThroughAnyEntry(draw, recipe);
           return recipe;
         },
     .control = OfferCompactStrides,
     .judge =
         [](const Recipe& recipe, const Ledger&, Judgement& judgement) {
           const Terms terms{.rule = "C-STRIDES-08"};
           if (ShapeMatches(recipe, judgement, terms)) ElementsMatch(judgement, terms);
         }},

    // C-STRIDES-12: A tensor with zero elements is accepted with any stride values. PY-FROM-04: The array has its
    // shape.
    {.id = "c-abi/strides/strides-of-empty-tensor-are-ignored",
     .rules = {"C-STRIDES-12", "C-DATA-06", "PY-FROM-04"},
     .on_refusal = OnRefusal::kWarn,
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawWithDims(draw, 1);
           Offer& offer = recipe.offer();
           // Another case tests the stride of a dimension of size 1, which has no meaning either.
           for (int d = 0; d < offer.dims; ++d) offer.shape[d] = std::max<int64_t>(offer.shape[d], 2);
           offer.shape[draw.random.Below(offer.dims)] = 0;
           const uint32_t layouts = draw.limits().layouts;
           for (int d = 0; d < offer.dims; ++d) {
             // If the consumer does not accept that layout, a step of 777 elements is offered instead.
             const int64_t odd = OddStride(draw.random);
             offer.strides[d] = AllowsStride(layouts, offer.shape[d], odd) ? odd : 777;
           }
           ThroughAnyEntry(draw, recipe);
           return recipe;
         },
     .control = OfferCompactStrides,
     .judge = [](const Recipe& recipe, const Ledger&,
                 Judgement& judgement) { ShapeMatches(recipe, judgement, {.rule = "PY-FROM-04"}); }},

    // C-STRIDES-07: For ndim == 0 strides can be NULL. A consumer accepts both NULL and a pointer, and need not read
    // it.
    {.id = "c-abi/strides/strides-of-a-scalar-are-not-read",
     .rules = {"C-STRIDES-07", "C-SHAPE-07"},
     .on_refusal = OnRefusal::kWarn,
     .draw =
         [](Draw& draw) {
           Recipe recipe = draw.Import();
           recipe.offer().dims = 0;
           recipe.offer().ndim = 0;
           recipe.offer().byte_offset = 0;
           recipe.offer().null_shape = draw.random.OneIn(2);
           recipe.offer().strides_kind = draw.random.OneIn(2) ? StridesKind::kNull : StridesKind::kCompact;
           return recipe;
         },
     .control =
         [](const Profile&, Recipe& recipe) {
           // The same scalar with the other kind of strides pointer: a library without 0-d arrays refuses both.
           recipe.offer().strides_kind =
               recipe.offer().strides_kind == StridesKind::kNull ? StridesKind::kCompact : StridesKind::kNull;
         },
     .judge = [](const Recipe&, const Ledger&,
                 Judgement& judgement) { ElementsMatch(judgement, {.rule = "C-SHAPE-07"}); }},

    // C-STRIDES-14: With more than one lane strides count whole vectors. The text leaves this open, so a
    // different behaviour is only reported as NOTE.
    {.id = "c-abi/strides/strides-of-vectors-count-vectors",
     .rules = {"C-STRIDES-14"},
     .on_refusal = OnRefusal::kPass,
     .draw =
         [](Draw& draw) {
           Recipe recipe = draw.Import();
           recipe.offer().dtype = {abi::kDLFloat, 32, static_cast<uint16_t>(2u << draw.Pick(3))};
           recipe.offer().dims = 2;
           recipe.offer().ndim = 2;
           recipe.offer().shape[0] = draw.random.Between(2, 4);
           recipe.offer().shape[1] = draw.random.Between(2, 3);
           recipe.offer().strides_kind = StridesKind::kExplicit;
           recipe.offer().strides[1] = 1;
           recipe.offer().strides[0] = recipe.offer().shape[1] + draw.random.Between(1, 3);
           return recipe;
         },
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           const Description& result = ledger.imports[0].result;
           if (!result.has_shape || !result.has_strides || !ledger.imports[0].Aliases()) {
             return judgement.SaysNothing(
                 "the imported array is not known to share memory, or the adapter does not report its strides");
           }
           if (recipe.offer().dims != 2 || recipe.offer().strides_kind != StridesKind::kExplicit) {
             return judgement.SaysNothing("the tensor does not have two dimensions with explicit strides");
           }
           const int64_t vector = 4 * recipe.offer().dtype.lanes;
           const bool rows = result.ndim >= 2 && result.byte_strides[0] == recipe.offer().strides[0] * vector;
           const int64_t wanted[] = {recipe.offer().strides[0] * vector, recipe.offer().strides[1] * vector};
           judgement.Expect("import0.strides", Is(std::span<const int64_t>(wanted)),
                            "the strides of a vector type are not counted in whole vectors",
                            {.degree = Degree::kNote, .when = !rows});
         }},
};

}  // namespace
}  // namespace dlpack_cts
