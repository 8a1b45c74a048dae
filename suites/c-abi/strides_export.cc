// suites/c-abi/strides_export.cc: the strides that a producer exports.
#include <algorithm>

#include "harness/case/case.h"
#include "harness/case/controls.h"
#include "harness/case/judges.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts {
namespace {

/// The struct declares 1.2 or later, where NULL strides are forbidden.
bool ForbidsNull(const ExportLedger& exported) {
  return exported.versioned && (exported.version.major > 1 || exported.version.minor >= 2);
}

const RegisterCases<OfProducer> kCases = {
    // C-STRIDES-01: strides must be non-NULL and point to ndim entries whenever ndim != 0, in a struct that declares
    // 1.2 or later.
    {.id = "c-abi/strides/strides-are-given-since-1.2",
     .rules = {"C-STRIDES-01"},
     .draw = [](Draw& draw) { return draw.ExportOrCopy(); },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const ExportLedger& exported = ledger.exports[0];
           if (exported.tensor.ndim == 0) return judgement.SaysNothing("the array has no dimensions");
           const Degree degree = ForbidsNull(exported) ? Degree::kRule : Degree::kNote;
           judgement.Expect("export0.null_strides", Is(false),
                            degree == Degree::kRule
                                ? "dl_tensor.strides is NULL in a tensor of version 1.2 or later"
                                : "dl_tensor.strides is NULL, which is still allowed before version 1.2",
                            {.degree = degree});
         }},

    // C-STRIDES-02: Before 1.2 (and in the unversioned struct) NULL strides may be used for compact row-major data
    // only.
    {.id = "c-abi/strides/null-strides-are-only-for-row-major-data",
     .rules = {"C-STRIDES-02"},
     .seldom = true,
     .draw = [](Draw& draw) { return draw.ExportOrCopy(); },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const ExportLedger& exported = ledger.exports[0];
           if (exported.tensor.ndim == 0) return judgement.SaysNothing("the array has no dimensions");
           if (!exported.null_strides) return judgement.SaysNothing("dl_tensor.strides is not NULL");
           ExportMatches(judgement, "dl_tensor.strides is NULL although the data is not compact row-major");
         }},

    // C-STRIDES-06: strides[d] is a readable entry for each 0 <= d < ndim, including extents 0 and 1.
    {.id = "c-abi/strides/exported-strides-are-readable",
     .rules = {"C-STRIDES-06"},
     .draw = [](Draw& draw) { return draw.ExportOrCopy(); },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const ExportLedger& exported = ledger.exports[0];
           if (exported.tensor.ndim == 0) return judgement.SaysNothing("the array has no dimensions");
           if (exported.null_strides) return judgement.SaysNothing("dl_tensor.strides is NULL");
           judgement.Expect("export0.metadata_readable", Is(true),
                            "dl_tensor.shape or dl_tensor.strides of the exported tensor cannot be read");
         }},

    // C-STRIDES-05: Strides count elements, not bytes: strides[d] is the distance from an element to the next one in
    // dimension d.
    {.id = "c-abi/strides/exported-strides-count-elements",
     .rules = {"C-STRIDES-05"},
     .draw = [](Draw& draw) { return draw.ExportOrCopy(); },
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           const ExportLedger& exported = ledger.exports[0];
           const Description& array = ledger.sources[0].description;
           const int64_t item = ItemSize(exported.tensor.dtype);
           if (exported.null_strides) return judgement.SaysNothing("dl_tensor.strides is NULL");
           if (!exported.metadata_readable)
             return judgement.SaysNothing("dl_tensor.strides cannot be read, which another case reports");
           if (!array.has_shape || !array.has_strides || array.ndim != exported.tensor.ndim || array.ndim > kDims) {
             return judgement.SaysNothing("the adapter does not report strides to compare with");
           }
           // Strides that lead to every element count elements. A copy has different strides, and only a versioned
           // struct can declare that it is a copy.
           if (exported.first_elements.reading == Reading::kMatches) return judgement.Holds();
           bool bytes = false;
           bool differ = false;
           int64_t wanted[kDims] = {};
           for (int d = 0; d < array.ndim; ++d) {
             if (array.shape[d] == 0) return judgement.SaysNothing("the array has no elements");
             wanted[d] = item > 0 ? array.byte_strides[d] / item : 0;
             if (array.shape[d] == 1 || item == 1) continue;
             differ = differ || exported.strides[d] != wanted[d];
             bytes = bytes || (array.byte_strides[d] != 0 && exported.strides[d] == array.byte_strides[d]);
           }
           // A copy may have any strides that lead to its elements. Other cases report a wrong shape or dtype.
           const bool same = std::equal(array.shape, array.shape + array.ndim, exported.shape) &&
                             ItemSize(recipe.request().dtype) == item;
           const bool wrong = bytes || (differ && same && exported.IsAtSource());
           judgement.Expect("export0.strides", Is(std::span<const int64_t>(wanted, static_cast<size_t>(array.ndim))),
                            bytes ? "dl_tensor.strides counts bytes instead of elements"
                                  : "dl_tensor.strides does not lead from each element of the array to the next one",
                            {.when = wrong});
         }},

    // C-STRIDES-13: Layouts whose byte strides are not multiples of the element size cannot be exported and raise
    // BufferError.
    {.id = "c-abi/strides/byte-strides-off-the-item-size-are-refused",
     .rules = {"C-STRIDES-13"},
     .on_refusal = OnRefusal::kJudge,
     .needs = {Claim::kOddities},
     .draw =
         [](Draw& draw) {
           Recipe recipe = draw.Export();
           MakeOdd(recipe.request(), Oddity::kUnalignedStride);
           recipe.request().dims = 1;
           recipe.request().shape[0] = draw.random.Between(2, 6);
           return recipe;
         },
     .control = control::OrdinaryArray,
     .judge = BufferErrorOr(ExpectsExport(
         "an array whose byte strides are not multiples of the item size is exported with wrong elements"))},

    // C-STRIDES-13: The stride of a dimension of size 1 has no meaning, so an array with an odd byte stride there is
    // exported like any other.
    {.id = "c-abi/strides/byte-strides-of-single-elements-do-not-matter",
     .rules = {"C-STRIDES-13"},
     .on_refusal = OnRefusal::kWarn,
     .needs = {Claim::kOddities},
     .draw =
         [](Draw& draw) {
           Recipe recipe = draw.Export();
           Request& request = recipe.request();
           request.oddity = Oddity::kIdleStride;
           request.making = Making::kView;
           request.dims = static_cast<uint8_t>(draw.MadeRank(1 + draw.Pick(3)));
           std::fill_n(request.shape, request.dims, 2);
           if (request.dims > 0) request.shape[draw.Pick(request.dims)] = 1;
           request.strides_kind = StridesKind::kCompact;
           return recipe;
         },
     .control = control::OrdinaryArray,
     .judge =
         [](const Recipe& recipe, const Ledger&, Judgement& judgement) {
           if (recipe.request().dims == 0) return judgement.SaysNothing("the array has no dimensions");
           ExportMatches(judgement,
                         "an array with an odd byte stride in a dimension of size 1 is exported with wrong elements");
         }},
};

}  // namespace
}  // namespace dlpack_cts
