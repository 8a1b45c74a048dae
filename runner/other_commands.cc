// runner/other_commands.cc: `report` and `env`.
#include <algorithm>
#include <iostream>

#include "reports/reports.h"
#include "results/tally.h"
#include "runner/failure.h"
#include "runner/interrupt.h"
#include "runner/judge.h"
#include "runner/options.h"
#include "runner/places.h"
#include "runner/print.h"
#include "runner/terminal.h"

namespace dlpack_cts::runner {
namespace {

ReportContext ContextOf(const Desk& desk) {
  ReportContext context;
  for (const auto& [id, rule] : desk.rules) {
    context.rules.push_back({id, rule.requirement, rule.source, rule.strength, std::string(ToText(rule.breach))});
  }
  return context;
}

/// What the footer says has to agree with the lines: a file that somebody shortened or mended is not believed. Stale
/// expectations are unexpected too, and have no line.
Run ReadWhole(const std::string& file) {
  Run run;
  std::string error;
  const char* hint = "result files are written by dlpack-cts run --out DIR";
  if (!ReadRun(file, &run, &error)) throw Failure(error, hint);
  const bool agrees = run.footer.counts == CountsOf(run.results) && run.footer.unexpected >= CountUnexpected(run);
  if (!agrees)
    throw Failure(file + ": the footer's counts are not those of the lines; somebody changed the file", hint);
  return run;
}

/// Where the reports of one of several files go, below --out: by its library, and by its version too where several
/// files are about one library. Both come from the file, and are made names first.
std::string FolderOf(const Run& run, const std::vector<Run>& all, std::vector<std::string>& taken) {
  const auto same = [&](const Run& other) { return other.header.library == run.header.library; };
  std::string name = PlainName(run.header.library);
  if (std::count_if(all.begin(), all.end(), same) > 1) name += "-" + PlainName(run.header.library_version);
  taken.push_back(UnusedName(name, taken));
  return taken.back();
}

}  // namespace

int ReportCommand(const Options& options) {
  const ReportContext context = ContextOf(OpenDesk());
  int status = kAsExpected;
  std::vector<Run> runs;
  for (const std::string& file : options.files) {
    try {
      runs.push_back(ReadWhole(file));
    } catch (const Failure& failure) {
      if (Interrupted()) break;
      status = std::max(status, Report(failure));
    }
  }
  std::vector<std::string> taken;
  for (const Run& run : runs) {
    if (!options.census) PrintTree(run, std::cout, StyleOfOutput(options.color));
    status = std::max<int>(status, run.footer.unexpected > 0 ? kUnexpected : kAsExpected);
    if (options.out.empty()) continue;
    const std::string folder = options.files.size() > 1 ? options.out + "/" + FolderOf(run, runs, taken) : options.out;
    std::string error;
    if (!WriteReports(run, context, folder, &error)) {
      status = std::max(status, Report(Failure(error, "choose another folder with --out")));
    }
  }
  if (options.census) PrintCensus(runs, std::cout);
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
