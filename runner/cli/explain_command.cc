// runner/cli/explain_command.cc: the command `explain`, which prints everything known about a rule, a case or a cause.
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "base/failure.h"
#include "base/terms.h"
#include "reports/text.h"
#include "results/cause.h"
#include "runner/base/glob.h"
#include "runner/base/terminal.h"
#include "runner/catalogue/catalogue.h"
#include "runner/catalogue/sources.h"
#include "runner/run/options.h"

namespace dlpack_cts::runner {
namespace {

using nlohmann::json;

/// Prints a name and a text, folded to the width of a terminal.
void PrintText(const std::string& name, const std::string& text) {
  std::cout << "  " << Folded(name + text, 2, 4, WidthOf(STDOUT_FILENO)) << "\n";
}

void PrintAll(const char* title, const std::vector<std::string>& names) {
  std::cout << title << (names.empty() ? "none\n" : "\n");
  for (const std::string& name : names) std::cout << "    " << name << "\n";
}

void ExplainRule(const Catalogue& catalogue, const Rule& rule) {
  std::cout << rule.id << "  (" << rule.actor << ", " << rule.level << ", DLPack " << rule.versions << ")\n";
  PrintText("", rule.requirement);
  PrintText("strength: ", rule.StrengthText() + "; a violation counts as " + std::string(ToText(rule.breach)) +
                              "; single cases may count less (docs/results.md)");
  PrintText("source: ", SourceText(catalogue.source_keys, rule.source));
  for (const std::string& link : SourceLinks(catalogue.source_keys, rule.source))
    std::cout << "  link: " << link << "\n";
  for (const std::string& accepted : rule.accept) PrintText("also conforms: ", accepted);
  if (!rule.trap.empty()) PrintText("false alarm to avoid: ", rule.trap);
  if (!rule.once.empty()) PrintText("one mutant is enough: ", rule.once);
  if (!rule.note.empty()) PrintText("note: ", rule.note);
  const std::string status = catalogue.StatusOf(rule);
  PrintText("status: ", status + (status == "tested" ? "" : ": " + rule.reason));
  PrintAll("  cases: ", catalogue.CasesOf(rule.id));
  PrintAll("  mutants: ", catalogue.MutantsOf(rule.id));
}

std::vector<std::string> SplitAt(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::stringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

/// Whether each word of `needs` is among the triggers. A word that ends in * matches every id with that beginning.
bool Needs(const std::string& needs, const std::vector<std::string>& triggers) {
  const std::vector<std::string> words = SplitAt(needs, ' ');
  return std::all_of(words.begin(), words.end(), [&](const std::string& word) {
    return std::any_of(triggers.begin(), triggers.end(), [&](const std::string& id) { return Matches(word, id); });
  });
}

/// What each family is about; docs/facts.md lists its facts.
constexpr EnumWords<Family> kMeanings = {
    "the calls that the library makes to the producer, and their arguments",
    "the exchange API table (__dlpack_c_exchange_api__) and its functions",
    "what __dlpack_device__ returns",
    "whether a call succeeds or raises an exception",
    "which exception a call raises",
    "a call that does not return",
    "memory that must not be accessed, or cannot be read",
    "the PyCapsule: its name, pointer, context and destructor, and a second import of it",
    "the kind and the version of the struct",
    "the flags of the struct, and whether the array is writable",
    "dl_tensor.device",
    "dl_tensor.dtype",
    "dl_tensor.ndim and dl_tensor.shape",
    "dl_tensor.strides",
    "where the elements are: dl_tensor.data, byte_offset, and the values that are read there",
    "memory that was changed, or a requested write that is not visible",
    "the deleter: when and how often it is called, and what is not released",
    "a choice of the library that is not the same in every exchange",
    "texts of the library, such as the message of an exception; they are never compared",
};

/// The family in the id of a cause, or nothing.
std::optional<Family> FamilyOf(const std::string& id) {
  for (size_t i = 0; i < kEnumerators<Family>; ++i) {
    const auto family = static_cast<Family>(i);
    if (FamilyId(family) == id) return family;
  }
  return std::nullopt;
}

/// The rules of the attributions that fit the cause, without repetition.
std::vector<std::string> RulesOfCause(const std::string& side, std::optional<Family> family,
                                      const std::vector<std::string>& triggers) {
  std::vector<std::string> rules;
  for (const json& row : WorkerList("homes")) {
    const std::string needs = row.at("needs");
    const std::string of = row.at("family");
    // A cause that needs earlier exchanges has no side and no family.
    const bool fits = !family ? !needs.empty() : row.at("side") == side && of == ToText(*family);
    const std::string rule = row.at("rule");
    if (fits && Needs(needs, triggers) && std::find(rules.begin(), rules.end(), rule) == rules.end())
      rules.push_back(rule);
  }
  return rules;
}

/// False if the text is not the id of a cause (an existing side, family and triggers).
bool ExplainCause(const Catalogue& catalogue, const std::string& id) {
  const std::vector<std::string> parts = SplitAt(id, '/');
  const bool alone = id == kEarlierExchanges;
  if (!alone && (parts.size() < 2 || (parts[0] != "import" && parts[0] != "export"))) return false;
  const json properties = WorkerList("coordinates");
  const std::vector<std::string> triggers = SplitAt(alone ? id : parts.size() > 2 ? parts[2] : "", '+');
  std::vector<std::string> known;
  for (const std::string& one : triggers) {
    const auto found = std::find_if(properties.begin(), properties.end(),
                                    [&](const json& row) { return row.at("peculiarity") == one; });
    if (found != properties.end()) known.push_back(one + ": " + found->at("words").get<std::string>());
  }
  // If the cause has no triggers, its id ends with the fact, or with the rule.
  const bool names_fact = known.empty() && parts.size() == 3 && triggers.size() == 1;
  if (known.size() != triggers.size() && !names_fact) return false;
  const std::string side = alone ? "" : parts[0];
  const std::optional<Family> family = alone ? std::nullopt : FamilyOf(parts[1]);
  if (!alone && !family) return false;
  const std::vector<std::string> rules = RulesOfCause(side, family, triggers);
  if (rules.empty()) return false;
  std::cout << id << "\n";
  if (alone) {
    PrintText("", "a failure that occurs only after other exchanges in the same process");
  } else {
    PrintText("", "a cause: failures that have the same reason");
    PrintText("side: ", side + (side == "import" ? ", the library is the consumer" : ", the library is the producer"));
    PrintText("family of the first violated fact: ", parts[1] + ", " + std::string(kMeanings[*family]));
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
