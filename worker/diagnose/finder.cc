// worker/diagnose/finder.cc: minimises a failing example property by property while its first violated fact stays the
// same.
#include "worker/diagnose/finder.h"

#include <algorithm>
#include <utility>

#include "harness/ledger/fact_table.h"
#include "harness/minimise/minimise.h"
#include "harness/recipe/generator.h"
#include "harness/recipe/life.h"
#include "harness/recipe/normalize.h"
#include "worker/diagnose/domain.h"
#include "worker/diagnose/versioned_crash.h"

namespace dlpack_cts::worker {
namespace {

/// The recipe with these steps after its export. Nothing if the capsule is already consumed or lost.
std::optional<Recipe> BehindExport(const Recipe& recipe, std::initializer_list<Op> operations) {
  std::optional<Recipe> more(std::in_place);
  Copy(recipe, *more);
  more->used.steps = 0;
  int exports = 0;
  for (const Step& step : recipe.life()) {
    if (step.op == Op::kTakeCapsule || step.op == Op::kLoseCapsule || step.op == Op::kDelete) return std::nullopt;
    AddStep(*more, step);
    if (step.op != Op::kExport) continue;
    ++exports;
    for (const Op op : operations) AddStep(*more, op, step.slot);
  }
  return exports == 1 ? more : std::nullopt;
}

/// Families of calls, results and exceptions: none of their facts is a consequence of another one.
bool IsAnswer(Family family) {
  return family == Family::kAsks || family == Family::kDeviceAnswer || family == Family::kException;
}

}  // namespace

/// The exchange with the default steps, and what it shows. Empty if that exchange is known to crash.
Finder::Shown Finder::Plainly(const Recipe& recipe) {
  Shown plain{recipe, {}};
  SetPlainLife(plain.recipe);
  FollowWays(profile_, plain.recipe);
  Normalize(plain.recipe);
  if (!Kills(plain.recipe)) plain.violated = Examine(plain.recipe, {});
  return plain;
}

/// The default steps with the same tensor may show the reason: a stride was read wrongly before it led to forbidden
/// memory, or an import was already wrong before it was re-exported.
Finder::Shown Finder::ShowMore(const Recipe& recipe, const ViolatedFact& violated) {
  const bool touched = violated.fact == "faultF";
  const bool again = recipe.kind == RecipeKind::kImport && violated.side == Side::kExport;
  if (!touched && !again) return {recipe, violated};
  Shown plain = Plainly(recipe);
  const bool tells = again || (plain.violated.family < violated.family && plain.violated.family >= Family::kDtype);
  if (!plain.violated.Any() || !tells) return {recipe, violated};
  plain.violated.swept = violated.swept;
  return plain;
}

/// An access past the end of some tensor also appears with the default tensor if inaccessible memory follows it.
Recipe Finder::AtTheGuard(const Recipe& recipe, const ViolatedFact& violated) {
  if (violated.fact != "faultF" || violated.side != Side::kImport) return recipe;
  Recipe simplest = MakeRecipe(recipe.kind);
  simplest.offer().alignment_log2 = 2;  // the alignment of a single float32, so that there is no gap before the guard
  const Shown plain = Plainly(simplest);
  return violated.IsShownBy(plain.violated) ? plain.recipe : recipe;
}

bool Finder::Kills(const Recipe& candidate) const {
  if (CrashesByVersion(profile_, candidate)) return true;
  return std::any_of(limits_.crashing.begin(), limits_.crashing.end(),
                     [&](const Recipe& one) { return Same(one, candidate); });
}

/// The default tensor has no dimensions. Checks whether the failure needs that.
bool Finder::NeedsScalar(const Minimised& minimised, const ViolatedFact& violated, const Focus& focus) {
  const std::optional<Recipe> more = limits_.budget.runs == 0 ? std::nullopt : WithADimension(minimised, profile_);
  if (!more || Kills(*more)) return false;
  const ViolatedFact again = Examine(*more, focus);
  return !again.Has(violated.family) || !violated.RaisesAs(again);
}

/// The default export ends as a capsule that is never consumed. A leak may then be the fault of the deleter or of the
/// capsule's destructor. If nothing leaks after a call of the deleter, the failure needs the lost capsule.
Minimised Finder::TellDestructor(const Minimised& minimised, const ViolatedFact& violated, const Focus& focus) {
  if (limits_.budget.runs == 0 || violated.family != Family::kRelease || violated.side != Side::kExport)
    return minimised;
  std::optional<Recipe> released = BehindExport(minimised.recipe, {Op::kTakeCapsule, Op::kDelete});
  std::optional<Recipe> lost = BehindExport(minimised.recipe, {Op::kLoseCapsule});
  if (!released || !lost) return minimised;
  Normalize(*released);
  Normalize(*lost);
  // A deleter that crashes does not show what it would have leaked.
  if (Kills(*released) || Kills(*lost)) return minimised;
  if (violated.IsShownBy(Examine(*released, focus)) || !violated.IsShownBy(Examine(*lost, focus))) return minimised;
  return {*lost, TriggersOf(*lost), minimised.defaults};
}

/// A library may keep the array when it is asked for its device. Then the deleter is right.
bool Finder::NeedsDeviceQuestion(const Recipe& recipe, const ViolatedFact& violated, const Focus& focus) {
  const auto asks = [](const Step& step) { return step.op == Op::kAskDevice; };
  if (limits_.budget.runs == 0 || violated.fact != "sourceS.alive_at_end" || !HasStep(recipe, asks)) return false;
  Recipe silent;
  Copy(recipe, silent);
  silent.used.steps = 0;
  for (const Step& step : recipe.life()) {
    if (!asks(step)) AddStep(silent, step);
  }
  Normalize(silent);
  return !Kills(silent) && !Examine(silent, focus).Has(violated.family);
}

Finding Finder::Follow(const Recipe& recipe, ViolatedFact violated, const Focus& focus) {
  const bool swept = violated.swept;
  std::optional<Domain> domain;
  if (!violated.rule.empty()) domain.emplace(tested_, profile_, recipe);
  const auto same_fact = [&](const Recipe& candidate) {
    if (Kills(candidate) || LeadsTo(limits_.avoided, candidate)) return false;
    if (domain && !domain->Holds(candidate)) return false;
    ViolatedFact again = Examine(candidate, focus);
    if (!violated.IsShownBy(again)) return false;
    violated = std::move(again);
    return true;
  };
  Minimised minimised = Minimise(recipe, same_fact, limits_.budget, profile_);
  violated.swept = swept;
  if (NeedsScalar(minimised, violated, focus)) minimised.defaults.push_back(&Scalars());
  const Minimised told = TellDestructor(minimised, violated, focus);
  if (NeedsDeviceQuestion(told.recipe, violated, focus)) violated.decided = "C-OWN-20";
  return FindingOf(violated, told, Shows::kAlone);
}

/// What the case's judge reports if forbidden memory was accessed. The calls and results before the access are not a
/// consequence of it.
std::optional<Finding> Finder::BeforeFault(const Recipe& recipe, const ViolatedFact& violated) {
  const Focus own{.own = true};
  const ViolatedFact judged = Examine(recipe, own);
  if (!judged.Any() || !StandsAlone(judged) || judged.family >= violated.family) return std::nullopt;
  return Follow(recipe, judged, own);
}

/// What the case's judge reported, if it is another fact and neither fact is a consequence of the other.
std::optional<Finding> Finder::Beside(const Recipe& recipe, const Examined& seen) {
  const ViolatedFact& violated = seen.violated;
  const Focus others{.beside = violated.family};
  if (seen.example.showed == Showed::kUnsafe) {
    if (violated.fact == "faultF" || !StandsAlone(violated)) return BeforeFault(recipe, violated);
    const ViolatedFact fault = Examine(recipe, others);
    return fault.Any() ? std::optional(Follow(recipe, fault, others)) : std::nullopt;
  }
  const bool names_fact = seen.example.showed == Showed::kBreach || seen.example.showed == Showed::kLeak;
  const int row = names_fact ? FactIndex(seen.example.breach.fact) : -1;
  if (row < 0 || !StandsAlone(violated)) return std::nullopt;
  const Focus of_case{.fact = FactRowAt(row).pattern};
  if (of_case.fact == violated.fact) return std::nullopt;
  if (const ViolatedFact beside = Examine(recipe, of_case); beside.Any()) {
    if (beside.family != violated.family) {
      // The fact of the case may be a consequence of another one that the first violated fact does not explain.
      return Follow(recipe, Examine(recipe, others), others);
    }
    return IsAnswer(violated.family) ? std::optional(Follow(recipe, beside, of_case)) : std::nullopt;
  }
  // The comparison does not show it: the specification leaves it open, or it varies. The case's judge decides.
  const Focus own{.own = true};
  const Examined again = examiner_.Examine(recipe, own);
  if (again.violated.Any()) return Follow(recipe, again.violated, own);
  const ViolatedFact& judged = again.example.Broken() ? again.judged : seen.judged;
  return FindingOf(judged, {recipe, TriggerSet()}, Shows::kAlone);
}

std::vector<Finding> Finder::Find(const Recipe& recipe, bool swept) {
  Recipe normal;
  Copy(recipe, normal);
  Normalize(normal);
  Examined seen = examiner_.Examine(normal, {});
  seen.violated.swept = swept;
  if (!seen.reference_fault.empty()) {
    seen.violated.observed = Observed::kUnjudged;
    seen.violated.message = seen.reference_fault;
    return {FindingOf(seen.violated, {normal, TriggerSet()}, Shows::kAlone)};
  }
  if (!seen.violated.Any()) {
    if (!seen.example.Broken()) return {};
    // The reference shows the same, so a smaller example would not help.
    return {FindingOf(seen.judged, {normal, TriggerSet()}, Shows::kAlone)};
  }
  std::vector<Finding> found;
  if (std::optional<Finding> beside = Beside(normal, seen)) found.push_back(*std::move(beside));
  const Shown more = ShowMore(normal, seen.violated);
  // The comparison leaves open what the case's judge reports. It may show the same in a simpler exchange.
  const Focus judged{.own = !more.violated.rule.empty()};
  found.push_back(Follow(AtTheGuard(more.recipe, more.violated), more.violated, judged));
  return found;
}

}  // namespace dlpack_cts::worker
