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
  int64_t listed = 0;  // deviations that an expectation lists

  int64_t of(Verdict verdict) const { return counts[static_cast<size_t>(verdict)]; }
};

void Add(const Result& result, Tally& tally);

Tally Count(const std::vector<Result>& results, Scope scope);

/// Footer::counts: every verdict that occurs, with its number, cases with invalid input included.
nlohmann::json CountsOf(const std::vector<Result>& results);

/// True for an unexpected cause that no unexpected result reports.
bool IsUnexpectedAlone(const Run& run, const Cause& cause);

/// The number of unexpected deviations: results, and causes that no unexpected result reports.
int64_t CountUnexpected(const Run& run);

/// FAIL, WARN, CRASH, TIMEOUT, LEAK, UNSAFE: unexpected unless listed.
bool IsDeviation(Verdict verdict);

/// True for a deviation that the expectations list.
bool IsListed(const Result& result);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_RESULTS_TALLY_H_
