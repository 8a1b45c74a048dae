// runner/update.h: rewrites a list of known deviations by what a run saw.
#ifndef DLPACK_CTS_RUNNER_UPDATE_H_
#define DLPACK_CTS_RUNNER_UPDATE_H_

#include <string>
#include <vector>

#include "results/result.h"
#include "runner/expectations.h"

namespace dlpack_cts::runner {

/// The text of the list, without the entries that are stale, and with one for each unexpected cause, and for each
/// unexpected result that has no such cause. What stays does so byte for byte, comments too; a comment right above an
/// entry goes with it. Throws Failure for a list that is not written as [[expect]] tables.
struct Updated {
  std::string text;
  std::vector<std::string> removed;  // the reason that each entry gave, and why it went
  size_t added = 0;
  size_t kept = 0;
};
Updated Update(const std::string& text, const Expectations& list, const std::vector<StaleEntry>& stale, const Run& run);

/// Before anything runs: throws Failure where the file could not be written.
void CheckUpdate(const std::string& file);

/// Rewrites the file of the list, and tells in one line what it did, and of each entry that went its reason. Throws
/// Failure.
void UpdateFile(const Expectations& list, const std::vector<StaleEntry>& stale, const Run& run);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_UPDATE_H_
