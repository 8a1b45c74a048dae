// runner/command_line.cc: the commands of dlpack-cts, each with its options, an example and the exit statuses.
#include "runner/command_line.h"

#include "runner/common_options.h"
#include "runner/help.h"

namespace dlpack_cts::runner {
namespace {

/// A command with its options still to come.
CLI::App* Command(CLI::App& app, CommandLine& line, const std::string& name, const std::string& what,
                  std::function<int(Options&)> handler) {
  CLI::App* sub = app.add_subcommand(name, what)->group("Commands");
  sub->callback([&line, handler = std::move(handler)] { line.handler = handler; });
  return sub;
}

void DeclareRuns(CLI::App& app, CommandLine& line) {
  Options& o = line.options;
  CLI::App* run = Command(app, line, "run", "judge libraries", &RunCommandLine);
  run->add_option("LIBRARY", o.libraries, "NAME or NAME==VERSION")->default_str("numpy");
  AddCommon(run, o);
  AddSelection(run, o);
  AddSweep(run, o.run.sweep)->each([&o](const std::string&) { o.run.sweep_given = true; });
  OneOf(run->add_option("--level", o.level, "how strong the rules are that are judged")->capture_default_str(),
        {"must", "should", "all"});
  AddWorkers(run, o);
  run->add_flag("--census", o.census,
                "list how the library reads each choice that the specification leaves; default: they are counted");
  run->add_flag("--update", o.update,
                "rewrite the file of known deviations: what is unexpected is added, what is no longer seen goes; "
                "default: it is only read");
  run->footer(Footer("dlpack-cts run numpy torch==2.9.1 --out report"));

  CLI::App* interop = Command(app, line, "interop", "every producer with every consumer", &InteropCommand);
  interop->add_option("LIBRARY", o.libraries, "two or more libraries")->required();
  AddCommon(interop, o);
  AddSelection(interop, o);
  AddWorkers(interop, o);
  interop->footer(Footer("dlpack-cts interop numpy torch"));
}

void DeclareCatalogue(CLI::App& app, CommandLine& line) {
  Options& o = line.options;
  CLI::App* list = Command(
      app, line, "list", "rules, cases, libraries, mutants, ambiguities, freedoms, homes, coordinates or fuzz targets",
      &ListCommand);
  list->add_option("WHAT", o.what,
                   "rules, cases, libraries, mutants, ambiguities, freedoms, homes, coordinates, targets")
      ->required();
  AddAdapter(list, o);
  list->add_flag("--json", o.json, "print JSON; default: text");
  list->footer(Footer("dlpack-cts list rules"));

  CLI::App* explain =
      Command(app, line, "explain", "a rule, case or cause: text, source, cases, mutants, ambiguity", &ExplainCommand);
  explain->add_option("ID", o.what, "rule, case or cause")->required();
  explain->footer(Footer("dlpack-cts explain C-STRIDES-03"));

  CLI::App* mutants =
      Command(app, line, "mutants", "run the suites on every mutant, print the kill matrix", &MutantsCommand);
  mutants->add_option("MUTANT", o.mutants, "names or globs; A+B has both defects")->default_str("all");
  mutants->add_option("--on", o.shape, "a conforming variant on top of which the mutants are applied")
      ->type_name("NAME")
      ->default_str("none");
  mutants->add_flag("--json", o.json, "print JSON; default: text");
  AddSeed(mutants, o);
  AddSelect(mutants, o);
  AddSweep(mutants, o.mutants_sweep);
  mutants->add_option("--python", o.run.python, "interpreter for the reference")
      ->type_name("PATH")
      ->default_str("python3");
  mutants->footer(Footer("dlpack-cts mutants 'adds-*'"));
}

void DeclareReplayAndFuzz(CLI::App& app, CommandLine& line) {
  Options& o = line.options;
  CLI::App* replay = Command(app, line, "replay", "run one finding again", &ReplayCommand);
  replay->add_option("FILE", o.what, "OUT/findings/CASE.json, or an input that fuzz kept")->required();
  replay->add_option("--library", o.libraries, "library, for an input that does not name it")
      ->type_name("NAME")
      ->expected(1)
      ->default_str("the one in the file");
  AddCommon(replay, o);
  replay->footer(Footer("dlpack-cts replay report/findings/c-abi.flags.copy-is-flagged.json"));

  CLI::App* fuzz = Command(app, line, "fuzz", "fuzz a library", &FuzzCommand);
  fuzz->add_option("TARGET", o.fuzz_target, "what is fuzzed; see below")->required();
  fuzz->add_option("LIBRARY", o.libraries, "library to fuzz")->required()->expected(1);
  AddNumber(fuzz, "--seconds", o.fuzz_seconds, "how long");
  AddNumber(fuzz, "--jobs", o.jobs, "processes side by side");
  AddNumber(fuzz, "--timeout", o.fuzz_timeout, "seconds that one exchange may take");
  AddNumber(fuzz, "--memory", o.fuzz_memory, "megabytes that one job may use");
  CLI::Option* tier =
      fuzz->add_option("--tier", o.fuzz_tier, "how odd inputs are; of hostile ones only memory safety is asked");
  OneOf(tier->default_str("edge"), {"legal", "edge", "hostile"});
  AddExpectations(fuzz, o);
  AddOut(fuzz, o, "corpus and findings", "dlpack-cts-fuzz-out");
  AddAdapter(fuzz, o);
  AddPython(fuzz, o);
  fuzz->footer([]() -> std::string {  // asks another program, so only when it is shown
    std::string targets = "\nTargets:\n";
    for (const FuzzTarget& target : FuzzTargets()) targets += "  " + target.name + ": " + target.what + "\n";
    return Footer("dlpack-cts fuzz import numpy --seconds 60", targets);
  });
}

void DeclareReportAndEnv(CLI::App& app, CommandLine& line) {
  Options& o = line.options;
  CLI::App* report = Command(app, line, "report", "render result files again", &ReportCommand);
  report->add_option("RESULTS", o.files, "results.ndjson files")->required();
  report->add_flag(
      "--census", o.census,
      "print the readings of all files, library by library, and nothing else; default: a tree for each file");
  AddOut(report, o, "the reports", "none are written");
  AddColor(report, o);
  report->footer(Footer("dlpack-cts report report/results.ndjson --out again"));

  CLI::App* env = Command(app, line, "env", "make or find a library's environment", &EnvCommand);
  env->add_option("VERB", o.what, "create or path")->required();
  env->add_option("LIBRARY", o.libraries, "library")->required()->expected(1);
  AddAdapter(env, o);
  env->footer(Footer("dlpack-cts env create torch"));
}

}  // namespace

void Declare(CLI::App& app, CommandLine& line) {
  ShapeHelp(app);
  app.set_version_flag("--version", VersionText(), "print the version, and the versions of DLPack that are judged");
  DeclareRuns(app, line);
  DeclareCatalogue(app, line);
  DeclareReplayAndFuzz(app, line);
  DeclareReportAndEnv(app, line);
  for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    for (CLI::Option* option : command->get_options()) {
      if (option->get_type_size() > 0) option->check(IsNotEmpty);
    }
  }
  app.footer(Footer("dlpack-cts run numpy", "  (dlpack-cts COMMAND --help tells more)\n"));
  app.require_subcommand(1);
}

}  // namespace dlpack_cts::runner
