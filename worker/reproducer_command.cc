// worker/reproducer_command.cc: --reproducers FINDING.json..., which needs no library.
#include "worker/reproducer_command.h"

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "harness/minimise/minimise.h"
#include "harness/recipe/codec.h"
#include "harness/reproducer/modules.h"
#include "harness/reproducer/reproducer.h"
#include "results/parse.h"

namespace dlpack_cts::worker {
namespace {

std::string Refuse(const std::string& what, const char* hint) {
  std::fprintf(stderr, "dlpack-cts: %s\n  hint: %s\n", what.c_str(), hint);
  return "";
}

std::optional<std::string> ReadText(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

ReproducerInput InputOf(const nlohmann::json& finding) {
  ReproducerInput input;
  const auto text = [&finding](const char* key) { return finding.value(key, std::string()); };
  input.case_id = finding.at("case").get<std::string>();
  input.verdict = finding.at("verdict").get<std::string>();
  input.rule = text("rule");
  input.requirement = text("requirement");
  input.source = text("source");
  input.message = text("message");
  input.fact = text("fact");
  input.wanted = text("wanted");
  input.got = text("got");
  input.ended = text("ended");
  input.touched = finding.value("touched", false);
  input.touched_in = text("touched_in");
  input.refused = finding.value("refused", true);
  input.by_destructor = finding.value("by_destructor", true);
  input.library = text("library");
  input.library_version = text("library_version");
  input.requirements = finding.value("requirements", std::vector<std::string>());
  input.environment = finding.value("environment", std::map<std::string, std::string>());
  return input;
}

/// The script, or "" if no script can show it. If the file is not a finding, standard error says why.
std::string ScriptOf(const std::string& finding_path) {
  const std::optional<std::string> text = ReadText(finding_path);
  if (!text) return Refuse("the finding " + finding_path + " cannot be read", "name a file OUT/findings/CASE.json");
  ReproducerInput input;
  std::vector<std::string> adapters;
  std::string error;
  try {
    nlohmann::json finding;
    if (!ParseJson(*text, &finding, &error)) {
      return Refuse("the file " + finding_path + " is not a finding: it " + error,
                    "name a file OUT/findings/CASE.json");
    }
    input = InputOf(finding);
    adapters = finding.value("adapters", adapters);
    if (!FromJson(finding.at("recipe").dump(), &input.recipe, &error)) {
      return Refuse("the recipe in " + finding_path + " is invalid: " + error, "run the library again");
    }
    const auto needed = finding.value("needed", std::vector<unsigned>());
    if (!needed.empty()) input.recipe = WithSteps(input.recipe, needed);
  } catch (const nlohmann::json::exception& bad) {
    return Refuse("the file " + finding_path + " is not a finding: " + bad.what(),
                  "name a file OUT/findings/CASE.json");
  }
  if (adapters.size() != 1) return "";  // the reference has no adapter in Python, and a pair has two
  const std::optional<std::string> adapter = ReadText(adapters.front() + "/adapter.py");
  if (!adapter) return Refuse("the adapter " + adapters.front() + "/adapter.py cannot be read", "restore the folder");
  input.adapter = *adapter;
  input.modules = ModulesBeside(adapters.front(), input.adapter);
  return WhyNoReproducer(input).empty() ? Reproducer(input) : "";
}

}  // namespace

void PrintReproducers(const std::vector<std::string>& finding_paths) {
  nlohmann::json scripts = nlohmann::json::array();
  for (const std::string& path : finding_paths) scripts.push_back(ScriptOf(path));
  std::puts(scripts.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace).c_str());
}

}  // namespace dlpack_cts::worker
