// harness/forge/damage.cc: finds changes in the parts of an offer that must not change.
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>

#include "harness/forge/state.h"
#include "harness/recipe/packing.h"

namespace dlpack_cts::forge {
namespace {

struct Field {
  uint32_t part;
  size_t offset;
  size_t size;
};

constexpr Field kTensorFields[] = {
    {kPartData, offsetof(abi::DLTensor, data), 8},
    {kPartDevice, offsetof(abi::DLTensor, device), 8},
    {kPartNdim, offsetof(abi::DLTensor, ndim), 4},
    {kPartDtype, offsetof(abi::DLTensor, dtype), 4},
    {kPartShapePointer, offsetof(abi::DLTensor, shape), 8},
    {kPartStridesPointer, offsetof(abi::DLTensor, strides), 8},
    {kPartByteOffset, offsetof(abi::DLTensor, byte_offset), 8},
};
constexpr Field kLegacyFields[] = {
    {kPartContext, offsetof(abi::DLManagedTensor, manager_ctx), 8},
    {kPartDeleter, offsetof(abi::DLManagedTensor, deleter), 8},
};
constexpr Field kVersionedFields[] = {
    {kPartVersion, offsetof(abi::DLManagedTensorVersioned, version), 8},
    {kPartContext, offsetof(abi::DLManagedTensorVersioned, manager_ctx), 8},
    {kPartDeleter, offsetof(abi::DLManagedTensorVersioned, deleter), 8},
    {kPartFlags, offsetof(abi::DLManagedTensorVersioned, flags), 8},
};

class Check {
 public:
  Check(ForgeState& state, Slot& slot) : arena_(&state.arena), slot_(slot) {}
  /// Of device memory.
  explicit Check(Slot& slot) : slot_(slot) {}

  uint32_t parts() const { return parts_; }
  int32_t bytes() const { return bytes_; }

  void Struct() {
    if (Readable(slot_.structure, slot_.struct_size) &&
        std::memcmp(slot_.structure, slot_.image, slot_.struct_size) == 0) {
      return;
    }
    const size_t tensor = slot_.kind == StructKind::kVersioned ? offsetof(abi::DLManagedTensorVersioned, dl_tensor) : 0;
    for (const Field& field : kTensorFields) Compare(field, tensor);
    if (slot_.kind == StructKind::kLegacy) {
      for (const Field& field : kLegacyFields) Compare(field, 0);
    }
    if (slot_.kind == StructKind::kVersioned) {
      for (const Field& field : kVersionedFields) Compare(field, 0);
    }
  }

  void Array(const int64_t* array, const int64_t* image, uint32_t part) {
    const size_t bytes = static_cast<size_t>(slot_.entries) * sizeof(int64_t);
    if (array == nullptr) return;
    if (Readable(array, bytes) && std::memcmp(array, image, bytes) != 0) parts_ |= part;
    const size_t canary = std::min<size_t>(kCanaryBytes, kMetadataBytes - bytes);
    Canary(reinterpret_cast<uint64_t>(array) - canary, reinterpret_cast<uint64_t>(array));
  }

  void Data() {
    const DataPlan& plan = slot_.plan;
    if (plan.canary_begin == plan.canary_end || slot_.memory != nullptr) return;
    const uint8_t* const data = reinterpret_cast<const uint8_t*>(plan.begin);
    if (Readable(data, plan.end - plan.begin)) Elements(data);
    Canary(plan.canary_begin, plan.begin);
    Canary(plan.end, plan.canary_end);
  }

  void OnDevice(const DeviceContent& content) {
    if (!content.elements.empty()) Elements(content.elements.data());
    bytes_ += content.changed_pattern;
  }

  void Canary(uint64_t begin, uint64_t end) {
    const uint8_t* const first = reinterpret_cast<const uint8_t*>(begin);
    if (begin != end && Readable(first, end - begin)) Pattern({first, end - begin});
  }

 private:
  void Elements(const uint8_t* data) {
    const size_t size = slot_.plan.end - slot_.plan.begin;
    for (int i = 0; i < slot_.expected_write_count; ++i) {
      Expect(slot_.expected_writes[i], data);
    }
    if (std::memcmp(data, slot_.shadow, size) == 0) return;
    for (size_t i = 0; i < size; ++i) bytes_ += data[i] != slot_.shadow[i];
  }

  /// A requested write is not damage.
  void Expect(int64_t position, const uint8_t* data) {
    if (slot_.packed != 0) {
      const int64_t bit = BitOf(slot_, position);
      return SetBitsAt(slot_.shadow, bit, slot_.packed, BitsAt(data, bit, slot_.packed));
    }
    const int64_t at = position * slot_.item;
    std::memcpy(slot_.shadow + at, data + at, static_cast<size_t>(slot_.item));
  }

  void Pattern(std::span<const uint8_t> bytes) {
    if (bytes.empty()) return;
    // Usually every byte of a canary equals the byte before it.
    if (bytes.front() == kCanary && std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0) return;
    bytes_ += static_cast<int32_t>(static_cast<std::ptrdiff_t>(bytes.size()) -
                                   std::count(bytes.begin(), bytes.end(), kCanary));
  }

  bool Readable(const void* start, size_t size) const {
    return arena_ != nullptr && arena_->Allows(reinterpret_cast<uint64_t>(start), size, Access::kRead);
  }

  void Compare(const Field& field, size_t shift) {
    const size_t at = field.offset + shift;
    if (!Readable(slot_.structure + at, field.size)) return;
    if (std::memcmp(slot_.structure + at, slot_.image + at, field.size) != 0) parts_ |= field.part;
  }

  Arena* arena_ = nullptr;
  Slot& slot_;
  uint32_t parts_ = 0;
  int32_t bytes_ = 0;
};

}  // namespace

void CheckDamage(ForgeState& state, Slot& slot, ImportLedger& record) {
  if (slot.sealed) return;
  Check check(state, slot);
  // Another offer may use the struct area by now.
  if (state.owner[slot.home] >= 0 && &state.slots[state.owner[slot.home]] == &slot) {
    check.Struct();
    const uint64_t structure = reinterpret_cast<uint64_t>(slot.structure);
    check.Canary(structure - kCanaryBytes, structure);
  }
  check.Array(slot.shape, slot.shape_image, kPartShape);
  check.Array(slot.strides, slot.strides_image, kPartStrides);
  check.Data();
  record.changed_parts |= check.parts();
  record.changed_bytes = std::max(record.changed_bytes, check.bytes());
}

void CheckDeviceDamage(Slot& slot, const DeviceContent& content, ImportLedger& record) {
  Check check(slot);
  check.OnDevice(content);
  record.changed_bytes = std::max(record.changed_bytes, check.bytes());
}

}  // namespace dlpack_cts::forge
