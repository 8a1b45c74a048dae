// results/hang_table.h: what all workers of one library know about its hangs: memory that they share with the driver.
#ifndef DLPACK_CTS_RESULTS_HANG_TABLE_H_
#define DLPACK_CTS_RESULTS_HANG_TABLE_H_

#include <atomic>
#include <cstdint>
#include <string>

namespace dlpack_cts {

/// Starts as zeros. Workers learn from each other, so that one hang does not cost each of them its time limit.
struct HangTable {
  static constexpr int kSteps = 256;

  std::atomic<int32_t> limits;         // time limits that passed in full
  std::atomic<int32_t> too_short;      // short limits that ended an exchange which was only slow
  std::atomic<uint8_t> hangs[kSteps];  // 1: an exchange hung in that operation
};
static_assert(std::atomic<int32_t>::is_always_lock_free && std::atomic<uint8_t>::is_always_lock_free);

/// The table of one library, in the driver.
class HangMemory {
 public:
  HangMemory();
  ~HangMemory();
  HangMemory(const HangMemory&) = delete;
  HangMemory& operator=(const HangMemory&) = delete;

  /// A path at which a worker opens the table. Empty if the system has no memory for it.
  std::string path() const;
  int limits() const { return table_ == nullptr ? 0 : table_->limits.load(); }

 private:
  int fd_;
  HangTable* table_ = nullptr;
};

/// The table at that path. If it cannot be opened, or for an empty path: a table of this process alone. Children that
/// this process forks do not have it. NULL if there is no memory.
HangTable* MapHangTable(const std::string& path);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_RESULTS_HANG_TABLE_H_
