// runner/verdict/limits.cc: finds the rule that asks for acceptance, and what is reported already.
#include "runner/verdict/limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "results/tally.h"
#include "runner/base/glob.h"
#include "runner/verdict/verdict.h"

namespace dlpack_cts::runner {
namespace {

bool IsOfExport(const Limit& limit) {
  return limit.entry == "make" || limit.entry == "export" || limit.entry == "table-export" ||
         limit.entry == "table-view" || limit.entry == "table-allocate";
}

/// The rule that asks for acceptance, or NULL.
const Rule* RuleOf(const Rules& rules, const Limit& limit) {
  const std::string name = limit.Id().substr(kLimitPrefix.size());
  const std::string name_of_kind = std::string(ToText(limit.kind)) + " " + name;
  for (const auto& [id, rule] : rules) {
    const auto names = [&](const std::string& pattern) {
      return Matches(pattern, name) || Matches(pattern, name_of_kind);
    };
    if (std::any_of(rule.limits.begin(), rule.limits.end(), names)) return &rule;
  }
  return nullptr;
}

bool HasAll(const std::vector<std::string>& triggers, const std::vector<std::string>& wanted) {
  return std::ranges::all_of(wanted, [&](const std::string& one) { return std::ranges::count(triggers, one) > 0; });
}

/// Whether a deviation with these triggers is reported, which then explains the refusal too. A deviation that the
/// control has as well explains nothing, since the control is accepted.
bool IsReported(const Limit& limit, const std::vector<Cause>& causes) {
  return std::any_of(causes.begin(), causes.end(), [&](const Cause& cause) {
    if (!IsDeviation(cause.verdict) || cause.triggers.empty()) return false;
    if (cause.triggers == std::vector<std::string>{"legacy"}) return false;  // every exchange of some libraries has it
    if ((cause.side == Side::kExport) != IsOfExport(limit)) return false;
    return HasAll(limit.triggers, cause.triggers) && !HasAll(limit.control_triggers, cause.triggers) &&
           !HasAll(limit.alone_triggers, cause.triggers);
  });
}

Cause CauseOf(const Limit& limit) {
  Cause cause;
  cause.id = limit.Id();
  cause.side = IsOfExport(limit) ? Side::kExport : Side::kImport;
  cause.limitation = true;
  cause.verdict = Verdict::kNote;
  cause.message = limit.message;
  if (!limit.control.empty()) cause.wanted = "accepted, as is " + limit.control;
  if (limit.control.empty()) cause.wanted = "accepted";
  cause.got = std::string(ToText(limit.kind)) + (limit.answer.empty() ? "" : ": " + limit.answer);
  cause.words.example = limit.example;
  cause.count = 1;
  cause.recipe = limit.recipe;
  return cause;
}

/// Whether the value is the shape, the dtype, the layout or the struct of a tensor, or an entry point. Others, such as
/// a foreign device, may be there to be refused.
bool MayBeLost(const std::string& value) {
  constexpr std::string_view kValues[] = {"scalar",
                                          "empty",
                                          "rank-",
                                          "unit-extent",
                                          "dtype-",
                                          "sub-byte-",
                                          "strided",
                                          "null-strides",
                                          "idle-strides",
                                          "transposed",
                                          "zero-strides",
                                          "negative-strides",
                                          "large",
                                          "byte-offset",
                                          "legacy",
                                          "step-import-capsule",
                                          "step-import-by-table",
                                          "step-peek",
                                          "step-table-"};
  return std::any_of(std::begin(kValues), std::end(kValues),
                     [&](std::string_view beginning) { return value.starts_with(beginning); });
}

}  // namespace

bool ReportsDeviation(const std::string& rule, const Run& run) {
  const auto of_result = [&](const Result& result) {
    return IsDeviation(result.verdict) && std::count(result.breached.begin(), result.breached.end(), rule) > 0;
  };
  const auto of_cause = [&](const Cause& cause) { return IsDeviation(cause.verdict) && cause.rule == rule; };
  return std::any_of(run.results.begin(), run.results.end(), of_result) ||
         std::any_of(run.causes.begin(), run.causes.end(), of_cause);
}

std::vector<Cause> LostLimitations(const Run& run, const std::function<bool(const std::string& value)>& is_known) {
  std::map<std::string, Cause> lost;
  for (const Result& result : run.results) {
    for (const LostValue& value : result.seen.lost) {
      if (is_known(value.value) || !MayBeLost(value.value) || result.verdict != Verdict::kPass ||
          value.refused != value.drawn)
        continue;
      Cause& cause = lost[value.value];
      cause.id = std::string(kLostPrefix) + value.value;
      cause.side = result.role == Role::kConsumer ? Side::kImport : Side::kExport;
      cause.limitation = true;
      cause.verdict = Verdict::kNote;
      cause.message = value.words;
      cause.wanted = "accepted, as are other examples of the case";
      cause.got = "refused";
      cause.count += value.drawn;
      cause.cases.push_back(result.seen.case_id);
      cause.recipe = nlohmann::json::object();
    }
  }
  std::vector<Cause> causes;
  for (auto& [value, cause] : lost) {
    const size_t more = cause.cases.size() - 1;
    const std::string others = more == 0 ? "" : fmt::format(" and of {} other case{}", more, more == 1 ? "" : "s");
    cause.message = fmt::format("the library refuses every example of {}{} in which {}", cause.cases.front(), others,
                                cause.message);
    causes.push_back(std::move(cause));
  }
  return causes;
}

std::vector<Cause> LimitationsOf(const Catalogue& catalogue, bool claims_array_api, const std::vector<Limit>& limits,
                                 const Run& run) {
  std::vector<Cause> causes;
  // Several values of one property that break one rule in the same way are one mistake, such as every layout that is
  // not compact.
  std::map<std::tuple<std::string, std::string, LimitKind, std::string>, size_t> first_of;
  for (const Limit& limit : limits) {
    Cause cause = CauseOf(limit);
    const Rule* const rule = RuleOf(catalogue.rules, limit);
    if (rule == nullptr) {
      if (!IsReported(limit, run.causes)) causes.push_back(std::move(cause));
      continue;
    }
    const auto tests = std::find_if(run.results.begin(), run.results.end(), [&](const Result& result) {
      return std::count(result.rules.begin(), result.rules.end(), rule->id) > 0;
    });
    if (tests == run.results.end() || ReportsDeviation(rule->id, run)) continue;
    Observation seen;
    seen.case_id = cause.case_id = tests->seen.case_id;
    seen.observed = Observed::kBreach;
    seen.rule = cause.rule = rule->id;
    // If one value of a property is refused with an exception, nothing is unsafe: at most WARN.
    seen.degree = limit.kind == LimitKind::kRefused && !limit.whole ? Degree::kWarn : Degree::kRule;
    cause.verdict = VerdictOf(seen, catalogue.rules, claims_array_api);
    cause.cases = {cause.case_id};
    const auto [first, is_first] =
        first_of.try_emplace({limit.entry, limit.property, limit.kind, rule->id}, causes.size());
    if (is_first) {
      causes.push_back(std::move(cause));
      continue;
    }
    causes[first->second].message += ", " + limit.value;
    causes[first->second].count += cause.count;
  }
  const std::vector<Cause> lost = LostLimitations(run, [&](const std::string& value) {
    return std::ranges::any_of(limits,
                               [&](const Limit& limit) { return std::ranges::count(limit.triggers, value) > 0; });
  });
  causes.insert(causes.end(), lost.begin(), lost.end());
  std::stable_sort(causes.begin(), causes.end(),
                   [](const Cause& a, const Cause& b) { return WeightOf(a.verdict) > WeightOf(b.verdict); });
  return causes;
}

}  // namespace dlpack_cts::runner
