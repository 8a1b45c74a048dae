// runner/schedule.cc: threads that take parts of assignments from one queue.
#include "runner/schedule.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

#include "runner/failure.h"
#include "runner/interrupt.h"
#include "runner/print.h"

namespace dlpack_cts::runner {
namespace {

constexpr size_t kFewest = 4;        // cases of a part: every part may need an import
constexpr int kPartsForAWorker = 6;  // so that all workers end at about the same time

/// One library or pair on its way through the queue.
class Journey {
 public:
  Journey(Prepare prepare, const std::vector<std::vector<std::string>>& parts)
      : prepare_(std::move(prepare)), left_(parts.size()) {
    for (const std::vector<std::string>& cases : parts) parts_.push_back({.cases = cases});
  }

  /// True if it was the last part of its round. After `most` parts in which the library could not be tested at all, the
  /// remaining parts do not run.
  bool Run(size_t index, int most, Progress& progress) {
    Part& part = parts_[index];
    const Assignment* assignment = Prepared();
    if (assignment != nullptr && !Interrupted() && !GivenUp(most, part)) {
      part.session = WaitingSession();
      RunPart(*assignment, progress, part);
      Keep(part);
    } else {
      part.outcome.interrupted = assignment != nullptr && !part.failure;
      progress.Done(part.cases.size());
    }
    return --left_ == 0;
  }

  /// Call when all parts have run. Adds the parts of the next round, at most `most`, and returns their indices: none if
  /// no case has to run again.
  std::vector<size_t> GoOn(const Desk& desk, int most, Progress& progress) {
    const Avoid avoid =
        !assignment_ || Interrupted() || round_++ == kRounds ? Avoid{} : NextRound(desk, *assignment_, parts_);
    if (avoid.empty()) {
      waiting_.clear();
      return {};
    }
    std::vector<std::string> cases;
    for (const CaseInfo& info : desk.cases) {
      if (avoid.contains(info.id)) cases.push_back(info.id);
    }
    progress.Add(cases.size());
    std::vector<size_t> added;
    for (const std::vector<std::string>& some : Cut(desk.cases, cases, most)) {
      Part part{.cases = some};
      for (const std::string& id : some) part.avoid[id] = avoid.at(id);
      added.push_back(parts_.size());
      parts_.push_back(std::move(part));
    }
    left_ = added.size();
    return added;
  }

  /// Call once, when all rounds have run. Returns the status.
  int Publish(const Desk& desk) {
    if (!assignment_ && !failure_) return kInterrupted;
    try {
      if (failure_) throw *failure_;
      Judged judged = Assemble(desk, *assignment_, parts_);
      return runner::Publish(desk, *assignment_, judged);
    } catch (const Failure& failure) {
      return failure.status() == kInterrupted ? static_cast<int>(kInterrupted) : Report(failure);
    } catch (const std::exception& e) {
      return Report(Failure(e.what(), "this is a bug in dlpack-cts; please report it", kHarness));
    }
  }

 private:
  /// A session whose worker imported the library for an earlier part, or NULL.
  std::unique_ptr<Session> WaitingSession() {
    const std::lock_guard<std::mutex> one(keeping_);
    if (waiting_.empty()) return nullptr;
    std::unique_ptr<Session> session = std::move(waiting_.back());
    waiting_.pop_back();
    return session;
  }

  void Keep(Part& part) {
    const std::lock_guard<std::mutex> one(keeping_);
    if (part.session != nullptr) waiting_.push_back(std::move(part.session));
    if (part.failure) failures_.push_back(*part.failure);
  }

  bool GivenUp(int most, Part& part) {
    const std::lock_guard<std::mutex> one(keeping_);
    if (failures_.size() < static_cast<size_t>(std::max(1, most))) return false;
    part.failure = failures_.back();
    return true;
  }

  /// The first part prepares for all parts. NULL if that failed or was interrupted.
  Assignment* Prepared() {
    const std::lock_guard<std::mutex> once(preparing_);
    if (!assignment_ && !failure_ && !Interrupted()) {
      try {
        assignment_ = prepare_();
      } catch (const Failure& failure) {
        failure_ = Interrupted() ? Failure("interrupted", "", kInterrupted) : failure;
      } catch (const std::exception& e) {
        failure_ = Failure(e.what(), "this is a bug in dlpack-cts; please report it", kHarness);
      }
    }
    return assignment_ ? &*assignment_ : nullptr;
  }

  Prepare prepare_;
  std::vector<Part> parts_;
  int round_ = 0;
  std::atomic<size_t> left_;
  std::mutex keeping_;
  std::vector<std::unique_ptr<Session>> waiting_;
  std::vector<Failure> failures_;
  std::mutex preparing_;
  std::optional<Assignment> assignment_;
  std::optional<Failure> failure_;
};

/// Publishes journeys in their order, one at a time, while others still run. A slow reader of the output delays no run.
class Publisher {
 public:
  Publisher(const Desk& desk, std::vector<std::unique_ptr<Journey>>& journeys)
      : desk_(desk), journeys_(journeys), whole_(journeys.size()) {}

  void Finish(size_t index) {
    std::unique_lock<std::mutex> lock(mutex_);
    whole_[index] = true;
    if (busy_) return;  // the thread that is publishing will publish this one too
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

/// Parts that wait for a thread. A thread may add further parts, so no thread ends before all parts are returned.
class Queue {
 public:
  struct Item {
    size_t journey;
    size_t part;
  };

  /// Puts them at the front, so that a started assignment is completed first.
  void Put(const std::vector<Item>& items) {
    const std::lock_guard<std::mutex> lock(mutex_);
    items_.insert(items_.begin(), items.begin(), items.end());
    changed_.notify_all();
  }

  /// False if all work is done.
  bool Take(Item* item) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return !items_.empty() || taken_ == 0; });
    if (items_.empty()) return false;
    *item = items_.front();
    items_.pop_front();
    ++taken_;
    return true;
  }

  /// Call for each taken item, after its further parts were put in.
  void Return() {
    const std::lock_guard<std::mutex> lock(mutex_);
    --taken_;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Item> items_;
  size_t taken_ = 0;
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
  // The largest suite first, each into the smallest part.
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
  std::vector<std::vector<std::string>> parts =
      Cut(desk.cases, cases, workers > 1 ? workers * kPartsForAWorker : workers);
  // Cases that may hang begin first.
  std::set<std::string> hostile;
  for (const CaseInfo& info : desk.cases) {
    if (info.hostile) hostile.insert(info.id);
  }
  std::stable_partition(parts.begin(), parts.end(), [&](const std::vector<std::string>& part) {
    return std::any_of(part.begin(), part.end(), [&](const std::string& id) { return hostile.contains(id); });
  });
  std::vector<std::unique_ptr<Journey>> journeys;
  std::vector<Queue::Item> all;
  for (size_t i = 0; i < preparing.size(); ++i) {
    journeys.push_back(std::make_unique<Journey>(preparing[i], parts));
    for (size_t part = 0; part < parts.size(); ++part) all.push_back({i, part});
  }
  Queue queue;
  queue.Put(all);
  Progress progress(cases.size() * preparing.size());
  Publisher publisher(desk, journeys);
  const auto work = [&] {
    Queue::Item item{};
    while (queue.Take(&item)) {
      Journey& journey = *journeys[item.journey];
      if (journey.Run(item.part, workers, progress)) {
        std::vector<Queue::Item> more;
        for (const size_t part : journey.GoOn(desk, workers, progress)) more.push_back({item.journey, part});
        queue.Put(more);
        if (more.empty()) publisher.Finish(item.journey);
      }
      queue.Return();
    }
  };
  std::vector<std::thread> threads;
  const size_t width = std::min(all.size(), static_cast<size_t>(std::max(1, workers)));
  for (size_t i = 0; i < width; ++i) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
  return publisher.status();
}

}  // namespace dlpack_cts::runner
