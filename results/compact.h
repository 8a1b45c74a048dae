// results/compact.h: the compact form of a run: verdicts, messages, causes and choices, without the evidence.
#ifndef DLPACK_CTS_RESULTS_COMPACT_H_
#define DLPACK_CTS_RESULTS_COMPACT_H_

#include <string>

#include "results/result.h"

namespace dlpack_cts {

/// The run as lines of JSON, about a fifth of a result file. The lines are those of a result file, without recipes,
/// ledgers, seeds, counts of examples and paths; a field that has its usual value is left out. docs/results.md
/// describes the form. Throws a Failure for a run that did not end: its verdict does not speak for the library.
std::string CompactText(const Run& run);

/// Whether the file begins as a compact one.
bool IsCompact(const std::string& path);

/// Reads such a file. A Failure names file and line.
Run ReadCompact(const std::string& path);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_RESULTS_COMPACT_H_
