// reference/close.cc: closes an array, so that its elements can be freed before the array is destroyed.
#include <cstdlib>

#include "reference/array.h"

namespace dlpack_cts {
namespace {

const CloseSteps& Steps() { return ActiveBehaviour().closing; }

/// Nothing is left to close. Mutants release once more.
bool CloseAgain(Array& array, const Occasion& occasion, Denial* denial) {
  if (Holds(Steps().again_crashes, occasion)) std::abort();
  if (array.owner != nullptr && Holds(Steps().again_releases, occasion)) {
    array.owner->killed = false;
    array.owner->Kill();
  }
  if (!Holds(Steps().again_refused, occasion)) return true;
  *denial = {kPathPolite, "the array is closed", false};
  return false;
}

/// The defects of a close. False if the array lets go of its elements as a correct one does.
bool DistortClose(Array& array, const Occasion& occasion) {
  const std::shared_ptr<Owner> owner = array.owner;
  if (Holds(Steps().frees_latest, occasion)) {
    if (const std::shared_ptr<Owner> latest = array.library.latest_owner.lock()) latest->Kill();
  }
  if (Holds(Steps().waits, occasion)) return true;
  if (owner == nullptr) return false;
  if (Holds(Steps().leaks, occasion)) new std::shared_ptr<Owner>(owner);  // never freed
  if (Holds(Steps().frees_shared, occasion) || Holds(Steps().closes_views, occasion)) owner->Kill();
  if (Holds(Steps().releases_twice, occasion)) {
    owner->Kill();
    owner->killed = false;
  }
  if (!Holds(Steps().again_releases, occasion) || array.owner.use_count() > 2) return false;
  owner->Kill();
  return true;
}

}  // namespace

bool CloseArray(Array& array, Denial* denial) {
  const Occasion occasion = OccasionOf(array, true, -1);
  if (array.closed) return CloseAgain(array, occasion, denial);
  const bool shared = array.owner != nullptr && array.owner.use_count() > 1;
  const bool exported = array.owner != nullptr && array.owner->exports > 0;
  if ((shared && Holds(Steps().refuses_shared, occasion)) || (exported && Holds(Steps().refuses_exported, occasion))) {
    *denial = {kPathPolite, "views or exports of the array exist"};
    return false;
  }
  array.closed = true;
  if (array.owner != nullptr) array.owner->closed = true;
  if (!Holds(Steps().stays_usable, occasion)) array.denial = {kPathPolite, "the array is closed"};
  if (DistortClose(array, occasion)) return true;
  if (array.owner != nullptr && Holds(Steps().stays_usable, occasion)) array.owner->scrub = true;
  array.owner.reset();
  array.resolved.reset();
  if (!Holds(Steps().stays_usable, occasion)) array.first = array.base = nullptr;
  return true;
}

bool IsClosedWithOthers(const Array& array) {
  return array.owner != nullptr && array.owner->killed && Holds(Steps().closes_views, OccasionOf(array, true, -1));
}

void EndExportOfClosed(Owner& owner, const Occasion& occasion) {
  if (owner.closed && Holds(Steps().frees_with_first_export, occasion)) owner.Kill();
}

}  // namespace dlpack_cts
