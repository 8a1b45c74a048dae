// suites/interop/sweep.cc: exchanges of a pair with steps in any order, of which all facts are compared with the
// reference.
#include <iterator>
#include <utility>

#include "harness/case/case.h"
#include "harness/recipe/recipe.h"
#include "suites/interop/arrays.h"

namespace dlpack_cts {
namespace {

constexpr int kMostBetween = 8;  // steps between the import and the end
constexpr int kIndices = 6;      // of elements that are written
constexpr uint8_t kSecond = 1;   // the slot of a second import of the same array

/// The steps of one exchange: an import, then reads, writes, computations, further imports and collections, then the
/// end of each array.
class Life {
 public:
  /// `writes`: each element of the array has its own place in memory.
  Life(Draw& draw, Recipe& recipe, bool writes) : draw_(draw), recipe_(recipe), writes_(writes) {
    recipe.used.steps = 0;
    recipe.rounds = 1;
  }

  void Fill() {
    Add({.op = Op::kMake});
    Import(0);
    for (int i = 1 + draw_.Pick(kMostBetween); i > 0; --i) Use();
    if (draw_.Pick(2) == 0) {
      DropSource();
      Add({.op = Op::kCollect});
      Add({.op = Op::kRead});
      DropArrays();
    } else {
      DropArrays();
      DropSource();
    }
    Add({.op = Op::kCollect});
  }

 private:
  void Add(Step step) {
    if (recipe_.used.steps < kSteps) recipe_.steps[recipe_.used.steps++] = step;
  }

  /// A step that releases something may run with an exception pending, inside a collection, or on a raw thread.
  void LetGo(Step step) {
    constexpr Context kContexts[] = {Context::kPendingException, Context::kCollection, Context::kRawThread};
    if (draw_.Pick(6) == 0) step.context = kContexts[draw_.Pick(static_cast<int>(std::size(kContexts)))];
    Add(step);
  }

  void Import(uint8_t slot) {
    Add({.op = Op::kImportSource, .slot = slot});
    Add({.op = Op::kDescribe, .slot = slot});
    Add({.op = Op::kRead, .slot = slot});
  }

  void DropSource() {
    if (std::exchange(dropped_, true)) return;
    LetGo({.op = Op::kDropSource});
  }

  void DropArrays() {
    LetGo({.op = Op::kDropArray});
    if (second_) LetGo({.op = Op::kDropArray, .slot = kSecond});
  }

  void Use() {
    const uint8_t slot = second_ && draw_.Pick(3) == 0 ? kSecond : 0;
    const auto index = static_cast<int32_t>(draw_.Pick(kIndices));
    switch (draw_.Pick(8)) {
      case 0:
        return Add({.op = Op::kCompute, .slot = slot});
      case 1:
        if (writes_ && !dropped_) Add({.op = Op::kWriteSource, .slot = slot, .argument = index});
        return;
      case 2:
        if (writes_ && draw_.profile.Claims(Claim::kWrite))
          Add({.op = Op::kWriteArray, .slot = slot, .argument = index});
        return;
      case 3:
        if (!dropped_) Add({.op = Op::kReadSource});
        return;
      case 4:
        return Add({.op = Op::kCollect});
      case 5:
        if (!dropped_ && !std::exchange(second_, true)) Import(kSecond);
        return;
      case 6:
        return DropSource();
      default:
        return Add({.op = Op::kRead, .slot = slot});
    }
  }

  Draw& draw_;
  Recipe& recipe_;
  const bool writes_;
  bool dropped_ = false;
  bool second_ = false;
};

const RegisterCases<OfPairs> kCases = {
    // PY-FROM-04: The pair does with an array what the reference does, except where the specification leaves a choice.
    {.id = "interop/sweep/no-other-fact-deviates",
     .rules = {"PY-FROM-04"},
     .examples = Examples::kWhole,
     .draw =
         [](Draw& draw) {
           const bool writes = draw.Pick(3) == 0;
           Recipe recipe = writes ? CompactArray(draw) : AnyArray(draw);
           Life(draw, recipe, writes).Fill();
           return recipe;
         }},
};

}  // namespace
}  // namespace dlpack_cts
