// adapters/reference/import.cc: from a managed tensor to an array: check, take, release.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

#include "adapters/reference/array.h"

namespace dlpack_cts {
namespace {

using abi::DLDataType;
using abi::DLManagedTensor;
using abi::DLManagedTensorVersioned;
using abi::DLTensor;

const Importing& Steps() { return ActiveBehaviour().importing; }

// ---- The parts of a struct.

const DLTensor& TensorOf(bool versioned, const void* managed) {
  return versioned ? static_cast<const DLManagedTensorVersioned*>(managed)->dl_tensor
                   : static_cast<const DLManagedTensor*>(managed)->dl_tensor;
}

void* ContextOf(bool versioned, const void* managed) {
  return versioned ? static_cast<const DLManagedTensorVersioned*>(managed)->manager_ctx
                   : static_cast<const DLManagedTensor*>(managed)->manager_ctx;
}

abi::DLPackVersion VersionOf(const void* managed) {
  const abi::DLPackVersion version = static_cast<const DLManagedTensorVersioned*>(managed)->version;
  const bool swapped = Holds(Steps().swaps_version, Occasion{.versioned = true});
  return swapped ? abi::DLPackVersion{version.minor, version.major} : version;
}

bool MajorFits(abi::DLPackVersion version) {
  switch (Steps().major_check) {
    case MajorCheck::kEqual:
      return version.major == kReferenceVersion.major;
    case MajorCheck::kNotGreater:
      return version.major <= kReferenceVersion.major;
    case MajorCheck::kNotLess:
      return version.major >= kReferenceVersion.major;
    case MajorCheck::kByte:
      return (version.major & 0xFF) == kReferenceVersion.major;
    case MajorCheck::kShort:
      return (version.major & 0xFFFF) == kReferenceVersion.major;
    case MajorCheck::kMinorInstead:
      return version.minor <= kReferenceVersion.minor;
    case MajorCheck::kEqualWithKnownMinor:
      return version.major == kReferenceVersion.major && version.minor <= kReferenceVersion.minor;
    case MajorCheck::kNone:
      return true;
  }
  return false;
}

/// Reads every byte of the struct.
void TouchTensor(bool versioned, const void* managed) {
  const size_t size = versioned ? sizeof(DLManagedTensorVersioned) : sizeof(DLManagedTensor);
  volatile uint8_t sum = 0;
  for (size_t i = 0; i < size; ++i) {
    sum = static_cast<uint8_t>(sum + static_cast<const volatile uint8_t*>(managed)[i]);
  }
}

// ---- Element types.

bool IsKnown(DLDataType dtype) {
  switch (dtype.code) {
    case abi::kDLInt:
    case abi::kDLUInt:
      return dtype.bits == 8 || dtype.bits == 16 || dtype.bits == 32 || dtype.bits == 64;
    case abi::kDLFloat:
      return dtype.bits == 16 || dtype.bits == 32 || dtype.bits == 64;
    case abi::kDLComplex:
      return dtype.bits == 32 || dtype.bits == 64 || dtype.bits == 128;
    case abi::kDLBfloat:
      return dtype.bits == 16;
    case abi::kDLBool:
      return dtype.bits == 8;
    default:
      return dtype.code >= abi::kDLFloat8_e3m4 && dtype.code <= abi::kDLFloat8_e8m0fnu && dtype.bits == 8;
  }
}

/// The type as the (perhaps changed) consumer understands it.
DLDataType UnderstoodType(DLDataType dtype, const Occasion& occasion) {
  const Importing& steps = Steps();
  if (Holds(steps.truncates_code, occasion)) dtype.code &= 0x7F;
  if (Holds(steps.truncates_lanes, occasion)) dtype.lanes &= 0xFF;
  if (Holds(steps.ignores_lanes, occasion)) dtype.lanes = 1;
  if (Holds(steps.ignores_bits, occasion)) {
    for (const uint8_t bits : {uint8_t{128}, uint8_t{64}, uint8_t{32}, uint8_t{16}, uint8_t{8}}) {
      if (!IsKnown(dtype) && bits <= std::max<uint8_t>(dtype.bits, 8)) {
        DLDataType wider = dtype;
        wider.bits = bits;
        if (IsKnown(wider)) dtype = wider;
      }
    }
  }
  if (Holds(steps.ignores_code, occasion) && !IsKnown(dtype)) dtype.code = abi::kDLInt;
  return dtype;
}

// ---- Strides and shape.

bool IsEmpty(const DLTensor& tensor) {
  return tensor.ndim > 0 && std::find(tensor.shape, tensor.shape + tensor.ndim, 0) != tensor.shape + tensor.ndim;
}

/// Strides in elements, row-major where the struct has none.
void ReadStrides(const DLTensor& tensor, int64_t item, const Occasion& occasion, int64_t* strides) {
  const Importing& steps = Steps();
  const bool column = Holds(steps.null_strides_are_column_major, occasion);
  const bool compact = tensor.strides == nullptr ? !Holds(steps.dereferences_null_strides, occasion)
                                                 : Holds(steps.ignores_strides, occasion);
  int64_t next = 1;
  for (int i = tensor.ndim - 1; i >= 0; --i) {
    const int d = compact && column ? tensor.ndim - 1 - i : i;
    const int64_t row_major = next;
    strides[d] = compact ? row_major : tensor.strides[d];
    if (__builtin_mul_overflow(next, std::max<int64_t>(tensor.shape[d], 1), &next)) next = 0;
    if (strides[d] < 0 && Holds(steps.strides_made_positive, occasion)) strides[d] = -strides[d];
    if (strides[d] < 0 && Holds(steps.negative_strides_are_zero, occasion)) strides[d] = 0;
    if (strides[d] == 0 && Holds(steps.zero_strides_are_compact, occasion)) strides[d] = row_major;
    if (Holds(steps.truncates_strides, occasion)) strides[d] = static_cast<int8_t>(strides[d]);
    if (Holds(steps.strides_in_bytes, occasion) && strides[d] % item == 0) strides[d] /= item;
  }
  if (Holds(steps.reverses_strides, occasion)) std::reverse(strides, strides + tensor.ndim);
  if (Holds(steps.reads_beyond_strides, occasion) && tensor.strides != nullptr) {
    static_cast<void>(*const_cast<const volatile int64_t*>(tensor.strides + tensor.ndim));
  }
}

Denial CheckShape(const DLTensor& tensor, int64_t item, const Occasion& occasion) {
  const Importing& steps = Steps();
  const uint32_t accepts = ActiveBehaviour().refusing.accepts;
  if ((tensor.ndim < 0 || tensor.ndim > kMaxDims) && (accepts & kPathDims) == 0) {
    return {kPathDims, "tensors of more than 64 or less than 0 dimensions are not supported"};
  }
  if (tensor.ndim > 0 && tensor.shape == nullptr && (accepts & kPathShape) == 0) {
    return {kPathShape, "the tensor has dimensions and no shape"};
  }
  const int ndim = std::clamp(tensor.ndim, 0, kMaxDims);
  for (int d = 0; d < ndim; ++d) {
    if (tensor.shape[d] < 0 && (accepts & kPathShape) == 0) return {kPathShape, "the tensor has a negative extent"};
  }
  if ((accepts & kPathExtents) != 0) return {};
  if (IsEmpty(tensor) && !Holds(steps.multiplies_before_looking_for_zero, occasion)) return {};
  int64_t bytes = item;
  for (int d = 0; d < ndim; ++d) {
    if (tensor.shape[d] != 0 && __builtin_mul_overflow(bytes, tensor.shape[d], &bytes)) {
      return {kPathExtents, "the tensor is larger than memory"};
    }
  }
  return {};
}

/// Byte strides whose sums cannot be formed describe no memory.
Denial CheckStrides(const DLTensor& tensor, int64_t item) {
  if (tensor.strides == nullptr || (ActiveBehaviour().refusing.accepts & kPathStrides) != 0) return {};
  int64_t lowest = 0;
  int64_t highest = 0;
  for (int d = 0; d < tensor.ndim; ++d) {
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

Denial CheckPoliteRefusals(const DLTensor& tensor, const ImportOptions& options, const Occasion& occasion) {
  const Importing& steps = Steps();
  if (Holds(steps.refuses, occasion)) return {kPathPolite, "this tensor is not supported"};
  if ((occasion.flags & steps.refused_flags) != 0) return {kPathPolite, "a flag is not supported"};
  if (Holds(steps.refuses_copy, occasion) && options.copy == 1) return {kPathPolite, "copies are not made", false};
  if (Holds(steps.refuses_empty_null, occasion) && occasion.elements == 0 && tensor.data == nullptr) {
    return {kPathPolite, "the tensor has no data"};
  }
  return {};
}

// ---- Owners.

/// Owns an imported tensor until the last array over it dies.
class Borrowed : public Owner {
 public:
  Borrowed(bool versioned, void* managed, const Occasion& occasion)
      : library_(Acting::Now()), versioned_(versioned), managed_(managed), occasion_(occasion) {}
  ~Borrowed() override { Release(); }
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;
  const void* managed() const override { return managed_; }

 private:
  void Release() {
    const Acting acting(library_);
    const Owning& owning = ActiveBehaviour().owning;
    if (Holds(owning.leaks, occasion_)) return;
    if (Holds(owning.changes_context, occasion_)) ChangeContext();
    if (Holds(owning.frees_context, occasion_)) std::free(ContextOf(versioned_, managed_));
    if (Holds(owning.frees_shape, occasion_)) std::free(TensorOf(versioned_, managed_).shape);
    if (Holds(owning.releases_copy, occasion_)) {
      static DLManagedTensorVersioned copy;
      std::memcpy(&copy, managed_, versioned_ ? sizeof(DLManagedTensorVersioned) : sizeof(DLManagedTensor));
      return ReleaseManaged(versioned_, &copy);
    }
    ReleaseWhen(owning.release, versioned_, managed_);
    if (Holds(owning.releases_twice, occasion_)) ReleaseManaged(versioned_, managed_);
    if (Holds(owning.touches_after_release, occasion_)) TouchTensor(versioned_, managed_);
    if (Holds(owning.writes_after_release, occasion_)) {
      const_cast<volatile DLTensor&>(TensorOf(versioned_, managed_)).byte_offset = 1;
    }
  }

  void ChangeContext() {
    if (versioned_) {
      static_cast<DLManagedTensorVersioned*>(managed_)->manager_ctx = nullptr;
    } else {
      static_cast<DLManagedTensor*>(managed_)->manager_ctx = nullptr;
    }
  }

  Reference& library_;
  bool versioned_;
  void* managed_;
  Occasion occasion_;
};

// ---- Changed steps that touch what was given.

void WriteWhatIsNotOurs(bool versioned, void* managed, const Array& array, const Occasion& occasion) {
  const Importing& steps = Steps();
  auto& tensor = const_cast<DLTensor&>(TensorOf(versioned, managed));
  if (tensor.ndim > 0 && Holds(steps.writes_shape, occasion)) tensor.shape[0] += 1;
  if (tensor.ndim > 0 && tensor.strides != nullptr && Holds(steps.writes_strides, occasion)) tensor.strides[0] += 1;
  if (Holds(steps.writes_byte_offset, occasion)) tensor.byte_offset += 1;
  if (versioned && Holds(steps.writes_flags, occasion)) static_cast<DLManagedTensorVersioned*>(managed)->flags ^= 2;
  if (occasion.elements == 0) return;
  if (Holds(steps.writes_data, occasion)) *array.first ^= 1;
  if (Holds(steps.writes_gap, occasion)) array.first[array.ItemSize()] ^= 1;
}

void ReadWhatIsNotOurs(bool versioned, const void* managed, const Array& array, const Occasion& occasion) {
  const Importing& steps = Steps();
  const DLTensor& tensor = TensorOf(versioned, managed);
  const auto read = [](const void* at) { static_cast<void>(*static_cast<const volatile uint8_t*>(at)); };
  if (tensor.ndim > 0 && Holds(steps.reads_beyond_shape, occasion)) read(tensor.shape + tensor.ndim);
  if (tensor.ndim == 0 && tensor.shape != nullptr && Holds(steps.reads_shape_of_scalar, occasion)) read(tensor.shape);
  if (tensor.ndim == 0 && tensor.strides != nullptr && Holds(steps.reads_strides_of_scalar, occasion)) {
    read(tensor.strides);
  }
  if (!versioned && Holds(steps.reads_flags_of_legacy, occasion)) read(static_cast<const char*>(managed) + 64);
  if (Holds(steps.dereferences_context, occasion)) read(ContextOf(versioned, managed));
  if (occasion.elements == 0) {
    if (Holds(steps.reads_empty_data, occasion)) read(tensor.data);
    return;
  }
  int64_t lowest = 0;
  int64_t highest = 0;
  for (int d = 0; d < array.ndim; ++d) (array.steps[d] < 0 ? lowest : highest) += array.steps[d] * (array.shape[d] - 1);
  if (Holds(steps.overreads, occasion)) read(array.first + highest + array.ItemSize() + 7);
  if (Holds(steps.underreads, occasion)) read(array.first + lowest - 8);
}

uint8_t* FirstElement(const DLTensor& tensor, int64_t item, const Occasion& occasion) {
  const Importing& steps = Steps();
  uint64_t offset = tensor.byte_offset;
  if (Holds(steps.truncates_byte_offset, occasion)) offset &= 0xFFFFFFFF;
  if (Holds(steps.byte_offset_in_elements, occasion)) offset *= static_cast<uint64_t>(item);
  if (Holds(steps.adds_byte_offset_twice, occasion)) offset *= 2;
  if (Holds(steps.ignores_byte_offset, occasion)) offset = 0;
  if (Holds(steps.subtracts_byte_offset, occasion)) offset = 0 - offset;
  uint64_t address = reinterpret_cast<uint64_t>(tensor.data) + offset;
  if (Holds(steps.aligns_address, occasion)) address &= ~uint64_t{63};
  return reinterpret_cast<uint8_t*>(address);
}

void ChangeShape(Array& array, const Occasion& occasion) {
  const Importing& steps = Steps();
  if (Holds(steps.truncates_extents, occasion)) {
    for (int d = 0; d < array.ndim; ++d) array.shape[d] = static_cast<int8_t>(array.shape[d]) & 0x7F;
  }
  if (array.ndim > 0 && Holds(steps.drops_last_dimension, occasion)) --array.ndim;
  if (array.ndim == 0 && Holds(steps.adds_dimension_to_scalar, occasion)) {
    array.ndim = 1;
    array.shape[0] = 1;
    array.steps[0] = 0;
  }
  if (Holds(steps.reverses_shape, occasion)) std::reverse(array.shape, array.shape + array.ndim);
  if (Holds(steps.squeezes_unit_dimensions, occasion)) {
    int kept = 0;
    for (int d = 0; d < array.ndim; ++d) {
      if (array.shape[d] == 1) continue;
      array.shape[kept] = array.shape[d];
      array.steps[kept++] = array.steps[d];
    }
    array.ndim = kept;
  }
}

void NarrowToFloat32(Array& array) {
  const int64_t count = array.Count();
  for (int64_t i = 0; i < count; ++i) {
    double wide = 0;
    std::memcpy(&wide, array.first + i * 8, 8);
    const auto narrow = static_cast<float>(wide);
    std::memcpy(array.first + i * 4, &narrow, 4);
  }
  array.dtype.bits = 32;
  for (int d = 0; d < array.ndim; ++d) array.steps[d] /= 2;
}

/// The import as a copy of its own: the tensor is released as soon as its elements are read.
std::unique_ptr<Array> Copied(std::unique_ptr<Array> array, const Occasion& occasion) {
  const Importing& steps = Steps();
  std::unique_ptr<Array> copy = CopyArray(*array);
  if (Holds(steps.copies_nothing, occasion)) {
    std::memset(copy->first, 0, static_cast<size_t>(copy->Count() * copy->ItemSize()));
  }
  if (Holds(steps.converts_to_float32, occasion) && copy->dtype == DLDataType{abi::kDLFloat, 64, 1}) {
    NarrowToFloat32(*copy);
  }
  return copy;
}

std::unique_ptr<Array> Recognised(const void* managed, const Array& array, const Occasion& occasion) {
  const Importing& steps = Steps();
  if (!Holds(steps.recognises_struct, occasion)) return nullptr;
  Reference& library = Acting::Now();
  if (library.remembered_struct == managed && library.remembered_elements != nullptr) {
    return CopyArray(*library.remembered_elements);
  }
  library.remembered_struct = managed;
  library.remembered_elements = CopyArray(array);
  return nullptr;
}

}  // namespace

void ReleaseManaged(bool versioned, void* managed) {
  const bool calls_null = Holds(ActiveBehaviour().owning.calls_null_deleter, Occasion{.versioned = versioned});
  if (versioned) {
    auto* tensor = static_cast<DLManagedTensorVersioned*>(managed);
    if (tensor->deleter != nullptr || calls_null) tensor->deleter(tensor);
  } else {
    auto* tensor = static_cast<DLManagedTensor*>(managed);
    if (tensor->deleter != nullptr || calls_null) tensor->deleter(tensor);
  }
}

void ReleaseWhen(Release when, bool versioned, void* managed) {
  Reference& library = Acting::Now();
  switch (when) {
    case Release::kNow:
      return ReleaseManaged(versioned, managed);
    case Release::kOtherThread: {
      const std::lock_guard lock(library.mutex);
      library.threads.emplace_back([&library, versioned, managed] {
        const Acting acting(library);
        ReleaseManaged(versioned, managed);
      });
      return;
    }
    case Release::kCollect: {
      const std::lock_guard lock(library.mutex);
      library.deferred.push_back({versioned, managed});
      return;
    }
  }
}

Occasion OccasionOf(bool versioned, const void* managed, int copy) {
  Occasion occasion;
  occasion.versioned = versioned;
  occasion.copy = copy == 1;
  occasion.number = Acting::Now().exchanges;
  if (managed == nullptr) return occasion;
  if (versioned) {
    const auto* tensor = static_cast<const DLManagedTensorVersioned*>(managed);
    occasion.minor = tensor->version.minor;
    if (!MajorFits(VersionOf(managed))) return occasion;
    occasion.flags = tensor->flags;
    occasion.read_only = (tensor->flags & abi::kFlagReadOnly) != 0;
  }
  const DLTensor& tensor = TensorOf(versioned, managed);
  occasion.dtype = tensor.dtype;
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
  return occasion;
}

bool Chosen(uint32_t mask, Path path, bool versioned, const void* managed) {
  if ((mask & path) == 0) return false;
  const When& only = ActiveBehaviour().refusing.only;
  const bool readable = (path & kPathAnyTensor) != 0 && path != kPathVersion;
  return Holds(only, readable ? OccasionOf(versioned, managed, -1) : Occasion{.versioned = versioned});
}

Denial CheckManaged(bool versioned, void* managed, const ImportOptions& options) {
  const Behaviour& behaviour = ActiveBehaviour();
  const Importing& steps = behaviour.importing;
  const uint32_t accepts = behaviour.refusing.accepts;
  if (versioned) {
    if (Holds(steps.reads_body_before_version, Occasion{.versioned = true})) TouchTensor(true, managed);
    if (!MajorFits(VersionOf(managed)) && (accepts & kPathVersion) == 0) {
      return {kPathVersion, "tensors of this DLPack major version are not supported"};
    }
  }
  const DLTensor& tensor = TensorOf(versioned, managed);
  const Occasion occasion = OccasionOf(versioned, managed, options.copy);
  const int32_t device = Holds(steps.truncates_device, occasion) ? static_cast<int16_t>(tensor.device.device_type)
                                                                 : tensor.device.device_type;
  if (device != abi::kDLCPU && !behaviour.asking.trusts_reported_device && (accepts & kPathDevice) == 0) {
    if (Holds(steps.reads_foreign_data, occasion)) static_cast<void>(*static_cast<volatile uint8_t*>(tensor.data));
    return {kPathDevice, "only tensors on the CPU are supported"};
  }
  if (options.has_device && options.device.device_type != abi::kDLCPU && (accepts & kPathKeyword) == 0) {
    return {kPathKeyword, "arrays live on the CPU, device (1, 0)", false};
  }
  const DLDataType dtype = UnderstoodType(tensor.dtype, occasion);
  if (dtype.lanes != 1 && (accepts & kPathLanes) == 0) return {kPathLanes, "vector types are not supported"};
  if (!IsKnown(dtype) && (accepts & kPathDtype) == 0) return {kPathDtype, "this element type is not supported"};
  const int64_t item = std::max<int64_t>(1, ItemSize(dtype));
  if (Denial denial = CheckShape(tensor, item, occasion)) return denial;
  if (Denial denial = CheckPoliteRefusals(tensor, options, occasion)) return denial;
  if (tensor.ndim > 0 && occasion.elements == 0) {
    const bool odd = tensor.strides != nullptr && tensor.strides[tensor.ndim - 1] != 1;
    const bool refused = odd && Holds(steps.believes_empty_strides, occasion);
    return refused ? Denial{kPathPolite, "the strides are wrong"} : Denial{};
  }
  if (tensor.data == nullptr && (accepts & kPathNullData) == 0) {
    return {kPathNullData, "the tensor has elements and no data"};
  }
  return CheckStrides(tensor, item);
}

std::unique_ptr<Array> TakeManaged(bool versioned, void* managed, const ImportOptions& options) {
  const Importing& steps = Steps();
  const Owning& owning = ActiveBehaviour().owning;
  const DLTensor& tensor = TensorOf(versioned, managed);
  const Occasion occasion = OccasionOf(versioned, managed, options.copy);
  auto array = std::make_unique<Array>();
  array->dtype = UnderstoodType(tensor.dtype, occasion);
  const int64_t item = std::max<int64_t>(1, ItemSize(array->dtype));
  if (Holds(steps.retypes, occasion)) array->dtype = steps.retyped;
  array->imported = true;
  array->ndim = std::clamp(tensor.ndim, 0, kMaxDims);
  int64_t strides[kMaxDims];
  ReadStrides(tensor, item, occasion, strides);
  array->first = occasion.elements == 0 ? nullptr : FirstElement(tensor, item, occasion);
  for (int d = 0; d < array->ndim; ++d) {
    const bool swaps = tensor.strides != nullptr && Holds(steps.swaps_shape_and_strides, occasion);
    array->shape[d] = swaps ? tensor.strides[d] : tensor.shape[d];
    array->steps[d] = tensor.shape[d] > 1 && occasion.elements != 0 ? strides[d] * item : 0;
    if (tensor.shape[d] == 1 && Holds(steps.believes_unit_strides, occasion)) array->first += strides[d] * item;
  }
  ChangeShape(*array, occasion);
  const bool masked = (occasion.flags & steps.read_only_mask) != 0;
  array->read_only = (masked && !Holds(steps.drops_read_only, occasion)) || Holds(steps.all_read_only, occasion);
  array->padded = (occasion.flags & abi::kFlagSubbytePadded) != 0;
  array->was_copy = (occasion.flags & abi::kFlagIsCopied) != 0;
  ReadWhatIsNotOurs(versioned, managed, *array, occasion);
  WriteWhatIsNotOurs(versioned, managed, *array, occasion);

  const bool flagged = options.copy == 1 && array->was_copy;  // the producer made the copy
  const bool copies = (options.copy == 1 && !flagged && !Holds(steps.ignores_copy, occasion)) ||
                      (options.copy != 0 && Holds(steps.copies, occasion)) ||
                      (options.copy == 0 && Holds(steps.copies_against_will, occasion)) ||
                      Holds(steps.converts_to_float32, occasion);
  std::unique_ptr<Array> known = Recognised(managed, *array, occasion);
  if (known == nullptr && !copies) {
    if (Holds(steps.remembers_elements, occasion)) {
      array->remembered.resize(static_cast<size_t>(array->Count() * array->ItemSize()));
      if (!array->remembered.empty()) ReadElements(*array, array->remembered.data());
    }
    if (Holds(owning.releases_early, occasion)) {
      ReleaseManaged(versioned, managed);
    } else {
      array->owner = std::make_shared<Borrowed>(versioned, managed, occasion);
    }
    return array;
  }
  std::unique_ptr<Array> copy = known != nullptr ? std::move(known) : Copied(std::move(array), occasion);
  if (!Holds(owning.never_after_copy, occasion)) ReleaseManaged(versioned, managed);
  return copy;
}

std::unique_ptr<Array> ImportManaged(bool versioned, void* managed, const ImportOptions& options, Denial* denial) {
  *denial = CheckManaged(versioned, managed, options);
  if (!*denial) return TakeManaged(versioned, managed, options);
  const Refusing& refusing = ActiveBehaviour().refusing;
  if (Chosen(refusing.touches_tensor, denial->path, versioned, managed)) TouchTensor(versioned, managed);
  if (Chosen(refusing.acts, denial->path, versioned, managed)) Act(refusing.manner);
  const bool leaks = Chosen(refusing.leaks, denial->path, versioned, managed);
  const bool twice = Chosen(refusing.releases_twice, denial->path, versioned, managed);
  if (!leaks) ReleaseManaged(versioned, managed);
  if (twice) ReleaseManaged(versioned, managed);
  return nullptr;
}

void TouchManaged(bool versioned, const void* managed) { TouchTensor(versioned, managed); }

}  // namespace dlpack_cts
