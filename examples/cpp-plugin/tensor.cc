// examples/cpp-plugin/tensor.cc: memory and elements of a tensor.
#include "tensor.h"

#include <atomic>
#include <cstring>

namespace tiny {
namespace {

constexpr int64_t kLargestCopy = int64_t{1} << 24;  // bytes: a broadcast tensor may describe more than any memory

std::atomic<int64_t> g_live{0};  // deleters come from any thread

}  // namespace

int64_t Live() { return g_live; }
void CountLive(int by) { g_live += by; }

bool IsKnown(DLDataType dtype) {
  if (dtype.lanes != 1) return false;
  const bool whole = dtype.bits == 8 || dtype.bits == 16 || dtype.bits == 32 || dtype.bits == 64;
  if (dtype.code == kDLInt || dtype.code == kDLUInt) return whole;
  if (dtype.code == kDLFloat) return dtype.bits == 32 || dtype.bits == 64;
  return dtype.code == kDLBool && dtype.bits == 8;
}

std::shared_ptr<void> NewBlock(size_t size) {
  CountLive(1);
  return std::shared_ptr<void>(new uint8_t[size == 0 ? 1 : size], [](void* block) {
    delete[] static_cast<uint8_t*>(block);
    CountLive(-1);
  });
}

int64_t Tensor::Count() const {
  for (const int64_t extent : shape) {
    if (extent == 0) return 0;  // the other extents do not matter
  }
  int64_t count = 1;
  for (const int64_t extent : shape) {
    if (__builtin_mul_overflow(count, extent, &count)) throw Refused("there are more elements than can be counted");
  }
  return count;
}

uint8_t* Tensor::Address(int64_t index) const {
  uint8_t* address = first;
  for (size_t d = shape.size(); d-- > 0;) {
    address += index % shape[d] * steps[d];
    index /= shape[d];
  }
  return address;
}

void Tensor::Read(uint8_t* out, size_t size) const {
  const int64_t count = Count();
  for (int64_t i = 0; i < count && size >= Item(); ++i) {
    std::memcpy(out, Address(i), Item());  // elements may be unaligned
    out += Item();
    size -= Item();
  }
}

Tensor Tensor::Copy() const {
  int64_t bytes = 0;
  if (__builtin_mul_overflow(Count(), static_cast<int64_t>(Item()), &bytes) || bytes > kLargestCopy) {
    throw Refused("there are too many elements for a copy");
  }
  Tensor copy;
  copy.memory = NewBlock(static_cast<size_t>(bytes));
  copy.first = bytes == 0 ? nullptr : static_cast<uint8_t*>(copy.memory.get());
  copy.dtype = dtype;
  copy.shape = shape;
  copy.steps.resize(shape.size());
  auto step = static_cast<int64_t>(Item());
  for (size_t d = shape.size(); bytes > 0 && d-- > 0;) {
    copy.steps[d] = shape[d] > 1 ? step : 0;
    step *= shape[d];
  }
  Read(copy.first, static_cast<size_t>(bytes));
  return copy;
}

}  // namespace tiny
