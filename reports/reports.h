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

/// How text looks where it is printed.
struct TextStyle {
  bool color = false;
  bool readings = false;  // the readings are listed, and not only counted
  size_t width = 0;       // columns of a terminal, at which lines are folded; 0: they are not
};

/// The terminal's tree: counts of each suite, what was not judged by its reason, then what came as expected and is no
/// PASS, a line each, then what did not, each with its example, wanted, got, reproducer and replay command; worst first
/// both. Then the summary, hostile cases counted apart. `html` is the path of the page, printed last where one was
/// written.
void PrintTree(const Run& run, std::ostream& out, const TextStyle& style, const std::string& html = "");

/// The readings of the runs by their questions, a line for each run that shows one.
void PrintCensus(const std::vector<Run>& runs, std::ostream& out);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REPORTS_REPORTS_H_
