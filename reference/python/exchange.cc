// reference/python/exchange.cc: the functions of the exchange table of the reference's Python type.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "bridge/object.h"
#include "harness/recipe/packing.h"
#include "reference/python/object.h"
#include "reference/ring.h"

namespace dlpack_cts {
namespace {

using SetError = void (*)(void*, const char*, const char*);

const Tabling& Steps() { return ActiveBehaviour().table; }

/// Why the allocator fails: the bits of Tabling::hides_failures.
constexpr uint8_t kUnsupported = 1;
constexpr uint8_t kTooLarge = 2;

/// Reports a failure of the allocator. Returns the status for the caller.
int Report(uint8_t why, void* error_ctx, SetError set_error, const char* text) {
  const char* kind = why == kTooLarge ? "MemoryError" : "BufferError";
  if (Steps().reports_without_words) kind = text = nullptr;
  if (Steps().reports_to_others) error_ctx = nullptr;
  const bool quiet = Steps().slip.how == Slip::How::kFailsQuietly && Steps().slip.function == 0;
  if (!quiet) set_error(error_ctx, kind, text);
  if (Steps().reports_twice) set_error(error_ctx, kind, text);
  return (Steps().hides_failures & why) != 0 ? 0 : -1;
}

/// Leaks some memory.
void Keep(size_t bytes) {
  static void* volatile kept = nullptr;
  kept = std::malloc(bytes);
  (void)kept;
}

/// Copies the shape to the next of `ring` places.
template <typename Place>
int64_t* IntoRing(uint32_t ring, const int64_t* shape, int ndim) {
  int64_t* const place = NextInRing<Place>(ring).dims.data();
  std::copy_n(shape, ndim, place);
  return place;
}
struct ExportedShape {
  std::array<int64_t, kMaxDims> dims;
};
struct ViewedShape {
  std::array<int64_t, kMaxDims> dims;
};
struct AllocatedMemory {
  std::array<uint8_t, 16384> bytes;
};

void (*g_usual_deleter)(abi::DLManagedTensorVersioned*) = nullptr;

/// A deleter that uses Python without taking the GIL.
void DeleteWithPython(abi::DLManagedTensorVersioned* tensor) {
  if (PyErr_Occurred() != nullptr) return;
  g_usual_deleter(tensor);
}

/// Changes an allocated tensor as mutants do.
void Distort(abi::DLManagedTensorVersioned& tensor, const Occasion& occasion) {
  if (Holds(Steps().allocates_elsewhere, occasion)) tensor.dl_tensor.device.device_type = abi::kDLCUDAHost;
  if (Steps().allocates_read_only) tensor.flags |= abi::kFlagReadOnly;
  const bool integer = tensor.dl_tensor.dtype.code == abi::kDLInt || tensor.dl_tensor.dtype.code == abi::kDLUInt;
  if (Steps().allocates_signed && integer) tensor.dl_tensor.dtype.code ^= 1;
  constexpr size_t kKept = 256;
  if (Holds(Steps().allocated_stays, occasion)) Keep(kKept);
  if (Holds(Steps().allocated_needs_gil, occasion)) {
    g_usual_deleter = tensor.deleter;
    tensor.deleter = &DeleteWithPython;
  }
  const uint32_t ring = Steps().allocates_ring;
  const bool fits = ItemSize(occasion.dtype) * occasion.elements <= static_cast<int64_t>(sizeof(AllocatedMemory));
  if (ring != 0 && fits) tensor.dl_tensor.data = NextInRing<AllocatedMemory>(ring).bytes.data();
  const bool no_byte = ItemBits(occasion.dtype) * occasion.elements < 8;
  if (Steps().rounds_bits_down && no_byte) tensor.dl_tensor.data = nullptr;
  const abi::DLTensor& made = tensor.dl_tensor;
  if (made.strides == nullptr) return;
  int64_t stride = 1;
  for (int d = 0; d < made.ndim && Steps().allocates_turned; ++d) {
    made.strides[d] = stride;
    stride *= made.shape[d];
  }
  const int repeated = Steps().allocates_one ? made.ndim : Steps().allocates_one_row && made.ndim > 0 ? 1 : 0;
  std::fill_n(made.strides, repeated, 0);
}

int Allocate(abi::DLTensor* prototype, abi::DLManagedTensorVersioned** out, void* error_ctx, SetError set_error) {
  const int64_t item = ItemSize(prototype->dtype);
  const bool rank = prototype->ndim >= 0 && prototype->ndim <= kMaxDims;
  const bool here = prototype->device.device_type == abi::kDLCPU || Steps().allocates_here;
  if (!here || !rank || item <= 0 || Steps().allocates_nothing) {
    return Report(kUnsupported, error_ctx, set_error, "the reference cannot allocate such a tensor");
  }
  // CopyArray() needs elements to copy, and a prototype has no data. So `shape` repeats one zero element.
  Array shape;
  shape.dtype = prototype->dtype;
  shape.ndim = prototype->ndim;
  int64_t bytes = item;
  const Occasion asked{.dtype = prototype->dtype,
                       .ndim = prototype->ndim,
                       .elements = ElementCount(prototype->shape, prototype->ndim),
                       .versioned = true};
  if (Holds(Steps().reads_prototype_strides, asked) && prototype->ndim > 0) bytes += prototype->strides[0] & 1;
  bool below = false;
  for (int d = 0; d < shape.ndim; ++d) {
    shape.shape[d] = prototype->shape[d];
    shape.steps[d] = 0;
    const bool beyond = __builtin_mul_overflow(bytes, shape.shape[d], &bytes);
    below = below || shape.shape[d] < 0;
    if ((below && !Steps().allocates_negative) || (beyond && !Steps().allocates_wrapped)) {
      return Report(kTooLarge, error_ctx, set_error, "the tensor is larger than memory");
    }
  }
  const bool wrapped = (Steps().allocates_wrapped && bytes == 0) || below;
  if (wrapped) std::fill_n(shape.shape, shape.ndim, 0);
  if (Steps().forgets_lanes) shape.dtype.lanes = 1;
  // A new tensor holds one zero element, repeated along every dimension.
  const std::vector<uint8_t> zero(static_cast<size_t>(item));
  shape.first = const_cast<uint8_t*>(zero.data());
  std::unique_ptr<Array> fresh;
  try {
    fresh = CopyArray(shape);
  } catch (...) {  // std::bad_alloc, maybe that of the worker's library
    return Report(kTooLarge, error_ctx, set_error, "the tensor is larger than memory");
  }
  ExportOptions options;
  options.version = ActiveBehaviour().exporting.version;
  options.copy = 0;  // a new tensor is not shared, so IS_COPIED is not set
  Denial denial;
  *out = static_cast<abi::DLManagedTensorVersioned*>(ExportManaged(*fresh, options, &denial));
  if (*out == nullptr) return Report(kUnsupported, error_ctx, set_error, denial.text);
  if (wrapped) std::copy_n(prototype->shape, shape.ndim, (*out)->dl_tensor.shape);
  (*out)->dl_tensor.dtype.lanes = prototype->dtype.lanes;
  if (Holds(Steps().keeps_prototype, asked)) (*out)->dl_tensor.shape = prototype->shape;
  if (Holds(Steps().writes_prototype, asked) && prototype->ndim > 0) prototype->shape[0] += 1;
  if (Steps().reports_success) set_error(error_ctx, "Warning", "the tensor was allocated nevertheless");
  Distort(**out, asked);
  return 0;
}

/// Where the memory begins in which the array lies, if that memory belongs to the reference.
void* BaseOf(const Array& array) { return array.base != nullptr && array.Count() > 0 ? array.base : array.first; }

int ExportObject(void* object, abi::DLManagedTensorVersioned** out) {
  auto* self = static_cast<PyObject*>(object);
  Array* array = ArrayOf(self);
  if (array == nullptr && Steps().quiet_about_others) PyErr_Clear();
  if (array == nullptr) return -1;
  ExportOptions options;
  options.version = ActiveBehaviour().exporting.version;
  options.keeper = KeepObject(self);
  options.device = array->device;
  const Occasion occasion = OccasionOf(*array, true, -1);
  if (Holds(Steps().leaks_arrays, occasion)) Py_INCREF(self);
  const bool inside = array->packed != 0 && array->bit != 0;
  const bool copies = Steps().exports_copies || (Steps().exports_copies_strided && !array->IsCompact()) ||
                      (Steps().copies_inside_bytes && inside);
  if (Steps().leaks_subclasses && array->oddity == Oddity::kSubclass) Py_INCREF(self);
  const bool marked = Holds(Steps().exports_marked_copies, occasion);
  options.copy = copies || marked ? 1 : -1;
  Denial denial;
  uint32_t& oddities = Acting::Now().behaviour.exporting.exports_oddities;
  const uint32_t usual = oddities;
  oddities |= Steps().exports_oddities;
  When& dies = Acting::Now().behaviour.exporting.memory_dies;
  const When usually_dies = dies;
  if (Steps().exports_die) dies = When::Always();
  *out = static_cast<abi::DLManagedTensorVersioned*>(ExportManaged(*array, options, &denial));
  oddities = usual;
  dies = usually_dies;
  if (*out == nullptr) {
    if (Steps().refuses_with_null) return 0;
    if (!Steps().refuses_quietly) RaiseDenial(denial, Steps().error);
    return Steps().refuses_with_zero ? 0 : -1;
  }
  constexpr size_t kKept = 128;
  if (Steps().exports_stay) Keep(kKept);
  if (Holds(Steps().exports_unpadded, occasion)) (*out)->flags &= ~abi::kFlagSubbytePadded;
  if (copies) (*out)->flags &= ~abi::kFlagIsCopied;
  if (Holds(Steps().exports_other_major, occasion)) (*out)->version.major = 2;
  if (Holds(Steps().exports_writable, occasion)) (*out)->flags &= ~abi::kFlagReadOnly;
  abi::DLTensor& tensor = (*out)->dl_tensor;
  if (tensor.ndim > 0 && Holds(Steps().turns_exports, occasion)) {
    std::reverse(tensor.shape, tensor.shape + tensor.ndim);
    std::reverse(tensor.strides, tensor.strides + tensor.ndim);
  }
  if (Holds(Steps().exports_null_strides, occasion)) tensor.strides = nullptr;
  static thread_local int64_t last_shape[kMaxDims];
  if (Steps().exports_share_shapes && tensor.ndim > 0) {
    std::copy_n(tensor.shape, tensor.ndim, last_shape);
    tensor.shape = last_shape;
  }
  const uint32_t ring = Steps().exports_ring;
  if (ring != 0 && tensor.ndim > 0) tensor.shape = IntoRing<ExportedShape>(ring, tensor.shape, tensor.ndim);
  if (Steps().exports_without_offset && tensor.data == array->first) tensor.data = BaseOf(*array);
  return 0;
}

/// For mutants that never release an imported tensor.
void KeepForEver(const std::shared_ptr<Owner>& owner) {
  static auto& kept = *new std::vector<std::shared_ptr<Owner>>();
  kept.push_back(owner);
}

/// If it fails, the caller still owns the tensor, provided that its major version is known.
int ImportTensor(abi::DLManagedTensorVersioned* tensor, void** out) {
  Importing& importing = Acting::Now().behaviour.importing;
  const Importing usual = importing;
  if (Steps().takes_other_majors) importing.major_check = MajorCheck::kNone;
  if (Steps().reads_before_version) importing.reads_body_before_version = When::Always();
  const Denial denial = CheckManaged(true, tensor, ImportOptions{.arrival = kByOwnTable});
  importing = usual;
  if (denial && Steps().validates_late) {
    *out = WrapArray(TakeUnseen(true, tensor, denial));
    return *out != nullptr ? 0 : -1;
  }
  if (denial) {
    const bool twice = Holds(Steps().releases_refused, OccasionOf(true, tensor, -1));
    const int wanted = twice ? 2 : Steps().releases_once ? 1 : 0;
    for (int calls = tensor->deleter != nullptr ? wanted : 0; calls > 0; --calls) {
      tensor->deleter(tensor);
    }
    RaiseDenial(denial, ErrorClass::kRight);
    return -1;
  }
  if (Steps().gives_other_types) {
    if (tensor->deleter != nullptr) tensor->deleter(tensor);
    *out = PyTuple_New(0);
    return 0;
  }
  const Occasion occasion = OccasionOf(true, tensor, -1);
  std::unique_ptr<Array> array =
      TakeManaged(true, tensor, ImportOptions{.copy = Steps().caches_copies ? 1 : -1, .arrival = kByOwnTable});
  const bool caches = Steps().caches_copies && !array->imported;
  if (Holds(Steps().keeps_tensors, occasion)) KeepForEver(array->owner);
  if (Steps().ignores_signs) {
    for (int d = 0; d < array->ndim; ++d) array->steps[d] = std::abs(array->steps[d]);
  }
  *out = WrapArray(std::move(array));
  if (caches)
    Ref::Steal(std::exchange(ActingInPython().latest_copy, Ref::Borrow(static_cast<PyObject*>(*out)).release()));
  if (Holds(Steps().keeps_results, occasion)) Py_XINCREF(static_cast<PyObject*>(*out));
  return *out != nullptr ? 0 : -1;
}

int FromObject(void* object, abi::DLManagedTensorVersioned** out) {
  if (!Steps().swapped_slots) return ExportObject(object, out);
  return ImportTensor(static_cast<abi::DLManagedTensorVersioned*>(object), reinterpret_cast<void**>(out));
}

int ToObject(abi::DLManagedTensorVersioned* tensor, void** out) {
  if (!Steps().swapped_slots) return ImportTensor(tensor, out);
  // The type of this "object" is the manager_ctx of the tensor.
  if (PyType_GetFlags(Py_TYPE(reinterpret_cast<PyObject*>(tensor))) == 0) return -1;
  return ExportObject(tensor, reinterpret_cast<abi::DLManagedTensorVersioned**>(out));
}

/// Whether a DLTensor can describe the array: ordinary numbers, strides that are multiples of the item size, and a
/// first element that starts at a byte.
bool FitsAView(const Array& array) {
  constexpr Oddity kPlain[] = {Oddity::kNone, Oddity::kSubclass, Oddity::kUnalignedStride, Oddity::kIdleStride,
                               Oddity::kScalarObject};
  const bool plain = std::find(std::begin(kPlain), std::end(kPlain), array.oddity) != std::end(kPlain);
  bool whole = array.packed == 0 || array.bit == 0 || array.Count() == 0;
  for (int d = 0; d < array.ndim; ++d) {
    whole = whole && (array.shape[d] <= 1 || array.steps[d] % array.ItemSize() == 0);
  }
  return plain && whole;
}

int ViewOfObject(void* object, abi::DLTensor* out) {
  if (Steps().wrong_slot) {
    return FromObject(object, reinterpret_cast<abi::DLManagedTensorVersioned**>(out));
  }
  Array* array = ArrayOf(static_cast<PyObject*>(object));
  if (array == nullptr && Steps().quiet_views_of_others) PyErr_Clear();
  if (array == nullptr) return -1;
  // For mutants: the next borrowed DLTensor overwrites the fields of the last one.
  static thread_local int64_t shared[2][kMaxDims];
  static thread_local int64_t turned[kMaxDims];
  static thread_local int64_t last_shape[kMaxDims];
  static thread_local int turn = 0;
  int64_t* strides = array->live_strides;
  const Occasion occasion = OccasionOf(*array, true, -1);
  // A DLTensor has no flags, so it cannot say that elements are padded.
  const bool padded = array->padded && IsSubByte(array->dtype) &&
                      !Holds(ActiveBehaviour().exporting.legacy_hides_padding, OccasionOf(*array, false, -1));
  if (padded || !FitsAView(*array)) {
    if (!Steps().views_refuse_quietly)
      PyErr_SetString(PyExc_BufferError, "a DLTensor view cannot describe the layout of these elements");
    return -1;
  }
  if (Holds(Steps().views_share_strides, occasion)) {
    std::fill_n(shared[turn], kMaxDims, 77);
    turn = 1 - turn;
    strides = shared[turn];
  }
  for (int d = 0; d < array->ndim; ++d) {
    strides[d] = array->steps[d] / array->ItemSize();
    turned[d] = array->shape[array->ndim - 1 - d];
  }
  constexpr size_t kKept = 64;
  if (Holds(Steps().views_stay, occasion)) Keep(kKept);
  if (Steps().views_share_shapes) std::copy_n(array->shape, array->ndim, last_shape);
  if (Holds(Steps().views_leak, occasion)) Py_INCREF(static_cast<PyObject*>(object));
  *out = {Steps().views_without_offset ? BaseOf(*array) : array->first,
          array->device,
          array->ndim,
          array->dtype,
          Holds(Steps().views_turn_shapes, occasion) ? turned
          : Steps().views_share_shapes               ? last_shape
                                                     : array->shape,
          strides,
          array->apart};
  if (Steps().views_ring != 0) out->shape = IntoRing<ViewedShape>(Steps().views_ring, out->shape, out->ndim);
  return 0;
}

int WorkStream(int32_t device_type, int32_t, void** out) {
  if (device_type != abi::kDLCPU) {
    if (Steps().reads_foreign) (void)**static_cast<volatile char**>(*out);
    if (Steps().null_for_all) *out = nullptr;
    if (Steps().forgets_foreign || Steps().null_for_all) return 0;
    PyErr_SetString(PyExc_BufferError, "the reference works on the CPU only");
    return -1;
  }
  *out = nullptr;
  return 0;
}

int Deny(abi::DLTensor*, abi::DLManagedTensorVersioned**, void* error_ctx, SetError set_error) {
  set_error(error_ctx, "NotImplementedError", "not yet");
  return -1;
}

template <typename... Arguments>
int Deny(Arguments...) {
  PyErr_SetString(PyExc_NotImplementedError, "not yet");
  return -1;
}

template <typename Argument>
constexpr bool kIsPointerOut =
    std::is_same_v<Argument, abi::DLManagedTensorVersioned**> || std::is_same_v<Argument, void**>;

/// Writes NULL to the out parameter.
template <typename Argument>
void GiveNothing(Argument argument) {
  if constexpr (kIsPointerOut<Argument>) *argument = nullptr;
}

/// Writes 8 bytes behind the out parameter. `place`: of the function in the table. The allocator has a prototype too,
/// which it may not write either.
template <uint8_t kPlace, typename Argument>
void WriteBeyond(Argument argument) {
  constexpr bool kView = kPlace == 3 && std::is_same_v<Argument, abi::DLTensor*>;
  if constexpr (kIsPointerOut<Argument> || kView) *reinterpret_cast<volatile uint64_t*>(argument + 1) = 1;
}

/// How a function that has ended affects the next one, in mutants.
int Remember(int status) {
  bool& failed = ActingInPython().table_failed;
  const bool fails_too = failed && Steps().remembers_failure;
  if (failed && status == 0 && (fails_too || Steps().leaves_failure)) {
    PyErr_SetString(PyExc_BufferError, "an earlier call failed");
  }
  failed = status != 0 && !fails_too;
  return fails_too ? -1 : status;
}

/// Ends as Slip says.
template <typename Work>
int EndWith(Slip::How how, bool allocates, const Work& work) {
  if (how == Slip::How::kForgetsTheAnswer) return 0;
  if (how == Slip::How::kFailsQuietly && !allocates) return -1;
  if (how == Slip::How::kAlwaysThrows) throw std::bad_alloc();
  const int status = work();
  if (how == Slip::How::kThrows && status != 0) throw std::bad_alloc();
  if (how == Slip::How::kLeavesAnException && status == 0) PyErr_SetString(PyExc_ValueError, "forgotten");
  return how == Slip::How::kFailsWithOne && status != 0 ? 1 : status;
}

/// An attribute of a type whose table lies in the attribute and ends with the capsule of each look-up.
struct ShortLived {
  PyObject ob_base;
  abi::DLPackExchangeAPI lasting;
  abi::DLPackExchangeAPI table;
};

PyObject* GiveShortLived(PyObject* self, PyObject*, PyObject*) {
  auto* const attribute = reinterpret_cast<ShortLived*>(self);
  attribute->table = attribute->lasting;
  return PyCapsule_New(&attribute->table, abi::kExchangeName, [](PyObject* capsule) {
    std::memset(PyCapsule_GetPointer(capsule, abi::kExchangeName), 0x5A, sizeof(abi::DLPackExchangeAPI));
  });
}

Ref MakeShortLived(const void* table) {
  static PyObject* type = nullptr;
  PyType_Slot slots[] = {{Py_tp_descr_get, reinterpret_cast<void*>(GiveShortLived)}, {0, nullptr}};
  PyType_Spec spec = {"dlpack_cts.ShortLivedTable", sizeof(ShortLived), 0, Py_TPFLAGS_DEFAULT, slots};
  if (type == nullptr) type = PyType_FromSpec(&spec);
  Ref made = Ref::Steal(type != nullptr ? PyObject_CallObject(type, nullptr) : nullptr);
  if (made) std::memcpy(&reinterpret_cast<ShortLived*>(made.get())->lasting, table, sizeof(abi::DLPackExchangeAPI));
  return made;
}

/// Sets both attributes of the type, or removes them. If that fails the attribute is missing.
void Publish(PyObject* type, Publishing::Form form, void* table, void* other) {
  using Form = Publishing::Form;
  const Ref capsule = Ref::Steal(PyCapsule_New(table, abi::kExchangeName, nullptr));
  const Ref misnamed = Ref::Steal(PyCapsule_New(table, "dlpack_exchange", nullptr));
  const Ref address = Ref::Steal(PyLong_FromVoidPtr(table));
  const Ref other_address = Ref::Steal(PyLong_FromVoidPtr(other));
  PyObject* now = capsule.get();
  PyObject* then = address.get();
  if (form == Form::kNothing || form == Form::kOnArrays) now = then = nullptr;
  if (form == Form::kMisnamed) now = misnamed.get();
  if (form == Form::kInteger) now = address.get();
  if (form == Form::kObject) now = Py_None;
  const Ref short_lived = form == Form::kShortLived ? MakeShortLived(table) : Ref();
  if (short_lived) now = short_lived.get(), then = nullptr;
  if (form == Form::kCapsuleForOlder) then = capsule.get();
  if (form == Form::kNewName) then = nullptr;
  if (form == Form::kOldName) now = nullptr;
  if (form == Form::kTwoTables) then = other_address.get();
  const auto set = [&](const char* name, PyObject* value) {
    if (value != nullptr ? PyObject_SetAttrString(type, name, value) != 0 : PyObject_DelAttrString(type, name) != 0) {
      PyErr_Clear();
    }
  };
  set(abi::kExchangeAttribute, now);
  set(abi::kExchangeAttribute12, then);
  set(kTableOfArrays, form == Form::kOnArrays ? capsule.get() : nullptr);
}

/// The functions of the table have no context parameter, so each instance has its own copy of them.
template <size_t kNumber>
struct Functions {
  template <auto kFunction, uint8_t kPlace, typename... Arguments>
  static int Call(Arguments... arguments) {
    const Acting acting(PythonReferenceOf(kNumber));
    if (Steps().serves_nothing) return Deny(arguments...);
    if ((Steps().writes_beyond >> kPlace & 1) != 0) (WriteBeyond<kPlace>(arguments), ...);
    if (Steps().slip.function != kPlace) {
      const int status = Remember(kFunction(arguments...));
      if (status != 0 && Steps().clears_out) (GiveNothing(arguments), ...);
      return status;
    }
    if (Steps().slip.how == Slip::How::kGivesNull) return (GiveNothing(arguments), ..., 0);
    return EndWith(Steps().slip.how, kPlace == 0, [&] { return kFunction(arguments...); });
  }

  static abi::DLPackExchangeAPI Table() {
    return {{kReferenceVersion, nullptr}, Call<Allocate, 0>,  Call<FromObject, 1>, Call<ToObject, 2>,
            Call<ViewOfObject, 3>,        Call<WorkStream, 4>};
  }
};

template <size_t... kNumbers>
abi::DLPackExchangeAPI TableOf(int number, std::index_sequence<kNumbers...>) {
  constexpr abi::DLPackExchangeAPI (*kTables[])() = {Functions<kNumbers>::Table...};
  return kTables[number]();
}

}  // namespace

void PublishForSubclass(PythonReference& instance, bool subclass) {
  const Publishing& wanted = instance.behaviour.table.published;
  if (!wanted.subclass_integer) return;
  Publish(instance.type, subclass ? Publishing::Form::kInteger : wanted.form, &instance.api, &instance.copies[0]);
}

void PublishTable(PythonReference& instance) {
  const Publishing& wanted = instance.behaviour.table.published;
  const bool again = instance.publications > 0 && wanted == instance.published;
  if (again && wanted.moves == 0 && !wanted.changes && !wanted.changes_slots) return;
  instance.published = wanted;
  abi::DLPackExchangeAPI& api = instance.api;
  api = TableOf(instance.number, std::make_index_sequence<kPythonReferences>());
  const auto clear = [&](int place, auto& slot) {
    if ((wanted.null_slots >> place & 1) != 0) slot = nullptr;
  };
  clear(0, api.managed_tensor_allocator);
  clear(1, api.managed_tensor_from_py_object_no_sync);
  clear(2, api.managed_tensor_to_py_object_no_sync);
  clear(3, api.dltensor_from_py_object_no_sync);
  clear(4, api.current_work_stream);
  if (wanted.odd_view) {
    api.dltensor_from_py_object_no_sync = reinterpret_cast<decltype(api.dltensor_from_py_object_no_sync)>(uintptr_t{1});
  }
  if (wanted.other_major) api.header.version = {2, 0};
  if (wanted.odd_header) api.header.version = {0x5f3a1c40, 0x7f12};
  if (wanted.other_minor) api.header.version = {1, 2};
  static abi::DLPackExchangeAPIHeader older = {{1, 2}, nullptr};
  if (wanted.older_behind) api.header.prev_api = &older;
  if (wanted.endless) api.header.prev_api = &api.header;
  static abi::DLPackExchangeAPIHeader older_endless = {{1, 2}, nullptr};
  older_endless.prev_api = &older_endless;
  if (wanted.endless_behind) api.header.prev_api = &older_endless;
  static abi::DLPackExchangeAPIHeader later = {{1, 99}, nullptr};
  if (wanted.later_behind) api.header.prev_api = &later;
  static abi::DLPackExchangeAPIHeader before_later = {{1, 2}, &later};
  if (wanted.later_last) api.header.prev_api = &before_later;
  ++instance.publications;
  if (wanted.changes_slots && instance.publications % 2 == 0) api.dltensor_from_py_object_no_sync = nullptr;
  if (wanted.changes) api.header.version.minor = instance.publications % 2;
  instance.copies = {api, api};
  const bool moves = wanted.moves != 0 && instance.publications >= wanted.moves;
  void* const table = moves ? &instance.copies[instance.publications % 2] : &api;
  Publish(instance.type, wanted.form, table, &instance.copies[0]);
}

}  // namespace dlpack_cts
