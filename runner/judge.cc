// runner/judge.cc: runs one library and turns its observations into results.
#include "runner/judge.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <map>
#include <utility>

#include "reports/text.h"
#include "results/tally.h"
#include "runner/attribution.h"
#include "runner/causes.h"
#include "runner/failure.h"
#include "runner/interrupt.h"
#include "runner/places.h"
#include "runner/print.h"
#include "runner/sources.h"
#include "runner/verdict.h"

namespace dlpack_cts::runner {
namespace {

std::string Machine() {
  utsname name{};
  uname(&name);
  return std::string(name.sysname) + " " + name.release + " " + name.machine + ", " +
         std::to_string(sysconf(_SC_NPROCESSORS_ONLN)) + " cores";
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

std::string UtcNow() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

std::string Quoted(const std::string& text) {
  const bool plain = !text.empty() && text.find_first_not_of(
                                          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                          "0123456789_-./=+:,@%") == std::string::npos;
  if (plain) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

Desk OpenDesk() {
  const std::string rules = DataFolder() + "/rules";
  return {ReadRules(rules), ReadSourceKeys(rules), ListCases(), ListMutants()};
}

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
  result.level = desk.rules.contains(rule) ? desk.rules.at(rule).strength_class : Level::kImplied;
  result.seen = observation;
  return result;
}

namespace {

Header HeaderOf(const Assignment& assignment) {
  Header header;
  header.program_version = DLPACK_CTS_VERSION;
  header.library = assignment.library.name;
  header.machine = Machine();
  header.environment = assignment.environment.python.empty() ? "native" : assignment.environment.python;
  header.variables = VariablesIn(assignment.library, assignment.environment.python);
  header.seed = assignment.options.run.seed;
  header.examples = assignment.options.run.examples;
  header.examples_from = assignment.examples_from;
  header.started = assignment.started;
  header.command = assignment.options.command;
  return header;
}

/// The command that runs this case again, with every option that may change what it says.
std::string ReplayOf(const Assignment& assignment, const std::string& case_id) {
  const Options& options = assignment.options;
  const Library& library = assignment.library;
  const RunOptions usual;
  std::string command = "dlpack-cts ";
  command += assignment.IsPair()
                 ? "interop " + Quoted(assignment.producer) + " " + Quoted(assignment.consumer)
                 : "run " + Quoted(library.name + (library.version.empty() ? "" : "==" + library.version));
  for (const std::string& folder : options.adapters) command += " --adapter " + Quoted(folder);
  if (!options.run.python.empty()) command += " --python " + Quoted(options.run.python);
  for (const std::string& folder : options.run.pythonpath) command += " --pythonpath " + Quoted(folder);
  if (!options.expectations.empty()) command += " --expectations " + Quoted(options.expectations);
  if (options.run.case_seconds != usual.case_seconds) {
    command += " --timeout " + nlohmann::json(options.run.case_seconds).dump();
  }
  if (options.run.memory_mb != usual.memory_mb) command += " --memory " + std::to_string(options.run.memory_mb);
  if (options.run.sweep != usual.sweep) command += " --sweep " + std::to_string(options.run.sweep);
  return command + " --select " + Quoted(case_id) + " --seed " + std::to_string(options.run.seed) + " --examples " +
         std::to_string(options.run.examples);
}

/// An invalid observation is a bug of the harness. Only its own case is lost.
Result ResultOf(const Desk& desk, const Assignment& assignment, const Observation& observation,
                std::optional<Failure>* trouble) {
  try {
    return MakeResult(desk, assignment.library, observation);
  } catch (const Failure& failure) {
    if (!*trouble) *trouble = failure;
    return MakeResult(desk, assignment.library,
                      Lost(observation.case_id, "dlpack-cts could not judge what it observed", failure.what()));
  }
}

/// If the reference itself was wrong, the finding is dropped and the run reports an internal error.
void LeaveOutUnjudged(std::vector<Finding>& findings, std::optional<Failure>* trouble) {
  std::erase_if(findings, [&](const Finding& finding) {
    if (finding.observed != Observed::kUnjudged) return false;
    if (!*trouble) {
      *trouble = Failure("an exchange of " + finding.case_id + " cannot be judged: " + finding.message,
                         "this is a bug in dlpack-cts; please report it", kHarness);
    }
    return true;
  });
}

/// The observations of a part. If the part failed, each missing case gets an observation with the reason.
std::vector<Observation> WholeOf(const Part& part) {
  std::vector<Observation> whole = part.seen;
  // A case that could not run again keeps its earlier result.
  if (!part.failure || !part.avoid.empty()) return whole;
  for (const std::string& id : part.cases) {
    const auto is_it = [&](const Observation& observation) { return observation.case_id == id; };
    if (std::any_of(part.seen.begin(), part.seen.end(), is_it)) continue;
    whole.push_back(Lost(id, "could not run: the worker could not be started", part.failure->what()));
  }
  return whole;
}

/// The observations of all parts, in the order of the catalogue, before any policy: the last answer of each case, and
/// its earlier answers.
struct Told {
  std::vector<Result> results = {};
  std::vector<Result> superseded = {};
  std::vector<Finding> findings = {};
};

/// Parts are in the order of their rounds.
Told TellAll(const Desk& desk, const Assignment& assignment, const std::vector<Part>& parts,
             std::optional<Failure>* trouble) {
  Told told;
  for (const Part& part : parts) {
    std::vector<std::string> answered;
    for (const Observation& observation : WholeOf(part)) {
      Result result = ResultOf(desk, assignment, observation, trouble);
      const auto earlier = std::find_if(told.results.begin(), told.results.end(),
                                        [&](const Result& other) { return other.seen.case_id == observation.case_id; });
      if (earlier == told.results.end()) {
        told.results.push_back(std::move(result));
      } else if (GivesVerdict(observation)) {
        told.superseded.push_back(std::exchange(*earlier, std::move(result)));
        answered.push_back(observation.case_id);
      }
    }
    if (part.avoid.empty()) {
      told.findings.insert(told.findings.end(), part.findings.begin(), part.findings.end());
    } else {
      Join(part.findings, answered, told.findings);
    }
  }
  LeaveOutUnjudged(told.findings, trouble);
  const auto place = [&](const Result& result) {
    return std::find_if(desk.cases.begin(), desk.cases.end(),
                        [&](const CaseInfo& info) { return info.id == result.seen.case_id; });
  };
  std::stable_sort(told.results.begin(), told.results.end(),
                   [&](const Result& a, const Result& b) { return place(a) < place(b); });
  return told;
}

}  // namespace

Avoid NextRound(const Desk& desk, const Assignment& assignment, const std::vector<Part>& parts) {
  std::optional<Failure> ignored;
  Told told = TellAll(desk, assignment, parts, &ignored);
  LeaveDeathsToTheirCases(desk.cases, told.results);
  std::vector<Cause> causes = CausesOf(desk.cases, desk.rules, assignment.library.Claims("array_api"), told.findings);
  Attribute(desk.cases, causes, told.results);
  Avoid before;
  for (const Part& part : parts) {
    for (const auto& [id, avoided] : part.avoid) before[id] = avoided;
  }
  return ToRunAgain(desk.cases, {told.findings, causes, told.results}, before);
}

void RunPart(const Assignment& assignment, Progress& progress, Part& part) {
  const std::vector<std::string>& cases = part.cases;
  const auto begin = [&](std::vector<std::string>::const_iterator next) {
    if (next != cases.end()) progress.Begin(assignment.library.name, *next);
  };
  try {
    nlohmann::json job = assignment.job;
    job["cases"] = cases;
    if (!part.avoid.empty()) job["avoid"] = part.avoid;
    begin(cases.begin());
    const auto see = [&](Observation observation) {
      progress.Done(1);
      const auto seen = std::find(cases.begin(), cases.end(), observation.case_id);
      begin(seen == cases.end() ? seen : seen + 1);
      part.seen.push_back(std::move(observation));
    };
    const auto find = [&](Finding finding) { part.findings.push_back(std::move(finding)); };
    if (part.session == nullptr) part.session = std::make_unique<Session>(assignment.library);
    part.session->Run(std::move(job), {see, find}, &part.outcome);
  } catch (const Failure& failure) {
    part.failure = failure;
  } catch (const std::exception& e) {
    part.failure = Failure(e.what(), "this is a bug in dlpack-cts; please report it", kHarness);
  }
  if (part.failure && (Interrupted() || part.failure->status() == kInterrupted)) {
    part.failure.reset();
    part.outcome.interrupted = true;
  }
  progress.Done(cases.size() - part.seen.size());
}

namespace {

/// For a pair: the library that the cause belongs to. The worker ran each library with the reference as its partner.
std::string AccusedOf(const Assignment& assignment, const Cause& cause) {
  if (!assignment.IsPair()) return "";
  if (cause.peculiarities == std::vector<std::string>{"only-together"}) {
    return "only the two together: neither library shows it with the reference as partner";
  }
  return (cause.side == Side::kExport ? assignment.producer + ", the producer"
                                      : assignment.consumer + ", the consumer") +
         ": it shows the same with the reference as partner";
}

/// The choices that all examples showed. A weak observation counts only if there is no other.
std::vector<Readings> CensusOf(std::vector<Result>& results) {
  const auto shows = [](const Result& result) { return !result.seen.choices.empty(); };
  if (std::none_of(results.begin(), results.end(), shows)) return {};
  const nlohmann::json ambiguities = ListAmbiguities();
  std::vector<std::map<size_t, int64_t>> counts(ambiguities.size());
  for (Result& result : results) {
    for (const ChoiceSeen& one : std::exchange(result.seen.choices, {})) {
      // A library can write anything to its worker's output.
      if (one.row >= counts.size() || one.reading >= ambiguities[one.row].at("readings").size()) continue;
      counts[one.row][one.reading] += one.count;
    }
  }
  std::vector<Readings> census;
  for (size_t row = 0; row < counts.size(); ++row) {
    const nlohmann::json& ambiguity = ambiguities[row];
    if (counts[row].size() > 1 && ambiguity.at("weak") >= 0) counts[row].erase(ambiguity.at("weak").get<size_t>());
    if (counts[row].empty()) continue;
    Readings& readings = census.emplace_back();
    ambiguity.at("ambiguity").get_to(readings.id);
    ambiguity.at("rule").get_to(readings.rule);
    ambiguity.at("question").get_to(readings.question);
    for (const auto& [reading, count] : counts[row])
      readings.shown.push_back({ambiguity.at("readings")[reading], count});
  }
  return census;
}

/// Marks as expected every cause that no selected case reports: it is shown, but does not fail the run.
void LeaveOtherCauses(Run& run) {
  for (Cause& cause : run.causes) {
    const bool told = std::any_of(run.results.begin(), run.results.end(), [&](const Result& result) {
      return result.cause == cause.id && IsDeviation(result.verdict);
    });
    if (cause.as_expected || told) continue;
    cause.as_expected = true;
    cause.expectation = "about a rule that no selected case tests";
  }
}

}  // namespace

Judged Assemble(const Desk& desk, Assignment& assignment, const std::vector<Part>& parts) {
  Judged judged;
  Run& run = judged.run;
  run.header = HeaderOf(assignment);
  bool any = false;
  std::string detail;
  for (const Part& part : parts) {
    any = any || !part.seen.empty();
    run.footer.interrupted = run.footer.interrupted || part.outcome.interrupted;
    if (part.failure && part.avoid.empty() && !judged.trouble) {
      judged.trouble = part.failure;
      detail = part.outcome.detail;
    }
    if (!part.outcome.greeted) continue;
    run.header.library_version = part.outcome.library_version;
    run.header.interpreter = part.outcome.interpreter;
    // Every part has asked the same library.
    if (run.header.profile.empty()) run.header.profile = part.outcome.profile;
  }
  Tell(QuotedLines(detail));
  if (judged.trouble && !any) throw *judged.trouble;
  Told told = TellAll(desk, assignment, parts, &judged.trouble);
  // The earlier result of a case that ran again may also be listed.
  for (Result& result : told.superseded) {
    result.library_version = run.header.library_version;
    assignment.expectations.Apply(result);
  }
  run.results = std::move(told.results);
  for (Result& result : run.results) {
    result.library_version = run.header.library_version;
    result.producer = assignment.producer;
    result.consumer = assignment.consumer;
    result.replay = ReplayOf(assignment, result.seen.case_id);
    assignment.expectations.Apply(result);
  }
  run.readings = CensusOf(run.results);
  LeaveDeathsToTheirCases(desk.cases, run.results);
  run.causes = CausesOf(desk.cases, desk.rules, assignment.library.Claims("array_api"), told.findings);
  for (Cause& cause : run.causes) {
    cause.replay = ReplayOf(assignment, cause.case_id);
    cause.accused = AccusedOf(assignment, cause);
    assignment.expectations.Apply(cause, run.header.library_version);
  }
  Attribute(desk.cases, run.causes, run.results);
  // A replay of one exchange cannot show that an expectation is stale.
  if (!run.footer.interrupted && !judged.trouble && !assignment.job.contains("replay")) {
    KnownNames known = NamesOf(desk);
    const RunOptions& asked = assignment.options.run;
    known.selected = !asked.select.empty() || !asked.roles.empty() || assignment.options.level != Options().level;
    if (known.selected) LeaveOtherCauses(run);
    known.swept = asked.sweep >= assignment.library.sweep;
    judged.stale = assignment.expectations.Stale(run.results, run.header.library_version, known);
    for (const StaleEntry& stale : judged.stale) run.footer.stale.push_back(stale.sentence);
  }
  run.footer.counts = CountsOf(run.results);
  run.footer.unexpected = CountUnexpected(run) + static_cast<int64_t>(run.footer.stale.size());
  run.footer.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - assignment.clock).count();
  return judged;
}

}  // namespace dlpack_cts::runner
