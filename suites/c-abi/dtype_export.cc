// suites/c-abi/dtype_export.cc: the data types that a producer exports.
#include <vector>

#include "harness/case/case.h"
#include "harness/case/controls.h"
#include "harness/case/judges.h"
#include "harness/recipe/dtypes.h"

namespace dlpack_cts {
namespace {

/// A default array of the type. The example's index selects the type, whatever the probes found.
Recipe DrawOf(Draw& draw, abi::DLDataType dtype) {
  draw.index = draw.Pick(1 << 20);  // the index selected the type; rank and struct kind must not depend on it
  Limits limits = draw.made();
  const int named = DataTypeIndex(dtype);
  if (named >= 0) limits.dtypes = uint64_t{1} << named;  // shape and strides must fit the size of the type
  Recipe recipe = draw.Export(limits);
  recipe.request().dtype = dtype;
  draw.SometimesCopy(recipe);
  return recipe;
}

/// The type of the table that satisfies `wanted` and that the example's index selects; one that the library makes, if
/// there is any.
template <typename Wanted>
abi::DLDataType Nth(const Draw& draw, Wanted wanted) {
  std::vector<abi::DLDataType> all, made;
  for (size_t i = 0; i < WholeByteTypes().size(); ++i) {
    const abi::DLDataType dtype = DataTypes()[i].dtype;
    if (!wanted(dtype)) continue;
    all.push_back(dtype);
    if ((draw.profile.makes_dtypes >> i & 1u) != 0) made.push_back(dtype);
  }
  const std::vector<abi::DLDataType>& of = made.empty() ? all : made;
  return of[static_cast<size_t>(draw.index) % of.size()];
}

/// The exported (code, bits, lanes) is that of the array's type.
Judge JudgeTriple(std::string_view message) {
  return [=](const Recipe& recipe, const Ledger&, Judgement& judgement) {
    judgement.Expect("export0.dtype", Is(recipe.request().dtype), message);
  };
}

bool IsPlain(abi::DLDataType dtype) {
  return dtype.code == abi::kDLInt || dtype.code == abi::kDLUInt || dtype.code == abi::kDLFloat;
}
bool IsFp8(abi::DLDataType dtype) { return dtype.code >= abi::kDLFloat8_e3m4 && dtype.code <= abi::kDLFloat8_e8m0fnu; }

/// Arrays of types that DLPack cannot describe, or can describe only after a conversion.
Recipe DrawOdd(Draw& draw, Oddity oddity) {
  Recipe recipe = draw.Export();
  MakeOdd(recipe.request(), oddity);
  recipe.request().dims = 1;
  recipe.request().shape[0] = draw.random.Between(2, 5);
  return recipe;
}

const RegisterCases<OfProducer> kCases = {
    // C-DTYPE-01: dtype.code is a DLDataTypeCode enumerator value.
    {.id = "c-abi/dtype/exported-code-is-published",
     .rules = {"C-DTYPE-01"},
     .draw = [](Draw& draw) { return draw.ExportOrCopy(); },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const uint8_t code = ledger.exports[0].tensor.dtype.code;
           if (code <= abi::kDLFloat4_e2m1fn) return judgement.Holds();
           judgement.Expect("export0.dtype", InWords<abi::DLDataType>("a published DLDataTypeCode value"),
                            "dl_tensor.dtype.code is not a published DLDataTypeCode value",
                            {.degree = code <= 32 ? Degree::kNote : Degree::kRule});
         }},

    // C-DTYPE-02: Plain scalar types of 8 or more value bits use lanes = 1 and bits = width of the type.
    {.id = "c-abi/dtype/exported-scalars-have-their-width",
     .rules = {"C-DTYPE-02", "C-LAYOUT-08"},
     .draw = [](Draw& draw) { return DrawOf(draw, Nth(draw, IsPlain)); },
     .judge = JudgeTriple("a scalar type is exported with a wrong dl_tensor.dtype (code, bits, lanes)")},

    // C-DTYPE-03: A complex number is one element with code 5, bits = both parts together, lanes = 1 and interleaved
    // layout.
    {.id = "c-abi/dtype/exported-complex-is-one-element",
     .rules = {"C-DTYPE-03"},
     .draw =
         [](Draw& draw) {
           return DrawOf(draw, Nth(draw, [](abi::DLDataType d) { return d.code == abi::kDLComplex; }));
         },
     .judge =
         [](const Recipe& recipe, const Ledger&, Judgement& judgement) {
           judgement.Expect("export0.dtype", Is(recipe.request().dtype),
                            "a complex type is exported with a wrong dl_tensor.dtype (code, bits, lanes)");
           ExportMatches(judgement);
         }},

    // C-DTYPE-04: Booleans are code 6, bits 8, lanes 1. A legacy struct cannot declare that its producer knows code 6,
    // so (1, 8, 1) is at most WARN there.
    {.id = "c-abi/dtype/exported-bool-is-code-six",
     .rules = {"C-DTYPE-04"},
     .draw = [](Draw& draw) { return DrawOf(draw, {abi::kDLBool, 8, 1}); },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const ExportLedger& exported = ledger.exports[0];
           const abi::DLDataType got = exported.tensor.dtype;
           const bool old = !exported.versioned && got == abi::DLDataType{abi::kDLUInt, 8, 1};
           judgement.Expect("export0.dtype", Is(abi::DLDataType{6, 8, 1}),
                            "bool is exported with a dl_tensor.dtype other than kDLBool with 8 bits and 1 lane",
                            {.degree = old ? Degree::kWarn : Degree::kRule});
         }},

    // C-DTYPE-05: bfloat16 is code 4 with bits 16, never kDLFloat.
    {.id = "c-abi/dtype/exported-bfloat16-is-code-four",
     .rules = {"C-DTYPE-05"},
     .draw = [](Draw& draw) { return DrawOf(draw, {abi::kDLBfloat, 16, 1}); },
     .judge = JudgeTriple("bfloat16 is exported with a dl_tensor.dtype other than kDLBfloat with 16 bits and 1 lane")},

    // C-DTYPE-07: FP8 kinds use their own codes 7..14 with bits = 8, one element per byte.
    {.id = "c-abi/dtype/exported-fp8-kinds-have-their-codes",
     .rules = {"C-DTYPE-07"},
     .draw = [](Draw& draw) { return DrawOf(draw, Nth(draw, IsFp8)); },
     .judge = JudgeTriple("an FP8 type is exported with a wrong dl_tensor.dtype (code, bits, lanes)")},

    // C-DTYPE-06: kDLFloat means an IEEE format, so padded or non-IEEE floats (x87 long double) are not exported as
    // kDLFloat.
    {.id = "c-abi/dtype/long-double-is-not-exported-as-ieee",
     .rules = {"C-DTYPE-06"},
     .on_refusal = OnRefusal::kJudge,
     .needs = {Claim::kOddities},
     .draw = [](Draw& draw) { return DrawOdd(draw, Oddity::kLongDouble); },
     .control = control::OrdinaryArray,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (RefusedWithBufferError(judgement)) return;
           const ExportLedger& exported = ledger.exports[0];
           // A conversion to binary64 is correct; sixteen bytes of x87 format are not an IEEE format.
           const bool padded = exported.tensor.dtype.code == abi::kDLFloat && exported.tensor.dtype.bits > 64;
           judgement.Expect(
               "export0.dtype",
               AnyOf(kNothing, abi::DLDataType{2, 16, 1}, abi::DLDataType{2, 32, 1}, abi::DLDataType{2, 64, 1}),
               "an x87 long double array is exported as kDLFloat, which means an IEEE format", {.when = padded});
         }},

    // C-DTYPE-15: A type wider than 255 bits cannot be described in the 8-bit field, so its export is refused.
    {.id = "c-abi/dtype/types-wider-than-255-bits-are-refused",
     .rules = {"C-DTYPE-15"},
     .on_refusal = OnRefusal::kJudge,
     .needs = {Claim::kOddities},
     .draw = [](Draw& draw) { return DrawOdd(draw, Oddity::kComplexLongDouble); },
     .control = control::OrdinaryArray,
     .judge =
         BufferErrorOr(Expects("export0.dtype", AnyOf(kNothing, abi::DLDataType{abi::kDLComplex, 128, 1}),
                               "a 256-bit complex type is exported with a dl_tensor.dtype that cannot describe it"))},

    // C-DTYPE-11: Data is in native byte order, and the export of a non-native array raises an explicit error.
    {.id = "c-abi/dtype/foreign-byte-order-is-refused",
     .rules = {"C-DTYPE-11"},
     .on_refusal = OnRefusal::kJudge,
     .needs = {Claim::kOddities},
     .draw =
         [](Draw& draw) {
           constexpr abi::DLDataType kTypes[] = {{2, 32, 1}, {0, 16, 1}, {2, 64, 1},
                                                 {1, 32, 1}, {0, 64, 1}, {5, 64, 1}};
           Recipe recipe = DrawOdd(draw, Oddity::kForeignByteOrder);
           recipe.request().dtype = kTypes[draw.Pick(6)];
           return recipe;
         },
     .control = control::OrdinaryArray,
     .judge = BufferErrorOr(ExpectsExport("an array in non-native byte order is exported with wrong elements"))},

    // C-DTYPE-16: A kDLBool element takes one byte. Values other than 0 and 1 are unspecified, so they are only
    // recorded.
    {.id = "c-abi/dtype/exported-bools-are-zero-or-one",
     .rules = {"C-DTYPE-16"},
     .draw = [](Draw& draw) { return DrawOf(draw, {abi::kDLBool, 8, 1}); },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const ElementReading& reading = ledger.exports[0].elements;
           const bool odd = reading.reading == Reading::kDiffers && reading.got_bits > 1;
           judgement.Expect("export0.elements.got", AnyOf(ElementBits64{0}, ElementBits64{1}),
                            "a bool element is exported as a byte other than 0 or 1",
                            {.degree = Degree::kNote, .when = odd});
         }},
};

}  // namespace
}  // namespace dlpack_cts
