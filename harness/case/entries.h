// harness/case/entries.h: the entry of a consumer that the imports of a recipe go through.
#ifndef DLPACK_CTS_HARNESS_CASE_ENTRIES_H_
#define DLPACK_CTS_HARNESS_CASE_ENTRIES_H_

#include <cstdint>

#include "harness/case/case.h"
#include "harness/case/profile.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// If the types of the producers have a table, and the adapter has from_exchange, imports through that.
void ImportByTable(const Profile& profile, Recipe& recipe);

/// The same for half of the recipes, by their seed. So both entries of a library are judged.
inline void SometimesImportByTable(const Profile& profile, Recipe& recipe) {
  if (recipe.offer().seed % 2 == 0) ImportByTable(profile, recipe);
}

/// The entries of a consumer.
enum class EntryPoint : uint8_t {
  kObject,       // from_dlpack of a producer
  kBareCapsule,  // from_dlpack of a capsule
  kGivenTable,   // from_dlpack of a producer whose type has an exchange table
  kOwnTable,     // managed_tensor_to_py_object_no_sync of the library's own exchange table
  kCount,
};

/// Imports through that entry. A recipe that cannot use it, or whose library does not have it, stays as it is.
void ImportThrough(EntryPoint entry, Draw& draw, Recipe& recipe);

/// Sometimes imports through another entry that the library has.
void ThroughAnyEntry(Draw& draw, Recipe& recipe);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_CASE_ENTRIES_H_
