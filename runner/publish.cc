// runner/publish.cc: the output of a run: terminal, NDJSON, reports, findings.
#include <algorithm>
#include <sstream>

#include "reports/ndjson.h"
#include "reports/reports.h"
#include "reports/text.h"
#include "runner/failure.h"
#include "runner/finding.h"
#include "runner/judge.h"
#include "runner/print.h"
#include "runner/terminal.h"
#include "runner/update.h"

namespace dlpack_cts::runner {
namespace {

/// Returns an error instead of an exception: if the files cannot be written, the results are still printed.
std::optional<Failure> WriteFiles(const Desk& desk, const ReportContext& context, Run& run,
                                  const Assignment& assignment, const std::string& out) {
  std::optional<Failure> failed;
  try {
    WriteFindings(desk, run, assignment, out);
  } catch (const Failure& failure) {
    failed = failure;
  }
  const std::optional<Unwritten> unwritten = WriteReports(run, context, out);
  if (!failed && unwritten) failed = Failure(unwritten->message, unwritten->hint);
  return failed;
}

void TellStale(const Run& run) {
  for (const std::string& sentence : run.footer.stale) {
    Tell("dlpack-cts: stale expectation: " + OneLine(sentence) +
         "\n  hint: correct or remove the entry, or let --update remove it; if other versions still deviate, give it a "
         "condition such as versions = \"<2.5\"\n");
  }
}

}  // namespace

ReportContext ContextOf(const Desk& desk) {
  ReportContext context;
  for (const auto& [id, rule] : desk.rules) {
    context.rules.push_back({id, rule.requirement, rule.source, rule.strength, std::string(ToText(rule.breach))});
  }
  return context;
}

int Publish(const Desk& desk, const Assignment& assignment, Judged& judged) {
  Run& run = judged.run;
  const ReportContext context = ContextOf(desk);
  const Options& options = assignment.options;
  int status = run.footer.unexpected > 0 ? kUnexpected : kAsExpected;
  std::string html;
  std::optional<Failure> unwritten;
  if (!options.out.empty()) {
    unwritten = WriteFiles(desk, context, run, assignment, options.out);
    if (!unwritten) html = options.out + "/index.html";
  }
  std::ostringstream text;
  if (options.format == "json") PrintNdjson(run, text);
  TextStyle style = StyleOfOutput(options.color);
  style.readings = options.census;
  if (options.format == "tree") PrintTree(run, context, text, style, html);
  const std::optional<Failure> unprinted = Print(text.str());
  const bool whole = !run.footer.interrupted && !judged.trouble;
  std::optional<Failure> unlisted;
  if (options.update && whole) {
    try {
      UpdateFile(assignment.expectations, judged.stale, run);
    } catch (const Failure& failure) {
      unlisted = failure;
    }
  } else if (options.update) {
    Tell("dlpack-cts: " + OneLine(assignment.expectations.file()) +
         ": not updated, because the run did not complete\n");
  } else {
    TellStale(run);
  }
  for (const std::optional<Failure>& failure : {unwritten, unprinted, unlisted, judged.trouble}) {
    if (failure) status = std::max(status, Report(*failure));
  }
  return run.footer.interrupted ? kInterrupted : status;
}

}  // namespace dlpack_cts::runner
