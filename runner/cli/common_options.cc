// runner/cli/common_options.cc: options that several commands share.
#include "runner/cli/common_options.h"

#include <algorithm>
#include <cstdlib>
#include <random>
#include <thread>

namespace dlpack_cts::runner {
namespace {

constexpr double kTooMuch = 1e9;

/// CLI11 parses -1 as the largest number.
std::string IsSeed(const std::string& text) {
  const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  if (text == "random") return "";
  return digits && text.size() < 20 ? "" : text + " is not \"random\" or a number from 0 to 9999999999999999999";
}

std::string IsShard(const std::string& text) {
  if (ParseShard(text)) return "";
  return "\"" + text + "\" is not I/N, such as 2/3, with I from 1 to N and N up to " + std::to_string(kMostShards);
}

}  // namespace

std::string IsPositive(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return end != text.c_str() && *end == '\0' && value > 0 && value < kTooMuch
             ? ""
             : text + " is not a number above 0 and below 1000000000";
}

std::string IsCount(const std::string& text) {
  const bool digits = text.find_first_not_of("0123456789") == std::string::npos;
  return digits && IsPositive(text).empty() ? "" : text + " is not a whole number from 1 to 999999999";
}

std::string IsNotEmpty(const std::string& text) { return text.empty() ? "the value must not be empty" : ""; }

void OneOf(CLI::Option* option, const std::vector<std::string>& words) {
  option->check(CLI::IsMember(words).description(""))->type_name(CLI::detail::join(words, "|"));
}

void Repeatable(CLI::Option* option, const std::string& type, const std::string& usual) {
  option->type_name(type)->allow_extra_args(false)->default_str(usual);
}

void AddAdapter(CLI::App* sub, Options& o) {
  Repeatable(sub->add_option("--adapter", o.adapters, "folder of an additional adapter (repeatable)"), "DIR", "none");
}

void AddPython(CLI::App* sub, Options& o) {
  sub->add_option("--python", o.run.python, "Python environment, or its bin/python, that has the library installed")
      ->type_name("PATH")
      ->default_str(
          "the interpreter that runs python -m dlpack_cts, else an environment that dlpack-cts makes for the library");
}

void AddSeed(CLI::App* sub, Options& o) {
  const auto set = [&o](const std::string& text) {
    o.run.seed = text == "random" ? std::random_device()() % 1000000000 : std::stoull(text);
  };
  sub->add_option_function<std::string>("--seed", set, "seed of the run")
      ->check(IsSeed)
      ->type_name("N|random")
      ->default_str(std::to_string(kSeed));
}

void AddOut(CLI::App* sub, Options& o, const std::string& what, const std::string& usual) {
  sub->add_option("--out", o.out, "folder for " + what)->type_name("DIR")->default_str(usual);
}

void AddExpectations(CLI::App* sub, Options& o) {
  sub->add_option("--expectations", o.expectations, "file of known deviations")
      ->type_name("FILE")
      ->default_str("the file in the folder of the adapter");
}

void AddColor(CLI::App* sub, Options& o) {
  OneOf(sub->add_option("--color", o.color, "colours on standard output; auto: on a terminal, unless NO_COLOR is set")
            ->capture_default_str(),
        {"auto", "always", "never"});
}

void AddShard(CLI::App* sub, Options& o, const std::string& what) {
  const auto set = [&o](const std::string& text) { o.shard = ParseShard(text).value_or(Shard()); };
  sub->add_option_function<std::string>("--shard", set, "run only the " + what + " of shard I of N")
      ->check(IsShard)
      ->type_name("I/N")
      ->default_str("all");
}

void AddShardOfRun(CLI::App* sub, Options& o, const std::string& what) {
  AddShard(sub, o, what);
  sub->add_option("--run-id", o.run_id, "id of the run that the shards are parts of; dlpack-cts report merges them")
      ->type_name("TEXT")
      ->default_str("GITHUB_RUN_ID or CI_PIPELINE_ID");
}

void AddVerbose(CLI::App* sub, Options& o) {
  sub->add_flag("--verbose", o.verbose,
                "print every failing case, cause and limitation with its example and values; default: known ones and "
                "notes take one line, and the five worst unexpected causes come last");
}

void AddTimeLimit(CLI::App* sub, Options& o) {
  AddNumber(sub, "--time-limit", o.time_limit, "time limit of the whole run, in seconds; cases that are left are SKIP")
      ->default_str("none");
}

void AddWorkers(CLI::App* sub, Options& o) {
  o.workers = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  AddNumber(sub, "-j", o.workers, "number of worker processes")->default_str("one per core");
}

void AddCommon(CLI::App* sub, Options& o) {
  AddAdapter(sub, o);
  AddPython(sub, o);
  AddSeed(sub, o);
  AddNumber(sub, "--timeout", o.run.case_seconds, "time limit of one example, in seconds (docs/processes.md)");
  AddNumber(sub, "--memory", o.run.memory_mb, "memory limit of a library, in MB");
  AddNumber(sub, "--examples", o.run.examples, "examples of each case")->each([&o](const std::string&) {
    o.run.examples_given = true;
  });
  sub->add_flag("--keep-environment", o.run.keep_environment,
                "leave the environment variable RUST_BACKTRACE as it is; default: it is 0 for the library");
  AddOut(sub, o, "results and reports", "no files are written");
  OneOf(sub->add_option("--format", o.format,
                        "output format on standard output; quiet: a line for each unexpected result")
            ->capture_default_str(),
        {"tree", "json", "quiet"});
  sub->add_flag("--annotations", o.annotations,
                "print workflow commands of GitHub Actions on standard error; default: only if GITHUB_ACTIONS is true");
  AddColor(sub, o);
  AddVerbose(sub, o);
}

void AddSelect(CLI::App* sub, Options& o) {
  sub->add_option("--select", o.run.select, "run only cases whose ids match these globs")
      ->type_name("GLOB...")
      ->default_str("every case");
}

CLI::Option* AddSweep(CLI::App* sub, int& sweep) {
  return sub
      ->add_option(
          "--sweep", sweep,
          "random exchanges, in each direction, of which all facts are compared with the reference; 0: no sweep")
      ->check(CLI::Validator(CLI::NonNegativeNumber).description(""))
      ->type_name("N")
      ->capture_default_str();
}

void AddLevel(CLI::App* sub, Options& o) {
  OneOf(sub->add_option("--level", o.level,
                        "run only cases with a rule whose violation is FAIL (must), or FAIL or WARN (should)")
            ->capture_default_str(),
        {"must", "should", "all"});
}

void AddUpdate(CLI::App* sub, Options& o) {
  sub->add_flag("--update", o.update,
                "rewrite the file of known deviations: add the unexpected ones, remove those that no longer occur; "
                "default: the file is only read");
}

void AddSelection(CLI::App* sub, Options& o) {
  AddSelect(sub, o);
  sub->add_option("--deselect", o.run.deselect, "leave out the cases whose ids match these globs")
      ->type_name("GLOB...")
      ->default_str("none");
  OneOf(sub->add_option("--fail-on", o.fail_on, "the least severe verdict that fails the run if it is unexpected")
            ->capture_default_str(),
        {"fail", "warn", "note", "never"});
  sub->add_flag("--strict", o.strict,
                "fail for what only invalid input shows, too; default: it is reported, and does not fail the run");
  sub->add_option("--last-failed", o.last_failed,
                  "run only the cases that failed in an earlier run: its --out folder, or its result file")
      ->type_name("OUT")
      ->default_str("none");
  sub->add_option("--skip-status", o.skip_status, "exit status if every case is SKIP or BLOCKED")
      ->check(CLI::Range(0, 255).description(""))
      ->type_name("N")
      ->capture_default_str();
  CLI::Option* role = sub->add_option("--role", o.run.roles, "run only cases of this role (repeatable)");
  Repeatable(role, "", "every role");
  OneOf(role, {"producer", "consumer", "exchange"});
  Repeatable(sub->add_option("--pythonpath", o.run.pythonpath, "folder to put at the front of sys.path (repeatable)"),
             "DIR", "none");
  AddExpectations(sub, o);
}

}  // namespace dlpack_cts::runner
