// worker/diagnose/example_triggers.cc: generates some examples of a case, and reads their triggers.
#include "worker/diagnose/example_triggers.h"

#include "harness/recipe/normalize.h"

namespace dlpack_cts::worker {
namespace {

constexpr int kDrawn = 32;
constexpr uint64_t kSeed = 1;

}  // namespace

void ForEachExample(const Case& tested, const Profile& profile, const std::function<void(const Recipe& recipe)>& use) {
  const int count = tested.examples == Examples::kTable ? tested.table : kDrawn;
  for (int index = 0; index < count; ++index) {
    Draw draw{Random(kSeed + static_cast<uint64_t>(index)), index, profile};
    Recipe recipe = tested.draw(draw);
    Normalize(recipe);
    use(recipe);
  }
}

std::vector<TriggerSet> TriggersOfExamples(const Case& tested, const Profile& profile) {
  std::vector<TriggerSet> sets;
  ForEachExample(tested, profile, [&](const Recipe& recipe) { sets.push_back(TriggersOf(recipe)); });
  return sets;
}

}  // namespace dlpack_cts::worker
