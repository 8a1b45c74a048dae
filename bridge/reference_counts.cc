// bridge/reference_counts.cc: counts the references that repeated exchanges leave.
#include "bridge/reference_counts.h"

#include "bridge/producer.h"
#include "bridge/storage.h"

namespace dlpack_cts {
namespace {

/// CPython 3.12 and later have immortal objects: constants, small tuples, and since 3.13 each static type. Their counts
/// are fixed, and huge. The bridge uses the ABI of CPython 3.8, which still counts them, so changes mean nothing.
constexpr int64_t kImmortal = int64_t{1} << 30;

/// The references to an object; 1 if it is immortal.
int64_t CountOf(PyObject* object) {
  const int64_t count = Py_REFCNT(object);
  return count < kImmortal ? count : 1;
}

/// References that others than `kept` have to its objects. Drops the objects.
int32_t TakeOthers(std::vector<Ref>& kept) {
  int64_t others = 0;
  for (const Ref& object : kept) others += CountOf(object.get()) - 1;
  kept.clear();
  return static_cast<int32_t>(others);
}

}  // namespace

ReferenceCounts::Counts ReferenceCounts::Constants() { return {CountOf(Py_None), CountOf(Py_True), CountOf(Py_False)}; }

void ReferenceCounts::Begin(PyObject* array) {
  End();
  array_ = Ref::Borrow(array);
  type_ = Ref::Borrow(array != nullptr ? reinterpret_cast<PyObject*>(Py_TYPE(array)) : ProducerType());
  counts_ = true;
  PyType_ClearCache();  // CPython's cache of methods keeps references
  array_before_ = array != nullptr ? CountOf(array) : 0;
  type_before_ = CountOf(type_.get());
  constants_before_ = Constants();
}

ReferenceGrowth ReferenceCounts::End() {
  ReferenceGrowth growth{};
  if (!counts_) return growth;
  counts_ = false;
  PyType_ClearCache();
  growth.rounds = 1;
  growth.arguments = TakeOthers(arguments_);
  growth.capsule = TakeOthers(capsules_);
  growth.producer = TakeOthers(producers_);
  if (array_) growth.producer = static_cast<int32_t>(CountOf(array_.get()) - array_before_);
  growth.type = static_cast<int32_t>(CountOf(type_.get()) - type_before_);
  // The destructors of the dropped objects filled the cache again, and before CPython 3.10 its empty entries hold None.
  PyType_ClearCache();
  const Counts now = Constants();
  for (size_t i = 0; i < now.size(); ++i) growth.constants += static_cast<int32_t>(now[i] - constants_before_[i]);
  array_ = Ref();
  type_ = Ref();
  return growth;
}

void ReferenceCounts::KeepProducer(PyObject* producer) {
  if (counts_ && producer != nullptr) producers_.push_back(Ref::Borrow(producer));
}

void ReferenceCounts::KeepCapsule(PyObject* capsule) {
  if (!counts_ || capsule == nullptr) return;
  const NameSeen name = SeenName(PyCapsule_GetName(capsule));
  if (name == NameSeen::kUsedLegacy || name == NameSeen::kUsedVersioned) capsules_.push_back(Ref::Borrow(capsule));
}

void ReferenceCounts::KeepArguments(PyObject* keywords) {
  PyObject* key = nullptr;
  PyObject* value = nullptr;
  Py_ssize_t position = 0;
  while (counts_ && keywords != nullptr && PyDict_Next(keywords, &position, &key, &value)) {
    if (PyTuple_Check(value) || PyList_Check(value)) arguments_.push_back(Ref::Borrow(value));
  }
}

}  // namespace dlpack_cts
