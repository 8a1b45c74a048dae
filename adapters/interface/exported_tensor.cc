// adapters/interface/exported_tensor.cc: reads exported structs and strided elements under suspicion.
#include "adapters/interface/exported_tensor.h"

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "adapters/interface/readable.h"
#include "harness/forge/forge.h"
#include "harness/oracle/oracle.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts {
namespace {

constexpr int kMaxDims = 65536;  // a larger ndim is taken for garbage

uint64_t Address(const void* pointer) { return reinterpret_cast<uint64_t>(pointer); }

/// Strides in elements as the record has them; compact where the struct has none.
void StridesOf(const ExportLedger& record, int64_t* strides) {
  if (record.null_strides) {
    CompactStrides(record.shape, std::min(record.tensor.ndim, kDims), strides);
  } else {
    std::copy_n(record.strides, kDims, strides);
  }
}

/// Through a pipe, for machines that forbid process_vm_writev (seccomp filters of containers).
bool WriteByPipe(uint64_t address, const uint8_t* bits, size_t size) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return false;
  const bool sent = write(ends[1], bits, size) == static_cast<ssize_t>(size);
  const bool written = sent && read(ends[0], reinterpret_cast<void*>(address), size) == static_cast<ssize_t>(size);
  close(ends[0]);
  close(ends[1]);
  return written;
}

/// By the kernel, so that memory that cannot be written is an answer and not a fault.
bool WriteByKernel(uint64_t address, uint8_t* bits, size_t size) {
  const iovec local{bits, size};
  const iovec remote{reinterpret_cast<void*>(address), size};
  const ssize_t written = process_vm_writev(getpid(), &local, 1, &remote, 1, 0);
  if (written < 0 && errno != EFAULT) return WriteByPipe(address, bits, size);
  return written == static_cast<ssize_t>(size);
}

}  // namespace

void RecordExport(const void* managed, bool versioned, ExportLedger& record) {
  record.versioned = versioned;
  record.struct_address = Address(managed);
  const Forge::Looking looking;
  const size_t size = versioned ? sizeof(abi::DLManagedTensorVersioned) : sizeof(abi::DLManagedTensor);
  if (managed == nullptr || !Forge::IsReadable(Address(managed), size)) return;
  if (versioned) {
    const auto* tensor = static_cast<const abi::DLManagedTensorVersioned*>(managed);
    record.version = tensor->version;
    record.flags = tensor->flags;
    record.has_deleter = tensor->deleter != nullptr;
    record.tensor = tensor->dl_tensor;
  } else {
    const auto* tensor = static_cast<const abi::DLManagedTensor*>(managed);
    record.has_deleter = tensor->deleter != nullptr;
    record.tensor = tensor->dl_tensor;
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
  if (kept > 0 && shape_readable) std::memcpy(record.shape, tensor.shape, static_cast<size_t>(kept) * 8);
  if (kept > 0 && strides_readable && tensor.strides) {
    std::memcpy(record.strides, tensor.strides, static_cast<size_t>(kept) * 8);
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
  if (ndim < 0 || ndim > kDims || item_size <= 0) return Reading::kUnreadable;
  for (int d = 0; d < ndim; ++d) {
    if (shape[d] < 0) return Reading::kUnreadable;
  }
  const int64_t count = ElementCount(shape, ndim);
  if (count > static_cast<int64_t>(out.size()) / item_size) return Reading::kUnreadable;
  if (count == 0) return Reading::kMatches;
  // Bounded by the number of elements, so that the sums below stay far from overflow.
  int64_t lowest = 0;
  int64_t highest = 0;
  for (int d = 0; d < ndim; ++d) {
    if (shape[d] == 1) continue;
    if (byte_strides[d] > (int64_t{1} << 40) || byte_strides[d] < -(int64_t{1} << 40)) return Reading::kUnreadable;
    (byte_strides[d] < 0 ? lowest : highest) += byte_strides[d] * (shape[d] - 1);
  }
  if (!Forge::IsReadable(address + static_cast<uint64_t>(lowest),
                         static_cast<uint64_t>(highest - lowest + item_size))) {
    return Reading::kUnreadable;
  }
  int64_t index[kDims] = {};
  const auto* element = reinterpret_cast<const uint8_t*>(address);
  for (int64_t i = 0; i < count; ++i) {
    std::memcpy(out.data() + i * item_size, element, static_cast<size_t>(item_size));
    for (int d = ndim - 1; d >= 0; --d) {
      if (++index[d] < shape[d]) {
        element += byte_strides[d];
        break;
      }
      element -= byte_strides[d] * (shape[d] - 1) * (shape[d] > 1 ? 1 : 0);
      index[d] = 0;
    }
  }
  return Reading::kMatches;
}

Reading ReadExported(const ExportLedger& record, std::span<uint8_t> out) {
  if (!record.metadata_readable || record.tensor.ndim > kDims || !OnHost(record.tensor.device)) {
    return record.metadata_readable ? Reading::kUnsupported : Reading::kUnreadable;
  }
  const int64_t item = ItemSize(record.tensor.dtype);
  int64_t strides[kDims];
  StridesOf(record, strides);
  // Without elements no stride says anything.
  const bool empty = std::count(record.shape, record.shape + record.tensor.ndim, 0) != 0;
  for (int d = 0; d < record.tensor.ndim; ++d) {
    if (empty) strides[d] = 0;
    if (record.shape[d] > 1 && std::abs(strides[d]) > (int64_t{1} << 36)) return Reading::kUnreadable;
    if (record.shape[d] <= 1) strides[d] = 0;
    strides[d] *= item;
  }
  return ReadStrided(Address(record.tensor.data) + record.tensor.byte_offset, record.shape, strides, record.tensor.ndim,
                     item, out);
}

bool WriteExported(const ExportLedger& record, int64_t index, const uint8_t* bits) {
  if (!OnHost(record.tensor.device) || (record.versioned && (record.flags & abi::kFlagReadOnly) != 0)) return false;
  const int64_t item = ItemSize(record.tensor.dtype);
  int64_t strides[kDims];
  StridesOf(record, strides);
  uint64_t address = Address(record.tensor.data) + record.tensor.byte_offset;
  for (int d = record.tensor.ndim - 1; d >= 0; --d) {
    if (record.shape[d] <= 0) return false;
    address += static_cast<uint64_t>((index % record.shape[d]) * strides[d] * item);
    index /= record.shape[d];
  }
  uint8_t copy[16];
  if (item > static_cast<int64_t>(sizeof(copy))) return false;
  std::memcpy(copy, bits, static_cast<size_t>(item));
  return WriteByKernel(address, copy, static_cast<size_t>(item));
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
