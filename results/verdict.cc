// results/verdict.cc: the ten verdicts as words.
#include "results/verdict.h"

#include <array>

namespace dlpack_cts {
namespace {

constexpr std::array<std::string_view, kVerdicts> kWords = {"PASS",    "FAIL", "WARN",   "NOTE", "CRASH",
                                                            "TIMEOUT", "LEAK", "UNSAFE", "SKIP", "BLOCKED"};
static_assert(!kWords.back().empty());

}  // namespace

std::string_view ToText(Verdict verdict) {
  const size_t index = static_cast<size_t>(verdict);
  return index < kWords.size() ? kWords[index] : "undefined";
}

bool FromText(std::string_view text, Verdict* verdict) {
  for (size_t i = 0; i < kWords.size(); ++i) {
    if (kWords[i] != text) continue;
    *verdict = static_cast<Verdict>(i);
    return true;
  }
  return false;
}

}  // namespace dlpack_cts
