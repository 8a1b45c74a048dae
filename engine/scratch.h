// engine/scratch.h: memory for expected elements and for elements that were read.
#ifndef DLPACK_CTS_ENGINE_SCRATCH_H_
#define DLPACK_CTS_ENGINE_SCRATCH_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "harness/ledger/record.h"
#include "harness/recipe/normalize.h"

namespace dlpack_cts {

/// Scratch memory of one engine for expected and read elements. Too large for the stack, too often used for malloc.
class Scratch {
 public:
  Scratch() = default;
  ~Scratch() { Shrink(); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  /// Makes room for the elements of offers and requests. Room for large ones is mapped here, and freed by Shrink().
  void Fit(bool large);
  void Shrink() { Fit(false); }

  std::span<uint8_t> wanted{small_wanted_};
  std::span<uint8_t> got{small_got_};

 private:
  static constexpr size_t kFactor = 2;  // broadcast layouts have more elements than memory
  std::array<uint8_t, kDataCapacity * kFactor> small_wanted_;
  std::array<uint8_t, kDataCapacity * kFactor> small_got_;
  uint8_t* large_ = nullptr;  // both parts, one after the other
};

/// Compares `bytes` bytes that a library returned with the expected elements. Another number of bytes is kWrongCount.
void CompareElements(std::span<const uint8_t> wanted, const uint8_t* got, int64_t bytes, int64_t item_size,
                     ElementReading& reading);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_ENGINE_SCRATCH_H_
