// adapters/interface/engine.h: runs one recipe on a subject and writes the ledger.
//
// The engine interprets the recipe's life step by step, then drops everything that is left, collects only when a
// release is missing, and checks what it offered for damage. It never judges. Several engines live side by side, each
// with a forge of its own.
//
// Lanes: between two barriers each lane is one thread, lane 0 the caller's. Their calls of the library overlap; steps
// with the same slot take turns. Contexts: kRawThread and kCollection are run for steps that call the library once
// (imports, exports, and what lets go: drops and deletes), kPendingException for what lets go, those that end a process
// for deletes, in a copy of it. Another context is left out, and the timeline has nothing of such a step. Rounds: the
// whole life is taken so many times; the ledger is emptied before each. Streams are not run.
#ifndef DLPACK_CTS_ADAPTERS_INTERFACE_ENGINE_H_
#define DLPACK_CTS_ADAPTERS_INTERFACE_ENGINE_H_

#include <memory>

#include "adapters/interface/effort.h"
#include "adapters/interface/subject.h"
#include "adapters/interface/threads.h"
#include "harness/forge/forge.h"
#include "harness/ledger/ledger.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts {

class Scratch;

class Engine {
 public:
  explicit Engine(Subject& subject) : Engine(subject, subject) {}
  /// A pair in one process: `producer` makes and exports arrays, `consumer` imports them. Neither is owned.
  Engine(Subject& producer, Subject& consumer);
  ~Engine();

  /// Runs a normal recipe. The ledger is cleared first and complete when this returns; it has to stay where it is until
  /// the next Run() returns, or the engine is gone. noexcept: a C++ exception that leaves the library (a function of a
  /// plug-in or of an exchange table, a deleter) ends the process, as it would end a caller written in C.
  void Run(const Recipe& recipe, Ledger& ledger) noexcept;

  Forge& forge() { return forge_; }

  /// Whether the threads that lives need wait for the next one, rather than end. Not in a process that forks.
  void KeepThreads(bool kept) { threads_.Keep(kept); }

  /// From now on; kFull before.
  void Spend(Effort effort) { effort_ = effort; }

  /// A tensor was released a moment late, and waited for.
  bool WasLate() const { return patience_.tensors > kNeverLate; }
  /// As if one had been.
  void ExpectLate() { patience_.tensors = kOnceLate; }

 private:
  Subject& producer_;
  Subject& consumer_;
  Forge forge_;
  Threads threads_;
  std::unique_ptr<Scratch> scratch_;
  Effort effort_ = Effort::kFull;
  Patience patience_;
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_ADAPTERS_INTERFACE_ENGINE_H_
