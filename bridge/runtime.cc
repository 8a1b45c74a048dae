// bridge/runtime.cc: threads, exceptions, garbage collection and forks of the interpreter.
#include "bridge/runtime.h"

#include "bridge/memory_watch.h"
#include "bridge/symbols.h"

namespace dlpack_cts {
namespace {

thread_local PyGILState_STATE t_gil;  // of a thread of the harness, between Attach() and Detach()

}  // namespace

bool PythonRuntime::Prepare() {
  const Ref gc = Ref::Steal(PyImport_ImportModule("gc"));
  if (!gc) return false;
  collect_ = Ref::Steal(PyObject_GetAttrString(gc.get(), "collect"));
  freeze_ = Ref::Steal(PyObject_GetAttrString(gc.get(), "freeze"));
  count_blocks_ = Ref::Borrow(PySys_GetObject("getallocatedblocks"));
  // Objects that the import left are frozen, so that later collections do not visit them.
  return collect_ && freeze_ && Ref::Steal(PyObject_CallFunctionObjArgs(freeze_.get(), nullptr));
}

void PythonRuntime::CollectGarbage() {
  const Ref done = Ref::Steal(PyObject_CallFunctionObjArgs(collect_.get(), nullptr));
  PyErr_Clear();
}

void PythonRuntime::WriteOffLeaks() {
  const Ref done = Ref::Steal(PyObject_CallFunctionObjArgs(freeze_.get(), nullptr));
  PyErr_Clear();
}

int64_t PythonRuntime::LiveObjects() {
  const Ref count = Ref::Steal(count_blocks_ ? PyObject_CallFunctionObjArgs(count_blocks_.get(), nullptr) : nullptr);
  int64_t blocks = 0;
  ToInt64(count.get(), &blocks);
  PyErr_Clear();
  return blocks;
}

void PythonRuntime::Attach() { t_gil = PyGILState_Ensure(); }
void PythonRuntime::Detach() { PyGILState_Release(t_gil); }

void PythonRuntime::Waiting(const std::function<void()>& work) {
  PyThreadState* state = PyEval_SaveThread();
  work();
  PyEval_RestoreThread(state);
}

void PythonRuntime::Hurry(bool hurries) {
  constexpr double kSeconds = 1e-6;
  PyObject* const get = PySys_GetObject("getswitchinterval");
  PyObject* const set = PySys_GetObject("setswitchinterval");
  if (get == nullptr || set == nullptr) return;
  if (hurries) switch_interval_ = Ref::Steal(PyObject_CallFunctionObjArgs(get, nullptr));
  const Ref interval = hurries ? Ref::Steal(PyFloat_FromDouble(kSeconds)) : Ref::Borrow(switch_interval_.get());
  const Ref done = Ref::Steal(interval ? PyObject_CallFunctionObjArgs(set, interval.get(), nullptr) : nullptr);
  PyErr_Clear();
}

void PythonRuntime::Aside(const std::function<void()>& work) {
  if (Py_IsInitialized() == 0) return;
  const PyGILState_STATE state = PyGILState_Ensure();
  {
    const ExceptionHeldBack held;
    work();
  }
  PyGILState_Release(state);
}

Survival PythonRuntime::WithPendingException(const std::function<void()>& work) {
  PyErr_SetString(PyExc_LookupError, "pending while the harness drops an object");
  work();
  const bool survived = PyErr_Occurred() != nullptr && PyErr_ExceptionMatches(PyExc_LookupError) != 0;
  PyErr_Clear();
  return survived ? Survival::kSurvived : Survival::kLost;
}

void PythonRuntime::WatchUnlocked(const std::function<void()>& work, Answer* frees) {
  if (!watches_) return work();
  *frees = Answer::kNo;
  const WatchedThread watched(frees);
  work();
}

void PythonRuntime::PrepareToWatch(bool watches) {
  if (watches) {
    watches_ = StartWatchingMemory();
  } else if (watches_) {
    StopWatchingMemory();
    watches_ = false;
  }
}

Answer PythonRuntime::ForgetException() {
  const bool pending = PyErr_Occurred() != nullptr;
  PyErr_Clear();
  return pending ? Answer::kYes : Answer::kNo;
}

void PythonRuntime::Strictly(const std::function<void()>& work) {
  const Ref warnings = Ref::Steal(PyImport_ImportModule("warnings"));
  const auto filter = [&](const char* action) {
    const Ref done = Ref::Steal(warnings ? PyObject_CallMethod(warnings.get(), "simplefilter", "s", action) : nullptr);
    PyErr_Clear();
  };
  filter("error");
  work();
  filter("always");
}

void PythonRuntime::InCollection(const std::function<void()>& work) {
  // A list that contains itself is destroyed in a collection, and the capsule in it too.
  Ref cycle = Ref::Steal(PyList_New(0));
  bool ran = false;
  std::function<void()> runs = [&] {
    ran = true;
    work();
  };
  const auto destroy = [](PyObject* capsule) {
    (*static_cast<std::function<void()>*>(PyCapsule_GetPointer(capsule, nullptr)))();
  };
  Ref capsule = Ref::Steal(PyCapsule_New(&runs, nullptr, destroy));
  if (cycle && capsule) {
    PyList_Append(cycle.get(), cycle.get());
    PyList_Append(cycle.get(), capsule.get());
  }
  capsule = Ref();
  cycle = Ref();
  const Ref youngest = Ref::Steal(PyLong_FromLong(0));
  const Ref done = Ref::Steal(PyObject_CallFunctionObjArgs(collect_.get(), youngest.get(), nullptr));
  PyErr_Clear();
  // If an automatic collection has moved the cycle to an older generation, a full collection is needed.
  if (!ran) CollectGarbage();
}

ThreadProbe PythonRuntime::Probe() { return {&HoldsGil, &HasPendingException}; }

void PythonRuntime::BeforeFork() {
  if (!frozen_) {
    frozen_ = true;
    CollectGarbage();  // not release(): nothing was imported yet, and a crash here would end every case
    // So forked children never visit (and copy) the pages of the library's own objects.
    WriteOffLeaks();
  }
  PyOS_BeforeFork();
}

void PythonRuntime::AfterForkInParent() { PyOS_AfterFork_Parent(); }
void PythonRuntime::AfterForkInChild() { PyOS_AfterFork_Child(); }

}  // namespace dlpack_cts
