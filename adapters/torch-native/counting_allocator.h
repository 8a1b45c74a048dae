// adapters/torch-native/counting_allocator.h: libtorch's allocator of host memory, which counts its blocks.
#ifndef DLPACK_CTS_ADAPTERS_TORCH_NATIVE_COUNTING_ALLOCATOR_H_
#define DLPACK_CTS_ADAPTERS_TORCH_NATIVE_COUNTING_ALLOCATOR_H_

#include <c10/core/CPUAllocator.h>

#include <atomic>

namespace dlpack_cts::native {

inline std::atomic<int64_t> g_live{0};  // blocks of the allocator; deleters come from any thread

/// Allocates as the library does without it.
class CountingAllocator final : public c10::Allocator {
 public:
  c10::DataPtr allocate(size_t size) override {
    auto* block = new c10::DataPtr(own_->allocate(size));
    ++g_live;
    return {block->get(), block, &Free, block->device()};
  }
  void copy_data(void* to, const void* from, size_t size) const override { own_->copy_data(to, from, size); }

 private:
  static void Free(void* block) {
    delete static_cast<c10::DataPtr*>(block);
    --g_live;
  }
  c10::Allocator* own_ = c10::GetDefaultCPUAllocator();
};

}  // namespace dlpack_cts::native

#endif  // DLPACK_CTS_ADAPTERS_TORCH_NATIVE_COUNTING_ALLOCATOR_H_
