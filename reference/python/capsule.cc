// reference/python/capsule.cc: from_dlpack of the reference: checks a capsule, then imports, borrows or refuses it.
#include <cstring>
#include <memory>
#include <utility>

#include "bridge/object.h"
#include "reference/managed.h"
#include "reference/python/object.h"

namespace dlpack_cts {
namespace {

const CapsuleSteps& Capsules() { return ActiveBehaviour().capsule; }

bool IsName(const char* name, const char* wanted) { return name != nullptr && std::strcmp(name, wanted) == 0; }

enum class Kind : uint8_t { kLegacy, kVersioned, kUsed, kOther };

Kind KindOf(const char* name) {
  if (IsName(name, abi::kVersionedName)) return Kind::kVersioned;
  if (IsName(name, abi::kLegacyName)) return Kind::kLegacy;
  if (name != nullptr && Holds(Capsules().compares_prefix, Occasion{})) {
    if (std::strncmp(name, abi::kVersionedName, std::strlen(abi::kVersionedName)) == 0) return Kind::kVersioned;
    if (std::strncmp(name, abi::kLegacyName, std::strlen(abi::kLegacyName)) == 0) return Kind::kLegacy;
  }
  if (IsName(name, abi::kUsedVersionedName) || IsName(name, abi::kUsedLegacyName)) return Kind::kUsed;
  return Kind::kOther;
}

/// Renames the capsule to its used name, or to what a changed consumer writes.
void Rename(PyObject* capsule, const Occasion& occasion) {
  const CapsuleSteps& steps = Capsules();
  const bool versioned = occasion.versioned;
  const char* used = versioned ? abi::kUsedVersionedName : abi::kUsedLegacyName;
  if (Holds(steps.clears_destructor, occasion)) PyCapsule_SetDestructor(capsule, nullptr);
  if (Holds(steps.no_rename, occasion)) return;
  if (Holds(steps.wrong_used_name, occasion)) used = abi::kUsedLegacyName;
  if (Holds(steps.misspelt_used_name, occasion)) used = "dltensor_used";
  if (Holds(steps.heap_used_name, occasion)) used = strdup(used);
  static char rewritten[32];
  const bool freed = Holds(steps.freed_used_name, occasion);
  if (freed) used = std::strcpy(rewritten, used);
  if (Holds(steps.changes_pointer, occasion)) PyCapsule_SetPointer(capsule, &rewritten);
  PyCapsule_SetName(capsule, used);
  if (freed) std::memset(rewritten, 'x', std::strlen(rewritten));
  if (Holds(steps.changes_context, occasion)) PyCapsule_SetContext(capsule, &rewritten);
}

/// Keeps a borrowed tensor alive through its capsule, whose destructor releases it.
class Lent : public Owner {
 public:
  explicit Lent(PyObject* capsule) : library_(ActingInPython()), capsule_(capsule) { Py_INCREF(capsule); }
  ~Lent() override {
    if (Py_IsInitialized() == 0) return;
    const PyGILState_STATE state = PyGILState_Ensure();
    {
      const ExceptionHeldBack held;
      library_.borrowed.push_back(capsule_);
      if (library_.behaviour.owning.release == Release::kNow) ReleaseBorrowed(library_);
    }
    PyGILState_Release(state);
  }
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;

 private:
  PythonReference& library_;
  PyObject* capsule_;
};

/// Makes an array of the tensor of a capsule that was accepted.
PyObject* Wrap(PyObject* capsule, bool versioned, void* managed, const ImportOptions& options) {
  const int bits = TensorOf(versioned, managed).dtype.bits;
  std::unique_ptr<Array> array = TakeManaged(versioned, managed, options);
  // A copy has its own memory, and does not need the capsule.
  if (options.borrows && array->imported) array->owner = std::make_shared<Lent>(capsule);
  const bool narrowed = options.may_narrow && array->dtype.bits < bits;
  if (narrowed && PyErr_WarnEx(PyExc_UserWarning, "numbers of 64 bits become numbers of 32 bits", 1) != 0) {
    return nullptr;
  }
  const Warning& warning = ActiveBehaviour().warning;
  if (warning.imports && PyErr_WarnEx(PyExc_UserWarning, "imports are an experiment", 1) != 0) {
    if (warning.releases_twice) ReleaseManaged(versioned, managed);
    [[maybe_unused]] const Array* const leaked = warning.leaks ? array.release() : nullptr;
    if (!warning.hides) return nullptr;
  }
  return WrapArray(std::move(array));
}

/// Lets other threads run between the check of a capsule and its renaming, for mutants. Returns the address of the
/// tensor, or that of another thread's tensor.
void* Rest(const CapsuleSteps& steps, const Occasion& occasion, void* managed) {
  static void* s_managed = nullptr;
  const bool mixes = Holds(steps.rests_with_pointer, occasion);
  if (!mixes && !Holds(steps.rests_before_rename, occasion)) return managed;
  s_managed = managed;
  Meeting& meeting = Acting::Now().importing;
  PyThreadState* const state = PyEval_SaveThread();
  meeting.Enter();
  PyEval_RestoreThread(state);
  meeting.Leave();
  return mixes ? s_managed : managed;
}

}  // namespace

PyObject* RefuseCapsule(const Denial& denial, PyObject* capsule, bool versioned, void* managed) {
  const Refusing& refusing = ActiveBehaviour().refusing;
  const bool raises = Chosen(refusing.raises, denial.path, versioned, managed);
  if (managed != nullptr && Chosen(refusing.touches_tensor, denial.path, versioned, managed)) {
    TouchManaged(versioned, managed);
  }
  if (Chosen(refusing.acts, denial.path, versioned, managed)) Act(refusing.manner);
  if (managed != nullptr) {
    const bool consumes = Chosen(refusing.consumes, denial.path, versioned, managed);
    const bool releases = consumes || Chosen(refusing.releases_twice, denial.path, versioned, managed);
    if (consumes || Chosen(refusing.leaks, denial.path, versioned, managed)) {
      Rename(capsule, Occasion{.versioned = versioned});
    }
    if (releases) ReleaseManaged(versioned, managed);
  }
  RaiseDenial(denial, raises ? refusing.error : ErrorClass::kRight);
  return nullptr;
}

PyObject* TakeCapsule(PyObject* capsule, ImportOptions options) {
  const CapsuleSteps& steps = Capsules();
  const char* name = PyCapsule_GetName(capsule);
  Kind kind = KindOf(name);
  void* managed = PyCapsule_GetPointer(capsule, name);
  bool versioned = kind == Kind::kVersioned || (name != nullptr && std::strstr(name, "versioned") != nullptr);
  Occasion occasion{.versioned = versioned, .arrival = options.arrival};
  const bool taken_anyway = kind == Kind::kUsed    ? Holds(steps.accepts_used, occasion)
                            : kind == Kind::kOther ? Holds(steps.accepts_any_name, occasion)
                                                   : false;
  if (!taken_anyway && kind == Kind::kUsed) {
    return RefuseCapsule({kPathUsed, "the capsule was already consumed", false}, capsule, versioned, nullptr);
  }
  if (!taken_anyway && kind == Kind::kOther) {
    if (Holds(steps.renames_foreign, occasion)) PyCapsule_SetName(capsule, abi::kUsedLegacyName);
    return RefuseCapsule({kPathName, "the capsule is not a DLPack capsule", false}, capsule, versioned, nullptr);
  }
  const bool refused = Holds(versioned ? steps.refuses_versioned : steps.refuses_legacy, occasion);
  if (refused)
    return RefuseCapsule({kPathPolite, "capsules of this kind are not supported"}, capsule, versioned, nullptr);
  if (versioned && Holds(steps.versioned_read_as_legacy, occasion)) versioned = false;
  if (!versioned && Holds(steps.legacy_read_as_versioned, occasion)) versioned = true;
  options.borrows = Holds(steps.borrows, occasion);
  options.may_narrow = Holds(ActiveBehaviour().importing.narrows, occasion);
  const bool renames_first = Holds(steps.renames_before_checks, occasion);
  occasion.versioned = versioned;
  if (renames_first) Rename(capsule, occasion);
  if (Denial denial = CheckManaged(versioned, managed, options))
    return RefuseCapsule(denial, capsule, versioned, managed);
  // A consumer that does not pass copy=False has to check whether the producer has copied.
  const bool copied =
      versioned && (static_cast<abi::DLManagedTensorVersioned*>(managed)->flags & abi::kFlagIsCopied) != 0;
  if (ActiveBehaviour().asking.keeps_copy && options.has_device && options.copy == 0 && copied) {
    return RefuseCapsule({kPathPolite, "the producer made a copy"}, capsule, versioned, managed);
  }
  managed = Rest(steps, occasion, managed);
  if (!renames_first && !options.borrows) Rename(capsule, occasion);
  PyObject* object = Wrap(capsule, versioned, managed, options);
  if (object != nullptr && Holds(steps.keeps_capsule, occasion)) {
    Py_INCREF(capsule);
    ReferenceOf(object)->kept = capsule;
  }
  return object;
}

void ReleaseBorrowed(PythonReference& instance) {
  // A capsule's destructor runs foreign code, which may borrow and release again.
  for (PyObject* const capsule : std::exchange(instance.borrowed, {})) Py_DECREF(capsule);
}

}  // namespace dlpack_cts
