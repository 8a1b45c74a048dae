// suites/c-abi/shape_export.cc: the ndim and shape that a producer exports.
#include "harness/case/case.h"
#include "harness/case/judges.h"

namespace dlpack_cts {
namespace {

/// What the library itself reports about the array. Without it nothing can be compared.
bool Described(const Ledger& ledger, Judgement& judgement) {
  if (ledger.sources[0].description.has_shape != 0) return true;
  judgement.SaysNothing("the adapter does not report the shape of the array");
  return false;
}

const RegisterCases<OfProducer> kCases = {
    // C-SHAPE-01: ndim is >= 0 and equals the number of entries of shape and strides.
    {.id = "c-abi/shape/exported-ndim-is-the-arrays",
     .rules = {"C-SHAPE-01"},
     .draw = [](Draw& draw) { return draw.ExportOrCopy(); },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (!Described(ledger, judgement)) return;
           const int32_t wanted = ledger.sources[0].description.ndim;
           judgement.Expect("export0.ndim", Is(wanted), "dl_tensor.ndim is not the array's number of dimensions",
                            {.when = ledger.exports[0].tensor.ndim != wanted});
         }},

    // C-SHAPE-03: For ndim > 0 shape points to ndim int64 extents.
    {.id = "c-abi/shape/exported-shape-is-readable",
     .rules = {"C-SHAPE-03"},
     .draw = [](Draw& draw) { return draw.ExportOrCopy(); },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const ExportLedger& exported = ledger.exports[0];
           if (exported.tensor.ndim == 0) return judgement.SaysNothing("the array has no dimensions");
           judgement.Expect("export0.null_shape", Is(false),
                            "dl_tensor.shape is NULL although dl_tensor.ndim is not 0");
           judgement.Expect("export0.metadata_readable", Is(true),
                            "dl_tensor.shape or dl_tensor.strides of the exported tensor cannot be read");
         }},

    // C-SHAPE-04: Extents are non-negative.
    {.id = "c-abi/shape/exported-extents-are-not-negative",
     .rules = {"C-SHAPE-04"},
     .draw = [](Draw& draw) { return draw.ExportOrCopy(); },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const ExportLedger& exported = ledger.exports[0];
           bool negative = false;
           for (int d = 0; d < exported.tensor.ndim && d < kDims; ++d) negative = negative || exported.shape[d] < 0;
           judgement.Expect("export0.shape", ShapeOf(ledger.sources[0].description),
                            "dl_tensor.shape has a negative extent", {.when = negative});
         }},

    // C-SHAPE-05: The shape and strides arrays stay valid and unchanged from export until the deleter call, whatever
    // happens to the source object. The adapter claims its in-place changes; without a claim the source is only
    // dropped.
    {.id = "c-abi/shape/exported-metadata-survives-the-source",
     .rules = {"C-SHAPE-05"},
     .examples = Examples::kSweep,
     .draw =
         [](Draw& draw) {
           Recipe recipe = draw.ExportOrCopy();
           const int how = draw.Pick(4);
           SetLife(recipe, {Op::kMake, Op::kExport, Op::kTakeCapsule});
           if (how < 3) AddStep(recipe, {.op = Op::kChangeMetadata, .argument = how});
           AddStep(recipe, Op::kInspect);
           if (how != 2) AddStep(recipe, Op::kReadExport);
           AddStep(recipe, Op::kDropSource);
           AddStep(recipe, Op::kCollect);
           AddStep(recipe, Op::kInspect);
           AddStep(recipe, Op::kDelete);
           return recipe;
         },
     .judge =
         [](const Recipe&, const Ledger&, Judgement& judgement) {
           constexpr uint32_t kMetadata =
               kPartShape | kPartStrides | kPartNdim | kPartShapePointer | kPartStridesPointer;
           judgement.Expect("export0.changed", Lacks(PartSet{kMetadata}),
                            "ndim, shape or strides of an export changed before its deleter was called");
         }},

    // C-SHAPE-10: shape, strides and dtype together describe the exported array: the extents and their order are those
    // that the library reports, and every index leads to the same element.
    {.id = "c-abi/shape/exported-metadata-describes-the-array",
     .rules = {"C-SHAPE-10", "C-STRIDES-05", "C-DATA-14"},
     .examples = Examples::kSweep,
     .draw = [](Draw& draw) { return draw.ExportOfAnySize(); },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (!Described(ledger, judgement)) return;
           const Description& array = ledger.sources[0].description;
           const ExportLedger& exported = ledger.exports[0];
           bool same = exported.tensor.ndim == array.ndim;
           for (int d = 0; same && d < array.ndim && d < kDims; ++d) same = exported.shape[d] == array.shape[d];
           if (!judgement.Expect("export0.shape", ShapeOf(array), "dl_tensor.shape is not the shape of the array",
                                 {.when = !same})) {
             return;
           }
           // Elements on a device are not read.
           if (exported.elements.reading != Reading::kUnsupported) ExportMatches(judgement);
         }},

    // C-SHAPE-10: An export describes the array as it is at that time, not as it was at an earlier export.
    {.id = "c-abi/shape/exports-follow-changes-in-place",
     .rules = {"C-SHAPE-10"},
     .blocked = [](const Profile& profile) -> std::string_view {
       const bool changes = profile.Claims(Claim::kReshapeInPlace) || profile.Claims(Claim::kTransposeInPlace);
       return changes ? "" : "the adapter claims neither reshape_in_place nor transpose_in_place";
     },
     .draw =
         [](Draw& draw) {
           constexpr Claim kClaims[] = {Claim::kReshapeInPlace, Claim::kTransposeInPlace};
           int how = draw.Pick(2);
           if (!draw.profile.Claims(kClaims[how])) how = 1 - how;
           Recipe recipe = draw.Export();
           Request& request = recipe.request();
           request.dims = static_cast<uint8_t>(draw.MadeRank(2));
           for (int d = 0; d < request.dims; ++d) request.shape[d] = draw.random.Between(2, 3) + 2 * d;
           request.strides_kind = StridesKind::kCompact;
           request.oddity = Oddity::kNone;
           SetLife(recipe, {Op::kMake, Op::kExport, Op::kInspect, Op::kLoseCapsule});
           AddStep(recipe, {.op = Op::kChangeMetadata, .argument = how});
           AddStep(recipe, Op::kExport, 1);
           AddStep(recipe, Op::kInspect, 1);
           AddStep(recipe, Op::kDropSource);
           return recipe;
         },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const Answer follows = ledger.exports[1].follows_change;
           if (follows == Answer::kUnknown)
             return judgement.SaysNothing("the array was not changed in place and exported again");
           judgement.Expect("export1.follows_change", Is(Answer::kYes),
                            "an array that was changed in place is not exported with its new shape and strides");
         }},
};

}  // namespace
}  // namespace dlpack_cts
