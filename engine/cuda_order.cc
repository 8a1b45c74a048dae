// engine/cuda_order.cc: blocks streams, and observes which work runs before and after.
#include "engine/cuda_order.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace dlpack_cts {
namespace {

using std::chrono::steady_clock;

uint64_t Address(const void* memory) { return reinterpret_cast<uint64_t>(memory); }

}  // namespace

struct Gate::State {
  std::mutex mutex;
  std::condition_variable opened;
  bool open = false;
  std::chrono::milliseconds longest;
  std::atomic<bool> passed{false};
};

// The driver may call it after the Gate is destroyed, or never. So it owns a reference to the state.
void Gate::Hold(void* state) {
  const std::unique_ptr<std::shared_ptr<State>> own(static_cast<std::shared_ptr<State>*>(state));
  State& gate = **own;
  std::unique_lock lock(gate.mutex);
  gate.opened.wait_for(lock, gate.longest, [&gate] { return gate.open; });
  gate.passed = true;
}

Gate::Gate(const CudaDriver& driver, uint64_t stream, std::chrono::milliseconds longest)
    : driver_(driver), stream_(stream), state_(std::make_shared<State>()) {
  state_->longest = longest;
  auto* const own = new std::shared_ptr<State>(state_);
  closed_ = driver.CallOn(stream, &Gate::Hold, own);
  if (!closed_) delete own;
}

Gate::~Gate() {
  Open();
  if (closed_) driver_.Wait(stream_);
}

bool Gate::IsClosed() const { return closed_ && !state_->passed; }

void Gate::Open() {
  const std::lock_guard lock(state_->mutex);
  state_->open = true;
  state_->opened.notify_all();
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
