// harness/judge/way.cc: each way with what shows that a library left it.
#include "harness/judge/way.h"

#include <algorithm>
#include <string>

#include "harness/judge/freedom_list.h"

namespace dlpack_cts {
namespace {

/// The step that fills the slot from an offer, in the manner of the probes; NULL where the array came otherwise, as
/// through the exchange table, whose ways may be others.
const Step* ImportOf(const Exchange& x, int slot) {
  if (x.recipe.kind != RecipeKind::kImport) return nullptr;
  const bool bare = x.profile.Says(Trait::kCapsulesOnly) || x.profile.bare_legacy != 0 || x.profile.bare_versioned != 0;
  for (const Step& step : x.recipe.life()) {
    if (step.slot != slot) continue;
    if (step.op == Op::kImport || (bare && step.op == Op::kImportCapsule)) return &step;
  }
  return nullptr;
}

/// Both took a tensor of some elements, and nothing was said of copies. What is large may be treated otherwise, and no
/// probe asks.
bool TookPlainly(const Exchange& x, int slot) {
  const Step* const step = ImportOf(x, slot);
  if (step == nullptr || x.recipe.offer(step->block).large != 0) return false;
  const ImportLedger& ours = x.reference.imports[slot];
  return Accepted(x.subject.imports[slot].import) && Accepted(ours.import) &&
         !HasNoElements(ours.result.shape, ours.result.ndim) && !AsksForCopy(x.recipe, ArgumentKind::kFalse) &&
         !AsksForCopy(x.recipe, ArgumentKind::kTrue);
}

bool TookCapsule(const Exchange& x, int slot) {
  const NameSeen name = x.subject.imports[slot].name_after;
  return TookPlainly(x, slot) && (name == NameSeen::kUsedLegacy || name == NameSeen::kUsedVersioned);
}

bool SharesMemory(const Exchange& x, int slot) {
  return TookPlainly(x, slot) && x.reference.imports[slot].Aliases() && x.subject.imports[slot].Aliases();
}

bool IsWritable(const Exchange& x, int slot) {
  return TookPlainly(x, slot) && x.reference.imports[slot].result.writable == Answer::kYes &&
         x.subject.imports[slot].result.writable == Answer::kYes;
}

bool LeavesTheDestructor(const Exchange& x, int slot) {
  if (!TookCapsule(x, slot) || x.subject.imports[slot].capsule_destructor_changed != 0) return false;
  return x.recipe.offer(ImportOf(x, slot)->block).destructor == DestructorKind::kReleases;
}

bool UsesAConstantName(const Exchange& x, int slot) {
  return TookCapsule(x, slot) && x.subject.imports[slot].used_name_storage == NameStorage::kStatic;
}

/// Both gave a capsule of an array of their own. What was imported may be passed on as it came.
bool GaveCapsules(const Exchange& x, int slot) {
  const auto life = x.recipe.life();
  const bool exported = std::any_of(life.begin(), life.end(),
                                    [&](const Step& step) { return step.op == Op::kExport && step.slot == slot; });
  return exported && x.recipe.kind == RecipeKind::kExport && x.subject.exports[slot].struct_address != 0 &&
         x.reference.exports[slot].struct_address != 0;
}

bool GivesVersionedStructs(const Exchange& x, int slot) {
  return GaveCapsules(x, slot) && x.reference.exports[slot].versioned != 0 && x.subject.exports[slot].versioned != 0;
}

bool DeclaresTheSameMinor(const Exchange& x, int slot) {
  if (!GivesVersionedStructs(x, slot)) return false;
  const abi::DLPackVersion subject = x.subject.exports[slot].version;
  return subject.major == 1 && subject.minor == x.reference.exports[slot].version.minor;
}

bool HasAConstantName(const Exchange& x, int slot) {
  return GaveCapsules(x, slot) && x.subject.exports[slot].name_storage == NameStorage::kStatic;
}

constexpr Way kWays[] = {
    {"copies-imports", Side::kImport, "importS.aliases", "0, as in every default exchange", SharesMemory},
    {"imports-read-only", Side::kImport, "importS.writable", "0, as in every default exchange", IsWritable},
    {"clears-destructors", Side::kImport, "importS.capsule_destructor_changed", "1, as in every default exchange",
     LeavesTheDestructor},
    {"stores-names-elsewhere", Side::kImport, "importS.used_name_storage",
     "non-static memory, as in every default exchange", UsesAConstantName},
    {"gives-legacy-structs", Side::kExport, "exportS.versioned", "0, as in every default exchange",
     GivesVersionedStructs},
    {"declares-another-minor", Side::kExport, "exportS.version", "another minor version, as in every default exchange",
     DeclaresTheSameMinor},
    {"stores-capsule-names-elsewhere", Side::kExport, "exportS.name_storage",
     "non-static memory, as in every default exchange", HasAConstantName},
};

}  // namespace

std::span<const Way> Ways() { return kWays; }

const Way* WayOf(std::string_view freedom) {
  const auto* const found =
      std::find_if(std::begin(kWays), std::end(kWays), [&](const Way& way) { return way.freedom == freedom; });
  return found == std::end(kWays) ? nullptr : found;
}

int RowOf(const Way& way, int slot) {
  std::string key(way.fact);
  key[key.find('S')] = static_cast<char>('0' + slot);
  return FactIndex(key);
}

}  // namespace dlpack_cts
