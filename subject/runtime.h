// subject/runtime.h: the language runtime of a library: threads, exceptions, garbage, and forks.
#ifndef DLPACK_CTS_SUBJECT_RUNTIME_H_
#define DLPACK_CTS_SUBJECT_RUNTIME_H_

#include <cstdint>
#include <functional>

#include "harness/forge/forge.h"
#include "harness/ledger/record.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// The default methods are those of a library without an interpreter.
class Runtime {
 public:
  virtual ~Runtime() = default;

  /// Called before and after calls of the library on a thread of the harness. In between the thread holds the GIL, if
  /// there is one. The engine's own thread needs neither.
  virtual void Attach() {}
  virtual void Detach() {}
  /// Releases the GIL while `work` waits for other threads.
  virtual void Waiting(const std::function<void()>& work) { work(); }
  /// With true, the interpreter switches threads as often as possible. With false, as usual.
  virtual void Hurry(bool hurries) { (void)hurries; }
  /// Runs `work`, which calls the library, inside a deleter: on any thread and in any state, which is restored
  /// afterwards. Does nothing after the end of the runtime.
  virtual void Aside(const std::function<void()>& work) { work(); }
  virtual ThreadProbe Probe() { return {}; }

  /// Runs `work` with a pending exception, and returns whether it is still pending. kNotRun without exceptions.
  virtual Survival WithPendingException(const std::function<void()>& work) {
    work();
    return Survival::kNotRun;
  }
  /// Clears the pending exception. kYes if there was one; kUnknown without exceptions.
  virtual Answer ForgetException() { return Answer::kUnknown; }

  /// Runs `work`, which calls a deleter, on a thread that does not hold the GIL. Sets `frees` at once: kYes if that
  /// thread allocates or frees memory of the interpreter without the GIL, kNo if not; unchanged if that cannot be
  /// observed. Call it between PrepareToWatch(true) and PrepareToWatch(false), which are called on the engine's own
  /// thread.
  virtual void WatchUnlocked(const std::function<void()>& work, Answer* frees) {
    (void)frees;
    work();
  }
  virtual void PrepareToWatch(bool watches) { (void)watches; }

  /// Runs `work` during a garbage collection, or directly if there is no garbage collector.
  virtual void InCollection(const std::function<void()>& work) { work(); }
  /// Runs `work` while every warning of the library is an exception, or directly if there are no warnings.
  virtual void Strictly(const std::function<void()>& work) { work(); }
  /// The number of live memory blocks that the language counts, or 0 if it does not count them.
  virtual int64_t LiveObjects() { return 0; }
  /// Later collections ignore everything that was leaked so far.
  virtual void WriteOffLeaks() {}

  /// Runs `work` in a fork of this process, in that context, which is one that ends a process. kYes if `work` returns,
  /// kNo if it crashes the fork. kUnknown without an interpreter, or if the fork ended earlier.
  virtual Answer InCopy(Context context, const std::function<void()>& work) {
    (void)context, (void)work;
    return Answer::kUnknown;
  }
  /// Before and after a fork of the process that holds the library.
  virtual void BeforeFork() {}
  virtual void AfterForkInParent() {}
  virtual void AfterForkInChild() {}
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_SUBJECT_RUNTIME_H_
