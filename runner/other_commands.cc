// runner/other_commands.cc: `report` and `env`.
#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "reports/reports.h"
#include "runner/failure.h"
#include "runner/judge.h"
#include "runner/options.h"
#include "runner/places.h"
#include "runner/print.h"

namespace dlpack_cts::runner {
namespace {

int ReportOne(const Desk& desk, const std::string& file, const Options& options) {
  Run run;
  std::string error;
  if (!ReadRun(file, &run, &error)) throw Failure(error, "result files are written by dlpack-cts run --out DIR");
  PrintTree(run, std::cout, isatty(STDOUT_FILENO) != 0);
  if (!options.out.empty()) {
    ReportContext context;
    for (const auto& [id, rule] : desk.rules) {
      context.rules.push_back({id, rule.requirement, rule.source, rule.strength, std::string(ToText(rule.breach))});
    }
    const std::string folder = options.files.size() > 1 ? options.out + "/" + run.header.library : options.out;
    if (!WriteReports(run, context, folder, &error)) throw Failure(error, "choose another folder with --out");
  }
  return run.footer.unexpected > 0 ? kUnexpected : kAsExpected;
}

}  // namespace

int ReportCommand(const Options& options) {
  const Desk desk = OpenDesk();
  int status = kAsExpected;
  for (const std::string& file : options.files) {
    try {
      status = std::max(status, ReportOne(desk, file, options));
    } catch (const Failure& failure) {
      status = std::max(status, Report(failure));
    }
  }
  return status;
}

int EnvCommand(const Options& options) {
  const Library library = SelectLibrary(FindLibraries(DataFolder(), options.adapters), options.libraries.front());
  if (!library.IsPython()) throw Failure(library.name + " is native and has no environment", "nothing is to be done");
  if (options.what != "create" && options.what != "path") {
    throw Failure("env has no verb " + options.what, "verbs are create and path");
  }
  std::cout << PrepareEnvironment(library).python << "\n";
  return kAsExpected;
}

}  // namespace dlpack_cts::runner
