// suites/c-abi/data_import.cc: how a consumer finds, reads and writes the elements.
#include <algorithm>
#include <iterator>

#include "harness/case/case.h"
#include "harness/case/controls.h"
#include "harness/case/entries.h"
#include "harness/case/judges.h"
#include "harness/case/thresholds.h"
#include "harness/recipe/generator.h"

namespace dlpack_cts {
namespace {

void NoOffset(const Profile&, Recipe& recipe) { recipe.offer().byte_offset = 0; }

void WritesNothing(const Recipe&, const Ledger&, Judgement& judgement) {
  judgement.Expect("import0.changed_bytes", Is(0),
                   "the consumer changed bytes of the producer's memory without being asked");
}

/// The natural alignment of the type, or the least alignment that the subject imports if that is larger.
uint8_t LeastAlignment(const Draw& draw, abi::DLDataType dtype) {
  uint8_t log2 = draw.profile.takes_alignment_log2;
  while ((int64_t{1} << log2) < ItemSize(dtype)) ++log2;
  return log2;
}

Recipe DrawWithOffset(Draw& draw, uint64_t offset) {
  Limits limits = draw.limits();
  limits.offset = true;
  Recipe recipe = draw.Import(limits);
  recipe.offer().byte_offset = offset;
  draw.SometimesCopy(recipe);
  return recipe;
}

std::string_view TakesSmallOffsets(const Profile& profile) {
  return profile.takes_alignment_log2 == 0
             ? ""
             : "the library imports only aligned data, so it cannot import small values of byte_offset";
}

void AddsOffset(const Recipe&, const Ledger&, Judgement& judgement) {
  ElementsMatch(judgement, "the imported elements are not those at dl_tensor.data + dl_tensor.byte_offset");
}

constexpr int kEntryPoints = static_cast<int>(EntryPoint::kCount);
constexpr int kTensorsWithElements[] = {0, 1, 3};  // as drawn, a scalar, one element: see Draw::Dwarf
constexpr int kRowsOfFarOffsets = kFarOffsets * static_cast<int>(std::size(kTensorsWithElements)) * kEntryPoints;

/// Each offset with each kind of tensor, through each entry of the library.
Recipe DrawFarOffset(Draw& draw) {
  const auto entry = static_cast<EntryPoint>(draw.index % kEntryPoints);
  const int how = kTensorsWithElements[draw.index / kEntryPoints % static_cast<int>(std::size(kTensorsWithElements))];
  Limits limits = draw.limits();
  limits.offset = true;
  limits.empty = false;
  // Exchange tables have versioned structs only.
  const bool versioned = entry == EntryPoint::kGivenTable || entry == EntryPoint::kOwnTable;
  limits.legacy = limits.legacy && (!versioned || !limits.versioned);
  Recipe recipe = draw.Import(limits);
  Offer& offer = recipe.offer();
  draw.Dwarf(offer, how);
  PutFar(draw.profile, draw.index / kEntryPoints / static_cast<int>(std::size(kTensorsWithElements)), offer);
  if (entry == EntryPoint::kObject) draw.SometimesCopy(recipe);
  ImportThrough(entry, draw, recipe);
  return recipe;
}

/// A compact tensor of at least one dimension and without elements.
Recipe DrawEmpty(Draw& draw) {
  Limits limits = draw.limits();
  limits.scalar = false;
  limits.strided = false;
  Recipe recipe = draw.Import(limits);
  Offer& offer = recipe.offer();
  if (offer.dims == 0) {
    offer.dims = 1;
    offer.ndim = 1;
  }
  offer.shape[draw.random.Below(offer.dims)] = 0;
  offer.strides_kind = StridesKind::kCompact;
  offer.byte_offset = 0;
  return recipe;
}

const RegisterCases<OfConsumer> kCases = {
    // C-DATA-01: The first element (index 0 in every dimension) is at data + byte_offset. A consumer adds byte_offset
    // or refuses a non-zero one.
    {.id = "c-abi/data/byte-offset-is-added",
     .rules = {"C-DATA-01"},
     .examples = Examples::kSweep,
     .on_refusal = OnRefusal::kWarn,
     .draw =
         [](Draw& draw) {
           const uint64_t unit = uint64_t{1}
                                 << draw.profile.takes_alignment_log2;  // `data` alone has to be aligned too
           const uint64_t multiple = std::max<uint64_t>(unit, draw.random.OneIn(2) ? 64 : 256);
           return DrawWithOffset(draw, multiple * (1 + draw.random.Below(8)));
         },
     .control = NoOffset,
     .judge = AddsOffset},

    // C-DATA-01: The same for offsets that are only multiples of the element size.
    {.id = "c-abi/data/small-byte-offset-is-added",
     .rules = {"C-DATA-01"},
     .on_refusal = OnRefusal::kWarn,
     .blocked = TakesSmallOffsets,
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawWithOffset(draw, 0);
           const int64_t item = ItemSize(recipe.offer().dtype);
           recipe.offer().byte_offset = static_cast<uint64_t>(item * draw.random.Between(1, 9));
           return recipe;
         },
     .control = NoOffset,
     .judge = AddsOffset},

    // C-DATA-01: The same for offsets that are not multiples of the element size. Then `data` is not aligned to its
    // type although element 0 is, so a consumer may refuse it.
    {.id = "c-abi/data/byte-offset-off-the-item-size-is-added",
     .rules = {"C-DATA-01"},
     .on_refusal = OnRefusal::kPass,
     .blocked = TakesSmallOffsets,
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawWithOffset(draw, 0);
           const int64_t item = ItemSize(recipe.offer().dtype);
           const int64_t off = item > 1 ? draw.random.Between(1, item - 1) : 0;
           recipe.offer().byte_offset = static_cast<uint64_t>(item * draw.random.Between(0, 9) + off);
           return recipe;
         },
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           if (recipe.offer().byte_offset % static_cast<uint64_t>(ItemSize(recipe.offer().dtype)) == 0) {
             return judgement.SaysNothing("byte_offset is a multiple of the item size");
           }
           AddsOffset(recipe, ledger, judgement);
         }},

    // C-DATA-09: byte_offset is an unsigned 64-bit byte count. Offsets of about 2^15, 2^16, 2^31 and 2^32, also of
    // scalars and of tensors of one element, point far into a sparse mapping.
    {.id = "c-abi/data/byte-offset-has-64-bits",
     .rules = {"C-DATA-09"},
     .examples = Examples::kTable,
     .table = kRowsOfFarOffsets,
     .draw = DrawFarOffset,
     .judge = ExpectsElements("a large byte_offset is not added in full to dl_tensor.data")},

    // C-DATA-09, C-DATA-06: The same offsets, and those of about 2^62, 2^63 and 2^64, of a tensor without elements,
    // whose memory is not read. It lies in a sparse mapping, or data + byte_offset is an inaccessible page. PY-FROM-04:
    // The array has its shape.
    {.id = "c-abi/data/byte-offset-of-empty-tensor-is-not-followed",
     .rules = {"C-DATA-06", "PY-FROM-04"},
     .examples = Examples::kTable,
     .table = 2 * kFarOffsets + kVastOffsets,
     .on_refusal = OnRefusal::kPass,
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawEmpty(draw);
           Offer& offer = recipe.offer();
           const int vast = draw.index - 2 * kFarOffsets;
           PutFar(draw.profile, vast < 0 ? draw.index / 2 : 0, offer);
           if (vast >= 0) offer.byte_offset = VastOffset(draw.profile, vast, offer.dtype);
           if (vast >= 0 || draw.index % 2 == 1) offer.placement = Placement::kUnmapped;
           ThroughAnyEntry(draw, recipe);
           return recipe;
         },
     .judge = [](const Recipe& recipe, const Ledger&,
                 Judgement& judgement) { ShapeMatches(recipe, judgement, {.rule = "PY-FROM-04"}); }},

    // C-DATA-03: A consumer should not rely on data being 256-byte aligned. A consumer that needs more than the natural
    // alignment, and refuses instead of reading wrong elements, conforms.
    {.id = "c-abi/data/any-natural-alignment-is-taken",
     .rules = {"C-DATA-03", "C-DATA-01"},
     .seldom = true,
     .draw =
         [](Draw& draw) {
           Recipe recipe = draw.Import();
           const int64_t item = ItemSize(recipe.offer().dtype);
           uint8_t natural = 0;
           while ((int64_t{1} << natural) < item) ++natural;
           recipe.offer().alignment_log2 = static_cast<uint8_t>(natural + draw.random.Below(9 - natural));
           recipe.offer().byte_offset = 0;
           return recipe;
         },
     .judge =
         [](const Recipe&, const Ledger&, Judgement& judgement) {
           // Wrong elements at a natural alignment are a memory error, so they count like those of the byte_offset
           // rule.
           ElementsMatch(
               judgement,
               "the imported elements are wrong although dl_tensor.data has the natural alignment of its type",
               {.rule = "C-DATA-01"});
         }},

    // C-DATA-05: A consumer accepts NULL data when the tensor has zero elements. PY-FROM-04: The array has its shape.
    {.id = "c-abi/data/null-data-of-empty-tensor-is-taken",
     .rules = {"C-DATA-05", "PY-FROM-04"},
     .on_refusal = OnRefusal::kWarn,
     .draw = Changed(DrawEmpty, [](Recipe& recipe) { recipe.offer().placement = Placement::kNull; }),
     .control = [](const Profile&, Recipe& recipe) { recipe.offer().placement = Placement::kEndsAtGuard; },
     .judge = [](const Recipe& recipe, const Ledger&,
                 Judgement& judgement) { ShapeMatches(recipe, judgement, {.rule = "PY-FROM-04"}); }},

    // C-DATA-06: A consumer accepts a non-NULL (even unmapped) pointer for zero elements and does not read it.
    {.id = "c-abi/data/pointer-of-empty-tensor-is-not-read",
     .rules = {"C-DATA-06"},
     .on_refusal = OnRefusal::kWarn,
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawEmpty(draw);
           recipe.offer().placement = draw.random.OneIn(3) ? Placement::kForeignHandle : Placement::kUnmapped;
           return recipe;
         },
     .control = [](const Profile&, Recipe& recipe) { recipe.offer().placement = Placement::kNull; },
     .judge = [](const Recipe& recipe, const Ledger&, Judgement& judgement) { ShapeMatches(recipe, judgement); }},

    // C-DATA-11: A consumer reads only between the lowest and the highest element byte reachable through shape and
    // strides, and writes only bytes of elements. Inaccessible pages lie before and after them; an access there is
    // reported as UNSAFE.
    {.id = "c-abi/data/no-access-outside-the-elements",
     .rules = {"C-DATA-11"},
     .examples = Examples::kSweep,
     .draw =
         [](Draw& draw) {
           Recipe recipe = draw.Import();
           recipe.offer().placement = draw.random.OneIn(2) ? Placement::kEndsAtGuard : Placement::kStartsAtGuard;
           recipe.offer().alignment_log2 = LeastAlignment(draw, recipe.offer().dtype);
           draw.SometimesCopy(recipe);
           AddStep(recipe, Op::kCompute);
           return recipe;
         },
     .judge = WritesNothing},

    // C-DATA-13: A compact tensor of elements of 8 or more bits needs prod(shape) * ((bits * lanes + 7) / 8) bytes. An
    // inaccessible page follows directly, so reading more is reported as UNSAFE.
    {.id = "c-abi/data/compact-tensor-has-the-formulas-size",
     .rules = {"C-DATA-13"},
     .draw =
         [](Draw& draw) {
           Limits limits = draw.limits();
           limits.strided = false;
           limits.empty = false;
           Recipe recipe = draw.Import(limits);
           recipe.offer().strides_kind = StridesKind::kCompact;
           recipe.offer().placement = Placement::kEndsAtGuard;
           recipe.offer().alignment_log2 = LeastAlignment(draw, recipe.offer().dtype);
           draw.SometimesCopy(recipe);
           return recipe;
         },
     .judge = ExpectsElements("the imported array does not have exactly the elements of the compact tensor")},

    // C-DATA-16: An import alone does not change the producer's bytes, even if the tensor is writable.
    {.id = "c-abi/data/import-writes-nothing",
     .rules = {"C-DATA-16"},
     .on_refusal = OnRefusal::kJudge,
     .draw =
         [](Draw& draw) {
           Recipe recipe = draw.Import();
           if (recipe.offer().placement == Placement::kReadOnlyPage) recipe.offer().placement = Placement::kEndsAtGuard;
           recipe.offer().flags = 0;
           draw.SometimesCopy(recipe);
           return recipe;
         },
     .uncontrolled = uncontrolled::kMemory,
     .judge = WritesNothing},
};

}  // namespace
}  // namespace dlpack_cts
