// engine/cuda_order.cc: blocks streams, and observes which work runs before and after.
#include "engine/cuda_order.h"

#include <algorithm>
#include <thread>
#include <vector>

namespace dlpack_cts {
namespace {

using std::chrono::steady_clock;

uint64_t Address(const void* memory) { return reinterpret_cast<uint64_t>(memory); }

}  // namespace

Gate::Gate(const CudaDriver& driver, uint64_t stream, std::chrono::milliseconds longest)
    : driver_(driver), stream_(stream) {
  for (const HoldStream hold : kHolds) {
    if (hold_ == nullptr) hold_ = hold(driver, stream, longest);
  }
}

Gate::~Gate() {
  Open();
  if (hold_ != nullptr) driver_.Wait(stream_);
}

void Gate::Open() {
  if (hold_ != nullptr) hold_->End();
}

StreamCopy::StreamCopy(const CudaDriver& driver, DeviceBytes from, uint64_t stream, uint8_t* to)
    : driver_(driver),
      from_(from),
      stream_(stream),
      copy_(to),
      queued_(driver.CopyOn(stream, Address(to), from.address, from.size)) {}

StreamCopy::~StreamCopy() {
  if (queued_) driver_.Wait(stream_);
}

bool StreamCopy::ComesBefore(const Gate& gate, std::chrono::milliseconds patience) const {
  const auto end = steady_clock::now() + patience;
  while (queued_ && gate.IsClosed()) {
    if (driver_.IsDone(stream_)) return gate.IsClosed();
    if (steady_clock::now() >= end) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  return false;
}

std::span<const uint8_t> StreamCopy::Bytes() const {
  if (!queued_ || !driver_.Wait(stream_)) return {};
  return {copy_, from_.size};
}

PendingWork::PendingWork(const CudaDriver& driver, DeviceBytes bytes, uint64_t stream, uint8_t* saved,
                         std::chrono::milliseconds longest) {
  if (!driver.Copy(Address(saved), bytes.address, bytes.size)) return;
  std::vector<uint8_t> others(bytes.size);
  std::transform(saved, saved + bytes.size, others.begin(), [](uint8_t byte) { return byte ^ 0x5A; });
  if (!driver.Copy(bytes.address, Address(others.data()), bytes.size)) return;
  gate_ = std::make_unique<Gate>(driver, stream, longest);
  begun_ = gate_->closed_at_first() && driver.CopyOn(stream, bytes.address, Address(saved), bytes.size);
  if (!begun_) driver.Copy(bytes.address, Address(saved), bytes.size);
}

}  // namespace dlpack_cts
