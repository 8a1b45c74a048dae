// reports/script.h: the reproducer that shows a cause.
#ifndef DLPACK_CTS_REPORTS_SCRIPT_H_
#define DLPACK_CTS_REPORTS_SCRIPT_H_

#include <string>

#include "results/result.h"

namespace dlpack_cts {

/// The result with a reproducer whose worst cause is this one, or NULL.
const Result* ResultWithScript(const Run& run, const Cause& cause);

/// The path of its reproducer below the output folder; empty without one.
std::string ScriptOf(const Run& run, const Cause& cause);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REPORTS_SCRIPT_H_
