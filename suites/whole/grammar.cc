// suites/whole/grammar.cc: random sequences of steps: earlier exchanges, the main exchange, and later steps in any
// order.
#include "suites/whole/grammar.h"
#include "harness/case/arguments.h"

#include <iterator>
#include <utility>

namespace dlpack_cts {
namespace {

constexpr int kMain = 0;
constexpr int kSecond = 1;
constexpr int kOther = 2;
constexpr int kRefused = 3;
constexpr int kMostBetween = 8;  // steps between an exchange and its end
constexpr int kIndices = 6;      // of elements that are written
constexpr uint8_t kOtherThread = 1;

class Life {
 public:
  Life(Draw& draw, Recipe& recipe) : draw_(draw), recipe_(recipe) {
    recipe.used.steps = 0;
    recipe.rounds = 1;
    recipe.used.offers = recipe.used.requests = recipe.used.calls = 1;
  }

  void DrawImport() {
    bool same_address = false;
    for (int i = draw_.Pick(3); i > 0; --i) same_address = HistoryOfImport() || same_address;
    Add({.op = Op::kImport, .other = same_address ? Other::kSlot2 : Other::kNone});
    Add({.op = Op::kDescribe});
    for (int i = 1 + draw_.Pick(kMostBetween); i > 0; --i) UseImport();
    EndExports();
    Shuffled({{.op = Op::kDropProducer}, {.op = Op::kDropCapsule}, {.op = Op::kDropArray}});
    Add({.op = Op::kCollect});
  }

  void DrawExport() {
    Add({.op = Op::kMake});
    for (int i = draw_.Pick(3); i > 0; --i) HistoryOfExport();
    Export(kMain);
    for (int i = 1 + draw_.Pick(kMostBetween); i > 0; --i) UseExport();
    if (draw_.Pick(2) == 0) Add({.op = Op::kDropSource});
    EndExports();
    Add({.op = Op::kDropSource});
    Add({.op = Op::kCollect});
  }

 private:
  bool Claims(Claim claim) const { return draw_.profile.Claims(claim); }

  /// If the recipe uses two threads, either takes each step, one after another.
  void Add(Step step) {
    if (recipe_.used.steps == kSteps) return;
    if (threads_ && step.context == Context::kUsual && draw_.Pick(3) == 0) step.lane = kOtherThread;
    step.barrier = threads_ ? 1 : 0;
    recipe_.steps[recipe_.used.steps++] = step;
  }

  /// A step that releases something may run with an exception pending, inside a collection, or on a raw thread.
  void LetGo(Step step) {
    constexpr Context kContexts[] = {Context::kPendingException, Context::kCollection, Context::kRawThread};
    if (draw_.Pick(6) == 0) step.context = kContexts[draw_.Pick(static_cast<int>(std::size(kContexts)))];
    Add(step);
  }

  void Shuffled(std::initializer_list<Step> steps) {
    Step order[4];
    int count = 0;
    for (const Step& step : steps) order[count++] = step;
    for (; count > 0; --count) {
      std::swap(order[draw_.Pick(count)], order[count - 1]);
      LetGo(order[count - 1]);
    }
  }

  /// True if a tensor was imported and released at the address that slot 2 has.
  bool HistoryOfImport() {
    const auto slot = static_cast<uint8_t>(kRefused);
    switch (draw_.Pick(5)) {
      case 0: {
        Offer& offer = AddOffer(recipe_, recipe_.offer());
        offer.device = offer.reported_device = {99, 0};
        return Refuse(slot);
      }
      case 1: {
        Offer& offer = AddOffer(recipe_, recipe_.offer());
        offer.gives = draw_.Pick(2) == 0 ? Gives::kBufferError : Gives::kNone;
        return Refuse(slot);
      }
      case 2:
        Add({.op = Op::kImport, .slot = kSecond});
        Add({.op = Op::kDescribe, .slot = kSecond});
        if (Claims(Claim::kReexport) && draw_.Pick(2) == 0) Reexport(kSecond, Other::kSlot2);
        return false;
      case 3:
        Add({.op = Op::kImport, .slot = kSecond});
        Add({.op = Op::kImportAgain, .slot = kSecond});
        Shuffled({{.op = Op::kDropArray, .slot = kSecond}, {.op = Op::kDropProducer, .slot = kSecond}});
        return false;
      default:
        Add({.op = Op::kImport, .slot = kOther});
        Add({.op = Op::kDescribe, .slot = kOther});
        for (const Op op : {Op::kDropArray, Op::kDropProducer, Op::kDropCapsule}) Add({.op = op, .slot = kOther});
        Add({.op = Op::kCollect});
        return true;
    }
  }

  /// Imports the offer that was added last, which a library refuses.
  bool Refuse(uint8_t slot) {
    Add({.op = Op::kImport, .slot = slot, .block = static_cast<uint8_t>(recipe_.used.offers - 1)});
    for (const Op op : {Op::kDropArray, Op::kDropProducer}) Add({.op = op, .slot = slot});
    return false;
  }

  void UseImport() {
    const auto slot = static_cast<uint8_t>(imported_second_ && draw_.Pick(3) == 0 ? kSecond : kMain);
    const auto index = static_cast<int32_t>(draw_.Pick(kIndices));
    switch (draw_.Pick(10)) {
      case 0:
        return Add({.op = Op::kCompute, .slot = slot});
      case 1:
        return Add({.op = Op::kWriteSource, .slot = slot, .argument = index});
      case 2:
        if (Claims(Claim::kWrite)) Add({.op = Op::kWriteArray, .slot = slot, .argument = index});
        return;
      case 3:
        if (Claims(Claim::kView) && slot == kMain && !std::exchange(viewed_, true)) Add({.op = Op::kTakeView});
        return;
      case 4:
        if (Claims(Claim::kReexport) && slot == kMain) Reexport(kMain, exports_ == 0 ? Other::kSlot0 : Other::kSlot3);
        return;
      case 5:
        return LetGo({.op = draw_.Pick(2) == 0 ? Op::kDropCapsule : Op::kDropProducer, .slot = slot});
      case 6:
        return Add({.op = Op::kCollect});
      case 7:
        if (std::exchange(imported_second_, true)) return;
        Add({.op = Op::kImport, .slot = kSecond});
        return Add({.op = Op::kDescribe, .slot = kSecond});
      default:
        return Add({.op = Op::kRead, .slot = slot});
    }
  }

  void Reexport(uint8_t slot, Other into) {
    Add({.op = Op::kReexport, .slot = slot, .other = into});
    ++exports_;
    for (int i = draw_.Pick(3); i > 0; --i) {
      constexpr Op kLooks[] = {Op::kReadExport, Op::kInspect, Op::kTakeCapsule};
      Add({.op = kLooks[draw_.Pick(3)], .slot = static_cast<uint8_t>(static_cast<int>(into) - 1)});
    }
  }

  void HistoryOfExport() {
    switch (draw_.Pick(4)) {
      case 0: {
        // This device does not exist.
        Call& call = AddCall(recipe_, recipe_.call());
        call.dl_device = argument::Pair(99, 0);
        Add({.op = Op::kExport, .slot = kRefused, .call = static_cast<uint8_t>(recipe_.used.calls - 1)});
        return Add({.op = Op::kReadSource});
      }
      case 1:
        return Export(kSecond);
      case 2:
        Export(kSecond);
        return LetGo({.op = Op::kLoseCapsule, .slot = kSecond});
      default:
        Add({.op = Op::kAskDevice});
        return Add({.op = Op::kUseSource});
    }
  }

  void Export(uint8_t slot) { Add({.op = Op::kExport, .slot = slot}); }

  void UseExport() {
    const auto slot = static_cast<uint8_t>(draw_.Pick(4) == 0 ? kSecond : kMain);
    switch (draw_.Pick(10)) {
      case 0:
        return Add({.op = Op::kInspect, .slot = slot});
      case 1:
        return Add({.op = Op::kWriteExport, .slot = slot, .argument = static_cast<int32_t>(draw_.Pick(kIndices))});
      case 2:
        return Add({.op = Op::kAskDevice});
      case 3:
        return Add({.op = Op::kReadSource});
      case 4:
        return draw_.Pick(2) == 0 ? Change() : Add({.op = Op::kUseSource});
      case 5:
        return Export(draw_.Pick(2) == 0 ? kSecond : kOther);
      case 6:
        return Add({.op = Op::kTakeCapsule, .slot = slot});
      case 7:
        if (draw_.Pick(2) == 0) Add({.op = Op::kDropSource});
        return Add({.op = Op::kCollect});
      default:
        return Add({.op = Op::kReadExport, .slot = slot});
    }
  }

  /// The size stays: other cases test what a resize does to the memory of exports.
  void Change() {
    constexpr Claim kClaims[] = {Claim::kReshapeInPlace, Claim::kTransposeInPlace};
    const int how = draw_.Pick(static_cast<int>(std::size(kClaims)));
    if (Claims(kClaims[how])) Add({.op = Op::kChangeMetadata, .argument = how});
  }

  void EndExports() {
    for (uint8_t slot = 0; slot < kSlots; ++slot) {
      if (draw_.Pick(2) == 0) Add({.op = Op::kReadExport, .slot = slot});
      LetGo({.op = draw_.Pick(2) == 0 ? Op::kDelete : Op::kLoseCapsule, .slot = slot});
    }
  }

  Draw& draw_;
  Recipe& recipe_;
  const bool threads_ = draw_.Pick(8) == 0;
  bool viewed_ = false;
  bool imported_second_ = false;
  int exports_ = 0;
};

}  // namespace

void DrawLife(Draw& draw, Recipe& recipe) {
  Life life(draw, recipe);
  if (recipe.kind == RecipeKind::kImport) {
    life.DrawImport();
  } else {
    life.DrawExport();
  }
}

}  // namespace dlpack_cts
