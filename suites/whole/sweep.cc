// suites/whole/sweep.cc: all facts compared with the reference, over exchanges that no single case draws: the steps of
// one case with the tensor of another.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <vector>

#include "harness/case/case.h"
#include "harness/case/needs.h"
#include "harness/recipe/large.h"
#include "harness/recipe/laws.h"
#include "harness/recipe/life.h"
#include "harness/recipe/normalize.h"
#include "suites/whole/grammar.h"

namespace dlpack_cts {
namespace {

bool CanRun(const Case& tested, const Profile& profile) {
  constexpr Claim kOfRole[] = {Claim::kConsumer, Claim::kProducer, Claim::kExchangeApi};
  if (tested.hostile || tested.pair || tested.examples == Examples::kWhole) return false;
  if (tested.python && !profile.Claims(Claim::kPython)) return false;
  if (!profile.Claims(kOfRole[static_cast<size_t>(tested.role)])) return false;
  return std::all_of(tested.needs.begin(), tested.needs.end(), [&](Claim claim) { return profile.Claims(claim); }) &&
         (tested.blocked == nullptr || tested.blocked(profile).empty());
}

struct Drawable {
  const Case* tested;
  std::optional<RecipeKind> kind = {};  // the kind that it draws; unknown before its first example
};

/// Cases that the subject can run. One worker judges one subject at a time.
std::vector<Drawable>& CasesFor(const Profile& profile) {
  static std::vector<Drawable> cases;
  static const Profile* of = nullptr;
  if (of != &profile) {
    of = &profile;
    cases.clear();
    for (const Case& tested : Catalogue()) {
      if (CanRun(tested, profile)) cases.push_back({&tested});
    }
  }
  return cases;
}

/// Removes combinations that no case draws, in which the harness itself would break a rule.
void KeepPeace(const Profile& profile, Recipe& recipe) {
  const bool writes = HasStep(recipe, Op::kWriteArray);
  for (int i = 0; i < recipe.used.offers; ++i) {
    Offer& offer = recipe.offer(i);
    if (profile.survives_negative == 0) {
      std::transform(offer.strides, offer.strides + offer.dims, offer.strides,
                     [](int64_t stride) { return stride == INT64_MIN ? 1 : std::abs(stride); });
    }
    // A library without read-only arrays writes wherever it is asked to.
    if (writes && !profile.Claims(Claim::kReadOnly)) {
      offer.flags &= ~abi::kFlagReadOnly;
      if (offer.placement == Placement::kReadOnlyPage) offer.placement = Placement::kEndsAtGuard;
    }
    MendLies(offer, kHostileLaws | kLawRelease);
  }
}

/// Runs every step on the engine's own thread.
void StayOnOneThread(Recipe& recipe) {
  for (int i = 0; i < recipe.used.steps; ++i) {
    Step& step = recipe.steps[i];
    step.lane = 0;
    if (step.context == Context::kRawThread) step.context = Context::kUsual;
  }
}

/// Sometimes uses views of the arrays that are made, or views of views, if the library has them.
void KeepViews(Draw& draw, Recipe& recipe) {
  if (!draw.profile.Claims(Claim::kView) || draw.Pick(8) != 0) return;
  const int views = 1 + draw.Pick(2);
  for (Step& step : recipe.life()) {
    if (step.op == Op::kMake) step.argument = views;
  }
}

void DrawOne(Draw& draw, RecipeKind kind, Recipe& recipe) {
  std::vector<Drawable>& cases = CasesFor(draw.profile);
  constexpr int kTries = 64;
  constexpr int kLargeDraws = 32;  // one of so many large exchanges is used
  for (int i = 0; i < kTries && !cases.empty(); ++i) {
    Drawable& one = cases[draw.random.Below(cases.size())];
    const Case& tested = *one.tested;
    const int index = tested.examples == Examples::kTable ? draw.Pick(tested.table) : draw.index;
    Draw own{Random(draw.random.Next()), index, draw.profile};
    if (one.kind.value_or(kind) != kind) continue;
    const Recipe drawn = tested.draw(own);
    one.kind = drawn.kind;
    // A Python type for each exchange is slow, and useless if the library does not look for tables.
    const bool ignored = drawn.table.attribute != TableAttribute::kNone && !LooksForTables(draw.profile).empty();
    const bool too_large = HasLargeTensor(drawn) && draw.Pick(kLargeDraws) != 0;
    if (drawn.kind == kind && !TakesLong(drawn) && !ignored && !too_large) return Copy(drawn, recipe);
  }
  Copy(kind == RecipeKind::kImport ? draw.Import() : draw.Export(), recipe);
}

/// Returns a recipe that a case of the catalogue draws, often with the tensors or the arguments of another case. Uses
/// only cases that the subject can run, and no case with invalid input.
Recipe DrawMix(Draw& draw, RecipeKind kind) {
  Recipe recipe;
  Recipe other;
  DrawOne(draw, kind, recipe);
  DrawOne(draw, kind, other);
  if (draw.Pick(2) == 0) {
    recipe.offer() = other.offer();
    recipe.request() = other.request();
  }
  if (draw.Pick(3) == 0) recipe.call() = other.call();
  if (draw.Pick(3) == 0) DrawLife(draw, recipe);
  // An exchange on several threads takes as long as three on one thread.
  if (draw.Pick(12) != 0) StayOnOneThread(recipe);
  KeepViews(draw, recipe);
  KeepPeace(draw.profile, recipe);
  Normalize(recipe);
  return recipe;
}

const RegisterCases<OfConsumer> kConsumerCases = {
    // C-DATA-01: The library does with an offered tensor what the reference does, except where the specification leaves
    // a choice.
    {.id = "whole/import/no-other-fact-deviates",
     .rules = {"C-DATA-01"},
     .examples = Examples::kWhole,
     .draw = [](Draw& draw) { return DrawMix(draw, RecipeKind::kImport); }},
};

const RegisterCases<OfProducer> kProducerCases = {
    // C-DATA-14: The library exports what the reference exports, except where the specification leaves a choice.
    {.id = "whole/export/no-other-fact-deviates",
     .rules = {"C-DATA-14"},
     .examples = Examples::kWhole,
     .draw = [](Draw& draw) { return DrawMix(draw, RecipeKind::kExport); }},
};

}  // namespace
}  // namespace dlpack_cts
