// harness/forge/thread.h: what the harness knows of the thread that runs, for whoever is called on it.
//
// Deleters may run on any thread. Those that the harness started carry a mark; a thread without one is the library's.
#ifndef DLPACK_CTS_HARNESS_FORGE_THREAD_H_
#define DLPACK_CTS_HARNESS_FORGE_THREAD_H_

#include <cstdint>

namespace dlpack_cts {

/// Marks the calling thread as one of the harness's for as long as the mark lives. `lane` is the lane whose steps it
/// takes: 0 for the engine's own thread; kNoLane for a thread that runs one call for another lane.
class ThreadMark {
 public:
  static constexpr int8_t kNoLane = -1;

  explicit ThreadMark(int8_t lane = kNoLane);
  ~ThreadMark();
  ThreadMark(const ThreadMark&) = delete;
  ThreadMark& operator=(const ThreadMark&) = delete;

  /// Whether the calling thread carries a mark, and the lane of the innermost one.
  static bool IsMarked();
  static int8_t Lane();

  /// The step that the calling thread takes while others take theirs; kNoStep: the one that the ledger names.
  static constexpr int32_t kNoStep = -1;
  static void SetStep(int32_t step);
  static int32_t Step();

 private:
  bool marked_before_;
  int8_t lane_before_;
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_FORGE_THREAD_H_
