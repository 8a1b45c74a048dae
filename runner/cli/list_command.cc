// runner/cli/list_command.cc: the commands `list` and `explain`, which print the catalogue.
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "reports/text.h"
#include "runner/base/failure.h"
#include "runner/base/glob.h"
#include "runner/base/places.h"
#include "runner/base/terminal.h"
#include "runner/catalogue/catalogue.h"
#include "runner/catalogue/sources.h"
#include "runner/run/options.h"

namespace dlpack_cts::runner {
namespace {

using nlohmann::json;

bool Names(const std::vector<std::string>& rules, const std::string& rule) {
  return std::find(rules.begin(), rules.end(), rule) != rules.end();
}

std::vector<std::string> CasesOf(const Catalogue& catalogue, const std::string& rule) {
  std::vector<std::string> ids;
  for (const CaseInfo& info : catalogue.cases) {
    if (Names(info.rules, rule)) ids.push_back(info.id);
  }
  return ids;
}

std::vector<std::string> MutantsOf(const Catalogue& catalogue, const std::string& rule) {
  std::vector<std::string> names;
  for (const MutantInfo& mutant : catalogue.mutants) {
    if (!mutant.Conforms() && Names(mutant.rules, rule)) names.push_back(mutant.name);
  }
  return names;
}

/// A planned rule that has a case already counts as tested.
std::string StatusOf(const Rule& rule, const std::vector<std::string>& cases) {
  return rule.status == "planned" && !cases.empty() ? "tested" : rule.status;
}

json RulesJson(const Catalogue& catalogue) {
  json list = json::array();
  for (const auto& [id, rule] : catalogue.rules) {
    const std::vector<std::string> cases = CasesOf(catalogue, id);
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
                    {"mutants", MutantsOf(catalogue, id)}});
  }
  return list;
}

json CasesJson(const Catalogue& catalogue) {
  json list = json::array();
  for (const CaseInfo& info : catalogue.cases) {
    const auto rule = catalogue.rules.find(info.rules.front());
    list.push_back({{"case", info.id},
                    {"rules", info.rules},
                    {"role", ToText(info.role)},
                    {"level", ToText(rule == catalogue.rules.end() ? Level::kImplied : rule->second.strength_class)},
                    {"suite", info.suite},
                    {"hostile", info.hostile},
                    {"whole", info.whole}});
  }
  return list;
}

json MutantsJson(const Catalogue& catalogue) {
  json list = json::array();
  for (const MutantInfo& mutant : catalogue.mutants) {
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

/// A column of a printed list. A column with a label is left out if it is empty.
struct Column {
  const char* key;
  const char* label = "";
  const char* separator = " ";  // between the texts of an array
};

void PrintTable(const json& list, const std::vector<Column>& columns) {
  for (const json& row : list) {
    std::string line;
    for (const auto& [key, label, separator] : columns) {
      const json& value = row.at(key);
      const std::string text =
          value.is_string() ? value.get<std::string>() : Joined(value.get<std::vector<std::string>>(), separator);
      if (text.empty() && *label != '\0') continue;
      line += (line.empty() ? "" : "  ") + std::string(label) + text;
    }
    std::cout << Folded(OneLine(line, kLongText), 0, 4, WidthOf(STDOUT_FILENO)) << "\n";
  }
}

/// Prints a name and a text, folded to the width of a terminal.
void PrintText(const std::string& name, const std::string& text) {
  std::cout << "  " << Folded(name + text, 2, 4, WidthOf(STDOUT_FILENO)) << "\n";
}

void PrintAll(const char* title, const std::vector<std::string>& names) {
  std::cout << title << (names.empty() ? "none\n" : "\n");
  for (const std::string& name : names) std::cout << "    " << name << "\n";
}

void ExplainRule(const Catalogue& catalogue, const Rule& rule) {
  const std::vector<std::string> cases = CasesOf(catalogue, rule.id);
  std::cout << rule.id << "  (" << rule.actor << ", " << rule.level << ", DLPack " << rule.versions << ")\n";
  PrintText("", rule.requirement);
  PrintText("strength: ", rule.strength + "; a violation counts as " + std::string(ToText(rule.breach)) +
                              "; single cases may count less (docs/results.md)");
  PrintText("source: ", SourceText(catalogue.source_keys, rule.source));
  for (const std::string& accepted : rule.accept) PrintText("also conforms: ", accepted);
  if (!rule.trap.empty()) PrintText("false alarm to avoid: ", rule.trap);
  if (!rule.once.empty()) PrintText("one mutant is enough: ", rule.once);
  if (!rule.note.empty()) PrintText("note: ", rule.note);
  const std::string status = StatusOf(rule, cases);
  PrintText("status: ", status + (status == "tested" ? "" : ": " + rule.reason));
  PrintAll("  cases: ", cases);
  PrintAll("  mutants: ", MutantsOf(catalogue, rule.id));
}

std::vector<std::string> SplitAt(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::stringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

/// True if each word of `needs` is among the triggers; a word that ends in * stands for every id with that beginning.
bool Needs(const std::string& needs, const std::vector<std::string>& triggers) {
  const std::vector<std::string> words = SplitAt(needs, ' ');
  return std::all_of(words.begin(), words.end(), [&](const std::string& word) {
    return std::any_of(triggers.begin(), triggers.end(), [&](const std::string& id) { return Matches(word, id); });
  });
}

/// What the family in the id of a cause is about; docs/facts.md lists the facts of each family.
std::string MeaningOfFamily(const std::string& family) {
  static const std::map<std::string_view, const char*> kMeanings = {
      {"asks", "the calls that the library makes to the producer, and their arguments"},
      {"table", "the exchange API table (__dlpack_c_exchange_api__) and its functions"},
      {"device-answer", "what __dlpack_device__ returns"},
      {"outcome", "whether a call succeeds or raises an exception"},
      {"exception", "which exception a call raises"},
      {"hang", "a call that does not return"},
      {"memory-in-a-call", "memory that must not be accessed, or cannot be read"},
      {"capsule", "the PyCapsule: its name, pointer, context and destructor, and a second import of it"},
      {"version", "the kind and the version of the struct"},
      {"flags", "the flags of the struct, and whether the array is writable"},
      {"struct-device", "dl_tensor.device"},
      {"dtype", "dl_tensor.dtype"},
      {"shape", "dl_tensor.ndim and dl_tensor.shape"},
      {"strides", "dl_tensor.strides"},
      {"place", "where the elements are: dl_tensor.data, byte_offset, and the values that are read there"},
      {"writes", "memory that was changed, or a requested write that is not visible"},
      {"release", "the deleter: when and how often it is called, and what is not released"},
      {"way", "a choice of the library that is not the same in every exchange"}};
  const auto found = kMeanings.find(family);
  return found == kMeanings.end() ? "" : found->second;
}

/// The rules of the attributions that fit the cause, each once.
std::vector<std::string> RulesOfCause(const std::string& side, const std::string& family,
                                      const std::vector<std::string>& triggers) {
  std::vector<std::string> rules;
  for (const json& home : ListHomes()) {
    const std::string needs = home.at("needs");
    std::string of = home.at("family");
    std::replace(of.begin(), of.end(), ' ', '-');
    // A cause that needs earlier exchanges has no side and no family.
    const bool fits = family.empty() ? !needs.empty() : home.at("side") == side && of == family;
    const std::string rule = home.at("rule");
    if (fits && Needs(needs, triggers) && !Names(rules, rule)) rules.push_back(rule);
  }
  return rules;
}

/// False if the text is not the id of a cause: an existing side, family and triggers.
bool ExplainCause(const Catalogue& catalogue, const std::string& id) {
  const std::vector<std::string> parts = SplitAt(id, '/');
  const bool alone = id == kEarlierExchanges;
  if (!alone && (parts.size() < 2 || (parts[0] != "import" && parts[0] != "export"))) return false;
  const json properties = ListCoordinates();
  const std::vector<std::string> triggers = SplitAt(alone ? id : parts.size() > 2 ? parts[2] : "", '+');
  std::vector<std::string> known;
  for (const std::string& one : triggers) {
    const auto found = std::find_if(properties.begin(), properties.end(),
                                    [&](const json& row) { return row.at("peculiarity") == one; });
    if (found != properties.end()) known.push_back(one + ": " + found->at("words").get<std::string>());
  }
  // The id of an answer without triggers ends with the fact, or with the rule.
  const bool names_fact = known.empty() && parts.size() == 3 && triggers.size() == 1;
  if (known.size() != triggers.size() && !names_fact) return false;
  const std::string side = alone ? "" : parts[0];
  const std::string family = alone ? "" : parts[1];
  const std::vector<std::string> rules = RulesOfCause(side, family, triggers);
  if (rules.empty()) return false;
  std::cout << id << "\n";
  if (alone) {
    PrintText("", "a failure that occurs only after other exchanges in the same process");
  } else {
    PrintText("", "a cause: failures that have the same reason");
    PrintText("side: ", side + (side == "import" ? ", the library is the consumer" : ", the library is the producer"));
    const std::string meaning = MeaningOfFamily(family);
    PrintText("family of the first violated fact: ", family + (meaning.empty() ? "" : ", " + meaning));
    const std::string fact = parts.size() > 3 ? parts[3] : names_fact ? parts[2] : "";
    if (!fact.empty()) PrintText(catalogue.rules.contains(fact) ? "violated rule: " : "first violated fact: ", fact);
    const bool none = known.empty();
    PrintText("triggers: ", none ? "none; the default exchange shows the failure" : "the failure needs all of these");
    for (const std::string& one : known) PrintText("  ", one);
  }
  PrintText("",
            "Your report prints the rule of the cause in brackets. In general a cause with these parts is attributed "
            "to one of:");
  for (const std::string& rule : rules) {
    const auto found = catalogue.rules.find(rule);
    PrintText("  ", rule + (found == catalogue.rules.end() ? "" : ": " + found->second.requirement));
  }
  return true;
}

}  // namespace

int ListCommand(const Options& options) {
  json list;
  std::vector<Column> columns;
  if (options.what == "rules") {
    list = RulesJson(ReadCatalogue());
    columns = {{"id"}, {"breach"}, {"status"}, {"cases"}};
  } else if (options.what == "cases") {
    list = CasesJson(ReadCatalogue());
    columns = {{"case"}, {"role"}, {"rules"}};
  } else if (options.what == "libraries") {
    list = LibrariesJson(options);
    columns = {{"library"}, {"kind"}, {"roles"}, {"requirements"}};
  } else if (options.what == "mutants") {
    list = MutantsJson(ReadCatalogue());
    columns = {{"mutant"}, {"kind"}, {"rules"}, {"what"}};
  } else if (options.what == "ambiguities") {
    list = ListAmbiguities();
    columns = {{"ambiguity"}, {"rule"}, {"question"}, {"readings", "choices: ", " | "}, {"unseen", "not observed: "}};
  } else if (options.what == "freedoms") {
    list = ListFreedoms();
    columns = {{"freedom"}, {"rule"}, {"holds", "choice "}, {"what"}};
  } else if (options.what == "homes") {
    list = ListHomes();
    columns = {
        {"rule"},          {"side", "side: "}, {"family", "family: "}, {"needs", "triggers: "}, {"facts", "facts: "},
        {"got", "value: "}};
  } else if (options.what == "coordinates") {
    list = ListCoordinates();
    columns = {{"peculiarity", "trigger: "}, {"coordinate", "property: "}, {"words"}};
  } else if (options.what == "targets") {
    list = TargetsJson();
    columns = {{"target"}, {"role"}, {"what"}};
  } else {
    throw Failure(
        "there is no list of " + options.what,
        "the lists are rules, cases, libraries, mutants, ambiguities, freedoms, homes, coordinates and targets");
  }
  if (options.json) {
    std::cout << list.dump(1) << "\n";
  } else {
    PrintTable(list, columns);
  }
  return kAsExpected;
}

int ExplainCommand(const Options& options) {
  const Catalogue catalogue = ReadCatalogue();
  const auto rule = catalogue.rules.find(options.what);
  if (rule != catalogue.rules.end()) {
    ExplainRule(catalogue, rule->second);
    return kAsExpected;
  }
  if (ExplainCause(catalogue, options.what)) return kAsExpected;
  std::vector<std::string> names;
  for (const CaseInfo& info : catalogue.cases) {
    names.push_back(info.id);
    if (info.id != options.what) continue;
    std::cout << info.id << "  (" << ToText(info.role) << (info.hostile ? ", invalid input: counted separately" : "")
              << ")\n";
    for (const std::string& id : info.rules) {
      if (catalogue.rules.contains(id)) ExplainRule(catalogue, catalogue.rules.at(id));
    }
    return kAsExpected;
  }
  for (const auto& [id, unused] : catalogue.rules) names.push_back(id);
  const std::string near = Nearest(options.what, names);
  throw Failure("there is no rule, case or cause " + options.what,
                near.empty() ? "dlpack-cts list rules and dlpack-cts list cases show all ids" : near);
}

}  // namespace dlpack_cts::runner
