// bench/plain_reader.cc: a plain libFuzzer harness on the reader of the example plug-in, as one writes it by hand.
#include <fuzzer/FuzzedDataProvider.h>

#include <cstdlib>
#include <vector>

#include <tensor.h>  // of the example

namespace {

constexpr int64_t kMiddle = 1024;  // element 0 lies there in its block, so negative strides have room

/// The struct, and what it points to.
struct Offered {
  explicit Offered(FuzzedDataProvider& input)
      : shape(input.ConsumeIntegralInRange<size_t>(0, 6)), strides(shape.size()), block(2 * kMiddle) {
    constexpr uint8_t kCodes[] = {kDLInt, kDLUInt, kDLFloat, kDLBool};
    constexpr uint8_t kBits[] = {8, 16, 32, 64};
    for (int64_t& extent : shape) extent = input.ConsumeIntegralInRange<int64_t>(0, 3);
    for (int64_t& stride : strides) stride = input.ConsumeIntegralInRange<int64_t>(-6, 6);
    DLTensor& tensor = managed.dl_tensor;
    tensor.device = {kDLCPU, 0};
    tensor.ndim = static_cast<int32_t>(shape.size());
    tensor.dtype = {input.PickValueInArray(kCodes), input.PickValueInArray(kBits), 1};
    tensor.shape = shape.data();
    tensor.strides = input.ConsumeBool() ? strides.data() : nullptr;
    tensor.byte_offset = input.ConsumeIntegralInRange<uint64_t>(0, 16) * (tensor.dtype.bits / 8u);
    tensor.data = block.data() + kMiddle - tensor.byte_offset;
    managed.version = {1, 1};
    managed.manager_ctx = this;
    managed.deleter = [](DLManagedTensorVersioned* self) { static_cast<Offered*>(self->manager_ctx)->deleted = true; };
  }

  /// The address of the element at that row-major index.
  const uint8_t* Address(int64_t index) const {
    int64_t at = 0;
    int64_t compact = 1;
    for (size_t d = shape.size(); d-- > 0;) {
      at += index % shape[d] * (managed.dl_tensor.strides != nullptr ? strides[d] : compact);
      index /= shape[d];
      compact *= shape[d];
    }
    return block.data() + kMiddle + at * (managed.dl_tensor.dtype.bits / 8);
  }

  std::vector<int64_t> shape;
  std::vector<int64_t> strides;
  std::vector<uint8_t> block;
  DLManagedTensorVersioned managed = {};
  bool deleted = false;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  FuzzedDataProvider input(data, size);
  Offered offered(input);
  try {
    const tiny::Tensor tensor = tiny::FromDlpack(&offered.managed, true, false);
    for (int64_t i = 0; i < tensor.Count(); ++i) {
      if (tensor.Address(i) != offered.Address(i)) std::abort();
    }
  } catch (const tiny::Refused&) {
  }
  if (!offered.deleted) std::abort();
  return 0;
}
