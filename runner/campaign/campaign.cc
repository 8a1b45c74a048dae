// runner/campaign/campaign.cc: runs legs on several threads until the campaign ends, and tells what they found.
#include "runner/campaign/campaign.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/cpu_time.h"
#include "base/failure.h"
#include "base/paths.h"
#include "base/shortage.h"
#include "reports/text.h"
#include "results/hang_table.h"
#include "runner/base/interrupt.h"
#include "runner/base/print.h"
#include "runner/base/terminal.h"
#include "runner/campaign/book.h"
#include "runner/campaign/files.h"
#include "runner/campaign/leg.h"
#include "runner/campaign/table.h"
#include "runner/session/session.h"

namespace dlpack_cts::runner {
namespace {

// A leg is long enough that its start costs little, and short enough that a kill loses little. The first ones are
// short, so that what they find is left out soon.
constexpr double kFirstLegSeconds = 2;
constexpr double kLongestLegSeconds = 30;
constexpr int64_t kFirstLeg = 2000;
constexpr int64_t kSmallestLeg = 200;
constexpr int64_t kLargestLeg = 100'000'000;
constexpr double kTooLate = 0.2;      // no leg is begun in the last moment
constexpr double kGraceSeconds = 10;  // for the last leg, which may have to minimise what it found
constexpr double kSlowSeconds = 5;    // an exchange in the last moment may take so long
constexpr int kPatience = 3;          // failures in a row of one job
constexpr int kEmptyLegs = 6;         // legs in a row of one job in which no exchange ran
constexpr double kLinePeriod = 30;    // of a progress line if standard error is not a terminal

uint64_t SeedOfLeg(uint64_t seed, uint64_t leg) {
  uint64_t mixed = seed + (leg + 1) * 0x9e3779b97f4a7c15u;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
  return mixed ^ (mixed >> 31);
}

std::string Clock(double seconds) {
  const auto whole = static_cast<int64_t>(seconds);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

/// Why no exchange of the target runs. The cases say it.
Failure NothingRuns(const CampaignState& state, const LegReport& report) {
  std::string why = report.seen.empty() ? "" : report.seen.front().message;
  if (why.empty()) why = "every exchange is left out, because it would show a known cause";
  return {fmt::format("no exchange of the target {} runs with {}: {}", state.target, state.library, OneLine(why)),
          "choose another target: dlpack-cts list targets shows all"};
}

/// How many exchanges the next leg of one job has.
class LegSize {
 public:
  int64_t exchanges() const { return exchanges_; }

  void Ran(const LegReport& report, double seconds) {
    rate_ = static_cast<double>(report.counts.exchanges) / std::max(seconds, 1e-3);
    if (report.crashed_sweeps > 0) {
      // What precedes a crash runs again, so a leg that crashes should be short.
      exchanges_ = std::max(kSmallestLeg, exchanges_ / 2);
      return;
    }
    exchanges_ = std::clamp(In(seconds_), kSmallestLeg, kLargestLeg);
    seconds_ = std::min(1.5 * seconds_, kLongestLegSeconds);
  }

  /// About as many as this job runs in that time.
  int64_t In(double seconds) const {
    return rate_ > 0 ? static_cast<int64_t>(std::min(rate_ * seconds, static_cast<double>(kLargestLeg))) : kFirstLeg;
  }

 private:
  int64_t exchanges_ = kFirstLeg;
  double seconds_ = kFirstLegSeconds;
  double rate_ = 0;
};

class Campaign {
 public:
  Campaign(const Catalogue& catalogue, const Assignment& assignment, const CampaignPlan& plan)
      : catalogue_(catalogue), assignment_(assignment), plan_(plan), folder_(plan.out), book_(catalogue, assignment_) {
    assignment_.job.hangs = hangs_.path();
    for (const std::string& id : CasesOf(catalogue, plan.target)) cases_.push_back(*catalogue.Find(id));
    state_.target = plan.target.name;
    state_.library = assignment.library.name;
    state_.seed = assignment.options.run.seed;
    continued_ = folder_.Continue(state_, book_);
  }

  int Run();

 private:
  void Work();
  std::optional<LegPlan> Next(const LegSize& size);
  std::vector<CaseInfo> Able() const;
  std::optional<Failure> Booked(const LegReport& report, Session& session);
  void Fold(const LegReport& report, Session& session);
  void Tell(const NewCause& found, Session& session);
  void Wait();
  std::string Progress() const;
  void PrintEnd() const;
  int Status() const;
  double Elapsed() const { return Now() - start_; }
  bool IsOver() const { return MustEnd() || failure_.has_value(); }

  const Catalogue& catalogue_;
  Assignment assignment_;
  const CampaignPlan& plan_;
  std::vector<CaseInfo> cases_;
  HangMemory hangs_;
  const double start_ = Now();
  const double cpu_start_ = CpuSecondsOfAll();

  mutable std::mutex mutex_;  // guards everything below
  std::condition_variable changed_;
  CampaignFolder folder_;
  CampaignState state_;
  CauseBook book_;
  bool continued_ = false;
  double seconds_before_ = 0;       // of the campaign that is continued
  double cpu_before_ = 0;           // of the campaign that is continued
  double cpu_seconds_ = 0;          // since this process started
  ExchangeCounts counts_;           // since this process started
  int64_t under_way_ = 0;           // exchanges of legs that run, at most
  std::set<std::string> idle_;      // cases of which no exchange ran in some leg
  int working_ = 0;                 // threads
  bool judged_ = false;             // a leg has ended
  std::optional<Failure> failure_;  // why the campaign cannot go on
};

int Campaign::Run() {
  seconds_before_ = state_.seconds;
  cpu_before_ = state_.cpu_seconds;
  if (continued_) {
    runner::Tell(fmt::format("dlpack-cts: continues the campaign in {}: {} exchanges, {} known causes, seed {}\n",
                             folder_.path(), state_.counts.exchanges, book_.causes().size(), state_.seed));
  } else {
    runner::Tell(fmt::format("dlpack-cts: seed {}\n", state_.seed));
  }
  if (plan_.seconds > 0) EndAfter(plan_.seconds + kGraceSeconds);
  std::vector<std::thread> threads;
  for (int i = 0; i < plan_.jobs; ++i) {
    const std::lock_guard lock(mutex_);
    if (auto thread = TryThread([this] { Work(); })) {
      threads.push_back(*std::move(thread));
      ++working_;
    }
  }
  if (threads.empty()) throw Failure("a thread cannot be started", "close other programs");
  Wait();
  for (std::thread& thread : threads) thread.join();
  if (failure_ && !judged_) throw *failure_;
  PrintEnd();
  return Status();
}

/// One job: leg after leg, on a worker of its own.
void Campaign::Work() {
  Session session(assignment_.library, assignment_.options.run.keep_environment);
  LegSize size;
  int failures = 0;
  int empty = 0;
  while (const std::optional<LegPlan> plan = Next(size)) {
    const double began = Now();
    const LegReport report = RunLeg(assignment_, session, cases_, *plan);
    size.Ran(report, Now() - began);
    failures = report.failure ? failures + 1 : 0;
    empty = report.counts.exchanges == 0 ? empty + 1 : 0;
    const std::optional<Failure> wrong = Booked(report, session);
    const std::lock_guard lock(mutex_);
    under_way_ -= plan->reserved;
    if (report.failure && (!judged_ || failures >= kPatience) && !Interrupted()) failure_ = report.failure;
    const bool none_runs = plan_.runs > 0 ? counts_.exchanges == 0 && Able().empty() : empty >= kEmptyLegs;
    if (none_runs && !MustEnd() && !report.failure) failure_ = NothingRuns(state_, report);
    if (wrong && !Interrupted()) failure_ = wrong;
  }
  const std::lock_guard lock(mutex_);
  --working_;
  changed_.notify_all();
}

/// Nothing if the campaign is over.
std::optional<LegPlan> Campaign::Next(const LegSize& size) {
  const std::lock_guard lock(mutex_);
  if (IsOver()) return std::nullopt;
  LegPlan plan{.exchanges = size.exchanges(), .case_seconds = assignment_.options.run.case_seconds};
  if (plan_.seconds > 0) {
    const double left = plan_.seconds - Elapsed();
    if (left < kTooLate) return std::nullopt;
    plan.exchanges = std::clamp<int64_t>(plan.exchanges, 1, std::max<int64_t>(1, size.In(left)));
    plan.case_seconds = std::min(plan.case_seconds, left + kSlowSeconds);
  }
  if (plan_.runs > 0) {
    plan.most = plan_.runs - counts_.exchanges - under_way_;
    if (plan.most <= 0) return std::nullopt;
    plan.exchanges = std::min(plan.exchanges, plan.most);
  }
  const uint64_t leg = state_.legs++;
  plan.seed = SeedOfLeg(state_.seed, leg);
  plan.left_out = book_.LeftOut(cases_, leg % 2 == 1);
  ChooseCases(Able(), plan);
  if (plan.cases.empty()) return std::nullopt;  // no case runs, or each has more exchanges than are left
  under_way_ += plan.reserved;
  return plan;
}

/// With --runs, cases of which no exchange ran are left out, so that the others come close to that number.
std::vector<CaseInfo> Campaign::Able() const {
  std::vector<CaseInfo> able = cases_;
  if (plan_.runs > 0) std::erase_if(able, [this](const CaseInfo& info) { return idle_.contains(info.id); });
  return able;
}

/// Why a leg could not be booked, if so.
std::optional<Failure> Campaign::Booked(const LegReport& report, Session& session) {
  try {
    Fold(report, session);
  } catch (const Failure& failure) {
    return failure;
  } catch (const std::exception& e) {
    return Unforeseen(e);
  }
  return std::nullopt;
}

/// Books a leg, and tells what is new in it. Throws.
void Campaign::Fold(const LegReport& report, Session& session) {
  std::vector<NewCause> found;
  {
    const std::lock_guard lock(mutex_);
    const std::string& version = report.outcome.library_version;
    if (!version.empty() && !state_.library_version.empty() && state_.library_version != version) {
      throw Failure(fmt::format("the folder {} holds a campaign on {} {}, but this is {}", folder_.path(),
                                state_.library, state_.library_version, version),
                    "choose another folder with --out");
    }
    if (!version.empty()) state_.library_version = version;
    judged_ = judged_ || !report.failure;
    counts_.Add(report.counts);
    state_.counts.Add(report.counts);
    state_.seconds = seconds_before_ + Elapsed();
    for (const Observation& seen : report.seen) {
      if (CountsOf(seen).exchanges == 0) idle_.insert(seen.case_id);
    }
    found = book_.Add(report, state_.seconds);
  }
  for (const NewCause& one : found) Tell(one, session);
  const double cpu_seconds = CpuSecondsOfAll() - cpu_start_;  // reads /proc, so without the lock
  const std::lock_guard lock(mutex_);
  // The time of a process that ends just now may be missing once.
  cpu_seconds_ = std::max(cpu_seconds_, cpu_seconds);
  state_.cpu_seconds = cpu_before_ + cpu_seconds_;
  folder_.Save(state_, book_);
}

void Campaign::Tell(const NewCause& found, Session& session) {
  LegReport again;
  if (!assignment_.IsPair()) again = RunAgain(assignment_, session, found.case_id, found.cause);
  const std::lock_guard lock(mutex_);
  const std::string folder = folder_.WriteCause(catalogue_, assignment_, found, again);
  book_.SetFolder(found.cause.id, folder);
  Print(fmt::format("found: {} {}: {}\n  {}/{}\n", ToText(found.cause.verdict), found.cause.rule,
                    OneLine(found.sentence), folder_.path(), folder));
}

/// Shows the progress until all jobs have ended.
void Campaign::Wait() {
  const size_t width = WidthOf(STDERR_FILENO);
  double told = Now();
  std::unique_lock lock(mutex_);
  while (working_ > 0) {
    changed_.wait_for(lock, std::chrono::seconds(1), [this] { return working_ == 0; });
    if (width > 0) {
      ShowStatus(Progress(), width);
    } else if (Now() >= told + kLinePeriod) {
      told = Now();
      runner::Tell("dlpack-cts: " + Progress() + "\n");
    }
  }
  ShowStatus("", width);
}

std::string Campaign::Progress() const {
  const double seconds = std::max(Elapsed(), 1e-3);
  return fmt::format("{} {}: {}, {} exchanges, {:.0f} per second, {} listed causes, {} new", state_.target,
                     state_.library, Clock(seconds), counts_.exchanges,
                     static_cast<double>(counts_.exchanges) / seconds, book_.CountListed(), book_.CountNew());
}

void Campaign::PrintEnd() const {
  Print(CampaignTable(state_, counts_, cpu_seconds_, book_, folder_.path()) +
        fmt::format("{} exchanges in {:.1f} s\n", counts_.exchanges, Elapsed()));
}

int Campaign::Status() const {
  int status = book_.CountNew() > 0 ? kUnexpected : kAsExpected;
  for (const std::optional<Failure>& failure : {failure_, book_.trouble()}) {
    if (failure) status = std::max(status, Report(*failure));
  }
  return Interrupted() ? static_cast<int>(kInterrupted) : status;
}

}  // namespace

int RunCampaign(const Catalogue& catalogue, const Assignment& assignment, const CampaignPlan& plan) {
  return Campaign(catalogue, assignment, plan).Run();
}

}  // namespace dlpack_cts::runner
