// worker/run/gtest_run.h: runs the cases as GoogleTest tests.
#ifndef DLPACK_CTS_WORKER_RUN_GTEST_RUN_H_
#define DLPACK_CTS_WORKER_RUN_GTEST_RUN_H_

#include <functional>
#include <string>
#include <vector>

#include "harness/case/case.h"
#include "results/result.h"

namespace dlpack_cts::worker {

/// Makes GoogleTest ready, once per process and before it forks.
void StartGoogleTest();

/// Registers the cases from `first` on and before `end`, by suite and test name, and runs them once. `run` gives a
/// case's observation; one that is broken fails its GoogleTest test. Call at most once per process.
void RunWithGoogleTest(const std::vector<std::string>& cases, int first, int end,
                       const std::function<Observation(int index, const Case& tested)>& run);

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_RUN_GTEST_RUN_H_
