// harness/case/entries.cc: the entry of a consumer that the imports of a recipe go through.
#include "harness/case/entries.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <span>

namespace dlpack_cts {
namespace {

/// from_exchange has no keywords.
bool HasNoKeywords(const Call& call) {
  return call.copy.kind == ArgumentKind::kAbsent && call.dl_device.kind == ArgumentKind::kAbsent;
}

void ImportByOwnTable(Draw& draw, Recipe& recipe) {
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

void ImportThrough(EntryPoint entry, Draw& draw, Recipe& recipe) {
  const Profile& profile = draw.profile;
  const bool versioned = recipe.offer().kind == StructKind::kVersioned;
  switch (entry) {
    case EntryPoint::kBareCapsule:
      if (!profile.Claims(Claim::kCapsuleInput) || !HasNoKeywords(recipe.call())) return;
      for (Step& step : recipe.life()) step.op = step.op == Op::kImport ? Op::kImportCapsule : step.op;
      return;
    case EntryPoint::kGivenTable:
      if (!versioned || profile.looks_for_tables == 0) return;
      recipe.table.attribute = TableAttribute::kCapsule;
      recipe.table.version = {1, 3};
      return;
    case EntryPoint::kOwnTable:
      if (versioned && profile.Claims(Claim::kExchangeApi) && profile.Claims(Claim::kProducer)) {
        ImportByOwnTable(draw, recipe);
      }
      return;
    case EntryPoint::kObject:
    case EntryPoint::kCount:
      return;
  }
}

void ThroughAnyEntry(Draw& draw, Recipe& recipe) {
  constexpr EntryPoint kOthers[] = {EntryPoint::kBareCapsule, EntryPoint::kGivenTable, EntryPoint::kOwnTable};
  const auto entry = static_cast<size_t>(draw.Pick(6));
  if (entry < std::size(kOthers)) ImportThrough(kOthers[entry], draw, recipe);
}

}  // namespace dlpack_cts
