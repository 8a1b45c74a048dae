// runner/run/update.h: updates a list of known deviations with the results of a run.
#ifndef DLPACK_CTS_RUNNER_RUN_UPDATE_H_
#define DLPACK_CTS_RUNNER_RUN_UPDATE_H_

#include <string>
#include <vector>

#include "results/result.h"
#include "runner/verdict/expectations.h"

namespace dlpack_cts::runner {

/// The text of the list, without the stale entries, and with a new entry for each unexpected cause and for each
/// unexpected result without such a cause. Other entries and comments stay byte for byte. A comment directly above a
/// removed entry is removed too. Throws Failure for a list that is not written as [[expect]] tables.
struct Updated {
  std::string text;
  std::vector<std::string> removed;  // each entry with its reason, and why it was removed
  size_t added = 0;
  size_t kept = 0;
};
Updated Update(const std::string& text, const Expectations& list, const std::vector<StaleEntry>& stale, const Run& run);

/// Call before anything runs: throws Failure if the file cannot be written.
void CheckUpdate(const std::string& file);

/// Rewrites the file of the list. Reports the numbers in one line, and each removed entry with its reason. Throws
/// Failure.
void UpdateFile(const Expectations& list, const std::vector<StaleEntry>& stale, const Run& run);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_RUN_UPDATE_H_
