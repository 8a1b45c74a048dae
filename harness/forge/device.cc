// harness/forge/device.cc: elements in device memory: where they are, how they get there, and what changed there.
//
// There are no guard pages on a device. A pattern on both sides of the elements shows writes beside them. After the
// exchange the device counts the changed bytes of the pattern, and the elements are copied back and compared with the
// shadow. If the device cannot count, the pattern is copied too. Nothing of this is done while the lock is held,
// because a copy waits for the device, and the device may wait for a deleter.
#include "harness/forge/device.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "harness/forge/state.h"
#include "harness/recipe/laws.h"

namespace dlpack_cts::forge {
namespace {

constexpr uint64_t kRedZone = 1024;
constexpr uint64_t kAnyBegin = 1 << 20;  // aligned like no block
constexpr uint64_t kNoEnd = UINT64_MAX >> 1;

DataPlan PlanIn(const Offer& offer, const Reach& reach, uint64_t block) {
  DataPlan plan = PlanData(offer, reach, block + kRedZone + offer.byte_offset, kNoEnd, true);
  plan.canary_begin = block;
  plan.canary_end = plan.end + kRedZone;
  return plan;
}

uint64_t BytesOf(const DataPlan& plan) { return plan.canary_end - plan.canary_begin; }

}  // namespace

bool PlanOnDevice(DeviceMemory& memory, const Offer& offer, int index, Slot& slot) {
  if ((!slot.reach.backed && !IsEmpty(offer)) || offer.byte_offset > kMostDeviceOffset) return false;
  const uint64_t size = BytesOf(PlanIn(offer, slot.reach, kAnyBegin)) + (uint64_t{2} << offer.alignment_log2);
  const uint64_t block = memory.Block(index, offer.device, size);
  if (block == 0) return false;
  slot.plan = PlanIn(offer, slot.reach, block);
  slot.memory = &memory;
  slot.device = offer.device;
  return true;
}

void FillDevice(const Slot& slot) {
  if (slot.memory == nullptr) return;
  std::vector<uint8_t> image(BytesOf(slot.plan), kCanary);
  std::memcpy(image.data() + (slot.plan.begin - slot.plan.canary_begin), slot.shadow, slot.plan.end - slot.plan.begin);
  slot.memory->ToDevice(slot.device, slot.plan.canary_begin, image.data(), image.size());
}

std::optional<DeviceContent> ContentOnDevice(const Slot& slot) {
  if (!slot.live || slot.memory == nullptr) return std::nullopt;
  const DataPlan& plan = slot.plan;
  const DeviceRange pattern[] = {{plan.canary_begin, plan.begin}, {plan.end, plan.canary_end}};
  const std::optional<int32_t> counted = slot.memory->CountOthers(slot.device, pattern, kCanary);
  const DeviceRange needed =
      counted ? DeviceRange{plan.begin, plan.end} : DeviceRange{plan.canary_begin, plan.canary_end};
  std::vector<uint8_t> bytes(needed.end - needed.begin);
  if (!bytes.empty() && !slot.memory->FromDevice(slot.device, bytes.data(), needed.begin, bytes.size()))
    return std::nullopt;
  if (counted) return DeviceContent{std::move(bytes), *counted};
  const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(plan.begin - plan.canary_begin);
  const auto last = first + static_cast<std::ptrdiff_t>(plan.end - plan.begin);
  const auto changed = [](uint8_t byte) { return byte != kCanary; };
  const auto others = std::count_if(bytes.begin(), first, changed) + std::count_if(last, bytes.end(), changed);
  return DeviceContent{{first, last}, static_cast<int32_t>(others)};
}

}  // namespace dlpack_cts::forge
