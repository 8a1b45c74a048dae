// runner/campaign/leg.cc: runs one leg of a campaign in a worker.
#include "runner/campaign/leg.h"

#include <algorithm>
#include <random>
#include <utility>

#include "base/paths.h"

namespace dlpack_cts::runner {
namespace {

// Cases that do not sweep run some thousand exchanges at most: their examples are slower.
constexpr int64_t kFewestExamples = 20;
constexpr int64_t kMostExamples = 5000;

constexpr LineField<ExchangeCounts> kCounts[] = {
    Always<&ExchangeCounts::exchanges>("exchanges"),
    Always<&ExchangeCounts::conclusive>("conclusive"),
    Always<&ExchangeCounts::refused>("refused"),
    Always<&ExchangeCounts::inconclusive>("inconclusive"),
};

bool Ended(const Observation& seen) {
  return seen.observed == Observed::kCrash || seen.observed == Observed::kTimeout || seen.observed == Observed::kMemory;
}

/// How many exchanges the case runs if nothing ends it early.
int64_t CostOf(const CaseInfo& info, const LegPlan& plan) {
  if (info.whole) return plan.sweep;
  return info.rows > 0 ? info.rows : int64_t{info.times} * plan.examples;
}

}  // namespace

ExchangeCounts CountsOf(const Observation& seen) {
  int64_t deviating = 0;
  for (const SweptFact& fact : seen.deviations) deviating += fact.count;
  const bool other = seen.observed != Observed::kHeld && seen.observed != Observed::kSkip &&
                     seen.observed != Observed::kBlocked && deviating == 0;
  ExchangeCounts counts;
  counts.conclusive = seen.held + deviating + (other ? 1 : 0);
  counts.refused = seen.refused;
  counts.inconclusive = seen.nothing;
  counts.exchanges = counts.conclusive + counts.refused + counts.inconclusive;
  return counts;
}

std::span<const LineField<ExchangeCounts>> ExchangeCounts::Fields() { return kCounts; }

void ExchangeCounts::Add(const ExchangeCounts& other) {
  exchanges += other.exchanges;
  conclusive += other.conclusive;
  refused += other.refused;
  inconclusive += other.inconclusive;
}

LegReport RunJob(Session& session, JobFile job) {
  LegReport report;
  const Watcher watcher = {.see = [&](Observation seen) { report.seen.push_back(std::move(seen)); },
                           .find = [&](Finding finding) { report.findings.push_back(std::move(finding)); }};
  try {
    session.Run(std::move(job), watcher, &report.outcome);
  } catch (const Failure& failure) {
    report.failure = failure;
  } catch (const std::exception& e) {
    report.failure = Unforeseen(e);
  }
  for (const Observation& seen : report.seen) report.counts.Add(CountsOf(seen));
  return report;
}

void ChooseCases(const std::vector<CaseInfo>& cases, LegPlan& plan) {
  const auto share = plan.exchanges / std::max<int64_t>(1, static_cast<int64_t>(cases.size()));
  const int64_t fewest = plan.most > 0 ? std::min(kFewestExamples, plan.most) : kFewestExamples;
  plan.sweep = static_cast<int>(std::max<int64_t>(1, share));
  plan.examples = static_cast<int>(std::clamp(share, fewest, kMostExamples));
  int64_t all = 0;
  for (const CaseInfo& info : cases) all += CostOf(info, plan);
  const bool fit = plan.most == 0 || all <= plan.most;
  std::vector<CaseInfo> order = cases;
  if (!fit) std::ranges::shuffle(order, std::mt19937_64(plan.seed));
  plan.cases.clear();
  plan.reserved = 0;
  for (const CaseInfo& info : order) {
    const int64_t cost = CostOf(info, plan);
    if (!fit && plan.reserved + cost > plan.most) continue;
    plan.reserved += cost;
    plan.cases.push_back(info.id);
  }
}

LegReport RunLeg(const Assignment& assignment, Session& session, const std::vector<CaseInfo>& cases,
                 const LegPlan& plan) {
  JobFile job = assignment.job;
  job.seed = plan.seed;
  job.left_out = plan.left_out;
  job.case_seconds = plan.case_seconds;
  job.cases = plan.cases;
  job.sweep = plan.sweep;
  job.examples = plan.examples;
  LegReport report = RunJob(session, std::move(job));
  for (const CaseInfo& info : cases) {
    report.crashed_sweeps += info.whole && std::ranges::any_of(report.seen, [&](const Observation& seen) {
                               return seen.case_id == info.id && Ended(seen);
                             });
  }
  return report;
}

LegReport RunAgain(const Assignment& assignment, Session& session, const std::string& case_id, const Cause& cause) {
  JobFile job = assignment.job;
  job.cases = {case_id};
  job.replayed = cause.recipe;
  job.run_before = cause.earlier;
  return RunJob(session, std::move(job));
}

Rounds RoundsOf(const Catalogue& catalogue, const Assignment& assignment, const LegReport& report) {
  Rounds rounds(catalogue, assignment.library);
  for (const Observation& seen : report.seen) rounds.See(seen);
  for (const Finding& finding : report.findings) rounds.Find(finding);
  return rounds;
}

}  // namespace dlpack_cts::runner
