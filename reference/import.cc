// reference/import.cc: from a managed tensor to an array: check, take, release.
//
// Reads like the specification. Each step computes what a correct consumer sees. The function of distort_import.h with
// the step's name then changes it, for mutants and conforming variants only.
#include <algorithm>
#include <new>
#include <span>
#include <utility>

#include "harness/recipe/packing.h"
#include "reference/array.h"
#include "reference/distort_copy.h"
#include "reference/distort_import.h"
#include "reference/managed.h"

namespace dlpack_cts {
namespace {

using abi::DLManagedTensorVersioned;
using abi::DLTensor;

const Importing& Steps() { return ActiveBehaviour().importing; }

// ---- Checks: why a tensor cannot be imported.

/// Reads only the version: the layout of another major version is unknown.
bool MajorFits(const void* managed) {
  const Importing& steps = Steps();
  const abi::DLPackVersion version =
      DistortVersion(steps, static_cast<const DLManagedTensorVersioned*>(managed)->version);
  return DistortMajor(steps, version, version.major == kReferenceVersion.major);
}

Denial CheckVersion(const void* managed) {
  if (MajorFits(managed)) return {};
  return {kPathVersion, "tensors of this DLPack major version are not supported"};
}

Denial CheckDevice(const DLTensor& tensor, const ImportOptions& options, const Occasion& occasion) {
  if (DistortDevice(Steps(), tensor.device.device_type, occasion) == abi::kDLCPU) return {};
  if (Acting::Now().IsAtHome(tensor.device)) return {};
  if (!options.has_device && TakesDevice(Steps(), tensor.device, options.copy, occasion)) return {};
  DistortForeignData(Steps(), tensor, occasion);
  return {kPathDevice, "only tensors on the CPU are supported"};
}

Denial CheckKeyword(const ImportOptions& options) {
  if (!options.has_device || options.device.device_type == abi::kDLCPU) return {};
  if (Acting::Now().IsAtHome(options.device)) return {};
  return {kPathKeyword, "arrays live on the CPU, device (1, 0)", false};
}

Denial CheckLanes(abi::DLDataType dtype) {
  if (dtype.lanes == 1 || HasVectors(ActiveBehaviour().having, dtype)) return {};
  return {kPathLanes, "vector types are not supported"};
}

Denial CheckType(abi::DLDataType dtype) {
  if (IsKnownType(dtype)) return {};
  return {kPathDtype, "this element type is not supported"};
}

int RankOf(const DLTensor& tensor) { return DistortRank(Steps(), tensor.ndim); }

Denial CheckRank(const DLTensor& tensor) {
  if (RankOf(tensor) >= 0 && RankOf(tensor) <= kMaxDims) return {};
  return {kPathDims, "tensors of more than 64 or less than 0 dimensions are not supported"};
}

Denial CheckShape(const DLTensor& tensor) {
  if (tensor.ndim <= 0 || tensor.shape != nullptr) return {};
  return {kPathNoShape, "the tensor has dimensions, but shape is NULL"};
}

/// ndim, limited to what an array can have.
int UsableRank(const DLTensor& tensor) { return std::clamp(RankOf(tensor), 0, kMaxDims); }

Denial CheckSigns(const DLTensor& tensor) {
  const int ndim = UsableRank(tensor);
  if (std::all_of(tensor.shape, tensor.shape + ndim, [](int64_t extent) { return extent >= 0; })) return {};
  return {kPathShape, "the tensor has a negative extent"};
}

/// If an extent is 0 the number of elements is 0, even if the product of the others overflows.
Denial CheckSize(const DLTensor& tensor, int64_t item, const Occasion& occasion) {
  if (DistortEmpty(Steps(), IsEmpty(tensor), occasion)) return {};
  int64_t bytes = item;
  for (int d = 0; d < UsableRank(tensor); ++d) {
    if (tensor.shape[d] != 0 && __builtin_mul_overflow(bytes, tensor.shape[d], &bytes)) {
      return {kPathExtents, "the tensor is larger than memory"};
    }
  }
  return {};
}

/// data and strides have no meaning if there are no elements.
Denial CheckData(const DLTensor& tensor) {
  if (tensor.data != nullptr) return {};
  return {kPathNullData, "the tensor has elements, but data is NULL"};
}

/// Byte strides whose sums overflow do not describe memory.
Denial CheckStrides(const DLTensor& tensor, int64_t item) {
  if (tensor.strides == nullptr) return {};
  int64_t lowest = 0;
  int64_t highest = 0;
  for (int d = 0; d < UsableRank(tensor); ++d) {
    if (tensor.shape[d] <= 1) continue;
    int64_t span = 0;
    if (__builtin_mul_overflow(tensor.strides[d], item, &span) ||
        __builtin_mul_overflow(span, tensor.shape[d] - 1, &span) ||
        __builtin_add_overflow(span < 0 ? lowest : highest, span, span < 0 ? &lowest : &highest)) {
      return {kPathStrides, "the strides reach beyond memory"};
    }
  }
  return {};
}

/// Whether a mutant leaves out the check of `path`.
bool LeavesOut(Path path, const Occasion& occasion) {
  const Behaviour& behaviour = ActiveBehaviour();
  const Refusing& refusing = behaviour.refusing;
  constexpr uint32_t kUnknown = kPathDevice | kPathDtype | kPathLanes;
  const bool raw = RawBytes(behaviour.having, occasion.dtype) != 0;
  return (raw && (path & (kPathDtype | kPathLanes)) != 0) ||
         (path == kPathNullData && Holds(behaviour.importing.carries_null, occasion)) ||
         ((refusing.accepts & path) != 0 && Holds(refusing.only, occasion)) ||
         (behaviour.having.container && (path & kUnknown) != 0) ||
         (path == kPathDevice && behaviour.asking.trusts_reported_device);
}

/// The denial, or an empty one if its check is left out. So checks can be written in sequence.
Denial Counted(Denial denial, const Occasion& occasion) {
  return denial && LeavesOut(denial.path, occasion) ? Denial{} : denial;
}

// ---- Steps of an import.

/// Strides in elements. NULL means row-major compact.
void ReadStrides(const DLTensor& tensor, int ndim, int64_t item, const Occasion& occasion, int64_t* strides) {
  if (tensor.strides != nullptr) {
    std::copy_n(tensor.strides, ndim, strides);
  } else {
    RowMajorStrides(tensor.shape, ndim, strides);
  }
  DistortStrides(Steps(), tensor, ndim, item, occasion, strides);
}

/// data plus byte_offset, which is in bytes.
uint8_t* FirstElement(const DLTensor& tensor, int64_t item, const Occasion& occasion) {
  const uint64_t offset = DistortOffset(Steps(), tensor.byte_offset, item, occasion);
  const uint64_t address = DistortAddress(Steps(), reinterpret_cast<uint64_t>(tensor.data) + offset, item, occasion);
  return reinterpret_cast<uint8_t*>(address);
}

/// Makes the array over the tensor's memory. It does not own the tensor yet. Defects of imports do not show in `peek`.
std::unique_ptr<Array> Describe(const DLTensor& tensor, const ImportOptions& options, const Occasion& occasion) {
  auto array = std::make_unique<Array>();
  array->dtype = DistortType(Steps(), tensor.dtype, occasion);
  array->raw = RawBytes(ActiveBehaviour().having, array->dtype);
  const int64_t item = std::max<int64_t>(1, array->ItemSize());
  array->imported = true;
  if (ActiveBehaviour().having.container) array->device = tensor.device;
  array->ndim = UsableRank(tensor);
  array->first = occasion.elements == 0 ? nullptr : FirstElement(tensor, item, occasion);
  int64_t strides[kMaxDims];
  ReadStrides(tensor, array->ndim, item, occasion, strides);
  for (int d = 0; d < array->ndim; ++d) {
    array->shape[d] = tensor.shape[d];
    array->steps[d] = tensor.shape[d] > 1 && occasion.elements != 0 ? strides[d] * item : 0;
  }
  array->read_only = DistortReadOnly(Steps(), (occasion.flags & abi::kFlagReadOnly) != 0, occasion);
  array->padded = (occasion.flags & abi::kFlagSubbytePadded) != 0;
  array->packed = DistortPacking(Steps(), PackedBits(array->dtype, array->padded), occasion, *array);
  array->was_copy = (occasion.flags & abi::kFlagIsCopied) != 0;
  if (!options.borrows) DistortArray(Steps(), tensor, strides, item, occasion, *array);
  DistortLanes(Steps(), tensor, strides, occasion, *array);
  DistortCarried(Steps(), tensor, occasion, *array);
  return array;
}

/// Owns an imported tensor, until the last array that shares it is destroyed.
class Borrowed : public Owner {
 public:
  Borrowed(bool versioned, void* managed, const Occasion& occasion)
      : library_(Acting::Now()), versioned_(versioned), managed_(managed), occasion_(occasion) {
    ++library_.live_imports;
  }
  ~Borrowed() override {
    const Acting acting(library_);
    --library_.live_imports;
    if (killed) return;
    const Owning& owning = ActiveBehaviour().owning;
    if (DistortBeforeRelease(owning, versioned_, managed_, occasion_)) return;
    ReleaseWhen(owning.release, versioned_, managed_);
    DistortAfterRelease(owning, versioned_, managed_, occasion_);
  }
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;
  void Kill() override {
    if (!std::exchange(killed, true)) ReleaseManaged(versioned_, managed_);
  }
  const void* managed() const override { return managed_; }

 private:
  Reference& library_;
  bool versioned_;
  void* managed_;
  Occasion occasion_;
};

/// Gives the tensor to the array, unless something else owns it.
void Share(bool versioned, void* managed, const ImportOptions& options, const Occasion& occasion, Array& array) {
  DistortReadings(Steps(), occasion, array);
  if (options.borrows) return;
  if (Holds(ActiveBehaviour().owning.releases_early, occasion)) return ReleaseManaged(versioned, managed);
  array.owner = std::make_shared<Borrowed>(versioned, managed, occasion);
  if (!ActiveBehaviour().closing.frees_latest.never()) Acting::Now().latest_owner = array.owner;
}

/// Copies the array and releases the tensor, also if memory runs out.
std::unique_ptr<Array> Copied(bool versioned, void* managed, const ImportOptions& options, const Occasion& occasion,
                              const Array& array) {
  std::unique_ptr<Array> copy;
  try {
    copy = CopyArray(array);
  } catch (const std::bad_alloc&) {
    if (!options.borrows) ReleaseManaged(versioned, managed);
    throw;
  }
  DistortCopiedElements(Steps(), occasion, array, *copy);
  DistortCopy(Steps(), options, occasion, *copy);
  const bool releases = !options.borrows && !Holds(ActiveBehaviour().owning.never_after_copy, occasion);
  if (releases) ReleaseManaged(versioned, managed);
  return copy;
}

}  // namespace

Occasion OccasionOf(bool versioned, const void* managed, int copy) {
  Occasion occasion;
  occasion.versioned = versioned;
  occasion.copy = copy == 1;
  occasion.number = Acting::Now().exchanges;
  if (managed == nullptr) return occasion;
  if (versioned) {
    const auto* tensor = static_cast<const DLManagedTensorVersioned*>(managed);
    occasion.major = tensor->version.major;
    occasion.minor = tensor->version.minor;
    if (!MajorFits(managed)) return occasion;
    occasion.flags = tensor->flags;
    occasion.read_only = (tensor->flags & abi::kFlagReadOnly) != 0;
    occasion.null_deleter = tensor->deleter == nullptr;
  } else {
    occasion.null_deleter = static_cast<const abi::DLManagedTensor*>(managed)->deleter == nullptr;
  }
  const DLTensor& tensor = TensorOf(versioned, managed);
  occasion.dtype = tensor.dtype;
  occasion.device_type = tensor.device.device_type;
  occasion.ndim = tensor.ndim;
  occasion.byte_offset = tensor.byte_offset;
  if (tensor.ndim <= 0 || tensor.ndim > kMaxDims || tensor.shape == nullptr) return occasion;
  occasion.null_strides = tensor.strides == nullptr;
  for (int d = tensor.ndim - 1; d >= 0; --d) {
    const int64_t extent = tensor.shape[d];
    occasion.unit = occasion.unit || extent == 1;
    if (tensor.strides != nullptr && extent > 1) {
      occasion.negative = occasion.negative || tensor.strides[d] < 0;
      occasion.broadcast = occasion.broadcast || tensor.strides[d] == 0;
      occasion.strided = occasion.strided || tensor.strides[d] != occasion.elements;
    }
    if (__builtin_mul_overflow(occasion.elements, extent, &occasion.elements)) occasion.elements = INT64_MAX;
  }
  if (IsEmpty(tensor)) occasion.elements = 0;
  const std::span<const int64_t> shape(tensor.shape, static_cast<size_t>(tensor.ndim));
  const std::span<const int64_t> front = shape.first(shape.size() - 1);
  occasion.last_negative =
      shape.back() < 0 && std::all_of(front.begin(), front.end(), [](int64_t extent) { return extent >= 0; });
  return occasion;
}

bool Chosen(uint32_t mask, Path path, bool versioned, const void* managed) {
  if ((mask & path) == 0) return false;
  const When& only = ActiveBehaviour().refusing.only;
  // Only the version is known of another major version.
  const bool readable = (path & kPathAnyTensor) != 0;
  return Holds(only, readable ? OccasionOf(versioned, managed, -1) : Occasion{.versioned = versioned});
}

Denial CheckManaged(bool versioned, void* managed, const ImportOptions& options) {
  if (!MayComeIn()) return {kPathPolite, "a tensor is being released"};
  if (versioned) {
    DistortFirstLook(Steps(), managed);
    const Occasion unread{.versioned = true, .arrival = options.arrival};
    if (Denial denial = Counted(CheckVersion(managed), unread)) return denial;
  }
  const DLTensor& tensor = TensorOf(versioned, managed);
  Occasion occasion = OccasionOf(versioned, managed, options.copy);
  occasion.arrival = options.arrival;
  if (Denial denial = Counted(CheckDevice(tensor, options, occasion), occasion)) return denial;
  if (Denial denial = Counted(CheckKeyword(options), occasion)) return denial;
  const abi::DLDataType dtype = DistortType(Steps(), tensor.dtype, occasion);
  if (Denial denial = Counted(CheckLanes(dtype), occasion)) return denial;
  if (Denial denial = Counted(CheckType(dtype), occasion)) return denial;
  if (Denial denial = Counted(CheckRank(tensor), occasion)) return denial;
  if (Denial denial = Counted(CheckShape(tensor), occasion)) return denial;
  if (Denial denial = Counted(CheckSigns(tensor), occasion)) return denial;
  const int64_t item = std::max<int64_t>(1, ItemSize(dtype));
  if (Denial denial = Counted(CheckSize(tensor, item, occasion), occasion)) return denial;
  if (Denial denial = DistortAcceptance(Steps(), tensor, options, occasion)) return denial;
  if (tensor.ndim > 0 && occasion.elements == 0) return DistortEmptyAcceptance(Steps(), tensor, occasion);
  if (Denial denial = Counted(CheckData(tensor), occasion)) return denial;
  return Counted(CheckStrides(tensor, item), occasion);
}

std::unique_ptr<Array> TakeManaged(bool versioned, void* managed, const ImportOptions& options) {
  const DLTensor& tensor = TensorOf(versioned, managed);
  Occasion occasion = OccasionOf(versioned, managed, options.copy);
  occasion.arrival = options.arrival;
  std::unique_ptr<Array> array = Describe(tensor, options, occasion);
  DistortTouches(Steps(), versioned, managed, *array, occasion);
  if (std::unique_ptr<Array> known = DistortIdentity(Steps(), managed, *array, occasion)) {
    if (!options.borrows) ReleaseManaged(versioned, managed);
    return known;
  }
  // A producer that sets IS_COPIED has already made the requested copy.
  const bool copies = options.copy == 1 && !array->was_copy;
  if (DistortCopies(Steps(), copies, options, occasion)) {
    return Copied(versioned, managed, options, occasion, *array);
  }
  Share(versioned, managed, options, occasion, *array);
  return array;
}

std::unique_ptr<Array> TakeUnseen(bool versioned, void* managed, Denial denial) {
  auto array = std::make_unique<Array>();
  array->denial = denial;
  array->imported = true;
  array->owner = std::make_shared<Borrowed>(versioned, managed, Occasion{.versioned = versioned});
  return array;
}

std::unique_ptr<Array> ImportManaged(bool versioned, void* managed, const ImportOptions& options, Denial* denial) {
  *denial = CheckManaged(versioned, managed, options);
  if (!*denial) return TakeManaged(versioned, managed, options);
  const Refusing& refusing = ActiveBehaviour().refusing;
  if (Chosen(refusing.touches_tensor, denial->path, versioned, managed)) TouchManaged(versioned, managed);
  if (Chosen(refusing.acts, denial->path, versioned, managed)) Act(refusing.manner);
  const bool leaks = Chosen(refusing.leaks, denial->path, versioned, managed);
  const bool twice = Chosen(refusing.releases_twice, denial->path, versioned, managed);
  if (!leaks) ReleaseManaged(versioned, managed);
  if (twice) ReleaseManaged(versioned, managed);
  return nullptr;
}

}  // namespace dlpack_cts
