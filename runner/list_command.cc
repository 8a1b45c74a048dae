// runner/list_command.cc: `list` and `explain`: the catalogue, for people and programs.
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "reports/text.h"
#include "runner/failure.h"
#include "runner/glob.h"
#include "runner/judge.h"
#include "runner/options.h"
#include "runner/places.h"
#include "runner/terminal.h"

namespace dlpack_cts::runner {
namespace {

using nlohmann::json;

bool Names(const std::vector<std::string>& rules, const std::string& rule) {
  return std::find(rules.begin(), rules.end(), rule) != rules.end();
}

std::vector<std::string> CasesOf(const Desk& desk, const std::string& rule) {
  std::vector<std::string> ids;
  for (const CaseInfo& info : desk.cases) {
    if (Names(info.rules, rule)) ids.push_back(info.id);
  }
  return ids;
}

std::vector<std::string> MutantsOf(const Desk& desk, const std::string& rule) {
  std::vector<std::string> names;
  for (const MutantInfo& mutant : desk.mutants) {
    if (!mutant.Conforms() && Names(mutant.rules, rule)) names.push_back(mutant.name);
  }
  return names;
}

/// A rule of a later chapter that a case of today already checks counts as tested.
std::string StatusOf(const Rule& rule, const std::vector<std::string>& cases) {
  return rule.status == "planned" && !cases.empty() ? "tested" : rule.status;
}

json RulesJson(const Desk& desk) {
  json list = json::array();
  for (const auto& [id, rule] : desk.rules) {
    const std::vector<std::string> cases = CasesOf(desk, id);
    const std::string status = StatusOf(rule, cases);
    list.push_back({{"id", id},
                    {"actor", rule.actor},
                    {"strength", rule.strength},
                    {"breach", ToText(rule.breach)},
                    {"versions", rule.versions},
                    {"status", status},
                    {"reason", status == "tested" ? "" : rule.reason},
                    {"once", rule.once},
                    {"cases", cases},
                    {"mutants", MutantsOf(desk, id)}});
  }
  return list;
}

json CasesJson(const Desk& desk) {
  json list = json::array();
  for (const CaseInfo& info : desk.cases) {
    const auto rule = desk.rules.find(info.rules.front());
    list.push_back({{"case", info.id},
                    {"rules", info.rules},
                    {"role", info.role},
                    {"level", rule == desk.rules.end() ? "IMPLIED" : rule->second.ResultLevel()},
                    {"suite", info.suite},
                    {"hostile", info.hostile},
                    {"whole", info.whole}});
  }
  return list;
}

json MutantsJson(const Desk& desk) {
  json list = json::array();
  for (const MutantInfo& mutant : desk.mutants) {
    list.push_back({{"mutant", mutant.name}, {"kind", mutant.kind}, {"rules", mutant.rules}, {"what", mutant.what}});
  }
  return list;
}

json LibrariesJson(const Options& options) {
  json list = json::array();
  for (const auto& [name, library] : FindLibraries(DataFolder(), options.adapters)) {
    list.push_back({{"library", name},
                    {"kind", library.kind},
                    {"roles", library.roles},
                    {"claims", library.claims},
                    {"requirements", library.requirements},
                    {"python", library.pythons}});
  }
  return list;
}

json TargetsJson() {
  json list = json::array();
  for (const FuzzTarget& target : FuzzTargets()) {
    list.push_back({{"target", target.name}, {"role", target.role}, {"what", target.what}});
  }
  return list;
}

std::string Joined(const json& texts) {
  std::string joined;
  for (const json& text : texts) joined += (joined.empty() ? "" : " ") + text.get<std::string>();
  return joined;
}

void PrintTable(const json& list, const std::vector<const char*>& columns) {
  for (const json& row : list) {
    std::string line;
    for (const char* column : columns) {
      const json& value = row.at(column);
      const std::string text = value.is_string() ? value.get<std::string>() : Joined(value);
      line += line.empty() ? text : "  " + text;
    }
    std::cout << Folded(OneLine(line, kLongText), 0, 4, WidthOf(STDOUT_FILENO)) << "\n";
  }
}

/// A sentence behind its name, folded at the width of a terminal.
void PrintText(const std::string& name, const std::string& text) {
  std::cout << "  " << Folded(name + text, 2, 4, WidthOf(STDOUT_FILENO)) << "\n";
}

void PrintAll(const char* title, const std::vector<std::string>& names) {
  std::cout << title << (names.empty() ? "none\n" : "\n");
  for (const std::string& name : names) std::cout << "    " << name << "\n";
}

void ExplainRule(const Desk& desk, const Rule& rule) {
  const std::vector<std::string> cases = CasesOf(desk, rule.id);
  std::cout << rule.id << "  (" << rule.actor << ", " << rule.level << ", DLPack " << rule.versions << ")\n";
  PrintText("", rule.requirement);
  PrintText("strength: ", rule.strength + "; a breach counts as " + std::string(ToText(rule.breach)) + " at most");
  PrintText("source: ", rule.source + "  (keys: rules/README.md)");
  for (const std::string& accepted : rule.accept) PrintText("conforms too: ", accepted);
  if (!rule.trap.empty()) PrintText("false alarm to avoid: ", rule.trap);
  if (!rule.once.empty()) PrintText("one mutant is enough: ", rule.once);
  if (!rule.note.empty()) PrintText("note: ", rule.note);
  const std::string status = StatusOf(rule, cases);
  PrintText("status: ", status + (status == "tested" ? "" : ": " + rule.reason));
  PrintAll("  cases: ", cases);
  PrintAll("  mutants: ", MutantsOf(desk, rule.id));
}

std::vector<std::string> SplitAt(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::stringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

/// True when each word of `needs` is among the peculiarities; one that ends in * stands for what begins so.
bool Needs(const std::string& needs, const std::vector<std::string>& peculiarities) {
  const std::vector<std::string> words = SplitAt(needs, ' ');
  return std::all_of(words.begin(), words.end(), [&](const std::string& word) {
    return std::any_of(peculiarities.begin(), peculiarities.end(),
                       [&](const std::string& id) { return Matches(word, id); });
  });
}

/// False when the text is no id of a cause: side, family and peculiarities that there are.
bool ExplainCause(const Desk& desk, const std::string& id) {
  const std::vector<std::string> parts = SplitAt(id, '/');
  const bool alone = id == kEarlierExchanges;
  if (!alone && (parts.size() < 2 || (parts[0] != "import" && parts[0] != "export"))) return false;
  const json coordinates = ListCoordinates();
  const std::vector<std::string> peculiarities = SplitAt(alone ? id : parts.size() > 2 ? parts[2] : "", '+');
  std::vector<std::string> words;
  for (const std::string& one : peculiarities) {
    const auto found = std::find_if(coordinates.begin(), coordinates.end(),
                                    [&](const json& row) { return row.at("peculiarity") == one; });
    if (found != coordinates.end()) words.push_back(one + ": " + found->at("words").get<std::string>());
  }
  // Behind an answer without peculiarities stands the fact.
  if (words.size() != peculiarities.size() && !(parts.size() == 3 && peculiarities.size() == 1)) return false;
  std::vector<std::string> rules;
  for (const json& home : ListHomes()) {
    std::string family = home.at("family");
    std::replace(family.begin(), family.end(), ' ', '-');
    if (!alone && (home.at("side") != parts[0] || family != parts[1])) continue;
    const std::string rule = home.at("rule");
    const bool fits =
        Needs(home.at("needs"), peculiarities) && (!alone || !home.at("needs").get<std::string>().empty());
    if (fits && std::find(rules.begin(), rules.end(), rule) == rules.end()) rules.push_back(rule);
  }
  if (rules.empty()) return false;
  std::cout << id << "\n";
  PrintText("", alone ? "shows only behind other exchanges in the same process"
                      : "the first fact that is wrong is of the family \"" + parts[1] + "\", on the side of the " +
                            parts[0] + "; the plainest exchange that shows it has");
  for (const std::string& one : words) PrintText("  ", one);
  if (words.empty()) PrintText("  ", "nothing peculiar");
  PrintText("", "rules that may speak for it, by fact and value:");
  for (const std::string& rule : rules) {
    const auto found = desk.rules.find(rule);
    PrintText("  ", rule + (found == desk.rules.end() ? "" : ": " + found->second.requirement));
  }
  return true;
}

}  // namespace

int ListCommand(const Options& options) {
  json list;
  std::vector<const char*> columns;
  if (options.what == "rules") {
    list = RulesJson(OpenDesk());
    columns = {"id", "breach", "status", "cases"};
  } else if (options.what == "cases") {
    list = CasesJson(OpenDesk());
    columns = {"case", "role", "rules"};
  } else if (options.what == "libraries") {
    list = LibrariesJson(options);
    columns = {"library", "kind", "roles", "requirements"};
  } else if (options.what == "mutants") {
    list = MutantsJson(OpenDesk());
    columns = {"mutant", "kind", "rules", "what"};
  } else if (options.what == "ambiguities") {
    list = ListAmbiguities();
    columns = {"ambiguity", "rule", "question", "readings", "unseen"};
  } else if (options.what == "freedoms") {
    list = ListFreedoms();
    columns = {"freedom", "holds", "rule", "what"};
  } else if (options.what == "homes") {
    list = ListHomes();
    columns = {"rule", "side", "family", "needs", "facts", "got"};
  } else if (options.what == "coordinates") {
    list = ListCoordinates();
    columns = {"peculiarity", "coordinate", "words"};
  } else if (options.what == "targets") {
    list = TargetsJson();
    columns = {"target", "role", "what"};
  } else {
    throw Failure("there is no list of " + options.what,
                  "lists are rules, cases, libraries, mutants, ambiguities, freedoms, homes, coordinates and targets");
  }
  if (options.json) {
    std::cout << list.dump(1) << "\n";
  } else {
    PrintTable(list, columns);
  }
  return kAsExpected;
}

int ExplainCommand(const Options& options) {
  const Desk desk = OpenDesk();
  const auto rule = desk.rules.find(options.what);
  if (rule != desk.rules.end()) {
    ExplainRule(desk, rule->second);
    return kAsExpected;
  }
  if (ExplainCause(desk, options.what)) return kAsExpected;
  std::vector<std::string> names;
  for (const CaseInfo& info : desk.cases) {
    names.push_back(info.id);
    if (info.id != options.what) continue;
    std::cout << info.id << "  (" << info.role << (info.hostile ? ", hostile input: counted apart" : "") << ")\n";
    for (const std::string& id : info.rules) {
      if (desk.rules.contains(id)) ExplainRule(desk, desk.rules.at(id));
    }
    return kAsExpected;
  }
  for (const auto& [id, unused] : desk.rules) names.push_back(id);
  const std::string near = Nearest(options.what, names);
  throw Failure("there is no rule, no case and no cause " + options.what,
                near.empty() ? "dlpack-cts list rules, and list cases, show them all" : near);
}

}  // namespace dlpack_cts::runner
