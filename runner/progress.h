// runner/progress.h: one line on the terminal that says how far a run is.
#ifndef DLPACK_CTS_RUNNER_PROGRESS_H_
#define DLPACK_CTS_RUNNER_PROGRESS_H_

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <thread>

namespace dlpack_cts::runner {

/// While it lives, standard error shows cases done of all, the time, and what runs; wiped at the end. Nothing where
/// standard error is no terminal. May be told by several threads.
class Progress {
 public:
  explicit Progress(size_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// A case of a library, pair or mutant runs, or was the last to run.
  void Begin(const std::string& subject, const std::string& case_id);
  /// That many more cases are to run than was known.
  void Add(size_t cases);
  /// That many more cases are done, or will not run.
  void Done(size_t cases);

 private:
  void Draw();
  std::string Text();

  size_t total_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  std::condition_variable end_;
  bool ended_ = false;
  size_t done_ = 0;
  std::string running_;
  std::thread drawing_;  // none where standard error is no terminal
};

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_PROGRESS_H_
