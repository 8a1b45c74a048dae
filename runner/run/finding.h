// runner/run/finding.h: writes one file per failing case and cause, and a standalone reproducer per case.
#ifndef DLPACK_CTS_RUNNER_RUN_FINDING_H_
#define DLPACK_CTS_RUNNER_RUN_FINDING_H_

#include <string>

#include "runner/catalogue/catalogue.h"
#include "runner/run/assignment.h"

namespace dlpack_cts::runner {

/// Writes OUT/findings/CASE.json (library, case, recipe: what `replay` reads) and, for Python libraries, CASE.py for
/// every deviation. Sets Result::reproducer. The worker writes the script. For each cause, writes OUT/causes/ID.json
/// with the simplest example, and sets Cause::replay to the command that runs it. The findings of an earlier run are
/// removed first. Any other file, and a link, stays unless a new finding has the same name; links are not followed.
/// Throws Failure if a file cannot be written.
void WriteFindings(const Catalogue& catalogue, Run& run, const Assignment& assignment, const std::string& out);

/// The case that reproduces the example of a cause. A case reproduces what its own check found, and any case reproduces
/// a crash, a timeout, a leak or an unsafe access. The sweep of the same side reproduces a difference from the
/// reference.
std::string CaseFor(const Catalogue& catalogue, const Run& run, const Cause& cause);

/// Writes the files of one cause into a folder of its own, which exists: finding.json, which `replay` reads, and
/// reproduce.py. `run` holds what its exchange did in a new process. True if there is a script: not for a pair or a
/// plug-in, nor if the new process did not show it. Throws Failure.
bool WriteCause(const Catalogue& catalogue, const Run& run, const Assignment& assignment, const Cause& cause,
                const std::string& folder);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_RUN_FINDING_H_
