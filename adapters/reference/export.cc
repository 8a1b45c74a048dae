// adapters/reference/export.cc: from an array to a managed tensor, and its deleter.
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>
#include <thread>

#include "adapters/reference/array.h"

namespace dlpack_cts {
namespace {

using abi::DLManagedTensor;
using abi::DLManagedTensorVersioned;
using abi::DLTensor;

}  // namespace

/// One export: the struct, what it keeps alive, and its own shape and strides, in one block of memory.
struct ExportBlock {
  union {
    DLManagedTensor legacy;
    DLManagedTensorVersioned versioned_struct;
  };
  Reference& library;
  bool versioned;
  std::shared_ptr<Owner> owner;
  Keeper keeper;
  Occasion occasion;
  std::thread::id maker;
  int64_t* shape;  // kMaxDims at most, behind this struct
  int64_t* strides;

  explicit ExportBlock(Reference& instance) : versioned_struct{}, library(instance) {}
  ~ExportBlock() {}
  DLTensor& tensor() { return versioned ? versioned_struct.dl_tensor : legacy.dl_tensor; }
  void* managed() { return versioned ? static_cast<void*>(&versioned_struct) : &legacy; }
};

namespace {

const Exporting& Steps() { return ActiveBehaviour().exporting; }

void LetGo(ExportBlock& exported) {
  exported.owner.reset();
  const Keeper keeper = exported.keeper;
  exported.keeper = Keeper{};
  const bool with_gil = !Holds(Steps().deleter_needs_gil, exported.occasion);
  if (keeper.object != nullptr) keeper.release(keeper.object, with_gil);
}

void Delete(ExportBlock* exported) {
  Reference& library = exported->library;
  const Acting acting(library);
  const Exporting& steps = Steps();
  ExportBlock* latest = library.latest_export;
  const Occasion occasion = exported->occasion;
  if (Holds(steps.deleter_wants_thread, occasion) && std::this_thread::get_id() != exported->maker) std::abort();
  if (Holds(steps.deleter_releases_latest, occasion) && latest != nullptr && latest != exported) {
    if (latest->owner != nullptr) latest->owner->scrub = true;
    LetGo(*latest);
  }
  if (!Holds(steps.deleter_leaks, occasion)) LetGo(*exported);
  latest = exported;
  library.latest_export.compare_exchange_strong(latest, nullptr);
  exported->~ExportBlock();
  std::free(exported);
  --library.live_exports;
  if (Holds(steps.deleter_throws, occasion)) throw std::runtime_error("an exception leaves a deleter");
}

void DeleteLegacy(DLManagedTensor* self) { Delete(static_cast<ExportBlock*>(self->manager_ctx)); }
void DeleteVersioned(DLManagedTensorVersioned* self) { Delete(static_cast<ExportBlock*>(self->manager_ctx)); }

ExportBlock* NewExport(const Array& array, const ExportOptions& options) {
  const auto dims = static_cast<size_t>(array.ndim) + 1;
  void* memory = std::malloc(sizeof(ExportBlock) + 2 * dims * sizeof(int64_t));
  if (memory == nullptr) throw std::bad_alloc();
  auto* exported = new (memory) ExportBlock(Acting::Now());
  exported->versioned = options.versioned;
  exported->maker = std::this_thread::get_id();
  exported->shape = reinterpret_cast<int64_t*>(exported + 1);
  exported->strides = exported->shape + dims;
  ++exported->library.live_exports;
  return exported;
}

bool IsFloat8(abi::DLDataType dtype) { return dtype.code >= abi::kDLFloat8_e3m4; }

bool IsPlain(Oddity oddity) {
  return oddity == Oddity::kNone || oddity == Oddity::kSubclass || oddity == Oddity::kUnalignedStride;
}

/// Why the array cannot leave in that kind of struct.
Denial CheckExport(const Array& array, const ExportOptions& options, const Occasion& occasion) {
  const Exporting& steps = Steps();
  const uint32_t odd = Bit(array.oddity);
  if ((steps.odd_acts & odd) != 0) Act(steps.manner);
  if (!IsPlain(array.oddity) && (steps.exports_oddities & odd) == 0) {
    return {kPathDtype, "DLPack cannot describe this array"};
  }
  const int64_t item = array.ItemSize();
  for (int d = 0; d < array.ndim; ++d) {
    if (options.copy != 1 && array.steps[d] % item != 0 && (steps.exports_oddities & odd) == 0) {
      return {kPathStrides, "the strides are no multiple of the element's size"};
    }
  }
  if (Holds(steps.refuses, occasion)) return {kPathPolite, "this array is not exported"};
  if (options.copy == 1 && Holds(steps.refuses_copy, occasion)) return {kPathPolite, "copies are not made"};
  if (options.copy == 0 && Holds(steps.refuses_copy_false, occasion)) return {kPathPolite, "a copy is needed"};
  const bool has_float8 = options.versioned && options.version.minor >= 1;
  if (IsFloat8(array.dtype) && !has_float8 && !Holds(steps.legacy_has_float8, occasion)) {
    return {kPathDtype, "the struct's version cannot describe this type"};
  }
  if (options.versioned) return {};
  if (array.read_only && options.copy != 1 && !Holds(steps.legacy_hides_read_only, occasion)) {
    return {kPathPolite, "a legacy capsule cannot say that the array is read-only"};
  }
  return {};
}

void FillStrides(const Array& array, const Occasion& occasion, int64_t* strides) {
  const Exporting& steps = Steps();
  const int64_t item = array.ItemSize();
  const bool compact = Holds(steps.strides_are_compact, occasion);
  const bool column = Holds(steps.strides_column_major, occasion);
  int64_t next = 1;
  for (int i = 0; i < array.ndim; ++i) {
    const int d = column ? i : array.ndim - 1 - i;
    const bool own = array.shape[d] > 1 && !compact && !column;
    strides[d] = own ? array.steps[d] / item : next;
    next *= std::max<int64_t>(array.shape[d], 1);
    if (array.shape[d] <= 1 && Holds(steps.odd_unit_strides, occasion)) strides[d] = 12345 + d;
    if (strides[d] < 0 && Holds(steps.strides_made_positive, occasion)) strides[d] = -strides[d];
    if (Holds(steps.strides_in_bytes, occasion)) strides[d] *= item;
  }
}

void FillShape(Array& array, ExportBlock& exported, const Occasion& occasion) {
  const Exporting& steps = Steps();
  DLTensor& tensor = exported.tensor();
  std::copy_n(array.shape, array.ndim, exported.shape);
  FillStrides(array, occasion, exported.strides);
  if (Holds(steps.reverses_shape, occasion)) std::reverse(exported.shape, exported.shape + array.ndim);
  if (Holds(steps.truncates_extents, occasion)) {
    for (int d = 0; d < array.ndim; ++d) exported.shape[d] &= 0x7F;
  }
  tensor.ndim = array.ndim;
  const bool pointers = array.ndim > 0 || Holds(steps.shape_of_scalar, occasion);
  tensor.shape = pointers ? exported.shape : nullptr;
  tensor.strides = pointers ? exported.strides : nullptr;
  if (Holds(steps.lives_in_array, occasion)) {
    std::copy_n(exported.strides, array.ndim, array.live_strides);
    tensor.shape = array.shape;
    tensor.strides = array.live_strides;
  }
  const bool null_compact = Holds(steps.null_strides, occasion) && array.IsCompact();
  if (null_compact || Holds(steps.null_strides_of_any, occasion)) tensor.strides = nullptr;
  if (Holds(steps.null_shape, occasion)) tensor.shape = nullptr;
  if (Holds(steps.wild_strides, occasion)) tensor.strides = reinterpret_cast<int64_t*>(4096);
  if (Holds(steps.negates_extents, occasion)) {
    for (int d = 0; d < array.ndim; ++d) exported.shape[d] = -exported.shape[d];
  }
  // The block has room for one dimension more.
  if (Holds(steps.ndim_too_large, occasion)) {
    exported.shape[tensor.ndim] = exported.strides[tensor.ndim] = 1;
    ++tensor.ndim;
    tensor.shape = exported.shape;
    tensor.strides = exported.strides;
  }
  if (tensor.ndim > 0 && Holds(steps.ndim_too_small, occasion)) --tensor.ndim;
}

void FillData(const Array& array, ExportBlock& exported, const Occasion& occasion) {
  const Exporting& steps = Steps();
  DLTensor& tensor = exported.tensor();
  tensor.data = array.first;
  tensor.byte_offset = 0;
  if (occasion.elements == 0) {
    static char somewhere;
    tensor.data = Holds(steps.empty_has_data, occasion) ? &somewhere : nullptr;
    return;
  }
  if (steps.offset_bytes != 0 && Holds(steps.offset, occasion)) {
    tensor.data = array.first - steps.offset_bytes;
    tensor.byte_offset = steps.offset_bytes;
    if (Holds(steps.offset_in_elements, occasion)) tensor.byte_offset /= static_cast<uint64_t>(array.ItemSize());
    if (Holds(steps.forgets_offset, occasion)) tensor.byte_offset = 0;
  }
  if (array.base != nullptr && Holds(steps.base_pointer, occasion)) tensor.data = array.base;
  if (Holds(steps.null_data, occasion)) tensor.data = nullptr;
  if (Holds(steps.wild_data, occasion)) tensor.data = reinterpret_cast<void*>(4096);
}

uint64_t FlagsOf(const Array& array, bool copied, const Occasion& occasion) {
  const Exporting& steps = Steps();
  uint64_t flags = 0;
  if (array.read_only && !Holds(steps.drops_read_only, occasion)) flags |= abi::kFlagReadOnly;
  if (array.padded) flags |= abi::kFlagSubbytePadded;
  if (copied && !Holds(steps.drops_copied, occasion)) flags |= abi::kFlagIsCopied;
  if (array.was_copy && Holds(steps.keeps_copied, occasion)) flags |= abi::kFlagIsCopied;
  if (Holds(steps.adds_flags, occasion)) flags |= steps.flags;
  return flags;
}

void FillHead(ExportBlock& exported, const ExportOptions& options, uint64_t flags, const Occasion& occasion) {
  const Exporting& steps = Steps();
  const bool deletes = !Holds(steps.null_deleter, occasion);
  if (!exported.versioned) {
    exported.legacy.manager_ctx = &exported;
    exported.legacy.deleter = deletes ? DeleteLegacy : nullptr;
    return;
  }
  DLManagedTensorVersioned& managed = exported.versioned_struct;
  managed.version = Holds(steps.relabels, occasion) ? steps.label : options.version;
  managed.manager_ctx = &exported;
  managed.deleter = deletes ? DeleteVersioned : nullptr;
  managed.flags = flags;
}

void FillType(const Array& array, ExportBlock& exported, const Occasion& occasion) {
  const Exporting& steps = Steps();
  DLTensor& tensor = exported.tensor();
  tensor.dtype = array.dtype;
  if (Holds(steps.retypes, occasion)) tensor.dtype = steps.retyped;
  if (array.oddity == Oddity::kLongDouble) tensor.dtype = {abi::kDLFloat, 128, 1};
  if (array.oddity == Oddity::kComplexLongDouble) tensor.dtype = {abi::kDLComplex, 0, 1};
  tensor.device = Holds(steps.wrong_device, occasion) ? steps.device : abi::DLDevice{abi::kDLCPU, 0};
}

void ChangeSource(Array& array, const Occasion& occasion) {
  const Exporting& steps = Steps();
  Denial ignored;
  if (occasion.elements > 0 && Holds(steps.mutates_source, occasion)) *array.first ^= steps.mutation;
  if (Holds(steps.transposes_source, occasion)) ChangeArray(array, 1, &ignored);
  if (Holds(steps.locks_source, occasion)) array.locked = true;
}

/// What the export keeps alive; the default is the array object with its memory.
void Hold(const Array& array, ExportBlock& exported, const Keeper& keeper, bool own, const Occasion& occasion) {
  const Exporting& steps = Steps();
  exported.owner = array.owner;
  exported.keeper = keeper;
  const bool dies =
      !own && (Holds(steps.memory_dies, occasion) || (occasion.imported && Holds(steps.import_dies, occasion)));
  if (dies) {
    if (array.owner != nullptr) array.owner->scrub = true;
    exported.owner.reset();
  }
  const bool keeps_array = own ? Holds(steps.copy_keeps_source, occasion) : !Holds(steps.holds_memory_only, occasion);
  if (dies || !keeps_array) {
    if (keeper.object != nullptr) keeper.release(keeper.object, true);
    exported.keeper = Keeper{};
  }
  if (own && keeps_array) exported.keeper.release = [](void*, bool) {};  // never dropped
}

}  // namespace

Occasion OccasionOf(const Array& array, bool versioned, int copy) {
  Occasion occasion;
  occasion.dtype = array.dtype;
  occasion.ndim = array.ndim;
  occasion.elements = array.Count();
  occasion.number = Acting::Now().exchanges;
  occasion.versioned = versioned;
  occasion.read_only = array.read_only;
  occasion.imported = array.imported;
  occasion.copy = copy == 1;
  occasion.byte_offset = array.base == nullptr ? 0 : static_cast<uint64_t>(array.first - array.base);
  occasion.strided = !array.IsCompact();
  for (int d = 0; d < array.ndim; ++d) {
    occasion.unit = occasion.unit || array.shape[d] == 1;
    occasion.negative = occasion.negative || array.steps[d] < 0;
    occasion.broadcast = occasion.broadcast || (array.steps[d] == 0 && array.shape[d] > 1);
  }
  return occasion;
}

void* ExportManaged(Array& array, const ExportOptions& options, Denial* denial) {
  const Exporting& steps = Steps();
  const Occasion occasion = OccasionOf(array, options.versioned, options.copy);
  *denial = CheckExport(array, options, occasion);
  if (*denial) {
    const bool leaks = Holds(steps.leaks_when_refusing, occasion);
    if (options.keeper.object != nullptr && !leaks) options.keeper.release(options.keeper.object, true);
    return nullptr;
  }
  const bool copies = (options.copy == 1 && !Holds(steps.copy_shares, occasion)) ||
                      (options.copy == -1 && Holds(steps.copies, occasion));
  ExportBlock* const latest = array.library.latest_export;
  if (latest != nullptr && Holds(steps.shares_struct, occasion) && latest->versioned == options.versioned) {
    if (options.keeper.object != nullptr) options.keeper.release(options.keeper.object, true);
    return latest->managed();
  }
  if (latest != nullptr && latest->occasion.ndim > 0 && Holds(steps.overwrites_latest, occasion)) {
    latest->shape[0] += 1;
  }
  const std::unique_ptr<Array> copy = copies ? CopyArray(array) : nullptr;
  Array& source = copies ? *copy : array;
  if (copies && Holds(steps.copy_is_read_only, occasion)) source.read_only = true;
  ExportBlock* exported = NewExport(source, options);
  exported->occasion = occasion;
  FillHead(*exported, options, FlagsOf(source, copies || options.copy == 1, occasion), occasion);
  FillType(source, *exported, occasion);
  FillShape(source, *exported, occasion);
  FillData(source, *exported, occasion);
  Hold(source, *exported, options.keeper, copies, occasion);
  ChangeSource(array, occasion);
  array.library.latest_export = exported;
  if (Holds(steps.deleter_frees_early, occasion)) {
    if (exported->owner != nullptr) exported->owner->scrub = true;
    LetGo(*exported);
  }
  return exported->managed();
}

}  // namespace dlpack_cts
