// suites/exchange-api/functions_import.cc: how managed_tensor_to_py_object_no_sync imports, and refuses.
#include "harness/case/thresholds.h"
#include "harness/recipe/laws.h"
#include "suites/exchange-api/table_calls.h"
#include "suites/exchange-api/unusable.h"

namespace dlpack_cts {
namespace {

/// An import recipe for the table: a versioned tensor, and an array whose type has the table. Negative strides have a
/// separate case: a library that crashes because of them would hide everything else.
Recipe TableImportRecipe(Draw& draw, bool large = false) {
  Limits limits = draw.limits();
  limits.legacy = false;
  limits.versioned = true;
  limits.deepest = draw.profile.takes_deepest;
  limits.large = large;
  Recipe recipe = draw.Import(limits);
  for (int64_t& stride : recipe.offer().strides) stride = Magnitude(stride);
  SetLife(recipe, {Op::kMake, Op::kTableImport, Op::kDescribe, Op::kRead, Op::kCompute, Op::kDropArray, Op::kCollect});
  return recipe;
}

/// A refused tensor is released once at most, by the function or by its caller.
void ReleasesOnce(Judgement& judgement, bool refused = true) {
  judgement.Expect("import0.deleter.calls", AtMost(1), "the deleter of a refused tensor was called more than once",
                   {.rule = "XAPI-TO-05", .when = refused});
}

/// Any tensor, and a few without elements that have a huge extent, or with a byte_offset of about 2^15, 2^16, 2^31 or
/// 2^32.
Recipe AnyTensor(Draw& draw) {
  constexpr int kEvery = 16;
  Recipe recipe = TableImportRecipe(draw, true);
  Offer& offer = recipe.offer();
  if (draw.index % kEvery == kEvery - 1) MakeVast(draw, offer);
  const bool far = draw.index % kEvery == kEvery / 2 && draw.limits().offset && !IsEmpty(offer) && offer.large == 0;
  if (far) PutFar(draw.profile, draw.Pick(kFarOffsets), offer);
  return recipe;
}

constexpr uint32_t kForeignMajors[] = {2, 3, 258, 0xFFFFFFFF};

Recipe ForeignMajor(Draw& draw) {
  Recipe recipe = TableImportRecipe(draw);
  recipe.offer().major = kForeignMajors[draw.index];
  return recipe;
}

/// Judges an import through the table, whether it was accepted or refused.
void JudgeImport(const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
  if (!Returned(ledger, judgement, TableFunction::kToObject)) return;
  if (!Accepted(ledger)) {
    ReleasesOnce(judgement);
    return judgement.SaysNothing("the tensor was refused");
  }
  judgement.Expect("table0.object_is_foreign", Is(false),
                   "managed_tensor_to_py_object_no_sync returned an object that is not an array of the library",
                   {.rule = "XAPI-TO-02"});
  if (!ShapeMatches(recipe, judgement, {.rule = "XAPI-TO-02"})) return;
  if (!IsEmpty(recipe.offer()) && !ElementsMatch(judgement, {.rule = "XAPI-TO-02"})) return;
  const bool read_only = (recipe.offer().flags & abi::kFlagReadOnly) != 0 && judgement.Claims(Claim::kReadOnly);
  judgement.Expect(
      "import0.writable", IsNot(true, false),
      "a read-only tensor was imported as a writable array over the same memory",
      {.rule = "C-FLAGS-03", .when = read_only && ledger.imports[0].Aliases() && !IsEmpty(recipe.offer())});
  judgement.Expect("import0.stays", IsNot(Answer::kYes, Answer::kNo),
                   "the array that managed_tensor_to_py_object_no_sync returned is still referenced after the caller "
                   "dropped its reference",
                   {.rule = "XAPI-TO-02"});
  ReleasedOnce(recipe, judgement, {.rule = "XAPI-TO-01"});
}

/// A library that reads a tensor only when it is used reports nothing about it before.
bool RaisesWhenUsed(const Ledger& ledger) {
  const ImportLedger& import = ledger.imports[0];
  const Description& told = import.result;
  const bool tells = told.has_pointer != 0 || told.has_shape != 0 || told.has_device != 0 || !told.dtype_name.empty();
  return Accepted(ledger) && !tells && import.library.raised != 0;
}

const RegisterCases<OfPythonExchange> kCases = {
    // XAPI-TO-01: managed_tensor_to_py_object_no_sync takes ownership of the tensor and releases it exactly once.
    // XAPI-TO-02: It returns an array of the library, and one reference to it, which the caller owns.
    {.id = "exchange-api/functions/to-object-takes-the-tensor-over",
     .rules = {"XAPI-TO-01", "XAPI-TO-02", "XAPI-TO-05", "XAPI-RET-01", "XAPI-RET-02", "XAPI-RET-04"},
     .on_refusal = OnRefusal::kJudge,
     .draw = &AnyTensor,
     .uncontrolled = uncontrolled::kMemory,
     .judge = &JudgeImport},

    // XAPI-TO-04: managed_tensor_to_py_object_no_sync imports negative strides, or refuses them with an exception.
    {.id = "exchange-api/functions/to-object-takes-or-refuses-negative-strides",
     .rules = {"XAPI-TO-04", "XAPI-TO-02", "XAPI-TO-05"},
     .on_refusal = OnRefusal::kJudge,
     .draw =
         [](Draw& draw) {
           Recipe recipe = TableImportRecipe(draw);
           recipe.offer().strides_kind = StridesKind::kExplicit;
           recipe.offer().dims = 1;
           recipe.offer().ndim = 1;
           recipe.offer().shape[0] = draw.random.Between(2, 5);
           recipe.offer().strides[0] = draw.random.Between(-3, -1);
           recipe.offer().placement = Placement::kEndsAtGuard;
           return recipe;
         },
     .uncontrolled = uncontrolled::kMemory,
     .judge = &JudgeImport},

    // XAPI-TO-04: managed_tensor_to_py_object_no_sync refuses a tensor of an unsupported major version, or the first
    // use of the object raises an exception.
    {.id = "exchange-api/functions/to-object-refuses-a-foreign-major",
     .rules = {"XAPI-TO-04", "XAPI-TO-05", "XAPI-RET-01", "XAPI-RET-02"},
     .examples = Examples::kTable,
     .table = std::size(kForeignMajors),
     .on_refusal = OnRefusal::kJudge,
     .draw = &ForeignMajor,
     .uncontrolled = uncontrolled::kAcceptance,
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           if (!Returned(ledger, judgement, TableFunction::kToObject)) return;
           if (RaisesWhenUsed(ledger)) {
             ReleasedOnce(recipe, judgement, {.rule = "XAPI-TO-01"});
             return;
           }
           judgement.Expect("import0.outcome", IsNot(Outcome::kAccepted, Outcome::kRefused),
                            "a tensor with an unsupported version.major was imported");
           ReleasesOnce(judgement, !Accepted(ledger));
         }},

    // C-VERSION-04, C-VERSION-02: On a major-version mismatch managed_tensor_to_py_object_no_sync does not read
    // anything
    // after the stable prefix. Everything from byte 32 on lies on an inaccessible page: an access is reported as
    // UNSAFE.
    {.id = "exchange-api/functions/to-object-does-not-read-a-foreign-major",
     .rules = {"C-VERSION-04", "C-VERSION-02", "XAPI-TO-05"},
     .examples = Examples::kTable,
     .table = std::size(kForeignMajors),
     .on_refusal = OnRefusal::kJudge,
     .draw = Changed(ForeignMajor, [](Recipe& recipe) { recipe.offer().place = StructPlace::kBodyUnmapped; }),
     .uncontrolled = uncontrolled::kMemory,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (!Returned(ledger, judgement, TableFunction::kToObject)) return;
           ReleasesOnce(judgement, !Accepted(ledger));
         }},

    // XAPI-TO-04: managed_tensor_to_py_object_no_sync does not import an unsupported dtype or device as another one.
    // XAPI-TO-05: The deleter of a refused tensor is called at most once.
    {.id = "exchange-api/functions/to-object-makes-nothing-else-of-a-tensor",
     .rules = {"XAPI-TO-04", "XAPI-TO-05", "XAPI-RET-01", "XAPI-RET-02"},
     .on_refusal = OnRefusal::kJudge,
     .draw =
         [](Draw& draw) {
           Recipe recipe = TableImportRecipe(draw);
           MakeUnusable(draw, recipe.offer());
           SetLife(recipe, {Op::kMake, Op::kTableImport, Op::kDescribe, Op::kDropArray, Op::kCollect});
           return recipe;
         },
     .uncontrolled = uncontrolled::kResults,
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           if (!Returned(ledger, judgement, TableFunction::kToObject)) return;
           if (!Accepted(ledger)) {
             ReleasesOnce(judgement);
             return;
           }
           NotTakenForHost(recipe, judgement, "a tensor on another device was imported as an array on the CPU");
           if (ledger.imports[0].result.known_dtype == 0) return;
           DtypeMatches(recipe.offer().dtype, judgement,
                        "a tensor with a dtype that does not exist was imported with another dtype");
         }},

    // XAPI-TO-04, C-DTYPE-08: managed_tensor_to_py_object_no_sync imports a tensor of vectors as vectors or with one
    // more
    // dimension, or refuses it. It never reads one lane of each vector.
    {.id = "exchange-api/functions/to-object-does-not-drop-lanes",
     .rules = {"XAPI-TO-04", "C-DTYPE-08"},
     .on_refusal = OnRefusal::kPass,
     .draw =
         [](Draw& draw) {
           constexpr abi::DLDataType kVectors[] = {{abi::kDLFloat, 32, 2}, {abi::kDLFloat, 32, 4},
                                                   {abi::kDLInt, 8, 3},    {abi::kDLUInt, 16, 8},
                                                   {abi::kDLFloat, 64, 2}, {abi::kDLInt, 32, 4}};
           Recipe recipe = TableImportRecipe(draw);
           recipe.offer().dtype = kVectors[draw.Pick(6)];
           recipe.offer().strides_kind = StridesKind::kCompact;
           recipe.offer().byte_offset = 0;
           recipe.offer().alignment_log2 = 8;
           SetLife(recipe, {Op::kMake, Op::kTableImport, Op::kDescribe, Op::kDropArray, Op::kCollect});
           return recipe;
         },
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           if (!Returned(ledger, judgement, TableFunction::kToObject)) return;
           LanesMatch(recipe, judgement);
         }},
};

}  // namespace
}  // namespace dlpack_cts
