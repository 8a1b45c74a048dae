// bridge/runtime.h: the interpreter as the runtime of a library.
#ifndef DLPACK_CTS_BRIDGE_RUNTIME_H_
#define DLPACK_CTS_BRIDGE_RUNTIME_H_

#include "bridge/object.h"
#include "subject/runtime.h"

namespace dlpack_cts {

class PythonRuntime : public Runtime {
 public:
  /// `fork`: whether the library survives a fork.
  explicit PythonRuntime(bool fork) : fork_(fork) {}

  /// False with an exception set.
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
  void InCollection(const std::function<void()>& work) override;
  int64_t LiveObjects() override;
  /// Takes all objects of now out of the collector's sight.
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
  Ref switch_interval_;   // the usual one, while threads hurry
  bool endless_ = false;  // the interpreter of a copy of this process was seen not to end
  bool watches_ = false;
  bool frozen_ = false;
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_BRIDGE_RUNTIME_H_
