// engine/device_blocks.h: CUDA device memory for the tensors of a forge.
#ifndef DLPACK_CTS_ENGINE_DEVICE_BLOCKS_H_
#define DLPACK_CTS_ENGINE_DEVICE_BLOCKS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "engine/cuda_driver.h"
#include "harness/forge/device.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// One block for each slot. An allocation takes as long as an exchange, so a block is used again and again. It is never
/// freed, also when a larger one replaces it: a library that keeps a tensor for too long may still read it, and must
/// not lose the CUDA context of the process. Few tensors need a larger block, so few are replaced.
class DeviceBlocks final : public DeviceMemory {
 public:
  explicit DeviceBlocks(const CudaDriver& driver) : driver_(driver) {}

  uint64_t Block(int slot, abi::DLDevice device, size_t size) override;
  bool ToDevice(abi::DLDevice device, uint64_t to, const uint8_t* from, size_t size) override;
  bool FromDevice(abi::DLDevice device, uint8_t* to, uint64_t from, size_t size) override;
  std::optional<int32_t> CountOthers(abi::DLDevice device, std::span<const DeviceRange> ranges,
                                     uint8_t pattern) override;

 private:
  struct Held {
    uint64_t address = 0;
    size_t size = 0;
    int32_t device = 0;
  };

  bool Copy(abi::DLDevice device, uint64_t to, uint64_t from, size_t size) const;

  const CudaDriver& driver_;
  Held blocks_[kSlots];
  uint32_t* counted_ = nullptr;  // pinned memory for the result of a kernel, never freed
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_ENGINE_DEVICE_BLOCKS_H_
