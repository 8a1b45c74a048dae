// runner/schedule.h: one queue for everything that a command has to judge.
#ifndef DLPACK_CTS_RUNNER_SCHEDULE_H_
#define DLPACK_CTS_RUNNER_SCHEDULE_H_

#include <functional>
#include <string>
#include <vector>

#include "runner/judge.h"

namespace dlpack_cts::runner {

/// Finds the environment of one library or pair, or makes it; may take minutes. Throws Failure.
using Prepare = std::function<Assignment()>;

/// Tests all libraries with these cases, with at most `workers` worker processes at a time. Each assignment is cut into
/// parts of complete suites, and all parts are in one queue. Assignments are published in the given order, each when it
/// is complete. An error of one is reported and does not affect the others. Returns the worst status.
int JudgeAll(const Desk& desk, const std::vector<std::string>& cases, const std::vector<Prepare>& preparing,
             int workers);

/// Cuts the cases at the borders of their suites into at most `most` parts of about the same size, each in order.
std::vector<std::vector<std::string>> Cut(const std::vector<CaseInfo>& known, const std::vector<std::string>& cases,
                                          int most);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_SCHEDULE_H_
