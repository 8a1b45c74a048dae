// engine/scratch.cc: maps memory for large tensors, and compares elements.
#include "engine/scratch.h"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/shortage.h"

namespace dlpack_cts {
namespace {

uint64_t LowBits(const uint8_t* bytes, int64_t item_size) {
  uint64_t bits = 0;
  std::memcpy(&bits, bytes, static_cast<size_t>(std::min<int64_t>(item_size, 8)));
  return bits;
}

}  // namespace

void Scratch::Fit(bool large) {
  constexpr size_t kLarge = kLargeCapacity * kFactor;
  if (large == (large_ != nullptr)) return;
  if (large) {
    void* memory =
        mmap(nullptr, 2 * kLarge, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) StopForShortage("the memory for a large tensor cannot be reserved", errno);
    large_ = static_cast<uint8_t*>(memory);
    wanted = {large_, kLarge};
    got = {large_ + kLarge, kLarge};
    return;
  }
  munmap(std::exchange(large_, nullptr), 2 * kLarge);
  wanted = small_wanted_;
  got = small_got_;
}

void CompareElements(std::span<const uint8_t> wanted, const uint8_t* got, int64_t bytes, int64_t item_size,
                     ElementReading& reading) {
  if (bytes != static_cast<int64_t>(wanted.size())) {
    reading.reading = Reading::kWrongCount;
    reading.wanted_bits = wanted.size();
    reading.got_bits = static_cast<uint64_t>(bytes);
    return;
  }
  if (std::memcmp(wanted.data(), got, wanted.size()) == 0) {
    reading.reading = Reading::kMatches;
    return;
  }
  reading.reading = Reading::kDiffers;
  for (int64_t at = 0; at < bytes; at += item_size) {
    if (std::memcmp(wanted.data() + at, got + at, static_cast<size_t>(item_size)) == 0) continue;
    reading.first_difference = at / item_size;
    reading.wanted_bits = LowBits(wanted.data() + at, item_size);
    reading.got_bits = LowBits(got + at, item_size);
    return;
  }
}

}  // namespace dlpack_cts
