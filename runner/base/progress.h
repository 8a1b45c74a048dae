// runner/base/progress.h: a status line on the terminal that shows the progress of a run.
#ifndef DLPACK_CTS_RUNNER_BASE_PROGRESS_H_
#define DLPACK_CTS_RUNNER_BASE_PROGRESS_H_

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <thread>

namespace dlpack_cts::runner {

/// While the object exists, standard error shows the number of finished cases, the time and the running case. The line
/// is erased at the end. If standard error is not a terminal, it is a new line in each period. Several threads may use
/// one object.
class Progress {
 public:
  explicit Progress(size_t total, std::chrono::milliseconds line_period = std::chrono::seconds(30));
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Sets the running case of a library, pair or mutant.
  void Begin(const std::string& subject, const std::string& case_id);
  /// Adds cases to the total.
  void Add(size_t cases);
  /// Counts cases as finished, including cases that will not run.
  void Done(size_t cases);

 private:
  void Draw();
  void Tell();
  std::string Text();

  size_t total_;
  const std::chrono::milliseconds line_period_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  std::condition_variable end_;
  bool ended_ = false;
  size_t done_ = 0;
  std::string running_;
  std::thread drawing_;
};

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_BASE_PROGRESS_H_
