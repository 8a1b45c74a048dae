// worker/run/case_runner.cc: runs all examples of one case, and makes an observation of the results.
#include "worker/run/case_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/clock.h"
#include "base/hash.h"
#include "engine/cuda_driver.h"
#include "harness/case/claims.h"
#include "harness/case/entries.h"
#include "harness/case/judges.h"
#include "harness/choices/choice.h"
#include "harness/choices/choice_views.h"
#include "harness/ledger/fact_table.h"
#include "harness/ledger/facts.h"
#include "harness/recipe/codec.h"
#include "harness/recipe/large.h"
#include "harness/recipe/laws.h"
#include "harness/recipe/normalize.h"
#include "harness/recipe/ops.h"
#include "worker/diagnose/domain.h"
#include "worker/diagnose/violated_fact.h"
#include "worker/process/exchange_clock.h"
#include "worker/run/attach.h"

namespace dlpack_cts::worker {
namespace {

constexpr int kDraws = 20;  // attempts to generate one example that need not be avoided
constexpr Budget kShrinkBudget = {1000, 20};
constexpr Budget kShrinkDeviation = {300, 2};  // for one of many deviations
constexpr Budget kNeededBudget = {kSteps, 5};

/// A case that changes a generated recipe may make it invalid (a NULL pointer although there are elements now). Only
/// cases for invalid input may do that. For all others the recipe is repaired, so that no library is blamed for it.
Recipe DrawFor(const Case& tested, Draw& draw) {
  Recipe recipe = tested.draw(draw);
  // A tensor that its capsule does not release is valid, but it would leak.
  for (int i = 0; !tested.hostile && i < recipe.used.offers; ++i) MendLies(recipe.offer(i), kHostileLaws | kLawRelease);
  if (!tested.hostile) SometimesOnDevice(draw.profile, recipe);
  SometimesImportByTable(draw.profile, recipe);
  FollowWays(draw.profile, recipe);
  return recipe;
}

Observed ObservedAs(Showed showed) {
  switch (showed) {
    case Showed::kEnded:
      return Observed::kCrash;
    case Showed::kUnsafe:
      return Observed::kUnsafe;
    case Showed::kLeak:
      return Observed::kLeak;
    case Showed::kBreach:
      return Observed::kBreach;
    case Showed::kUnjudged:
      return Observed::kUnjudged;
    case Showed::kRefused:
    case Showed::kNothing:
    case Showed::kHeld:
      break;
  }
  return Observed::kHeld;
}

}  // namespace

uint64_t CaseSeed(uint64_t run_seed, std::string_view case_id) { return Random(Fnv1a(case_id) ^ run_seed).Next(); }

std::optional<Observation> CaseRunner::NotRun(const Case& tested) const {
  Observation observation;
  observation.observed = Observed::kSkip;
  if (tested.python && !python_) {
    observation.message = "the library is a native plug-in and has no Python protocol";
    return observation;
  }
  const bool cuda = std::count(tested.needs.begin(), tested.needs.end(), Claim::kCuda) != 0;
  if (cuda && CudaDriver::Open() == nullptr) {
    observation.message = CudaDriver::WhyNone();
    return observation;
  }
  // Perhaps the library imports memory of a device only.
  const bool takes_nothing = profile_.takes_legacy == 0 && profile_.takes_versioned == 0;
  if (tested.role == Role::kConsumer && profile_.Claims(Claim::kConsumer) && profile_.Claims(Claim::kCuda) &&
      takes_nothing && CudaDriver::Open() == nullptr) {
    observation.message = CudaDriver::WhyNone() + ", and the library refuses host memory";
    return observation;
  }
  // Cases about its own arrays are judged.
  const bool own = std::count(tested.needs.begin(), tested.needs.end(), Claim::kProducer) != 0;
  if (tested.role == Role::kConsumer && profile_.Claims(Claim::kConsumer) && !tested.pair && !own && takes_nothing &&
      profile_.MakesElsewhere()) {
    const abi::DLDevice device = profile_.made_device;
    observation.message = fmt::format("the library has its arrays on device ({}, {}), and refuses host memory",
                                      device.device_type, device.device_id);
    return observation;
  }
  std::vector<Claim> needs = tested.needs;
  if (tested.pair) {
    needs.insert(needs.end(), {Claim::kProducer, Claim::kConsumer});
  } else {
    needs.push_back(tested.role == Role::kConsumer   ? Claim::kConsumer
                    : tested.role == Role::kProducer ? Claim::kProducer
                                                     : Claim::kExchangeApi);
  }
  for (const Claim need : needs) {
    if (profile_.Claims(need)) continue;
    observation.message = fmt::format("the adapter does not claim {}", ToText(need));
    return observation;
  }
  if (tested.examples == Examples::kWhole && job_.sweep == 0 && !job_.replay) {
    observation.message = "no sweep was requested";
    return observation;
  }
  if (tested.hostile && tested.role == Role::kConsumer && profile_.refuses_host != 0) {
    observation.observed = Observed::kBlocked;
    observation.message = "the library refuses host memory, and invalid tensors are not made in device memory";
    return observation;
  }
  if (tested.blocked != nullptr) {
    const std::string_view why = tested.blocked(profile_);
    if (!why.empty()) {
      observation.observed = Observed::kBlocked;
      observation.message = why;
      return observation;
    }
  }
  return std::nullopt;
}

CaseRunner::Ran CaseRunner::Run(const Case& tested) {
  Wipe(crash_record_.ledger);  // the library of an earlier case may have overwritten it
  started_ = Now();
  left_out_ = 0;
  avoided_hang_ = nullptr;
  said_.clear();
  refused_.clear();
  worst_.reset();
  lighter_.clear();
  deviating_.clear();
  readings_.assign(Questions().size(), {});
  values_.Clear();
  // In a seldom case few examples are meant to be conclusive. A sweep draws what no case needs.
  lists_values_ = !tested.seldom && tested.examples != Examples::kWhole;
  if (std::optional<Observation> not_run = NotRun(tested)) {
    not_run->case_id = tested.id;
    not_run->rule = tested.rules.front();
    not_run->seed = CaseSeed(job_.seed, tested.id);
    return {*std::move(not_run)};
  }
  if (job_.replay) {
    for (const Recipe& before : job_.earlier) trial_.RunWhole(before);
    Example example = Count(trial_.RunWhole(*job_.replay));
    // If the reference fails too, the exchange no longer contains what the case is about.
    if (example.Grave() && trial_.RunReference(*job_.replay, example).shows_same) example.showed = Showed::kNothing;
    // Minimising keeps the wrong fact, and may remove what the case's judge compares it with.
    if (example.showed == Showed::kNothing && example.deviation) {
      example.breach = *example.deviation;
      example.deviation.reset();
      example.breach.rule = tested.rules.front();
      const bool leaks = example.breach.fact.ends_with(".deleter.calls") && example.breach.got == "0";
      example.showed = leaks ? Showed::kLeak : Showed::kBreach;
    }
    Keep(example);
    SuspectAll(tested);
  } else if (tested.examples == Examples::kTable) {
    RunTable(tested);
  } else if (tested.examples == Examples::kWhole) {
    RunWhole(tested);
  } else {
    RunProperty(tested, tested.examples == Examples::kSweep ? extent_.examples * kSweepFactor : extent_.examples);
  }
  Observation observation = SumUp(tested);
  return {observation, observation.observed == Observed::kBlocked ? avoided_hang_ : nullptr};
}

Example CaseRunner::Count(Example example) {
  ++crash_record_.example;
  if (!job_.verdicts_only && !job_.replay) CountReadings();
  CountValues(example);
  if (example.showed == Showed::kRefused) ++crash_record_.counts.refused;
  if (example.showed == Showed::kNothing) ++crash_record_.counts.nothing;
  if (example.showed == Showed::kHeld) ++crash_record_.counts.held;
  std::string& said = example.showed == Showed::kRefused ? refused_ : said_;
  if (said.empty()) said = example.said;
  return example;
}

void CaseRunner::CountValues(const Example& example) {
  if (job_.replay || (!extent_.counts_all && (job_.verdicts_only || !lists_values_))) return;
  const bool conclusive = example.showed != Showed::kRefused && example.showed != Showed::kNothing;
  values_.Count(crash_record_.recipe, crash_record_.ledger, conclusive, extent_.counts_all);
}

void CaseRunner::CountReadings() {
  const Ledger& ledger = crash_record_.ledger;
  const Exchange exchange{crash_record_.recipe, ledger, ledger, crash_record_.profile};
  const Step* const step = ExchangeStep(crash_record_.recipe);
  const int slot = step == nullptr ? 0 : step->slot;
  for (size_t row = 0; row < Questions().size(); ++row) {
    const int reading = Questions()[row].ReadingIn(exchange, slot);
    if (reading >= 0 && reading < kReadings) ++readings_[row][static_cast<size_t>(reading)];
  }
}

void CaseRunner::AddReadings(Observation& observation) const {
  for (size_t row = 0; row < readings_.size(); ++row) {
    for (size_t reading = 0; reading < kReadings; ++reading) {
      const int64_t count = readings_[row][reading];
      if (count != 0) observation.choices.push_back({row, reading, count});
    }
  }
}

/// The recipes that ran before the last one, if the trial keeps them.
std::vector<Recipe> CaseRunner::Earlier() const {
  const std::deque<Recipe>& all = trial_.remembered();
  return all.empty() ? std::vector<Recipe>() : std::vector<Recipe>(all.begin(), std::prev(all.end()));
}

void CaseRunner::Keep(const Example& example) {
  if (example.deviation) {
    Deviating& deviating = deviating_[example.deviation->message];
    if (deviating.count++ == 0) {
      Example shown = example;
      shown.showed = Showed::kBreach;
      shown.breach = *example.deviation;
      deviating.first = Worst{std::move(shown), crash_record_.recipe, crash_record_.ledger, Earlier(), {}};
    }
  }
  if (!example.Broken()) return;
  const int weight = example.Weight();
  const int worst = worst_ ? worst_->example.Weight() : 0;
  if (weight == worst || lighter_.contains(weight)) return;
  if (worst_ && weight > worst) lighter_.try_emplace(worst, *std::move(worst_));
  Worst& kept = weight > worst ? worst_.emplace() : lighter_[weight];
  kept = Worst{example, crash_record_.recipe, crash_record_.ledger, Earlier(), {}};
  kept.example.deviation.reset();
}

void CaseRunner::RunTable(const Case& tested) {
  // A slow row costs as much as hundreds of exchanges, so the number of slow rows is limited like that of examples.
  const auto is_slow = [](const Recipe& recipe) { return TakesLong(recipe) || HasLargeTensor(recipe); };
  const int most = std::max(1, tested.table * extent_.examples / std::max(1, job_.examples));
  int slow_ones = 0;
  // A run of many mutants would start many threads otherwise.
  trial_.KeepThreads(job_.verdicts_only);
  trial_.Spend(extent_.effort);
  for (int row = 0; row < tested.table; ++row) {
    Draw draw{Random(CaseSeed(job_.seed, tested.id) + static_cast<uint64_t>(row)), row, profile_};
    const Recipe recipe = DrawFor(tested, draw);
    if (IsAvoided(tested, recipe)) {
      LeaveOut();
    } else if (!is_slow(recipe) || slow_ones++ < most) {
      Keep(Count(trial_.RunWhole(recipe)));
    }
  }
  trial_.KeepThreads(false);
  trial_.Spend(Effort::kFull);
  SuspectAll(tested);
  ShrinkWorst(tested);
}

void CaseRunner::RunProperty(const Case& tested, int examples) {
  // dtype x rank x kind start at a combination that depends on the run's seed, so that further runs reach further
  // combinations.
  const int start = static_cast<int>(CaseSeed(job_.seed, tested.id) % 100000);
  const auto draw = [&](uint64_t seed, int index) {
    const auto one = [&] {
      Draw from{Random(seed), start + index, profile_};
      return DrawFor(tested, from);
    };
    Recipe recipe = one();
    // A sweep has examples enough.
    const int draws = tested.examples == Examples::kWhole ? 1 : kDraws;
    for (int drawn = 1; drawn < draws && IsAvoided(tested, recipe); ++drawn) {
      ++seed;
      // The number of combinations of dtype, rank and kind may divide that of the examples.
      index += examples + drawn;
      Copy(one(), recipe);
    }
    return recipe;
  };
  const auto goes_on = [&](const Recipe& recipe) {
    if (std::count(extent_.crashing.begin(), extent_.crashing.end(), crash_record_.example) != 0) {
      ++crash_record_.example;
      return true;
    }
    if (IsAvoided(tested, recipe)) {
      LeaveOut();
      return true;
    }
    const Example example = Count(trial_.RunWhole(recipe));
    Keep(example);
    // Only a failure with the full degree of its rule ends the property. Nothing ends a sweep.
    return !example.Grave() || tested.examples == Examples::kWhole;
  };
  // A sweep, or a run of many mutants, would start many threads otherwise.
  trial_.KeepThreads(tested.examples == Examples::kWhole || job_.verdicts_only);
  Random seeds(CaseSeed(job_.seed, tested.id));
  const auto sleeps = [&](int ran) {
    return !job_.verdicts_only && EndsEarly(crash_record_.asleep, tested.examples == Examples::kWhole, ran);
  };
  for (int index = 0; index < examples && !sleeps(index) && goes_on(draw(seeds.Next(), index));) ++index;
  trial_.KeepThreads(false);
  SuspectAll(tested);
  ShrinkWorst(tested);
}

void CaseRunner::RunWhole(const Case& tested) {
  RunProperty(tested, job_.sweep);
  if (job_.verdicts_only) return;
  for (auto& [message, deviating] : deviating_) Shrink(tested, kShrinkDeviation, deviating.first);
}

bool CaseRunner::IsAvoided(const Case& tested, const Recipe& recipe) {
  const std::vector<Avoided>& avoided = job_.AvoidedBy(tested.id);
  if (avoided.empty() && extent_.hangs.empty()) return false;
  Recipe normal;
  Copy(recipe, normal);
  Normalize(normal);
  const auto hang = std::find_if(extent_.hangs.begin(), extent_.hangs.end(),
                                 [&](const KnownHang& one) { return one.MayShow(normal); });
  if (hang == extent_.hangs.end()) return MayShowAny(avoided, normal);
  if (avoided_hang_ == nullptr) avoided_hang_ = &*hang;
  return true;
}

void CaseRunner::LeaveOut() {
  ++crash_record_.example;
  ++left_out_;
}

/// Reports the failure that the case's judge saw, less severe failures, which may have other causes, and each other
/// fact that differs from the reference. This comes before any search, which may crash the process.
void CaseRunner::SuspectAll(const Case& tested) const {
  const bool judged = worst_ && tested.examples != Examples::kWhole;
  if (judged) Suspect(*worst_, 1);
  for (const auto& [weight, lighter] : lighter_) {
    if (judged) Suspect(lighter, 1);
  }
  for (const auto& [message, deviating] : deviating_) {
    if (judged && Same(deviating.first.recipe, worst_->recipe)) continue;
    Suspect(deviating.first, deviating.count);
  }
}

void CaseRunner::Suspect(const Worst& worst, int64_t count) const {
  const ViolatedFact seen = ViolatedFactOf(worst.example, worst.recipe, worst.ledger);
  Finding finding = FindingOf(seen, {worst.recipe, TriggerSet()}, Shows::kBehindOthers);
  finding.count = count;
  for (const Recipe& one : worst.earlier) finding.earlier.push_back(nlohmann::json::parse(ToJson(one)));
  tell_.suspect(finding);
}

void CaseRunner::ShrinkWorst(const Case& tested) {
  if (!worst_ || job_.verdicts_only) return;
  Worst& worst = *worst_;
  tell_.found(SumUp(tested));
  Shrink(tested, kShrinkBudget, worst);
  tell_.found(SumUp(tested));
  FindNeeded(worst);
}

void CaseRunner::Shrink(const Case& tested, const Budget& budget, Worst& worst) {
  std::optional<Domain> domain;
  bool alike = false;  // both libraries refused it, or both accepted it
  if (worst.example.showed == Showed::kBreach) {
    domain.emplace(tested, profile_, worst.recipe);
    const Example again = trial_.Run(worst.recipe);
    const Trial::OfReference reference = trial_.RunReference(worst.recipe, again);
    alike = !reference.shows_same && reference.refused == again.refused;
  }
  MinimiseValues(
      worst.recipe,
      [&](const Recipe& candidate) {
        if (domain && !domain->Holds(candidate)) return false;
        const Example example = trial_.Run(candidate);
        if (example.Weight() < worst.example.Weight() || !example.SameAs(worst.example)) return false;
        const Trial::OfReference reference = trial_.RunReference(candidate, example);
        if (reference.shows_same || (alike && reference.refused != example.refused)) return false;
        worst = Worst{example, crash_record_.recipe, crash_record_.ledger, {}, {}};
        return true;
      },
      budget, profile_);
}

/// The steps that a reproducer must run. A shorter exchange shows the same if the case reports the same, or if the
/// deciding fact has the same wrong value and the reference has the same right one. If the fact is about releases, only
/// steps that read are left out: without another step it could be wrong for another reason.
void CaseRunner::FindNeeded(Worst& worst) {
  const Breach& breach = worst.example.breach;
  const int row = FactIndex(breach.fact);
  const bool releases = row >= 0 && FamilyOf(FactRowAt(row), worst.ledger) == Family::kRelease;
  const auto acts = [](const Recipe& recipe) {
    return std::count_if(recipe.steps, recipe.steps + recipe.used.steps,
                         [](const Step& step) { return !HasTrait(step.op, OpTrait::kOnlyReads); });
  };
  const bool judged = worst.example.showed == Showed::kBreach && !breach.fact.empty();
  const std::string wrong = breach.fact.empty() ? "" : Fact(worst.ledger, breach.fact);
  const std::string right = judged ? trial_.FactOfReference(worst.recipe, breach.fact) : wrong;
  worst.needed = NeededSteps(
      worst.recipe,
      [&](const Recipe& fewer) {
        if (releases && acts(fewer) != acts(worst.recipe)) return false;
        const Example example = trial_.Run(fewer);
        if (!breach.fact.empty() && Fact(crash_record_.ledger, breach.fact) != wrong) return false;
        const bool same = example.SameAs(worst.example) && example.breach.fact == breach.fact &&
                          example.breach.wanted == breach.wanted && example.breach.got == breach.got;
        if (same && !trial_.RunReference(fewer, example).shows_same) return true;
        return wrong != right && trial_.FactOfReference(fewer, breach.fact) == right;
      },
      kNeededBudget);
}

void CaseRunner::AddDeviations(Observation& observation) const {
  for (const auto& [message, deviating] : deviating_) {
    const Breach& breach = deviating.first.example.breach;
    const Words words = WordsOf(breach.fact, deviating.first.recipe, deviating.first.ledger, breach.wanted, breach.got);
    observation.deviations.push_back({.fact = breach.fact,
                                      .message = breach.message,
                                      .rule = breach.rule,
                                      .wanted = breach.wanted,
                                      .got = breach.got,
                                      .words = words,
                                      .count = deviating.count,
                                      .recipe = nlohmann::json::parse(ToJson(deviating.first.recipe))});
  }
}

/// A property needs at least half of its examples to hold. A table, or a single exchange, needs one.
bool CaseRunner::ShowsEnough(const Case& tested) const {
  if (2 * left_out_ > crash_record_.example && tested.examples != Examples::kWhole) return false;
  const bool property = tested.examples == Examples::kProperty || tested.examples == Examples::kSweep;
  if (!property || tested.seldom || job_.replay) return crash_record_.counts.held > 0;
  return 2 * crash_record_.counts.held >= crash_record_.example;
}

Observation CaseRunner::SumUp(const Case& tested) const {
  Observation observation;
  observation.case_id = tested.id;
  observation.rule = tested.rules.front();
  observation.seed = CaseSeed(job_.seed, tested.id);
  observation.examples = crash_record_.example;
  observation.held = crash_record_.counts.held;
  observation.refused = crash_record_.counts.refused;
  observation.nothing = crash_record_.counts.nothing;
  observation.seconds = Now() - started_;
  observation.observed = Observed::kHeld;
  AddReadings(observation);
  if (worst_) {
    const Breach& breach = worst_->example.breach;
    observation.observed = ObservedAs(worst_->example.showed);
    observation.degree = breach.degree;
    if (!breach.rule.empty()) observation.rule = breach.rule;
    observation.message = breach.message;
    observation.fact = breach.fact;
    observation.wanted = breach.wanted;
    observation.got = breach.got;
    if (!job_.verdicts_only) Attach(worst_->recipe, worst_->ledger, observation);
    observation.needed = worst_->needed;
    if (tested.examples == Examples::kWhole) AddDeviations(observation);
  } else if (crash_record_.example > 0 && !ShowsEnough(tested)) {
    const bool refused =
        crash_record_.counts.refused > 0 && crash_record_.counts.refused >= crash_record_.counts.nothing;
    const bool none = crash_record_.counts.held == 0;
    observation.observed = left_out_ > 0 ? Observed::kBlocked : Observed::kSkip;
    observation.message = refused ? none ? "refused with an exception" : "refused with an exception in most examples"
                          : none  ? "no example was conclusive"
                                  : "most examples were not conclusive";
    observation.got = refused ? refused_ : said_;  // may contain addresses and values
    if (!none) {
      observation.got = fmt::format("held in {} of {} examples{}{}", crash_record_.counts.held, crash_record_.example,
                                    observation.got.empty() ? "" : ": ", observation.got);
    }
  }
  if (extent_.counts_all) observation.shares = values_.All();
  if (observation.observed != Observed::kHeld || !lists_values_ || extent_.counts_all) return observation;
  observation.lost = values_.Lost();
  observation.shares = values_.Shares();
  return observation;
}

}  // namespace dlpack_cts::worker
