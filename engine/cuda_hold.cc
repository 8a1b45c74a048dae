// engine/cuda_hold.cc: holds a stream with a kernel, or with a host function.
#include "engine/cuda_hold.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <utility>

#include "engine/cuda_arguments.h"
#include "engine/cuda_kernels.h"

namespace dlpack_cts {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

// ---- By a kernel.

/// In pinned memory, which the kernel and the host use at once.
struct Words {
  uint32_t opened;
  uint32_t passed;
};

// A kernel may run on when its hold is destroyed. So words are never freed, and used again only after many holds.
constexpr unsigned kWords = 512;

/// NULL if there is no pinned memory. A device must be current.
Words* NextWords(const CudaDriver& driver) {
  static auto* const words = static_cast<Words*>(driver.AllocateHost(kWords * sizeof(Words)));
  static std::atomic<unsigned> next{0};
  return words == nullptr ? nullptr : words + next++ % kWords;
}

std::atomic_ref<uint32_t> Shared(uint32_t& word) { return std::atomic_ref<uint32_t>(word); }

class KernelHold final : public StreamHold {
 public:
  explicit KernelHold(Words& words) : words_(words) {}

  bool IsOver() const override { return Shared(words_.passed).load(std::memory_order_acquire) != 0; }
  void End() override { Shared(words_.opened).store(1, std::memory_order_release); }

 private:
  Words& words_;
};

// ---- By a host function.

struct State {
  std::mutex mutex;
  std::condition_variable opened;
  bool open = false;
  milliseconds longest;
  std::atomic<bool> passed{false};
};

// The driver may call it after the hold is destroyed, or never. So it owns a reference to the state.
void Hold(void* state) {
  const std::unique_ptr<std::shared_ptr<State>> own(static_cast<std::shared_ptr<State>*>(state));
  State& hold = **own;
  std::unique_lock lock(hold.mutex);
  hold.opened.wait_for(lock, hold.longest, [&hold] { return hold.open; });
  hold.passed = true;
}

class FunctionHold final : public StreamHold {
 public:
  explicit FunctionHold(std::shared_ptr<State> state) : state_(std::move(state)) {}

  bool IsOver() const override { return state_->passed; }
  void End() override {
    const std::lock_guard lock(state_->mutex);
    state_->open = true;
    state_->opened.notify_all();
  }

 private:
  std::shared_ptr<State> state_;
};

}  // namespace

std::unique_ptr<StreamHold> HoldByKernel(const CudaDriver& driver, uint64_t stream, milliseconds longest) {
  Words* const words = HasCudaKernels() && driver.Current() >= 0 ? NextWords(driver) : nullptr;
  if (words == nullptr) return nullptr;
  Shared(words->opened) = 0;
  Shared(words->passed) = 0;
  auto hold = std::make_unique<KernelHold>(*words);
  HoldTask task = {.opened = reinterpret_cast<uint64_t>(&words->opened),
                   .passed = reinterpret_cast<uint64_t>(&words->passed),
                   .longest = nanoseconds(longest).count()};
  if (!LaunchKernel(driver, stream, kHoldKernel, &task, 1) || hold->IsOver()) return nullptr;
  return hold;
}

std::unique_ptr<StreamHold> HoldByHostFunction(const CudaDriver& driver, uint64_t stream, milliseconds longest) {
  auto state = std::make_shared<State>();
  state->longest = longest;
  auto* const own = new std::shared_ptr<State>(state);
  if (!driver.CallOn(stream, &Hold, own)) {
    delete own;
    return nullptr;
  }
  return std::make_unique<FunctionHold>(std::move(state));
}

}  // namespace dlpack_cts
