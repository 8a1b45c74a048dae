// runner/campaign/leg.h: one leg of a campaign: some thousand exchanges with one seed, judged like a run.
#ifndef DLPACK_CTS_RUNNER_CAMPAIGN_LEG_H_
#define DLPACK_CTS_RUNNER_CAMPAIGN_LEG_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/failure.h"
#include "results/fields.h"
#include "results/result.h"
#include "runner/catalogue/catalogue.h"
#include "runner/run/assignment.h"
#include "runner/session/session.h"
#include "runner/verdict/rounds.h"

namespace dlpack_cts::runner {

struct LegPlan {
  uint64_t seed = 0;
  int64_t exchanges = 0;    // of all cases together, about
  int64_t most = 0;         // the campaign may run no more than these; 0: no limit
  double case_seconds = 0;  // that one exchange may take
  Avoid left_out = {};

  // Set by ChooseCases().
  std::vector<std::string> cases = {};
  int sweep = 0;         // exchanges of each sweep
  int examples = 0;      // of each other case
  int64_t reserved = 0;  // exchanges of all these cases, if nothing ends one early
};

/// Divides the exchanges among the cases. If not all of them fit into the limit, a random choice of them runs.
void ChooseCases(const std::vector<CaseInfo>& cases, LegPlan& plan);

/// What happened to the exchanges of some legs.
struct ExchangeCounts {
  static std::span<const LineField<ExchangeCounts>> Fields();

  int64_t exchanges = 0;     // all that ran; without those that were left out
  int64_t conclusive = 0;    // the library did it, and it was judged
  int64_t refused = 0;       // the library refused what the reference does
  int64_t inconclusive = 0;  // nothing could be judged: the adapter or the reference cannot do it either

  void Add(const ExchangeCounts& other);
};

struct LegReport {
  std::vector<Observation> seen;
  std::vector<Finding> findings;
  ExchangeCounts counts;
  int crashed_sweeps = 0;  // that ended with a crash or a timeout; any other case then loses only its own examples
  Outcome outcome;
  std::optional<Failure> failure;  // why it ended early
};

/// The exchanges that an observation is about.
ExchangeCounts CountsOf(const Observation& seen);

/// Runs the chosen cases of the plan. Does not throw.
LegReport RunLeg(const Assignment& assignment, Session& session, const std::vector<CaseInfo>& cases,
                 const LegPlan& plan);

/// Runs that job. Does not throw.
LegReport RunJob(Session& session, JobFile job);

/// Runs the example of a cause, for one case, in a new process. Does not throw.
LegReport RunAgain(const Assignment& assignment, Session& session, const std::string& case_id, const Cause& cause);

/// The first round of what the report says; the caller concludes it.
Rounds RoundsOf(const Catalogue& catalogue, const Assignment& assignment, const LegReport& report);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_CAMPAIGN_LEG_H_
