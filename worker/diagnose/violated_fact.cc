// worker/diagnose/violated_fact.cc: finds the first violated fact of deviations, violations and crashes.
#include "worker/diagnose/violated_fact.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/exception_text.h"
#include "harness/case/left_unused.h"
#include "harness/ledger/fact_table.h"
#include "harness/ledger/facts.h"
#include "harness/recipe/codec.h"
#include "harness/recipe/dtypes.h"
#include "harness/recipe/life.h"
#include "harness/recipe/ops.h"
#include "harness/recipe/sentence.h"
#include "worker/diagnose/decided.h"
#include "worker/job/avoid.h"

namespace dlpack_cts::worker {
namespace {

constexpr std::string_view kStumbled = "stumbled";  // an exception that looks like a bug

/// The family of an access to foreign memory in that step.
Family FamilyOfStep(Op op) {
  if (HasTrait(op, OpTrait::kTouchesElements)) return Family::kPlace;
  return HasTrait(op, OpTrait::kTouchesRelease) ? Family::kRelease : Family::kMemoryInCall;
}

bool IsRefused(const Refusal& answer) { return answer.outcome == Outcome::kRefused; }

/// A word for a tensor that the subject refused (the first one, or that of the fact), or for an export that both the
/// subject and the reference refused. A consumer may refuse what the reference imports, and has the same duties then.
std::string_view RefusedBy(const Recipe& recipe, const Ledger& subject, const Ledger& reference, const FactRow* row) {
  const int slot = row != nullptr && row->block == Block::kImport ? row->slot : 0;
  const bool refused = IsRefused(subject.imports[0].import) || IsRefused(subject.imports[slot].import);
  if (recipe.kind == RecipeKind::kImport && refused) return "refused-offer";
  for (int slot = 0; slot < kSlots; ++slot) {
    if (IsRefused(subject.exports[slot].export_call) && IsRefused(reference.exports[slot].export_call)) {
      return "refused-export";
    }
  }
  return "";
}

bool Has(const std::vector<std::string>& ids, std::string_view id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

/// Whether the failure is the exception of a refused export, for any array. A refusal because of another device or an
/// older version is not about the array, and the exchange table has its own rule. An exception that looks like a bug is
/// not a refusal: its triggers tell which arrays it is about.
bool IsRefusalOfAnArray(const ViolatedFact& violated, const std::vector<std::string>& ids) {
  const bool about_another =
      Has(ids, "dl_device-pair-elsewhere") || Has(ids, "max_version-before-1") || Has(ids, "step-table-export");
  return violated.family == Family::kException && violated.refused == "refused-export" && violated.fact != kStumbled &&
         (violated.rule.empty() || !about_another);
}

/// Whether the fact is about the look-up of the exchange table, in whichever step.
bool IsOfTheLookup(const ViolatedFact& violated) {
  constexpr std::string_view kFacts[] = {"found",      "current", "older",   "names_differ", "readable",     "version",
                                         "null_slots", "moved",   "changed", "chain_ends",   "chain_ascends"};
  return violated.family == Family::kTable && violated.fact.starts_with("tableS.") &&
         std::find(std::begin(kFacts), std::end(kFacts), violated.fact.substr(7)) != std::end(kFacts);
}

/// The ids of the triggers. If a library remembers something about an address, the trigger is the earlier exchange at
/// that address. All refusals are one class if the failure is about the release after the refusal or its exception.
std::vector<std::string> TagsOf(const ViolatedFact& violated, const Minimised& reduced) {
  std::vector<std::string> ids = IdsOf(reduced.set);
  if (violated.of_pair) std::erase(ids, "step-import-source");
  if (Has(ids, "same-address")) return {kEarlierExchanges};
  if (IsOfTheLookup(violated)) return {"step-table-find"};
  const bool one_class =
      violated.family == Family::kRelease || violated.family == Family::kCapsule || IsRefusalOfAnArray(violated, ids);
  if (!violated.refused.empty() && one_class) {
    std::vector<std::string> tags = {std::string(violated.refused)};
    // Rules of their own cover the refusal of a struct with another major version, and a refusal by the exchange table.
    std::copy_if(ids.begin(), ids.end(), std::back_inserter(tags),
                 [](const std::string& id) { return id.starts_with("major-") || id == "step-table-import"; });
    return tags;
  }
  for (const Property* const needed : reduced.defaults) ids.insert(ids.begin(), needed->values.front().id);
  return ids;
}

Side SideOf(std::string_view fact, const Recipe& recipe) {
  if (fact.starts_with("import")) return Side::kImport;
  if (fact.starts_with("export") || fact.starts_with("source") || fact.starts_with("table")) return Side::kExport;
  return recipe.kind == RecipeKind::kImport ? Side::kImport : Side::kExport;
}

/// The side whose call raised an exception that looks like a bug.
Side SideOfStumble(const Ledger& subject) {
  const bool import = std::any_of(std::begin(subject.imports), std::end(subject.imports), [](const ImportLedger& slot) {
    return slot.import.stumbled != 0 || slot.again.stumbled != 0;
  });
  return import ? Side::kImport : Side::kExport;
}

/// The sentence with the class and the message of the exception, and the tensor. The steps are in the example.
std::string SentenceOfStumble(const ViolatedFact& violated, const Recipe& recipe) {
  const size_t end = violated.got.find(": ");
  const std::string type = violated.got.substr(0, end);
  const std::string text = end == std::string::npos ? "" : " (" + violated.got.substr(end + 2) + ")";
  const std::string example = SentenceOf(recipe);
  const std::string tensor = example.substr(0, example.find("; "));
  return "raised " + type + text + " for " + tensor + "; this looks like a bug rather than a refusal";
}

/// Whether the slot's capsule was left to its destructor after a copy.
bool IsLeftUnused(const Exchange& exchange, int slot) {
  const Step* const step = ImportOf(exchange.recipe, slot);
  return step != nullptr && LeftUnused(exchange.recipe.offer(step->block), exchange.subject.imports[slot]);
}

/// The verdict that does not depend on the rule.
Observed ObservedBy(const ViolatedFact& violated) {
  if (violated.fact == "faultF") return Observed::kUnsafe;
  const bool leaks = violated.fact == "importS.deleter.calls" && violated.got == "0";
  return leaks ? Observed::kLeak : Observed::kBreach;
}

/// Whether an exported tensor is never taken over, or threads lose their exports. An import alone loses nothing.
bool LosesCapsule(const Recipe& recipe) {
  const auto has = [&](Op op) { return HasStep(recipe, op); };
  if (has(Op::kExportTogether)) return true;
  return (has(Op::kExport) || has(Op::kReexport) || has(Op::kExportOften)) && !has(Op::kTakeCapsule);
}

/// The code of a dtype as facts show it, "(code, bits, lanes)". Nothing for another value.
std::optional<int> CodeOf(const std::string& value) {
  int code = 0;
  return std::sscanf(value.c_str(), "(%d,", &code) == 1 ? std::optional(code) : std::nullopt;
}

}  // namespace

bool ViolatedFact::MistakesDtypeAs(const ViolatedFact& other) const {
  if (family != Family::kDtype || got == other.got) return true;
  const std::optional<int> wanted_code = CodeOf(wanted), code = CodeOf(got);
  const std::optional<int> wanted_other = CodeOf(other.wanted), other_code = CodeOf(other.got);
  if (!wanted_code || !code || !wanted_other || !other_code) return true;
  return *code - *wanted_code == *other_code - *wanted_other;
}

bool ViolatedFact::RaisesAs(const ViolatedFact& other) const {
  return fact != kStumbled || other.fact != kStumbled || IsSameException(got, other.got);
}

ViolatedFact ViolatedFactOf(const std::vector<Deviation>& deviations, const Exchange& exchange, std::string_view fact) {
  ViolatedFact violated;
  const auto wanted = std::find_if(deviations.begin(), deviations.end(), [&](const Deviation& deviation) {
    return fact.empty() || FactRowAt(deviation.row).pattern == fact;
  });
  if (wanted == deviations.end()) return violated;
  const Deviation& first = *wanted;
  for (const Deviation& deviation : deviations) violated.Joins(deviation.family);
  const FactRow& row = FactRowAt(first.row);
  violated.family = first.family;
  violated.fact = row.pattern;
  violated.key = row.key;
  violated.wanted = WantedText(first, exchange.reference);
  violated.got = GotText(first, exchange.subject);
  violated.in_words = WordsOfFact(row.key, exchange.recipe, exchange.subject, violated.wanted, violated.got);
  violated.observed = ObservedBy(violated);
  violated.side = SideOf(violated.fact, exchange.recipe);
  violated.refused = RefusedBy(exchange.recipe, exchange.subject, exchange.reference, &row);
  violated.decided = DecidedBy(row, violated.family, exchange);
  if (violated.fact == "importS.name_after" && IsLeftUnused(exchange, row.slot)) {
    violated.degree = Degree::kWarn;
  }
  return violated;
}

bool StandsAlone(const ViolatedFact& violated) {
  switch (violated.family) {
    case Family::kCapsule:
      return violated.side == Side::kImport || violated.fact == "exportS.has_destructor" ||
             violated.fact == "exportS.name_storage";
    case Family::kAsks:
    case Family::kDeviceAnswer:
    case Family::kException:
    case Family::kVersion:
    case Family::kFlags:
    case Family::kStructDevice:
    case Family::kRelease:
    case Family::kChoice:
      return true;
    default:
      return false;
  }
}

ViolatedFact ViolatedFactOf(const Example& example, const Recipe& recipe, const Ledger& subject) {
  ViolatedFact violated;
  if (!example.Broken()) return violated;
  const Breach& breach = example.breach;
  const int index = FactIndex(example.showed == Showed::kUnsafe ? "fault0" : breach.fact);
  const FactRow* const row = index < 0 ? nullptr : &FactRowAt(index);
  // What is shown and never compared, such as a text, belongs to the call that reported it.
  const Family named = row == nullptr ? Family::kReported : FamilyOf(*row, subject);
  violated.family = named == Family::kReported ? Family::kOutcome : named;
  violated.Joins(violated.family);
  violated.fact = row == nullptr ? "" : row->pattern;
  violated.key = row == nullptr ? "" : row->key;
  violated.side = SideOf(violated.fact, recipe);
  // Only a violation that the judge named keeps its rule. All others get one by attribution.
  if (example.showed == Showed::kBreach && !example.stumbled && !example.deviation) violated.rule = breach.rule;
  violated.message = breach.message;
  violated.swept = example.deviation.has_value();
  violated.degree = violated.swept ? Degree::kRule : breach.degree;
  if (example.showed == Showed::kUnsafe) violated.observed = Observed::kUnsafe;
  if (example.showed == Showed::kLeak) violated.observed = Observed::kLeak;
  if (example.showed == Showed::kEnded) violated.observed = Observed::kCrash;
  violated.refused = RefusedBy(recipe, subject, subject, row);
  violated.wanted = breach.wanted;
  violated.got = breach.got;
  violated.in_words = WordsOfFact(row == nullptr ? "" : row->key, recipe, subject, breach.wanted, breach.got);
  if (example.stumbled) {
    violated.families = 0;
    violated.family = Family::kException;
    violated.Joins(violated.family);
    violated.fact = kStumbled;
    violated.side = SideOfStumble(subject);
    violated.in_words.meaning = "the exception looks like a bug rather than a refusal";
    violated.message.clear();
  }
  return violated;
}

ViolatedFact ViolatedFactOfEnd(const Exchange& exchange, EndKind ended) {
  std::vector<Deviation> before;
  CompareBefore(exchange, exchange.subject.step, before);
  return before.empty() ? EndItself(exchange, ended) : ViolatedFactOf(before, exchange);
}

std::string HangFact(Op op) { return "hang-" + std::string(ToText(op)); }

ViolatedFact EndItself(const Exchange& exchange, EndKind ended) {
  ViolatedFact violated;
  const Op op = StepAtEnd(exchange.recipe, exchange.subject);
  const bool hangs = ended == EndKind::kHangs;
  violated.family = hangs ? Family::kHang : FamilyOfStep(op);
  violated.side = SideOfStep(op, exchange.recipe);
  violated.Joins(violated.family);
  violated.observed = hangs ? Observed::kTimeout : Observed::kCrash;
  const std::string_view end = ended == EndKind::kThrew ? "thrown-" : "death-";
  violated.fact = hangs ? HangFact(op) : std::string(end) + std::string(ToText(op));
  const std::string where = op == Op::kEnd ? "after the last step" : "in the step " + std::string(ToText(op));
  violated.in_words.meaning = hangs                      ? "the exchange did not end within its time limit " + where
                              : ended == EndKind::kThrew ? "a C++ exception escaped from the library " + where
                                                         : "the process crashed " + where;
  return violated;
}

Finding FindingOf(const ViolatedFact& violated, const Minimised& reduced, Shows shows) {
  Finding finding;
  finding.side = violated.side;
  finding.family = violated.family;
  finding.triggers = TagsOf(violated, reduced);
  const bool alone = shows == Shows::kAlone;
  if (!alone) finding.triggers = {kEarlierExchanges};
  finding.fact = violated.fact;
  finding.key = violated.key;
  finding.rule = violated.rule;
  const bool one_class = IsRefusalOfAnArray(violated, IdsOf(reduced.set));
  const bool by_attribution = violated.rule.empty() || one_class || (!alone && violated.degree == Degree::kRule);
  const AttributionRow& row =
      AttributionOf({violated.side, violated.family, violated.fact, violated.got, finding.triggers});
  const std::string rule(violated.decided.empty() ? row.rule : violated.decided);
  if (by_attribution) finding.rule = rule;
  if (by_attribution || !row.triggers.empty()) finding.attributed = rule;
  finding.judged = violated.rule;
  finding.loses_capsule = LosesCapsule(reduced.recipe);
  finding.swept = violated.swept;
  finding.message = violated.fact == kStumbled ? SentenceOfStumble(violated, reduced.recipe) : violated.message;
  finding.observed = violated.observed;
  finding.degree =
      violated.swept && !Claims(row) && violated.observed == Observed::kBreach ? Degree::kNote : violated.degree;
  finding.wanted = violated.wanted;
  finding.got = violated.got;
  finding.words = {SentenceOf(reduced.recipe), violated.in_words.meaning, violated.in_words.wanted,
                   violated.in_words.got};
  finding.recipe = nlohmann::json::parse(dlpack_cts::ToJson(reduced.recipe));
  return finding;
}

bool IsOf(const Finding& found, const ViolatedFact& violated) {
  return violated.Any() && violated.family == found.family && violated.fact == found.fact;
}

void KeepOrigin(const Finding& from, Finding& finding) {
  finding.case_id = from.case_id;
  finding.mutant = from.mutant;
  finding.count = from.count;
  finding.judged = from.judged;
}

Finding AccusedOf(const Finding& found, ViolatedFact violated, Side side, const Recipe& recipe) {
  violated.side = side;
  violated.swept = found.swept;
  violated.degree = found.degree;
  violated.of_pair = true;
  Finding accused = FindingOf(violated, {recipe, TriggersOf(recipe), DefaultsOf(found)}, Shows::kAlone);
  KeepOrigin(found, accused);
  return accused;
}

Finding AtTimes(const Finding& seen) {
  Finding told = seen;
  told.triggers = {kAtTimes};
  told.earlier = nlohmann::json::array();
  told.rule = seen.judged;
  told.attributed.clear();
  if (told.rule.empty()) told.rule = AttributionOf({seen.side, seen.family, seen.fact, seen.got, {}}).rule;
  const bool certain = seen.observed != Observed::kBreach || seen.family == Family::kRelease;
  if (seen.swept || !certain) told.degree = Degree::kNote;
  told.words.example += "; seen only sometimes: neither this exchange alone nor the earlier ones showed it again";
  return told;
}

std::vector<const Property*> DefaultsOf(const Finding& finding) {
  std::vector<const Property*> needed;
  for (const Property* const one : DefaultProperties()) {
    if (Has(finding.triggers, one->values.front().id)) needed.push_back(one);
  }
  return needed;
}

}  // namespace dlpack_cts::worker
