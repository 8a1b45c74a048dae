// runner/publish.cc: what a user gets of a run: terminal, NDJSON, reports, findings.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <sstream>

#include "reports/ndjson.h"
#include "reports/reports.h"
#include "reports/text.h"
#include "runner/failure.h"
#include "runner/finding.h"
#include "runner/judge.h"
#include "runner/print.h"

namespace dlpack_cts::runner {
namespace {

ReportContext ContextOf(const Desk& desk) {
  ReportContext context;
  for (const auto& [id, rule] : desk.rules) {
    context.rules.push_back({id, rule.requirement, rule.source, rule.strength, std::string(ToText(rule.breach))});
  }
  return context;
}

/// Without exceptions: what cannot be kept in files is still printed.
std::optional<Failure> WriteFiles(const Desk& desk, Run& run, const Library& library, const std::string& out) {
  std::string error;
  std::string ignored;
  const bool findings = WriteFindings(desk, run, library, out, &error);
  const bool reports = WriteReports(run, ContextOf(desk), out, findings ? &error : &ignored);
  if (findings && reports) return {};
  const size_t hint = error.rfind("; ");
  if (hint == std::string::npos) return Failure(error, "choose another folder with --out");
  return Failure(error.substr(0, hint), error.substr(hint + 2));
}

}  // namespace

int Publish(const Desk& desk, Run& run, const Library& library, const Options& options,
            const std::vector<std::string>& stale, const std::optional<Failure>& trouble) {
  int status = run.footer.unexpected > 0 ? kUnexpected : kAsExpected;
  std::string html;
  std::optional<Failure> unwritten;
  if (!options.out.empty()) {
    unwritten = WriteFiles(desk, run, library, options.out);
    if (!unwritten) html = options.out + "/index.html";
  }
  std::ostringstream text;
  if (options.format == "json") PrintNdjson(run, text);
  if (options.format == "tree") PrintTree(run, text, isatty(STDOUT_FILENO) != 0, html);
  const std::optional<Failure> unprinted = Print(text.str());
  for (const std::string& sentence : stale) {
    std::fprintf(stderr, "dlpack-cts: stale expectation: %s\n  hint: mend or remove that entry\n",
                 OneLine(sentence).c_str());
  }
  const bool interrupted = run.footer.interrupted && !trouble;
  for (const std::optional<Failure>& failure : {unwritten, unprinted, trouble}) {
    if (failure) status = std::max(status, Report(*failure));
  }
  return interrupted ? kInterrupted : status;
}

}  // namespace dlpack_cts::runner
