// worker/diagnose/case_examples.cc: generates some examples of a case.
#include "worker/diagnose/case_examples.h"

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

}  // namespace dlpack_cts::worker
