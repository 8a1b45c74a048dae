// results/uncounted.h: why a deviation that no list of known deviations has does not fail the run.
#ifndef DLPACK_CTS_RESULTS_UNCOUNTED_H_
#define DLPACK_CTS_RESULTS_UNCOUNTED_H_

#include <cstdint>
#include <string>

#include "results/result.h"

namespace dlpack_cts {

// Such a reason is in the place of that of a list: `expectation` of a result or a cause.
inline constexpr char kOnInvalidInput[] = "invalid input does not count without --strict";
inline constexpr char kOfNoSelectedCase[] = "about a rule that no selected case tests";
inline constexpr char kBelowFail[] = "does not count with --fail-on fail";
inline constexpr char kBelowNever[] = "does not count with --fail-on never";

/// Whether the text is such a reason.
bool IsUncounted(const std::string& expectation);

/// "known: REASON", or the reason alone if it is such a reason; "" for "".
std::string WhyExpected(const std::string& expectation);

/// Whether it is a deviation that does not count.
bool IsUncounted(const Result& result);

/// The number of those, in a run.
int64_t CountUncounted(const Run& run);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_RESULTS_UNCOUNTED_H_
