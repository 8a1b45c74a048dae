// runner/cli/explain/accusation.h: the rule that a run accuses for a cause, as far as its id determines it.
#ifndef DLPACK_CTS_RUNNER_CLI_EXPLAIN_ACCUSATION_H_
#define DLPACK_CTS_RUNNER_CLI_EXPLAIN_ACCUSATION_H_

#include <string>
#include <vector>

#include "runner/cli/explain/cause_id.h"

namespace dlpack_cts::runner {

struct Accused {
  std::string rule;
  std::string when;  // "if the first violated fact is faultF"; empty: otherwise, or always if it is the only rule
};

/// The most probable rule first. One rule without a condition means that the id determines it.
std::vector<Accused> AccusedBy(const Catalogue& catalogue, const CauseParts& parts);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_CLI_EXPLAIN_ACCUSATION_H_
