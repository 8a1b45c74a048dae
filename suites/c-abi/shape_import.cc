// suites/c-abi/shape_import.cc: how a consumer reads ndim and shape.
#include <limits>

#include "harness/case/case.h"
#include "harness/case/controls.h"
#include "harness/case/entries.h"
#include "harness/case/judges.h"
#include "harness/case/keywords.h"
#include "harness/case/thresholds.h"
#include "harness/recipe/laws.h"

namespace dlpack_cts {
namespace {

/// A compact tensor of at least one dimension.
Recipe DrawCompact(Draw& draw) {
  Limits limits = draw.limits();
  limits.strided = false;
  limits.scalar = false;
  limits.deepest = draw.profile.takes_deepest;
  Recipe recipe = draw.Import(limits);
  if (recipe.offer().dims == 0) {
    recipe.offer().dims = 1;
    recipe.offer().ndim = 1;
    recipe.offer().shape[0] = 3;
  }
  recipe.offer().strides_kind = StridesKind::kCompact;
  draw.SometimesCopy(recipe);
  return recipe;
}

const RegisterCases<OfConsumer> kCases = {
    // C-SHAPE-02: For ndim == 0 shape (and strides) may be NULL. A consumer imports such a scalar if it imports one
    // with non-NULL pointers. PY-FROM-04: It has the tensor's shape and value.
    {.id = "c-abi/shape/scalar-without-shape-is-taken",
     .rules = {"C-SHAPE-02", "PY-FROM-04"},
     .on_refusal = OnRefusal::kWarn,
     .draw =
         [](Draw& draw) {
           Recipe recipe = draw.Import();
           recipe.offer().dims = 0;
           recipe.offer().ndim = 0;
           recipe.offer().null_shape = 1;
           recipe.offer().strides_kind = StridesKind::kNull;
           recipe.offer().byte_offset = 0;
           return recipe;
         },
     .control =
         [](const Profile&, Recipe& recipe) {
           recipe.offer().null_shape = 0;
           recipe.offer().strides_kind = StridesKind::kCompact;
         },
     .judge =
         [](const Recipe& recipe, const Ledger&, Judgement& judgement) {
           if (!ShapeMatches(recipe, judgement, {.rule = "PY-FROM-04"})) return;
           ElementsMatch(judgement, "a scalar tensor was imported with a wrong value", {.rule = "PY-FROM-04"});
         }},

    // C-SHAPE-06: When the deleter runs, all struct fields and the shape and strides arrays are as the producer made
    // them. A consumer does not write into them.
    {.id = "c-abi/shape/consumer-writes-no-metadata",
     .rules = {"C-SHAPE-06"},
     .examples = Examples::kSweep,
     .on_refusal = OnRefusal::kJudge,
     .draw =
         [](Draw& draw) {
           Limits limits = draw.limits();
           limits.deepest = draw.profile.takes_deepest;
           Recipe recipe = draw.Import(limits);
           draw.SometimesCopy(recipe);
           return recipe;
         },
     .uncontrolled = uncontrolled::kMemory,
     .judge =
         [](const Recipe&, const Ledger&, Judgement& judgement) {
           constexpr uint32_t kLesser = kPartFlags | kPartVersion;
           judgement.Expect("import0.changed", Lacks(PartSet{~kLesser}),
                            "the consumer changed a field of the struct, or an entry of shape or strides");
           judgement.Expect("import0.changed", Lacks(PartSet{kLesser}),
                            "the consumer changed the flags or version of the struct", {.degree = Degree::kWarn});
         }},

    // C-SHAPE-07: A consumer does not read past shape[ndim-1] and strides[ndim-1]. An inaccessible page follows both
    // arrays: a read past them is reported as UNSAFE. The judge checks that the whole shape was read.
    {.id = "c-abi/shape/shape-is-read-in-full-and-no-further",
     .rules = {"C-SHAPE-07"},
     .draw = [](Draw& draw) { return DrawCompact(draw); },
     .judge = [](const Recipe& recipe, const Ledger&, Judgement& judgement) { ShapeMatches(recipe, judgement); }},

    // C-SHAPE-08: A consumer that does not support the number of dimensions refuses with an exception.
    {.id = "c-abi/shape/too-many-dimensions-are-refused-or-kept",
     .rules = {"C-SHAPE-08"},
     .examples = Examples::kTable,
     .table = 12,
     .on_refusal = OnRefusal::kPass,
     .draw =
         [](Draw& draw) {
           constexpr int32_t kCounts[] = {9, 16, 32, 33, 64, 65, 129, 255, 256, 257, 258, 1000};
           Recipe recipe = DrawCompact(draw);
           recipe.offer().ndim = kCounts[draw.index];
           recipe.offer().fill_extent = 1;
           return recipe;
         },
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           const Description& result = ledger.imports[0].result;
           if (!result.has_shape)
             return judgement.SaysNothing("the adapter does not report the shape of the imported array");
           judgement.Expect("import0.ndim", Is(recipe.offer().ndim),
                            "the number of dimensions of the imported array is not dl_tensor.ndim");
           ElementsMatch(judgement);
         }},

    // C-SHAPE-11: One zero extent makes the tensor empty, whatever the other extents are. A consumer imports or refuses
    // it; an overflow does no damage. PY-FROM-04: The array has its shape.
    {.id = "c-abi/shape/zero-beside-huge-extents-is-empty",
     .rules = {"C-SHAPE-11", "C-DATA-06", "PY-FROM-04"},
     .examples = Examples::kTable,
     .table = 11,
     .on_refusal = OnRefusal::kPass,
     .draw =
         [](Draw& draw) {
           constexpr int64_t kHuge = int64_t{1} << 62;
           constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
           constexpr int64_t kShapes[][3] = {{kHuge, 4, 0}, {0, kHuge, 4},     {4, 0, kHuge}, {kMax, 0, 2},
                                             {0, kMax, 2},  {2, kMax, 0},      {kHuge, 0, 0}, {0, kMax, 0},
                                             {kMax, 0, 0},  {kHuge, kHuge, 0}, {0, 1, kMax}};
           Recipe recipe = DrawCompact(draw);
           const int dims = draw.index >= 6 && draw.index < 9 ? 2 : 3;
           recipe.offer().dims = static_cast<uint8_t>(dims);
           recipe.offer().ndim = dims;
           recipe.offer().placement = draw.random.OneIn(2) ? Placement::kNull : Placement::kUnmapped;
           recipe.offer().strides_kind = StridesKind::kExplicit;
           for (int d = 0; d < dims; ++d) {
             recipe.offer().shape[d] = kShapes[draw.index][d];
             recipe.offer().strides[d] = d == dims - 1 ? 1 : 0;
           }
           ThroughAnyEntry(draw, recipe);
           return recipe;
         },
     .judge = [](const Recipe& recipe, const Ledger&,
                 Judgement& judgement) { ShapeMatches(recipe, judgement, {.rule = "PY-FROM-04"}); }},

    // C-SHAPE-11: The same with one extent of about 2^15, 2^16, 2^31, 2^32 or 2^62 in any dimension of any rank.
    // PY-FROM-04: The array has all extents in full, or is refused.
    {.id = "c-abi/shape/extents-have-64-bits",
     .rules = {"C-SHAPE-11", "C-DATA-06", "PY-FROM-04"},
     .on_refusal = OnRefusal::kPass,
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawCompact(draw);
           recipe.call().copy = {};
           MakeVast(draw, recipe.offer());
           SetLife(recipe, {Op::kImport, Op::kDescribe, Op::kDropProducer, Op::kDropArray, Op::kCollect});
           ThroughAnyEntry(draw, recipe);
           return recipe;
         },
     .judge =
         [](const Recipe& recipe, const Ledger&, Judgement& judgement) {
           if (!IsEmpty(recipe.offer())) return judgement.SaysNothing("the library imports at most one dimension");
           ShapeMatches(recipe, judgement, {.rule = "PY-FROM-04"});
         }},

    // C-SHAPE-03: The producer sets shape to ndim int64 extents. A re-export has the extents that the library
    // describes,
    // in full, with one extent of about 2^15, 2^16, 2^31, 2^32 or 2^62.
    {.id = "c-abi/shape/reexported-extents-have-64-bits",
     .rules = {"C-SHAPE-03", "C-SHAPE-10"},
     .on_refusal = OnRefusal::kPass,
     .needs = {Claim::kReexport},
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawCompact(draw);
           recipe.call() = draw.PlainCall();
           AskForVersioned(draw, recipe);
           MakeVast(draw, recipe.offer());
           SetLife(recipe, {{Op::kImport},
                            {Op::kDescribe},
                            {.op = Op::kReexport, .slot = 0, .other = Other::kSlot1},
                            {Op::kInspect, 1},
                            {Op::kDropProducer},
                            {Op::kDropArray},
                            {Op::kCollect}});
           return recipe;
         },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const Description& array = ledger.imports[0].result;
           if (!Accepted(ledger) || !Exported(ledger, 1) || array.has_shape == 0)
             return judgement.SaysNothing("nothing was re-exported, or the adapter does not report the shape");
           judgement.Expect("export1.shape", ShapeOf(array),
                            "dl_tensor.shape of a re-export does not have the extents of the imported array");
         }},
};

}  // namespace
}  // namespace dlpack_cts
