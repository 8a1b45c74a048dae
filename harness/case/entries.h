// harness/case/entries.h: the entry of a consumer that the imports of a recipe go through.
#ifndef DLPACK_CTS_HARNESS_CASE_ENTRIES_H_
#define DLPACK_CTS_HARNESS_CASE_ENTRIES_H_

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

/// Sometimes imports through another entry that the library has: a bare capsule, a table of the producer, or the
/// function of the library's own exchange table.
void ThroughAnyEntry(Draw& draw, Recipe& recipe);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_CASE_ENTRIES_H_
