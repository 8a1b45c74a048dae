// runner/cli/command_line.cc: the commands of dlpack-cts, each with its options, an example and the exit statuses.
#include "runner/cli/command_line.h"

#include <fmt/format.h>

#include "runner/campaign/targets.h"
#include "runner/cli/common_options.h"
#include "runner/cli/help.h"
#include "runner/run/assignment.h"

namespace dlpack_cts::runner {
namespace {

constexpr char kLists[] =
    "\nLists:\n"
    "  rules: requirements of the DLPack specification, and why one is not tested\n"
    "  cases: test cases, with their rules\n"
    "  libraries: libraries that have an adapter\n"
    "  mutants: variants of the reference: mutants have a deliberate defect, the others conform\n"
    "  choices: questions that the specification leaves open, with the possible answers\n"
    "  freedoms: choices of a library that may differ from the reference\n"
    "  homes: attributions (which rule a violated fact is attributed to)\n"
    "  coordinates: properties of an exchange, with the values that can be a trigger\n"
    "  targets: fuzz targets\n";

constexpr char kWrongFinding[] =
    "\nIf you think that a finding is wrong, CONTRIBUTING.md says what to check and what to report.\n";

/// A command without options; the caller adds them.
CLI::App* Command(CLI::App& app, CommandLine& line, const std::string& name, const std::string& what,
                  std::function<int(Options&)> handler) {
  CLI::App* sub = app.add_subcommand(name, what)->group("Commands");
  sub->callback([&line, handler = std::move(handler)] { line.handler = handler; });
  return sub;
}

void DeclareRuns(CLI::App& app, CommandLine& line) {
  Options& o = line.options;
  CLI::App* run = Command(app, line, "run", "test libraries", &RunCommandLine);
  run->add_option("LIBRARY", o.libraries, "NAME or NAME==VERSION")->default_str("the libraries of --adapter, or numpy");
  AddCommon(run, o);
  AddSelection(run, o);
  AddSweep(run, o.run.sweep)->each([&o](const std::string&) { o.run.sweep_given = true; });
  AddLevel(run, o);
  AddWorkers(run, o);
  AddTimeLimit(run, o);
  AddShardOfRun(run, o, "cases");
  run->add_flag("--census", o.census,
                "list the observed choices (what the library does where the specification leaves it open); "
                "default: only their number is printed");
  AddUpdate(run, o);
  run->footer(Footer("dlpack-cts run numpy torch==2.9.1 --out report", kWrongFinding));

  CLI::App* interop = Command(app, line, "interop", "test every pair of producer and consumer", &InteropCommand);
  interop->add_option("LIBRARY", o.libraries, "two or more libraries")->default_str("none");
  interop->add_flag("--all", o.every_pair,
                    "test every library that has an adapter and arrays in host memory, and print only a matrix; "
                    "default: the libraries that are named");
  AddCommon(interop, o);
  AddSelection(interop, o);
  AddSweep(interop, o.run.sweep)
      ->each([&o](const std::string&) { o.run.sweep_given = true; })
      ->default_str(std::to_string(kPairSweep));
  AddLevel(interop, o);
  AddWorkers(interop, o);
  AddTimeLimit(interop, o);
  AddShardOfRun(interop, o, "pairs");
  AddUpdate(interop, o);
  interop->footer(Footer("dlpack-cts interop numpy torch"));
}

void DeclareCatalogue(CLI::App& app, CommandLine& line) {
  Options& o = line.options;
  CLI::App* list = Command(app, line, "list", "list rules, cases, libraries, mutants or other tables", &ListCommand);
  list->add_option("WHAT", o.what, "name of the list; see below")->required();
  AddAdapter(list, o);
  list->add_flag("--json", o.json, "print JSON; default: text");
  list->footer(Footer("dlpack-cts list rules", kLists));

  CLI::App* explain =
      Command(app, line, "explain", "explain a rule, a case, a cause or another word of a report", &ExplainCommand);
  explain
      ->add_option(
          "ID", o.what,
          "id of a rule, case, cause, choice (A-16) or chapter of rules (C-STRIDES), a folder of cases, or a word "
          "of a report: verdict, strength, mark, step, trigger, or from the glossary; upper and lower case are "
          "the same, and so are '-', '_' and blanks")
      ->required();
  explain
      ->add_option("--in", o.results, "results of a run that has the cause ID, to print its rule, example and values")
      ->type_name("OUT")
      ->default_str("none");
  explain->footer(Footer("dlpack-cts explain C-STRIDES-03"));

  CLI::App* mutants =
      Command(app, line, "mutants", "run the suites on every mutant and print the kill matrix", &MutantsCommand);
  mutants->add_option("MUTANT", o.mutants, "names or globs; A+B is one mutant with both defects")->default_str("all");
  mutants->add_option("--on", o.shape, "apply the mutants to this conforming variant of the reference")
      ->type_name("NAME")
      ->default_str("none");
  mutants->add_flag("--json", o.json, "print JSON; default: text");
  AddSeed(mutants, o);
  AddSelect(mutants, o);
  AddSweep(mutants, o.mutants_sweep);
  AddShard(mutants, o, "mutants");
  mutants->add_option("--python", o.run.python, "interpreter for the reference")
      ->type_name("PATH")
      ->default_str("python3");
  mutants->footer(Footer("dlpack-cts mutants 'adds-*'"));
}

void DeclareReplayAndFuzz(CLI::App& app, CommandLine& line) {
  Options& o = line.options;
  CLI::App* replay = Command(app, line, "replay", "run findings again, or one fuzz input", &ReplayCommand);
  replay
      ->add_option("FILE", o.files,
                   "OUT/findings/CASE.json, OUT/causes/CAUSE.json, OUT/findings/CAUSE/finding.json of a campaign, "
                   "a folder with such files, or an input that libFuzzer kept")
      ->required();
  replay->add_option("--library", o.libraries, "library for a fuzz input")
      ->type_name("NAME")
      ->expected(1)
      ->default_str("none");
  AddCommon(replay, o);
  AddExpectations(replay, o);
  AddShard(replay, o, "findings");
  replay->add_option("--keep", o.keep, "folder to which findings that show again are copied, as DIR/LIBRARY/CAUSE.json")
      ->type_name("DIR")
      ->default_str("none");
  replay
      ->add_option(
          "--debugger", o.debugger,
          "run the exchange of one finding once, without a fork, under this command, such as 'gdb --args'; for "
          "Python libraries and native plug-ins")
      ->type_name("COMMAND")
      ->default_str("none");
  replay->footer(
      Footer("dlpack-cts replay report/findings/c-abi.flags.copy-is-flagged.json",
             "\nWith several files or a folder, it prints a line for each finding. known, shown, fixed, seldom\n"
             "and not judged are as the known deviations say. unlisted, gone and wrong are not: status 1.\n"));

  CLI::App* fuzz =
      Command(app, line, "fuzz", "run random exchanges of a library, for as long as you choose", &FuzzCommand);
  CLI::Option* target = fuzz->add_option("TARGET", o.fuzz_target, "fuzz target; see below");
  fuzz->add_option("LIBRARY", o.libraries, "library to fuzz; for the target pair: a producer and a consumer")
      ->expected(1, 2);
  CLI::Option* merge =
      fuzz->add_option("--merge", o.fuzz_merge, "instead: add the campaigns in these folders to that of --out")
          ->type_name("DIR...")
          ->default_str("none");
  CLI::Option* minimize = fuzz->add_option("--minimize", o.fuzz_minimize,
                                           "instead: make this finding simpler, and write it beside as NAME.min.json")
                              ->type_name("FILE")
                              ->default_str("none");
  minimize->excludes(target)->excludes(merge);
  merge->excludes(target);
  CLI::Option* seconds = AddNumber(fuzz, "--seconds", o.fuzz_seconds, "duration of the campaign, in seconds");
  seconds->default_str("30, or no limit with --runs");
  AddNumber(fuzz, "--runs", o.fuzz_runs, "number of exchanges")
      ->default_str("no limit")
      ->each([&o, seconds](const std::string&) {
        if (seconds->count() == 0) o.fuzz_seconds = 0;
      });
  AddSeed(fuzz, o);
  AddNumber(fuzz, "--jobs", o.jobs, "number of processes that run exchanges");
  AddNumber(fuzz, "--timeout", o.fuzz_timeout, "time limit of one exchange, in seconds");
  AddNumber(fuzz, "--memory", o.fuzz_memory, "memory limit of one process, in MiB");
  AddExpectations(fuzz, o);
  AddOut(fuzz, o, "the campaign, which is continued if it is there", "dlpack-cts-fuzz-out");
  AddAdapter(fuzz, o);
  AddPython(fuzz, o);
  std::string targets = "\nTargets:\n";
  for (const FuzzTarget& target : FuzzTargets()) targets += fmt::format("  {}: {}\n", target.name, target.what);
  fuzz->footer(Footer("dlpack-cts fuzz import numpy --seconds 600", targets));
}

void DeclareReportEnvAndDoctor(CLI::App& app, CommandLine& line) {
  Options& o = line.options;
  CLI::App* report = Command(app, line, "report", "create reports from result files", &ReportCommand);
  report
      ->add_option("RESULTS", o.files,
                   "results.ndjson files, or folders that run --out wrote; shards of a run are merged")
      ->required();
  report->add_flag("--census", o.census,
                   "print only the observed choices of all files, library by library; default: a tree for each file");
  AddOut(report, o, "the reports, and for several libraries a site about them", "no files are written");
  report
      ->add_option("--store", o.store,
                   "folder for compact results, NAME.ndjson for each library; default: none are written")
      ->type_name("DIR");
  report
      ->add_option("--history", o.history,
                   "folder with histories of libraries, which the site shows; default: it shows none")
      ->type_name("DIR");
  AddColor(report, o);
  AddVerbose(report, o);
  report->footer(Footer("dlpack-cts report report/results.ndjson --out again"));

  CLI::App* history =
      Command(app, line, "history", "add releases of a library to the file of its history", &HistoryCommand);
  history->add_option("DIR", o.history, "folder of the histories, NAME.ndjson for each library")->required();
  history->add_option("RESULTS", o.files, "results.ndjson files, or folders that run --out wrote");
  history->add_option("--not-judged", o.not_judged, "instead: a release that was not judged")
      ->type_name("NAME==VERSION")
      ->default_str("none");
  history->add_option("--reason", o.reason, "why it was not judged, as one sentence")
      ->type_name("SENTENCE")
      ->default_str("none");
  history->footer(Footer("dlpack-cts history reports/history report"));

  CLI::App* diff = Command(app, line, "diff", "compare two stored runs: what is worse, what is better", &DiffCommand);
  diff->add_option("OLD", o.old_results, "results.ndjson, or a folder that run --out wrote")->required();
  diff->add_option("NEW", o.new_results, "the same, of the later run")->required();
  OneOf(diff->add_option("--format", o.format, "output format on standard output")->capture_default_str(),
        {"tree", "markdown"});
  AddColor(diff, o);
  diff->footer(Footer("dlpack-cts diff baseline/results.ndjson report",
                      "\nWorse (exit status 1): a deviation that OLD lacks, a graver verdict, or a PASS that is\n"
                      "now SKIP or BLOCKED.\n"));

  CLI::App* issue = Command(
      app, line, "issue", "draft an issue about one cause for the tracker of the library, in Markdown", &IssueCommand);
  issue->add_option("RESULTS", o.results, "results.ndjson, or a folder that run --out wrote")->required();
  issue->add_option("CAUSE", o.what, "id of a cause of that run; a part of it is enough if it is unique")->required();
  issue->footer(Footer("dlpack-cts issue report import/place/byte-offset"));

  CLI::App* adapter =
      Command(app, line, "adapter", "write the skeleton of an adapter, or check an adapter", &AdapterCommand);
  adapter
      ->add_option(
          "VERB", o.what,
          "new: write a working adapter with a toy library into DIR; check: run the checks of the adapter in DIR, "
          "print what it imports and exports, and which claims it could add")
      ->required();
  adapter->add_option("DIR", o.files, "folder of the adapter; for new, a folder that is new or empty")
      ->required()
      ->expected(1);
  AddPython(adapter, o);
  adapter->footer(Footer("dlpack-cts adapter new ../mine"));

  CLI::App* env = Command(app, line, "env", "make, find, list or remove Python environments", &EnvCommand);
  env->add_option("VERB", o.what,
                  "create, path: make the environment if it is missing, and print its interpreter; list: print "
                  "name, size and folder of each; remove: remove those of a library, or one by its name")
      ->required();
  env->add_option("LIBRARY", o.libraries, "library, or a name from env list")->expected(0, 1)->default_str("none");
  AddAdapter(env, o);
  env->footer(Footer("dlpack-cts env create torch"));

  CLI::App* doctor =
      Command(app, line, "doctor", "show which files and interpreter are used, and what is missing", &DoctorCommand);
  AddPython(doctor, o);
  doctor->footer(Footer("dlpack-cts doctor"));
}

}  // namespace

void Declare(CLI::App& app, CommandLine& line) {
  ShapeHelp(app);
  app.set_version_flag("--version", VersionText(),
                       "print the version of dlpack-cts and the versions of DLPack that it tests");
  DeclareRuns(app, line);
  DeclareCatalogue(app, line);
  DeclareReplayAndFuzz(app, line);
  DeclareReportEnvAndDoctor(app, line);
  for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    for (CLI::Option* option : command->get_options()) {
      if (option->get_type_size() > 0) option->check(IsNotEmpty);
    }
  }
  app.footer(Footer("dlpack-cts run numpy", "  (dlpack-cts COMMAND --help shows the options of a command)\n"));
  app.require_subcommand(1);
}

}  // namespace dlpack_cts::runner
