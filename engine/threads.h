// engine/threads.h: threads that the library's runtime does not know, new for each piece of work or kept.
#ifndef DLPACK_CTS_ENGINE_THREADS_H_
#define DLPACK_CTS_ENGINE_THREADS_H_

#include <functional>
#include <memory>
#include <vector>

namespace dlpack_cts {

/// Runs work on other threads, for one thread that waits for it. A thread ends with its work, and so does thread-local
/// data of the library. If thousands of exchanges follow each other, threads are kept instead: starting one takes as
/// long as an exchange.
class Threads {
 public:
  Threads();
  ~Threads();
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

  /// Whether threads outlive their work. With false, idle threads end here. A process that keeps threads must not fork.
  void Keep(bool kept);

  class Worker;
  /// Starts `work` on an idle or new thread. The caller must wait for it.
  Worker& Start(std::function<void()> work);
  void Wait(Worker& worker);

 private:
  bool kept_ = false;
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_ENGINE_THREADS_H_
