// suites/robustness/hostile_import.cc: invalid tensors; only memory safety is required.
//
// A library that does not survive invalid input still conforms, but it is reported. A crash, an invalid access and a
// timeout are reported as such; a judge adds wrong results that the library could have avoided.
#include <algorithm>
#include <iterator>
#include <limits>

#include "harness/case/case.h"
#include "harness/case/judges.h"
#include "harness/case/needs.h"
#include "harness/recipe/dtypes.h"
#include "harness/recipe/laws.h"

namespace dlpack_cts {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
constexpr int64_t kMin = std::numeric_limits<int64_t>::min();

/// A case in which an exception is the best answer.
Case OfInvalidInput(Case made) {
  made.hostile = true;
  made.on_refusal = OnRefusal::kPass;
  return made;
}

/// A default one-dimensional tensor to be made invalid, in each struct kind that the subject imports. Its elements are
/// never read, because even a library that imports it may not be able to.
Recipe DrawPlain(Draw& draw) {
  const bool legacy = draw.profile.takes_versioned == 0 || (draw.profile.takes_legacy != 0 && draw.index % 4 >= 2);
  Recipe recipe = Releasable(draw.PlainImport(legacy ? StructKind::kLegacy : StructKind::kVersioned));
  recipe.offer().dims = 1;
  recipe.offer().ndim = 1;
  recipe.offer().shape[0] = 4;
  // Every second tensor holds integers, if the subject imports them.
  constexpr abi::DLDataType kInteger = {abi::kDLInt, 32, 1};
  const bool taken = ((draw.limits().dtypes >> DataTypeIndex(kInteger)) & 1u) != 0;
  if (draw.index % 2 != 0 && taken) recipe.offer().dtype = kInteger;
  SetLife(recipe, {Op::kImport, Op::kDescribe, Op::kDropProducer, Op::kDropArray, Op::kCollect});
  return recipe;
}

Judge JudgeRefused(std::string_view message) {
  return Expects("import0.outcome", IsNot(Outcome::kAccepted, Outcome::kRefused), message, {.degree = Degree::kWarn});
}

struct HugeShape {
  int dims;
  int64_t shape[3];
};

constexpr int kWraps = 3;
/// The products overflow in elements, or only in bytes if an element has several.
constexpr HugeShape kHuge[] = {{2, {int64_t{1} << 32, int64_t{1} << 32}},
                               {2, {int64_t{1} << 62, 4}},
                               {2, {kMax, 1}},
                               {2, {kMax, kMax}},
                               {1, {int64_t{1} << 62}},
                               {1, {int64_t{1} << 61}},
                               {1, {kMax}},
                               {3, {int64_t{1} << 31, int64_t{1} << 31, 4}},
                               {3, {1, 3, int64_t{1} << 60}}};
constexpr int kHugeShapes = static_cast<int>(std::size(kHuge));

const RegisterCases<OfInvalidInput> kCases = {
    // C-SHAPE-04: Extents are non-negative; a consumer should refuse negative ones.
    {.id = "robustness/shape/negative-extents-are-refused",
     .rules = {"C-SHAPE-04"},
     .examples = Examples::kTable,
     .table = 24,  // four extents, at each position of one to three dimensions
     .draw =
         [](Draw& draw) {
           constexpr int64_t kExtents[] = {-1, -4, kMin, -kMax};
           constexpr int kDimensions[] = {1, 2, 2, 3, 3, 3};
           constexpr int kPositions[] = {0, 0, 1, 0, 1, 2};
           Recipe recipe = DrawPlain(draw);
           Offer& offer = recipe.offer();
           offer.negative_metadata = 1;
           offer.ndim = std::max(draw.Rank(kDimensions[draw.index / 4]), 1);
           offer.dims = static_cast<uint8_t>(offer.ndim);
           std::fill_n(offer.shape, offer.dims, 2);
           offer.shape[std::min<int>(kPositions[draw.index / 4], offer.dims - 1)] = kExtents[draw.index % 4];
           return recipe;
         },
     .judge = JudgeRefused("a tensor with a negative extent in dl_tensor.shape was imported")},

    // C-SHAPE-01: ndim is >= 0; a consumer should refuse a negative one.
    {.id = "robustness/shape/negative-ndim-is-refused",
     .rules = {"C-SHAPE-01"},
     .examples = Examples::kTable,
     .table = 3,
     .draw =
         [](Draw& draw) {
           constexpr int32_t kCounts[] = {-1, -2, std::numeric_limits<int32_t>::min()};
           Recipe recipe = DrawPlain(draw);
           recipe.offer().negative_metadata = 1;
           recipe.offer().ndim = kCounts[draw.index];
           return recipe;
         },
     .judge = JudgeRefused("a tensor with a negative dl_tensor.ndim was imported")},

    // C-SHAPE-03: For ndim > 0 shape points to extents. A consumer should refuse a tensor with NULL shape.
    {.id = "robustness/shape/missing-shape-is-refused",
     .rules = {"C-SHAPE-03"},
     .draw = Changed(DrawPlain, [](Recipe& recipe) { recipe.offer().null_shape = 1; }),
     .judge = JudgeRefused("a tensor with dl_tensor.ndim > 0 and dl_tensor.shape NULL was imported")},

    // C-SHAPE-09: A consumer should not let products of extents overflow silently.
    {.id = "robustness/shape/products-of-extents-do-not-wrap",
     .rules = {"C-SHAPE-09"},
     .examples = Examples::kTable,
     .table = kWraps * kHugeShapes,
     .draw =
         [](Draw& draw) {
           const HugeShape& huge = kHuge[draw.index % kHugeShapes];
           Recipe recipe = DrawPlain(draw);
           Offer& offer = recipe.offer();
           offer.negative_metadata = 1;
           offer.dims = static_cast<uint8_t>(huge.dims);
           offer.ndim = huge.dims;
           offer.strides_kind = StridesKind::kExplicit;
           // Strides of 0 stay inside the memory. Strides of 1 and compact strides overflow at the latest in bytes.
           const int wrap = draw.index / kHugeShapes;
           uint64_t compact = 1;
           for (int d = huge.dims - 1; d >= 0; --d) {
             offer.shape[d] = huge.shape[d];
             offer.strides[d] = wrap == 0 ? 0 : wrap == 1 ? 1 : static_cast<int64_t>(compact);
             compact *= static_cast<uint64_t>(huge.shape[d]);
           }
           return recipe;
         },
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           const Offer& offer = recipe.offer();
           const Description& result = ledger.imports[0].result;
           if (!result.has_shape)
             return judgement.SaysNothing("the adapter does not report the shape of the imported array");
           const bool same =
               result.ndim == offer.ndim && std::equal(offer.shape, offer.shape + offer.ndim, result.shape);
           judgement.Expect("import0.shape", AnyOf(kNothing, Tuple{offer.shape, offer.dims}),
                            "a tensor whose shape exceeds the address space was imported with another shape",
                            {.degree = Degree::kWarn, .when = !same});
         }},

    // C-DATA-08: A consumer should refuse NULL data with a positive element count on CPU and CUDA.
    {.id = "robustness/data/null-data-with-elements-is-refused",
     .rules = {"C-DATA-08"},
     .draw = Changed(DrawPlain, [](Recipe& recipe) { recipe.offer().placement = Placement::kNull; }),
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           // A consumer may wrap NULL without an access. It must not present other memory as the tensor's.
           const Description& result = ledger.imports[0].result;
           if (result.valid != 0 && result.has_pointer != 0 && result.pointer == 0) return judgement.Holds();
           JudgeRefused("a tensor with elements and dl_tensor.data NULL was imported as an ordinary array")(
               recipe, ledger, judgement);
         }},

    // PY-DEVICE-07: The device in the capsule decides how data may be read, even if the producer's own
    // __dlpack_device__ returns the CPU. The data is inaccessible: an access is reported as UNSAFE.
    {.id = "robustness/device/device-of-the-capsule-decides",
     .rules = {"PY-DEVICE-07"},
     .examples = Examples::kTable,
     .table = 4,
     .python = true,
     .draw =
         [](Draw& draw) {
           constexpr int32_t kTypes[] = {abi::kDLMetal, abi::kDLVulkan, abi::kDLOpenCL, abi::kDLTrn};
           Recipe recipe = DrawPlain(draw);
           recipe.offer().device = {kTypes[draw.index], 0};
           recipe.offer().reported_device = {abi::kDLCPU, 0};
           recipe.offer().placement = Placement::kUnmapped;
           return recipe;
         },
     .judge =
         ExpectsNotHost("a tensor on another device was imported as an array on the CPU", {.degree = Degree::kWarn})},

    // C-DTYPE-09: lanes = 0 or bits = 0 does not describe an element, so a consumer should refuse it.
    {.id = "robustness/dtype/types-without-bits-are-refused",
     .rules = {"C-DTYPE-09"},
     .examples = Examples::kTable,
     .table = 4,
     .draw =
         [](Draw& draw) {
           constexpr abi::DLDataType kTypes[] = {{2, 32, 0}, {2, 0, 1}, {0, 0, 0}, {1, 8, 0}};
           Recipe recipe = DrawPlain(draw);
           recipe.offer().dtype = kTypes[draw.index];
           return recipe;
         },
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           const Description& result = ledger.imports[0].result;
           // Reading lanes 0 as a scalar is lenient, and allowed.
           const bool lenient = recipe.offer().dtype.lanes == 0 && recipe.offer().dtype.bits != 0;
           const bool named = result.valid && result.known_dtype;
           judgement.Expect("import0.dtype", HasNoValue<abi::DLDataType>(),
                            "a tensor with dl_tensor.dtype.bits 0 was imported with a known dtype",
                            {.degree = Degree::kWarn, .when = named && !lenient});
         }},

    // C-STRIDES-04: A consumer should not crash on NULL strides with ndim > 0 from a producer that wrongly declares >=
    // 1.2.
    {.id = "robustness/strides/forbidden-null-strides-are-survived",
     .rules = {"C-STRIDES-04"},
     .blocked = TakesVersioned,
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawPlain(draw);
           recipe.offer().kind = StructKind::kVersioned;
           recipe.offer().major = 1;
           recipe.offer().minor = 2 + static_cast<uint32_t>(draw.Pick(2));
           recipe.offer().strides_kind = StridesKind::kNull;
           recipe.offer().ndim = draw.Rank(1 + draw.Pick(3));
           recipe.offer().dims = static_cast<uint8_t>(recipe.offer().ndim);
           std::fill_n(recipe.offer().shape, recipe.offer().dims, 2);
           return recipe;
         },
     .judge = [](const Recipe&, const Ledger&, Judgement& judgement) { judgement.Holds(); }},

    // C-DATA-03: The header does not cover data below the natural alignment of its type. A consumer may refuse or copy
    // it, but does not read it from another address.
    {.id = "robustness/data/misaligned-elements-are-not-sought-elsewhere",
     .rules = {"C-DATA-03"},
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawPlain(draw);
           Offer& offer = recipe.offer();
           const int natural = NaturalAlignmentLog2(offer.dtype);
           offer.alignment_log2 = static_cast<uint8_t>(draw.random.Below(std::max(natural, 1)));
           SetLife(recipe, {Op::kImport, Op::kDescribe, Op::kDropProducer, Op::kRead, Op::kDropArray, Op::kCollect});
           return recipe;
         },
     .judge =
         [](const Recipe& recipe, const Ledger&, Judgement& judgement) {
           if ((BrokenLaws(recipe.offer()) & kLawAlignment) == 0) {
             return judgement.SaysNothing("dl_tensor.data has the natural alignment of its type");
           }
           ElementsMatch(judgement, "misaligned elements were imported with wrong values");
         }},
};

}  // namespace
}  // namespace dlpack_cts
