// worker/reproducer_command.cc: --reproducers FINDING.json..., which needs no library.
#include "worker/reproducer_command.h"

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "base/failure.h"
#include "harness/minimise/minimise.h"
#include "harness/recipe/codec.h"
#include "harness/reproducer/modules.h"
#include "harness/reproducer/reproducer.h"
#include "results/parse.h"

namespace dlpack_cts::worker {
namespace {

std::string ReadText(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Failure(path + " cannot be read");
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

/// The script, or "" if no script can show it.
std::string ScriptOf(const std::string& finding_path) {
  const std::string hint = "name a file OUT/findings/CASE.json";
  const std::string text = WithContext("the finding ", hint, [&] { return ReadText(finding_path); });
  const std::string refused = "the file " + finding_path + " is not a finding: ";
  const auto finding = WithContext(refused + "it ", hint, [&] { return ParseJson(text); });
  ReproducerInput input;
  std::vector<std::string> adapters;
  try {
    input = InputOf(finding);
    adapters = finding.value("adapters", adapters);
    input.recipe = WithContext("the recipe in " + finding_path + " is invalid: ", "run the library again",
                               [&] { return RecipeFromJson(finding.at("recipe").dump()); });
    const auto needed = finding.value("needed", std::vector<unsigned>());
    if (!needed.empty()) input.recipe = WithSteps(input.recipe, needed);
  } catch (const nlohmann::json::exception& bad) {
    throw Failure(refused + bad.what(), hint);
  }
  if (adapters.size() != 1) return "";  // the reference has no adapter in Python, and a pair has two
  input.adapter =
      WithContext("the adapter ", "restore the folder", [&] { return ReadText(adapters.front() + "/adapter.py"); });
  input.modules = ModulesBeside(adapters.front(), input.adapter);
  return WhyNoReproducer(input).empty() ? Reproducer(input) : "";
}

}  // namespace

std::string Reproducers(const std::vector<std::string>& finding_paths) {
  nlohmann::json scripts = nlohmann::json::array();
  for (const std::string& path : finding_paths) {
    std::string script;
    const std::optional<Failure> refused = FailureOf([&] { script = ScriptOf(path); });
    if (refused) std::fputs(Printed(*refused).c_str(), stderr);
    scripts.push_back(script);
  }
  return scripts.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

}  // namespace dlpack_cts::worker
