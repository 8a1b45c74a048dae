// reports/reports.h: every rendering of a run: the files of an output folder, and the tree on a terminal.
#ifndef DLPACK_CTS_REPORTS_REPORTS_H_
#define DLPACK_CTS_REPORTS_REPORTS_H_

#include <ostream>
#include <string>
#include <vector>

#include "results/result.h"

namespace dlpack_cts {

/// What a report says of a rule; the catalogue in rules/ is the source.
struct RuleText {
  std::string id;
  std::string requirement;
  std::string source;
  std::string strength;
  std::string breach;
};

struct ReportContext {
  std::vector<RuleText> rules;
};

/// Writes results.ndjson, junit.xml, report.md and index.html into `out_dir`, which is made when it is missing.
/// Reproducers that lie in `out_dir` already are shown inside the page, so findings/ has to be written before. False
/// with one sentence and a hint in `error` when a file cannot be written in full; files written before it stay.
bool WriteReports(const Run& run, const ReportContext& context, const std::string& out_dir, std::string* error);

/// The terminal's tree: suites, passes as counts, one line per case that is no plain PASS; each unexpected one with
/// message, wanted, got, reproducer and replay command; then the summary, hostile cases counted apart. `html` is the
/// path of the page, printed last where one was written.
void PrintTree(const Run& run, std::ostream& out, bool color, const std::string& html = "");

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REPORTS_REPORTS_H_
