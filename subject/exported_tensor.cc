// subject/exported_tensor.cc: reads exported structs and strided elements without trusting them.
#include "subject/exported_tensor.h"

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "harness/forge/forge.h"
#include "harness/oracle/oracle.h"
#include "harness/recipe/packing.h"
#include "harness/recipe/recipe.h"
#include "subject/readable.h"

namespace dlpack_cts {
namespace {

constexpr int kMaxDims = 65536;  // a larger ndim is treated as garbage

uint64_t Address(const void* pointer) { return reinterpret_cast<uint64_t>(pointer); }

/// Strides in elements as recorded; compact if the struct has none.
void StridesOf(const ExportLedger& record, int64_t* strides) {
  if (record.null_strides) {
    CompactStrides(record.shape, std::min(record.tensor.ndim, kDims), strides);
  } else {
    std::copy_n(record.strides, kDims, strides);
  }
}

/// Writes through a pipe, for machines that forbid process_vm_writev (seccomp filters of containers).
bool WriteByPipe(uint64_t address, const uint8_t* bits, size_t size) {
  constexpr size_t kHeld = 4096;  // every pipe holds so much
  int ends[2];
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return false;
  bool written = true;
  for (size_t done = 0; done < size && written; done += kHeld) {
    const size_t part = std::min(kHeld, size - done);
    written = write(ends[1], bits + done, part) == static_cast<ssize_t>(part) &&
              read(ends[0], reinterpret_cast<void*>(address + done), part) == static_cast<ssize_t>(part);
  }
  close(ends[0]);
  close(ends[1]);
  return written;
}

/// The kernel writes, so that memory that is not writable is an error code and not a fault.
bool WriteByKernel(uint64_t address, const uint8_t* bits, size_t size) {
  const iovec local{const_cast<uint8_t*>(bits), size};  // it is only read
  const iovec remote{reinterpret_cast<void*>(address), size};
  const ssize_t written = process_vm_writev(getpid(), &local, 1, &remote, 1, 0);
  if (written < 0 && errno != EFAULT) return WriteByPipe(address, bits, size);
  return written == static_cast<ssize_t>(size);
}

int PackedBitsOf(const ExportLedger& record) {
  return PackedBits(record.tensor.dtype, record.versioned != 0, record.flags);
}

/// From the lowest to the highest element, in the unit of the strides.
struct Stretch {
  int64_t lowest;
  int64_t highest;
};

/// `count` becomes the number of elements, or -1 if the layout is invalid or there are more than `most`.
Stretch StretchOf(const int64_t* shape, const int64_t* strides, int ndim, int64_t most, int64_t* count) {
  *count = -1;
  Stretch stretch = {0, 0};
  if (ndim < 0 || ndim > kDims || std::any_of(shape, shape + ndim, [](int64_t extent) { return extent < 0; })) {
    return stretch;
  }
  const int64_t all = ElementCount(shape, ndim);
  if (all > most) return stretch;
  *count = all;
  if (all == 0) return stretch;
  // The number of elements is bounded first, so that the sums below cannot overflow.
  for (int d = 0; d < ndim; ++d) {
    if (shape[d] == 1) continue;
    if (strides[d] > (int64_t{1} << 40) || strides[d] < -(int64_t{1} << 40)) *count = -1;
    if (*count < 0) return stretch;
    (strides[d] < 0 ? stretch.lowest : stretch.highest) += strides[d] * (shape[d] - 1);
  }
  return stretch;
}

/// Calls `visit` with the row-major index of each element, and its position in the unit of the strides.
template <typename Visit>
void Walk(const int64_t* shape, const int64_t* strides, int ndim, int64_t count, Visit visit) {
  int64_t index[kDims] = {};
  int64_t at = 0;
  for (int64_t i = 0; i < count; ++i) {
    visit(i, at);
    for (int d = ndim - 1; d >= 0; --d) {
      if (++index[d] < shape[d]) {
        at += strides[d];
        break;
      }
      at -= strides[d] * (shape[d] - 1) * (shape[d] > 1 ? 1 : 0);
      index[d] = 0;
    }
  }
}

/// ReadStrided() for packed elements. Strides are in bits, and `out` gets one byte for each element. Element 0 starts
/// at bit `first` of its byte. Bits are counted from the lowest or the highest bit of each byte.
struct Packed {
  int width;
  int first = 0;
  bool high_first = false;
  int pitch = 0;  // bits from one element to the next; 0: `width`
};

Reading ReadPacked(uint64_t address, const int64_t* shape, const int64_t* bit_strides, int ndim, Packed packed,
                   std::span<uint8_t> out) {
  const int width = packed.width;
  int64_t count = 0;
  const Stretch stretch = StretchOf(shape, bit_strides, ndim, static_cast<int64_t>(out.size()), &count);
  if (count <= 0) return count == 0 ? Reading::kMatches : Reading::kUnreadable;
  const int64_t begin = (stretch.lowest + packed.first) >> 3;
  const int64_t end = PackedBytes(stretch.highest + packed.first + width);
  if (!Forge::IsReadable(address + static_cast<uint64_t>(begin), static_cast<uint64_t>(end - begin))) {
    return Reading::kUnreadable;
  }
  const auto* const first = reinterpret_cast<const uint8_t*>(address);
  Walk(shape, bit_strides, ndim, count, [&](int64_t i, int64_t at) {
    const int64_t bit = at + packed.first;
    const int64_t lowest = packed.high_first ? (bit & ~int64_t{7}) + (8 - width - (bit & 7)) : bit;
    out[static_cast<size_t>(i)] = BitsAt(first, lowest, width);
  });
  return Reading::kMatches;
}

/// Strides of the exported elements in units of `unit`. False if they overflow.
bool StridesIn(const ExportLedger& record, int64_t unit, int64_t* strides) {
  StridesOf(record, strides);
  // Without elements strides have no meaning.
  const bool empty = std::count(record.shape, record.shape + record.tensor.ndim, 0) != 0;
  for (int d = 0; d < record.tensor.ndim; ++d) {
    if (empty || record.shape[d] <= 1) strides[d] = 0;
    if (record.shape[d] > 1 && std::abs(strides[d]) > (int64_t{1} << 36)) return false;
    strides[d] *= unit;
  }
  return true;
}

uint64_t FirstOf(const ExportLedger& record) { return Address(record.tensor.data) + record.tensor.byte_offset; }

/// Reads elements of whole bytes. The padding bits of padded elements are ignored.
Reading ReadWhole(const ExportLedger& record, std::span<uint8_t> out) {
  const int64_t item = ItemSize(record.tensor.dtype);
  int64_t strides[kDims];
  if (!StridesIn(record, item, strides)) return Reading::kUnreadable;
  const Reading reading = ReadStrided(FirstOf(record), record.shape, strides, record.tensor.ndim, item, out);
  if (reading != Reading::kMatches || !IsSubByte(record.tensor.dtype)) return reading;
  const auto mask = static_cast<uint8_t>((1u << ItemBits(record.tensor.dtype)) - 1);
  const int64_t count = ElementCount(record.shape, record.tensor.ndim);
  for (int64_t i = 0; i < count; ++i) out[static_cast<size_t>(i)] &= mask;
  return reading;
}

Reading ReadAs(const ExportLedger& record, Packed packed, std::span<uint8_t> out) {
  int64_t strides[kDims];
  if (!StridesIn(record, packed.pitch != 0 ? packed.pitch : packed.width, strides)) return Reading::kUnreadable;
  return ReadPacked(FirstOf(record), record.shape, strides, record.tensor.ndim, packed, out);
}

/// Writes one packed element that starts at `bit`. The other bits of its bytes stay.
bool WritePacked(uint64_t address, int64_t bit, int width, uint8_t value) {
  const int64_t begin = bit >> 3;
  const auto size = static_cast<size_t>(PackedBytes(bit + width) - begin);
  const uint64_t at = address + static_cast<uint64_t>(begin);
  if (!Forge::IsReadable(at, size)) return false;
  uint8_t bytes[2] = {};
  CopyUnchecked(bytes, reinterpret_cast<const uint8_t*>(at), size);
  SetBitsAt(bytes, bit & 7, width, value);
  return WriteByKernel(at, bytes, size);
}

/// Whether the memory at these places can be a DLTensor. Garbage is not.
bool IsPlausible(const abi::DLTensor& tensor) {
  constexpr int32_t kMostDevices = 64;
  return tensor.device.device_type >= 1 && tensor.device.device_type <= kMostDevices && tensor.ndim >= 0 &&
         tensor.ndim <= kDims && tensor.dtype.bits != 0 && tensor.dtype.lanes != 0;
}

bool HoldsVersioned(const void* managed) {
  constexpr uint32_t kMostParts = 255;  // a version with a larger major or minor is treated as garbage
  abi::DLManagedTensorVersioned tensor;
  if (!Forge::IsReadable(Address(managed), sizeof(tensor))) return false;
  CopyUnchecked(&tensor, managed, sizeof(tensor));
  const bool head = tensor.version.major >= 1 && tensor.version.major <= kMostParts &&
                    tensor.version.minor <= kMostParts && (tensor.flags & ~abi::kPublishedFlags) == 0;
  return head && IsPlausible(tensor.dl_tensor);
}

bool HoldsLegacy(const void* managed) {
  abi::DLManagedTensor tensor;
  if (!Forge::IsReadable(Address(managed), sizeof(tensor))) return false;
  CopyUnchecked(&tensor, managed, sizeof(tensor));
  const abi::DLTensor& inner = tensor.dl_tensor;
  const uint64_t bytes = static_cast<uint64_t>(inner.ndim) * sizeof(int64_t);
  return IsPlausible(inner) && (inner.ndim == 0 || Forge::IsReadable(Address(inner.shape), bytes));
}

}  // namespace

bool IsVersionedStruct(const void* managed, bool named_versioned) {
  const Forge::Looking looking;
  if (managed == nullptr) return named_versioned;
  return HoldsVersioned(managed) || (named_versioned && !HoldsLegacy(managed));
}

void RecordExport(const void* managed, bool versioned, ExportLedger& record) {
  record.versioned = versioned;
  record.struct_address = Address(managed);
  const Forge::Looking looking;
  const size_t size = versioned ? sizeof(abi::DLManagedTensorVersioned) : sizeof(abi::DLManagedTensor);
  if (managed == nullptr || !Forge::IsReadable(Address(managed), size)) return;
  if (versioned) {
    abi::DLManagedTensorVersioned tensor;
    CopyUnchecked(&tensor, managed, sizeof(tensor));
    record.version = tensor.version;
    record.flags = tensor.flags;
    record.has_deleter = tensor.deleter != nullptr;
    record.tensor = tensor.dl_tensor;
  } else {
    abi::DLManagedTensor tensor;
    CopyUnchecked(&tensor, managed, sizeof(tensor));
    record.has_deleter = tensor.deleter != nullptr;
    record.tensor = tensor.dl_tensor;
  }
  const abi::DLTensor& tensor = record.tensor;
  record.null_shape = tensor.shape == nullptr;
  record.null_strides = tensor.strides == nullptr;
  if (tensor.ndim < 0 || tensor.ndim > kMaxDims) return;
  const uint64_t bytes = static_cast<uint64_t>(tensor.ndim) * sizeof(int64_t);
  const bool shape_readable = tensor.ndim == 0 || (tensor.shape && Forge::IsReadable(Address(tensor.shape), bytes));
  const bool strides_readable =
      tensor.ndim == 0 || !tensor.strides || Forge::IsReadable(Address(tensor.strides), bytes);
  record.metadata_readable = shape_readable && strides_readable;
  const int kept = std::min(tensor.ndim, kDims);
  if (kept > 0 && shape_readable) CopyUnchecked(record.shape, tensor.shape, static_cast<size_t>(kept) * 8);
  if (kept > 0 && strides_readable && tensor.strides) {
    CopyUnchecked(record.strides, tensor.strides, static_cast<size_t>(kept) * 8);
  }
}

uint32_t ChangedSinceExport(const void* managed, const ExportLedger& record) {
  ExportLedger now{};
  RecordExport(managed, record.versioned != 0, now);
  uint32_t parts = 0;
  if (now.version.major != record.version.major || now.version.minor != record.version.minor) parts |= kPartVersion;
  if (now.flags != record.flags) parts |= kPartFlags;
  if (now.tensor.data != record.tensor.data) parts |= kPartData;
  if (std::memcmp(&now.tensor.device, &record.tensor.device, sizeof(abi::DLDevice)) != 0) parts |= kPartDevice;
  if (now.tensor.ndim != record.tensor.ndim) parts |= kPartNdim;
  if (!(now.tensor.dtype == record.tensor.dtype)) parts |= kPartDtype;
  if (now.tensor.shape != record.tensor.shape) parts |= kPartShapePointer;
  if (now.tensor.strides != record.tensor.strides) parts |= kPartStridesPointer;
  if (now.tensor.byte_offset != record.tensor.byte_offset) parts |= kPartByteOffset;
  if (std::memcmp(now.shape, record.shape, sizeof(now.shape)) != 0) parts |= kPartShape;
  if (std::memcmp(now.strides, record.strides, sizeof(now.strides)) != 0) parts |= kPartStrides;
  return parts;
}

Reading ReadStrided(uint64_t address, const int64_t* shape, const int64_t* byte_strides, int ndim, int64_t item_size,
                    std::span<uint8_t> out) {
  if (item_size <= 0) return Reading::kUnreadable;
  int64_t count = 0;
  const Stretch stretch = StretchOf(shape, byte_strides, ndim, static_cast<int64_t>(out.size()) / item_size, &count);
  if (count <= 0) return count == 0 ? Reading::kMatches : Reading::kUnreadable;
  if (!Forge::IsReadable(address + static_cast<uint64_t>(stretch.lowest),
                         static_cast<uint64_t>(stretch.highest - stretch.lowest + item_size))) {
    return Reading::kUnreadable;
  }
  const auto* const first = reinterpret_cast<const uint8_t*>(address);
  // The trailing dimensions without gaps are copied at once: a compact tensor in one piece.
  int outer = ndim;
  int64_t run = item_size;
  for (; outer > 0 && (shape[outer - 1] == 1 || byte_strides[outer - 1] == run); --outer) run *= shape[outer - 1];
  Walk(shape, byte_strides, outer, count * item_size / run,
       [&](int64_t i, int64_t at) { CopyUnchecked(out.data() + i * run, first + at, static_cast<size_t>(run)); });
  return Reading::kMatches;
}

Reading ReadExported(const ExportLedger& record, std::span<uint8_t> out) {
  if (!record.metadata_readable || record.tensor.ndim > kDims || !OnHost(record.tensor.device)) {
    return record.metadata_readable ? Reading::kUnsupported : Reading::kUnreadable;
  }
  const int packed = PackedBitsOf(record);
  return packed != 0 ? ReadAs(record, {.width = packed}, out) : ReadWhole(record, out);
}

namespace {

MemoryRange ElementsOf(const ExportLedger& record) {
  const int packed = PackedBitsOf(record);
  const int64_t bits = packed != 0 ? packed : 8 * ItemSize(record.tensor.dtype);
  if (record.metadata_readable == 0 || record.tensor.data == nullptr || bits <= 0) return {};
  int64_t lowest = 0;
  int64_t highest = 0;
  int64_t strides[kDims];
  StridesOf(record, strides);
  for (int d = 0; d < std::min(record.tensor.ndim, kDims); ++d) {
    int64_t reach = 0;
    if (record.shape[d] <= 0 || __builtin_mul_overflow(strides[d], record.shape[d] - 1, &reach)) return {};
    int64_t& side = reach < 0 ? lowest : highest;
    if (__builtin_add_overflow(side, reach, &side)) return {};
  }
  int64_t begin = 0;
  int64_t end = 0;
  if (__builtin_mul_overflow(lowest, bits, &begin) || __builtin_mul_overflow(highest, bits, &end)) return {};
  const uint64_t first = FirstOf(record);
  return {first + static_cast<uint64_t>(begin / 8), first + static_cast<uint64_t>((end + bits + 7) / 8)};
}

}  // namespace

Packing PackingOf(const ExportLedger& record, std::span<const uint8_t> wanted, std::span<uint8_t> scratch) {
  const abi::DLDataType dtype = record.tensor.dtype;
  const int width = PackedBits(dtype, false);
  const bool padded = PackedBitsOf(record) == 0;
  const int64_t count = record.metadata_readable ? ElementCount(record.shape, record.tensor.ndim) : -1;
  if (width == 0 || count <= 0 || count != static_cast<int64_t>(wanted.size()) || wanted.size() > scratch.size()) {
    return Packing::kNone;
  }
  const auto right = [&](Reading reading) {
    return reading == Reading::kMatches && std::equal(wanted.begin(), wanted.end(), scratch.begin());
  };
  const bool whole = 8 % width == 0;
  if (padded && right(ReadWhole(record, scratch))) return Packing::kPadded;
  if (right(ReadAs(record, {.width = width}, scratch))) return Packing::kLowFirst;
  // Checked first, because a few elements in half bytes can also look like another packing.
  if (width == 2 && right(ReadAs(record, {.width = width, .pitch = 4}, scratch))) return Packing::kOther;
  if (right(ReadWhole(record, scratch))) return Packing::kPadded;
  if (whole && right(ReadAs(record, {.width = width, .high_first = true}, scratch))) return Packing::kHighFirst;
  for (int first = 1; first < 8; ++first) {
    if (right(ReadAs(record, {.width = width, .first = first}, scratch))) return Packing::kInside;
  }
  return Packing::kOther;
}

namespace {

bool IsWritable(const ExportLedger& record) {
  const bool known = record.metadata_readable != 0 && record.tensor.ndim <= kDims;
  return known && OnHost(record.tensor.device) && (record.versioned == 0 || (record.flags & abi::kFlagReadOnly) == 0);
}

bool IsCompact(const ExportLedger& record) {
  return record.null_strides != 0 || AreCompact(record.shape, record.tensor.ndim, record.strides, 1);
}

}  // namespace

bool WriteExported(const ExportLedger& record, int64_t index, const uint8_t* bits) {
  if (!IsWritable(record)) return false;
  const int64_t item = ItemSize(record.tensor.dtype);
  int64_t strides[kDims];
  StridesOf(record, strides);
  const uint64_t first = FirstOf(record);
  int64_t elements = 0;
  for (int d = record.tensor.ndim - 1; d >= 0; --d) {
    if (record.shape[d] <= 0) return false;
    elements += (index % record.shape[d]) * strides[d];
    index /= record.shape[d];
  }
  if (const int packed = PackedBitsOf(record); packed != 0) return WritePacked(first, elements * packed, packed, *bits);
  const uint64_t address = first + static_cast<uint64_t>(elements * item);
  return item <= kWidestWritten && WriteByKernel(address, bits, static_cast<size_t>(item));
}

bool WriteAllExported(const ExportLedger& record, std::span<const uint8_t> elements) {
  const int64_t item = ItemSize(record.tensor.dtype);
  if (item <= 0 || item > kWidestWritten) return false;
  if (IsWritable(record) && PackedBitsOf(record) == 0 && IsCompact(record)) {
    return WriteByKernel(FirstOf(record), elements.data(), elements.size());
  }
  bool written = true;
  const int64_t count = static_cast<int64_t>(elements.size()) / item;
  for (int64_t i = 0; i < count; ++i) written = WriteExported(record, i, elements.data() + i * item) && written;
  return written;
}

ExportedMemory MemoryOf(const ExportLedger& record) {
  if (record.struct_address == 0) return {};
  const auto range = [](uint64_t begin, uint64_t size) {
    return begin == 0 ? MemoryRange{} : MemoryRange{begin, begin + size};
  };
  const uint64_t dims = static_cast<uint64_t>(std::max(record.tensor.ndim, 0)) * sizeof(int64_t);
  const uint64_t size = record.versioned != 0 ? sizeof(abi::DLManagedTensorVersioned) : sizeof(abi::DLManagedTensor);
  return {.elements = ElementsOf(record),
          .managed = range(record.struct_address, size),
          .shape = range(Address(record.tensor.shape), dims),
          .strides = range(Address(record.tensor.strides), dims)};
}

bool LiesApart(const ExportedMemory& one, const ExportedMemory& other) {
  const MemoryRange& elements = one.elements;
  const auto apart = [&](const MemoryRange& range) {
    return range.begin == range.end || elements.end <= range.begin || range.end <= elements.begin;
  };
  if (elements.begin == elements.end) return true;
  const bool same = one.managed.begin == other.managed.begin;
  return apart(other.managed) && apart(other.shape) && apart(other.strides) && (same || apart(other.elements));
}

void CallDeleter(void* managed, bool versioned) noexcept {
  if (versioned) {
    auto* tensor = static_cast<abi::DLManagedTensorVersioned*>(managed);
    if (tensor->deleter != nullptr) tensor->deleter(tensor);
  } else {
    auto* tensor = static_cast<abi::DLManagedTensor*>(managed);
    if (tensor->deleter != nullptr) tensor->deleter(tensor);
  }
}

}  // namespace dlpack_cts
