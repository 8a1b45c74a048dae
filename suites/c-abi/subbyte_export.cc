// suites/c-abi/subbyte_export.cc: how a producer exports sub-byte types.
#include "harness/case/case.h"
#include "harness/case/judges.h"
#include "harness/case/needs.h"
#include "harness/recipe/dtypes.h"

namespace dlpack_cts {
namespace {

/// An array of a sub-byte type, exported in any struct, or as a copy.
Recipe DrawSubByte(Draw& draw) {
  Recipe recipe = draw.ExportOrCopy();
  recipe.request().dtype = draw.SubByteType();
  return recipe;
}

Recipe DrawSubByteIn(Draw& draw, StructKind kind) {
  Recipe recipe = draw.ExportOf(kind);
  recipe.request().dtype = draw.SubByteType();
  draw.SometimesCopy(recipe);
  return recipe;
}

/// Any array, or a copy of it, exported in a versioned struct.
Recipe DrawVersioned(Draw& draw) {
  Recipe recipe = draw.ExportOf(StructKind::kVersioned);
  if (draw.random.OneIn(4)) recipe.call().copy.kind = ArgumentKind::kTrue;
  return recipe;
}

/// True if the packing of the exported sub-byte elements is known.
bool Looks(const Ledger& ledger, Judgement& judgement) {
  const ExportLedger& exported = ledger.exports[0];
  if (exported.packing != Packing::kNone) return true;
  judgement.SaysNothing(exported.tensor.dtype.lanes > 1 ? "the elements are exported as vectors (lanes > 1)"
                                                        : "the elements could not be compared");
  return false;
}

bool SaysPadded(const ExportLedger& exported) {
  return exported.versioned != 0 && (exported.flags & abi::kFlagSubbytePadded) != 0;
}

/// The exported dtype is the array's type, or pairs of it (lanes = 2).
void JudgeBits(const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
  const abi::DLDataType wanted = recipe.request().dtype;
  const abi::DLDataType got = ledger.exports[0].tensor.dtype;
  const bool pairs = got.lanes == 2 && got.code == wanted.code && got.bits == wanted.bits && got.bits == 4;
  judgement.Expect("export0.dtype", Is(wanted),
                   "an FP6 or FP4 type is exported with a wrong dl_tensor.dtype (code, bits, lanes)", {.when = !pairs});
}

/// An array of FP4 or FP6 elements, or a copy of it, exported in a versioned struct.
Recipe DrawSmallFloat(Draw& draw, uint8_t code) {
  Recipe recipe = DrawVersioned(draw);
  recipe.request().dtype = {code, static_cast<uint8_t>(code == abi::kDLFloat4_e2m1fn ? 4 : 6), 1};
  return recipe;
}

const RegisterCases<OfProducer> kCases = {
    // C-SUBBYTE-01: FP6 exports must have bits=6.
    {.id = "c-abi/subbyte/exported-fp6-has-6-bits",
     .rules = {"C-SUBBYTE-01"},
     .blocked = MakesSubBytes,
     .draw =
         [](Draw& draw) {
           return DrawSmallFloat(draw, draw.Pick(2) == 0 ? abi::kDLFloat6_e2m3fn : abi::kDLFloat6_e3m2fn);
         },
     .judge = JudgeBits},

    // C-SUBBYTE-02: FP4 exports must have bits=4.
    {.id = "c-abi/subbyte/exported-fp4-has-4-bits",
     .rules = {"C-SUBBYTE-02"},
     .blocked = MakesSubBytes,
     .draw = [](Draw& draw) { return DrawSmallFloat(draw, abi::kDLFloat4_e2m1fn); },
     .judge = JudgeBits},

    // C-SUBBYTE-02: FP4 exports must have bits=4, and pairs of them lanes=2.
    // C-SUBBYTE-05: Packed data is little-endian in bits, also within a vector.
    {.id = "c-abi/subbyte/exported-vectors-keep-their-lanes",
     .rules = {"C-SUBBYTE-02", "C-SUBBYTE-05"},
     .blocked = MakesVersioned,
     .draw =
         [](Draw& draw) {
           constexpr abi::DLDataType kTypes[] = {
               {abi::kDLFloat4_e2m1fn, 4, 2}, {abi::kDLInt, 4, 2}, {abi::kDLUInt, 4, 4}, {abi::kDLInt, 2, 4}};
           Recipe recipe = DrawVersioned(draw);
           const int row = draw.Pick(8);  // real libraries only have pairs of FP4
           recipe.request().dtype = kTypes[row < 4 ? row : 0];
           return recipe;
         },
     .judge =
         [](const Recipe& recipe, const Ledger&, Judgement& judgement) {
           const abi::DLDataType made = recipe.request().dtype;
           if (!judgement.Expect(
                   "export0.dtype", Is(made),
                   "a vector type with sub-byte lanes is exported with a wrong dl_tensor.dtype (code, bits, lanes)")) {
             return;
           }
           ExportMatches(judgement, {.rule = "C-SUBBYTE-05"});
         }},

    // C-SUBBYTE-04: Without the PADDED flag, sub-byte elements are bit-packed.
    // C-SUBBYTE-05: Packed data is little-endian in bits: low bits first. The layout of 6-bit elements is unspecified.
    {.id = "c-abi/subbyte/exported-elements-are-packed-low-bits-first",
     .rules = {"C-SUBBYTE-04", "C-SUBBYTE-05"},
     .blocked = MakesSubBytes,
     .draw = &DrawSubByte,
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           const ExportLedger& exported = ledger.exports[0];
           if (!Looks(ledger, judgement)) return;
           if (SaysPadded(exported)) return judgement.SaysNothing("DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED is set");
           const Degree degree = exported.tensor.dtype.bits == 6 ? Degree::kNote : Degree::kRule;
           // Other cases look at padded elements that are shared.
           judgement.Expect("export0.packing", IsNot(Packing::kPadded, Packing::kLowFirst),
                            "a copy holds one sub-byte element in each byte, without the padded flag",
                            {.degree = degree, .when = recipe.call().copy.kind == ArgumentKind::kTrue});
           judgement.Expect("export0.packing", IsNot(Packing::kOther, Packing::kLowFirst),
                            "the exported sub-byte elements are not packed", {.degree = degree});
           judgement.Expect("export0.packing", IsNot(Packing::kHighFirst, Packing::kLowFirst),
                            "the exported sub-byte elements are packed high bits first instead of low bits first",
                            {.rule = "C-SUBBYTE-05", .degree = degree});
         }},

    // C-SUBBYTE-06: A producer with padded sub-byte storage sets IS_SUBBYTE_TYPE_PADDED.
    {.id = "c-abi/subbyte/padded-elements-are-flagged",
     .rules = {"C-SUBBYTE-06"},
     .blocked = MakesSubBytes,
     .draw = [](Draw& draw) { return DrawSubByteIn(draw, StructKind::kVersioned); },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const ExportLedger& exported = ledger.exports[0];
           if (!IsVersioned(judgement)) return;
           if (!Looks(ledger, judgement)) return;
           judgement.Expect(
               "export0.packing", IsNot(Packing::kPadded, Packing::kLowFirst),
               "sub-byte elements are exported with one byte each, but DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED is "
               "not set",
               {.when = !SaysPadded(exported)});
           judgement.Expect("export0.flags", LacksFlag(abi::kFlagSubbytePadded),
                            "DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED is set although the elements are packed",
                            {.when = exported.packing == Packing::kLowFirst});
         }},

    // C-SUBBYTE-11: A producer with padded storage does not export it in the legacy struct, which has no flag.
    {.id = "c-abi/subbyte/legacy-elements-are-not-padded",
     .rules = {"C-SUBBYTE-11"},
     .on_refusal = OnRefusal::kPass,
     .blocked = MakesSubBytes,
     .draw = [](Draw& draw) { return DrawSubByteIn(draw, StructKind::kLegacy); },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const ExportLedger& exported = ledger.exports[0];
           if (exported.versioned != 0) return judgement.SaysNothing("the export is not a legacy struct");
           if (!Looks(ledger, judgement)) return;
           judgement.Expect(
               "export0.packing", IsNot(Packing::kPadded, Packing::kLowFirst),
               "sub-byte elements with one byte each are exported in a legacy struct, which has no padded flag");
         }},

    // C-SUBBYTE-09: `byte_offset` and `data` have byte resolution, so a sub-byte view must start on a byte boundary, or
    // be copied or refused.
    {.id = "c-abi/subbyte/view-inside-a-byte-is-refused-or-copied",
     .rules = {"C-SUBBYTE-09"},
     .on_refusal = OnRefusal::kPass,
     .blocked = MakesSubBytes,
     .draw =
         [](Draw& draw) {
           Recipe recipe = draw.ExportOrCopy();
           Request& request = recipe.request();
           request.dtype = draw.SubByteType();
           request.making = Making::kView;
           request.strides_kind = StridesKind::kCompact;
           request.dims = static_cast<uint8_t>(draw.MadeRank(1));
           if (request.dims > 0) request.shape[0] = draw.random.Between(2, 7);
           request.offset = 1 + 2 * draw.Pick(3);
           return recipe;
         },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (!Looks(ledger, judgement)) return;
           judgement.Expect("export0.packing", IsNot(Packing::kInside, Packing::kLowFirst),
                            "a sub-byte view that starts inside a byte is exported from the beginning of that byte");
         }},

    // C-SUBBYTE-10: Shape and strides count logical elements, also for packed types. Both conventions are in use.
    {.id = "c-abi/subbyte/exported-shape-counts-elements",
     .rules = {"C-SUBBYTE-10"},
     .blocked = MakesSubBytes,
     .draw = &DrawSubByte,
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           const ExportLedger& exported = ledger.exports[0];
           const Request& request = recipe.request();
           if (exported.tensor.ndim != request.dims)
             return judgement.SaysNothing("dl_tensor.ndim is not the array's number of dimensions");
           const bool same = std::equal(request.shape, request.shape + request.dims, exported.shape);
           judgement.Expect("export0.shape", Is(std::span<const int64_t>(request.shape, request.dims)),
                            "dl_tensor.shape does not count the single elements of a sub-byte type",
                            {.degree = Degree::kNote, .when = !same});
         }},

    // C-SUBBYTE-08: The PADDED flag is not set for types of 8 bits or more.
    {.id = "c-abi/subbyte/whole-bytes-are-not-flagged-as-padded",
     .rules = {"C-SUBBYTE-08"},
     .blocked = MakesVersioned,
     .draw = DrawVersioned,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const ExportLedger& exported = ledger.exports[0];
           if (!IsVersioned(judgement)) return;
           if (exported.version.major != 1) return judgement.SaysNothing("version.major of the export is not 1");
           if (exported.tensor.dtype.bits < 8) return judgement.SaysNothing("dl_tensor.dtype.bits is less than 8");
           // C-FLAGS-01 judges the other bits.
           judgement.Expect("export0.flags", LacksFlag(abi::kFlagSubbytePadded),
                            "DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED is set for a type of 8 or more bits");
         }},
};

}  // namespace
}  // namespace dlpack_cts
