// suites/interop/changes.cc: the producer changes its array in place while the consumer has it.
#include <algorithm>
#include <iterator>
#include <string_view>

#include "harness/case/case.h"
#include "harness/case/judges.h"
#include "suites/interop/arrays.h"

namespace dlpack_cts {
namespace {

constexpr Claim kChanges[] = {Claim::kReshapeInPlace, Claim::kTransposeInPlace, Claim::kResizeInPlace};

/// A library that needs an array to be let go first says nothing about the exchange.
std::string_view ChangesInPlace(const Profile& profile) {
  const bool any = std::ranges::any_of(kChanges, [&](Claim claim) { return profile.Claims(claim); });
  return any ? "" : "the producer's adapter claims none of reshape_in_place, transpose_in_place and resize_in_place";
}

const RegisterCases<OfPairs> kCases = {
    // C-SHAPE-05, C-DATA-12: The producer's array is reshaped, transposed or resized after the import. The consumer's
    // array keeps its shape, strides and elements.
    {.id = "interop/pair/the-consumers-array-stays-when-the-producer-changes-its-own",
     .rules = {"C-SHAPE-05", "C-DATA-12"},
     .blocked = ChangesInPlace,
     .draw =
         [](Draw& draw) {
           Recipe recipe = CompactArray(draw);
           int how = draw.Pick(static_cast<int>(std::size(kChanges)));
           while (!draw.profile.Claims(kChanges[how])) how = (how + 1) % static_cast<int>(std::size(kChanges));
           recipe.request().making = Making::kFresh;
           SetLife(recipe, {{Op::kMake},
                            {Op::kImportSource},
                            {.op = Op::kChangeMetadata, .argument = how},
                            {Op::kDescribe},
                            {Op::kRead},
                            {Op::kCompute},
                            {Op::kDescribeSource},
                            {Op::kDropArray},
                            {Op::kDropSource}});
           return recipe;
         },
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           const SourceLedger& source = ledger.sources[0];
           constexpr uint32_t kMetadata = kPartShape | kPartStrides | kPartNdim;
           if (source.change.outcome != Outcome::kAccepted || (source.changed_parts & kMetadata) == 0) {
             return judgement.SaysNothing("the producer did not change its array in place");
           }
           if (!KeepsShape(recipe, ledger, "the consumer's array has another shape after the producer changed its own",
                           {}, judgement)) {
             return;
           }
           ElementsMatch(judgement, "the consumer's array has other elements after the producer changed its own",
                         {.rule = "C-DATA-12"});
         }},
};

}  // namespace
}  // namespace dlpack_cts
