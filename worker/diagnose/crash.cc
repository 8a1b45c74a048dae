// worker/diagnose/crash.cc: minimises crashes, with candidates in new processes.
#include "worker/diagnose/crash.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "harness/recipe/generator.h"
#include "harness/recipe/normalize.h"
#include "harness/recipe/ops.h"
#include "worker/diagnose/crash_search.h"
#include "worker/diagnose/versioned_crash.h"

namespace dlpack_cts::worker {
namespace {

constexpr Budget kValuesBudget = {60, 5};  // for one crashing input: each run costs a fork
constexpr Budget kCrashBudget = {60, 20};  // a process of hundreds of megabytes takes long to end
constexpr Budget kNeededBudget = {10, 2};
constexpr Budget kHangBudget = {8, 16};
constexpr Budget kHastyBudget = {100, 6};
constexpr int kImports = 20;        // a search may cost so many imports, if each try imports
constexpr double kLongImport = 6;   // seconds
constexpr double kHangShare = 0.2;  // of a case's limit, for each try
constexpr double kLeastHang = 0.5;  // seconds
constexpr int kControls = 3;        // undefined behaviour does not crash every time
constexpr double kHasty = 0.1;      // seconds for each hasty try: an exchange takes less than a millisecond

bool IsCrash(const ViolatedFact& violated) {
  return violated.observed == Observed::kCrash || violated.observed == Observed::kTimeout;
}

/// What the library does alone with an array like that of the exchange. First the steps of the exchange that need
/// none, then the array is read and computed with, too: some arrays get their memory only then.
std::vector<Recipe> Controls(const Recipe& recipe) {
  Recipe control = MakeRecipe(RecipeKind::kExport);
  Request& request = control.request();
  if (recipe.kind == RecipeKind::kExport) {
    request = recipe.request();
  } else {
    const Offer& offer = recipe.offer();
    request.dtype = offer.dtype;
    request.dims = offer.dims;
    std::copy_n(offer.shape, kDims, request.shape);
    request.seed = offer.seed;
  }
  SetLife(control, {{Op::kMake}, {Op::kReadSource}, {Op::kUseSource}});
  std::vector<Recipe> controls;
  if (recipe.kind == RecipeKind::kExport) {
    std::vector<Step> own;
    for (const Step& step : recipe.life()) {
      const bool of_exchange = HasTrait(step.op, OpTrait::kOfExport) || HasTrait(step.op, OpTrait::kImportSide);
      if (HasTrait(step.op, OpTrait::kNeedsNoExchange) && !of_exchange) own.push_back(step);
      if (step.op == Op::kChangeMetadata || step.op == Op::kWriteMade) AddStep(control, step);
    }
    SetLife(controls.emplace_back(control), own);
  }
  controls.push_back(control);
  for (Recipe& one : controls) Normalize(one);
  return controls;
}

}  // namespace

ViolatedFact ViolatedFactOf(const Ending& ending, const Remains& remains, const Profile& profile, Look look) {
  const EndKind kind = ending.end == End::kTimeout ? EndKind::kHangs
                       : ending.end == End::kThrew ? EndKind::kThrew
                                                   : EndKind::kDied;
  const Exchange exchange{remains.recipe, remains.ledger, remains.reference, profile};
  return look == Look::kCrashItself ? EndItself(exchange, kind) : ViolatedFactOfEnd(exchange, kind);
}

Budget CrashFinder::Affordable(Budget budget) const {
  // The first import of a machine reads everything from the disk, and takes many times as long as the later ones.
  budget.seconds += kImports * std::min(import_seconds_, kLongImport);
  return budget;
}

double CrashFinder::Seconds(const std::string& case_id, const Ending& ending) const {
  const double limit = job_.LimitOf(case_id);
  return ending.end == End::kTimeout ? std::max(kLeastHang, limit * kHangShare) : limit;
}

/// The violated fact of the crash; empty if the process did not crash.
ViolatedFact CrashFinder::CrashOf(const std::string& case_id, const Recipe& recipe, double seconds, Look look) {
  return CrashOf(processes_.Examine(case_id, recipe, seconds), look);
}

ViolatedFact CrashFinder::CrashOf(const Tried& tried, Look look) const {
  if (!tried.remains || !tried.CrashedInExchange()) return {};
  return ViolatedFactOf(tried.ending, *tried.remains, profile_, look);
}

Remains CrashFinder::MinimiseValues(const std::string& case_id, const Ending& ending, const Remains& remains) {
  Remains smallest = remains;
  if (job_.verdicts_only || job_.replay || ending.end == End::kTimeout || !ending.IsRepeatable()) return smallest;
  const double limit = job_.LimitOf(case_id);
  const auto same_crash = [&](Tried& tried) {
    if (tried.ending != ending || !tried.remains) return false;
    tried.remains->example = remains.example;
    tried.remains->counts = remains.counts;
    smallest = *std::move(tried.remains);
    return true;
  };
  SearchCrash(processes_, {case_id, limit, [](const Recipe&) { return true; }, same_crash}, Affordable(kValuesBudget),
              [&](const Predicate& fails, const Budget& budget) {
                dlpack_cts::MinimiseValues(remains.recipe, fails, budget, profile_);
              });
  const auto step = [](const Remains& left) { return StepAtEnd(left.recipe, left.ledger); };
  const auto same_step = [&](const Recipe& fewer) {
    const Tried tried = processes_.Examine(case_id, fewer, limit);
    return tried.ending == ending && tried.remains && step(*tried.remains) == step(smallest);
  };
  smallest.needed = NeededSteps(smallest.recipe, same_step, Affordable(kNeededBudget));
  return smallest;
}

std::vector<Finding> CrashFinder::Find(const std::string& case_id, const Ending& ending, const Remains& remains) {
  if (remains.example < 0 || !job_.FindsCauses()) return {};
  std::vector<Finding> found;
  const auto add = [&](const Known& one) {
    found.push_back(FindingOf(one.violated, one.minimised, Shows::kAlone));
    found.back().case_id = case_id;
    return one.violated;
  };
  const ViolatedFact first = add(Follow(case_id, ending, remains, Look::kFirstFact));
  if (!IsCrash(first) && StandsAlone(first)) add(Follow(case_id, ending, remains, Look::kCrashItself));
  return found;
}

/// Whether the library crashes with an array like that of the exchange which it made itself.
bool CrashFinder::CrashesAlone(const std::string& case_id, const Recipe& exchange, double seconds) {
  return std::ranges::any_of(Controls(exchange), [&](const Recipe& control) {
    for (int run = 0; run < kControls; ++run) {
      if (CrashOf(case_id, control, seconds, Look::kCrashItself).Any()) return true;
    }
    return false;
  });
}

/// An earlier exchange that crashed in the same way and needs no property that this one lacks.
const CrashFinder::Known* CrashFinder::KnownFor(const ViolatedFact& violated, const Minimised& whole) const {
  const auto holds = [&](const Property* needed) { return needed->values.front().Holds(whole.recipe); };
  const auto known = std::find_if(known_.begin(), known_.end(), [&](const Known& one) {
    return one.violated.IsShownBy(violated) && one.minimised.recipe.kind == whole.recipe.kind &&
           MayReduceTo(whole.set, one.minimised.set) && std::ranges::all_of(one.minimised.defaults, holds);
  });
  return known == known_.end() ? nullptr : &*known;
}

/// The simplest exchange that crashes in the same way.
Minimised CrashFinder::Needs(const std::string& case_id, const Ending& ending, const Remains& remains,
                             const ViolatedFact& violated, Look look) {
  const std::vector<Avoided>& avoided = job_.AvoidedBy(case_id);
  const bool hangs = ending.end == End::kTimeout;
  const double seconds = Seconds(case_id, ending);
  const bool by_version = CrashesByVersion(profile_, remains.recipe);
  const auto counts = [&](const Recipe& candidate) {
    return (by_version || !CrashesByVersion(profile_, candidate)) && !LeadsTo(avoided, candidate);
  };
  const auto same_crash = [&](const Recipe& candidate) {
    return counts(candidate) && violated.IsShownBy(CrashOf(case_id, candidate, seconds, look));
  };
  const auto minimise = [&](const Budget& budget, double within) {
    Minimised found;
    const auto same = [&](Tried& tried) { return violated.IsShownBy(CrashOf(tried, look)); };
    SearchCrash(
        processes_, {case_id, within, counts, same}, Affordable(budget),
        [&](const Predicate& fails, const Budget& left) { found = Minimise(remains.recipe, fails, left, profile_); });
    return found;
  };
  const Minimised whole{remains.recipe, TriggersOf(remains.recipe)};
  const Known* const known = KnownFor(violated, whole);
  if (known != nullptr && same_crash(known->minimised.recipe)) return known->minimised;
  // A hang under the short limit must also be one under the long limit. Only few of those tries are affordable.
  Minimised smallest = hangs ? minimise(kHastyBudget, kHasty) : whole;
  if (!hangs || !same_crash(smallest.recipe)) smallest = minimise(hangs ? kHangBudget : kCrashBudget, seconds);
  const std::optional<Recipe> more = WithADimension(smallest, profile_);
  if (more && !LeadsTo(avoided, *more) && !CrashOf(case_id, *more, seconds, look).Has(violated.family)) {
    smallest.defaults.push_back(&Scalars());
  }
  // Further crashes with legacy structs are then causes of their own.
  const bool crashed = IsCrash(violated) || violated.fact == "faultF";
  if (crashed && CrashesByVersion(profile_, smallest.recipe)) smallest.defaults.push_back(&VersionedStructs());
  known_.push_back({violated, smallest});
  return smallest;
}

/// The violated fact of the crash, and the exchange that shows it.
CrashFinder::Known CrashFinder::Follow(const std::string& case_id, const Ending& ending, const Remains& remains,
                                       Look look) {
  const double seconds = Seconds(case_id, ending);
  Remains own = remains;
  own.reference = Ledger{};
  Known found{ViolatedFactOf(ending, own, profile_, look), {remains.recipe, TriggersOf(remains.recipe)}};
  const ViolatedFact again = ending.IsRepeatable() ? CrashOf(case_id, remains.recipe, seconds, look) : ViolatedFact{};
  if (again.Any()) {
    found.violated = again;
    found.minimised = Needs(case_id, ending, remains, again, look);
  }
  // In a pair each library makes its own arrays.
  const bool without_exchange =
      !job_.pair && HasTrait(StepAtEnd(remains.recipe, remains.ledger), OpTrait::kNeedsNoExchange);
  if (without_exchange && IsCrash(found.violated) &&
      ((again.Any() && CrashesAlone(case_id, found.minimised.recipe, seconds)) ||
       CrashesAlone(case_id, remains.recipe, seconds))) {
    found.violated.observed = Observed::kOwn;
    found.violated.message = "the library does the same with an array that it made itself, without any exchange";
  }
  return found;
}

}  // namespace dlpack_cts::worker
