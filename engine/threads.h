// engine/threads.h: threads that the library's runtime has never seen, new for each piece of work or kept.
#ifndef DLPACK_CTS_ENGINE_THREADS_H_
#define DLPACK_CTS_ENGINE_THREADS_H_

#include <functional>
#include <memory>
#include <vector>

namespace dlpack_cts {

/// Runs work on other threads, for one thread that waits for it. A thread ends with its work, and what a library keeps
/// by thread with it. Where thousands of exchanges follow each other, threads are kept instead: making one costs as
/// much as a whole exchange.
class Threads {
 public:
  Threads();
  ~Threads();
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

  /// From now on threads outlive their work, or no longer: then those that wait for more end here. A process that keeps
  /// threads must not fork.
  void Keep(bool kept);

  class Worker;
  /// Begins `work` on a thread that has none. It has to be waited for.
  Worker& Start(std::function<void()> work);
  void Wait(Worker& worker);

 private:
  bool kept_ = false;
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_ENGINE_THREADS_H_
