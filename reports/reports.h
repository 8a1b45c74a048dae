// reports/reports.h: every report of a run: the files of an output folder, and the text on a terminal.
#ifndef DLPACK_CTS_REPORTS_REPORTS_H_
#define DLPACK_CTS_REPORTS_REPORTS_H_

#include <ostream>
#include <string>
#include <vector>

#include "results/result.h"

namespace dlpack_cts {

/// Where the specification says something: "dlpack.h of DLPack 1.3, lines 97-106", and the address of these lines.
struct Source {
  std::string text;
  std::string link;  // may be empty
};

/// A rule as reports show it, from the catalogue in rules/.
struct RuleText {
  std::string id;
  std::string requirement;
  std::vector<Source> sources;
  std::string strength;
  std::string breach;
  std::string actor = {};   // producer, consumer or both
  std::string stake = {};   // what a violation puts at stake: memory, values, ...
  bool untestable = false;  // no case can test it
};

struct ReportContext {
  std::vector<RuleText> rules;
};

/// Writes results.ndjson, junit.xml, report.md, index.html, results.sarif, badge.json and badge.svg to `out_dir`, which
/// is made if it is missing. The page shows the reproducers in `out_dir`/findings, so write those first. Throws the
/// Failure of the first file that could not be written completely, after the other files.
void WriteReports(const Run& run, const ReportContext& context, const std::string& out_dir);

/// The form of text on a terminal.
struct TextStyle {
  bool color = false;
  bool readings = false;  // list the observed choices instead of counting them
  bool verbose = false;   // every failing case and every cause with all that is known, instead of a summary
  size_t width = 0;       // lines are folded to this many columns; 0: never
};

/// The report on the terminal: the conclusion, counts of each suite, cases that were not judged by reason, known
/// deviations, notes and limitations with one line each, the counts, and last what is unexpected: at most five causes
/// with example, both values and commands. Worst first. `html` is the path of the page, if there is one. `verbose`
/// prints everything that is known of every case and cause, and the counts last.
void PrintTree(const Run& run, const ReportContext& context, std::ostream& out, const TextStyle& style,
               const std::string& html = "");

/// The observed choices of several runs by question, with one line for each run that shows one.
void PrintCensus(const std::vector<Run>& runs, std::ostream& out);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REPORTS_REPORTS_H_
