// runner/main.cc: the command line of dlpack-cts.
#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <thread>

#include "results/roomy_stack.h"
#include "runner/failure.h"
#include "runner/glob.h"
#include "runner/interrupt.h"
#include "runner/options.h"
#include "runner/print.h"

namespace dlpack_cts::runner {
namespace {

using Handler = int (*)(Options&);

struct Line {
  Options options;
  Handler handler = nullptr;
};

/// CLI11 takes -1 for the largest number.
std::string IsSeed(const std::string& text) {
  const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  if (text == "random") return "";
  return digits && text.size() < 20 ? ""
                                    : text + " is neither \"random\" nor a number from 0 on of less than 20 digits";
}

/// CLI11's own check names the largest double as the other end of the range.
std::string IsPositive(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return end != text.c_str() && *end == '\0' && value > 0 && value < 1e9 ? "" : text + " is no number above 0";
}

/// What it drew is printed, and the replay commands name it.
void AddSeed(CLI::App* sub, Options& o) {
  const auto set = [&o](const std::string& text) {
    o.run.seed = text == "random" ? std::random_device()() % 1000000000 : std::stoull(text);
  };
  sub->add_option_function<std::string>("--seed", set, "seed of the run, or random; default " + std::to_string(kSeed))
      ->check(IsSeed)
      ->type_name("N|random");
}

/// One process for each core, unless told otherwise.
void AddWorkers(CLI::App* sub, Options& o) {
  o.workers = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  sub->add_option("-j", o.workers, "worker processes at the same time; default one per core")->check(IsPositive);
}

void AddCommon(CLI::App* sub, Options& o) {
  sub->add_option("--adapter", o.adapters, "an adapter folder outside the tree (repeatable)");
  sub->add_option("--python", o.run.python, "environment (or its bin/python) that has the library");
  AddSeed(sub, o);
  sub->add_option("--timeout", o.run.case_seconds, "seconds that one example may take (docs/processes.md)")
      ->check(IsPositive);
  sub->add_option("--memory", o.run.memory_mb, "megabytes that a library may use")->check(IsPositive);
  sub->add_option("--examples", o.run.examples, "examples of each property")
      ->check(IsPositive)
      ->each([&o](const std::string&) { o.run.examples_given = true; });
  sub->add_option("--out", o.out, "folder for results and reports");
  sub->add_option("--format", o.format, "what goes to standard output")
      ->check(CLI::IsMember({"tree", "json", "quiet"}));
}

void AddSelection(CLI::App* sub, Options& o) {
  sub->add_option("--select", o.run.select, "globs of case ids");
  sub->add_option("--role", o.run.roles, "roles to judge")->check(CLI::IsMember({"producer", "consumer", "exchange"}));
  sub->add_option("--pythonpath", o.run.pythonpath, "folders put in front of sys.path");
  sub->add_option("--expectations", o.expectations, "file of known deviations, in place of the adapter's");
}

void Declare(CLI::App& app, Line& line) {
  Options& o = line.options;
  CLI::App* run = app.add_subcommand("run", "judge libraries (default numpy)");
  run->add_option("LIBRARY", o.libraries, "NAME or NAME==VERSION");
  AddCommon(run, o);
  AddSelection(run, o);
  run->add_option("--sweep", o.run.sweep, "exchanges judged whole, beside the reference, in each direction; 0: none")
      ->check(CLI::NonNegativeNumber);
  run->add_option("--level", o.level, "must, should or all")->check(CLI::IsMember({"must", "should", "all"}));
  AddWorkers(run, o);
  run->callback([&line] { line.handler = &RunCommandLine; });

  CLI::App* interop = app.add_subcommand("interop", "every producer with every consumer");
  interop->add_option("LIBRARY", o.libraries, "two or more libraries")->required();
  AddCommon(interop, o);
  AddSelection(interop, o);
  AddWorkers(interop, o);
  interop->callback([&line] { line.handler = &InteropCommand; });

  CLI::App* list = app.add_subcommand("list", "rules, cases, libraries, mutants or fuzz targets");
  list->add_option("WHAT", o.what, "rules, cases, libraries, mutants, targets")->required();
  list->add_option("--adapter", o.adapters, "an adapter folder outside the tree (repeatable)");
  list->add_flag("--json", o.json, "print JSON");
  list->callback([&line] { line.handler = [](Options& options) { return ListCommand(options); }; });

  CLI::App* explain = app.add_subcommand("explain", "a rule or case: text, source, cases, mutants, ambiguity");
  explain->add_option("ID", o.what, "rule or case")->required();
  explain->callback([&line] { line.handler = [](Options& options) { return ExplainCommand(options); }; });

  CLI::App* mutants = app.add_subcommand("mutants", "run the suites on every mutant, print the kill matrix");
  mutants->add_option("mutants", o.mutants, "names or globs; all without");
  mutants->add_option("--on", o.shape, "a conforming variant on top of which the mutants are applied");
  mutants->add_flag("--json", o.json, "print JSON");
  AddSeed(mutants, o);
  mutants->add_option("--select", o.run.select, "globs of case ids");
  mutants->add_option("--sweep", o.mutants_sweep, "exchanges judged whole, in each direction; default 0: none")
      ->check(CLI::NonNegativeNumber);
  mutants->add_option("--python", o.run.python, "interpreter for the reference");
  mutants->callback([&line] { line.handler = [](Options& options) { return MutantsCommand(options); }; });

  CLI::App* replay = app.add_subcommand("replay", "run one finding again");
  replay->add_option("FILE", o.what, "OUT/findings/CASE.json, or an input that fuzz kept")->required();
  replay->add_option("--library", o.libraries, "library, for an input that does not name it")->expected(1);
  AddCommon(replay, o);
  replay->callback([&line] { line.handler = &ReplayCommand; });

  CLI::App* fuzz = app.add_subcommand("fuzz", "fuzz a library");
  fuzz->add_option("TARGET", o.fuzz_target, "what is fuzzed; see below")->required();
  fuzz->add_option("LIBRARY", o.libraries, "library to fuzz")->required()->expected(1);
  fuzz->add_option("--seconds", o.fuzz_seconds, "how long")->check(IsPositive);
  fuzz->add_option("--jobs", o.jobs, "processes side by side")->check(IsPositive);
  fuzz->add_option("--timeout", o.fuzz_timeout, "seconds that one exchange may take")->check(IsPositive);
  fuzz->add_option("--memory", o.fuzz_memory, "megabytes that one job may use")->check(IsPositive);
  fuzz->add_option("--tier", o.fuzz_tier, "legal, edge (default) or hostile: only memory safety is asked")
      ->check(CLI::IsMember({"legal", "edge", "hostile"}));
  fuzz->add_option("--expectations", o.expectations, "file of known deviations, in place of the adapter's");
  fuzz->add_option("--out", o.out, "folder for corpus and findings");
  fuzz->add_option("--adapter", o.adapters, "an adapter folder outside the tree (repeatable)");
  fuzz->add_option("--python", o.run.python, "environment that has the library");
  fuzz->footer([]() -> std::string {
    std::string targets = "Targets:\n";
    for (const FuzzTarget& target : FuzzTargets()) targets += "  " + target.name + ": " + target.what + "\n";
    return targets;
  });
  fuzz->callback([&line] { line.handler = [](Options& options) { return FuzzCommand(options); }; });

  CLI::App* report = app.add_subcommand("report", "render result files again");
  report->add_option("RESULTS", o.files, "results.ndjson files")->required();
  report->add_option("--out", o.out, "folder for the reports");
  report->callback([&line] { line.handler = [](Options& options) { return ReportCommand(options); }; });

  CLI::App* env = app.add_subcommand("env", "make or find a library's environment");
  env->add_option("VERB", o.what, "create or path")->required();
  env->add_option("LIBRARY", o.libraries, "library")->required()->expected(1);
  env->add_option("--adapter", o.adapters, "an adapter folder outside the tree (repeatable)");
  env->callback([&line] { line.handler = [](Options& options) { return EnvCommand(options); }; });
  app.require_subcommand(1);
}

/// CLI11's words for what is wrong, with the command that they are about.
Failure Misused(const CLI::App& app, const CLI::ParseError& error, const std::string& first) {
  std::vector<std::string> commands;
  std::string list;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    commands.push_back(command->get_name());
    list += (list.empty() ? "" : ", ") + command->get_name();
    if (command->get_name() == first) return {first + ": " + error.what(), "dlpack-cts " + first + " --help"};
  }
  if (first.empty()) return {"a command is missing", "commands are " + list};
  if (first.starts_with("-")) return {"there is no option " + first + " before a command", "dlpack-cts --help"};
  const std::string near = Nearest(first, commands);
  return {"there is no command " + first, near.empty() ? "commands are " + list : near};
}

/// Where the working folder is gone nothing relative means anything, and much that we call aborts.
void StandSomewhere(const Options& options, bool replays) {
  std::error_code gone;
  [[maybe_unused]] const std::filesystem::path here = std::filesystem::current_path(gone);
  if (!gone) return;
  std::vector<std::string> paths = options.adapters;
  for (const auto* list : {&options.run.pythonpath, &options.files})
    paths.insert(paths.end(), list->begin(), list->end());
  paths.insert(paths.end(), {options.out, options.expectations, replays ? options.what : ""});
  if (options.run.python.find('/') != std::string::npos) paths.push_back(options.run.python);
  for (const std::string& path : paths) {
    if (path.empty() || path.front() == '/') continue;
    throw Failure("the working folder is gone, so " + path + " names nothing",
                  "change to a folder that exists, or give absolute paths");
  }
  std::filesystem::current_path("/", gone);
}

int Main(int argc, char** argv) {
  CLI::App app("dlpack-cts: judges DLPack producers and consumers", "dlpack-cts");
  app.set_version_flag("--version", DLPACK_CTS_VERSION);
  Line line;
  for (int i = 0; i < argc; ++i) line.options.command += (i > 0 ? " " : "") + std::string(argv[i]);
  Declare(app, line);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& e) {
    return app.exit(e);
  } catch (const CLI::CallForVersion& e) {
    return app.exit(e);
  } catch (const CLI::ParseError& e) {
    throw Misused(app, e, argc > 1 ? argv[1] : "");
  }
  CatchInterrupts();
  CollectedOutput output;
  int status = kAsExpected;
  try {
    StandSomewhere(line.options, line.handler == &ReplayCommand);
    status = line.handler(line.options);
  } catch (const Failure& failure) {
    // What an interrupt broke off is nobody's mistake; that it did may be told.
    status = Interrupted() && failure.status() != kInterrupted ? static_cast<int>(kInterrupted) : Report(failure);
  } catch (const std::exception& e) {
    status = Report(Failure(e.what(), "this is a fault of dlpack-cts; please report it", kHarness));
  }
  const std::optional<Failure> unprinted = output.Flush();
  if (unprinted) status = std::max(status, Report(*unprinted));
  return Interrupted() ? kInterrupted : status;
}

/// A descriptor that is closed from the start would go to the next file that is opened.
void OpenStandardStreams() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    if (fcntl(fd, F_GETFD) == -1) open("/dev/null", fd == STDIN_FILENO ? O_RDONLY : O_WRONLY);
  }
}

}  // namespace

int Started(int argc, char** argv) {
  try {
    OpenStandardStreams();
    return Main(argc, argv);
  } catch (const Failure& failure) {
    return Report(failure);
  } catch (const std::exception& e) {
    return Report({e.what(), "this is a fault of dlpack-cts; please report it", kHarness});
  }
}

}  // namespace dlpack_cts::runner

int main(int argc, char** argv) {
  return dlpack_cts::OnRoomyStack([=] { return dlpack_cts::runner::Started(argc, argv); });
}
