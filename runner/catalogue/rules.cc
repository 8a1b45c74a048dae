// runner/catalogue/rules.cc: reads the rule catalogue.
#include "runner/catalogue/rules.h"

#include <algorithm>
#include <string_view>

#include "base/failure.h"
#include "base/paths.h"
#include "runner/base/toml.h"

namespace dlpack_cts::runner {
namespace {

struct Strength {
  std::string_view word;
  Level level;
};
constexpr Strength kStrengths[] = {
    {"must", Level::kMust}, {"should", Level::kShould}, {"may", Level::kMay}, {"implied", Level::kImplied}};

Rule ReadRule(const TomlTable& table) {
  table.AllowOnly({"id",     "actor", "level", "requirement", "strength", "basis",  "stake",  "breach",
                   "needs",  "tier",  "since", "until",       "versions", "source", "accept", "restates",
                   "limits", "trap",  "once",  "note",        "status",   "reason"});
  Rule rule;
  rule.id = table.Text("id");
  rule.actor = table.Text("actor");
  rule.level = table.Text("level");
  rule.requirement = table.Text("requirement");
  const std::string strength = table.Text("strength");
  const auto* const word = std::ranges::find(kStrengths, strength, &Strength::word);
  if (word == std::end(kStrengths)) table.Wrong("strength", "is not must, should, may or implied");
  rule.strength = word->level;
  rule.basis = table.TextOr("basis", "");
  const std::optional<Stake> stake = FromText<Stake>(table.Text("stake"));
  if (!stake) table.Wrong("stake", "is not memory, values, ownership, interoperability or message");
  rule.stake = *stake;
  const std::optional<Verdict> breach = FromText<Verdict>(table.Text("breach"));
  if (!breach || *breach > Verdict::kNote || *breach == Verdict::kPass) {
    table.Wrong("breach", "is not FAIL, WARN or NOTE");
  }
  rule.breach = *breach;
  rule.needs = table.Text("needs");
  rule.tier = table.TextOr("tier", "");
  rule.versions = table.TextOr("versions", "");
  rule.source = table.Text("source");
  rule.accept = table.TextsOr("accept", {});
  rule.restates = table.TextsOr("restates", {});
  rule.limits = table.TextsOr("limits", {});
  rule.trap = table.TextOr("trap", "");
  rule.once = table.TextOr("once", "");
  rule.note = table.TextOr("note", "");
  rule.status = table.Text("status");
  rule.reason = table.TextOr("reason", "");
  if (rule.status != "tested" && rule.status != "untestable" && rule.status != "planned") {
    table.Wrong("status", "is not tested, untestable or planned");
  }
  return rule;
}

}  // namespace

std::string Rule::StrengthText() const {
  const std::string word(ToText(strength));
  return (basis.empty() ? word : word + " (" + basis + ")") + "; at stake: " + std::string(ToText(stake));
}

bool Rule::ArrayApiOnly() const {
  if (strength == Level::kImplied) return false;
  const bool array_api = source.find("AO:") != std::string::npos || source.find("CF:") != std::string::npos;
  const bool dlpack = source.find("H1") != std::string::npos || source.find("PS:") != std::string::npos;
  return array_api && !dlpack;
}

bool Restates(const Rules& rules, const std::string& general, const std::string& particular) {
  const auto found = rules.find(general);
  if (found == rules.end()) return false;
  const std::vector<std::string>& list = found->second.restates;
  return std::find(list.begin(), list.end(), particular) != list.end();
}

bool SaysTheSame(const Rules& rules, const std::string& a, const std::string& b) {
  return a == b || Restates(rules, a, b) || Restates(rules, b, a);
}

Rules ReadRules(const std::string& folder) {
  Rules rules;
  std::vector<std::string> files;
  for (const std::string& file : EntriesOf(folder)) {
    if (file.ends_with(".toml")) files.push_back(file);
  }
  for (const std::string& file : files) {
    const toml::table parsed = ParseToml(file);
    const toml::array* list = parsed["rule"].as_array();
    if (list == nullptr) throw Failure(file + ": holds no [[rule]]", "rules/README.md lists the fields");
    for (const toml::node& node : *list) {
      if (!node.is_table()) throw Failure(file + ": a rule is not a table", "rules/README.md lists the fields");
      const TomlTable table(*node.as_table(), file);
      Rule rule = ReadRule(table);
      if (rules.contains(rule.id)) table.Wrong("id", "is used twice: " + rule.id);
      rules.emplace(rule.id, std::move(rule));
    }
  }
  for (const auto& [id, rule] : rules) {
    for (const std::string& other : rule.restates) {
      if (rules.contains(other) && other != id) continue;
      throw Failure(folder + ": " + id + " restates " + other + ", which is not another rule",
                    "list only ids of other rules in restates", kHarness);
    }
  }
  if (rules.empty())
    throw Failure("there are no rules in " + folder, "restore the folder rules/ of the source tree", kHarness);
  return rules;
}

}  // namespace dlpack_cts::runner
