// runner/schedule.cc: threads that take parts of assignments from one queue.
#include "runner/schedule.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "runner/failure.h"
#include "runner/interrupt.h"
#include "runner/print.h"

namespace dlpack_cts::runner {
namespace {

constexpr size_t kFewest = 4;  // cases of a part: an import has its price

/// One library or pair on its way through the queue.
class Journey {
 public:
  Journey(Prepare prepare, const std::vector<std::vector<std::string>>& parts)
      : prepare_(std::move(prepare)), cases_(parts), parts_(parts.size()), left_(parts.size()) {}

  size_t size() const { return cases_.size(); }

  /// True when it was the last part.
  bool Run(size_t index, Progress& progress) {
    Part& part = parts_[index];
    part.cases = cases_[index];
    const Assignment* assignment = Prepared();
    if (assignment != nullptr && !Interrupted()) {
      part = RunPart(*assignment, cases_[index], progress);
    } else {
      part.outcome.interrupted = assignment != nullptr;
      progress.Done(part.cases.size());
    }
    return --left_ == 0;
  }

  /// Call once, when all parts have run. Returns the status.
  int Publish(const Desk& desk) {
    if (!assignment_ && !failure_) return kInterrupted;
    try {
      if (failure_) throw *failure_;
      Judged judged = Assemble(desk, *assignment_, parts_);
      return runner::Publish(desk, *assignment_, judged);
    } catch (const Failure& failure) {
      return failure.status() == kInterrupted ? static_cast<int>(kInterrupted) : Report(failure);
    } catch (const std::exception& e) {
      return Report(Failure(e.what(), "this is a fault of dlpack-cts; please report it", kHarness));
    }
  }

 private:
  /// The first part prepares for all. NULL where that failed, and where an interrupt came first.
  Assignment* Prepared() {
    const std::lock_guard<std::mutex> once(preparing_);
    if (!assignment_ && !failure_ && !Interrupted()) {
      try {
        assignment_ = prepare_();
      } catch (const Failure& failure) {
        failure_ = Interrupted() ? Failure("interrupted", "", kInterrupted) : failure;
      } catch (const std::exception& e) {
        failure_ = Failure(e.what(), "this is a fault of dlpack-cts; please report it", kHarness);
      }
    }
    return assignment_ ? &*assignment_ : nullptr;
  }

  Prepare prepare_;
  std::vector<std::vector<std::string>> cases_;
  std::vector<Part> parts_;
  std::atomic<size_t> left_;
  std::mutex preparing_;
  std::optional<Assignment> assignment_;
  std::optional<Failure> failure_;
};

/// Publishes journeys in their order, one at a time, while others still run: a reader who is slow delays none of them.
class Publisher {
 public:
  Publisher(const Desk& desk, std::vector<std::unique_ptr<Journey>>& journeys)
      : desk_(desk), journeys_(journeys), whole_(journeys.size()) {}

  void Finish(size_t index) {
    std::unique_lock<std::mutex> lock(mutex_);
    whole_[index] = true;
    if (busy_) return;  // who is busy goes on with this one
    busy_ = true;
    for (; next_ < whole_.size() && whole_[next_]; ++next_) {
      lock.unlock();
      const int status = journeys_[next_]->Publish(desk_);
      lock.lock();
      status_ = std::max(status_, status);
    }
    busy_ = false;
  }

  int status() const { return status_; }

 private:
  const Desk& desk_;
  std::vector<std::unique_ptr<Journey>>& journeys_;
  std::mutex mutex_;
  std::vector<bool> whole_;
  size_t next_ = 0;
  bool busy_ = false;
  int status_ = kAsExpected;
};

}  // namespace

std::vector<std::vector<std::string>> Cut(const std::vector<CaseInfo>& known, const std::vector<std::string>& cases,
                                          int most) {
  std::map<std::string, std::string> suite_of;
  for (const CaseInfo& info : known) suite_of[info.id] = info.suite;
  std::vector<std::vector<std::string>> suites;
  std::string last;
  for (const std::string& id : cases) {
    if (suites.empty() || suite_of[id] != last) suites.emplace_back();
    last = suite_of[id];
    suites.back().push_back(id);
  }
  const size_t parts =
      std::clamp<size_t>(cases.size() / kFewest, 1, std::min(suites.size(), static_cast<size_t>(std::max(1, most))));
  // The largest first, each to the part that has least.
  std::stable_sort(suites.begin(), suites.end(), [](const auto& a, const auto& b) { return a.size() > b.size(); });
  std::vector<std::vector<std::string>> cut(parts);
  for (const std::vector<std::string>& suite : suites) {
    auto& least =
        *std::min_element(cut.begin(), cut.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
    least.insert(least.end(), suite.begin(), suite.end());
  }
  const auto place = [&](const std::string& id) { return std::find(cases.begin(), cases.end(), id); };
  for (std::vector<std::string>& part : cut) {
    std::sort(part.begin(), part.end(),
              [&](const std::string& a, const std::string& b) { return place(a) < place(b); });
  }
  return cut;
}

int JudgeAll(const Desk& desk, const std::vector<std::string>& cases, const std::vector<Prepare>& preparing,
             int workers) {
  const std::vector<std::vector<std::string>> parts = Cut(desk.cases, cases, workers);
  std::vector<std::unique_ptr<Journey>> journeys;
  std::vector<std::pair<size_t, size_t>> queue;
  for (size_t i = 0; i < preparing.size(); ++i) {
    journeys.push_back(std::make_unique<Journey>(preparing[i], parts));
    for (size_t part = 0; part < parts.size(); ++part) queue.emplace_back(i, part);
  }
  Progress progress(cases.size() * preparing.size());
  Publisher publisher(desk, journeys);
  std::atomic<size_t> next{0};
  const auto work = [&] {
    for (size_t taken = next++; taken < queue.size(); taken = next++) {
      const auto& [journey, part] = queue[taken];
      if (journeys[journey]->Run(part, progress)) publisher.Finish(journey);
    }
  };
  std::vector<std::thread> threads;
  const size_t width = std::min(queue.size(), static_cast<size_t>(std::max(1, workers)));
  for (size_t i = 0; i < width; ++i) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
  return publisher.status();
}

}  // namespace dlpack_cts::runner
