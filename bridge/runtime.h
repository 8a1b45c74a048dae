// bridge/runtime.h: the interpreter as the runtime of a Python library.
#ifndef DLPACK_CTS_BRIDGE_RUNTIME_H_
#define DLPACK_CTS_BRIDGE_RUNTIME_H_

#include "bridge/object.h"
#include "subject/runtime.h"

namespace dlpack_cts {

class PythonRuntime : public Runtime {
 public:
  /// `fork`: whether the library survives a fork.
  explicit PythonRuntime(bool fork) : fork_(fork) {}

  /// Called once. False with an exception set.
  bool Prepare();
  void CollectGarbage();

  void Attach() override;
  void Detach() override;
  void Waiting(const std::function<void()>& work) override;
  void Hurry(bool hurries) override;
  void Aside(const std::function<void()>& work) override;
  ThreadProbe Probe() override;
  Survival WithPendingException(const std::function<void()>& work) override;
  Answer ForgetException() override;
  void WatchUnlocked(const std::function<void()>& work, Answer* frees) override;
  void PrepareToWatch(bool watches) override;
  void Strictly(const std::function<void()>& work) override;
  void InCollection(const std::function<void()>& work) override;
  int64_t LiveObjects() override;
  /// Freezes all current objects, so that the collector ignores them.
  void WriteOffLeaks() override;
  Answer InCopy(Context context, const std::function<void()>& work) override;  // copies.cc
  void BeforeFork() override;
  void AfterForkInParent() override;
  void AfterForkInChild() override;

 private:
  bool fork_;
  Ref collect_;
  Ref freeze_;
  Ref count_blocks_;
  Ref switch_interval_;   // the usual interval, while threads switch faster
  bool endless_ = false;  // finalization of the interpreter has hung in a fork
  bool watches_ = false;
  bool frozen_ = false;
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_BRIDGE_RUNTIME_H_
