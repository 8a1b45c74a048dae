// harness/forge/locate.cc: describes an address without depending on where the forge's memory is.
#include "harness/forge/state.h"

namespace dlpack_cts {
namespace forge {
namespace {

bool InElements(const Slot& slot, uint64_t address) {
  if (!slot.live) return false;
  if (slot.plan.begin == slot.plan.end) return address == slot.plan.begin;
  return address >= slot.plan.begin && address < slot.plan.end;
}

Area AreaOf(const Slot& slot, Zone zone, uint64_t address) {
  switch (zone) {
    case Zone::kDataFront:
    case Zone::kDataGuard:
    case Zone::kFarGuard:
      return Area::kGuard;
    case Zone::kData:
    case Zone::kUnmapped:
    case Zone::kFarFront:
    case Zone::kFarData:
      if (InElements(slot, address)) return Area::kData;
      return address < slot.plan.begin ? Area::kFront : Area::kBehind;
    default:
      return Area::kMetadata;
  }
}

}  // namespace

Location LocateIn(const ForgeState& state, int index, uint64_t address) {
  const auto from = [&](Area area, int owner) {
    Location found{};
    found.area = area;
    found.other = static_cast<uint8_t>(owner == index ? 0 : 1 + owner);
    if (area != Area::kMetadata) found.offset = static_cast<int64_t>(address - state.slots[owner].plan.element0);
    return found;
  };
  if (InElements(state.slots[index], address)) return from(Area::kData, index);
  const Place place = state.arena.Find(address);
  if (place.inside && state.slots[place.slot].live) {
    return from(AreaOf(state.slots[place.slot], place.zone, address), place.slot);
  }
  Location nowhere{};
  nowhere.area = address == 0 ? Area::kNull : Area::kElsewhere;
  return nowhere;
}

}  // namespace forge

Location Forge::Locate(int slot, uint64_t address) const {
  const forge::Locked locked(state_->lock);
  return forge::LocateIn(*state_, slot, address);
}

}  // namespace dlpack_cts
