// suites/interop/pairs.cc: an array of one library, imported by another one, in one process.
//
// The consumer gets the producer's own array, without a harness in between. Refusals are not judged: each library's own
// cases do that.
#include <algorithm>
#include <string_view>
#include <utility>

#include "harness/case/case.h"
#include "harness/case/judges.h"
#include "harness/recipe/laws.h"
#include "harness/recipe/layout.h"
#include "suites/interop/arrays.h"

namespace dlpack_cts {
namespace {

constexpr std::string_view kOtherShape = "the consumer's array has a different shape than the producer's array";

/// A consumer whose array is a block of bytes cannot show the order of the elements.
std::string_view ReadsStridedArrays(const Profile& profile) {
  constexpr uint32_t kCompactOnly = 1u << static_cast<uint32_t>(Layout::kCompact);
  return profile.declared.imported_layouts == kCompactOnly
             ? "library.toml says that the consumer reads compact arrays only"
             : "";
}

/// The consumer shares the array's memory, as far as both libraries report the address.
bool Shares(const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
  if (ledger.imports[0].Aliases() && !IsEmpty(recipe.request())) return true;
  judgement.SaysNothing("the consumer's array is empty, or is not known to share the producer's memory");
  return false;
}

const RegisterCases<OfPairs> kCases = {
    // PY-FROM-04, C-STRIDES-08: The consumer's array has the producer's shape, dtype and elements, for every layout.
    // PY-FROM-13: The producer's array is unchanged.
    {.id = "interop/pair/elements-arrive-unchanged",
     .rules = {"PY-FROM-04", "C-STRIDES-08", "PY-FROM-13"},
     .examples = Examples::kSweep,
     .draw = WithLife(AnyArray, {Op::kMake, Op::kImportSource, Op::kDescribe, Op::kRead, Op::kCompute, Op::kReadSource,
                                 Op::kDropArray, Op::kDropSource}),
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           const Description& result = ledger.imports[0].result;
           if (!KeepsShape(recipe, ledger, kOtherShape, {.rule = "PY-FROM-04"}, judgement)) return;
           if (result.known_dtype != 0) {
             judgement.Expect("import0.dtype", Is(recipe.request().dtype),
                              "the consumer's array has a different dtype than the producer's array");
           }
           ElementsMatch(judgement, "the consumer's array has different elements than the producer's array");
           if (ledger.sources[0].elements.reading == Reading::kDiffers) {
             judgement.Expect("source0.elements", Is(Reading::kMatches),
                              "the producer's array has different elements after the exchange", {.rule = "PY-FROM-13"});
           }
         }},

    // PY-FROM-11, C-STRIDES-08: A reversed array is imported with its elements in order, or is refused with an
    // exception.
    {.id = "interop/pair/a-reversed-array-arrives-or-is-refused",
     .rules = {"PY-FROM-11", "C-STRIDES-08"},
     .on_refusal = OnRefusal::kPass,
     .blocked = ReadsStridedArrays,
     .draw =
         [](Draw& draw) {
           Recipe recipe = AnyArray(draw);
           recipe.request().making = Making::kView;
           recipe.request().strides_kind = StridesKind::kExplicit;
           recipe.request().dims = 1;
           recipe.request().shape[0] = draw.random.Between(2, 5);
           recipe.request().strides[0] = draw.random.Between(-3, -1);
           SetLife(recipe, {Op::kMake, Op::kImportSource, Op::kDescribe, Op::kRead, Op::kCompute, Op::kDropArray,
                            Op::kDropSource});
           return recipe;
         },
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           if (!KeepsShape(recipe, ledger, kOtherShape, {.rule = "PY-FROM-04"}, judgement)) return;
           ElementsMatch(judgement, "the consumer's array has different elements than the producer's array",
                         {.rule = "C-STRIDES-08"});
         }},

    // C-OWN-03, C-DATA-12: The consumer's array outlives the producer's.
    {.id = "interop/pair/the-consumer-keeps-the-memory-alive",
     .rules = {"C-OWN-03", "C-DATA-12"},
     .draw = WithLife(AnyArray, {Op::kMake, Op::kImportSource, Op::kDescribe, Op::kDropSource, Op::kCollect, Op::kRead,
                                 Op::kCompute, Op::kDropArray}),
     .judge = ExpectsElements("the consumer's array has wrong elements after the producer's array was dropped")},

    // C-OWN-01: After both arrays are dropped, nothing of the exchange is left.
    {.id = "interop/pair/both-arrays-die",
     .rules = {"C-OWN-01", "PY-FROM-13"},
     .draw = WithLife(AnyArray,
                      {Op::kMake, Op::kImportSource, Op::kDescribe, Op::kDropArray, Op::kReadSource, Op::kDropSource}),
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (ledger.sources[0].elements.reading == Reading::kDiffers) {
             judgement.Expect("source0.elements", Is(Reading::kMatches),
                              "the producer's array has different elements after the consumer's array was dropped",
                              {.rule = "PY-FROM-13"});
           }
           if (ledger.sources[0].alive_known == 0)
             return judgement.SaysNothing("the lifetime of the producer's array cannot be observed");
           judgement.Expect("source0.alive_at_end", IsNot(true, false),
                            "the producer's array is still alive after both arrays were dropped");
         }},

    // C-OWN-16: Shared memory shows what the producer writes.
    {.id = "interop/pair/the-consumer-sees-what-the-producer-writes",
     .rules = {"C-OWN-16"},
     .draw = WithLife(CompactArray, {Op::kMake, Op::kImportSource, Op::kDescribe, Op::kWriteSource, Op::kRead,
                                     Op::kDropArray, Op::kDropSource}),
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           if (!Shares(recipe, ledger, judgement)) return;
           if (ledger.imports[0].write_source == WriteShown::kNotRun)
             return judgement.SaysNothing("the producer's array could not be written");
           if (ledger.imports[0].write_source != WriteShown::kShown && judgement.Says(Trait::kImmutable)) {
             return judgement.SaysNothing(
                 "the consumer's arrays are immutable, so they may keep values that were read earlier");
           }
           judgement.Expect("import0.write_source", Is(WriteShown::kShown),
                            "the consumer's array does not show what the producer wrote");
         }},

    // C-OWN-16: Shared memory shows what the consumer writes.
    {.id = "interop/pair/the-producer-sees-what-the-consumer-writes",
     .rules = {"C-OWN-16"},
     .needs = {Claim::kWrite},
     .draw = WithLife(CompactArray, {Op::kMake, Op::kImportSource, Op::kDescribe, Op::kWriteArray, Op::kRead,
                                     Op::kDropArray, Op::kDropSource}),
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           if (!Shares(recipe, ledger, judgement)) return;
           const WriteShown shown = ledger.imports[0].write_array;
           if (shown == WriteShown::kNotRun || shown == WriteShown::kRefused)
             return judgement.SaysNothing("the consumer's array could not be written");
           judgement.Expect("import0.write_array", Is(WriteShown::kShown),
                            "the producer's array does not show what the consumer wrote");
         }},
};

}  // namespace
}  // namespace dlpack_cts
