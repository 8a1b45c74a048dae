// reference/distort_export.cc: the defects and variants of exports, one function per step.
#include "reference/distort_export.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "reference/distort_copy.h"
#include "reference/managed.h"
#include "reference/ring.h"

namespace dlpack_cts {
namespace {

using abi::DLTensor;

void DropKeeper(ExportBlock& exported) {
  if (exported.keeper.object != nullptr) exported.keeper.release(exported.keeper.object, Keeper::Locking::kTakes);
  exported.keeper = Keeper{};
}

/// Shape and strides that stay mapped after they are freed, and have other values then.
std::shared_ptr<int64_t> NewDims() {
  constexpr int kCount = 2 * kMaxDims;
  static std::mutex mutex;
  static std::vector<int64_t*> gone;  // so that a leak checker finds them
  const auto scrub = [](int64_t* dims) {
    std::fill_n(dims, kCount, int64_t{0x5B});
    const std::lock_guard lock(mutex);
    gone.push_back(dims);
  };
  return {new int64_t[kCount], scrub};
}

}  // namespace

Denial DistortConsent(const Exporting& steps, int asked, const Array& array, const Occasion& occasion) {
  if (array.was_exported && Holds(steps.refuses_again, occasion)) return {kPathPolite, "there is an export already"};
  if (Holds(steps.refuses, occasion)) return {kPathPolite, "this array is not exported"};
  if (asked != 1 && Holds(steps.refuses_unless_copied, occasion)) return {kPathPolite, "a copy is needed"};
  if (asked == 1 && Holds(steps.refuses_copy, occasion)) return {kPathPolite, "copies are not made"};
  if (asked == 0 && Holds(steps.refuses_copy_false, occasion)) return {kPathPolite, "a copy is needed"};
  return {};
}

bool DistortExportCopies(const Exporting& steps, bool copies, int asked, const Occasion& occasion) {
  if (Holds(steps.copy_shares, occasion)) copies = false;
  return copies || (asked == -1 && Holds(steps.copies, occasion)) ||
         (asked == 0 && Holds(steps.copies_against_will, occasion));
}

ExportBlock* DistortLatest(const Exporting& steps, const Array& array, bool versioned, const Occasion& occasion) {
  ExportBlock* const latest = array.library.latest_export;
  if (latest == nullptr) return nullptr;
  const bool full = steps.room != 0 && array.library.live_exports >= steps.room;
  const bool beside = array.library.exporting.HasOthers() && Holds(steps.shares_beside_threads, occasion);
  if (latest->versioned == versioned && (full || beside || Holds(steps.shares_struct, occasion))) return latest;
  if (latest->occasion.ndim > 0 && Holds(steps.overwrites_latest, occasion)) latest->shape[0] += 1;
  return nullptr;
}

uint64_t DistortFlags(const Exporting& steps, uint64_t flags, const Array& array, const Occasion& occasion) {
  if (Holds(steps.drops_read_only, occasion)) flags &= ~abi::kFlagReadOnly;
  if (Holds(steps.drops_padded, occasion)) flags &= ~abi::kFlagSubbytePadded;
  if (Holds(steps.drops_copied, occasion)) flags &= ~abi::kFlagIsCopied;
  if (array.was_copied && Holds(steps.recalls_copies, occasion)) flags |= abi::kFlagIsCopied;
  if (array.was_copy && Holds(steps.keeps_copied, occasion)) flags |= abi::kFlagIsCopied;
  if (Holds(steps.adds_flags, occasion)) flags |= steps.flags;
  return flags;
}

void DistortHead(const Exporting& steps, const Occasion& occasion, ExportBlock& exported) {
  if (exported.versioned && Holds(steps.relabels, occasion)) exported.versioned_struct.version = steps.label;
  if (!Holds(steps.null_deleter, occasion)) return;
  if (exported.versioned) {
    exported.versioned_struct.deleter = nullptr;
  } else {
    exported.legacy.deleter = nullptr;
  }
}

void DistortKind(const Exporting& steps, const Array& array, const Occasion& occasion, DLTensor& tensor) {
  if (Holds(steps.retypes, occasion)) tensor.dtype = steps.retyped;
  if (array.oddity == Oddity::kLongDouble) tensor.dtype = {abi::kDLFloat, 128, 1};
  if (array.oddity == Oddity::kComplexLongDouble) tensor.dtype = {abi::kDLComplex, 0, 1};
  if (Holds(steps.wrong_device, occasion)) tensor.device = steps.device;
  if (Holds(steps.drops_lanes, occasion)) tensor.dtype.lanes = 1;
}

void DistortExportStrides(const Exporting& steps, const Array& array, const Occasion& occasion, int64_t* strides) {
  if (Holds(steps.strides_are_compact, occasion)) RowMajorStrides(array.shape, array.ndim, strides);
  if (Holds(steps.strides_column_major, occasion)) ColumnMajorStrides(array.shape, array.ndim, strides);
  for (int d = 0; d < array.ndim; ++d) {
    if (array.shape[d] <= 1 && Holds(steps.odd_unit_strides, occasion)) strides[d] = 12345 + d;
    if (strides[d] < 0 && Holds(steps.strides_made_positive, occasion)) strides[d] = -strides[d];
    if (Holds(steps.strides_in_bytes, occasion)) strides[d] *= array.ItemSize();
    if (Holds(steps.strides_in_components, occasion)) strides[d] *= 2;
    if (Holds(steps.narrows_strides, occasion)) strides[d] = Narrowed(strides[d], steps.stride_bits);
  }
  if (Holds(steps.reverses_strides, occasion)) std::reverse(strides, strides + array.ndim);
}

void DistortShape(const Exporting& steps, Array& array, const Occasion& occasion, ExportBlock& exported) {
  DLTensor& tensor = exported.tensor();
  int64_t* const shape = exported.shape;
  int64_t* const strides = exported.strides;
  if (Holds(steps.remembers_dims, occasion)) {
    std::vector<int64_t>& first = array.first_dims;
    if (first.empty()) {
      first.assign(shape, shape + array.ndim);
      first.insert(first.end(), strides, strides + array.ndim);
    }
    const size_t dims = first.size() / 2;
    if (dims <= static_cast<size_t>(array.ndim) + 1) {  // shape has room for one dimension more
      std::copy_n(first.begin(), dims, shape);
      std::copy_n(first.begin() + static_cast<ptrdiff_t>(dims), dims, strides);
      tensor.ndim = static_cast<int32_t>(dims);
    }
  }
  if (Holds(steps.reverses_shape, occasion)) std::reverse(shape, shape + array.ndim);
  if (Holds(steps.truncates_extents, occasion)) {
    for (int d = 0; d < array.ndim; ++d) shape[d] &= 0x7F;
  }
  if (Holds(steps.narrows_extents, occasion)) {
    for (int d = 0; d < array.ndim; ++d) shape[d] = Narrowed(shape[d], steps.extent_bits);
  }
  if (steps.dims_ring != 0 && array.ndim > 0) {
    auto& [kept_shape, kept_strides] = NextInRing<std::array<std::array<int64_t, kMaxDims>, 2>>(steps.dims_ring);
    std::copy_n(shape, array.ndim, kept_shape.data());
    std::copy_n(strides, array.ndim, kept_strides.data());
    tensor.shape = kept_shape.data();
    tensor.strides = kept_strides.data();
  }
  if (array.ndim > 32 && Holds(steps.keeps_32_extents, occasion)) std::fill(shape + 32, shape + array.ndim, 1);
  if (array.ndim == 0 && Holds(steps.shape_of_scalar, occasion)) {
    tensor.shape = shape;
    tensor.strides = strides;
  }
  if (Holds(steps.lives_in_array, occasion)) {
    std::copy_n(strides, array.ndim, array.live_strides);
    tensor.shape = array.shape;
    tensor.strides = array.live_strides;
  }
  if (array.ndim > 0 && Holds(steps.dims_die, occasion)) {
    if (array.lent_dims == nullptr) array.lent_dims = NewDims();
    tensor.shape = std::copy_n(shape, array.ndim, array.lent_dims.get()) - array.ndim;
    tensor.strides = std::copy_n(strides, array.ndim, array.lent_dims.get() + kMaxDims) - array.ndim;
  }
  const bool even = array.ndim > 0 && array.shape[array.ndim - 1] % 2 == 0 && array.packed == 4 && array.IsCompact();
  if (even && Holds(steps.exports_pairs, occasion)) {
    tensor.dtype.lanes = 2;
    shape[array.ndim - 1] /= 2;
    for (int d = 0; d + 1 < array.ndim; ++d) strides[d] /= 2;
  }
  const bool null_compact = array.IsCompact() && Holds(steps.null_strides, occasion);
  if (null_compact || Holds(steps.null_strides_of_any, occasion)) tensor.strides = nullptr;
  if (Holds(steps.null_shape, occasion)) tensor.shape = nullptr;
  if (Holds(steps.wild_strides, occasion)) tensor.strides = reinterpret_cast<int64_t*>(4096);
  if (Holds(steps.negates_extents, occasion)) {
    for (int d = 0; d < array.ndim; ++d) shape[d] = -shape[d];
  }
  if (Holds(steps.ndim_too_large, occasion)) {
    shape[tensor.ndim] = strides[tensor.ndim] = 1;
    ++tensor.ndim;
    tensor.shape = shape;
    tensor.strides = strides;
  }
  if (tensor.ndim > 0 && Holds(steps.ndim_too_small, occasion)) --tensor.ndim;
}

void DistortData(const Exporting& steps, const Array& array, const Occasion& occasion, DLTensor& tensor) {
  if (occasion.elements == 0) {
    static char somewhere;
    if (Holds(steps.empty_has_data, occasion)) tensor.data = &somewhere;
    return;
  }
  if (steps.offset_bytes != 0 && Holds(steps.offset, occasion)) {
    tensor.data = array.first - steps.offset_bytes;
    tensor.byte_offset = steps.offset_bytes;
    if (Holds(steps.offset_in_elements, occasion)) tensor.byte_offset /= static_cast<uint64_t>(array.ItemSize());
    if (Holds(steps.forgets_offset, occasion)) tensor.byte_offset = 0;
  }
  if (array.base != nullptr && Holds(steps.base_pointer, occasion)) tensor.data = array.base;
  if (array.oddity == Oddity::kZeros || Holds(steps.null_data, occasion)) tensor.data = nullptr;
  if (Holds(steps.wild_data, occasion)) tensor.data = reinterpret_cast<void*>(4096);
}

void DistortHold(const Exporting& steps, const Array& array, bool own, const Occasion& occasion,
                 ExportBlock& exported) {
  if (own) {
    if (Holds(steps.copy_keeps_source, occasion))
      exported.keeper.release = [](void*, Keeper::Locking) {};  // never dropped
    if (Holds(steps.copy_leaks, occasion)) new std::shared_ptr<Owner>(exported.owner);
    return;
  }
  const bool dies = Holds(steps.memory_dies, occasion) || (occasion.imported && Holds(steps.import_dies, occasion));
  if (dies) {
    if (array.owner != nullptr) array.owner->scrub = true;
    exported.owner.reset();
  }
  const uint32_t held = steps.reexports_held;
  const bool too_many = held != 0 && occasion.imported && array.owner != nullptr &&
                        static_cast<uint32_t>(array.owner->exports.load()) >= held;
  if (too_many) exported.owner.reset();
  if (dies || too_many || Holds(steps.holds_memory_only, occasion) || Holds(steps.dims_die, occasion))
    DropKeeper(exported);
}

void DistortAftermath(const Exporting& steps, const Occasion& occasion, Array& array, ExportBlock& exported) {
  Denial ignored;
  array.was_exported = true;
  array.was_copied = array.was_copied || exported.owner != array.owner;
  if (occasion.elements > 0 && Holds(steps.mutates_source, occasion)) *array.first ^= steps.mutation;
  if (Holds(steps.transposes_source, occasion)) ChangeArray(array, 1, &ignored);
  if (Holds(steps.locks_source, occasion)) array.locked = true;
  if (exported.owner != array.owner && Holds(steps.copy_dies, occasion)) {
    exported.owner->scrub = true;
    array.lent = exported.owner;
    exported.owner.reset();
  }
  if (!Holds(steps.deleter_frees_early, occasion)) return;
  if (exported.owner != nullptr) exported.owner->scrub = true;
  LetGo(exported);
}

bool DistortDeletion(const Exporting& steps, const ExportBlock& exported) {
  const Occasion& occasion = exported.occasion;
  if (Holds(steps.deleter_wants_thread, occasion) && std::this_thread::get_id() != exported.maker) std::abort();
  if (Holds(steps.deleter_wants_process, occasion) && getpid() != exported.process) std::abort();
  if (Holds(steps.deleters_exclude, occasion)) {
    if (exported.library.deleting.Enter()) std::abort();
    exported.library.deleting.Leave();
  }
  ExportBlock* const latest = exported.library.latest_export;
  if (latest != nullptr && latest != &exported && Holds(steps.deleter_releases_latest, occasion)) {
    if (latest->owner != nullptr) latest->owner->scrub = true;
    LetGo(*latest);
  }
  return !Holds(steps.deleter_leaks, occasion);
}

Keeper::Locking DistortLocking(const Exporting& steps, const Occasion& occasion) {
  if (Holds(steps.deleter_queues, occasion)) return Keeper::Locking::kQueues;
  if (Holds(steps.deleter_needs_gil, occasion)) return Keeper::Locking::kAssumes;
  if (Holds(steps.deleter_frees_unlocked, occasion)) return Keeper::Locking::kFreesUnlocked;
  if (Holds(steps.deleter_deadlocks, occasion)) return Keeper::Locking::kTakesOnOtherThread;
  if (Holds(steps.deleter_dies_at_exit, occasion)) return Keeper::Locking::kDiesAtExit;
  if (Holds(steps.deleter_ignores_end, occasion)) return Keeper::Locking::kTakesAfterTheEnd;
  return Keeper::Locking::kTakes;
}

}  // namespace dlpack_cts
