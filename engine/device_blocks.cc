// engine/device_blocks.cc: CUDA device memory for the tensors of a forge.
#include "engine/device_blocks.h"

#include <algorithm>
#include <iterator>

#include "engine/cuda_arguments.h"
#include "engine/cuda_kernels.h"

namespace dlpack_cts {
namespace {

constexpr uint64_t kLegacyStream = 1;
constexpr unsigned kThreads = 256;
constexpr size_t kLeast = size_t{1} << 16;  // so that few tensors need a larger block

}  // namespace

uint64_t DeviceBlocks::Block(int slot, abi::DLDevice device, size_t size) {
  const bool exists = device.device_id >= 0 && device.device_id < driver_.devices();
  if (device.device_type != abi::kDLCUDA || !exists || driver_.IsBroken()) return 0;
  Held& held = blocks_[slot];
  if (held.address != 0 && held.size >= size && held.device == device.device_id) return held.address;
  const CudaDriver::OnDevice there(driver_, device.device_id);
  const size_t wanted = std::max(size, kLeast);
  held = {driver_.Allocate(wanted), wanted, device.device_id};
  return held.address;
}

bool DeviceBlocks::ToDevice(abi::DLDevice device, uint64_t to, const uint8_t* from, size_t size) {
  return Copy(device, to, reinterpret_cast<uint64_t>(from), size);
}

bool DeviceBlocks::FromDevice(abi::DLDevice device, uint8_t* to, uint64_t from, size_t size) {
  return Copy(device, reinterpret_cast<uint64_t>(to), from, size);
}

std::optional<int32_t> DeviceBlocks::CountOthers(abi::DLDevice device, std::span<const DeviceRange> ranges,
                                                 uint8_t pattern) {
  const CudaDriver::OnDevice there(driver_, device.device_id);
  if (!HasCudaKernels()) return std::nullopt;
  if (counted_ == nullptr) counted_ = static_cast<uint32_t*>(driver_.AllocateHost(sizeof(uint32_t)));
  CountTask task = {};
  if (counted_ == nullptr || ranges.size() > std::size(task.begin) || driver_.Synchronize() != 0) return std::nullopt;
  for (size_t i = 0; i < ranges.size(); ++i) {
    task.begin[i] = ranges[i].begin;
    task.end[i] = ranges[i].end;
  }
  task.result = reinterpret_cast<uint64_t>(counted_);
  task.pattern = pattern;
  if (RunKernel(driver_, kLegacyStream, kCountKernel, &task, kThreads) != KernelRan::kDone) return std::nullopt;
  return static_cast<int32_t>(*counted_);
}

/// The library's streams are not ordered with the copy, so it waits for all of them first.
bool DeviceBlocks::Copy(abi::DLDevice device, uint64_t to, uint64_t from, size_t size) const {
  const CudaDriver::OnDevice there(driver_, device.device_id);
  return driver_.Synchronize() == 0 && driver_.Copy(to, from, size);
}

}  // namespace dlpack_cts
