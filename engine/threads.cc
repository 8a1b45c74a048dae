// engine/threads.cc: threads that run one piece of work after another, until they are no longer kept.
#include "engine/threads.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include "base/shortage.h"

namespace dlpack_cts {

class Threads::Worker {
 public:
  Worker() : thread_(NeedThread([this] { Run(); })) {}
  ~Worker() {
    Change([this] { state_ = State::kEnds; });
    thread_.join();
  }

  bool HasWork() const { return busy_; }

  void Start(std::function<void()> work) {
    busy_ = true;
    Change([&] {
      work_ = std::move(work);
      state_ = State::kHasWork;
    });
  }

  void Wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return state_ == State::kWaits; });
    busy_ = false;
  }

 private:
  enum class State { kWaits, kHasWork, kEnds };

  template <typename How>
  void Change(const How& how) {
    {
      const std::lock_guard lock(mutex_);
      how();
    }
    changed_.notify_one();
  }

  void Run() {
    while (true) {
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return state_ != State::kWaits; });
        if (state_ == State::kEnds) return;
      }
      std::exchange(work_, nullptr)();
      Change([this] { state_ = State::kWaits; });
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  State state_ = State::kWaits;
  std::function<void()> work_;
  bool busy_ = false;  // guarded by the waiting thread
  std::thread thread_;
};

Threads::Threads() = default;
Threads::~Threads() = default;

void Threads::Keep(bool kept) {
  kept_ = kept;
  if (!kept) std::erase_if(workers_, [](const auto& worker) { return !worker->HasWork(); });
}

Threads::Worker& Threads::Start(std::function<void()> work) {
  const auto idle =
      std::find_if(workers_.begin(), workers_.end(), [](const auto& worker) { return !worker->HasWork(); });
  Worker& worker = idle != workers_.end() ? **idle : *workers_.emplace_back(std::make_unique<Worker>());
  worker.Start(std::move(work));
  return worker;
}

void Threads::Wait(Worker& worker) {
  worker.Wait();
  if (!kept_) std::erase_if(workers_, [&](const auto& one) { return one.get() == &worker; });
}

}  // namespace dlpack_cts
