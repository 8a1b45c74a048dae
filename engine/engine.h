// engine/engine.h: runs one recipe on a subject and writes the ledger.
//
// The engine runs the steps of the recipe in order, then drops everything that is left. If a release is missing it
// collects garbage. It checks whether the library changed what was offered. It does not judge. Several engines can be
// used in one process, each with its own forge.
//
// Lanes: between two barriers each lane is one thread; lane 0 is the caller's. Calls of the library overlap, but steps
// with the same slot do not.
//
// Contexts: kRawThread, kCollection and kStrictWarnings apply to steps that call the library once (imports, exports,
// drops and deletes), kPendingException to drops and deletes. Contexts that end a process apply to deletes, in a fork.
// CUDA contexts need a CUDA driver; without one the step runs as usual. A step in a context that does not apply to it
// is skipped, and is not in the timeline.
//
// Rounds: all steps run that many times. The ledger is cleared before each round.
//
// Streams: if a step names a stream and there is a CUDA driver, the export gets the handle of a stream of the harness.
// The export is checked for order with work on that stream (cuda_steps.cc).
#ifndef DLPACK_CTS_ENGINE_ENGINE_H_
#define DLPACK_CTS_ENGINE_ENGINE_H_

#include <algorithm>
#include <memory>

#include "engine/effort.h"
#include "engine/threads.h"
#include "harness/forge/forge.h"
#include "harness/ledger/ledger.h"
#include "harness/recipe/recipe.h"
#include "subject/subject.h"

namespace dlpack_cts {

class DeviceBlocks;
class Scratch;

class Engine {
 public:
  explicit Engine(Subject& subject) : Engine(subject, subject) {}
  /// A pair in one process: `producer` makes and exports arrays, `consumer` imports them. The engine owns neither.
  Engine(Subject& producer, Subject& consumer);
  ~Engine();

  /// Runs a recipe, which must be normalised. The ledger is cleared first, and complete when this returns. It must stay
  /// at its address until the next Run() returns or the engine is destroyed. noexcept: a C++ exception of the library
  /// (a plug-in, an exchange table, a deleter) ends the process, as it would in a caller written in C.
  void Run(const Recipe& recipe, Ledger& ledger) noexcept;

  Forge& forge() { return forge_; }

  /// From now on tensors in device memory are in host memory: the subject is the reference, which has no devices.
  void StandInForDevices() { forge_.StandInForDevices(); }

  /// Whether threads are kept for the next run instead of ending. Not for a process that forks.
  void KeepThreads(bool kept) { threads_.Keep(kept); }

  /// Applies from now on. The default is kFull.
  void Spend(Effort effort) { effort_ = effort; }

  /// From now on a memory measurement takes at most about so long, or the default if that is less.
  void MeasureWithin(double seconds) { patience_.measuring = std::min(patience_.measuring, seconds); }

  /// Whether a tensor was released late, after a wait.
  bool WasLate() const { return patience_.tensors > kNeverLate; }
  /// From now on waits as if a tensor had been released late.
  void ExpectLate() { patience_.tensors = kOnceLate; }

 private:
  Subject& producer_;
  Subject& consumer_;
  Forge forge_;
  Threads threads_;
  std::unique_ptr<Scratch> scratch_;
  std::unique_ptr<DeviceBlocks> blocks_;  // NULL until a CUDA driver is opened
  Effort effort_ = Effort::kFull;
  Patience patience_;
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_ENGINE_ENGINE_H_
