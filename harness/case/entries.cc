// harness/case/entries.cc: the entry of a consumer that the imports of a recipe go through.
#include "harness/case/entries.h"

namespace dlpack_cts {
namespace {

/// from_exchange has no keywords.
bool HasNoKeywords(const Call& call) {
  return call.copy.kind == ArgumentKind::kAbsent && call.dl_device.kind == ArgumentKind::kAbsent;
}

}  // namespace

void ImportByTable(const Profile& profile, Recipe& recipe) {
  const TableAttribute attribute = recipe.table.attribute;
  // from_exchange need not import an object whose type has no table.
  const bool tabled = attribute != TableAttribute::kNone && attribute != TableAttribute::kOnObject;
  if (!tabled || !profile.Claims(Claim::kFromExchange)) return;
  for (Step& step : recipe.life()) {
    if (step.op == Op::kImport && HasNoKeywords(recipe.call(step.call))) step.op = Op::kImportByTable;
  }
}

}  // namespace dlpack_cts
