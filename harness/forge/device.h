// harness/forge/device.h: memory of a device, which the forge reaches only by copies.
#ifndef DLPACK_CTS_HARNESS_FORGE_DEVICE_H_
#define DLPACK_CTS_HARNESS_FORGE_DEVICE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// Addresses in device memory.
struct DeviceRange {
  uint64_t begin;
  uint64_t end;
};

/// Memory of the devices of this machine, for tensors with Placement::kDevice.
class DeviceMemory {
 public:
  virtual ~DeviceMemory() = default;

  /// The start of a block of at least that size, for the elements of the slot. The next tensor of the slot gets the
  /// same block. 0 if the device does not exist or has no memory.
  virtual uint64_t Block(int slot, abi::DLDevice device, size_t size) = 0;
  /// Copies between the host and the device, after all work that is queued on the device, and waits for the copy.
  virtual bool ToDevice(abi::DLDevice device, uint64_t to, const uint8_t* from, size_t size) = 0;
  virtual bool FromDevice(abi::DLDevice device, uint8_t* to, uint64_t from, size_t size) = 0;
  /// How many bytes of at most two ranges are not `pattern`, after all work that is queued on the device. The device
  /// counts them, so that they need not be copied. Missing if it cannot.
  virtual std::optional<int32_t> CountOthers(abi::DLDevice device, std::span<const DeviceRange> ranges,
                                             uint8_t pattern) = 0;
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_FORGE_DEVICE_H_
