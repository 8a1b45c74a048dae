// harness/case/entries.cc: the entry of a consumer that the imports of a recipe go through.
#include "harness/case/entries.h"

#include <algorithm>
#include <array>
#include <span>

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

void ThroughAnyEntry(Draw& draw, Recipe& recipe) {
  const Profile& profile = draw.profile;
  const bool versioned = recipe.offer().kind == StructKind::kVersioned;
  const int entry = draw.Pick(6);
  if (entry == 0 && profile.Claims(Claim::kCapsuleInput) && HasNoKeywords(recipe.call())) {
    for (Step& step : recipe.life()) step.op = step.op == Op::kImport ? Op::kImportCapsule : step.op;
  } else if (entry == 1 && versioned && profile.looks_for_tables != 0) {
    recipe.table.attribute = TableAttribute::kCapsule;
    recipe.table.version = {1, 3};
  } else if (entry == 2 && versioned && profile.Claims(Claim::kExchangeApi) && profile.Claims(Claim::kProducer)) {
    std::array<Step, kSteps> life;
    const auto count = static_cast<size_t>(recipe.used.steps);
    std::copy_n(recipe.steps, count, life.begin());
    recipe.request() = draw.PlainRequest();
    recipe.call() = {};
    SetLife(recipe, {Op::kMake});
    for (Step step : std::span(life).first(count)) {
      if (step.op == Op::kDropProducer) continue;  // the table gets no producer
      if (step.op == Op::kImport) step.op = Op::kTableImport;
      AddStep(recipe, step);
    }
  }
}

}  // namespace dlpack_cts
