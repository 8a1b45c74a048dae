// suites/python/earlier_import.cc: imports after other imports: refused ones, ones with keywords, nested ones.
#include <utility>

#include "harness/case/arguments.h"
#include "harness/case/needs.h"
#include "suites/python/earlier.h"

namespace dlpack_cts {
namespace {

constexpr int kDropped = 3;

/// Any tensor, imported before and after a second offer and call, which are copies of the first ones.
Recipe DrawAround(Draw& draw, Context context = Context::kUsual) {
  Recipe recipe = Releasable(draw.Import());
  recipe.offer().gives = Gives::kCapsule;
  recipe.offer().deleter = DeleterKind::kCounting;
  recipe.call() = {};
  AddOffer(recipe, recipe.offer());
  AddCall(recipe, recipe.call());
  SetLife(recipe, {{.op = Op::kImport, .slot = kBefore},
                   {.op = Op::kDescribe, .slot = kBefore},
                   {.op = Op::kRead, .slot = kBefore},
                   {.op = Op::kDropArray, .slot = kBefore},
                   {.op = Op::kImport, .slot = kBetween, .block = 1, .call = 1, .context = context},
                   {.op = Op::kDropArray, .slot = kBetween},
                   {.op = Op::kDropCapsule, .slot = kBetween},
                   {.op = Op::kDropProducer, .slot = kBetween},
                   {.op = Op::kImport, .slot = kAfter},
                   {.op = Op::kDescribe, .slot = kAfter},
                   {.op = Op::kRead, .slot = kAfter},
                   {.op = Op::kDropArray, .slot = kAfter}});
  return recipe;
}

/// Makes the offer one that is refused: a foreign dtype, device or version.
void MakeUnacceptable(Offer& offer, int how) {
  if (how == 0) {
    offer.dtype.code = 200;
  } else if (how == 1 && offer.kind == StructKind::kVersioned) {
    offer.major = 2;
  } else {
    PutOn(offer, {abi::kDLVulkan, 0}, Placement::kForeignHandle);
  }
}

/// A case about an import after another one.
Case OfLaterImport(Case made) {
  made.on_refusal = OnRefusal::kJudge;
  made.uncontrolled = uncontrolled::kSteps;
  if (made.judge == nullptr) {
    made.judge = [](const Recipe&, const Ledger& ledger, Judgement& judgement) { ImportIsAsBefore(ledger, judgement); };
  }
  return OfPythonConsumer(std::move(made));
}

const RegisterCases<OfLaterImport> kCases = {
    // PY-FROM-14: An import does not depend on an earlier one. Here the earlier one is refused because of its tensor.
    {.id = "python/earlier/import-after-a-refused-tensor-is-as-before",
     .rules = {"PY-FROM-14"},
     .blocked = TakesPlain,
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawAround(draw);
           MakeUnacceptable(recipe.offer(1), draw.Pick(3));
           return recipe;
         }},

    // PY-FROM-14, as above. The producer of the earlier import raises, returns no capsule, or lacks the methods.
    {.id = "python/earlier/import-after-a-failing-producer-is-as-before",
     .rules = {"PY-FROM-14"},
     .blocked = TakesObjects,
     .draw =
         [](Draw& draw) {
           constexpr Gives kFailing[] = {Gives::kBufferError, Gives::kOSError,  Gives::kTypeError,
                                         Gives::kNone,        Gives::kNoDevice, Gives::kNoMethods};
           Recipe recipe = DrawAround(draw);
           recipe.offer(1).gives = kFailing[draw.Pick(6)];
           return recipe;
         }},

    // PY-FROM-14, as above. The look-up of an attribute of the earlier producer raises, or its export is interrupted.
    {.id = "python/earlier/import-after-raising-attributes-is-as-before",
     .rules = {"PY-FROM-14"},
     .blocked = TakesObjects,
     .draw =
         [](Draw& draw) {
           constexpr Gives kRaising[] = {Gives::kOthersRaise, Gives::kTableRaises, Gives::kDeviceLookupRaises,
                                         Gives::kLookupRaises, Gives::kInterrupts};
           Recipe recipe = DrawAround(draw);
           recipe.offer(1).gives = kRaising[draw.Pick(5)];
           return recipe;
         }},

    // PY-FROM-14, as above. The earlier import has copy= or device=, and the later one has neither.
    {.id = "python/earlier/import-after-keywords-is-as-before",
     .rules = {"PY-FROM-14"},
     .blocked = [](const Profile& profile) -> std::string_view {
       return profile.Claims(Claim::kCopyKeyword) || profile.Claims(Claim::kDeviceKeyword)
                  ? ""
                  : "the adapter claims neither copy_keyword nor device_keyword";
     },
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawAround(draw);
           recipe.offer(1).keywords = kIgnoresKeywords;
           const bool copies = draw.profile.Claims(Claim::kCopyKeyword);
           const bool moves = draw.profile.Claims(Claim::kDeviceKeyword);
           if (copies && (!moves || draw.Pick(2) == 0)) {
             recipe.call(1).copy = draw.Pick(2) == 0 ? argument::kTrue : argument::kFalse;
           } else {
             recipe.call(1).dl_device = argument::Pair(draw.Pick(3) == 0 ? abi::kDLVulkan : abi::kDLCPU, 0);
           }
           return recipe;
         }},

    // PY-FROM-14, as above. The earlier import runs on another thread.
    {.id = "python/earlier/import-after-another-thread-is-as-before",
     .rules = {"PY-FROM-14"},
     .blocked = TakesPlain,
     .draw = [](Draw& draw) { return DrawAround(draw, Context::kRawThread); }},

    // PY-FROM-14, as above. The deleter of the earlier tensor imports another tensor.
    {.id = "python/earlier/import-after-one-in-a-deleter-is-as-before",
     .rules = {"PY-FROM-14"},
     .blocked = TakesPlain,
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawAround(draw);
           recipe.offer(1).deleter = DeleterKind::kReenters;
           return recipe;
         },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (ledger.imports[kBetween].taken_within == Answer::kUnknown) {
             return judgement.SaysNothing("the deleter that calls the library was not called");
           }
           ImportIsAsBefore(ledger, judgement);
         }},

    // PY-FROM-14, as above. The deleter of the earlier tensor drops the last reference to another imported array.
    // PY-THREAD-08: A deleter may do that. C-OWN-02: Both tensors are released once.
    {.id = "python/earlier/import-after-a-deleter-that-drops-an-array-is-as-before",
     .rules = {"PY-FROM-14", "PY-THREAD-08", "C-OWN-02"},
     .blocked = TakesPlain,
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawAround(draw);
           recipe.offer(1).deleter = DeleterKind::kDropsAnother;
           SetLife(recipe, {{.op = Op::kImport, .slot = kBefore},
                            {.op = Op::kDescribe, .slot = kBefore},
                            {.op = Op::kRead, .slot = kBefore},
                            {.op = Op::kDropArray, .slot = kBefore},
                            {.op = Op::kImport, .slot = kDropped},
                            {.op = Op::kDropCapsule, .slot = kDropped},
                            {.op = Op::kDropProducer, .slot = kDropped},
                            {.op = Op::kImport, .slot = kBetween, .block = 1, .call = 1},
                            {.op = Op::kDropCapsule, .slot = kBetween},
                            {.op = Op::kDropProducer, .slot = kBetween},
                            {.op = Op::kDropArray, .slot = kBetween},
                            {.op = Op::kCollect},
                            {.op = Op::kDropArray, .slot = kDropped},
                            {.op = Op::kImport, .slot = kAfter},
                            {.op = Op::kDescribe, .slot = kAfter},
                            {.op = Op::kRead, .slot = kAfter},
                            {.op = Op::kDropArray, .slot = kAfter}});
           return recipe;
         },
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           if (!Accepted(ledger, kBetween) || !Accepted(ledger, kDropped)) {
             return judgement.SaysNothing("one of the two tensors was not accepted");
           }
           ReleasedOnce(recipe, judgement, {.rule = "PY-THREAD-08", .slot = kDropped});
           ReleasedOnce(recipe, judgement, {.rule = "C-OWN-02", .slot = kBetween});
           ImportIsAsBefore(ledger, judgement);
         }},
};

}  // namespace
}  // namespace dlpack_cts
