// runner/again.h: cases that another cause touched run again without what that cause needs.
#ifndef DLPACK_CTS_RUNNER_AGAIN_H_
#define DLPACK_CTS_RUNNER_AGAIN_H_

#include <map>
#include <string>
#include <vector>

#include "results/result.h"
#include "runner/catalogue.h"

namespace dlpack_cts::runner {

/// How often a case may run again: behind one cause there may be another.
inline constexpr int kRounds = 2;

/// By case: what it has to do without, as the field `avoid` of a job.
using Avoid = std::map<std::string, nlohmann::json>;

/// What cases said, and why.
struct Attributed {
  const std::vector<Finding>& findings;
  const std::vector<Cause>& causes;
  const std::vector<Result>& results;
};

/// The cases that Attribute() left BLOCKED, and that may have a verdict of their own. `before` says what they did
/// without in earlier rounds: it is avoided further. A cause that still shows is avoided more widely, with every value
/// of the coordinates that it needs. One that plain exchanges show cannot be avoided, and one that no other case tells
/// of must not be. Hostile cases and sweeps stay as they are.
Avoid ToRunAgain(const std::vector<CaseInfo>& cases, const Attributed& seen, const Avoid& before);

/// True where running again gave a verdict, and not only that nothing is left to look at.
bool GivesVerdict(const Observation& observation);

/// Findings of a later round join those of the first. What those cases found before, and do not any more, is
/// superseded.
void Join(const std::vector<Finding>& later, const std::vector<std::string>& answered, std::vector<Finding>& findings);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_AGAIN_H_
