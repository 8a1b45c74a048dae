// fuzz/board.h: what one job of a campaign shares with its supervisor, so that its death loses nothing.
//
// Lies in memory that both have mapped. The job writes; whatever a library scribbles over it, the supervisor reads
// nothing outside of it.
#ifndef DLPACK_CTS_FUZZ_BOARD_H_
#define DLPACK_CTS_FUZZ_BOARD_H_

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <span>

namespace dlpack_cts {

enum class Stage : uint32_t {
  kStarting,   // the library is being imported
  kFuzzing,    //
  kReporting,  // a finding is being shrunk and written
  kReported,   // its file lies in OUT
  kDone,       // libFuzzer left by itself
};

/// Seconds of a clock that is never set back.
inline double Now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

struct Board {
  static constexpr size_t kRoom = size_t{1} << 16;

  std::atomic<Stage> stage;
  std::atomic<uint64_t> exchanges;  // that ended
  std::atomic<uint64_t> known;      // of these, with a known deviation
  std::atomic<double> began;        // when the exchange that runs now began; 0 between two
  std::atomic<uint32_t> size;
  uint8_t input[kRoom];  // of the exchange that runs, or ran last

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

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_FUZZ_BOARD_H_
