// fuzz/campaign.cc: reads the settings of a campaign from the environment, and writes its findings.
#include "fuzz/campaign.h"

#include <fmt/format.h>

#include <algorithm>
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

/// At least 1.
int Number(const char* name, int absent) {
  return std::max(1, std::atoi(Variable(name, std::to_string(absent)).c_str()));
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

Campaign ReadCampaign() {
  Campaign campaign;
  const std::string target = Variable("TARGET", "import");
  campaign.target = FindTarget(target);
  if (campaign.target == nullptr) throw Failure("there is no fuzz target " + target);
  campaign.library = Variable("LIBRARY", "reference");
  campaign.kind = Variable("KIND", campaign.library == "reference" ? "reference" : "python");
  campaign.adapter = Variable("ADAPTER", "");
  campaign.python = Variable("PYTHON", "");
  campaign.libpython = Variable("LIBPYTHON", "");
  campaign.mutant = Variable("MUTANT", "");
  campaign.out = Variable("OUT", "");
  campaign.jobs = Number("JOBS", campaign.jobs);
  campaign.seconds = Number("SECONDS", campaign.seconds);
  campaign.timeout = Number("TIMEOUT", campaign.timeout);
  campaign.memory = Number("MEMORY", campaign.memory);
  campaign.known = ReadKnown(Variable("KNOWN", ""));
  if (campaign.libpython.empty()) throw Failure("DLPACK_CTS_FUZZ_LIBPYTHON is not set");
  if (!campaign.mutant.empty() && FindMutant(campaign.mutant) == nullptr) {
    throw Failure("there is no mutant " + campaign.mutant);
  }
  const std::string tier = Variable("TIER", "edge");
  if (tier != "legal" && tier != "edge" && tier != "hostile") {
    throw Failure("there is no tier " + tier + "; the tiers are legal, edge and hostile");
  }
  campaign.offering.tier = tier == "legal" ? Tier::kLegal : tier == "edge" ? Tier::kEdge : Tier::kHostile;
  return campaign;
}

std::string ToText(const Finding& finding, const Recipe& recipe) {
  return fmt::format("{} {}: {}\n  case: {}\n  expected: {}\n  got: {}\n  recipe: {}\n", finding.verdict, finding.rule,
                     finding.message, finding.case_id, finding.wanted, finding.got,
                     nlohmann::ordered_json::parse(ToJson(recipe)).dump());
}

std::string ToReplayJson(const Finding& finding, const Recipe& recipe, const Campaign& campaign) {
  nlohmann::ordered_json json = {
      {"case", finding.case_id}, {"library", campaign.library}, {"verdict", finding.verdict},
      {"rule", finding.rule},    {"message", finding.message},  {"wanted", finding.wanted},
      {"got", finding.got},      {"python", campaign.python},   {"adapters", {campaign.adapter}}};
  if (!campaign.mutant.empty()) json["mutant"] = campaign.mutant;
  json["recipe"] = nlohmann::ordered_json::parse(ToJson(recipe));
  return json.dump(2) + "\n";
}

}  // namespace dlpack_cts::fuzz
