// worker/diagnose/decided.h: the rule that the values of a violated fact decide, whatever the triggers are.
#ifndef DLPACK_CTS_WORKER_DIAGNOSE_DECIDED_H_
#define DLPACK_CTS_WORKER_DIAGNOSE_DECIDED_H_

#include <string_view>

#include "harness/compare/whole.h"
#include "harness/ledger/fact_table.h"

namespace dlpack_cts::worker {

/// The rule that these wrong values violate; empty if they fit several rules, so that the attributions decide.
std::string_view DecidedBy(const FactRow& row, Family family, const Exchange& exchange);

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_DIAGNOSE_DECIDED_H_
