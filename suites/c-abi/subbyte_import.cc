// suites/c-abi/subbyte_import.cc: how a consumer reads sub-byte types.
#include <array>

#include "harness/case/case.h"
#include "harness/case/controls.h"
#include "harness/case/entries.h"
#include "harness/case/judges.h"
#include "harness/case/needs.h"
#include "harness/recipe/dtypes.h"
#include "harness/recipe/elements.h"
#include "harness/recipe/generator.h"
#include "harness/recipe/packing.h"

namespace dlpack_cts {
namespace {

/// Types that share bytes and whose layout is specified, which excludes 6-bit types.
constexpr std::array<abi::DLDataType, 5> kTypes = {{{abi::kDLInt, 4, 1},
                                                    {abi::kDLUInt, 4, 1},
                                                    {abi::kDLInt, 2, 1},
                                                    {abi::kDLUInt, 2, 1},
                                                    {abi::kDLFloat4_e2m1fn, 4, 1}}};

/// A tensor of such a type, with a version that defines it.
Recipe DrawSubByte(Draw& draw, StructKind kind) {
  Recipe recipe = draw.ImportOf(kind);
  recipe.offer().dtype = kTypes[static_cast<size_t>(draw.Pick(static_cast<int>(kTypes.size())))];
  if (recipe.offer().minor == 0) recipe.offer().minor = 1;
  draw.SometimesCopy(recipe);
  return recipe;
}

/// The imported shape counts two elements as one, which another case judges (C-SUBBYTE-10).
bool CountsPairs(const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
  const Offer& offer = recipe.offer();
  const Description& result = ledger.imports[0].result;
  if (offer.dims == 0 || result.has_shape == 0 || result.ndim != offer.dims) return false;
  const int last = offer.dims - 1;
  if (offer.shape[last] <= 1 || result.shape[last] != (offer.shape[last] + 1) / 2) return false;
  judgement.SaysNothing("the shape of the imported array counts two elements as one");
  return true;
}

/// The value at that index if compact elements with one byte each are read as packed elements.
uint8_t PackedReading(const Offer& offer, int64_t index) {
  const int64_t bit = index * offer.dtype.bits;
  uint8_t cell = 0;
  ElementBits(offer.dtype, SlotSeed(offer.seed, 0), bit / 8, &cell);
  return BitsAt(&cell, bit % 8, offer.dtype.bits);
}

const RegisterCases<OfConsumer> kCases = {
    // C-SUBBYTE-05: Packed data is little-endian in bits: element i occupies the bits from i * bits on, low bits first.
    {.id = "c-abi/subbyte/packed-elements-are-read-low-bits-first",
     .rules = {"C-SUBBYTE-05"},
     .blocked = TakesSubBytes,
     .draw = Changed([](Draw& draw) { return DrawSubByte(draw, StructKind::kVersioned); }, ThroughAnyEntry),
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           if (CountsPairs(recipe, ledger, judgement)) return;
           ElementsMatch(judgement, "packed sub-byte elements were imported with wrong values");
         }},

    // C-SUBBYTE-11: Sub-byte data in the legacy struct is packed, because it has no flag to declare padding.
    {.id = "c-abi/subbyte/legacy-elements-are-read-as-packed",
     .rules = {"C-SUBBYTE-11"},
     .blocked = TakesSubBytes,
     .draw = [](Draw& draw) { return DrawSubByte(draw, StructKind::kLegacy); },
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           if (CountsPairs(recipe, ledger, judgement)) return;
           ElementsMatch(judgement, "packed sub-byte elements of a legacy struct were imported with wrong values");
         }},

    // C-SUBBYTE-07: A consumer of sub-byte types checks the PADDED flag and refuses the form that it cannot read. The
    // position of a value in its byte is unspecified, so only the value of packed elements is a violation.
    {.id = "c-abi/subbyte/padded-elements-are-not-read-as-packed",
     .rules = {"C-SUBBYTE-07"},
     .on_refusal = OnRefusal::kJudge,
     .blocked = TakesSubBytes,
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawSubByte(draw, StructKind::kVersioned);
           Offer& offer = recipe.offer();
           offer.flags |= abi::kFlagSubbytePadded;
           offer.strides_kind = StridesKind::kCompact;
           offer.dims = static_cast<uint8_t>(std::max(1, draw.Rank(1)));
           offer.ndim = offer.dims;
           SetPlainShape(offer.dims, offer.shape);
           offer.shape[0] = draw.random.Between(3, 9);
           return recipe;
         },
     .control = [](const Profile&, Recipe& recipe) { recipe.offer().flags &= ~abi::kFlagSubbytePadded; },
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           const Offer& offer = recipe.offer();
           if (!judgement.TakesType(offer.dtype))
             return judgement.SaysNothing("the library does not import this sub-byte type");
           if (Refused(ledger)) return judgement.Holds();
           const ElementReading& reading = ledger.imports[0].library;
           if (reading.reading == Reading::kMatches) return judgement.Holds();
           if (reading.reading != Reading::kDiffers)
             return judgement.SaysNothing("the elements of the imported array could not be compared");
           const bool packed = reading.got_bits == PackedReading(offer, reading.first_difference);
           judgement.Expect("import0.library", AnyOf(Reading::kMatches, Reading::kUnsupported),
                            "sub-byte elements that are flagged as padded were read as packed elements",
                            {.when = packed});
         }},

    // C-SUBBYTE-03: A consumer must stop the import if an FP6/FP4 tensor has another `bits` value. A container that
    // does not interpret the elements only gets a NOTE.
    {.id = "c-abi/subbyte/small-floats-of-other-bits-are-refused",
     .rules = {"C-SUBBYTE-03"},
     .examples = Examples::kTable,
     .table = 8,
     .on_refusal = OnRefusal::kJudge,
     .draw =
         [](Draw& draw) {
           constexpr abi::DLDataType kOdd[] = {{abi::kDLFloat4_e2m1fn, 8, 1}, {abi::kDLFloat6_e2m3fn, 8, 1},
                                               {abi::kDLFloat6_e3m2fn, 8, 1}, {abi::kDLFloat4_e2m1fn, 6, 1},
                                               {abi::kDLFloat6_e3m2fn, 4, 1}, {abi::kDLFloat4_e2m1fn, 16, 1},
                                               {abi::kDLFloat6_e2m3fn, 5, 1}, {abi::kDLFloat4_e2m1fn, 2, 1}};
           const int row = draw.index;
           draw.index = draw.Pick(1 << 20);  // rank and layout must not depend on the row
           Recipe recipe = draw.PlainImport(StructKind::kVersioned);
           recipe.offer().dtype = kOdd[row];
           recipe.offer().alignment_log2 = 8;
           if (recipe.offer().minor == 0) recipe.offer().minor = 1;
           return recipe;
         },
     .uncontrolled = uncontrolled::kAcceptance,
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           abi::DLDataType right = recipe.offer().dtype;
           const bool small = right.code >= abi::kDLFloat6_e2m3fn && right.code <= abi::kDLFloat4_e2m1fn;
           const bool odd = small && DataTypeIndex(right) < 0;
           if (!odd) return judgement.SaysNothing("the dtype is not an FP4 or FP6 type with a wrong number of bits");
           right.bits = right.code == abi::kDLFloat4_e2m1fn ? 4 : 6;
           if (!Accepted(ledger)) {
             if (judgement.TakesType(right)) return judgement.Holds();
             return judgement.SaysNothing(
                 "the library does not import the type with its correct number of bits either");
           }
           const ImportLedger& import = ledger.imports[0];
           // A library that does not report a known dtype does not interpret the bytes.
           const bool looks = import.result.known_dtype != 0;
           judgement.Expect(
               "import0.outcome", Is(Outcome::kRefused),
               looks ? "a tensor of an FP4 or FP6 type with a wrong dtype.bits was imported with a known dtype"
                     : "a tensor of an FP4 or FP6 type with a wrong dtype.bits was imported without interpreting the "
                       "dtype",
               {.degree = looks ? Degree::kRule : Degree::kNote});
         }},

    // C-SUBBYTE-10: Shape and strides count logical elements, also for packed types. Both conventions are in use.
    {.id = "c-abi/subbyte/imported-shape-counts-elements",
     .rules = {"C-SUBBYTE-10"},
     .blocked = TakesSubBytes,
     .draw = [](Draw& draw) { return DrawSubByte(draw, StructKind::kVersioned); },
     .judge = [](const Recipe& recipe, const Ledger&, Judgement& judgement) { ShapeMatches(recipe, judgement); }},
};

}  // namespace
}  // namespace dlpack_cts
