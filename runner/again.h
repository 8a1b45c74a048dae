// runner/again.h: runs blocked cases again, without the properties that the blocking cause needs.
#ifndef DLPACK_CTS_RUNNER_AGAIN_H_
#define DLPACK_CTS_RUNNER_AGAIN_H_

#include <map>
#include <string>
#include <vector>

#include "results/result.h"
#include "runner/catalogue.h"

namespace dlpack_cts::runner {

/// How often a case may run again: one cause can mask another.
inline constexpr int kRounds = 2;

/// By case: the properties that it has to avoid, as in the field `avoid` of a job.
using Avoid = std::map<std::string, nlohmann::json>;

/// What the cases reported, and the causes of it.
struct Attributed {
  const std::vector<Finding>& findings;
  const std::vector<Cause>& causes;
  const std::vector<Result>& results;
};

/// The cases that Attribute() left BLOCKED and that may get a verdict when they run again. `before` holds what they
/// avoided in earlier rounds; they keep avoiding it. If a cause still occurs, every value of the properties that it
/// needs is avoided. A cause without triggers cannot be avoided. A cause that no other case reports must not be
/// avoided. Cases with invalid input and sweeps do not run again.
Avoid ToRunAgain(const std::vector<CaseInfo>& cases, const Attributed& seen, const Avoid& before);

/// True if the repeated run gave a verdict; false if no examples were left.
bool GivesVerdict(const Observation& observation);

/// Adds the findings of a later round. The earlier findings of the cases in `answered` become superseded.
void Join(const std::vector<Finding>& later, const std::vector<std::string>& answered, std::vector<Finding>& findings);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_AGAIN_H_
