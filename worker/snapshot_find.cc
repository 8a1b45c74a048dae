// worker/snapshot_find.cc: minimises what the children of the fork server found, and finds its cause.
#include <algorithm>
#include <utility>

#include "harness/minimise/minimise.h"
#include "harness/recipe/codec.h"
#include "harness/recipe/normalize.h"
#include "harness/recipe/ops.h"
#include "worker/diagnose/symptom.h"
#include "worker/run/finder.h"
#include "worker/run/trial.h"
#include "worker/snapshot.h"

namespace dlpack_cts::worker {
namespace {

constexpr Budget kShrinkBudget = {60, 5};  // of one crashing input: each run costs a fork
constexpr Budget kDeathBudget = {60, 20};  // a process of hundreds of megabytes takes long to end
constexpr Budget kNeededBudget = {10, 2};
constexpr Budget kHangBudget = {8, 16};
constexpr Budget kHastyBudget = {100, 6};
constexpr int kImports = 20;        // a reduction may cost so many imports, if each try imports
constexpr int kTries = 12;          // to reduce a finding, if candidates crash
constexpr double kHangShare = 0.2;  // of a case's limit, for each try
constexpr double kLeastHang = 0.5;  // seconds
constexpr int kControls = 3;        // undefined behaviour does not crash every time
constexpr double kHasty = 0.1;      // seconds for each hasty try: an exchange takes less than a millisecond

bool Ends(const Symptom& symptom) {
  return symptom.observed == Observed::kCrash || symptom.observed == Observed::kTimeout;
}

/// The library makes an array like that of the exchange, reads it and computes with it. Nothing is exchanged.
Recipe Control(const Recipe& recipe) {
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
  Normalize(control);
  return control;
}

}  // namespace

void Snapshot::TakeFinding(nlohmann::json line) {
  const bool suspected = line["type"] == "suspect";
  line["type"] = "finding";
  Finding finding;
  std::string ignored;
  if (!FromJson(line, &finding, &ignored)) return;
  if (suspected) {
    suspects_.push_back(std::move(finding));
  } else {
    findings_.push_back(std::move(finding));
  }
}

/// Leaves a suspect to the fork server: a process that has run no other exchange reduces it.
void Snapshot::Suspect(const Case& tested, const Finding& seen, const Output& out) {
  if (!FindsCauses()) return;
  Finding finding = seen;
  finding.case_id = tested.id;
  finding.mutant = MutantName();
  nlohmann::json line = ToJson(finding);
  line["type"] = "suspect";
  out.Write(line);
}

/// The suspects of the cases that ran.
void Snapshot::FindAll() {
  const double began = began_;
  for (const Finding& seen : std::exchange(suspects_, {})) {
    findings_.clear();
    const Case* const tested = FindCase(seen.case_id);
    Recipe recipe;
    std::string ignored;
    if (tested == nullptr || !FromJson(seen.recipe.dump(), &recipe, &ignored)) continue;
    if (const Finding* const known = KnownFor(seen, recipe); known != nullptr) {
      Finding again = *known;
      again.case_id = seen.case_id;
      again.count = seen.count;
      again.judged.clear();
      again.swept = true;
      Write(ToJson(again));
      continue;
    }
    const int index = IndexOf(seen.case_id);
    std::vector<Recipe> killers;
    int tries = 0;
    const auto find = [&](const Output& out) {
      Trial trial(stage_->engine, stage_->peer, board_);
      trial.Begin(index, *tested);
      Finder finder(trial, profile_, killers, job_.AvoidedBy(seen.case_id),
                    tries < kTries ? Finder::kBudget : Budget{});
      for (Finding& found : finder.Find(*tested, recipe, seen.swept)) {
        found.case_id = seen.case_id;
        found.mutant = seen.mutant;
        found.count = seen.count;
        // A comparison with the reference does not raise the degree that the case gave.
        found.judged = seen.judged;
        if (!seen.swept && seen.degree != Degree::kRule) found.degree = seen.degree;
        out.Write(ToJson(found));
      }
    };
    Normalize(recipe);
    // After too many candidates that crash, the finding is reported as it is.
    for (; tries <= kTries && findings_.empty(); ++tries) {
      const Death death = InChild(LimitOf(index), find);
      if (!death.died || death.stillborn) break;
      const Remains remains = RemainsOf(board_, index);
      if (Same(remains.recipe, recipe)) {
        // It crashes a fresh process: that is its first violated fact.
        FindDeath(index, death, remains, seen.count);
      } else {
        // A smaller candidate crashed, which may have another cause.
        findings_.clear();
        killers.push_back(remains.recipe);
      }
    }
    AccuseHalves();
    for (const Finding& found : findings_) Remember(found);
    // If it shows nothing alone, the exchanges before it caused it.
    if (findings_.empty()) findings_ = {BehindOthers(seen, index)};
    WriteFindings();
  }
  began_ = began;
}

void Snapshot::Remember(const Finding& found) {
  Recipe recipe;
  std::string ignored;
  if (found.message.empty() && FromJson(found.recipe.dump(), &recipe, &ignored)) {
    known_.push_back({found, PeculiaritiesOf(recipe)});
  }
}

/// The earlier finding of such an exchange. A finding by a case's judge is always examined: it may be about something
/// else.
const Finding* Snapshot::KnownFor(const Finding& seen, const Recipe& recipe) const {
  if (!seen.swept) return nullptr;
  const PeculiaritySet set = PeculiaritiesOf(recipe);
  const bool scalar = Scalars().values.front().Holds(recipe);
  const auto known = std::find_if(known_.begin(), known_.end(), [&](const Known& one) {
    return one.finding.side == seen.side && one.finding.family == seen.family && one.finding.fact == seen.fact &&
           IsWithin(one.set, set) && (!NeedsScalars(one.finding) || scalar);
  });
  return known == known_.end() ? nullptr : &known->finding;
}

void Snapshot::WriteFindings() {
  for (const Finding& finding : std::exchange(findings_, {})) Write(ToJson(finding));
}

/// One trial of that case, in a child of its own.
Death Snapshot::TryInChild(int index, double seconds, const std::function<void(Trial&, const Case&)>& attempt) {
  const Case& tested = *FindCase(job_.cases[static_cast<size_t>(index)]);
  return InChild(seconds, [&](const Output&) {
    Trial trial(stage_->engine, stage_->peer, board_);
    trial.Begin(index, tested);
    attempt(trial, tested);
  });
}

/// Runs the recipe, and the reference, in a new child, and returns how it crashed. Nothing if it did not.
Symptom Snapshot::EndOf(int index, const Recipe& recipe, double seconds, Told told) {
  const Death death =
      TryInChild(index, seconds, [&](Trial& trial, const Case& tested) { trial.Examine(tested, recipe); });
  if (!death.died || death.stillborn) return {};
  const Remains remains = RemainsOf(board_, index);
  return remains.example < 0 ? Symptom{} : SymptomOf(death, remains, told);
}

Symptom Snapshot::SymptomOf(const Death& death, const Remains& remains, Told told) const {
  const EndKind ended = death.timeout ? EndKind::kHangs : !death.thrown.empty() ? EndKind::kThrew : EndKind::kDied;
  const Exchange exchange{remains.recipe, remains.ledger, remains.reference, profile_};
  return told == Told::kEnd ? EndItself(exchange, ended) : SymptomOfEnd(exchange, ended);
}

int Snapshot::IndexOf(std::string_view case_id) const {
  return static_cast<int>(std::find(job_.cases.begin(), job_.cases.end(), case_id) - job_.cases.begin());
}

/// Of the case that ran last.
void Snapshot::TellDeath(const Death& death, const Remains& remains) {
  FindDeath(next_, death, remains, 1);
  AccuseHalves();
  WriteFindings();
}

Budget Snapshot::Affordable(Budget budget) const {
  budget.seconds += kImports * import_seconds_;
  return budget;
}

/// An earlier exchange that crashed in the same way and needs no property that this one lacks.
const Snapshot::End* Snapshot::KnownEnd(const Symptom& symptom, const Minimised& whole) const {
  const auto known = std::find_if(ends_.begin(), ends_.end(), [&](const End& one) {
    return one.symptom.IsShownBy(symptom) && one.reduced.recipe.kind == whole.recipe.kind &&
           MayReduceTo(whole.set, one.reduced.set) &&
           (!one.reduced.scalar || Scalars().values.front().Holds(whole.recipe));
  });
  return known == ends_.end() ? nullptr : &*known;
}

/// Finds the first violated fact, and the crash too if it is not a consequence of that fact.
void Snapshot::FindDeath(int index, const Death& death, const Remains& remains, int64_t count) {
  if (remains.example < 0 || !FindsCauses()) return;
  const Symptom first = FollowDeath(index, death, remains, count, Told::kFirst);
  if (!Ends(first) && StandsAlone(first)) FollowDeath(index, death, remains, count, Told::kEnd);
}

/// The library crashes in the same way with an array that it made itself.
bool Snapshot::EndsAlone(int index, const Remains& remains, double seconds) {
  // Of a pair each side makes arrays of its own kind.
  if (job_.pair || !HasTrait(StepAtEnd(remains.recipe, remains.ledger), OpTrait::kNeedsNoExchange)) return false;
  const Recipe control = Control(remains.recipe);
  for (int run = 0; run < kControls; ++run) {
    if (EndOf(index, control, seconds, Told::kEnd).Any()) return true;
  }
  return false;
}

/// Reduces a crashing input to what the crash needs.
Symptom Snapshot::FollowDeath(int index, const Death& death, const Remains& remains, int64_t count, Told told) {
  const double began = began_;
  const double seconds = death.timeout ? std::max(kLeastHang, LimitOf(index) * kHangShare) : LimitOf(index);
  Remains own = remains;
  own.reference = Ledger{};
  Symptom symptom = SymptomOf(death, own, told);
  Minimised reduced{remains.recipe, PeculiaritiesOf(remains.recipe)};
  if (!death.memory && !death.mute && !death.silent && !death.stillborn) {
    const Symptom again = EndOf(index, remains.recipe, seconds, told);
    if (again.Any()) {
      symptom = again;
      const std::vector<Avoided>& avoided = job_.AvoidedBy(job_.cases[static_cast<size_t>(index)]);
      const auto ends = [&](const Recipe& candidate, double limit) {
        return !LeadsTo(avoided, candidate) && symptom.IsShownBy(EndOf(index, candidate, limit, told));
      };
      const auto reduce = [&](const Budget& budget, double limit) {
        reduced = Minimise(
            remains.recipe, [&](const Recipe& candidate) { return ends(candidate, limit); }, Affordable(budget),
            profile_);
      };
      const End* const known = KnownEnd(symptom, reduced);
      if (known != nullptr && ends(known->reduced.recipe, seconds)) {
        reduced = known->reduced;
      } else {
        // A hang under the short limit must also be one under the long limit. Only few of those tries are affordable.
        if (death.timeout) reduce(kHastyBudget, kHasty);
        if (!death.timeout || !ends(reduced.recipe, seconds))
          reduce(death.timeout ? kHangBudget : kDeathBudget, seconds);
        const std::optional<Recipe> more = WithADimension(reduced, profile_);
        reduced.scalar = more && !LeadsTo(avoided, *more) && !EndOf(index, *more, seconds, told).Has(symptom.family);
        ends_.push_back({symptom, reduced});
      }
    }
  }
  if (Ends(symptom) && EndsAlone(index, remains, seconds)) {
    symptom.observed = Observed::kOwn;
    symptom.message = "the library does the same with an array that it made itself, without any exchange";
  }
  began_ = began;
  Finding& finding = findings_.emplace_back(FindingOf(symptom, reduced, Shows::kAlone));
  finding.case_id = job_.cases[static_cast<size_t>(index)];
  finding.mutant = MutantName();
  finding.count = count;
  return symptom;
}

void Snapshot::ShrinkDeath(const Death& death, Remains* remains) {
  // A hang costs the whole time limit at each try, so it is not minimised.
  if (job_.verdicts_only || job_.replay || death.timeout || death.memory || death.mute || death.silent ||
      death.stillborn)
    return;
  if (remains->example < 0) return;
  const double began = began_;
  const int index = next_;
  MinimiseValues(
      remains->recipe,
      [&](const Recipe& candidate) {
        const Death again =
            TryInChild(index, LimitOf(index), [&](Trial& trial, const Case& own) { trial.Run(own, candidate); });
        if (again != death) return false;
        Remains smaller = RemainsOf(board_, index);
        if (smaller.example < 0) return false;
        smaller.example = remains->example;
        smaller.counts = remains->counts;
        *remains = smaller;
        return true;
      },
      Affordable(kShrinkBudget));
  const auto dying = [](const Remains& left) { return StepAtEnd(left.recipe, left.ledger); };
  remains->needed = NeededSteps(
      remains->recipe,
      [&](const Recipe& fewer) {
        const Death again =
            TryInChild(index, LimitOf(index), [&](Trial& trial, const Case& own) { trial.Run(own, fewer); });
        const Remains left = RemainsOf(board_, index);
        return again == death && left.example >= 0 && dying(left) == dying(*remains);
      },
      Affordable(kNeededBudget));
  began_ = began;
}

}  // namespace dlpack_cts::worker
