// harness/case/keywords.cc: draws keywords that a case does not test.
#include "harness/case/keywords.h"

#include "harness/recipe/dtypes.h"

namespace dlpack_cts {
namespace {

/// Whether versioned structs alone have the type.
bool IsNewType(abi::DLDataType dtype) {
  dtype.lanes = 1;
  const int index = DataTypeIndex(dtype);
  return index >= 0 && DataTypes()[static_cast<size_t>(index)].since > 0;
}

}  // namespace

void AddKeywords(Draw& draw, Recipe& recipe) {
  constexpr ArgumentKind kCopies[] = {ArgumentKind::kAbsent, ArgumentKind::kNone, ArgumentKind::kTrue,
                                      ArgumentKind::kFalse};
  constexpr Argument kDevices[] = {{}, {ArgumentKind::kNone, {}, 0, 0}, {ArgumentKind::kPair, {}, abi::kDLCPU, 0}};
  if (draw.profile.takes_keywords == 0 || !draw.profile.Claims(Claim::kPython) || draw.Pick(2) != 0) return;
  Call& call = recipe.call();
  if (call.copy.kind == ArgumentKind::kAbsent) call.copy.kind = kCopies[draw.Pick(4)];
  call.dl_device = kDevices[draw.Pick(3)];
}

void AskForVersioned(const Draw& draw, Recipe& recipe) {
  const bool exports = recipe.kind == RecipeKind::kExport;
  const bool is_new = IsNewType(exports ? recipe.request().dtype : recipe.offer().dtype);
  const bool may_be_read_only = !exports && recipe.offer().kind == StructKind::kLegacy;
  if ((is_new || may_be_read_only) && draw.profile.takes_keywords != 0) recipe.call().max_version = kNewestVersion;
}

void RequestLegacyType(const Draw& draw, Recipe& recipe) {
  if (IsNewType(recipe.request().dtype)) recipe.request().dtype = draw.PlainRequest().dtype;
}

}  // namespace dlpack_cts
