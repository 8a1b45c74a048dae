// examples/cpp-plugin/tensor.h: the tensor class of "tiny", the library under test in this example.
#ifndef TINY_TENSOR_H_
#define TINY_TENSOR_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <vector>

#include "dlpack_abi.h"

namespace tiny {

/// The data cannot be exchanged.
struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The library has no such element type.
struct NoSuchType : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Strided elements on the CPU. Copies of a Tensor share its memory.
struct Tensor {
  std::shared_ptr<void> memory;  // keeps the elements alive: an allocated block, or an imported tensor
  uint8_t* first = nullptr;      // element 0; NULL without elements
  DLDataType dtype = {kDLFloat, 32, 1};
  std::vector<int64_t> shape;
  std::vector<int64_t> steps;  // strides in bytes; 0 where an extent is 0 or 1
  bool read_only = false;

  size_t Item() const { return dtype.bits / 8u; }
  /// Number of elements; throws Refused if it overflows.
  int64_t Count() const;
  uint8_t* Address(int64_t index) const;  // address of the element at a row-major index
  /// Copies elements, row-major, until `size` bytes are full.
  void Read(uint8_t* out, size_t size) const;
  /// A compact row-major tensor with its own memory.
  Tensor Copy() const;
};

/// True for int, uint, float and bool of whole bytes.
bool IsKnown(DLDataType dtype);

/// Allocates `size` bytes.
std::shared_ptr<void> NewBlock(size_t size);

/// Number of blocks and imported tensors that are alive.
int64_t Live();
void CountLive(int by);

// ---- exchange.cc

/// Takes ownership of the struct. It is released with the last copy of the Tensor, or when this throws Refused.
Tensor FromDlpack(void* managed, bool versioned, bool copy);
/// Returns a struct. The caller has to call its deleter.
void* ToDlpack(const Tensor& tensor, bool versioned, bool copy);

}  // namespace tiny

#endif  // TINY_TENSOR_H_
