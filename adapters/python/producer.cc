// adapters/python/producer.cc: the fake producer that hands an offer to the library, and its capsules.
#include "adapters/python/producer.h"

#include <array>
#include <cstdio>
#include <cstring>

#include "adapters/python/symbols.h"

namespace dlpack_cts {
namespace {

// A capsule's context is ours to set; a consumer that changes it has tampered.
char g_context;

struct ProducerObject {
  PyObject ob_base;
  ProducerSlot* slot;
};

PyObject* g_type = nullptr;
ProducerSlot* g_slots[kSlots] = {};

/// As a conforming destructor: releases only what still carries its unused name.
void CapsuleDestructor(PyObject* capsule) {
  const char* name = PyCapsule_GetName(capsule);
  if (name == nullptr) return;
  const NameSeen seen = SeenName(name);
  if (seen != NameSeen::kLegacy && seen != NameSeen::kVersioned) return;
  void* managed = PyCapsule_GetPointer(capsule, name);
  for (ProducerSlot* slot : g_slots) {
    if (slot == nullptr || slot->offered.managed != managed || slot->recipe == nullptr) continue;
    if (slot->recipe->offer.name == CapsuleName::kOwn) Forge::Instance().ReleaseFromDestructor(slot->slot);
    return;
  }
}

ProducerCall* NextCall(ProducerSlot& slot) {
  ImportLedger& import = slot.ledger->imports[slot.slot];
  const int index = import.producer_calls++;
  slot.ledger->Add(Seen::kProducerCalled, slot.slot, index);
  static ProducerCall overflow;
  return index < kProducerCalls ? &import.calls[index] : &(overflow = ProducerCall{});
}

struct Keywords {
  int unknown = 0;
  bool other_than_stream = false;
  bool any = false;
};

Keywords ReadKeywords(PyObject* kwargs, ProducerCall& call) {
  Keywords keywords;
  PyObject* key = nullptr;
  PyObject* value = nullptr;
  Py_ssize_t position = 0;
  while (kwargs != nullptr && PyDict_Next(kwargs, &position, &key, &value)) {
    keywords.any = true;
    keywords.other_than_stream = keywords.other_than_stream || PyUnicode_CompareWithASCIIString(key, "stream") != 0;
    if (PyUnicode_CompareWithASCIIString(key, "max_version") == 0) {
      call.max_version = ArgumentOf(value);
    } else if (PyUnicode_CompareWithASCIIString(key, "dl_device") == 0) {
      call.dl_device = ArgumentOf(value);
    } else if (PyUnicode_CompareWithASCIIString(key, "copy") == 0) {
      call.copy = ArgumentOf(value);
    } else if (PyUnicode_CompareWithASCIIString(key, "stream") == 0) {
      call.stream = ArgumentOf(value);
    } else {
      ++keywords.unknown;
      call.unknown_keyword = 1;
      call.unknown_name.Set(TextOf(key));
    }
  }
  return keywords;
}

PyObject* Refuse(ProducerCall& call, PyObject* type, const char* text) {
  call.raised = 1;
  PyErr_SetString(type, text);
  return nullptr;
}

PyObject* Dlpack(PyObject* self, PyObject* args, PyObject* kwargs) {
  ProducerSlot* slot = reinterpret_cast<ProducerObject*>(self)->slot;
  if (slot->recipe == nullptr) {
    PyErr_SetString(PyExc_RuntimeError, "the exchange that this producer belonged to is over");
    return nullptr;
  }
  ProducerCall& call = *NextCall(*slot);
  call.positional = static_cast<uint8_t>(PyTuple_Size(args));
  const Keywords keywords = ReadKeywords(kwargs, call);
  const Offer& offer = slot->recipe->offer;
  const bool asked = call.max_version.kind != ArgumentKind::kAbsent && call.max_version.kind != ArgumentKind::kNone;
  if (keywords.unknown > 0 || call.positional > 0) {
    return Refuse(call, PyExc_TypeError, "__dlpack__() got an unexpected argument");
  }
  switch (offer.manners) {
    case Manners::kStreamOnly:
      if (keywords.other_than_stream) {
        return Refuse(call, PyExc_TypeError, "__dlpack__() takes no keyword but stream");
      }
      break;
    case Manners::kNoKeywords:
      if (keywords.any) return Refuse(call, PyExc_TypeError, "__dlpack__() takes no keyword arguments");
      break;
    case Manners::kRaises:
      return Refuse(call, PyExc_BufferError, "this producer exports nothing");
    case Manners::kReturnsNone:
      Py_RETURN_NONE;
    case Manners::kNegotiates:
      if (offer.kind == StructKind::kVersioned && !asked) {
        return Refuse(call, PyExc_BufferError, "this producer exports no legacy capsule");
      }
      break;
    case Manners::kObeys:
    case Manners::kReturnsStored:
      break;
  }
  return HandOutCapsule(*slot).release();
}

PyObject* DlpackDevice(PyObject* self, PyObject*) {
  ProducerSlot* slot = reinterpret_cast<ProducerObject*>(self)->slot;
  if (slot->recipe == nullptr) {
    PyErr_SetString(PyExc_RuntimeError, "the exchange that this producer belonged to is over");
    return nullptr;
  }
  NextCall(*slot)->is_device = 1;
  const abi::DLDevice device = slot->recipe->offer.reported_device;
  return Py_BuildValue("(ii)", device.device_type, device.device_id);
}

void Deallocate(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  PyObject_Free(self);
  Py_DECREF(reinterpret_cast<PyObject*>(type));
}

PyMethodDef g_methods[] = {
    {"__dlpack__", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(Dlpack)), METH_VARARGS | METH_KEYWORDS,
     nullptr},
    {"__dlpack_device__", DlpackDevice, METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

bool MakeProducerType() {
  if (g_type != nullptr) return true;
  PyType_Slot slots[] = {
      {Py_tp_dealloc, reinterpret_cast<void*>(Deallocate)}, {Py_tp_methods, g_methods}, {0, nullptr}};
  PyType_Spec spec = {"dlpack_cts.Producer", sizeof(ProducerObject), 0, Py_TPFLAGS_DEFAULT, slots};
  g_type = PyType_FromSpec(&spec);
  return g_type != nullptr;
}

Ref MakeProducer(ProducerSlot& slot) {
  auto* object = PyObject_New(ProducerObject, reinterpret_cast<PyTypeObject*>(g_type));
  if (object != nullptr) object->slot = &slot;
  return Ref::Steal(reinterpret_cast<PyObject*>(object));
}

Ref HandOutCapsule(ProducerSlot& slot) {
  g_slots[slot.slot] = &slot;
  Forge& forge = Forge::Instance();
  const bool stored = slot.recipe->offer.manners == Manners::kReturnsStored;
  if (slot.capsule != nullptr) {
    const NameSeen seen = SeenName(PyCapsule_GetName(slot.capsule));
    const bool unused = seen != NameSeen::kUsedLegacy && seen != NameSeen::kUsedVersioned;
    if (stored || (unused && !forge.Released(slot.slot))) return Ref::Borrow(slot.capsule);
    // The tensor was taken or released: another call gets another tensor, where the struct is free again.
    if (!forge.Released(slot.slot)) return Ref::Borrow(slot.capsule);
    Py_CLEAR(slot.capsule);
    slot.offered = forge.Make(slot.recipe->offer, slot.slot, *slot.ledger);
  }
  const bool releases = slot.recipe->offer.destructor == DestructorKind::kReleases;
  Ref capsule = Ref::Steal(
      PyCapsule_New(slot.offered.managed, slot.offered.capsule_name, releases ? CapsuleDestructor : nullptr));
  if (!capsule) return capsule;
  PyCapsule_SetContext(capsule.get(), &g_context);
  ImportLedger& import = slot.ledger->imports[slot.slot];
  ++import.capsules;
  import.name_before = SeenName(slot.offered.capsule_name);
  slot.capsule = Ref::Borrow(capsule.get()).release();
  return capsule;
}

void InspectCapsule(ProducerSlot& slot) {
  if (slot.capsule == nullptr) return;
  ImportLedger& import = slot.ledger->imports[slot.slot];
  const char* name = PyCapsule_GetName(slot.capsule);
  const NameSeen before = import.name_after == NameSeen::kNotSeen ? import.name_before : import.name_after;
  import.name_after = SeenName(name);
  if (import.name_after != before) {
    slot.ledger->Add(Seen::kNameChanged, slot.slot, static_cast<int32_t>(before),
                     static_cast<int64_t>(import.name_after));
    import.used_name_is_static = name != nullptr ? Storage(name) : 0;
  }
  const bool releases = slot.recipe->offer.destructor == DestructorKind::kReleases;
  import.capsule_pointer_changed = PyCapsule_GetPointer(slot.capsule, name) != slot.offered.managed;
  import.capsule_context_changed = PyCapsule_GetContext(slot.capsule) != &g_context;
  import.capsule_destructor_changed = PyCapsule_GetDestructor(slot.capsule) != (releases ? CapsuleDestructor : nullptr);
  PyErr_Clear();
}

NameSeen SeenName(const char* name) {
  if (name == nullptr) return NameSeen::kNull;
  if (std::strcmp(name, abi::kVersionedName) == 0) return NameSeen::kVersioned;
  if (std::strcmp(name, abi::kUsedVersionedName) == 0) return NameSeen::kUsedVersioned;
  if (std::strcmp(name, abi::kLegacyName) == 0) return NameSeen::kLegacy;
  if (std::strcmp(name, abi::kUsedLegacyName) == 0) return NameSeen::kUsedLegacy;
  return NameSeen::kForeign;
}

uint8_t Storage(const void* bytes) {
  // Reading the maps costs a hundred times an import, and a library has a handful of names: answers are kept.
  static std::array<std::pair<const void*, uint8_t>, 16> known{};
  static size_t next = 0;
  for (const auto& [address, storage] : known) {
    if (address == bytes) return storage;
  }
  uint8_t storage = 2;
  std::FILE* maps = std::fopen("/proc/self/maps", "re");
  if (maps == nullptr) return 0;
  char line[512];
  while (std::fgets(line, sizeof(line), maps) != nullptr) {
    unsigned long low = 0;
    unsigned long high = 0;
    char path[300] = "";
    std::sscanf(line, "%lx-%lx %*s %*s %*s %*s %299s", &low, &high, path);
    const auto address = reinterpret_cast<unsigned long>(bytes);
    if (address >= low && address < high) storage = path[0] == '/' ? 1 : 2;
  }
  std::fclose(maps);
  known[next++ % known.size()] = {bytes, storage};
  return storage;
}

}  // namespace dlpack_cts
