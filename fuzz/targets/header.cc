// fuzz/targets/header.cc: the target `header`: the bytes of an input are the struct that a library imports.
#include <algorithm>

#include "fuzz/targets/fold.h"
#include "fuzz/targets/header_bytes.h"
#include "fuzz/targets/import_families.h"
#include "fuzz/targets/targets.h"
#include "harness/recipe/laws.h"

namespace dlpack_cts::fuzz {
namespace {

bool HasNegativeExtent(const Recipe& recipe) {
  const Offer& offer = recipe.offer();
  return std::any_of(offer.shape, offer.shape + offer.dims, [](int64_t extent) { return extent < 0; });
}

constexpr auto kFamilies = WithImportFamilies({
    {"foreign-type", Tier::kEdge, [](const Recipe& r) { return Breaks(r, kLawDtype); }},
    {"negative-ndim", Tier::kHostile, [](const Recipe& r) { return r.offer().ndim < 0; }},
    {"negative-extent", Tier::kHostile, HasNegativeExtent},
    {"huge-extents", Tier::kHostile,
     [](const Recipe& r) { return Breaks(r, kLawExtents) && r.offer().ndim > 1 && !HasNegativeExtent(r); }},
    {"no-data", Tier::kHostile, [](const Recipe& r) { return Breaks(r, kLawData); }},
    {"no-shape", Tier::kHostile, [](const Recipe& r) { return Breaks(r, kLawShape); }},
    {"no-bits", Tier::kHostile, [](const Recipe& r) { return Breaks(r, kLawItem); }},
});

constexpr std::string_view kFields[] = {"offer.", "call.copy"};

}  // namespace

// A row of imports: generator, changes, traces and checks are the same. Only the input and what becomes of it differ.
const Target kHeaderTarget = {
    .name = "header",
    .what = "the bytes of an input are the struct itself, which the library imports; invalid ones too",
    .role = kImportTarget.role,
    .fields = kFields,
    .draw = kImportTarget.draw,
    .change = kImportTarget.change,
    .fold = FoldHeader,
    .trace = kImportTarget.trace,
    .questions = kImportTarget.questions,
    .families = kFamilies,
    .tier = Tier::kHostile,
    .decode = DecodeHeader,
    .encode = EncodeHeader,
    .suffix = ".struct",
    .dictionary = HeaderDictionary,
};

}  // namespace dlpack_cts::fuzz
