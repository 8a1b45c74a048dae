// runner/run/assemble.h: makes a run from the reports of the parts of an assignment.
#ifndef DLPACK_CTS_RUNNER_RUN_ASSEMBLE_H_
#define DLPACK_CTS_RUNNER_RUN_ASSEMBLE_H_

#include <optional>
#include <string>
#include <vector>

#include "base/failure.h"
#include "results/limit.h"
#include "results/result.h"
#include "runner/catalogue/catalogue.h"
#include "runner/run/assignment.h"
#include "runner/run/test_run.h"
#include "runner/run/update.h"
#include "runner/verdict/expectations.h"
#include "runner/verdict/rounds.h"

namespace dlpack_cts::runner {

/// All results of an assignment, ready to be published.
struct Assembled {
  Run run;
  std::string partner_version;       // of the consumer of a pair
  std::vector<Limit> limits;         // what the probes found that the library does not support
  std::vector<StaleEntry> stale;     // entries of expectations.toml that no longer match the run
  std::vector<ListChanges> changes;  // with --update, in a pair: of both lists
  std::optional<Failure> trouble;    // why a part ended early; its cases report it too
};

/// Sets the fields of a result that its observation does not have, and applies the expectations. `version` is that of
/// the library, or of the producer.
void Complete(const Assignment& assignment, const std::string& version, Expectations& expectations, Result& result);

/// Applies the expectations. A case without a result because its part failed reports the reason. Throws Failure if
/// there is no result at all.
Assembled Assemble(const Catalogue& catalogue, Assignment& assignment, const std::vector<Part>& parts, Rounds& rounds);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_RUN_ASSEMBLE_H_
