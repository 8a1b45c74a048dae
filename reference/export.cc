// reference/export.cc: from an array to a managed tensor, and its deleter.
//
// Reads like the specification. Each step fills its part of the struct as a correct producer does. The function of
// distort_export.h with the step's name then changes it, for mutants and conforming variants only.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <new>
#include <stdexcept>

#include "harness/recipe/packing.h"
#include "reference/array.h"
#include "reference/distort_copy.h"
#include "reference/distort_export.h"
#include "reference/export_block.h"

namespace dlpack_cts {
namespace {

using abi::DLManagedTensor;
using abi::DLManagedTensorVersioned;
using abi::DLTensor;

const Exporting& Steps() { return ActiveBehaviour().exporting; }

// ---- The export block and its deleter.

ExportBlock* NewExport(const Array& array, const ExportOptions& options, const Occasion& occasion) {
  const auto dims = static_cast<size_t>(array.ndim) + 1;
  void* memory = std::malloc(sizeof(ExportBlock) + 2 * dims * sizeof(int64_t));
  if (memory == nullptr) throw std::bad_alloc();
  auto* exported = new (memory) ExportBlock(Acting::Now());
  exported->versioned = options.versioned;
  exported->maker = std::this_thread::get_id();
  exported->process = getpid();
  exported->occasion = occasion;
  exported->shape = reinterpret_cast<int64_t*>(exported + 1);
  exported->strides = exported->shape + dims;
  ++exported->library.live_exports;
  return exported;
}

/// Runs on any thread, at any time. A variant defers the rest to the next flush.
void Delete(ExportBlock* exported) {
  Reference& library = exported->library;
  const Acting acting(library);
  if (!Holds(Steps().deleter_defers, exported->occasion)) return FinishExport(exported);
  const std::lock_guard lock(library.mutex);
  library.deleted.push_back(exported);
}

void DeleteLegacy(DLManagedTensor* self) { Delete(static_cast<ExportBlock*>(self->manager_ctx)); }
void DeleteVersioned(DLManagedTensorVersioned* self) { Delete(static_cast<ExportBlock*>(self->manager_ctx)); }

// ---- Checks: why an array cannot be exported in this kind of struct.

bool IsSmallFloat(abi::DLDataType dtype) { return dtype.code >= abi::kDLFloat8_e3m4; }

bool IsPlain(Oddity oddity) {
  return oddity == Oddity::kNone || oddity == Oddity::kSubclass || oddity == Oddity::kUnalignedStride ||
         oddity == Oddity::kIdleStride || oddity == Oddity::kScalarObject;
}

bool StartsInsideByte(const Array& array) { return array.packed != 0 && array.bit != 0 && array.Count() != 0; }

/// DLPack can describe only numbers in native byte order, with strides that are multiples of their size.
Denial CheckArray(const Array& array, int asked, const Occasion& occasion) {
  if (array.opaque && asked == 1) return {kPathPolite, "copies are made on the CPU only"};
  if (array.LacksData()) return {kPathNullData, "the array has elements, but data is NULL"};
  if (array.raw != 0) return {kPathDtype, "DLPack has no type for raw bytes"};
  const uint32_t odd = Bit(array.oddity);
  if ((Steps().odd_acts & odd) != 0) Act(Steps().manner);
  if ((Steps().exports_oddities & odd) != 0 && Holds(Steps().oddities_only, occasion)) return {};
  if ((Steps().resolves_oddities & odd) != 0 && asked != 0) return {};
  if (!IsPlain(array.oddity)) return {kPathDtype, "DLPack cannot describe this array"};
  const int64_t item = array.ItemSize();
  const bool idle = !Holds(Steps().wants_whole_strides, occasion);
  bool whole = true;
  for (int d = 0; d < array.ndim; ++d) whole = whole && ((idle && array.shape[d] <= 1) || array.steps[d] % item == 0);
  const bool copies = asked == 1 || (asked == -1 && Holds(Steps().copies, occasion));
  if (!whole && !copies) return {kPathStrides, "the strides are not a multiple of the item size"};
  if (StartsInsideByte(array) && asked != 1 && !Holds(Steps().starts_inside_bytes, occasion) &&
      !Holds(Steps().copies_inside_bytes, occasion)) {
    return {kPathStrides, "the first element does not start a byte"};
  }
  return {};
}

/// 8-bit and smaller floats and IS_SUBBYTE_TYPE_PADDED exist since DLPack 1.1.
Denial CheckVersion(const Array& array, const ExportOptions& options, const Occasion& occasion) {
  const bool old = !options.versioned || options.version.minor < 1;
  if (old && array.padded && IsSubByte(array.dtype) && !Holds(Steps().legacy_hides_padding, occasion)) {
    return {kPathDtype, "the struct's version cannot say that elements are padded"};
  }
  if (!IsSmallFloat(array.dtype) || !old) return {};
  if (Holds(Steps().legacy_has_float8, occasion)) return {};
  return {kPathDtype, "the struct's version cannot describe this type"};
}

/// A legacy struct cannot carry READ_ONLY. A copy is writable.
Denial CheckReadOnly(const Array& array, const ExportOptions& options, const Occasion& occasion) {
  if (options.versioned || !array.read_only || options.copy == 1) return {};
  if (options.copy == -1 && Holds(Steps().copies, occasion)) return {};
  if (Holds(Steps().legacy_hides_read_only, occasion)) return {};
  return {kPathPolite, "a legacy capsule cannot say that the array is read-only"};
}

Denial CheckExport(const Array& array, const ExportOptions& options, const Occasion& occasion) {
  if (Denial denial = CheckArray(array, options.copy, occasion)) return denial;
  if (Denial denial = DistortConsent(Steps(), options.copy, array, occasion)) return denial;
  if (Denial denial = CheckVersion(array, options, occasion)) return denial;
  return CheckReadOnly(array, options, occasion);
}

// ---- Steps of an export.

/// IS_SUBBYTE_TYPE_PADDED has no meaning for dtypes of whole bytes.
uint64_t FlagsOf(const Array& array, bool copied, const Occasion& occasion) {
  uint64_t flags = 0;
  if (array.read_only) flags |= abi::kFlagReadOnly;
  if (array.padded && IsSubByte(array.dtype)) flags |= abi::kFlagSubbytePadded;
  if (copied) flags |= abi::kFlagIsCopied;
  return DistortFlags(Steps(), flags, array, occasion);
}

void FillHead(abi::DLPackVersion version, uint64_t flags, const Occasion& occasion, ExportBlock& exported) {
  if (exported.versioned) {
    exported.versioned_struct.version = version;
    exported.versioned_struct.manager_ctx = &exported;
    exported.versioned_struct.deleter = DeleteVersioned;
    exported.versioned_struct.flags = flags;
  } else {
    exported.legacy.manager_ctx = &exported;
    exported.legacy.deleter = DeleteLegacy;
  }
  DistortHead(Steps(), occasion, exported);
}

void FillKind(const Array& array, abi::DLDevice device, const Occasion& occasion, DLTensor& tensor) {
  tensor.dtype = array.dtype;
  tensor.device = array.IsOpaque() ? array.device : device;
  DistortKind(Steps(), array, occasion, tensor);
}

/// Strides in elements. Dimensions of at most one element get the compact stride.
void FillStrides(const Array& array, const Occasion& occasion, int64_t* strides) {
  CompactStrides(array.shape, array.ndim, strides);
  for (int d = 0; d < array.ndim; ++d) {
    if (array.shape[d] > 1) strides[d] = array.steps[d] / array.ItemSize();
  }
  DistortExportStrides(Steps(), array, occasion, strides);
}

/// shape and strides are NULL if ndim is 0.
void FillShape(Array& array, const Occasion& occasion, ExportBlock& exported) {
  DLTensor& tensor = exported.tensor();
  tensor.ndim = array.ndim;
  std::copy_n(array.shape, array.ndim, exported.shape);
  FillStrides(array, occasion, exported.strides);
  tensor.shape = array.ndim > 0 ? exported.shape : nullptr;
  tensor.strides = array.ndim > 0 ? exported.strides : nullptr;
  DistortShape(Steps(), array, occasion, exported);
}

void FillData(const Array& array, const Occasion& occasion, DLTensor& tensor) {
  tensor.data = occasion.elements == 0 ? nullptr : array.first;
  tensor.byte_offset = array.apart;
  DistortData(Steps(), array, occasion, tensor);
}

/// The export keeps its array and the memory alive. A copy (`own`) has its own memory, and needs nothing else.
void Hold(const Array& array, const Keeper& keeper, bool own, const Occasion& occasion, ExportBlock& exported) {
  exported.owner = array.owner;
  exported.keeper = keeper;
  DistortHold(Steps(), array, own, occasion, exported);
  if (exported.owner != nullptr) ++exported.owner->exports;
  const bool kept = !own || Holds(Steps().copy_keeps_source, occasion);
  if (kept || keeper.object == nullptr) return;
  keeper.release(keeper.object, Keeper::Locking::kTakes);
  exported.keeper = Keeper{};
}

}  // namespace

void FinishExport(ExportBlock* exported) {
  Reference& library = exported->library;
  const Exporting& steps = Steps();
  if (DistortDeletion(steps, *exported)) {
    LetGo(*exported);
  } else {
    new std::shared_ptr<Owner>(exported->owner);  // never freed
  }
  const bool throws = Holds(steps.deleter_throws, exported->occasion);
  const bool stays = Holds(steps.deleter_keeps_struct, exported->occasion);
  ExportBlock* latest = exported;
  library.latest_export.compare_exchange_strong(latest, nullptr);
  exported->~ExportBlock();
  if (!stays) std::free(exported);
  --library.live_exports;
  if (throws) throw std::runtime_error("an exception leaves a deleter");
}

void LetGo(ExportBlock& exported) {
  if (exported.owner != nullptr) {
    --exported.owner->exports;
    EndExportOfClosed(*exported.owner, exported.occasion);
  }
  exported.owner.reset();
  const Keeper keeper = exported.keeper;
  exported.keeper = Keeper{};
  if (keeper.object != nullptr) keeper.release(keeper.object, DistortLocking(Steps(), exported.occasion));
  if (keeper.raise != nullptr && Holds(Steps().deleter_raises, exported.occasion)) keeper.raise();
}

Occasion OccasionOf(const Array& array, bool versioned, int copy) {
  Occasion occasion;
  occasion.dtype = array.dtype;
  occasion.device_type = array.device.device_type;
  occasion.ndim = array.ndim;
  occasion.elements = array.Count();
  occasion.number = Acting::Now().exchanges;
  occasion.versioned = versioned;
  occasion.read_only = array.read_only;
  occasion.imported = array.imported;
  occasion.views = array.views;
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
  Occasion occasion = OccasionOf(array, options.versioned, options.copy);
  occasion.asked = options.asked;
  const auto release = [&options] {
    if (options.keeper.object != nullptr) options.keeper.release(options.keeper.object, Keeper::Locking::kTakes);
  };
  *denial = CheckExport(array, options, occasion);
  if (*denial) {
    if (!Holds(steps.leaks_when_refusing, occasion)) release();
    return nullptr;
  }
  if (ExportBlock* const latest = DistortLatest(steps, array, options.versioned, occasion)) {
    release();
    return latest->managed();
  }
  const bool inside = StartsInsideByte(array) && Holds(steps.copies_inside_bytes, occasion);
  if (inside && options.copy == 0) {
    *denial = {kPathPolite, "a copy is needed"};
    release();
    return nullptr;
  }
  const bool resolves = (steps.resolves_oddities & Bit(array.oddity)) != 0;
  const bool copies = inside || resolves || DistortExportCopies(steps, options.copy == 1, options.copy, occasion);
  const bool shares = resolves && steps.caches_resolved && options.copy == -1;
  std::shared_ptr<Array> copy = shares ? array.resolved : nullptr;
  if (copies && copy == nullptr) {
    copy = CopyArray(array);
    if (Holds(steps.copies_keep_layout, occasion)) CopyInLayout(array, *copy);
    DistortCopiedElements(steps, occasion, array, *copy);
    if (Holds(steps.copies_padded, occasion)) PadCopy(*copy);
    if (Holds(steps.copies_half, occasion)) CutInHalf(*copy);
  }
  if (shares) array.resolved = copy;
  Array& source = copies ? *copy : array;
  if (copies && Holds(steps.copy_is_read_only, occasion)) source.read_only = true;
  ExportBlock* const exported = NewExport(source, options, occasion);
  FillHead(options.version, FlagsOf(source, (copies && !shares) || options.copy == 1, occasion), occasion, *exported);
  FillKind(source, options.device, occasion, exported->tensor());
  FillShape(source, occasion, *exported);
  FillData(source, occasion, exported->tensor());
  Hold(source, options.keeper, copies, occasion, *exported);
  array.library.latest_export = exported;
  DistortAftermath(steps, occasion, array, *exported);
  return exported->managed();
}

}  // namespace dlpack_cts
