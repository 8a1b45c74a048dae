// reports/reports.h: every rendering of a run: the files of an output folder, and the tree on a terminal.
#ifndef DLPACK_CTS_REPORTS_REPORTS_H_
#define DLPACK_CTS_REPORTS_REPORTS_H_

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "results/result.h"

namespace dlpack_cts {

/// A rule as reports show it; the catalogue in rules/ is the source.
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

/// Why a file could not be written, and what to do.
struct Unwritten {
  std::string message;
  std::string hint;
};

/// Writes results.ndjson, junit.xml, report.md and index.html into `out_dir`, which is made when it is missing. The
/// page shows the reproducers in `out_dir`/findings, so write these first. Returns the first file that could not be
/// written completely; the other files stay.
std::optional<Unwritten> WriteReports(const Run& run, const ReportContext& context, const std::string& out_dir);

/// How a terminal shows the text.
struct TextStyle {
  bool color = false;
  bool readings = false;  // list the observed choices instead of counting them
  size_t width = 0;       // columns at which lines are folded; 0: never
};

/// The terminal's report: the conclusion, counts of each suite, cases that were not judged by reason, known deviations
/// and notes in a line each, unexpected ones with example, both values and commands, causes, and the counts. Worst
/// first. `html` is the path of the page, printed last where one was written.
void PrintTree(const Run& run, const ReportContext& context, std::ostream& out, const TextStyle& style,
               const std::string& html = "");

/// The observed choices of several runs by question, a line for each run that shows one.
void PrintCensus(const std::vector<Run>& runs, std::ostream& out);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REPORTS_REPORTS_H_
