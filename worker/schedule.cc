// worker/schedule.cc: runs one child for each suite, and another one after each crash.
#include "worker/schedule.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "base/failure.h"
#include "base/text.h"
#include "engine/cuda_driver.h"
#include "results/text.h"
#include "worker/process/foreign_copy.h"
#include "worker/process/thrown.h"
#include "worker/run/attach.h"
#include "worker/run/crash_text.h"
#include "worker/run/trial.h"

namespace dlpack_cts::worker {
namespace {

constexpr double kRenderSeconds = 5;
constexpr size_t kMostCrashing = 8;  // a sweep continues after at most so many examples that crashed its process

/// How a sweep crashed a process, with the results of its other examples.
Observation WithSweep(Observation ended, const Observation& rest) {
  ended.deviations = rest.deviations;
  ended.examples = rest.examples;
  ended.held = rest.held;
  ended.refused = rest.refused;
  ended.nothing = rest.nothing;
  ended.seconds = rest.seconds;
  ended.mutant = rest.mutant;
  return ended;
}

/// Results after a change of process-wide state are not reliable.
void Blame(const std::vector<std::string>& changed, Observation& observation) {
  if (changed.empty() || observation.observed == Observed::kUnsafe || observation.observed == Observed::kLeak) return;
  observation.got = Joined(changed, ", ");
  if (!observation.message.empty()) observation.got += "; then: " + observation.message;
  observation.observed = Observed::kCrash;
  observation.degree = Degree::kRule;
  observation.message = "changed process-wide state: it " + Joined(changed, ", ");
  observation.fact.clear();
  observation.wanted = "unchanged process-wide state";
}

/// A line of that type; empty if it is malformed.
template <typename Read>
std::optional<Read> As(const char* type, nlohmann::json line) {
  line["type"] = type;
  return IfValid([&] { return FromJson<Read>(line); });
}

}  // namespace

void Schedule::RunHere(int first, int end, const Reporter& reporter) const {
  for (int index = first; index < end; ++index) {
    RunCase(index, *FindCase(setup_.job.cases[static_cast<size_t>(index)]), reporter);
  }
}

void Schedule::RunCase(int index, const Case& tested, const Reporter& reporter) const {
  const auto send = [&](const char* type, const Observation& observation) {
    LeaveIfForeignCopy();
    if (reporter.out.Write(type, observation)) return;
    setup_.crash_record.mute = 1;
    _exit(kMuteExit);
  };
  const auto found = [&](Observation observation) {
    observation.mutant = setup_.mutant;
    send("found", observation);
  };
  // A process that has run no other exchange minimises it.
  const auto suspect = [&](Finding finding) {
    if (!setup_.job.FindsCauses()) return;
    finding.case_id = tested.id;
    finding.mutant = setup_.mutant;
    nlohmann::json line = ToJson(finding);
    line["type"] = "suspect";
    reporter.out.Write(line);
  };
  std::vector<std::string> changed = setup_.surroundings.Restore();
  Forge::InstallFaultHandler();
  NoteThrown(setup_.crash_record);
  Trial trial(setup_.libraries->engine, setup_.libraries->reference_run, setup_.crash_record, index, tested);
  CaseRunner runner(trial, setup_.crash_record, setup_.profile, setup_.libraries->subjects.subject.IsPython(),
                    setup_.job, setup_.ExtentOf(tested, current_.crashing), {.found = found, .suspect = suspect});
  auto [observation, hang] = runner.Run(tested);
  if (hang != nullptr) {
    hang->Report(observation);
    Finding finding = hang->finding;
    finding.case_id = tested.id;
    finding.count = 0;
    reporter.out.Write(ToJson(finding));
  }
  for (const std::string& more : setup_.surroundings.Restore()) {
    if (std::find(changed.begin(), changed.end(), more) == changed.end()) changed.push_back(more);
  }
  Blame(changed, observation);
  observation.mutant = setup_.mutant;
  send("observation", observation);
  // A mutant does not crash the fork server, so there is no need to wait.
  if (!setup_.job.verdicts_only) reporter.channel.AwaitReceipt();
  const CudaDriver* const driver = CudaDriver::Opened();
  if (!changed.empty() || (driver != nullptr && driver->IsBroken())) {
    // Not everything can be restored, and there may be other changes too: the next cases get a new child.
    reporter.out.Write(nlohmann::json{{"type", "leaving"}});
    _exit(0);
  }
}

void Schedule::Run() {
  while (next_ < Count()) {
    if (const Ending* const ending = server_.Stillborn()) {
      Pass(Report(*ending, Remains{}));
      continue;
    }
    // If each child imports the library, there should be few children. Runs of mutants start many already.
    RunSuite(setup_.job.fork && !setup_.job.verdicts_only ? EndOfSuite(next_) : Count());
  }
}

/// One child runs one suite, or the rest of one. So a result does not depend on other suites.
void Schedule::RunSuite(int end) {
  current_.found.reset();
  SetDoing(setup_.crash_record, "running");
  const int first = next_;
  began_ = Now();
  std::vector<Finding> suspects;
  const ChildResult result = server_.Run({
      .seconds = Limit(),
      .work = [&](const Reporter& reporter) { RunHere(first, end, reporter); },
      .listen = [&](const nlohmann::json& line) { return Take(line, suspects); },
  });
  const bool of_next = result.remains && result.remains->case_index == next_;
  Remains remains = of_next ? *result.remains : Remains{};
  for (const Finding& suspect : suspects) Write(diagnosis_.Find(suspect));
  // A crash after the last observation belongs to no case. Any other crash belongs to the case without an observation.
  if (next_ >= end || (result.leaving && next_ > first)) return;
  if (result.shortage) return PassShortage(*result.shortage);
  if (WasOnlySlow(result.ending, remains) || GoesOn(result.ending, remains)) return;
  Ending ending = result.ending;
  if (!ending.Crashed()) ending.end = End::kSilent;
  if (current_.found) {
    // Minimising it crashed, so the violation is reported as it was found.
    Pass(*std::exchange(current_.found, std::nullopt));
    return;
  }
  if (remains.example >= 0) remains = diagnosis_.MinimiseCrash(NextId(), ending, remains);
  FindCrash(ending, remains);
  Pass(Report(ending, remains));
}

/// The next case cannot run, and that is not the fault of the library.
void Schedule::PassShortage(const Failure& failure) {
  server_.Write({{"type", "shortage"}, {"message", failure.what()}, {"hint", failure.hint()}});
  // Without memory to minimise it, a violation is reported as it was found.
  if (const auto found = std::exchange(current_.found, std::nullopt)) return Pass(*found);
  Observation observation;
  observation.case_id = NextId();
  observation.observed = Observed::kSkip;
  observation.message = CouldNotRun(failure.what());
  observation.mutant = setup_.mutant;
  current_ = {};
  Pass(observation);
}

/// Whether the exchange ends within a longer limit than the one that stopped it. Then the case starts again, and all
/// such limits are longer.
bool Schedule::WasOnlySlow(const Ending& ending, const Remains& left) {
  if (!ending.hurried || left.example < 0) return false;
  const auto again = [&](const Reporter&) {
    Trial trial(setup_.libraries->engine, setup_.libraries->reference_run, setup_.crash_record, next_,
                *FindCase(NextId()));
    trial.Examine(left.recipe, {});
  };
  if (server_.Run({.seconds = Limit(), .work = again, .search = true, .patient = true}).ending.Crashed()) return false;
  server_.AddTooShort();
  return true;
}

/// A sweep continues without the example that crashed its process, a few times.
bool Schedule::GoesOn(const Ending& ending, const Remains& left) {
  const Case* const tested = FindCase(NextId());
  if (tested == nullptr || tested->examples != Examples::kWhole || setup_.job.replay) return false;
  if (!ending.Crashed() || ending.stillborn || left.example < 0 || current_.crashing.size() >= kMostCrashing)
    return false;
  current_.crashing.push_back(left.example);
  if (!current_.crashed) {
    const Remains remains = diagnosis_.MinimiseCrash(NextId(), ending, left);
    FindCrash(ending, remains);
    current_.crashed = ObservationOf(ending, remains, next_, setup_.job);
    if (!setup_.job.verdicts_only) Attach(remains.recipe, remains.ledger, *current_.crashed);
  }
  return true;
}

int Schedule::EndOfSuite(int first) const {
  const std::vector<std::string>& cases = setup_.job.cases;
  const std::string_view suite = SuiteOf(cases[static_cast<size_t>(first)]);
  const auto other = [&](const std::string& id) { return SuiteOf(id) != suite; };
  return static_cast<int>(std::find_if(cases.begin() + first, cases.end(), other) - cases.begin());
}

/// Handles a line of the child that runs cases. Returns the limit of the next case if another one starts.
std::optional<double> Schedule::Take(const nlohmann::json& line, std::vector<Finding>& suspects) {
  if (line["type"] == "suspect") {
    if (std::optional<Finding> finding = As<Finding>("finding", line)) suspects.push_back(*std::move(finding));
    return std::nullopt;
  }
  if (line["type"] == "finding") {
    if (const std::optional<Finding> finding = As<Finding>("finding", line)) Write({*finding});
    return std::nullopt;
  }
  std::optional<Observation> observation = As<Observation>("observation", line);
  if (!observation) return std::nullopt;
  const int index = setup_.job.IndexOf(observation->case_id);
  if (index < next_ || index >= Count()) return std::nullopt;  // it is finished, or is not part of the job
  if (line["type"] != "observation") {
    if (line["type"] == "found" && index == next_) current_.found = std::move(observation);
    return std::nullopt;
  }
  while (next_ < index) Pass(Report({.end = End::kSilent}, Remains{}));
  Pass(*observation);
  return Limit();
}

void Schedule::Pass(const Observation& observation) {
  nlohmann::json line = ToJson(current_.crashed ? WithSweep(*current_.crashed, observation) : observation);
  line["type"] = "observation";
  server_.Write(line);
  ++next_;
  current_ = {};
  began_ = Now();
}

void Schedule::Write(const std::vector<Finding>& findings) {
  for (const Finding& finding : findings) server_.Write(ToJson(finding));
}

/// Finds the causes of the crash of the next case. Later cases leave out hangs with a known cause.
void Schedule::FindCrash(const Ending& ending, const Remains& remains) {
  const std::vector<Finding> found = diagnosis_.FindCrash(NextId(), ending, remains);
  Write(found);
  for (const Finding& finding : found) {
    if (std::optional<KnownHang> hang = HangIn(finding); hang && !setup_.job.verdicts_only) {
      setup_.hangs.push_back(*std::move(hang));
    }
  }
}

/// The observation of the next case, made from the end of its process.
Observation Schedule::Report(const Ending& ending, const Remains& remains) {
  Observation observation = ObservationOf(ending, remains, next_, setup_.job);
  observation.seconds = Now() - began_;
  observation.mutant = setup_.mutant;
  if (remains.example < 0 || setup_.job.verdicts_only) return observation;
  // A crashed process may leave anything in memory: a separate process renders it as text.
  const auto render = [&](const Reporter& reporter) {
    Attach(remains.recipe, remains.ledger, observation);
    reporter.out.Write("rendered", observation);
  };
  for (const nlohmann::json& line : server_.Run({.seconds = kRenderSeconds, .work = render}).lines) {
    const bool rendered = line["type"] == "rendered";
    std::optional<Observation> read = rendered ? As<Observation>("observation", line) : std::nullopt;
    if (read && read->case_id == observation.case_id) observation = *std::move(read);
  }
  return observation;
}

}  // namespace dlpack_cts::worker
