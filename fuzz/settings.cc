// fuzz/settings.cc: reads the settings from the environment, and writes findings.
#include "fuzz/settings.h"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "base/failure.h"
#include "base/paths.h"
#include "harness/recipe/codec.h"
#include "mutants/mutant.h"
#include "subject/python_loader.h"

namespace dlpack_cts::fuzz {
namespace {

/// What the environment and the file of the program say.
class Source {
 public:
  Source() {
    const std::string program = Resolved("/proc/self/exe");
    const std::string name = program.substr(program.rfind('/') + 1);
    const size_t end = name.find('_');
    if (end == std::string::npos || FindTarget(name.substr(0, end)) == nullptr) return;
    values_["TARGET"] = name.substr(0, end);
    values_["LIBRARY"] = name.substr(end + 1);
    std::ifstream file(OwnFolder() + name.substr(end + 1) + ".settings");
    for (std::string line; std::getline(file, line);) Read(line);
  }

  std::string Get(const std::string& name, const std::string& absent) const {
    const char* value = std::getenv(("DLPACK_CTS_FUZZ_" + name).c_str());
    if (value != nullptr && *value != '\0') return value;
    const auto found = values_.find(name);
    return found == values_.end() ? absent : found->second;
  }

 private:
  void Read(const std::string& line) {
    const size_t equals = line.find('=');
    if (equals == std::string::npos) return;
    const std::string name = line.substr(0, equals);
    std::string value = line.substr(equals + 1);
    const bool is_path = name == "ADAPTER" || name == "PYTHON" || name == "LIBPYTHON";
    if (name.starts_with("env.")) {
      setenv(name.substr(4).c_str(), value.c_str(), 0);
    } else if (name == "KNOWN") {
      values_[name] += value + "\n";
    } else {
      values_[name] = is_path && !value.starts_with('/') ? OwnFolder() + value : value;
    }
  }

  std::map<std::string, std::string> values_;
};

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

Tier TierOf(const std::string& name, Tier absent) {
  if (name.empty()) return absent;
  if (name == "legal") return Tier::kLegal;
  if (name == "edge") return Tier::kEdge;
  if (name == "hostile") return Tier::kHostile;
  throw Failure("there is no tier " + name + "; the tiers are legal, edge and hostile");
}

}  // namespace

Settings ReadSettings() {
  const Source source;
  Settings settings;
  const std::string target = source.Get("TARGET", "import");
  settings.target = FindTarget(target);
  if (settings.target == nullptr) throw Failure("there is no fuzz target " + target);
  settings.library = source.Get("LIBRARY", "reference");
  settings.kind = source.Get("KIND", settings.library == "reference" ? "reference" : "python");
  settings.adapter = source.Get("ADAPTER", "");
  settings.python = source.Get("PYTHON", "");
  settings.libpython = source.Get("LIBPYTHON", "");
  settings.mutant = source.Get("MUTANT", "");
  settings.finding = source.Get("FINDING", "");
  settings.known = ReadKnown(source.Get("KNOWN", ""));
  if (NeedsPython(settings) && settings.libpython.empty()) throw Failure("DLPACK_CTS_FUZZ_LIBPYTHON is not set");
  settings.offering.capsules = NeedsPython(settings);
  if (!settings.mutant.empty() && FindMutant(settings.mutant) == nullptr) {
    throw Failure("there is no mutant " + settings.mutant);
  }
  settings.offering.tier = TierOf(source.Get("TIER", ""), settings.target->tier);
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
      {"got", finding.got},      {"python", settings.python},   {"adapters", nlohmann::ordered_json::array()}};
  // An instrumented plug-in needs this program: the worker loads an ordinary build.
  if (NeedsPython(settings)) json["adapters"] = {settings.adapter};
  if (!settings.mutant.empty()) json["mutant"] = settings.mutant;
  json["recipe"] = nlohmann::ordered_json::parse(ToJson(recipe));
  return json.dump(2) + "\n";
}

}  // namespace dlpack_cts::fuzz
