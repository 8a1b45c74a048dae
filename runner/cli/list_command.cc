// runner/cli/list_command.cc: the command `list`, which prints the parts of the catalogue as tables or JSON.
#include <unistd.h>

#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "base/failure.h"
#include "base/text.h"
#include "reports/text.h"
#include "runner/base/glob.h"
#include "runner/base/places.h"
#include "runner/base/terminal.h"
#include "runner/campaign/targets.h"
#include "runner/catalogue/catalogue.h"
#include "runner/catalogue/sources.h"
#include "runner/run/options.h"

namespace dlpack_cts::runner {
namespace {

using nlohmann::json;

json RulesJson(const Options&) {
  const Catalogue catalogue = ReadCatalogue();
  json list = json::array();
  for (const auto& [id, rule] : catalogue.rules) {
    const std::string status = catalogue.StatusOf(rule);
    list.push_back({{"id", id},
                    {"actor", rule.actor},
                    {"level", rule.level},
                    {"requirement", rule.requirement},
                    {"strength", ToText(rule.strength)},
                    {"basis", rule.basis},
                    {"stake", ToText(rule.stake)},
                    {"breach", ToText(rule.breach)},
                    {"versions", rule.versions},
                    {"status", status},
                    {"reason", status == "tested" ? "" : rule.reason},
                    {"once", rule.once},
                    {"cases", catalogue.CasesOf(id)},
                    {"mutants", catalogue.MutantsOf(id)}});
  }
  return list;
}

json CasesJson(const Options&) {
  const Catalogue catalogue = ReadCatalogue();
  json list = json::array();
  for (const CaseInfo& info : catalogue.cases) {
    const auto rule = catalogue.rules.find(info.rules.front());
    list.push_back({{"case", info.id},
                    {"rules", info.rules},
                    {"role", ToText(info.role)},
                    {"level", ToText(rule == catalogue.rules.end() ? Level::kImplied : rule->second.strength)},
                    {"suite", info.suite},
                    {"hostile", info.hostile},
                    {"whole", info.whole}});
  }
  return list;
}

json MutantsJson(const Options&) {
  json list = json::array();
  for (const MutantInfo& mutant : ReadCatalogue().mutants) {
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
                    {"package", library.Package()},
                    {"python", library.pythons}});
  }
  return list;
}

json TargetsJson(const Options&) {
  json list = json::array();
  for (const FuzzTarget& target : FuzzTargets()) {
    std::vector<std::string_view> roles;
    for (const Role role : target.roles) roles.push_back(ToText(role));
    list.push_back({{"target", target.name}, {"roles", roles}, {"what", target.what}, {"cases", target.cases}});
  }
  return list;
}

/// A column of a printed list. A column with a label is left out if it is empty.
struct Column {
  const char* key;
  const char* label = "";
  bool below = false;  // on lines of its own, one for each text of an array
};

/// The texts of one column of the row.
std::vector<std::string> TextsOf(const json& row, const Column& column) {
  const json& value = row.at(column.key);
  if (!value.is_string()) return value.get<std::vector<std::string>>();
  return {value.get<std::string>()};
}

void PrintLine(const std::string& text, size_t indent) {
  std::cout << std::string(indent, ' ') << Folded(OneLine(text, kLongText), indent, indent + 4, WidthOf(STDOUT_FILENO))
            << "\n";
}

void PrintTable(const json& list, const std::vector<Column>& columns) {
  constexpr size_t kBelow = 4;
  for (const json& row : list) {
    std::string line;
    for (const Column& column : columns) {
      const std::string text = Joined(TextsOf(row, column), " ");
      if (column.below || (text.empty() && *column.label != '\0')) continue;
      line += (line.empty() ? "" : "  ") + std::string(column.label) + text;
    }
    PrintLine(line, 0);
    for (const Column& column : columns) {
      if (!column.below) continue;
      for (const std::string& text : TextsOf(row, column)) {
        if (!text.empty()) PrintLine(column.label + text, kBelow);
      }
    }
  }
}

/// A list that the worker makes, under the same name.
json FromWorker(const Options& options) { return WorkerList(options.what); }

struct List {
  std::string_view name;
  json (*make)(const Options& options);
  std::vector<Column> columns;
};

const std::vector<List>& Lists() {
  static const std::vector<List> kLists = {
      {"rules", RulesJson, {{"id"}, {"breach"}, {"status"}, {"requirement"}, {"reason", "not tested: ", true}}},
      {"cases", CasesJson, {{"case"}, {"role"}, {"rules"}}},
      {"libraries", LibrariesJson, {{"library"}, {"kind"}, {"roles"}, {"requirements"}}},
      {"mutants", MutantsJson, {{"mutant"}, {"kind"}, {"rules"}, {"what"}}},
      {"choices",
       FromWorker,
       {{"choice"}, {"rule"}, {"question"}, {"answers", "- ", true}, {"unseen", "not observed: ", true}}},
      {"freedoms", FromWorker, {{"freedom"}, {"rule"}, {"holds", "choice "}, {"what"}}},
      {"homes",
       FromWorker,
       {{"rule"},
        {"side", "side: "},
        {"family", "family: "},
        {"needs", "triggers: "},
        {"facts", "facts: "},
        {"got", "value: "}}},
      {"coordinates", FromWorker, {{"peculiarity", "trigger: "}, {"coordinate", "property: "}, {"words"}}},
      {"targets", TargetsJson, {{"target"}, {"roles"}, {"what"}}}};
  return kLists;
}

}  // namespace

int ListCommand(const Options& options) {
  std::string names;
  for (const List& list : Lists()) {
    if (list.name == options.what) {
      const json rows = list.make(options);
      if (options.json) {
        std::cout << rows.dump(1) << "\n";
      } else {
        PrintTable(rows, list.columns);
      }
      return kAsExpected;
    }
    names += names.empty() ? "" : &list == &Lists().back() ? " and " : ", ";
    names += list.name;
  }
  throw Failure("there is no list of " + options.what, "the lists are " + names);
}

}  // namespace dlpack_cts::runner
