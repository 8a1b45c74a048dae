// suites/c-abi/dtype_import.cc: how a consumer reads the data type.
#include "harness/case/case.h"
#include "harness/case/controls.h"
#include "harness/case/judges.h"
#include "harness/recipe/dtypes.h"
#include "harness/recipe/generator.h"

namespace dlpack_cts {
namespace {

/// A default tensor of the type, with one dimension or as Draw::Dwarf() says.
Recipe DrawPlain(Draw& draw, abi::DLDataType dtype, int dwarf = 0) {
  Limits limits = draw.limits();
  limits.strided = limits.empty = limits.scalar = limits.offset = limits.read_only = false;
  Recipe recipe = draw.Import(limits);
  recipe.offer().dtype = dtype;
  recipe.offer().dims = static_cast<uint8_t>(draw.Rank(1));
  recipe.offer().ndim = recipe.offer().dims;
  SetPlainShape(recipe.offer().dims, recipe.offer().shape);
  if (recipe.offer().dims > 0) recipe.offer().shape[0] = draw.random.Between(2, 5);
  recipe.offer().strides_kind = StridesKind::kCompact;
  recipe.offer().alignment_log2 = 8;
  recipe.offer().deleter = DeleterKind::kCounting;
  draw.Dwarf(recipe.offer(), dwarf);
  return recipe;
}

const RegisterCases<OfConsumer> kCases = {
    // C-DTYPE-08: With lanes > 1 the element is a vector of bits * lanes bits. A consumer presents it as such (vector
    // type or trailing dimension) or refuses it, and never reads it as a scalar of `bits` bits.
    {.id = "c-abi/dtype/lanes-are-not-dropped",
     .rules = {"C-DTYPE-08"},
     .on_refusal = OnRefusal::kPass,
     .draw =
         [](Draw& draw) {
           constexpr uint16_t kLanes[] = {2, 3, 4, 8, 16, 256};
           constexpr abi::DLDataType kScalars[] = {{2, 32, 1}, {0, 8, 1}, {1, 16, 1}, {2, 64, 1}, {0, 32, 1}};
           abi::DLDataType dtype = kScalars[draw.Pick(5)];
           dtype.lanes = kLanes[draw.Pick(6)];
           if (dtype.lanes == 256) dtype = {abi::kDLInt, 8, 256};  // the harness has no memory for larger elements
           return DrawPlain(draw, dtype, draw.Pick(6));
         },
     .judge = [](const Recipe& recipe, const Ledger&, Judgement& judgement) { LanesMatch(recipe, judgement); }},

    // C-LAYOUT-06: DLDataType is {uint8 code, uint8 bits, uint16 lanes}. 257 lanes are not 1 lane, and code 130 is not
    // code 2.
    {.id = "c-abi/dtype/code-bits-and-lanes-have-their-width",
     .rules = {"C-LAYOUT-06"},
     .examples = Examples::kTable,
     .table = 24,
     .on_refusal = OnRefusal::kPass,
     .draw =
         [](Draw& draw) {
           constexpr abi::DLDataType kOdd[] = {{0, 8, 257}, {0x82, 32, 1}, {0x80, 32, 1},
                                               {1, 8, 257}, {0x81, 8, 1},  {0x40, 64, 1}};
           Recipe recipe = DrawPlain(draw, kOdd[draw.index % 6], draw.index / 6);
           if (recipe.offer().dtype.lanes == 1) return recipe;
           // The second tensor has 2 lanes, which fit into any field. A consumer that drops those too does not
           // truncate.
           AddOffer(recipe, recipe.offer()).dtype.lanes = 2;
           SetLife(recipe, {{.op = Op::kImport},
                            {.op = Op::kDescribe},
                            {.op = Op::kImport, .slot = 1, .block = 1},
                            {.op = Op::kDescribe, .slot = 1},
                            {.op = Op::kDropProducer},
                            {.op = Op::kDropProducer, .slot = 1},
                            {.op = Op::kDropArray},
                            {.op = Op::kDropArray, .slot = 1},
                            {.op = Op::kCollect}});
           return recipe;
         },
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           const Description& result = ledger.imports[0].result;
           if (!TellsDtype(judgement)) return;
           const bool trailing = HasLanesBehind(recipe, result);
           const Description& narrow = ledger.imports[1].result;
           if (narrow.valid != 0 && narrow.known_dtype != 0 && narrow.dtype.lanes == 1 && narrow.ndim == result.ndim) {
             return judgement.SaysNothing("the library drops the lanes of every vector type");
           }
           if (trailing) return judgement.Holds();
           DtypeMatches(recipe.offer().dtype, judgement,
                        "a tensor with an unusual dl_tensor.dtype (code, bits, lanes) was imported with another dtype");
         }},

    // C-DTYPE-10: kDLOpaqueHandle is for testing and only exchanged by prior agreement.
    {.id = "c-abi/dtype/opaque-handles-are-not-taken-for-numbers",
     .rules = {"C-DTYPE-10"},
     .on_refusal = OnRefusal::kPass,
     .draw = [](Draw& draw) { return DrawPlain(draw, {abi::kDLOpaqueHandle, 64, 1}, draw.Pick(6)); },
     .judge =
         [](const Recipe& recipe, const Ledger&, Judgement& judgement) {
           DtypeMatches(recipe.offer().dtype, judgement,
                        "a tensor of kDLOpaqueHandle elements was imported with another dtype");
         }},

    // C-DTYPE-12: complex<bfloat16> is code 18 with 32 bits. No release defines it yet, so another meaning is
    // only reported as NOTE.
    {.id = "c-abi/dtype/complex-bfloat16-is-not-another-type",
     .rules = {"C-DTYPE-12"},
     .on_refusal = OnRefusal::kPass,
     .draw = [](Draw& draw) { return DrawPlain(draw, {abi::kDLBcomplex, 32, 1}, draw.Pick(6)); },
     .judge =
         [](const Recipe& recipe, const Ledger&, Judgement& judgement) {
           DtypeMatches(recipe.offer().dtype, judgement,
                        "a tensor of complex<bfloat16> elements (code 18) was imported with another dtype",
                        {.degree = Degree::kNote});
         }},

    // C-DTYPE-13: An unsupported (code, bits, lanes) triple is refused, never reinterpreted as a near type.
    {.id = "c-abi/dtype/impossible-types-are-not-reinterpreted",
     .rules = {"C-DTYPE-13", "C-OWN-15"},
     .examples = Examples::kTable,
     .table = 64,
     .on_refusal = OnRefusal::kJudge,
     .draw =
         [](Draw& draw) {
           // No library can support any of these.
           constexpr abi::DLDataType kTriples[] = {
               {2, 24, 1}, {6, 16, 1}, {4, 32, 1}, {0, 24, 1}, {5, 8, 1},  {6, 64, 1}, {1, 48, 1}, {2, 40, 1},
               {4, 8, 1},  {5, 24, 1}, {0, 40, 1}, {6, 32, 1}, {4, 64, 1}, {1, 24, 1}, {0, 56, 1}, {2, 56, 1}};
           Recipe recipe = DrawPlain(draw, kTriples[draw.index % 16], draw.index / 16);
           recipe.offer().destructor = DestructorKind::kReleases;
           return recipe;
         },
     .uncontrolled = uncontrolled::kResults,
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           DtypeMatches(recipe.offer().dtype, judgement,
                        "a tensor with a dtype that does not exist was imported with another dtype");
           if (Refused(ledger)) ReleasedOnce(recipe, judgement, {.rule = "C-OWN-15"});
         }},

    // C-DTYPE-14: An import should keep the element type. A consumer that lacks the type should refuse it instead of
    // converting silently.
    {.id = "c-abi/dtype/imported-type-is-the-tensors",
     .rules = {"C-DTYPE-14", "C-LAYOUT-08"},
     .draw =
         [](Draw& draw) {
           Limits limits = draw.limits();
           limits.dtypes = draw.profile.takes_dtypes;
           return draw.Import(limits);
         },
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           const Description& result = ledger.imports[0].result;
           if (!TellsDtype(judgement)) return;
           if (result.dtype == recipe.offer().dtype) return judgement.Holds();
           const bool aliases = ledger.imports[0].Aliases();
           const bool narrows = !aliases && IsNarrower(result.dtype, recipe.offer().dtype);
           if (narrows && ledger.imports[0].warned != 0) return judgement.Holds();
           // If the array shares the memory, another dtype is not a conversion: the elements are misread.
           DtypeMatches(recipe.offer().dtype, judgement,
                        aliases ? "the imported array shares the tensor's memory but has another dtype"
                                : "the import converts the elements to another dtype",
                        {.rule = aliases ? "C-LAYOUT-08" : "C-DTYPE-14",
                         .degree = narrows && judgement.Says(Trait::kNarrows) ? Degree::kNote : Degree::kRule});
         }},

    // C-LAYOUT-08: Each accepted device_type and dtype code has the meaning of the published table. Every type that the
    // library imports keeps its dtype and its elements.
    {.id = "c-abi/dtype/type-codes-have-their-published-meaning",
     .rules = {"C-LAYOUT-08"},
     .examples = Examples::kTable,
     .table = 28,
     .draw =
         [](Draw& draw) {
           const auto types = WholeByteTypes();
           const auto row = static_cast<size_t>(draw.index) % types.size();
           draw.index = draw.Pick(1 << 20);  // the struct kind must not depend on the row
           return DrawPlain(draw, types[row].dtype);
         },
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           ElementsMatch(judgement);
           if (!ledger.imports[0].Aliases()) return;
           DtypeMatches(recipe.offer().dtype, judgement,
                        "the imported array shares the tensor's memory but has another dtype");
         }},
};

}  // namespace
}  // namespace dlpack_cts
