// bridge/copies.cc: runs work in a fork that may crash: in a forked child, while an interpreter ends, or after that.
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>

#include "base/child.h"
#include "base/shortage.h"
#include "bridge/runtime.h"

namespace dlpack_cts {
namespace {

constexpr double kPatience = 2;  // seconds
/// CPython 3.12. Since then PyGILState_Ensure, which deleters call, works on threads of a sub-interpreter. In older
/// versions it waits forever.
constexpr long kServesInterpreters = 0x030C0000;

/// How far the fork came. Lies in memory that both processes share.
enum class Stage : uint8_t { kAlive, kThere, kCameBack };

/// A crash of the fork is a plain signal, and the harness's handlers do not write to memory that the parent reads.
void ForgetHandlers() {
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGTRAP}) {
    (void)std::signal(signal, SIG_DFL);
  }
}

const std::function<void()>& WorkOf(PyObject* capsule) {
  return *static_cast<const std::function<void()>*>(PyCapsule_GetPointer(capsule, nullptr));
}

/// A capsule that points to the work, with that destructor.
Ref Holding(const std::function<void()>& work, PyCapsule_Destructor destructor) {
  return Ref::Steal(PyCapsule_New(const_cast<std::function<void()>*>(&work), nullptr, destructor));
}

PyObject* RunWork(PyObject* capsule, PyObject*) {
  WorkOf(capsule)();
  Py_RETURN_NONE;
}

PyMethodDef g_run_work = {"run", RunWork, METH_NOARGS, nullptr};

void AtExit(const std::function<void()>& work) {
  const Ref atexit = Ref::Steal(PyImport_ImportModule("atexit"));
  const Ref capsule = Holding(work, nullptr);
  const Ref run = Ref::Steal(capsule ? PyCFunction_NewEx(&g_run_work, capsule.get(), nullptr) : nullptr);
  const Ref done = Ref::Steal(atexit && run ? PyObject_CallMethod(atexit.get(), "register", "O", run.get()) : nullptr);
  if (done) Py_FinalizeEx();
}

/// When a sub-interpreter ends, it destroys its modules, and a capsule that one of them holds.
void AtEndOfInterpreter(const std::function<void()>& work) {
  PyThreadState* const interpreter = Py_NewInterpreter();
  if (interpreter == nullptr) return;
  const auto destroy = [](PyObject* capsule) { WorkOf(capsule)(); };
  PySys_SetObject("dlpack_cts", Holding(work, destroy).get());
  Py_EndInterpreter(interpreter);
}

bool ServesInterpreters() {
  const Ref version = Ref::Borrow(PySys_GetObject("hexversion"));
  return version && PyLong_AsLong(version.get()) >= kServesInterpreters;
}

}  // namespace

Answer PythonRuntime::InCopy(Context context, const std::function<void()>& work) {
  // If finalization hung once, it will hang the next time.
  const bool ends = context != Context::kForkedChild;
  if (!fork_ || (ends && endless_)) return Answer::kUnknown;
  if (context == Context::kSubinterpreter && !ServesInterpreters()) return Answer::kUnknown;
  void* const shared =
      mmap(nullptr, sizeof(std::atomic<Stage>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) StopForShortage("memory for a forked copy cannot be mapped", errno);
  auto* const stage = new (shared) std::atomic<Stage>(Stage::kAlive);
  BeforeFork();
  const pid_t copy = fork();
  if (copy == 0) {
    AfterForkInChild();
    ForgetHandlers();
    const std::function<void()> there = [&] {
      *stage = Stage::kThere;
      work();
      *stage = Stage::kCameBack;
      _exit(0);
    };
    if (context == Context::kAtExit) AtExit(there);
    if (context == Context::kSubinterpreter) AtEndOfInterpreter(there);
    if (context == Context::kFinalised) Py_FinalizeEx();
    if (context == Context::kFinalised || context == Context::kForkedChild) there();
    _exit(0);
  }
  if (copy < 0) StopForShortage("the test process cannot fork", errno);
  AfterForkInParent();
  const bool ended = WaitFor(copy, kPatience).has_value();
  const Stage reached = *stage;
  munmap(shared, sizeof(std::atomic<Stage>));
  endless_ = endless_ || (ends && !ended && reached == Stage::kAlive);
  if (reached == Stage::kCameBack) return Answer::kYes;
  // After finalization, or in a sub-interpreter, a wait without end is not the fault of the deleter.
  const bool counts = ended || context == Context::kAtExit;
  return counts && reached == Stage::kThere ? Answer::kNo : Answer::kUnknown;
}

}  // namespace dlpack_cts
