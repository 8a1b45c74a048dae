// runner/judge.cc: runs one library and turns its observations into results.
#include "runner/judge.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <ctime>

#include "results/tally.h"
#include "runner/expectations.h"
#include "runner/failure.h"
#include "runner/places.h"
#include "runner/verdict.h"

namespace dlpack_cts::runner {
namespace {

std::string Machine() {
  utsname name{};
  uname(&name);
  return std::string(name.sysname) + " " + name.release + " " + name.machine + ", " +
         std::to_string(sysconf(_SC_NPROCESSORS_ONLN)) + " cores";
}

std::string UtcNow() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

const CaseInfo* FindInfo(const Desk& desk, const std::string& id) {
  const auto found =
      std::find_if(desk.cases.begin(), desk.cases.end(), [&](const CaseInfo& info) { return info.id == id; });
  return found == desk.cases.end() ? nullptr : &*found;
}

KnownNames NamesOf(const Desk& desk) {
  KnownNames known;
  for (const CaseInfo& info : desk.cases) known.cases.push_back(info.id);
  for (const auto& [id, unused] : desk.rules) known.rules.push_back(id);
  return known;
}

bool IsFault(Verdict verdict) {
  return verdict != Verdict::kPass && verdict != Verdict::kSkip && verdict != Verdict::kBlocked;
}

}  // namespace

std::string Quoted(const std::string& text) {
  const bool plain = !text.empty() && text.find_first_not_of(
                                          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                          "0123456789_-./=+:,@%") == std::string::npos;
  if (plain) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

Desk OpenDesk() { return {ReadRules(DataFolder() + "/rules"), ListCases(), ListMutants()}; }

Environment EnvironmentOf(const Library& library, const RunOptions& options) {
  if (!library.IsPython()) return {};
  return options.python.empty() ? PrepareEnvironment(library) : UsePython(options.python);
}

Result MakeResult(const Desk& desk, const Library& library, const Observation& observation) {
  const CaseInfo* info = FindInfo(desk, observation.case_id);
  if (info == nullptr) {
    throw Failure("the worker reports the case " + observation.case_id + ", which does not exist",
                  "build the program again", kHarness);
  }
  Result result;
  result.library = library.name;
  result.suite = info->suite;
  result.rules = info->rules;
  result.role = info->role;
  result.hostile = info->hostile;
  result.verdict = VerdictOf(observation, desk.rules, library.Claims("array_api"));
  const std::string& rule = observation.rule.empty() ? info->rules.front() : observation.rule;
  if (IsFault(result.verdict)) result.breached = {rule};
  result.level = desk.rules.contains(rule) ? desk.rules.at(rule).ResultLevel() : "IMPLIED";
  result.seen = observation;
  return result;
}

Run Judge(const Desk& desk, const Library& library, const Environment& environment, nlohmann::json job,
          const Options& options, std::vector<std::string>* stale, std::optional<Failure>* trouble) {
  const auto started = std::chrono::steady_clock::now();
  Run run;
  run.header.program_version = DLPACK_CTS_VERSION;
  run.header.library = library.name;
  run.header.machine = Machine();
  run.header.environment = environment.python.empty() ? "native" : environment.python;
  run.header.variables = library.environment;
  run.header.seed = options.run.seed;
  run.header.examples = options.run.examples;
  run.header.started = UtcNow();
  run.header.command = options.command;
  std::string adapters;
  for (const std::string& folder : options.adapters) adapters += " --adapter " + Quoted(folder);
  std::string subject = "run " + Quoted(library.name);
  if (job.contains("pair")) {  // it is named PRODUCER-to-CONSUMER, which no command knows
    const std::string consumer = job["pair"].value("library", "");
    const std::string producer = library.name.substr(0, library.name.size() - consumer.size() - 4);
    subject = "interop " + Quoted(producer) + " " + Quoted(consumer);
  }
  // Read before anything runs: a mistake in the file must not cost the results.
  const std::string file = options.expectations.empty() ? library.folder + "/expectations.toml" : options.expectations;
  Expectations expectations = Expectations::Read(file);
  Outcome outcome;
  const auto see = [&](const Observation& observation) {
    Result result = MakeResult(desk, library, observation);
    result.replay = "dlpack-cts " + subject + adapters +
                    (options.run.python.empty() ? "" : " --python " + Quoted(options.run.python)) + " --select " +
                    Quoted(result.seen.case_id) + " --seed " + std::to_string(options.run.seed) + " --examples " +
                    std::to_string(options.run.examples);
    run.results.push_back(std::move(result));
  };
  try {
    RunJob(std::move(job), library, see, &outcome);
  } catch (const Failure& failure) {
    if (run.results.empty()) throw;
    *trouble = failure;
    outcome.interrupted = true;
  }
  run.header.library_version = outcome.library_version;
  run.header.interpreter = outcome.interpreter;
  for (Result& result : run.results) {
    result.library_version = outcome.library_version;
    expectations.Apply(result);
  }
  if (!outcome.interrupted) *stale = expectations.Stale(run.results, outcome.library_version, NamesOf(desk));
  run.footer.interrupted = outcome.interrupted;
  run.footer.counts = CountsOf(run.results);
  run.footer.unexpected = Count(run.results, Scope::kAll).unexpected + static_cast<int64_t>(stale->size());
  run.footer.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  return run;
}

}  // namespace dlpack_cts::runner
