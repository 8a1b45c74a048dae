// results/observed_choices.cc: observed choices in one line.
#include "results/observed_choices.h"

namespace dlpack_cts {

std::string TextOf(const ObservedChoices& readings) {
  if (readings.shown.size() == 1) return readings.shown.front().words;
  std::string text;
  for (const ObservedChoices::Reading& one : readings.shown) {
    text += (text.empty() ? "" : ", ") + one.words + " (" + std::to_string(one.count) + ")";
  }
  return text;
}

}  // namespace dlpack_cts
