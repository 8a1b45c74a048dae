// runner/run/test_run.cc: runs the parts of a library, round by round, and publishes its results.
#include "runner/run/test_run.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/paths.h"
#include "runner/base/interrupt.h"
#include "runner/base/print.h"
#include "runner/run/assemble.h"
#include "runner/run/publish.h"

namespace dlpack_cts::runner {
namespace {

constexpr size_t kFewest = 4;  // at least so many cases in a part, because a part may need an import

/// About how long the case takes; most cases have weight 1.
size_t WeightOf(const CaseInfo& info) {
  constexpr size_t kOfSweep = 150;  // times as many exchanges
  return info.whole ? kOfSweep : static_cast<size_t>(info.times);
}

/// Runs the part's cases. Does not throw. Afterwards `progress` counts all of them as done.
void RunPart(const Assignment& assignment, ProvisionalFile& lines, Progress& progress, Part& part) {
  const std::vector<std::string>& cases = part.cases;
  const auto begin = [&](std::vector<std::string>::const_iterator next) {
    if (next != cases.end()) progress.Begin(assignment.library.name, *next);
  };
  try {
    JobFile job = assignment.job;
    job.cases = cases;
    job.left_out = part.avoid;
    job.limits_only = cases.empty();  // without cases a worker would run all of them
    begin(cases.begin());
    const auto see = [&](Observation observation) {
      progress.Done(1);
      const auto seen = std::find(cases.begin(), cases.end(), observation.case_id);
      begin(seen == cases.end() ? seen : seen + 1);
      lines.Add(observation, part.outcome);
      part.seen.push_back(std::move(observation));
    };
    const auto find = [&](Finding finding) { part.findings.push_back(std::move(finding)); };
    if (part.session == nullptr)
      part.session = std::make_unique<Session>(assignment.library, assignment.options.run.keep_environment);
    part.session->Run(std::move(job), {see, find}, &part.outcome);
  } catch (const Failure& failure) {
    part.failure = failure;
  } catch (const std::exception& e) {
    part.failure = Unforeseen(e);
  }
  if (part.failure && (MustEnd() || part.failure->status() == kInterrupted)) {
    part.failure.reset();
    part.outcome.interrupted = true;
  }
  progress.Done(cases.size() - part.seen.size());
}

}  // namespace

std::vector<std::vector<std::string>> Cut(const std::vector<CaseInfo>& known, const std::vector<std::string>& cases,
                                          int most) {
  std::map<std::string, const CaseInfo*> info_of;
  for (const CaseInfo& info : known) info_of[info.id] = &info;
  struct Some {
    std::vector<std::string> cases = {};
    size_t weight = 0;
  };
  std::vector<Some> suites;
  const CaseInfo* last = nullptr;
  for (const std::string& id : cases) {
    const CaseInfo* const info = info_of.at(id);
    if (last == nullptr || info->suite != last->suite || info->whole) suites.emplace_back();
    last = info;
    suites.back().cases.push_back(id);
    suites.back().weight += WeightOf(*info);
  }
  size_t weight = 0;
  for (const Some& suite : suites) weight += suite.weight;
  const auto heavier = [](const Some& one, const Some& other) { return one.weight > other.weight; };
  const size_t enough = std::min(suites.size(), static_cast<size_t>(std::max(1, most)));
  std::vector<Some> cut(std::max<size_t>(1, std::min(weight / kFewest, enough)));
  // The heaviest suite first, each into the lightest part.
  std::stable_sort(suites.begin(), suites.end(), heavier);
  for (const Some& suite : suites) {
    Some& least =
        *std::min_element(cut.begin(), cut.end(), [&](const Some& a, const Some& b) { return heavier(b, a); });
    least.cases.insert(least.cases.end(), suite.cases.begin(), suite.cases.end());
    least.weight += suite.weight;
  }
  std::stable_sort(cut.begin(), cut.end(), heavier);
  const auto place = [&](const std::string& id) { return std::find(cases.begin(), cases.end(), id); };
  std::vector<std::vector<std::string>> parts;
  for (Some& part : cut) {
    std::sort(part.cases.begin(), part.cases.end(),
              [&](const std::string& a, const std::string& b) { return place(a) < place(b); });
    parts.push_back(std::move(part.cases));
  }
  return parts;
}

TestRun::TestRun(Prepare prepare, const std::vector<std::vector<std::string>>& parts)
    : prepare_(std::move(prepare)), left_(parts.size()) {
  for (const std::vector<std::string>& cases : parts) parts_.push_back({.cases = cases});
}

bool TestRun::Run(const Catalogue& catalogue, size_t index, int most, Progress& progress) {
  Part& part = parts_[index];
  const Assignment* assignment = Prepared(catalogue);
  if (assignment != nullptr && !MustEnd() && !GivenUp(most, part)) {
    part.session = WaitingSession();
    RunPart(*assignment, *lines_, progress, part);
    Keep(part);
  } else {
    part.outcome.interrupted = assignment != nullptr && !part.failure;
    progress.Done(part.cases.size());
  }
  return --left_ == 0;
}

std::vector<size_t> TestRun::EndRound(const Catalogue& catalogue, int most, Progress& progress) {
  std::vector<size_t> added;
  if (!assignment_) return added;
  if (!rounds_) rounds_.emplace(catalogue, assignment_->library);
  for (; ended_ < parts_.size(); ++ended_) {
    Part& part = parts_[ended_];
    for (const Observation& observation : std::exchange(part.seen, {})) rounds_->See(observation);
    for (Finding& finding : std::exchange(part.findings, {})) rounds_->Find(std::move(finding));
    // Every part reports the same limits, and those of the first are taken.
    if (ended_ > 0 && !parts_.front().outcome.limits.empty()) part.outcome.limits.clear();
  }
  if (MustEnd() && !parts_.empty()) parts_.back().outcome.interrupted = true;
  const Avoid avoid = MustEnd() ? Avoid{} : rounds_->Next();
  if (avoid.empty()) {
    waiting_.clear();
    return added;
  }
  std::vector<std::string> cases;
  for (const CaseInfo& info : catalogue.cases) {
    if (avoid.contains(info.id)) cases.push_back(info.id);
  }
  progress.Add(cases.size());
  for (const std::vector<std::string>& some : Cut(catalogue.cases, cases, most)) {
    Part part{.cases = some};
    for (const std::string& id : some) part.avoid[id] = avoid.at(id);
    added.push_back(parts_.size());
    parts_.push_back(std::move(part));
  }
  left_ = added.size();
  return added;
}

int TestRun::Publish(const Catalogue& catalogue, const Ended& ended) {
  try {
    if (failure_) throw *failure_;
    if (!assignment_ || !rounds_) {
      ended(nullptr, nullptr);
      return kInterrupted;
    }
    Assembled assembled = Assemble(catalogue, *assignment_, parts_, *rounds_);
    // All that they know is in `assembled`.
    rounds_.reset();
    parts_.clear();
    assembled.run.footer.time_limits = hangs_.limits();
    const int status = runner::Publish(catalogue, *assignment_, assembled);
    ended(&assembled, nullptr);
    return status;
  } catch (const Failure& failure) {
    ended(nullptr, &failure);
    return failure.status() == kInterrupted ? static_cast<int>(kInterrupted) : Report(failure);
  } catch (const std::exception& e) {
    const Failure failure = Unforeseen(e);
    ended(nullptr, &failure);
    return Report(failure);
  }
}

/// A session whose worker has imported the library for an earlier part, or NULL.
std::unique_ptr<Session> TestRun::WaitingSession() {
  const std::lock_guard<std::mutex> one(keeping_);
  if (waiting_.empty()) return nullptr;
  std::unique_ptr<Session> session = std::move(waiting_.back());
  waiting_.pop_back();
  return session;
}

void TestRun::Keep(Part& part) {
  const std::lock_guard<std::mutex> one(keeping_);
  if (part.session != nullptr) waiting_.push_back(std::move(part.session));
  if (part.failure) failures_.push_back(*part.failure);
}

bool TestRun::GivenUp(int most, Part& part) {
  const std::lock_guard<std::mutex> one(keeping_);
  if (failures_.size() < static_cast<size_t>(std::max(1, most))) return false;
  part.failure = failures_.back();
  return true;
}

/// The first part prepares for all parts. NULL if that failed or was interrupted.
Assignment* TestRun::Prepared(const Catalogue& catalogue) {
  const std::lock_guard<std::mutex> once(preparing_);
  if (!assignment_ && !failure_ && !Interrupted()) {
    try {
      assignment_ = prepare_();
      lines_ = std::make_unique<ProvisionalFile>(catalogue, *assignment_);
      assignment_->job.hangs = hangs_.path();
    } catch (const Failure& failure) {
      failure_ = Interrupted() ? Failure("interrupted", "", kInterrupted) : failure;
    } catch (const std::exception& e) {
      failure_ = Unforeseen(e);
    }
  }
  return assignment_ ? &*assignment_ : nullptr;
}

}  // namespace dlpack_cts::runner
