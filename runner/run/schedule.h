// runner/run/schedule.h: the queue of everything that a command has to test.
#ifndef DLPACK_CTS_RUNNER_RUN_SCHEDULE_H_
#define DLPACK_CTS_RUNNER_RUN_SCHEDULE_H_

#include <functional>
#include <string>
#include <vector>

#include "runner/catalogue/catalogue.h"
#include "runner/run/test_run.h"

namespace dlpack_cts::runner {

/// Tests all libraries with these cases, with at most `workers` worker processes at a time. Each assignment is cut into
/// parts of complete suites, and all parts are in one queue. Assignments are published in the given order, each when it
/// is complete, and `ended` is called with its index: one call at a time. An error of one is reported and does not
/// affect the others. Returns the worst status, or kNothingJudged (publish.h) if that is what came of each.
using EndedAt = std::function<void(size_t index, const Assembled* assembled, const Failure* failure)>;
int TestAll(
    const Catalogue& catalogue, const std::vector<std::string>& cases, const std::vector<Prepare>& preparing,
    int workers, const EndedAt& ended = [](size_t, const Assembled*, const Failure*) {});

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_RUN_SCHEDULE_H_
