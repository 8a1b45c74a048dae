// examples/cpp-plugin/exchange.cc: DLPack import and export of "tiny".
#include "tensor.h"

namespace tiny {
namespace {

constexpr int32_t kMaxDims = 32;

/// Owns a foreign struct.
template <typename Managed>
std::shared_ptr<void> Own(Managed* managed) {
  CountLive(1);
  return std::shared_ptr<void>(managed, [](void* pointer) {
    auto* own = static_cast<Managed*>(pointer);
    if (own->deleter != nullptr) own->deleter(own);
    CountLive(-1);
  });
}

/// Strides in bytes. Checks that all elements are within the address space.
void ReadLayout(const DLTensor& source, Tensor* tensor) {
  const auto item = static_cast<int64_t>(tensor->Item());
  int64_t compact = 1;
  int64_t reach = 0;
  for (size_t d = tensor->shape.size(); d-- > 0;) {
    const int64_t extent = tensor->shape[d];
    if (extent > 1) {
      const int64_t stride = source.strides != nullptr ? source.strides[d] : compact;
      int64_t last = 0;
      if (__builtin_mul_overflow(stride, item, &tensor->steps[d]) ||
          __builtin_mul_overflow(tensor->steps[d], extent - 1, &last) || last == INT64_MIN ||
          __builtin_add_overflow(reach, last < 0 ? -last : last, &reach)) {
        throw Refused("the strides reach beyond the address space");
      }
    }
    if (__builtin_mul_overflow(compact, extent, &compact)) throw Refused("there are too many elements");
  }
}

/// Reads the DLTensor. The struct already has an owner, so an exception releases it.
Tensor ReadTensor(const DLTensor& source, std::shared_ptr<void> owner) {
  if (source.device.device_type != kDLCPU) throw Refused("only tensors on the CPU are supported");
  if (!IsKnown(source.dtype)) throw Refused("this element type is not supported");
  if (source.ndim < 0 || source.ndim > kMaxDims) throw Refused("there are too many dimensions");
  if (source.ndim > 0 && source.shape == nullptr) throw Refused("the tensor has dimensions, but shape is NULL");
  Tensor tensor;
  tensor.memory = std::move(owner);
  tensor.dtype = source.dtype;
  tensor.shape.assign(source.shape, source.shape + source.ndim);
  tensor.steps.resize(tensor.shape.size());
  for (const int64_t extent : tensor.shape) {
    if (extent < 0) throw Refused("an extent is negative");
  }
  if (tensor.Count() == 0) return tensor;  // data and strides have no meaning
  if (source.data == nullptr) throw Refused("the tensor has elements, but data is NULL");
  ReadLayout(source, &tensor);
  tensor.first = static_cast<uint8_t*>(source.data) + source.byte_offset;
  return tensor;
}

/// Everything that an exported struct points to. The deleter releases it.
template <typename Managed>
struct Export {
  Managed managed = {};
  Tensor tensor;
  std::vector<int64_t> strides;

  static void Delete(Managed* self) { delete static_cast<Export*>(self->manager_ctx); }
};

template <typename Managed>
Managed* NewExport(Tensor tensor) {
  auto exported = std::make_unique<Export<Managed>>();
  exported->tensor = std::move(tensor);
  Tensor& source = exported->tensor;
  for (const int64_t step : source.steps) exported->strides.push_back(step / static_cast<int64_t>(source.Item()));
  exported->managed.dl_tensor = {source.first,
                                 {kDLCPU, 0},
                                 static_cast<int32_t>(source.shape.size()),
                                 source.dtype,
                                 source.shape.data(),
                                 exported->strides.data(),
                                 0};
  exported->managed.manager_ctx = exported.get();
  exported->managed.deleter = &Export<Managed>::Delete;
  return &exported.release()->managed;
}

}  // namespace

Tensor FromDlpack(void* managed, bool versioned, bool copy) {
  Tensor tensor;
  if (versioned) {
    auto* source = static_cast<DLManagedTensorVersioned*>(managed);
    std::shared_ptr<void> owner = Own(source);
    // If the major version is another one, nothing after `flags` may be read. `owner` can still call the deleter.
    if (source->version.major != 1) throw Refused("only major version 1 of DLPack is supported");
    const bool read_only = (source->flags & kReadOnly) != 0;
    tensor = ReadTensor(source->dl_tensor, std::move(owner));
    tensor.read_only = read_only;
  } else {
    auto* source = static_cast<DLManagedTensor*>(managed);
    tensor = ReadTensor(source->dl_tensor, Own(source));
  }
  return copy ? tensor.Copy() : tensor;
}

void* ToDlpack(const Tensor& tensor, bool versioned, bool copy) {
  if (!versioned && tensor.read_only && !copy) throw Refused("a legacy tensor cannot say that it is read-only");
  Tensor source = copy ? tensor.Copy() : tensor;
  if (!versioned) return NewExport<DLManagedTensor>(std::move(source));
  const uint64_t flags = (source.read_only ? kReadOnly : 0) | (copy ? kIsCopied : 0);
  auto* managed = NewExport<DLManagedTensorVersioned>(std::move(source));
  managed->version = {1, 1};
  managed->flags = flags;
  return managed;
}

}  // namespace tiny
