// worker/probe/limit_changes.h: the values of properties that a library may not support, one change of a simple
// exchange each.
#ifndef DLPACK_CTS_WORKER_PROBE_LIMIT_CHANGES_H_
#define DLPACK_CTS_WORKER_PROBE_LIMIT_CHANGES_H_

#include <cstdint>
#include <span>
#include <string>

#include "base/terms.h"
#include "harness/case/profile.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts::worker {

enum class Changed : uint8_t {
  kDims,
  kDtype,
  kLayout,
  kUnitExtent,
  kLastExtent,
  kSize,
  kStrides,
  kOffset,
  kReadOnly,
  kAlignment,
  kStruct,
  kKeyword,
  // The others combine two (combined_changes.h).
  kEmptyDims,
  kEmptyRows,
  kCopyOf,
  kKeywordAlone
};

/// Last extents that are tried where a tensor or an array of that rank is refused.
inline constexpr int64_t kLastExtents[] = {1, 2, 3, 4};

/// One value of one property.
struct Change {
  Changed property;
  int number;  // dimensions; an index into DataTypes(); a Layout; an extent; log2 of an alignment; a StructKind; ...
  std::string id;              // "dims"
  std::string value;           // "0"
  std::string words;           // "with ndim 0": ends with the value
  const Change* of = nullptr;  // what a combined change adds to
};

/// All changes of one property, those of one property next to each other.
std::span<const Change> AllChanges();

/// Whether library.toml excludes the value for imports or exports, or the probes know that it crashes.
bool IsDeclared(const Change& change, Side side, const Profile& profile);

/// The simplest shape of that rank.
void SetRank(int dims, Offer& offer);
void SetRank(int dims, Request& request);

/// Strides of that layout for (2, 3) or (6,). False if so few dimensions cannot have it.
bool StridesOf(int layout, int dims, int64_t* strides);

/// Changes the offer of a simple import. `control` gets the same without the value. False if the import cannot have it.
bool ChangeOffer(const Change& change, const Profile& profile, Recipe& recipe, Recipe& control);

/// The same of the request of a simple export.
bool ChangeRequest(const Change& change, const Profile& profile, Recipe& recipe, Recipe& control);

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_PROBE_LIMIT_CHANGES_H_
