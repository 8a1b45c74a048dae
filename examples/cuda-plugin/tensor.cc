// examples/cuda-plugin/tensor.cc: the library under test, strided tensors on CUDA device 0 that are exported with
// DLPack.
//
// All work of the library is on one stream of its own. An export must make the consumer's stream wait for it.
// TINY_CUDA_DEFECT selects a defect; a real library has no such switch.
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "dlpack_abi.h"
#include "driver.h"

namespace tiny {
namespace {

constexpr unsigned kNonBlocking = 1;
constexpr int64_t kLegacyStream = 1;
constexpr int64_t kNoOrder = -1;

thread_local std::string t_error;

bool Has(const char* defect) {
  const char* const chosen = std::getenv("TINY_CUDA_DEFECT");
  return chosen != nullptr && std::strcmp(chosen, defect) == 0;
}

/// Device memory.
struct Block {
  explicit Block(size_t size) { Cuda("cuMemAlloc_v2", &address, size == 0 ? size_t{1} : size); }
  ~Block() {
    try {
      const OnDevice there;
      Cuda("cuMemFree_v2", address);
    } catch (const std::exception&) {  // the process may be ending
    }
  }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  uint64_t address = 0;
};

struct Tensor {
  std::shared_ptr<Block> memory;
  uint64_t first = 0;  // element 0
  DLDataType dtype = {};
  std::vector<int64_t> shape;
  std::vector<int64_t> strides;  // in elements

  int64_t Item() const { return dtype.bits / 8; }
  int64_t Count() const {
    int64_t count = 1;
    for (const int64_t extent : shape) count *= extent;
    return count;
  }
};

void* WorkStream() {
  static void* const stream = [] {
    void* made = nullptr;
    Cuda("cuStreamCreate", &made, kNonBlocking);
    return made;
  }();
  return stream;
}

/// Later work on `stream` waits for the work that the library has queued.
void ComeBehindOwnWork(void* stream) {
  void* event = nullptr;
  Cuda("cuEventCreate", &event, 0U);
  Cuda("cuEventRecord", event, WorkStream());
  Cuda("cuStreamWaitEvent", stream, event, 0U);
  Cuda("cuEventDestroy_v2", event);
}

/// A compact copy, made by work on that stream.
Tensor Copied(const Tensor& source, void* stream) {
  Tensor copy = source;
  copy.memory = std::make_shared<Block>(static_cast<size_t>(source.Count() * source.Item()));
  copy.first = copy.memory->address;
  int64_t stride = 1;
  for (size_t d = source.shape.size(); d-- > 0; stride *= source.shape[d]) copy.strides[d] = stride;
  for (int64_t i = 0; i < source.Count(); ++i) {
    int64_t place = 0;
    int64_t left = i;
    for (size_t d = source.shape.size(); d-- > 0; left /= source.shape[d])
      place += left % source.shape[d] * source.strides[d];
    Cuda("cuMemcpyAsync", copy.first + static_cast<uint64_t>(i * source.Item()),
         source.first + static_cast<uint64_t>(place * source.Item()), static_cast<size_t>(source.Item()), stream);
  }
  return copy;
}

/// What an exported struct points to. The deleter releases it, on any thread.
template <typename Managed>
struct Export {
  Managed managed = {};
  Tensor tensor;
  static void Delete(Managed* self) { delete static_cast<Export*>(self->manager_ctx); }
};

template <typename Managed>
Managed* NewExport(Tensor tensor) {
  auto* const exported = new Export<Managed>;
  exported->tensor = std::move(tensor);
  Tensor& source = exported->tensor;
  exported->managed.dl_tensor = {reinterpret_cast<void*>(source.first),
                                 {kDLCUDA, 0},
                                 static_cast<int32_t>(source.shape.size()),
                                 source.dtype,
                                 source.shape.data(),
                                 source.strides.data(),
                                 0};
  exported->managed.manager_ctx = exported;
  exported->managed.deleter = &Export<Managed>::Delete;
  return &exported->managed;
}

/// Runs `work` with device 0 current. NULL if it throws; tiny_cuda_error() says why.
template <typename Work>
void* Guarded(Work work) {
  try {
    Cuda("cuInit", 0U);
    const OnDevice there;
    return work();
  } catch (const std::exception& error) {
    t_error = error.what();
    return nullptr;
  }
}

}  // namespace
}  // namespace tiny

using tiny::Tensor;

extern "C" {

const char* tiny_cuda_error() { return tiny::t_error.c_str(); }

/// A tensor whose memory has `size` bytes of `bytes`, and whose element 0 is `offset` elements behind its start.
void* tiny_cuda_make(const void* bytes, size_t size, int code, int bits, int ndim, const int64_t* shape,
                     const int64_t* strides, int64_t offset) {
  return tiny::Guarded([&]() -> void* {
    auto tensor = std::make_unique<Tensor>();
    tensor->memory = std::make_shared<tiny::Block>(size);
    if (size > 0) {
      tiny::Cuda("cuMemcpy", tensor->memory->address, reinterpret_cast<uint64_t>(bytes), size);
      // A copy from pageable memory may return before it is complete, and the library's stream does not wait for it.
      tiny::Cuda("cuCtxSynchronize");
    }
    tensor->dtype = {static_cast<uint8_t>(code), static_cast<uint8_t>(bits), 1};
    tensor->shape.assign(shape, shape + ndim);
    tensor->strides.assign(strides, strides + ndim);
    tensor->first = tensor->memory->address + static_cast<uint64_t>(offset * tensor->Item());
    return tensor.release();
  });
}

void tiny_cuda_drop(void* tensor) { delete static_cast<Tensor*>(tensor); }
uint64_t tiny_cuda_address(const void* tensor) { return static_cast<const Tensor*>(tensor)->first; }
void* tiny_cuda_stream() {
  return tiny::Guarded([] { return tiny::WorkStream(); });
}

/// A DLManagedTensorVersioned, or a DLManagedTensor. `stream` is the consumer's, as __dlpack__ receives it.
void* tiny_cuda_export(const void* array, int64_t stream, int versioned, int copy) {
  return tiny::Guarded([&]() -> void* {
    Tensor tensor = *static_cast<const Tensor*>(array);
    auto* target = reinterpret_cast<void*>(stream == tiny::kNoOrder ? tiny::kLegacyStream : stream);
    if (tiny::Has("orders-the-default-stream")) target = reinterpret_cast<void*>(tiny::kLegacyStream);
    const bool apart = tiny::Has("copies-on-its-own-stream");
    if (copy != 0 && apart) tensor = tiny::Copied(tensor, tiny::WorkStream());
    const bool ordered = stream != tiny::kNoOrder || copy != 0;
    if (ordered && !tiny::Has("does-not-wait")) tiny::ComeBehindOwnWork(target);
    if (copy != 0 && !apart) tensor = tiny::Copied(tensor, target);
    if (versioned == 0) return tiny::NewExport<DLManagedTensor>(std::move(tensor));
    auto* const managed = tiny::NewExport<DLManagedTensorVersioned>(std::move(tensor));
    managed->version = {1, 1};
    managed->flags = copy != 0 ? kIsCopied : 0;
    return managed;
  });
}

void tiny_cuda_release(void* managed, int versioned) {
  if (versioned != 0) {
    auto* const own = static_cast<DLManagedTensorVersioned*>(managed);
    own->deleter(own);
  } else {
    auto* const own = static_cast<DLManagedTensor*>(managed);
    own->deleter(own);
  }
}
}
