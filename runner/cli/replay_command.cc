// runner/cli/replay_command.cc: `replay` of a finding.
#include <algorithm>

#include "base/failure.h"
#include "base/paths.h"
#include "results/parse.h"
#include "results/whole_file.h"
#include "runner/base/places.h"
#include "runner/catalogue/catalogue.h"
#include "runner/run/assignment.h"
#include "runner/run/finding.h"
#include "runner/run/options.h"
#include "runner/run/publish.h"
#include "runner/run/schedule.h"

namespace dlpack_cts::runner {
namespace {

/// A finding may have been written or edited by hand.
void CheckFinding(const nlohmann::json& finding, const std::string& file) {
  const char* hint = "give a file that dlpack-cts run --out DIR wrote into DIR/findings or DIR/causes";
  if (!finding.is_object()) throw Failure(file + " is not a finding: it is not a JSON object", hint);
  for (const char* key : {"case", "library"}) {
    if (!finding.contains(key) || !finding.at(key).is_string()) {
      throw Failure(file + " is not a finding: its \"" + key + "\" is not a string", hint);
    }
  }
  if (!finding.contains("recipe") || !finding.at("recipe").is_object()) {
    throw Failure(file + " is not a finding: its \"recipe\" is not an object", hint);
  }
  const auto is_object = [](const nlohmann::json& item) { return item.is_object(); };
  const nlohmann::json earlier = finding.value("earlier", nlohmann::json::array());
  if (!earlier.is_array() || !std::all_of(earlier.begin(), earlier.end(), is_object)) {
    throw Failure(file + " is not a finding: its \"earlier\" is not a list of recipes", hint);
  }
  const auto is_text = [](const nlohmann::json& item) { return item.is_string(); };
  for (const char* key : {"adapters", "pythonpath"}) {
    const nlohmann::json folders = finding.value(key, nlohmann::json::array());
    if (!folders.is_array() || !std::all_of(folders.begin(), folders.end(), is_text)) {
      throw Failure(file + " is not a finding: its \"" + key + "\" is not a list of folders", hint);
    }
  }
  for (const char* key : {"python", "mutant"}) {
    if (finding.contains(key) && !finding.at(key).is_string()) {
      throw Failure(file + " is not a finding: its \"" + key + "\" is not a string", hint);
    }
  }
}

}  // namespace

int ReplayCommand(Options& options) {
  const std::string text = WithContext("", "give the path of a finding, such as OUT/findings/CASE.json",
                                       [&] { return ReadWholeFile(options.what, kLargestFinding); });
  nlohmann::json finding;
  const std::optional<Failure> unparsed = FailureOf([&] { finding = ParseJson(text); });
  if (!finding.is_object() && IsKeptInput(options.what, text)) return ReplayInput(options);
  if (unparsed) {
    throw Failure(options.what + " is not a finding: it " + unparsed->what(),
                  "give a file that dlpack-cts run --out DIR wrote into DIR/findings or DIR/causes");
  }
  CheckFinding(finding, options.what);
  if (finding.contains("adapters")) {
    for (const std::string folder : finding.at("adapters")) {
      if (Exists(folder + "/library.toml")) options.adapters.push_back(folder);
    }
  }
  options.run.pythonpath = finding.value("pythonpath", std::vector<std::string>{});
  const std::string python = finding.value("python", "");
  if (options.run.python.empty() && Exists(python)) options.run.python = python;
  const std::string name = finding.at("library");
  const Library library = SelectLibrary(FindLibraries(DataFolder(), options.adapters), name);
  const Catalogue catalogue = ReadCatalogue();
  const std::string id = finding.at("case");
  if (catalogue.Find(id) == nullptr) throw Failure("there is no case " + id, "dlpack-cts list cases shows all cases");
  PrepareOut(options.out);
  const auto prepare = [&] {
    Assignment assignment = PrepareOne(library, options);
    assignment.job.replayed = finding.at("recipe");
    if (finding.contains("earlier")) assignment.job.run_before = finding.at("earlier");
    if (finding.contains("mutant")) assignment.job.mutants = {finding.at("mutant").get<std::string>()};
    return assignment;
  };
  return std::max<int>(kAsExpected, TestAll(catalogue, {id}, {prepare}, 1));
}

}  // namespace dlpack_cts::runner
