// results/tally.h: counts of a run's verdicts; cases of hostile recipes apart.
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
  std::array<int64_t, kVerdicts> counts{};
  int64_t total = 0;
  int64_t unexpected = 0;
  int64_t listed = 0;  // deviations that an expectation lists and that came as listed

  int64_t of(Verdict verdict) const { return counts[static_cast<size_t>(verdict)]; }
};

void Add(const Result& result, Tally& tally);

Tally Count(const std::vector<Result>& results, Scope scope);

/// Footer::counts: every verdict that occurs, with its number, hostile ones included.
nlohmann::json CountsOf(const std::vector<Result>& results);

/// A cause that nobody expects, and that no unexpected result names.
bool IsUnexpectedAlone(const Run& run, const Cause& cause);

/// Deviations that nobody expects: results, and causes that stand alone.
int64_t CountUnexpected(const Run& run);

/// FAIL, WARN, CRASH, TIMEOUT, LEAK, UNSAFE: unexpected unless listed.
bool IsDeviation(Verdict verdict);

/// A deviation that the expectations list, and that came as listed.
bool IsListed(const Result& result);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_RESULTS_TALLY_H_
