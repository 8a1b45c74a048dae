// suites/python/earlier_classes.cc: imports from producers of several classes in turn, which answer differently.
#include <utility>

#include "harness/case/needs.h"
#include "suites/python/earlier.h"

namespace dlpack_cts {
namespace {

/// The tensor and the answers of the object between the two others, from an object of the usual class.
constexpr int kControl = 3;

constexpr Keywords kWithoutKeywords = {Reply::kTypeError, Reply::kTypeError, Reply::kTypeError, Reply::kTypeError};

/// What is different in the second class.
enum Difference { kKeywords, kKind, kDevice, kDifferences };

/// The simplest tensor of an object with a class of its own.
Offer OfOwnClass(const Draw& draw, StructKind kind) {
  Offer offer = Releasable(draw.PlainImport(kind)).offer();
  offer.flags = 0;
  offer.gives = Gives::kOwnClass;
  offer.deleter = DeleterKind::kCounting;
  offer.keywords = kIgnoresKeywords;
  return offer;
}

/// The simplest tensor, from objects of two classes with the same name. Some libraries do not import both kinds of
/// struct; then the devices differ.
Recipe DrawInTurn(Draw& draw) {
  const bool both = draw.profile.takes_legacy != 0 && draw.profile.takes_versioned != 0;
  const auto difference = static_cast<Difference>(both ? draw.index % kDifferences : kDevice);
  const bool devices = difference == kDevice;
  Offer first = OfOwnClass(draw, devices ? draw.NewestTakenKind() : StructKind::kVersioned);
  Offer second = OfOwnClass(draw, devices ? draw.NewestTakenKind() : StructKind::kLegacy);
  if (difference == kKeywords) {
    // The first object exports no legacy capsules, and the second one is from before max_version.
    first.keywords.max_version = Reply::kObeys;
    second.keywords = kWithoutKeywords;
  }
  if (devices) PutOn(second, {abi::kDLVulkan, 0}, Placement::kForeignHandle);
  if (draw.index / kDifferences % 2 != 0) std::swap(first, second);
  Recipe recipe = Releasable(draw.PlainImport(draw.NewestTakenKind()));
  recipe.call() = {};
  recipe.offer() = first;
  AddOffer(recipe, second);
  AddOffer(recipe, second).gives = Gives::kCapsule;
  SetLife(recipe, {{.op = Op::kImport, .slot = kControl, .block = 2},
                   {.op = Op::kDropArray, .slot = kControl},
                   {.op = Op::kImport, .slot = kBefore},
                   {.op = Op::kDescribe, .slot = kBefore},
                   {.op = Op::kRead, .slot = kBefore},
                   {.op = Op::kDropArray, .slot = kBefore},
                   {.op = Op::kImport, .slot = kBetween, .block = 1},
                   {.op = Op::kDescribe, .slot = kBetween},
                   {.op = Op::kRead, .slot = kBetween},
                   {.op = Op::kDropArray, .slot = kBetween},
                   {.op = Op::kImport, .slot = kAfter},
                   {.op = Op::kDescribe, .slot = kAfter},
                   {.op = Op::kRead, .slot = kAfter},
                   {.op = Op::kDropArray, .slot = kAfter}});
  return recipe;
}

Case OfClasses(Case made) {
  made.on_refusal = OnRefusal::kJudge;
  made.uncontrolled = uncontrolled::kSteps;
  made.blocked = TakesObjects;
  return OfPythonConsumer(std::move(made));
}

const RegisterCases<OfClasses> kCases = {
    // PY-FROM-14: What a consumer learnt of an object of one class says nothing about an object of another class, also
    // if both classes have the same name. The objects differ in the keywords that they accept, in the kind of their
    // capsules, or in their device.
    {.id = "python/earlier/import-after-another-class-is-as-before",
     .rules = {"PY-FROM-14"},
     .examples = Examples::kTable,
     .table = 2 * kDifferences,
     .draw = DrawInTurn,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (Accepted(ledger, kBefore)) ImportIsAsBefore(ledger, judgement);
           if (!Accepted(ledger, kControl)) {
             if (Accepted(ledger, kBefore)) return;
             return judgement.SaysNothing("neither tensor was accepted");
           }
           if (judgement.Expect(
                   "importS.outcome", Is(Outcome::kAccepted),
                   "a tensor is refused if another class of the name of its producer's answers differently",
                   {.slot = kBetween})) {
             ElementsMatch(judgement, "a tensor is imported with wrong elements after one of another class",
                           {.slot = kBetween});
           }
         }},
};

}  // namespace
}  // namespace dlpack_cts
