// harness/forge/arena.cc: reserves the memory, and keeps the access of every page in a table.
#include "harness/forge/arena.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/shortage.h"

namespace dlpack_cts::forge {
namespace {

struct ZoneShape {
  size_t bytes;
  Access access;
};

constexpr int kZones = static_cast<int>(Zone::kCount);
constexpr std::array<ZoneShape, kZones> kShapes = {{
    {kPage, Access::kReadWrite},           // kStruct
    {kPage, Access::kNone},                // kStructGuard
    {kMetadataBytes, Access::kReadWrite},  // kShape
    {kPage, Access::kNone},                // kShapeGuard
    {kMetadataBytes, Access::kReadWrite},  // kStrides
    {kPage, Access::kNone},                // kStridesGuard
    {kPage, Access::kNone},                // kDataFront
    {kDataBytes, Access::kReadWrite},      // kData
    {kPage, Access::kNone},                // kDataGuard
    {4 * kPage, Access::kNone},            // kUnmapped
    {kPage, Access::kReadWrite},           // kContext
    {2 * kPage, Access::kNone},            // kContextUnmapped
    {kFarBytes, Access::kRead},            // kFarFront
    {kDataBytes, Access::kReadWrite},      // kFarData
    {kPage, Access::kNone},                // kFarGuard
    {kPage, Access::kNone},                // kLargeFront
    {kLargeBytes, Access::kNone},          // kLarge
    {kPage, Access::kNone},                // kLargeGuard
    {kPage, Access::kRead},                // kTable
    {kPage, Access::kNone},                // kTableGuard
    {kPage, Access::kNone},                // kView
}};

/// Whether one entry of the table stands for all pages of the zone.
constexpr bool IsLump(Zone zone) { return zone == Zone::kFarFront || zone == Zone::kLarge; }

struct ZoneStart {
  size_t offset;  // from the start of the slot
  int entry;      // its first entry in the table
};

constexpr std::array<ZoneStart, kZones + 1> Starts() {
  std::array<ZoneStart, kZones + 1> starts{};
  for (int zone = 0; zone < kZones; ++zone) {
    const size_t bytes = kShapes[static_cast<size_t>(zone)].bytes;
    const bool lump = IsLump(static_cast<Zone>(zone));
    starts[static_cast<size_t>(zone) + 1] = {
        starts[static_cast<size_t>(zone)].offset + bytes,
        starts[static_cast<size_t>(zone)].entry + (lump ? 1 : static_cast<int>(bytes / kPage))};
  }
  return starts;
}
constexpr std::array<ZoneStart, kZones + 1> kStarts = Starts();
// An offer is aligned to at most one page, and to no more. Elements begin and end at odd page numbers, so that their
// distance from the guards does not depend on the address that the kernel returns. The scripts of harness/reproducer/
// do the same.
constexpr size_t kEven = 2 * kPage;
constexpr bool IsOdd(Zone zone) { return kStarts[static_cast<size_t>(zone)].offset % kEven == kPage; }
static_assert(IsOdd(Zone::kData) && IsOdd(Zone::kDataGuard) && IsOdd(Zone::kFarData) && IsOdd(Zone::kFarGuard));
static_assert(IsOdd(Zone::kLarge) && IsOdd(Zone::kLargeGuard));
constexpr size_t kSlotBytes = (kStarts[kZones].offset + kEven - 1) / kEven * kEven;

constexpr const ZoneShape& ShapeOf(Zone zone) { return kShapes[static_cast<size_t>(zone)]; }
constexpr const ZoneStart& StartOf(Zone zone) { return kStarts[static_cast<size_t>(zone)]; }

int Flags(Access access) {
  switch (access) {
    case Access::kNone:
      return PROT_NONE;
    case Access::kRead:
      return PROT_READ;
    case Access::kReadWrite:
      break;
  }
  return PROT_READ | PROT_WRITE;
}

[[noreturn]] void Refused() { StopForShortage("the memory for offered tensors cannot be reserved", errno); }

}  // namespace

Arena::Arena() : changed_{}, large_used_{} {
  static_assert(kStarts[kZones].entry <= kEntries);
  void* memory =
      mmap(nullptr, kSlotBytes * kSlots + kPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) Refused();
  base_ = static_cast<uint8_t*>(memory) + reinterpret_cast<uintptr_t>(memory) % kEven;
  for (int slot = 0; slot < kSlots; ++slot) {
    for (int z = 0; z < kZones; ++z) {
      const Zone zone = static_cast<Zone>(z);
      const Access access = ShapeOf(zone).access;
      std::fill(access_[slot] + StartOf(zone).entry, access_[slot] + kStarts[static_cast<size_t>(z) + 1].entry, access);
      if (access != Access::kNone && mprotect(Start(zone, slot), Size(zone), Flags(access)) != 0) Refused();
    }
  }
}

uint8_t* Arena::Start(Zone zone, int slot) const {
  return base_ + static_cast<size_t>(slot) * kSlotBytes + StartOf(zone).offset;
}

size_t Arena::Size(Zone zone) { return ShapeOf(zone).bytes; }

Place Arena::Find(uint64_t address) const {
  const uint64_t base = reinterpret_cast<uint64_t>(base_);
  if (address < base || address - base >= kSlotBytes * kSlots) return {false, Zone::kStruct, 0, 0};
  const uint64_t within = (address - base) % kSlotBytes;
  if (within >= kStarts[kZones].offset) return {false, Zone::kStruct, 0, 0};
  int zone = 0;
  while (kStarts[static_cast<size_t>(zone) + 1].offset <= within) ++zone;
  return {true, static_cast<Zone>(zone), static_cast<int>((address - base) / kSlotBytes),
          within - kStarts[static_cast<size_t>(zone)].offset};
}

int Arena::EntryOf(Zone zone, uint64_t offset) const {
  return StartOf(zone).entry + (IsLump(zone) ? 0 : static_cast<int>(offset / kPage));
}

bool Arena::Protect(uint8_t* start, size_t size, Access access) {
  if (size == 0) return true;
  const Place first = Find(reinterpret_cast<uint64_t>(start));
  const Place last = Find(reinterpret_cast<uint64_t>(start + size - 1));
  if (!first.inside || !last.inside || first.slot != last.slot) return false;
  Access* const from = access_[first.slot] + EntryOf(first.zone, first.offset);
  Access* const to = access_[first.slot] + EntryOf(last.zone, last.offset) + 1;
  // One entry stands for all pages of such a zone, so it says nothing about a single page.
  const auto holds = [&](Zone zone) { return first.zone <= zone && last.zone >= zone; };
  const bool lump = holds(Zone::kFarFront) || holds(Zone::kLarge);
  if (!lump && std::all_of(from, to, [access](Access has) { return has == access; })) return true;
  uint8_t* const page = start - first.offset % kPage;
  const size_t bytes = (static_cast<size_t>(start + size - page) + kPage - 1) / kPage * kPage;
  if (mprotect(page, bytes, Flags(access)) != 0) Refused();
  changed_[first.slot] = true;
  // Such a zone is kReadWrite as soon as one of its pages is. Restore() resets all of them.
  std::fill(from, to, access);
  return true;
}

bool Arena::Allows(uint64_t address, size_t size, Access access) const {
  if (size == 0) return true;
  const Place first = Find(address);
  if (!first.inside) return false;
  Place last = first;
  last.offset += size - 1;
  if (size > Size(first.zone) - first.offset) last = Find(address + size - 1);
  if (!last.inside || first.slot != last.slot || address + size < address) return false;
  const Access* const table = access_[first.slot];
  return std::all_of(table + EntryOf(first.zone, first.offset), table + EntryOf(last.zone, last.offset) + 1,
                     [access](Access has) { return has >= access; });
}

void Arena::Restore() {
  for (int slot = 0; slot < kSlots; ++slot) Restore(slot);
}

void Arena::Restore(int slot) {
  if (!changed_[slot]) return;
  for (int z = 0; z < kZones; ++z) {
    const Zone zone = static_cast<Zone>(z);
    const Access wanted = ShapeOf(zone).access;
    Access* const from = access_[slot] + StartOf(zone).entry;
    Access* const to = access_[slot] + kStarts[static_cast<size_t>(z) + 1].entry;
    if (std::all_of(from, to, [wanted](Access has) { return has == wanted; })) continue;
    if (mprotect(Start(zone, slot), Size(zone), Flags(wanted)) != 0) Refused();
    // The next offer must not read what was written there.
    if (zone == Zone::kFarFront) madvise(Start(zone, slot), Size(zone), MADV_DONTNEED);
    std::fill(from, to, wanted);
  }
  if (large_used_[slot]) madvise(Start(Zone::kLarge, slot), kLargeBytes, MADV_DONTNEED);
  large_used_[slot] = false;
  changed_[slot] = false;
}

bool Arena::OpenLarge(int slot) {
  large_used_[slot] = true;
  return Protect(Start(Zone::kLarge, slot), kLargeBytes, Access::kReadWrite);
}

}  // namespace dlpack_cts::forge
