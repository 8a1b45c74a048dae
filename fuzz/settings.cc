// fuzz/settings.cc: reads the settings from the environment, and writes findings.
#include "fuzz/settings.h"

#include <fmt/format.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/failure.h"
#include "harness/recipe/codec.h"
#include "mutants/mutant.h"

namespace dlpack_cts::fuzz {
namespace {

std::string Variable(const char* name, std::string absent) {
  const char* value = std::getenv((std::string("DLPACK_CTS_FUZZ_") + name).c_str());
  return value == nullptr || *value == '\0' ? std::move(absent) : std::string(value);
}

/// One deviation per line: glob of cases, glob of rules, prefix of the message, separated by tabs.
std::vector<Known> ReadKnown(const std::string& text) {
  std::vector<Known> known;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream parts(line);
    Known entry;
    std::getline(parts, entry.cases, '\t');
    std::getline(parts, entry.rule, '\t');
    std::getline(parts, entry.message);
    if (!entry.cases.empty() || !entry.rule.empty()) known.push_back(std::move(entry));
  }
  return known;
}

}  // namespace

Settings ReadSettings() {
  Settings settings;
  const std::string target = Variable("TARGET", "import");
  settings.target = FindTarget(target);
  if (settings.target == nullptr) throw Failure("there is no fuzz target " + target);
  settings.library = Variable("LIBRARY", "reference");
  settings.kind = Variable("KIND", settings.library == "reference" ? "reference" : "python");
  settings.adapter = Variable("ADAPTER", "");
  settings.python = Variable("PYTHON", "");
  settings.libpython = Variable("LIBPYTHON", "");
  settings.mutant = Variable("MUTANT", "");
  settings.finding = Variable("FINDING", "");
  settings.known = ReadKnown(Variable("KNOWN", ""));
  if (settings.libpython.empty()) throw Failure("DLPACK_CTS_FUZZ_LIBPYTHON is not set");
  if (!settings.mutant.empty() && FindMutant(settings.mutant) == nullptr) {
    throw Failure("there is no mutant " + settings.mutant);
  }
  const std::string tier = Variable("TIER", "edge");
  if (tier != "legal" && tier != "edge" && tier != "hostile") {
    throw Failure("there is no tier " + tier + "; the tiers are legal, edge and hostile");
  }
  settings.offering.tier = tier == "legal" ? Tier::kLegal : tier == "edge" ? Tier::kEdge : Tier::kHostile;
  return settings;
}

std::string ToText(const Finding& finding, const Recipe& recipe) {
  return fmt::format("{} {}: {}\n  case: {}\n  expected: {}\n  got: {}\n  recipe: {}\n", finding.verdict, finding.rule,
                     finding.message, finding.case_id, finding.wanted, finding.got,
                     nlohmann::ordered_json::parse(ToJson(recipe)).dump());
}

std::string ToReplayJson(const Finding& finding, const Recipe& recipe, const Settings& settings) {
  nlohmann::ordered_json json = {
      {"case", finding.case_id}, {"library", settings.library}, {"verdict", finding.verdict},
      {"rule", finding.rule},    {"message", finding.message},  {"wanted", finding.wanted},
      {"got", finding.got},      {"python", settings.python},   {"adapters", {settings.adapter}}};
  if (!settings.mutant.empty()) json["mutant"] = settings.mutant;
  json["recipe"] = nlohmann::ordered_json::parse(ToJson(recipe));
  return json.dump(2) + "\n";
}

}  // namespace dlpack_cts::fuzz
