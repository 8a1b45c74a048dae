// runner/base/progress.cc: draws the line several times a second, so that the time advances while a case hangs.
#include "runner/base/progress.h"

#include <unistd.h>

#include "base/shortage.h"
#include "reports/text.h"
#include "runner/base/print.h"
#include "runner/base/terminal.h"

namespace dlpack_cts::runner {
namespace {

constexpr auto kPeriod = std::chrono::milliseconds(100);

}  // namespace

Progress::Progress(size_t total, std::chrono::milliseconds line_period) : total_(total), line_period_(line_period) {
  const auto show = [this] { WidthOf(STDERR_FILENO) > 0 ? Draw() : Tell(); };
  drawing_ = TryThread(show).value_or(std::thread());
}

Progress::~Progress() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ended_ = true;
  }
  end_.notify_all();
  if (drawing_.joinable()) drawing_.join();
}

void Progress::Begin(const std::string& subject, const std::string& case_id) {
  const std::lock_guard<std::mutex> lock(mutex_);
  running_ = OneLine(subject + "  " + case_id);
}

void Progress::Add(size_t cases) {
  const std::lock_guard<std::mutex> lock(mutex_);
  total_ += cases;
}

void Progress::Done(size_t cases) {
  const std::lock_guard<std::mutex> lock(mutex_);
  done_ += cases;
}

void Progress::Draw() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (!end_.wait_for(lock, kPeriod, [this] { return ended_; })) {
    const std::string text = done_ < total_ ? Text() : "";
    lock.unlock();  // a terminal may be slow, and the run must not wait for it
    ShowStatus(text, WidthOf(STDERR_FILENO));
    lock.lock();
  }
  lock.unlock();
  ShowStatus("", 0);
}

void Progress::Tell() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (!end_.wait_for(lock, line_period_, [this] { return ended_; })) {
    if (done_ >= total_) continue;
    const std::string text = "dlpack-cts: running: " + Text() + "\n";
    lock.unlock();
    runner::Tell(text);
    lock.lock();
  }
}

std::string Progress::Text() {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - start_);
  return std::to_string(done_) + "/" + std::to_string(total_) + "  " + std::to_string(seconds.count()) + " s  " +
         (running_.empty() ? "preparing" : running_);
}

}  // namespace dlpack_cts::runner
