// worker/child_processes.cc: one trial of a case in a new child.
#include "worker/child_processes.h"

#include <unistd.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/failure.h"
#include "worker/diagnose/finder.h"
#include "worker/run/case_runner.h"

namespace dlpack_cts::worker {
namespace {

constexpr char kSurvived[] = "survived";  // the line after a recipe that crashed nothing

}  // namespace

Series ChildProcesses::Try(std::string_view case_id, double seconds, const Work& work) {
  return Try(case_id, seconds, [this]() -> Engine& { return setup_.libraries->engine; }, work);
}

Series ChildProcesses::Try(std::string_view case_id, double seconds, const std::function<Engine&()>& engine,
                           const Work& work) {
  const Case& tested = *FindCase(case_id);
  const int index = setup_.job.IndexOf(case_id);
  const auto attempt = [&](const Reporter& reporter) {
    Trial trial(engine(), setup_.libraries->reference_run, setup_.crash_record, index, tested);
    work(trial, tested, reporter.out);
  };
  const bool search = seconds < setup_.job.LimitOf(case_id);
  ChildResult result = server_.Run({.seconds = seconds, .work = attempt, .search = search});
  Series series;
  Tried& tried = series.last;
  tried.ending = std::move(result.ending);
  for (const nlohmann::json& line : result.lines) {
    if (line["type"] == kSurvived) ++series.survived;
    if (line["type"] != "finding") continue;
    if (auto finding = IfValid([&] { return FromJson<Finding>(line); })) tried.findings.push_back(*std::move(finding));
  }
  if (result.remains && result.remains->case_index == index) tried.remains = std::move(result.remains);
  return series;
}

Tried ChildProcesses::Examine(std::string_view case_id, const Recipe& recipe, double seconds) {
  return Try(case_id, seconds, [&](Trial& trial, const Case&, const Output&) { trial.Examine(recipe, {}); }).last;
}

Series ChildProcesses::ExamineEach(std::string_view case_id, const std::function<void(const Run& run)>& work,
                                   double seconds) {
  return Try(case_id, seconds, [&](Trial& trial, const Case&, const Output& out) {
    work([&](const Recipe& recipe) {
      trial.Examine(recipe, {});
      out.Write(nlohmann::json{{"type", kSurvived}});
    });
  });
}

Tried ChildProcesses::Find(const Finding& suspect, const Recipe& recipe, const std::vector<Recipe>& crashing,
                           const Budget& budget) {
  const auto find = [&](Trial& trial, const Case& tested, const Output& out) {
    Finder finder(trial, tested, setup_.profile, {crashing, setup_.job.AvoidedBy(suspect.case_id), budget});
    for (Finding& found : finder.Find(recipe, suspect.swept)) {
      found.case_id = suspect.case_id;
      found.mutant = suspect.mutant;
      found.count = suspect.count;
      // A comparison with the reference does not raise the degree that the case gave.
      found.judged = suspect.judged;
      if (!suspect.swept && suspect.degree != Degree::kRule) found.degree = suspect.degree;
      out.Write(ToJson(found));
    }
  };
  return Try(suspect.case_id, setup_.job.LimitOf(suspect.case_id), find).last;
}

std::vector<Finding> ChildProcesses::RunAgain(const Finding& suspect) {
  const auto is_same = [&](const Finding& other) {
    return other.side == suspect.side && other.family == suspect.family && other.fact == suspect.fact &&
           other.rule == suspect.rule;
  };
  const auto run = [&](Trial& trial, const Case& tested, const Output& out) {
    trial.Remember();
    std::optional<Finding> first;
    const auto take = [&](const Finding& again) {
      if (again.side == suspect.side && !first) first = again;
      if (!is_same(again)) return;
      out.Write(ToJson(again));
      out.Write(nlohmann::json{{"type", "done"}});
      _exit(0);  // before the case minimises anything
    };
    const std::vector<int> crashing;
    CaseRunner(trial, setup_.crash_record, setup_.profile, setup_.libraries->subjects.subject.IsPython(), setup_.job,
               setup_.ExtentOf(tested, crashing), {.found = [](const Observation&) {}, .suspect = take})
        .Run(tested);
    if (first) out.Write(ToJson(*first));
  };
  return Try(suspect.case_id, setup_.job.LimitOf(suspect.case_id), run).last.findings;
}

bool ChildProcesses::ShowsAfter(const std::vector<Recipe>& earlier, const Recipe& recipe, const Finding& found) {
  const auto show = [&](Trial& trial, const Case&, const Output& out) {
    for (const Recipe& one : earlier) trial.RunWhole(one);
    const ViolatedFact violated = trial.Examine(recipe, {}).violated;
    if (violated.Any() && violated.side == found.side) out.Write(ToJson(found));
  };
  return !Try(found.case_id, setup_.job.LimitOf(found.case_id), show).last.findings.empty();
}

Tried ChildProcesses::FindInHalf(Side side, const Recipe& recipe, const Finding& found) {
  const auto half = [&]() -> Engine& {
    const std::vector<Libraries::Half>& halves = setup_.libraries->halves;
    return *std::find_if(halves.begin(), halves.end(), [side](const auto& one) { return one.side == side; })->engine;
  };
  const auto examine = [&](Trial& trial, const Case&, const Output& out) {
    ViolatedFact violated = trial.Examine(recipe, {}).violated;
    if (!IsOf(found, violated)) violated = trial.Examine(recipe, {.own = true}).violated;
    if (IsOf(found, violated)) out.Write(ToJson(AccusedOf(found, violated, side, recipe)));
  };
  return Try(found.case_id, setup_.job.LimitOf(found.case_id), half, examine).last;
}

}  // namespace dlpack_cts::worker
