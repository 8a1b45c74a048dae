// runner/catalogue/catalogue.cc: reads the rules, and asks the worker for its cases, mutants and tables.
#include "runner/catalogue/catalogue.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/failure.h"
#include "results/fields.h"
#include "results/parse.h"
#include "runner/base/command.h"
#include "runner/base/glob.h"
#include "runner/base/places.h"
#include "runner/catalogue/sources.h"

namespace dlpack_cts::runner {
namespace {

bool Contains(const std::vector<std::string>& rules, const std::string& rule) {
  return std::find(rules.begin(), rules.end(), rule) != rules.end();
}

std::vector<CaseInfo> ListCases() {
  std::vector<CaseInfo> cases;
  for (const nlohmann::json& item : WorkerList("cases")) {
    CaseInfo info;
    item.at("case").get_to(info.id);
    item.at("rules").get_to(info.rules);
    item.at("suite").get_to(info.suite);
    ReadValue(item.at("role"), &info.role);
    info.hostile = item.value("hostile", false);
    info.whole = item.value("whole", false);
    info.rows = item.value("rows", 0);
    info.times = item.value("times", 1);
    info.python = item.value("python", false);
    info.pair = item.value("pair", false);
    cases.push_back(std::move(info));
  }
  return cases;
}

std::vector<MutantInfo> ListMutants() {
  std::vector<MutantInfo> mutants;
  for (const nlohmann::json& item : WorkerList("mutants")) {
    mutants.push_back({item.at("mutant"), item.at("kind"), item.at("rules"), item.value("what", "")});
  }
  return mutants;
}

/// Throws for a glob that matches no case.
void CheckGlobs(const std::vector<CaseInfo>& cases, const std::vector<std::string>& globs, const std::string& option) {
  std::vector<std::string> all;
  for (const CaseInfo& info : cases) all.push_back(info.id);
  for (const std::string& glob : globs) {
    if (std::any_of(all.begin(), all.end(), [&](const std::string& id) { return Matches(glob, id); })) continue;
    const std::string near = Nearest(glob, all);
    // A word without a slash may be the name of a library.
    const std::string libraries = glob.find('/') == std::string::npos ? "write libraries before " + option + "; " : "";
    throw Failure("no case matches \"" + glob + "\"",
                  libraries + (near.empty() ? "dlpack-cts list cases shows all cases" : near));
  }
}

}  // namespace

nlohmann::json WorkerList(const std::string& name) {
  const Finished finished = AskWorker({"--list", name});
  std::optional<nlohmann::json> answer = IfValid([&] { return ParseJson(finished.output); });
  if (finished.status == 0 && answer && answer->is_array()) return *std::move(answer);
  const std::string words = RunCommand({Sibling("dlpack-cts-worker"), "--list", name}, {.errors = true}).output;
  throw Failure("dlpack-cts-worker --list " + name + " failed: " + words.substr(0, words.find('\n')),
                "build dlpack-cts again", kHarness);
}

Catalogue ReadCatalogue() {
  const std::string rules = DataFolder() + "/rules";
  return {ReadRules(rules), ReadSourceKeys(rules), ListCases(), ListMutants()};
}

size_t Catalogue::PlaceOf(const std::string& case_id) const {
  const auto found = std::find_if(cases.begin(), cases.end(), [&](const CaseInfo& info) { return info.id == case_id; });
  return static_cast<size_t>(found - cases.begin());
}

std::vector<std::string> Catalogue::CasesOf(const std::string& rule) const {
  std::vector<std::string> ids;
  for (const CaseInfo& info : cases) {
    if (Contains(info.rules, rule)) ids.push_back(info.id);
  }
  return ids;
}

std::vector<std::string> Catalogue::MutantsOf(const std::string& rule) const {
  std::vector<std::string> names;
  for (const MutantInfo& mutant : mutants) {
    if (!mutant.Conforms() && Contains(mutant.rules, rule)) names.push_back(mutant.name);
  }
  return names;
}

std::string Catalogue::StatusOf(const Rule& rule) const {
  return rule.status == "planned" && !CasesOf(rule.id).empty() ? "tested" : rule.status;
}

const CaseInfo* Catalogue::Find(const std::string& case_id) const {
  const size_t place = PlaceOf(case_id);
  return place == cases.size() ? nullptr : &cases[place];
}

std::vector<std::string> SelectCases(const std::vector<CaseInfo>& cases, const std::vector<std::string>& globs,
                                     const std::vector<std::string>& roles,
                                     const std::vector<std::string>& deselected) {
  CheckGlobs(cases, globs, "--select");
  CheckGlobs(cases, deselected, "--deselect");
  std::vector<std::string> selected;
  for (const CaseInfo& info : cases) {
    const auto names = [&](const std::string& glob) { return Matches(glob, info.id); };
    const bool named = globs.empty() || std::any_of(globs.begin(), globs.end(), names);
    const bool left_out = std::any_of(deselected.begin(), deselected.end(), names);
    const bool role = roles.empty() || std::find(roles.begin(), roles.end(), ToText(info.role)) != roles.end();
    if (named && !left_out && role) selected.push_back(info.id);
  }
  if (selected.empty()) {
    throw Failure("--select, --deselect and --role leave no case to run", "change --select, --deselect or --role");
  }
  return selected;
}

}  // namespace dlpack_cts::runner
