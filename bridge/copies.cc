// bridge/copies.cc: what runs in a copy of the process that may die: in a forked child, at the end of an
// interpreter, and behind it.
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <csignal>

#include "base/child.h"
#include "bridge/runtime.h"

namespace dlpack_cts {
namespace {

constexpr double kPatience = 2;  // seconds
/// From here on PyGILState_Ensure, with which deleters take the GIL, serves threads of other interpreters than the
/// main one; before, it waits for ever.
constexpr long kServesInterpreters = 0x030C0000;

/// How far the copy came; in memory that both processes have.
enum class Stage : uint8_t { kAlive, kThere, kCameBack };

/// A death of the copy is a signal again, and none of the harness's handlers writes where its parent reads.
void ForgetHandlers() {
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGTRAP}) {
    (void)std::signal(signal, SIG_DFL);
  }
}

const std::function<void()>& WorkOf(PyObject* capsule) {
  return *static_cast<const std::function<void()>*>(PyCapsule_GetPointer(capsule, nullptr));
}

/// A capsule that leads to the work, with that destructor.
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

/// At the end of another interpreter its modules die, and a capsule that one of them holds.
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
  // An interpreter that does not end once does not end the next time.
  const bool ends = context != Context::kForkedChild;
  if (!fork_ || (ends && endless_)) return Answer::kUnknown;
  if (context == Context::kSubinterpreter && !ServesInterpreters()) return Answer::kUnknown;
  void* const shared =
      mmap(nullptr, sizeof(std::atomic<Stage>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return Answer::kUnknown;
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
  AfterForkInParent();
  const bool ended = copy > 0 && WaitFor(copy, kPatience).has_value();
  const Stage reached = *stage;
  munmap(shared, sizeof(std::atomic<Stage>));
  endless_ = endless_ || (ends && copy > 0 && !ended && reached == Stage::kAlive);
  if (reached == Stage::kCameBack) return Answer::kYes;
  // Behind the end of an interpreter, or in a second one, to wait for ever is not the deleter's fault.
  const bool counts = ended || context == Context::kAtExit;
  return counts && reached == Stage::kThere ? Answer::kNo : Answer::kUnknown;
}

}  // namespace dlpack_cts
