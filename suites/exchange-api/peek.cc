// suites/exchange-api/peek.cc: consumers that read the metadata of an object through its exchange table.
#include "harness/case/thresholds.h"
#include "harness/recipe/elements.h"
#include "harness/recipe/packing.h"
#include "suites/exchange-api/forged.h"

namespace dlpack_cts {
namespace {

bool HasElements(const Offer& offer) { return ElementCount(offer.shape, offer.dims) > 0; }

/// A producer with a valid table and a tensor of any size, whose metadata are read. A few tensors have a byte_offset of
/// about 2^15, 2^16, 2^31 or 2^32, or huge extents next to an extent of 0.
Recipe DrawPeek(Draw& draw) {
  constexpr int kEvery = 8;
  Recipe recipe = DrawTabledWithin(draw, OfAnySize(draw));
  Offer& offer = recipe.offer();
  if (draw.index % kEvery == 0) MakeVast(draw, offer);
  const bool far = draw.index % kEvery == kEvery / 2 && draw.limits().offset && HasElements(offer);
  if (far && offer.large == 0) PutFar(draw.profile, draw.Pick(kFarOffsets), offer);
  SetLife(recipe, {Op::kPeek, Op::kDropProducer, Op::kCollect});
  return recipe;
}

/// The library reads through the table at all.
bool Peeks(const Ledger& ledger, Judgement& judgement) {
  if (ledger.imports[0].table.called != 0) return true;
  judgement.SaysNothing("peek() did not call a function of the exchange table");
  return false;
}

/// Where a stride has a meaning, it is that of the tensor, in bytes.
void StridesMatch(const Recipe& recipe, Judgement& judgement) {
  const Description& told = judgement.ledger().imports[0].result;
  const Offer& offer = recipe.offer();
  const bool known = told.has_strides != 0 && told.has_shape != 0 && told.ndim == offer.ndim && HasElements(offer);
  if (!known || IsSubByte(offer.dtype)) return;
  int64_t wanted[kDims];
  EffectiveStrides(offer, wanted);
  bool same = true;
  for (int d = 0; d < offer.dims; ++d) {
    wanted[d] *= ItemSize(offer.dtype);
    same = same && (offer.shape[d] <= 1 || wanted[d] == told.byte_strides[d]);
  }
  judgement.Expect("import0.strides", Is(Tuple{wanted, offer.dims}),
                   "peek() reports other strides than the DLTensor has", {.when = !same});
}

Case OfPeek(Case made) {
  made.python = true;
  made.needs.push_back(Claim::kPeek);
  return made;
}

/// Nothing is read that the table does not offer. Whether peek() raises is up to the library.
const Judge kTouchesNothing = Expects("faults", Is(0), "peek() accesses memory that the exchange table does not offer");

const RegisterCases<OfPeek> kCases = {
    // XAPI-USE-04: What the table says of an object is what __dlpack__ says of it: shape, dtype, strides, device and
    // address.
    {.id = "exchange-api/consumer/peek-describes-the-tensor",
     .rules = {"XAPI-USE-04"},
     .draw = DrawPeek,
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           const ImportLedger& import = ledger.imports[0];
           const Offer& offer = recipe.offer();
           if (!Peeks(ledger, judgement)) return;
           if (import.result.valid == 0 || offer.dtype.lanes != 1) {
             return judgement.SaysNothing("peek() reports nothing, or the type has several lanes");
           }
           ShapeMatches(recipe, judgement);
           // A library that copies what it is given chooses strides and address of the copy.
           const bool copied = import.result.has_pointer != 0 && import.place.area == Area::kElsewhere;
           if (!copied) StridesMatch(recipe, judgement);
           judgement.Expect("import0.device", AnyOf(kNothing, offer.device), "peek() reports another device");
           if (!judgement.Says(Trait::kNarrows)) {
             DtypeMatches(offer.dtype, judgement, "peek() reports another dtype");
           }
           judgement.Expect("import0.place", AnyOf(kNothing, Location{Area::kData, 0, {}, 0}),
                            "peek() reports another address of element 0", {.when = HasElements(offer) && !copied});
         }},

    // XAPI-DLT-03: The consumer uses the DLTensor only until control returns to the producer: shape and strides are
    // inaccessible after that, and an access is reported as UNSAFE.
    // C-OWN-17: A DLTensor carries no ownership: nothing is freed.
    // C-OWN-02, C-OWN-01: Where the library takes a managed tensor instead, it releases it once.
    {.id = "exchange-api/consumer/peek-keeps-nothing",
     .rules = {"XAPI-DLT-03", "C-OWN-17", "C-OWN-02", "C-OWN-01"},
     .draw = DrawPeek,
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           if (!Peeks(ledger, judgement)) return;
           judgement.Expect("faults", Is(0), "peek() uses a DLTensor after control returned to its producer");
           judgement.Expect("import0.deleter.wrong_self", Is(0), "peek() releases a tensor that it does not own",
                            {.rule = "C-OWN-17"});
           judgement.Expect("import0.changed", Is(PartSet{}), "peek() changes the metadata of the tensor",
                            {.rule = "C-OWN-17"});
           ReleasedOnce(recipe, judgement, {.rule = "C-OWN-02"});
         }},

    // XAPI-VER-01: The major version is checked before anything behind the header is used. The memory behind it is
    // unreadable.
    {.id = "exchange-api/consumer/peek-checks-the-major",
     .rules = {"XAPI-VER-01"},
     .on_refusal = OnRefusal::kPass,
     .draw = Changed(DrawPeek,
                     [](Draw& draw, Recipe& recipe) { recipe.table.version.major = kForeignMajors[draw.Pick(4)]; }),
     .judge = kTouchesNothing},

    // XAPI-DISC-08: Anything other than a table is an error, or a missing table. The wrong capsule holds the address of
    // unreadable
    // memory.
    {.id = "exchange-api/consumer/peek-checks-the-name-of-the-table",
     .rules = {"XAPI-DISC-08"},
     .on_refusal = OnRefusal::kPass,
     .draw = Changed(DrawPeek,
                     [](Draw& draw, Recipe& recipe) {
                       recipe.table.attribute =
                           draw.Pick(2) == 0 ? TableAttribute::kMisnamed : TableAttribute::kNoCapsule;
                     }),
     .judge = kTouchesNothing},

    // XAPI-RET-05: When the function fails, its out parameter is not used.
    {.id = "exchange-api/consumer/peek-uses-no-failed-view",
     .rules = {"XAPI-RET-05"},
     .on_refusal = OnRefusal::kPass,
     .draw = Changed(DrawPeek,
                     [](Draw& draw, Recipe& recipe) {
                       uint8_t& slots = draw.Pick(2) == 0 ? recipe.table.failing_slots : recipe.table.silent_slots;
                       slots = FunctionBit(TableFunction::kView).bits;
                     }),
     .judge = kTouchesNothing},

    // XAPI-TAB-06: A table whose dltensor_from_py_object_no_sync is NULL is used without it.
    {.id = "exchange-api/consumer/peek-works-without-the-view-function",
     .rules = {"XAPI-TAB-06"},
     .on_refusal = OnRefusal::kPass,
     .draw =
         Changed(DrawPeek, [](Recipe& recipe) { recipe.table.null_slots = FunctionBit(TableFunction::kView).bits; }),
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           if (!Peeks(ledger, judgement)) return;
           if (ShapeMatches(recipe, judgement)) ReleasedOnce(recipe, judgement);
         }},
};

/// XAPI-DISC-06: The table is looked up on the type, not on the object, by every entry that uses tables.
void JudgeOnType(const Recipe&, const Ledger&, Judgement& judgement) {
  judgement.Expect("import0.table.called", Is(FunctionSet{}),
                   "the library uses an exchange table that is an attribute of the object, not of its type");
}

Recipe DrawOnObject(Draw& draw) {
  Recipe recipe = DrawTabled(draw);
  recipe.table.attribute = TableAttribute::kOnObject;
  return recipe;
}

const RegisterCases<OfConsumer> kEntries = {
    // XAPI-DISC-06: The same for from_exchange. It may refuse the object, or call __dlpack__.
    {.id = "exchange-api/consumer/from-exchange-asks-the-type",
     .rules = {"XAPI-DISC-06"},
     .on_refusal = OnRefusal::kPass,
     .needs = {Claim::kFromExchange},
     .python = true,
     .draw = WithLife(DrawOnObject, {Op::kImportByTable, Op::kDropProducer, Op::kDropArray, Op::kCollect}),
     .judge = JudgeOnType},

    // XAPI-DISC-06: The same for peek.
    {.id = "exchange-api/consumer/peek-asks-the-type",
     .rules = {"XAPI-DISC-06"},
     .on_refusal = OnRefusal::kPass,
     .needs = {Claim::kPeek},
     .python = true,
     .draw = WithLife(DrawOnObject, {Op::kPeek, Op::kDropProducer, Op::kCollect}),
     .judge = JudgeOnType},
};

}  // namespace
}  // namespace dlpack_cts
