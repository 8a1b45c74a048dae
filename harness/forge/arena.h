// harness/forge/arena.h: the memory of the forge: its zones, and the access of each page.
//
// One reservation holds the same zones for every slot. A guard zone, which is not accessible by default, follows each
// zone whose end matters. So an access beyond the end is a fault, and the zone names it.
#ifndef DLPACK_CTS_HARNESS_FORGE_ARENA_H_
#define DLPACK_CTS_HARNESS_FORGE_ARENA_H_

#include <cstddef>
#include <cstdint>

#include "harness/recipe/normalize.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts::forge {

inline constexpr size_t kPage = 4096;
inline constexpr size_t kMetadataBytes = 3 * kPage;              // room for an ndim of up to 1536
inline constexpr size_t kDataBytes = kDataCapacity + 4 * kPage;  // room for an alignment of 4096 bytes
inline constexpr size_t kLargeBytes = kLargeCapacity + 4 * kPage;
inline constexpr size_t kFarBytes = (size_t{4} << 30) + (size_t{256} << 20);  // before the far data; never written

enum class Zone : uint8_t {
  kStruct,
  kStructGuard,
  kShape,
  kShapeGuard,
  kStrides,
  kStridesGuard,
  kDataFront,  // the guard before the data
  kData,
  kDataGuard,
  kUnmapped,  // where Placement::kUnmapped points to
  kContext,
  kContextUnmapped,
  kFarFront,  // readable zeros
  kFarData,
  kFarGuard,
  kLargeFront,  // guards around data of more than kDataCapacity bytes, like those of kData
  kLarge,       // mapped when an offer needs it, and freed afterwards
  kLargeGuard,
  kTable,  // an exchange table; only the forge writes to it
  kTableGuard,
  kView,  // shape and strides of a borrowed DLTensor, until control returns to its producer
  kCount,
};

enum class Access : uint8_t { kNone, kRead, kReadWrite };

/// The position of an address.
struct Place {
  bool inside;  // in the forge's memory
  Zone zone;
  int slot;
  uint64_t offset;  // in bytes from the start of the zone
};

class Arena {
 public:
  /// Reserves the memory. Aborts with a message if that fails.
  Arena();

  uint8_t* Start(Zone zone, int slot) const;
  uint8_t* End(Zone zone, int slot) const { return Start(zone, slot) + Size(zone); }
  static size_t Size(Zone zone);

  Place Find(uint64_t address) const;

  /// Maps the large data of the slot, filled with zeros. False if the kernel refuses.
  bool OpenLarge(int slot);

  /// Changes the access of the pages that contain [start, start + size). Makes a system call only if pages differ.
  /// False if the kernel refuses. Async-signal-safe.
  bool Protect(uint8_t* start, size_t size, Access access);
  /// Whether all of [address, address + size) lies in the arena and allows at least that access.
  bool Allows(uint64_t address, size_t size, Access access) const;
  /// Resets the access of every page, or of every page of a slot, and frees the large data. Costs nothing if nothing
  /// was changed.
  void Restore();
  void Restore(int slot);

 private:
  static constexpr int kEntries =
      68;  // of one slot: one per page, but one for all of kFarFront and one for all of kLarge

  int EntryOf(Zone zone, uint64_t offset) const;

  uint8_t* base_;
  Access access_[kSlots][kEntries];
  bool changed_[kSlots];
  bool large_used_[kSlots];
};

}  // namespace dlpack_cts::forge

#endif  // DLPACK_CTS_HARNESS_FORGE_ARENA_H_
