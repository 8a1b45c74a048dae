// runner/publish.cc: what a user gets of a run: terminal, NDJSON, reports, findings.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "reports/ndjson.h"
#include "reports/reports.h"
#include "runner/failure.h"
#include "runner/finding.h"
#include "runner/judge.h"

namespace dlpack_cts {
namespace {

ReportContext ContextOf(const Desk& desk) {
  ReportContext context;
  for (const auto& [id, rule] : desk.rules) {
    context.rules.push_back({id, rule.requirement, rule.source, rule.strength, std::string(ToText(rule.breach))});
  }
  return context;
}

}  // namespace

int Publish(const Desk& desk, Run& run, const Library& library, const Options& options,
            const std::vector<std::string>& stale) {
  int status = run.footer.unexpected > 0 ? kUnexpected : kAsExpected;
  std::string html;
  std::string trouble;
  if (!options.out.empty()) {
    std::string error;
    if (!WriteFindings(desk, run, library, options.out, &error) ||
        !WriteReports(run, ContextOf(desk), options.out, &error)) {
      trouble = error;
      status = kUsage;
    } else {
      html = options.out + "/index.html";
    }
  }
  if (options.format == "json") {
    PrintNdjson(run, std::cout);
    std::cout.flush();
  } else if (options.format == "tree") {
    PrintTree(run, std::cout, isatty(STDOUT_FILENO) != 0, html);
    std::cout.flush();
  }
  for (const std::string& sentence : stale) std::cerr << "dlpack-cts: stale expectation: " << sentence << "\n";
  if (!std::cout) {
    std::cerr << "dlpack-cts: standard output cannot be written: is the disk full?\n";
    status = kUsage;
  }
  if (!trouble.empty()) std::cerr << "dlpack-cts: " << trouble << "\n";
  return run.footer.interrupted ? kInterrupted : status;
}

}  // namespace dlpack_cts
