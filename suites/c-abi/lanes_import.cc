// suites/c-abi/lanes_import.cc: how a consumer reads vectors with sub-byte lanes.
#include "harness/case/case.h"
#include "harness/case/judges.h"
#include "harness/case/needs.h"
#include "harness/recipe/generator.h"
#include "harness/recipe/packing.h"

namespace dlpack_cts {
namespace {

/// Vectors that fill whole bytes. The layout of the last ones is unspecified.
constexpr abi::DLDataType kTypes[] = {
    {abi::kDLInt, 4, 2},  {abi::kDLUInt, 4, 2},          {abi::kDLFloat4_e2m1fn, 4, 2}, {abi::kDLInt, 4, 4},
    {abi::kDLInt, 2, 4},  {abi::kDLUInt, 2, 8},          {abi::kDLUInt, 4, 8},          {abi::kDLFloat4_e2m1fn, 4, 4},
    {abi::kDLInt, 4, 3},  {abi::kDLFloat6_e3m2fn, 6, 4}, {abi::kDLInt, 2, 5},           {abi::kDLUInt, 4, 5},
    {abi::kDLUInt, 2, 3}, {abi::kDLFloat6_e2m3fn, 6, 2}};
constexpr int kRows = 14;

/// By the header's formula elements start at bytes; by its word "packed" they share bytes. It does not say how lanes of
/// 6 bits cross bytes.
bool IsLeftOpen(abi::DLDataType dtype) { return LeavesBitsOver(dtype) || dtype.bits == 6; }

int64_t Elements(const Description& result) {
  return result.has_shape != 0 ? ElementCount(result.shape, result.ndim) : -1;
}

/// The result has vectors, or their lanes as single elements, or uninterpreted bytes.
bool KeepsLanes(const Offer& offer, const Description& result) {
  const int64_t vectors = ElementCount(offer.shape, offer.dims);
  const abi::DLDataType scalar{offer.dtype.code, offer.dtype.bits, 1};
  if (result.dtype == offer.dtype) return true;
  if (result.dtype == scalar) return Elements(result) == vectors * offer.dtype.lanes;
  const bool bytes = result.dtype == abi::DLDataType{abi::kDLUInt, 8, 1};
  return bytes && Elements(result) == vectors * ItemSize(offer.dtype);
}

const RegisterCases<OfConsumer> kCases = {
    // C-DTYPE-08: With lanes > 1 the element is a vector of bits * lanes bits, and is never read as a scalar of `bits`
    // bits.
    // C-SUBBYTE-05: Packed data is little-endian in bits: lane l of an element occupies its bits from l * bits on.
    // Whatever the specification leaves open is only recorded.
    {.id = "c-abi/subbyte/lanes-that-share-bytes-are-kept-or-split",
     .rules = {"C-DTYPE-08", "C-SUBBYTE-05"},
     .examples = Examples::kTable,
     .table = 4 * kRows,
     .on_refusal = OnRefusal::kPass,
     .blocked = TakesPlain,
     .draw =
         [](Draw& draw) {
           const bool versioned = draw.profile.takes_versioned && (draw.Pick(4) != 0 || !draw.profile.takes_legacy);
           Recipe recipe = draw.PlainImport(versioned ? StructKind::kVersioned : StructKind::kLegacy);
           Offer& offer = recipe.offer();
           offer.seed = draw.random.Next();
           offer.dtype = kTypes[draw.index % kRows];
           offer.dims = static_cast<uint8_t>(draw.Rank(1));
           offer.ndim = offer.dims;
           SetPlainShape(offer.dims, offer.shape);
           if (offer.dims > 0) offer.shape[0] = draw.random.Between(2, 5);
           offer.alignment_log2 = 8;
           draw.Dwarf(offer, draw.index / kRows);
           SetLife(recipe, {Op::kImport, Op::kDescribe, Op::kRead, Op::kDropProducer, Op::kDropArray, Op::kCollect});
           return recipe;
         },
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           const Offer& offer = recipe.offer();
           const ImportLedger& import = ledger.imports[0];
           if (!TellsDtype(judgement)) return;
           if (!judgement.Expect(
                   "import0.dtype", AnyOf(kNothing, offer.dtype),
                   "a vector type with sub-byte lanes was imported as another dtype or without all of its lanes",
                   {.when = !KeepsLanes(offer, import.result)})) {
             return;
           }
           const Reading reading = import.library.reading;
           const bool wrong = reading == Reading::kDiffers || reading == Reading::kWrongCount;
           judgement.Expect("import0.library", Is(Reading::kMatches),
                            "the sub-byte lanes of a vector type were imported with wrong values",
                            {.rule = "C-SUBBYTE-05",
                             .degree = IsLeftOpen(offer.dtype) ? Degree::kNote : Degree::kRule,
                             .when = wrong});
         }},
};

}  // namespace
}  // namespace dlpack_cts
