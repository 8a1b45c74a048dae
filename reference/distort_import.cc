// reference/distort_import.cc: the defects and variants of imports, one function per step.
#include "reference/distort_import.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "harness/recipe/dtypes.h"
#include "harness/recipe/packing.h"
#include "reference/distort_copy.h"
#include "reference/managed.h"

namespace dlpack_cts {
namespace {

using abi::DLDataType;
using abi::DLManagedTensor;
using abi::DLManagedTensorVersioned;
using abi::DLTensor;

void ReadByte(const void* at) {
  static_cast<void>(
      *static_cast<const volatile uint8_t*>(at));  // NOLINT(clang-analyzer-core.NullDereference): a mutant dies of it
}

/// The known dtype of the largest width that is not larger, or the dtype itself.
DLDataType Narrower(DLDataType dtype) {
  for (const uint8_t bits : {uint8_t{128}, uint8_t{64}, uint8_t{32}, uint8_t{16}, uint8_t{8}}) {
    const DLDataType known{dtype.code, bits, dtype.lanes};
    if (bits <= std::max<uint8_t>(dtype.bits, 8) && IsKnownType(known)) return known;
  }
  return dtype;
}

/// Whether a number does not fit in so many bits; 0 bits have room for none.
bool IsBeyond(uint8_t bits, int64_t number) { return bits == 0 || Narrowed(number, bits) != number; }

bool LacksData(const DLTensor& tensor, const Occasion& occasion) {
  return tensor.data == nullptr && occasion.elements != 0 && tensor.device.device_type == abi::kDLCPU;
}

/// Refuses what the library does not support, and what does not match the requested array class.
Denial DistortHaving(const Having& having, const DLTensor& tensor, const ImportOptions& options,
                     const Occasion& occasion) {
  if (((having.lacks_codes >> std::min<unsigned>(tensor.dtype.code, 31)) & 1u) != 0) {
    return {kPathDtype, "this element type is not supported"};
  }
  const bool opaque = having.container && (tensor.device.device_type != abi::kDLCPU || !IsKnownType(tensor.dtype));
  const bool lacks_data = LacksData(tensor, occasion);
  if ((opaque || lacks_data) && options.copy == 1) return {kPathPolite, "what cannot be read cannot be copied"};
  if (options.has_device && options.device != tensor.device) return {kPathDevice, "the tensor lies on another device"};
  if (having.storage == Storage::kRefused && IsSubByte(tensor.dtype)) {
    return {kPathDtype, "elements of less than a byte are not supported"};
  }
  if (tensor.ndim > 0 && !having.HasRank(tensor.ndim)) {
    return {kPathDims, "this number of dimensions is not supported"};
  }
  if (options.typed && (tensor.ndim != options.ndim || !(tensor.dtype == options.dtype))) {
    return {kPathPolite, "arrays of this class have another type or another number of dimensions"};
  }
  const uint64_t address = reinterpret_cast<uint64_t>(tensor.data) + tensor.byte_offset;
  if (occasion.elements != 0 && address % (uint64_t{1} << having.alignment_log2) != 0) {
    return {kPathPolite, "the data is not aligned"};
  }
  return {};
}

void SqueezeUnits(Array& array) {
  int kept = 0;
  for (int d = 0; d < array.ndim; ++d) {
    if (array.shape[d] == 1) continue;
    array.shape[kept] = array.shape[d];
    array.steps[kept++] = array.steps[d];
  }
  array.ndim = kept;
}

/// A 64-bit number, or a complex number of two.
bool IsWide(DLDataType dtype) {
  const int parts = dtype.code == abi::kDLComplex ? 2 : 1;
  const bool number = dtype.code <= abi::kDLFloat || parts == 2;
  return number && dtype.bits == 64 * parts;
}

/// Bits from one element of a compact tensor to the next.
int64_t PitchOf(DLDataType dtype) {
  const int packed = PackedBits(dtype, false);
  return packed != 0 ? packed : 8 * ItemSize(dtype);
}

bool IsHostReadable(abi::DLDevice device) {
  return device.device_type == abi::kDLCUDAHost || device.device_type == abi::kDLROCMHost ||
         device.device_type == abi::kDLCUDAManaged;
}

bool Narrows(const Importing& steps, const ImportOptions& options, const Occasion& occasion) {
  return options.may_narrow && IsWide(occasion.dtype) && Holds(steps.narrows, occasion);
}

/// Converts the elements of a copy to the dtype of half the width.
void Halve(Array& array) {
  const bool floating = array.dtype.code == abi::kDLFloat || array.dtype.code == abi::kDLComplex;
  const int64_t count = array.Count() * (array.dtype.code == abi::kDLComplex ? 2 : 1);
  for (int64_t i = 0; i < count; ++i) {
    double wide = 0;
    std::memcpy(&wide, array.first + i * 8, 8);
    const auto narrow = static_cast<float>(wide);
    std::memmove(array.first + i * 4, floating ? reinterpret_cast<const uint8_t*>(&narrow) : array.first + i * 8, 4);
  }
  array.dtype.bits /= 2;
  for (int d = 0; d < array.ndim; ++d) array.steps[d] /= 2;
}

void ReadBeyond(const Importing& steps, bool versioned, const void* managed, const Array& array,
                const Occasion& occasion) {
  const DLTensor& tensor = TensorOf(versioned, managed);
  if (tensor.ndim > 0 && Holds(steps.reads_beyond_shape, occasion)) ReadByte(tensor.shape + tensor.ndim);
  const bool scalar = tensor.ndim == 0;
  if (scalar && tensor.shape != nullptr && Holds(steps.reads_shape_of_scalar, occasion)) ReadByte(tensor.shape);
  if (scalar && tensor.strides != nullptr && Holds(steps.reads_strides_of_scalar, occasion)) ReadByte(tensor.strides);
  if (!versioned && Holds(steps.reads_flags_of_legacy, occasion)) ReadByte(static_cast<const char*>(managed) + 64);
  if (Holds(steps.dereferences_context, occasion)) ReadByte(ContextOf(versioned, managed));
  if (Holds(steps.aborts, occasion)) std::abort();
  if (occasion.elements == 0) {
    if (Holds(steps.reads_empty_data, occasion))
      ReadByte(static_cast<const uint8_t*>(tensor.data) + tensor.byte_offset);
    return;
  }
  int64_t lowest = 0;
  int64_t highest = 0;
  for (int d = 0; d < array.ndim; ++d) (array.steps[d] < 0 ? lowest : highest) += array.steps[d] * (array.shape[d] - 1);
  const bool little = array.packed == 0 && highest - lowest < 65536;
  if (little && Holds(steps.reads_gaps, occasion)) {
    for (int64_t at = lowest; at < highest; ++at) ReadByte(array.first + at);
  }
  if (Holds(steps.overreads, occasion)) ReadByte(array.first + highest + array.ItemSize() + 7);
  if (Holds(steps.underreads, occasion)) ReadByte(array.first + lowest - 8);
}

void WriteInto(const Importing& steps, bool versioned, void* managed, const Array& array, const Occasion& occasion) {
  auto& tensor = const_cast<DLTensor&>(TensorOf(versioned, managed));
  if (tensor.ndim > 0 && Holds(steps.writes_shape, occasion)) tensor.shape[0] += 1;
  if (tensor.ndim > 0 && tensor.strides != nullptr && Holds(steps.writes_strides, occasion)) tensor.strides[0] += 1;
  if (Holds(steps.writes_byte_offset, occasion)) tensor.byte_offset += 1;
  if (versioned && Holds(steps.writes_flags, occasion)) static_cast<DLManagedTensorVersioned*>(managed)->flags ^= 2;
  if (occasion.elements == 0) return;
  if (Holds(steps.writes_data, occasion)) *array.first ^= 1;
  if (array.packed == 0 && Holds(steps.writes_gap, occasion)) array.first[array.ItemSize()] ^= 1;
}

}  // namespace

void DistortFirstLook(const Importing& steps, const void* managed) {
  if (Holds(steps.reads_body_before_version, Occasion{.versioned = true})) TouchManaged(true, managed);
}

abi::DLPackVersion DistortVersion(const Importing& steps, abi::DLPackVersion version) {
  if (Holds(steps.swaps_version, Occasion{.versioned = true})) std::swap(version.major, version.minor);
  return version;
}

bool DistortMajor(const Importing& steps, abi::DLPackVersion version, bool fits) {
  switch (steps.major_check) {
    case MajorCheck::kEqual:
      return fits;
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
      return fits && version.minor <= kReferenceVersion.minor;
    case MajorCheck::kNone:
      return true;
  }
  return fits;
}

int32_t DistortRank(const Importing& steps, int32_t ndim) {
  return steps.ndim_bits == 0 ? ndim : ndim & ((1 << steps.ndim_bits) - 1);
}

int32_t DistortDevice(const Importing& steps, int32_t device_type, const Occasion& occasion) {
  return Holds(steps.truncates_device, occasion) ? static_cast<int16_t>(device_type) : device_type;
}

bool TakesDevice(const Importing& steps, abi::DLDevice device, int copy, const Occasion& occasion) {
  if (IsHostReadable(device) && Holds(steps.takes_pinned, occasion)) return true;
  return copy != 1 && Holds(steps.carries_devices, occasion);
}

bool HasVectors(const Having& having, DLDataType dtype) {
  const bool scalar = IsKnownType({dtype.code, dtype.bits, 1});
  if (dtype.lanes < 2 || !scalar || having.vectors == Vectors::kRefused) return false;
  // A stride of an array is always a whole number of lanes.
  return having.vectors == Vectors::kKept || PitchOf(dtype) % dtype.bits == 0;
}

int32_t RawBytes(const Having& having, DLDataType dtype) {
  const bool whole = dtype.bits != 0 && dtype.bits % 8 == 0 && dtype.lanes != 0;
  // Floats of fewer than 8 bits with another width than theirs are refused.
  const bool known = IsKnownType(dtype) || dtype.code >= abi::kDLFloat6_e2m3fn;
  return having.raw_bytes && whole && !known ? static_cast<int32_t>(ItemSize(dtype)) : 0;
}

void DistortForeignData(const Importing& steps, const DLTensor& tensor, const Occasion& occasion) {
  if (Holds(steps.reads_foreign_data, occasion)) ReadByte(tensor.data);
}

DLDataType DistortType(const Importing& steps, DLDataType dtype, const Occasion& occasion) {
  const NamedDataType* const type = TypeOfCode(dtype.code);
  const bool small = type != nullptr && type->dtype.bits < 8 && dtype.lanes == 1;
  if (small && Holds(steps.ignores_small_bits, occasion)) dtype.bits = type->dtype.bits;
  if (Holds(steps.truncates_code, occasion)) dtype.code &= 0x7F;
  if (Holds(steps.truncates_lanes, occasion)) dtype.lanes &= 0xFF;
  if (Holds(steps.ignores_lanes, occasion)) dtype.lanes = 1;
  if (!IsKnownType(dtype) && Holds(steps.ignores_bits, occasion)) dtype = Narrower(dtype);
  if (!IsKnownType(dtype) && Holds(steps.ignores_code, occasion)) dtype.code = abi::kDLInt;
  return dtype;
}

bool DistortEmpty(const Importing& steps, bool empty, const Occasion& occasion) {
  return empty && !Holds(steps.multiplies_before_looking_for_zero, occasion);
}

Denial DistortAcceptance(const Importing& steps, const DLTensor& tensor, const ImportOptions& options,
                         const Occasion& occasion) {
  if (Denial denial = DistortHaving(ActiveBehaviour().having, tensor, options, occasion)) return denial;
  if (Holds(steps.refuses, occasion)) return {kPathPolite, "this tensor is not supported"};
  if (options.copy == 0 && (Holds(steps.refuses_copy_false, occasion) || Narrows(steps, options, occasion))) {
    return {kPathPolite, "a copy is needed"};
  }
  if ((occasion.flags & steps.refused_flags) != 0) return {kPathPolite, "a flag is not supported"};
  if (Holds(steps.refuses_copy, occasion) && options.copy == 1) return {kPathPolite, "copies are not made", false};
  if (Holds(steps.refuses_empty_null, occasion) && occasion.elements == 0 && tensor.data == nullptr) {
    return {kPathPolite, "the tensor has no data"};
  }
  if (tensor.ndim == 0 && tensor.shape == nullptr && Holds(steps.refuses_null_shape_of_scalar, occasion)) {
    return {kPathPolite, "the tensor has no shape"};
  }
  for (int d = 0; d < tensor.ndim && tensor.strides != nullptr; ++d) {
    const bool refuses = tensor.shape[d] == 1 && Holds(steps.refuses_unit_strides, occasion);
    if (refuses && IsBeyond(steps.unit_stride_bits, tensor.strides[d])) {
      return {kPathPolite, "a stride of a dimension of one element is too large"};
    }
  }
  return {};
}

Denial DistortEmptyAcceptance(const Importing& steps, const DLTensor& tensor, const Occasion& occasion) {
  const bool odd = tensor.strides != nullptr && tensor.strides[tensor.ndim - 1] != 1;
  if (odd && Holds(steps.believes_empty_strides, occasion)) return {kPathPolite, "the strides are wrong"};
  return {};
}

void DistortStrides(const Importing& steps, const DLTensor& tensor, int ndim, int64_t item, const Occasion& occasion,
                    int64_t* strides) {
  if (tensor.strides == nullptr && Holds(steps.dereferences_null_strides, occasion)) {
    for (int d = 0; d < ndim; ++d) ReadByte(tensor.strides + d);
  }
  const bool ignores = tensor.strides != nullptr && Holds(steps.ignores_strides, occasion);
  if (ignores) RowMajorStrides(tensor.shape, ndim, strides);
  if ((ignores || tensor.strides == nullptr) && Holds(steps.null_strides_are_column_major, occasion)) {
    ColumnMajorStrides(tensor.shape, ndim, strides);
  }
  int64_t row_major[kMaxDims];
  RowMajorStrides(tensor.shape, ndim, row_major);
  for (int d = 0; d < ndim; ++d) {
    if (strides[d] < 0 && Holds(steps.strides_made_positive, occasion)) strides[d] = -strides[d];
    if (strides[d] < 0 && Holds(steps.negative_strides_are_zero, occasion)) strides[d] = 0;
    if (strides[d] == 0 && Holds(steps.zero_strides_are_compact, occasion)) strides[d] = row_major[d];
    if (Holds(steps.truncates_strides, occasion)) strides[d] = static_cast<int8_t>(strides[d]);
    if (Holds(steps.strides_in_bytes, occasion) && strides[d] % item == 0) strides[d] /= item;
    if (tensor.shape[d] > 1 && Holds(steps.narrows_strides, occasion)) {
      strides[d] = Narrowed(strides[d] * item, steps.stride_bits) / item;
    }
  }
  if (ndim > 8 && Holds(steps.reads_eight_strides, occasion)) std::copy(row_major + 8, row_major + ndim, strides + 8);
  if (Holds(steps.reverses_strides, occasion)) std::reverse(strides, strides + ndim);
  if (tensor.strides != nullptr && Holds(steps.reads_beyond_strides, occasion)) ReadByte(tensor.strides + ndim);
}

uint64_t DistortOffset(const Importing& steps, uint64_t byte_offset, int64_t item, const Occasion& occasion) {
  const int64_t signed_offset = Narrowed(static_cast<int64_t>(byte_offset), steps.offset_bits);
  if (Holds(steps.truncates_byte_offset, occasion)) byte_offset &= ~(~uint64_t{0} << (steps.offset_bits % 64));
  if (Holds(steps.narrows_byte_offset, occasion)) byte_offset = static_cast<uint64_t>(signed_offset);
  if (Holds(steps.byte_offset_in_elements, occasion)) byte_offset *= static_cast<uint64_t>(item);
  if (Holds(steps.adds_byte_offset_twice, occasion)) byte_offset *= 2;
  if (Holds(steps.byte_offset_in_items, occasion))
    byte_offset -= byte_offset % static_cast<uint64_t>(std::max<int64_t>(item, 1));
  if (Holds(steps.ignores_byte_offset, occasion)) byte_offset = 0;
  if (Holds(steps.subtracts_byte_offset, occasion)) byte_offset = 0 - byte_offset;
  return byte_offset;
}

uint64_t DistortAddress(const Importing& steps, uint64_t address, int64_t item, const Occasion& occasion) {
  if (Holds(steps.aligns_to_items, occasion)) address -= address % static_cast<uint64_t>(std::max<int64_t>(item, 1));
  return Holds(steps.aligns_address, occasion) ? address & ~uint64_t{63} : address;
}

void DistortArray(const Importing& steps, const DLTensor& tensor, const int64_t* strides, int64_t item,
                  const Occasion& occasion, Array& array) {
  if (Holds(steps.retypes, occasion)) array.dtype = steps.retyped;
  for (int d = 0; d < array.ndim; ++d) {
    const bool believes = tensor.shape[d] == 1 && Holds(steps.believes_unit_strides, occasion);
    if (believes && IsBeyond(steps.unit_stride_bits, strides[d])) array.first += strides[d] * item;
  }
  if (tensor.strides != nullptr && Holds(steps.swaps_shape_and_strides, occasion)) {
    std::copy_n(tensor.strides, array.ndim, array.shape);
  }
  if (Holds(steps.truncates_extents, occasion)) {
    for (int d = 0; d < array.ndim; ++d) array.shape[d] = static_cast<int8_t>(array.shape[d]) & 0x7F;
  }
  if (Holds(steps.narrows_extents, occasion)) {
    for (int d = 0; d < array.ndim; ++d) array.shape[d] = Narrowed(array.shape[d], steps.extent_bits);
  }
  if (Holds(steps.caps_dims, occasion)) {
    for (int d = steps.kept_dims; d < array.ndim; ++d) array.shape[d] = std::min<int64_t>(array.shape[d], 1);
  }
  const bool crowded = steps.room != 0 && array.library.live_imports >= steps.room && Holds(steps.room_for, occasion);
  if (crowded && array.ndim > 0) array.shape[0] = std::min<int64_t>(array.shape[0], 1);
  if (array.ndim > 0 && Holds(steps.drops_last_dimension, occasion)) --array.ndim;
  if (array.ndim == 0 && (!ActiveBehaviour().having.HasRank(0) || Holds(steps.adds_dimension_to_scalar, occasion))) {
    array.ndim = 1;
    array.shape[0] = 1;
    array.steps[0] = 0;
  }
  if (Holds(steps.reverses_shape, occasion)) std::reverse(array.shape, array.shape + array.ndim);
  if (Holds(steps.squeezes_unit_dimensions, occasion)) SqueezeUnits(array);
}

void DistortLanes(const Importing& steps, const DLTensor& tensor, const int64_t* strides, const Occasion& occasion,
                  Array& array) {
  const DLDataType vector = array.dtype;
  if (vector.lanes < 2 || array.ndim >= kMaxDims || ActiveBehaviour().having.vectors != Vectors::kDimension) return;
  array.dtype.lanes = 1;
  const bool shared = IsSubByte(array.dtype) && !Holds(steps.pads_lanes, occasion);
  array.padded = array.padded && !shared;
  array.packed = shared ? vector.bits : 0;
  array.high_first = shared && 8 % vector.bits == 0 && Holds(steps.high_bits_first, occasion);
  // Steps count bytes, or lanes if lanes share bytes.
  const int64_t lane = shared ? 1 : array.ItemSize();
  const int64_t step = Holds(steps.counts_lanes, occasion) ? 1 : PitchOf(vector) / vector.bits;
  for (int d = 0; d < array.ndim; ++d) {
    array.steps[d] = tensor.shape[d] > 1 && occasion.elements != 0 ? strides[d] * step * lane : 0;
  }
  array.shape[array.ndim] = vector.lanes;
  array.steps[array.ndim++] = lane;
}

void DistortCarried(const Importing& steps, const DLTensor& tensor, const Occasion& occasion, Array& array) {
  if (LacksData(tensor, occasion) && Holds(steps.carries_null, occasion)) {
    array.opaque = true;
    array.first = nullptr;
  }
  if (tensor.device.device_type == abi::kDLCPU || !TakesDevice(steps, tensor.device, -1, occasion)) return;
  array.device = tensor.device;
  if (Holds(steps.renames_devices, occasion)) array.device.device_type = abi::kDLCUDA;
  array.opaque = !(IsHostReadable(tensor.device) && Holds(steps.takes_pinned, occasion));
  if (!array.opaque) {
    if (Holds(steps.moves_pinned, occasion)) array.device.device_type = abi::kDLCUDA;
    return;
  }
  array.first = static_cast<uint8_t*>(tensor.data);
  array.apart = tensor.byte_offset;
  if (Holds(steps.moves_handles, occasion)) array.first += std::exchange(array.apart, 0);
  if (Holds(steps.forgets_offsets, occasion)) array.apart = 0;
}

uint8_t DistortPacking(const Importing& steps, int packed, const Occasion& occasion, Array& array) {
  if (packed == 0 && IsSubByte(array.dtype) && Holds(steps.never_padded, occasion)) packed = array.dtype.bits;
  if (packed != 0 && Holds(steps.never_packed, occasion)) packed = 0;
  array.high_first = packed != 0 && 8 % packed == 0 && Holds(steps.high_bits_first, occasion);
  if (packed != 0 && array.ndim > 0 && Holds(steps.counts_pairs, occasion)) {
    int64_t& last = array.shape[array.ndim - 1];
    last = (last + 1) / 2;
  }
  return static_cast<uint8_t>(packed);
}

bool DistortReadOnly(const Importing& steps, bool read_only, const Occasion& occasion) {
  if (steps.read_only_mask != abi::kFlagReadOnly) read_only = (occasion.flags & steps.read_only_mask) != 0;
  if (Holds(steps.drops_read_only, occasion)) read_only = false;
  return read_only || Holds(steps.all_read_only, occasion);
}

void DistortTouches(const Importing& steps, bool versioned, void* managed, const Array& array,
                    const Occasion& occasion) {
  ReadBeyond(steps, versioned, managed, array, occasion);
  WriteInto(steps, versioned, managed, array, occasion);
}

bool DistortCopies(const Importing& steps, bool copies, const ImportOptions& options, const Occasion& occasion) {
  const int asked = options.copy;
  if (Holds(steps.ignores_copy, occasion)) copies = false;
  return copies || (asked == 1 && Holds(steps.copies_again, occasion)) ||
         (asked != 0 && Holds(steps.copies, occasion)) || (asked == 0 && Holds(steps.copies_against_will, occasion)) ||
         Holds(steps.converts_to_float32, occasion) || Narrows(steps, options, occasion);
}

void DistortCopy(const Importing& steps, const ImportOptions& options, const Occasion& occasion, Array& copy) {
  const auto bytes = static_cast<size_t>(copy.Count() * copy.ItemSize());
  if (Holds(steps.copies_nothing, occasion)) std::memset(copy.first, 0, bytes);
  const bool read_only = (occasion.flags & abi::kFlagReadOnly) != 0;
  copy.read_only = copy.read_only || (read_only && Holds(steps.copies_stay_read_only, occasion));
  if (Holds(steps.copies_size_mod_2_16, occasion)) {
    const size_t copied = bytes & 0xFFFF;
    std::memset(copy.first + copied, 0, bytes - copied);
  }
  const bool wide = copy.dtype == DLDataType{abi::kDLFloat, 64, 1};
  if ((wide && Holds(steps.converts_to_float32, occasion)) || Narrows(steps, options, occasion)) Halve(copy);
}

std::unique_ptr<Array> DistortIdentity(const Importing& steps, const void* managed, const Array& array,
                                       const Occasion& occasion) {
  if (!Holds(steps.recognises_struct, occasion)) return nullptr;
  Reference& library = array.library;
  if (library.remembered_struct == managed && library.remembered_elements != nullptr) {
    return CopyArray(*library.remembered_elements);
  }
  library.remembered_struct = managed;
  library.remembered_elements = CopyArray(array);
  return nullptr;
}

void DistortReadings(const Importing& steps, const Occasion& occasion, Array& array) {
  if (Holds(steps.cannot_be_read, occasion)) array.locked = true;
  if (Holds(steps.cannot_be_computed, occasion)) array.unusable = true;
  if (Holds(steps.moves, occasion)) array.elsewhere = true;
  if (!Holds(steps.remembers_elements, occasion)) return;
  std::vector<uint8_t> elements(static_cast<size_t>(array.Count() * array.ItemSize()));
  if (!elements.empty()) ReadElements(array, elements.data());
  array.remembered = std::move(elements);
}

bool DistortBeforeRelease(const Owning& owning, bool versioned, void* managed, const Occasion& occasion) {
  if (Holds(owning.leaks, occasion)) return true;
  if (Holds(owning.changes_context, occasion)) {
    void*& context = versioned ? static_cast<DLManagedTensorVersioned*>(managed)->manager_ctx
                               : static_cast<DLManagedTensor*>(managed)->manager_ctx;
    context = nullptr;
  }
  if (Holds(owning.frees_context, occasion)) std::free(ContextOf(versioned, managed));
  if (Holds(owning.frees_shape, occasion)) std::free(TensorOf(versioned, managed).shape);
  if (!Holds(owning.releases_copy, occasion)) return false;
  static DLManagedTensorVersioned copy;
  std::memcpy(&copy, managed, versioned ? sizeof(DLManagedTensorVersioned) : sizeof(DLManagedTensor));
  ReleaseManaged(versioned, &copy);
  return true;
}

void DistortAfterRelease(const Owning& owning, bool versioned, void* managed, const Occasion& occasion) {
  if (Holds(owning.releases_twice, occasion)) ReleaseManaged(versioned, managed);
  if (Holds(owning.touches_after_release, occasion)) TouchManaged(versioned, managed);
  if (Holds(owning.writes_after_release, occasion)) {
    const_cast<volatile DLTensor&>(TensorOf(versioned, managed)).byte_offset = 1;
  }
}

}  // namespace dlpack_cts
