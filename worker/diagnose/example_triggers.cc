// worker/diagnose/example_triggers.cc: generates some examples of a case, and reads their triggers.
#include "worker/diagnose/example_triggers.h"

#include "harness/recipe/normalize.h"

namespace dlpack_cts::worker {
namespace {

constexpr int kDrawn = 32;
constexpr uint64_t kSeed = 1;

}  // namespace

std::vector<TriggerSet> TriggersOfExamples(const Case& tested, const Profile& profile) {
  std::vector<TriggerSet> sets;
  const int count = tested.examples == Examples::kTable ? tested.table : kDrawn;
  for (int index = 0; index < count; ++index) {
    Draw draw{Random(kSeed + static_cast<uint64_t>(index)), index, profile};
    Recipe recipe = tested.draw(draw);
    Normalize(recipe);
    sets.push_back(TriggersOf(recipe));
  }
  return sets;
}

}  // namespace dlpack_cts::worker
