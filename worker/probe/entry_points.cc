// worker/probe/entry_points.cc: the table of the entry points, and how an exchange runs through each.
#include "worker/probe/entry_points.h"

namespace dlpack_cts::worker {
namespace {

constexpr EntryPoint kEntries[] = {
    {Entry::kObject, "import-object", Side::kImport, "from_dlpack refuses tensors",
     "from_dlpack refuses copy=True for tensors", "import_tensor refuses tensors"},
    {Entry::kCapsule, "import-capsule", Side::kImport, "from_dlpack refuses bare capsules of tensors"},
    {Entry::kExport, "export", Side::kExport, "__dlpack__ raises an exception for arrays",
     "__dlpack__ refuses copy=True for arrays", "export_tensor refuses arrays"},
    {Entry::kTableImport, "table-import", Side::kImport, "managed_tensor_to_py_object_no_sync fails for tensors"},
    {Entry::kTableExport, "table-export", Side::kExport, "managed_tensor_from_py_object_no_sync fails for arrays"},
    {Entry::kTableView, "table-view", Side::kExport, "dltensor_from_py_object_no_sync fails for arrays"},
    {Entry::kTableAllocate, "table-allocate", Side::kExport, "managed_tensor_allocator fails for arrays"},
    {Entry::kPair, "pair", Side::kExport, "the consumer refuses arrays of the producer"},
};

}  // namespace

std::span<const EntryPoint> AllEntryPoints() { return kEntries; }

bool EntryPoints::IsOpen(Entry entry) {
  const auto known = open_.find(entry);
  if (known != open_.end()) return known->second;
  open_[entry] = IsTried(entry) && Accepts(entry, Simple(entry));
  return open_[entry];
}

bool EntryPoints::IsTried(Entry entry) const {
  if ((profile_.is_pair != 0) != IsOfPair(entry)) return false;
  const bool imports = profile_.Claims(Claim::kConsumer) && profile_.import_kills == 0;
  const bool exports = profile_.Claims(Claim::kProducer) && profile_.export_kills == 0;
  const bool tables = profile_.Claims(Claim::kExchangeApi) && exports;
  switch (entry) {
    case Entry::kObject:
      return imports && !profile_.Says(Trait::kCapsulesOnly);
    case Entry::kCapsule:
      return imports && profile_.Claims(Claim::kCapsuleInput);
    case Entry::kExport:
      return exports;
    case Entry::kTableImport:
      return tables && imports;
    case Entry::kPair:
      return imports && exports;
    default:
      return tables;
  }
}

Recipe EntryPoints::Simple(Entry entry) const {
  Recipe recipe = Plain();
  switch (entry) {
    case Entry::kObject:
    case Entry::kCapsule:
      return recipe;
    case Entry::kTableImport:
      recipe = From().PlainImport(StructKind::kVersioned);
      recipe.request() = From().PlainRequest();
      SetLife(recipe, {Op::kMake, Op::kTableImport, Op::kDescribe, Op::kDropArray, Op::kCollect});
      return recipe;
    default:
      break;
  }
  recipe = PlainExport();
  if (entry == Entry::kPair) {
    SetLife(recipe, {Op::kMake, Op::kImportSource, Op::kDescribe, Op::kDropArray, Op::kDropSource});
    recipe.call() = {};  // from_dlpack calls the producer itself
    return recipe;
  }
  if (profile_.takes_keywords != 0) recipe.call().max_version = kNewestVersion;
  if (entry == Entry::kTableExport) SetLife(recipe, {Op::kMake, Op::kTableExport, Op::kInspect, Op::kDelete});
  if (entry == Entry::kTableView) SetLife(recipe, {Op::kMake, Op::kTableView, Op::kInspect});
  if (entry == Entry::kTableAllocate) SetLife(recipe, {Op::kMake, Op::kTableAllocate, Op::kDelete});
  return recipe;
}

bool EntryPoints::Copies(Entry entry) {
  const auto known = copies_.find(entry);
  if (known != copies_.end()) return known->second;
  Recipe recipe = Simple(entry);
  recipe.call().copy.kind = ArgumentKind::kTrue;
  copies_[entry] = Accepts(entry, recipe);
  return copies_[entry];
}

const Refusal& EntryPoints::Through(Entry entry, Recipe recipe) {
  if (entry == Entry::kObject || entry == Entry::kCapsule) {
    Profile as_object = profile_;
    as_object.bare_legacy = as_object.bare_versioned = 0;
    as_object.null_ranks = 0;
    as_object.takes_last_extents = as_object.makes_last_extents = 0;
    as_object.unit_extents = UnitExtents::kTaken;
    FollowWays(as_object, recipe);
    for (Step& step : recipe.life()) {
      if (step.op == Op::kImport && entry == Entry::kCapsule) step.op = Op::kImportCapsule;
    }
  }
  Run(recipe);
  const bool imports =
      entry == Entry::kObject || entry == Entry::kCapsule || entry == Entry::kTableImport || entry == Entry::kPair;
  return imports ? crash_record_.ledger.imports[0].import : crash_record_.ledger.exports[0].export_call;
}

bool EntryPoints::IsExported(const Change& change) {
  Recipe recipe = Simple(Entry::kExport);
  Recipe control = recipe;
  return ChangeRequest(change, profile_, recipe, control) && Accepts(Entry::kExport, recipe);
}

bool EntryPoints::IsOfThisEntry(Entry entry, const Change& change) {
  if (IsOfPair(entry)) return IsExported(change);
  const bool capsule = entry == Entry::kCapsule || entry == Entry::kTableImport;
  if (entry == Entry::kObject || entry == Entry::kExport) return true;
  const Entry simpler = capsule ? Entry::kObject : Entry::kExport;
  if (!IsOpen(simpler)) return true;
  Recipe recipe = Simple(simpler);
  Recipe control = recipe;
  return !Apply(capsule ? Side::kImport : Side::kExport, change, recipe, control) || Accepts(simpler, recipe);
}

}  // namespace dlpack_cts::worker
