// results/tally.h: counts the verdicts of a run; cases with invalid input are counted separately.
#ifndef DLPACK_CTS_RESULTS_TALLY_H_
#define DLPACK_CTS_RESULTS_TALLY_H_

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "results/result.h"

namespace dlpack_cts {

enum class Scope : uint8_t { kConformance, kHostile, kAll };

struct Tally {
  std::array<int64_t, kEnumerators<Verdict>> counts{};
  int64_t total = 0;
  int64_t unexpected = 0;
  int64_t listed = 0;  // deviations that the expectations list

  int64_t of(Verdict verdict) const { return counts[static_cast<size_t>(verdict)]; }
};

void Add(const Result& result, Tally& tally);

Tally Count(const std::vector<Result>& results, Scope scope);

/// Footer::counts: the number of each verdict that occurs, including cases with invalid input.
nlohmann::json CountsOf(const std::vector<Result>& results);

/// Whether the cause is unexpected, and no unexpected result reports it.
bool IsUnexpectedAlone(const Run& run, const Cause& cause);

/// The number of unexpected deviations: results, and causes that no unexpected result reports.
int64_t CountUnexpected(const Run& run);

/// Whether it is FAIL, WARN, CRASH, TIMEOUT, LEAK or UNSAFE, which is unexpected unless it is listed.
bool IsDeviation(Verdict verdict);

/// Whether the case was judged: it is neither SKIP nor BLOCKED.
bool IsJudged(Verdict verdict);

/// Whether every case that showed the cause uses invalid input.
bool IsOnInvalidInput(const Run& run, const Cause& cause);

/// The violated rules, or those of the case if nothing is violated.
const std::vector<std::string>& RulesNamed(const Result& result);

/// Whether it is a deviation that the expectations list.
bool IsListed(const Result& result);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_RESULTS_TALLY_H_
