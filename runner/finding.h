// runner/finding.h: one file per failing case and cause: its recipe, and for a case a standalone reproducer.
#ifndef DLPACK_CTS_RUNNER_FINDING_H_
#define DLPACK_CTS_RUNNER_FINDING_H_

#include <string>

#include "runner/judge.h"

namespace dlpack_cts::runner {

inline constexpr size_t kLargestFinding = 64 << 20;  // in bytes; what is larger is none

/// Writes OUT/findings/CASE.json (library, case, recipe: what `replay` reads) and, for Python subjects, CASE.py for
/// every result that is a deviation, and sets Result::reproducer. The worker renders the script. Of each cause it
/// writes OUT/causes/ID.json with the plainest example, and sets Cause::replay to the command that runs it.
/// What an earlier run wrote there is removed before, and nothing else: a file that does not say of itself that it is
/// such a finding, or a link, stays unless a new finding takes its name, and no link is followed. False with one
/// sentence in `error` when a file cannot be written.
bool WriteFindings(const Desk& desk, Run& run, const Assignment& assignment, const std::string& out,
                   std::string* error);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_FINDING_H_
