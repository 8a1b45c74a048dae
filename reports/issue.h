// reports/issue.h: the draft of an issue about one cause, in Markdown, for the library's own tracker.
#ifndef DLPACK_CTS_REPORTS_ISSUE_H_
#define DLPACK_CTS_REPORTS_ISSUE_H_

#include <string>
#include <vector>

#include "results/result.h"

namespace dlpack_cts {

/// What the results alone do not say.
struct IssueContext {
  std::string requirement;         // of the violated rule
  std::string source;              // "dlpack.h of DLPack 1.3, lines 97-106"
  std::vector<std::string> links;  // the lines of the source, as addresses
  std::string script;              // the reproducer; empty without one
};

/// Title, what happens, what is expected, how to reproduce it, and the versions. Texts of the library are escaped.
std::string IssueDraft(const Run& run, const Cause& cause, const IssueContext& context);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REPORTS_ISSUE_H_
