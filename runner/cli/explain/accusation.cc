// runner/cli/explain/accusation.cc: asks the worker for the attributions of a cause, and puts them into words.
#include "runner/cli/explain/accusation.h"

#include <algorithm>

#include "base/failure.h"
#include "base/text.h"
#include "results/cause.h"
#include "results/parse.h"
#include "runner/base/command.h"

namespace dlpack_cts::runner {
namespace {

using nlohmann::json;

json AskAccused(const CauseParts::Kind& kind, const std::vector<KnownTrigger>& known, const std::string& fact) {
  std::vector<std::string> triggers;
  for (const KnownTrigger& trigger : known) triggers.push_back(trigger.id);
  const Finished finished =
      AskWorker({"--accused", std::string(ToText(kind.side)), FamilyId(kind.family), Joined(triggers, "+"), fact});
  const std::optional<json> answer = IfValid([&] { return ParseJson(finished.output); });
  if (finished.status == 0 && answer && answer->is_object()) return *answer;
  throw Failure("dlpack-cts-worker does not answer which rule a cause accuses", "build dlpack-cts again", kHarness);
}

std::string Alternatives(const std::string& words) { return Joined(Split(words, " "), " or "); }

/// What a row of the attribution table needs besides the triggers.
std::string ConditionOf(const json& row) {
  const std::string facts = row.at("facts");
  const std::string got = row.at("got");
  std::string text = facts.empty() ? "" : "if the first violated fact is " + Alternatives(facts);
  if (!got.empty()) text += (text.empty() ? "if" : " and") + std::string(" its value is ") + got;
  return text;
}

/// The number of triggers that a row names one by one.
size_t Named(const std::string& triggers) {
  size_t count = 0;
  for (const std::string_view trigger : Split(triggers, " "))
    count += !trigger.empty() && !trigger.ends_with('*') ? 1 : 0;
  return count;
}

/// Whether the check of a case may name the rule: it judges what the reference accepts too.
bool HasChecks(Family family) {
  return family == Family::kOutcome || family == Family::kException || family == Family::kAsks ||
         family == Family::kDeviceAnswer;
}

/// The rules of the cases about these triggers, if they are about more of them than the row of the attribution table.
/// In these families a case may judge what the reference accepts too: then its own check names the rule.
std::vector<Accused> ByChecks(Family family, const json& row, const json& cases) {
  std::vector<Accused> accused;
  for (const json& one : cases) {
    if (!HasChecks(family) || one.at("triggers").size() <= Named(row.at("triggers"))) continue;
    const auto same = std::ranges::find(accused, one.at("rule").get<std::string>(), &Accused::rule);
    if (same != accused.end()) continue;
    accused.push_back({one.at("rule"), "if the check of " + one.at("case").get<std::string>() + " finds it"});
  }
  return accused;
}

}  // namespace

std::vector<Accused> AccusedBy(const Catalogue& catalogue, const CauseParts& parts) {
  if (!parts.kind) return {};
  if (catalogue.rules.contains(parts.fact)) return {{parts.fact, ""}};
  const json answer = AskAccused(*parts.kind, parts.triggers, parts.fact);
  std::vector<Accused> accused;
  const auto add = [&](const std::string& rule, const std::string& when) {
    const auto same = std::find_if(accused.begin(), accused.end(),
                                   [&](const Accused& one) { return one.rule == rule && one.when == when; });
    if (same == accused.end()) accused.push_back({rule, when});
  };
  const json& rows = answer.at("rows");
  if (rows.empty()) return {};
  accused = ByChecks(parts.kind->family, rows.front(), answer.at("cases"));
  if (accused.size() == 1) return {{accused.front().rule, ""}};
  const bool by_triggers = !rows.front().at("triggers").get<std::string>().empty();
  if (HasChecks(parts.kind->family) && !by_triggers)
    add(rows.front().at("rule"), "if no check of a case names another rule");
  for (const json& row : rows) add(row.at("rule"), ConditionOf(row));
  return accused;
}

}  // namespace dlpack_cts::runner
