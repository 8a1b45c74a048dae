// fuzz/board.h: the memory that one job of a campaign shares with its supervisor, so that a crash loses nothing.
//
// The job writes it. A library may overwrite it, but the supervisor never reads outside of it.
#ifndef DLPACK_CTS_FUZZ_BOARD_H_
#define DLPACK_CTS_FUZZ_BOARD_H_

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "base/clock.h"

namespace dlpack_cts::fuzz {

enum class Stage : uint32_t {
  kStarting,   // the library is being imported
  kFuzzing,    //
  kReporting,  // a finding is being minimised and written
  kReported,   // its file is in OUT
  kDone,       // libFuzzer has ended by itself
};

struct Board {
  static constexpr size_t kRoom = size_t{1} << 16;

  std::atomic<Stage> stage;
  std::atomic<uint64_t> exchanges;  // finished ones
  std::atomic<uint64_t> known;      // those of them with a known deviation
  std::atomic<double> began;        // when the running exchange started; 0 between exchanges
  std::atomic<uint32_t> size;
  uint8_t input[kRoom];  // of the running exchange, or of the last one

  void Begin(std::span<const uint8_t> bytes) {
    const size_t kept = std::min(bytes.size(), kRoom);
    std::memcpy(input, bytes.data(), kept);
    size = static_cast<uint32_t>(kept);
    began = Now();
  }
  void End() {
    exchanges = exchanges + 1;
    began = 0;
  }
  std::span<const uint8_t> Input() const { return {input, std::min<size_t>(size, kRoom)}; }
};

static_assert(std::atomic<double>::is_always_lock_free && std::atomic<uint64_t>::is_always_lock_free);

}  // namespace dlpack_cts::fuzz

#endif  // DLPACK_CTS_FUZZ_BOARD_H_
