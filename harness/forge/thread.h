// harness/forge/thread.h: marks the harness's threads, so that a deleter can tell on which one it runs.
//
// Deleters may run on any thread. Threads of the harness have a mark; a thread without a mark belongs to the library.
#ifndef DLPACK_CTS_HARNESS_FORGE_THREAD_H_
#define DLPACK_CTS_HARNESS_FORGE_THREAD_H_

#include <cstdint>

namespace dlpack_cts {

/// Marks the calling thread as one of the harness's, while this exists. `lane` is the lane whose steps it runs: 0 for
/// the engine's own thread; kNoLane for a thread that runs one call for another lane.
class ThreadMark {
 public:
  static constexpr int8_t kNoLane = -1;

  explicit ThreadMark(int8_t lane = kNoLane);
  ~ThreadMark();
  ThreadMark(const ThreadMark&) = delete;
  ThreadMark& operator=(const ThreadMark&) = delete;

  /// Whether the calling thread has a mark, and the lane of the innermost one.
  static bool IsMarked();
  static int8_t Lane();

  /// The step that the calling thread runs while other lanes run theirs. kNoStep: the step that the ledger names.
  static constexpr int32_t kNoStep = -1;
  static void SetStep(int32_t step);
  static int32_t Step();

 private:
  bool marked_before_;
  int8_t lane_before_;
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_FORGE_THREAD_H_
