// worker/run/trial.cc: runs one recipe for one case, and returns the result.
#include "worker/run/trial.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "base/clock.h"
#include "harness/attribute/attribution.h"
#include "harness/compare/whole.h"
#include "harness/ledger/fact_table.h"
#include "harness/ledger/facts.h"
#include "harness/oracle/oracle.h"
#include "harness/recipe/laws.h"
#include "harness/recipe/normalize.h"
#include "harness/recipe/ops.h"
#include "worker/diagnose/violated_fact.h"
#include "worker/process/ending.h"
#include "worker/process/exchange_clock.h"
#include "worker/process/foreign_copy.h"

namespace dlpack_cts::worker {
namespace {

constexpr size_t kRemembered = 33;

/// Whose calls are searched: making or changing an array is code of the adapter.
enum class Of : uint8_t { kLibrary, kLibraryAndAdapter };

/// The first refusal for which the test is true, or NULL.
template <typename Test>
const Refusal* FindAnswer(const Ledger& ledger, Of of, Test test) {
  for (const ImportLedger& import : ledger.imports) {
    if (test(import.import)) return &import.import;
    if (test(import.again)) return &import.again;
  }
  for (const ExportLedger& exported : ledger.exports) {
    if (test(exported.export_call)) return &exported.export_call;
  }
  for (const SourceLedger& source : ledger.sources) {
    if (of == Of::kLibraryAndAdapter && test(source.make)) return &source.make;
    if (of == Of::kLibraryAndAdapter && test(source.change)) return &source.change;
    if (test(source.device_call)) return &source.device_call;
  }
  return nullptr;
}

/// A call that raised an exception that ends programs, such as SystemExit, or NULL.
const Refusal* Ended(const Ledger& ledger) {
  return FindAnswer(ledger, Of::kLibraryAndAdapter, [](const Refusal& refusal) { return refusal.ends_programs != 0; });
}

/// A call that raised an exception that looks like a bug, such as NameError, or NULL.
const Refusal* Stumbled(const Ledger& ledger) {
  return FindAnswer(ledger, Of::kLibrary, [](const Refusal& refusal) { return refusal.stumbled != 0; });
}

/// Each sets one property of an offer to its default, unless the case is about that property.
constexpr void (*kPlainer[])(Offer&) = {
    [](Offer& offer) { offer.strides_kind = StridesKind::kCompact; },
    [](Offer& offer) { offer.byte_offset = 0; },
    [](Offer& offer) { offer.flags = 0; },
    [](Offer& offer) { offer.placement = Placement::kEndsAtGuard; },
};

/// The refusal that ended the exchange, or NULL.
const Refusal* FirstRefusal(const Recipe& recipe, const Ledger& ledger) {
  if (recipe.kind == RecipeKind::kImport) {
    const Refusal& import = ledger.imports[0].import;
    return import.outcome == Outcome::kRefused || import.outcome == Outcome::kUnsupported ? &import : nullptr;
  }
  const Refusal& make = ledger.sources[0].make;
  if (make.outcome == Outcome::kRefused || make.outcome == Outcome::kUnsupported) return &make;
  const Refusal& taken = ledger.imports[0].import;  // by the other library of a pair, or from the exchange table
  if (taken.outcome == Outcome::kRefused || taken.outcome == Outcome::kUnsupported) return &taken;
  const Refusal& call = ledger.exports[0].export_call;
  return call.outcome == Outcome::kRefused || call.outcome == Outcome::kUnsupported ? &call : nullptr;
}

Recipe Normal(const Recipe& recipe) {
  Recipe normal;
  Copy(recipe, normal);
  Normalize(normal);
  return normal;
}

bool CouldNotMake(const Recipe& recipe, const Ledger& ledger) {
  return recipe.kind == RecipeKind::kExport && ledger.sources[0].make.outcome != Outcome::kAccepted;
}

/// Whether an export returned something else than a struct, so that nothing is known of the tensor.
bool HasUnseenExport(const Ledger& ledger) {
  return std::any_of(std::begin(ledger.exports), std::end(ledger.exports), [](const ExportLedger& exported) {
    return exported.export_call.outcome == Outcome::kAccepted && exported.struct_address == 0;
  });
}

/// Whether the fact says that an exchange is refused, or how.
bool IsOfRefusal(std::string_view fact) {
  constexpr std::string_view kEnds[] = {".exception", ".is_buffer_error", ".outcome"};
  return std::any_of(std::begin(kEnds), std::end(kEnds), [&](std::string_view end) { return fact.ends_with(end); });
}

std::string Text(const Refusal& refusal) {
  std::string text(refusal.type.view());
  if (!refusal.message.empty()) text += (text.empty() ? "" : ": ") + std::string(refusal.message.view());
  return text;
}

Breach UnsafeBreach(const Case& tested, const Ledger& ledger) {
  const Fault& fault = ledger.faults[0];
  Breach breach;
  breach.rule = tested.rules.front();
  breach.message = std::string(fault.write ? "wrote to " : "read ") + std::string(ToText(fault.region)) +
                   " memory that it must not access" + (fault.after_deleter ? ", after the deleter was called" : "");
  breach.fact = "fault0";
  breach.wanted = "none";
  breach.got = Fact(ledger, breach.fact);
  return breach;
}

Breach LeakBreach(const Case& tested, const Ledger& ledger) {
  Breach breach;
  breach.rule = tested.rules.front();
  int slot = 0;
  while (slot + 1 < kSlots && (ledger.imports[slot].capsules == 0 || ledger.imports[slot].deleter.calls != 0)) ++slot;
  const bool refused = ledger.imports[slot].import.outcome == Outcome::kRefused;
  breach.message = refused ? "refused the tensor, and its deleter was never called"
                           : "all objects were dropped and collected, but the deleter was never called";
  breach.fact = "import" + std::to_string(slot) + ".deleter.calls";
  breach.wanted = "1";
  breach.got = Fact(ledger, breach.fact);
  return breach;
}

Example EndedProgram(const Case& tested, const Refusal& ended) {
  Example example;
  example.showed = Showed::kEnded;
  example.breach.rule = tested.rules.front();
  example.breach.message =
      "raised " + std::string(ended.type.view()) + ", which ends the program instead of refusing the exchange";
  example.breach.wanted = "a result, or an exception derived from Exception";
  example.breach.got = Text(ended);
  return example;
}

Breach StumbleBreach(const Case& tested, const Refusal& refusal) {
  Breach breach;
  breach.rule = tested.rules.front();
  breach.degree = Degree::kWarn;
  breach.message = "raised " + std::string(refusal.type.view()) + ", which looks like a bug rather than a refusal";
  breach.wanted = "a result, or an exception raised on purpose, such as BufferError";
  breach.got = Text(refusal);
  return breach;
}

bool SameKeywords(const Call& a, const Call& b) {
  return a.max_version == b.max_version && a.dl_device == b.dl_device && a.copy == b.copy && a.stream == b.stream &&
         a.unknown_keyword == b.unknown_keyword;
}

/// Whether its exchanges have other keywords, or tensors that a library may treat otherwise. What a library may choose
/// is known only for exchanges that are alike.
bool HasUnlikeExchanges(const Recipe& recipe) {
  for (int i = 1; i < recipe.used.calls; ++i) {
    if (!SameKeywords(recipe.call(i), recipe.call())) return true;
  }
  // Minimising may leave offers that no step uses.
  const Offer* first = nullptr;
  return std::ranges::any_of(recipe.life(), [&](const Step& step) {
    if (!UsesOffer(step.op)) return false;
    const Offer& offer = recipe.offer(step.block);
    if (first == nullptr) first = &offer;
    return BrokenLaws(offer) != BrokenLaws(*first);
  });
}

}  // namespace

Trial::Trial(Engine& engine, ReferenceRun& reference_run, CrashRecord& crash_record, int case_index, const Case& tested)
    : engine_(engine), reference_run_(reference_run), crash_record_(crash_record), tested_(tested) {
  CrashRecordHead& head = crash_record_.head;
  std::snprintf(head.case_id, sizeof(head.case_id), "%.*s", static_cast<int>(tested.id.size()), tested.id.data());
  head.started = Now();
  head.case_index = case_index;
  head.hostile = tested.hostile ? 1 : 0;
  SetDoing(crash_record_, "running");
  crash_record_.example = 0;
  crash_record_.counts = {};
  head_ = head;
  if (crash_record_.profile.releases_late != 0) engine_.ExpectLate();
}

Example Trial::Run(const Recipe& recipe) {
  const Recipe normal = Normal(recipe);
  if (IsWhole()) reference_run_.Run(normal);
  return JudgeNormal(normal);
}

Example Trial::RunWhole(const Recipe& recipe) {
  if (tested_.hostile || IsWhole() || HasUnlikeExchanges(recipe)) return Run(recipe);
  const Recipe normal = Normal(recipe);
  reference_run_.Run(normal);
  Example example = JudgeNormal(normal);
  example.deviation = DeviationOf(normal);
  return example;
}

/// Runs the library only.
Example Trial::JudgeNormal(const Recipe& recipe) {
  Exchange(recipe);
  Example example = IsWhole() ? JudgeWhole(recipe) : Judge(recipe);
  example.refused = FirstRefusal(recipe, crash_record_.ledger) != nullptr;
  return example;
}

Examined Trial::Examine(const Recipe& recipe, const Focus& focus) {
  const Recipe normal = Normal(recipe);
  if (IsWhole() || !focus.own) reference_run_.Run(normal);
  Examined seen;
  seen.example = JudgeNormal(normal);
  seen.judged = ViolatedFactOf(seen.example, normal, crash_record_.ledger);
  if (focus.own && seen.example.showed == Showed::kUnsafe && tested_.judge != nullptr) {
    Judgement judgement(crash_record_.ledger, tested_.rules.front(), &crash_record_.profile);
    tested_.judge(normal, crash_record_.ledger, judgement);
    const std::optional<Breach>& breach = judgement.breach();
    if (!breach) return seen;
    seen.example.showed = Showed::kBreach;
    seen.example.breach = *breach;
    seen.judged = ViolatedFactOf(seen.example, normal, crash_record_.ledger);
  }
  if (!focus.own) {
    seen.reference_fault = Contradiction(normal, reference_run_.ledger());
    if (!seen.reference_fault.empty()) return seen;
    if (AllowedFor(normal) != Allowed::kAnything) {
      std::vector<Deviation> deviations = reference_run_.Compare(normal, crash_record_.ledger, crash_record_.profile);
      std::erase_if(deviations, [&](const Deviation& one) { return one.family == focus.beside; });
      seen.violated = ViolatedFactOf(
          deviations, {normal, crash_record_.ledger, reference_run_.ledger(), crash_record_.profile}, focus.fact);
      if (!deviations.empty()) return seen;
    }
    if (!focus.fact.empty() || focus.beside) return seen;
  }
  if (!seen.judged.Any()) return seen;
  const OfReference reference = RunReference(normal, seen.example);
  if (reference.shows_same) return seen;
  seen.violated = seen.judged;
  // If only one of the two refused, a simpler exchange in which both refuse, or both accept, shows another failure.
  if (reference.refused != seen.example.refused) seen.violated.Joins(Family::kOutcome);
  return seen;
}

Trial::OfReference Trial::RunReference(const Recipe& recipe, const Example& example) {
  const Recipe normal = Normal(recipe);
  reference_run_.Run(normal);
  const Ledger& ledger = reference_run_.ledger();
  const bool refused = FirstRefusal(normal, ledger) != nullptr;
  if (example.showed != Showed::kBreach || tested_.judge == nullptr || CouldNotMake(normal, ledger) ||
      (refused && tested_.on_refusal != OnRefusal::kJudge)) {
    return {false, refused};
  }
  Judgement judgement(ledger, tested_.rules.front(), &crash_record_.profile);
  tested_.judge(normal, ledger, judgement);
  const std::optional<Breach>& breach = judgement.breach();
  return {breach && breach->rule == example.breach.rule && breach->message == example.breach.message, refused};
}

std::string Trial::FactOfReference(const Recipe& recipe, std::string_view fact) {
  reference_run_.Run(Normal(recipe));
  return Fact(reference_run_.ledger(), fact);
}

void Trial::KeepThreads(bool kept) {
  engine_.KeepThreads(kept);
  reference_run_.KeepThreads(kept);
}

void Trial::Exchange(const Recipe& recipe) {
  crash_record_.head.tick = ++head_.tick;
  if (remembers_) remembered_.push_back(recipe);
  if (remembered_.size() > kRemembered) remembered_.pop_front();
  Copy(recipe, crash_record_.recipe);
  const ExchangeClock clock;
  engine_.Run(recipe, crash_record_.ledger);
  clock.Stop(crash_record_);
  LeaveIfForeignCopy();
  const auto* head = reinterpret_cast<const unsigned char*>(&crash_record_.head);
  const auto* kept = reinterpret_cast<const unsigned char*>(&head_);
  if (!IsIntact(crash_record_) || !std::equal(kept, kept + sizeof(head_), head)) LeaveScribbled(recipe);
}

void Trial::LeaveScribbled(const Recipe& recipe) {
  const int example = crash_record_.example;
  Clear(crash_record_);
  crash_record_.head = head_;
  crash_record_.example = std::max(0, example);
  crash_record_.recipe = recipe;
  crash_record_.ledger.step = -1;
  crash_record_.scribbled = 1;
  _exit(kScribbledExit);
}

Example Trial::JudgeWhole(const Recipe& recipe) {
  const Ledger& ledger = crash_record_.ledger;
  Example example;
  if (const Refusal* ended = Ended(ledger); ended != nullptr) return EndedProgram(tested_, *ended);
  if (AllowedFor(recipe) == Allowed::kAnything) {
    example.showed = Showed::kNothing;
    return example;
  }
  example.deviation = DeviationOf(recipe);
  if (example.deviation) {
    example.showed = Showed::kBreach;
    example.breach = *example.deviation;
    example.breach.degree = Degree::kNote;  // it is not yet known whether a rule covers it
    return example;
  }
  // A refused exchange was compared up to the refusal.
  if (FirstRefusal(recipe, ledger) != nullptr) example.showed = Showed::kRefused;
  if (CouldNotMake(recipe, ledger)) example.showed = Showed::kNothing;
  return example;
}

/// Invalid input shows only whether the library is memory safe, which is what robustness/ checks.
std::optional<Breach> Trial::DeviationOf(const Recipe& recipe) {
  const Ledger& ledger = crash_record_.ledger;
  if (AllowedFor(recipe) == Allowed::kAnything) return std::nullopt;
  const std::vector<Deviation>& deviations = reference_run_.Compare(recipe, ledger, crash_record_.profile);
  if (deviations.empty()) return std::nullopt;
  const Deviation& first = deviations.front();
  const FactRow& row = FactRowAt(first.row);
  const Side side = tested_.role == Role::kConsumer ? Side::kImport : Side::kExport;
  Breach breach;
  breach.rule = AttributionOf({side, first.family, row.pattern, "", {}}).rule;
  breach.message =
      row.pattern + (first.family == Family::kChoice ? " has the value of the reference, not the library's usual one"
                                                     : " differs from the reference");
  breach.fact = row.key;
  breach.wanted = WantedText(first, reference_run_.ledger());
  breach.got = GotText(first, ledger);
  return breach;
}

Example Trial::Judge(const Recipe& recipe) {
  const Ledger& ledger = crash_record_.ledger;
  Example example;
  if (const Refusal* ended = Ended(ledger); ended != nullptr) return EndedProgram(tested_, *ended);
  const Safety safety = SafetyOf(recipe, ledger);
  if (safety.unsafe) {
    example.showed = Showed::kUnsafe;
    example.breach = UnsafeBreach(tested_, ledger);
    return example;
  }
  if (CouldNotMake(recipe, ledger)) {
    example.showed = Showed::kNothing;
    example.said = Text(ledger.sources[0].make);
    return example;
  }
  const Refusal* refusal = FirstRefusal(recipe, ledger);
  if (safety.leak) {
    example.showed = Showed::kLeak;
    example.breach = LeakBreach(tested_, ledger);
    return example;
  }
  // A library only has to survive invalid input.
  const Refusal* stumbled = tested_.hostile ? nullptr : Stumbled(ledger);
  if (refusal != nullptr && tested_.on_refusal != OnRefusal::kJudge && stumbled == nullptr) {
    return Refused(recipe, *refusal);
  }
  Judgement judgement(ledger, tested_.rules.front(), &crash_record_.profile);
  if (refusal == nullptr || tested_.on_refusal == OnRefusal::kJudge) tested_.judge(recipe, ledger, judgement);
  if (HasUnseenExport(ledger)) judgement.SaysNothing("the export returned no struct");
  if (stumbled != nullptr) judgement.Breaks(StumbleBreach(tested_, *stumbled));
  if (const std::optional<Breach>& breach = judgement.breach(); breach.has_value()) {
    if (refusal != nullptr && IsRefusedAnyway(recipe, *breach)) {
      example.showed = Showed::kNothing;
      example.said = "the exchange without what the case is about is refused, too";
      return example;
    }
    example.showed = Showed::kBreach;
    example.breach = *breach;
    example.stumbled = stumbled != nullptr && breach->message == StumbleBreach(tested_, *stumbled).message;
  } else if (!judgement.why_nothing().empty()) {
    example.showed = Showed::kNothing;
    example.said = judgement.why_nothing();
  } else if (!judgement.judged()) {
    example.showed = Showed::kUnjudged;
    example.breach.rule = tested_.rules.front();
    example.breach.message = "the case did not judge this exchange, which is a bug in dlpack-cts";
  }
  return example;
}

/// Whether the library accepts this exchange, which leaves no trace in the record of the present one.
bool Trial::Takes(const Recipe& other) {
  const Recipe recipe = crash_record_.recipe;
  const Ledger seen = crash_record_.ledger;
  Exchange(other);
  const bool takes = FirstRefusal(other, crash_record_.ledger) == nullptr;
  crash_record_.recipe = recipe;
  crash_record_.ledger = seen;
  return takes;
}

/// The recipe without the case's trigger.
Recipe Trial::ControlOf(const Recipe& recipe) const {
  Recipe control = recipe;
  tested_.control(crash_record_.profile, control);
  PlaceOffers(crash_record_.profile, control);
  Normalize(control);
  return control;
}

/// Whether the library refuses the exchange without the case's trigger, too, or the exchange does not have it. Then
/// neither the refusal nor its exception says anything about the trigger.
bool Trial::IsRefusedAnyway(const Recipe& recipe, const Breach& breach) {
  if (tested_.control == nullptr || !IsOfRefusal(breach.fact)) return false;
  const Recipe control = ControlOf(recipe);
  return Same(control, recipe) || !Takes(control);
}

Example Trial::Refused(const Recipe& recipe, const Refusal& refusal) {
  Example example;
  example.said = Text(refusal);
  example.showed = Showed::kRefused;
  if (tested_.on_refusal == OnRefusal::kPass) example.showed = Showed::kHeld;
  if (tested_.on_refusal != OnRefusal::kWarn) return example;
  // The property is the reason only if the exchange without it is accepted, and every simpler exchange without it too.
  const Recipe usual = ControlOf(recipe);
  const bool to_blame = Takes(usual) && std::all_of(std::begin(kPlainer), std::end(kPlainer), [&](const auto plainer) {
                          Recipe plain = recipe;
                          plainer(plain.offer());
                          const Recipe control = ControlOf(plain);
                          return Same(control, usual) || Takes(control);
                        });
  if (!to_blame) return example;
  const bool import = &refusal == &crash_record_.ledger.imports[0].import;
  const std::string fact = import ? "import0.outcome" : "export0.outcome";
  example.showed = Showed::kBreach;
  example.breach.rule = tested_.rules.front();
  example.breach.degree = Degree::kWarn;
  example.breach.message = import ? "refuses an import that should succeed" : "refuses an export that should succeed";
  example.breach.fact = fact;
  example.breach.wanted = "accepted";
  example.breach.got = Fact(crash_record_.ledger, fact) + ": " + example.said;
  return example;
}

}  // namespace dlpack_cts::worker
