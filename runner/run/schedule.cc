// runner/run/schedule.cc: threads that take parts of test runs from one queue.
#include "runner/run/schedule.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

#include "base/failure.h"
#include "base/shortage.h"
#include "runner/run/publish.h"
#include "runner/run/test_run.h"

namespace dlpack_cts::runner {
namespace {

constexpr int kFiles = 8;            // descriptors that the driver needs
constexpr int kFilesForAWorker = 6;  // its folder, its socket, its output, its crash record, and those of its start
constexpr int kPartsForAWorker = 8;  // so that all workers end at about the same time

/// Publishes runs in their order, one at a time, while others still run. A slow reader of the output delays no run.
class Publisher {
 public:
  Publisher(const Catalogue& catalogue, std::vector<std::unique_ptr<TestRun>>& runs, const EndedAt& ended)
      : catalogue_(catalogue), runs_(runs), ended_(ended), whole_(runs.size()) {}

  void Finish(size_t index) {
    std::unique_lock<std::mutex> lock(mutex_);
    whole_[index] = true;
    if (busy_) return;  // the thread that publishes now will publish this one too
    busy_ = true;
    for (; next_ < whole_.size() && whole_[next_]; ++next_) {
      lock.unlock();
      const int status = runs_[next_]->Publish(
          catalogue_, [&](const Assembled* assembled, const Failure* failure) { ended_(next_, assembled, failure); });
      runs_[next_].reset();  // the results of many pairs would fill the memory
      lock.lock();
      status_ = std::max(status_, status);
    }
    busy_ = false;
  }

  int status() const { return status_; }

 private:
  const Catalogue& catalogue_;
  std::vector<std::unique_ptr<TestRun>>& runs_;
  const EndedAt& ended_;
  std::mutex mutex_;
  std::vector<bool> whole_;
  size_t next_ = 0;
  bool busy_ = false;
  int status_ = kNothingJudged;
};

/// The parts that wait for a thread. A thread may add parts, so no thread ends before all parts are returned.
class Queue {
 public:
  struct Item {
    size_t run;
    size_t part;
  };

  /// Adds them at the front, so that a started assignment is completed first.
  void Put(const std::vector<Item>& items) {
    const std::lock_guard<std::mutex> lock(mutex_);
    items_.insert(items_.begin(), items.begin(), items.end());
    changed_.notify_all();
  }

  /// False if there is no work left.
  bool Take(Item* item) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return !items_.empty() || taken_ == 0; });
    if (items_.empty()) return false;
    *item = items_.front();
    items_.pop_front();
    ++taken_;
    return true;
  }

  /// Call it for each taken item, after its further parts were added.
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

int TestAll(const Catalogue& catalogue, const std::vector<std::string>& cases, const std::vector<Prepare>& preparing,
            int workers, const EndedAt& ended) {
  std::vector<std::vector<std::string>> parts =
      Cut(catalogue.cases, cases, workers > 1 ? workers * kPartsForAWorker : workers);
  // Cases that may hang start first.
  std::set<std::string> hostile;
  for (const CaseInfo& info : catalogue.cases) {
    if (info.hostile) hostile.insert(info.id);
  }
  std::stable_partition(parts.begin(), parts.end(), [&](const std::vector<std::string>& part) {
    return std::any_of(part.begin(), part.end(), [&](const std::string& id) { return hostile.contains(id); });
  });
  std::vector<std::unique_ptr<TestRun>> runs;
  std::vector<Queue::Item> all;
  for (size_t i = 0; i < preparing.size(); ++i) {
    runs.push_back(std::make_unique<TestRun>(preparing[i], parts));
    for (size_t part = 0; part < parts.size(); ++part) all.push_back({i, part});
  }
  const size_t width = std::min(all.size(), static_cast<size_t>(std::max(1, workers)));
  RequireFiles(kFiles + kFilesForAWorker * static_cast<int>(width));
  Queue queue;
  queue.Put(all);
  Progress progress(cases.size() * preparing.size());
  Publisher publisher(catalogue, runs, ended);
  const auto work = [&] {
    Queue::Item item{};
    while (queue.Take(&item)) {
      TestRun& run = *runs[item.run];
      if (run.Run(catalogue, item.part, workers, progress)) {
        std::vector<Queue::Item> more;
        for (const size_t part : run.EndRound(catalogue, workers, progress)) more.push_back({item.run, part});
        queue.Put(more);
        if (more.empty()) publisher.Finish(item.run);
      }
      queue.Return();
    }
  };
  std::vector<std::thread> threads;
  // With fewer threads than wanted it only takes longer.
  for (size_t i = 0; i < width; ++i) {
    if (std::optional<std::thread> thread = TryThread(work)) threads.push_back(*std::move(thread));
  }
  if (threads.empty()) work();
  for (std::thread& thread : threads) thread.join();
  return publisher.status();
}

}  // namespace dlpack_cts::runner
