// harness/forge/arena.h: the forge's memory map, and who may touch which page of it at the moment.
//
// One reservation holds the same zones for every slot. A zone that ends where memory must end is followed by a guard
// zone that is never accessible by default, so that a step too far is a fault with a name.
#ifndef DLPACK_CTS_HARNESS_FORGE_ARENA_H_
#define DLPACK_CTS_HARNESS_FORGE_ARENA_H_

#include <cstddef>
#include <cstdint>

#include "harness/recipe/normalize.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts::forge {

inline constexpr size_t kPage = 4096;
inline constexpr size_t kMetadataBytes = 3 * kPage;              // entries for a declared ndim of up to 1536
inline constexpr size_t kDataBytes = kDataCapacity + 4 * kPage;  // room for an alignment of 4096 and no more
inline constexpr size_t kLargeBytes = kLargeCapacity + 4 * kPage;
inline constexpr size_t kFarBytes = (size_t{4} << 30) + (size_t{256} << 20);  // in front of far data; never touched

enum class Zone : uint8_t {
  kStruct,
  kStructGuard,
  kShape,
  kShapeGuard,
  kStrides,
  kStridesGuard,
  kDataFront,  // the guard in front of the data
  kData,
  kDataGuard,
  kUnmapped,  // what Placement::kUnmapped points to
  kContext,
  kContextUnmapped,
  kFarFront,  // readable zeros
  kFarData,
  kFarGuard,
  kLargeFront,  // the guards around data of more than kDataCapacity, as those of kData
  kLarge,       // opened when an offer needs it, and given back
  kLargeGuard,
  kTable,  // a table of the C exchange API; only the forge writes there
  kTableGuard,
  kView,  // shape and strides of a DLTensor without a manager, until control returns to its producer
  kCount,
};

enum class Access : uint8_t { kNone, kRead, kReadWrite };

/// Where an address lies.
struct Place {
  bool inside;  // in the forge's memory at all
  Zone zone;
  int slot;
  uint64_t offset;  // from the start of the zone
};

class Arena {
 public:
  /// Reserves the memory. Aborts with a message if that fails.
  Arena();

  uint8_t* Start(Zone zone, int slot) const;
  uint8_t* End(Zone zone, int slot) const { return Start(zone, slot) + Size(zone); }
  static size_t Size(Zone zone);

  Place Find(uint64_t address) const;

  /// Opens the zone's large data, whose pages are zero then. False when the kernel refuses.
  bool OpenLarge(int slot);

  /// Changes the access of the pages that hold [start, start + size). Only pages that differ cost a system call. False
  /// when the kernel refuses. Async-signal-safe.
  bool Protect(uint8_t* start, size_t size, Access access);
  /// True when all of [address, address + size) lies in the arena with at least that access.
  bool Allows(uint64_t address, size_t size, Access access) const;
  /// Gives every page, or every page of a slot, its own access again, and the kernel the large data. Free when nothing
  /// was changed.
  void Restore();
  void Restore(int slot);

 private:
  static constexpr int kEntries =
      68;  // of one slot: a page each, but one for all of kFarFront and one for all of kLarge

  int EntryOf(Zone zone, uint64_t offset) const;

  uint8_t* base_;
  Access access_[kSlots][kEntries];
  bool changed_[kSlots];
  bool large_used_[kSlots];
};

}  // namespace dlpack_cts::forge

#endif  // DLPACK_CTS_HARNESS_FORGE_ARENA_H_
