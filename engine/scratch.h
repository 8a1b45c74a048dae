// engine/scratch.h: room for the elements that are expected and those that were read.
#ifndef DLPACK_CTS_ENGINE_SCRATCH_H_
#define DLPACK_CTS_ENGINE_SCRATCH_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "harness/ledger/ledger.h"
#include "harness/recipe/normalize.h"

namespace dlpack_cts {

/// Scratch memory of one engine: expected and seen elements. Too large for the stack, too hot for the heap.
class Scratch {
 public:
  Scratch() = default;
  ~Scratch() { Shrink(); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  /// Room for the elements of offers and requests; a large one's is mapped here and given back by Shrink().
  void Fit(bool large);
  void Shrink() { Fit(false); }

  std::span<uint8_t> wanted{small_wanted_};
  std::span<uint8_t> got{small_got_};

 private:
  static constexpr size_t kFactor = 2;  // broadcast layouts have more elements than memory
  std::array<uint8_t, kDataCapacity * kFactor> small_wanted_;
  std::array<uint8_t, kDataCapacity * kFactor> small_got_;
  uint8_t* large_ = nullptr;  // both, one behind the other
};

/// What a library's `bytes` bytes are against what the recipe says. Another number of bytes is kWrongCount.
void CompareElements(std::span<const uint8_t> wanted, const uint8_t* got, int64_t bytes, int64_t item_size,
                     ElementReading& reading);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_ENGINE_SCRATCH_H_
