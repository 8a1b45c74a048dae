// runner/replay/replay_file.cc: reads findings, which people may have written or edited.
#include "runner/replay/replay_file.h"

#include <algorithm>

#include "base/failure.h"
#include "base/paths.h"
#include "reports/text.h"
#include "results/parse.h"
#include "results/whole_file.h"
#include "runner/base/places.h"
#include "runner/base/print.h"
#include "runner/run/finding_files.h"

namespace dlpack_cts::runner {
namespace {

// FOLDER/LIBRARY/CAUSE/finding.json, and one more.
constexpr int kDeepestFolder = 4;
constexpr const char* kFileHint = "give a file that dlpack-cts run --out DIR wrote into DIR/findings or DIR/causes";

/// One finding while its fields are read.
class Fields {
 public:
  Fields(const std::string& path, const nlohmann::json& finding) : path_(path), finding_(finding) {
    if (!finding.is_object()) throw Wrong("it is not a JSON object");
  }

  std::string Text(const char* key) const {
    const auto found = finding_.find(key);
    if (found == finding_.end() || !found->is_string()) throw Wrong(key, "is not a string");
    return found->get<std::string>();
  }
  std::string TextOr(const char* key) const { return finding_.contains(key) ? Text(key) : ""; }

  nlohmann::json Object(const char* key) const {
    const auto found = finding_.find(key);
    if (found == finding_.end() || !found->is_object()) throw Wrong(key, "is not an object");
    return *found;
  }

  nlohmann::json Objects(const char* key, const char* what) const {
    return List(key, what, [](const nlohmann::json& item) { return item.is_object(); });
  }
  std::vector<std::string> Texts(const char* key, const char* what) const {
    return List(key, what, [](const nlohmann::json& item) { return item.is_string(); });
  }

  Failure Wrong(const char* key, const std::string& what) const {
    return Wrong("its \"" + std::string(key) + "\" " + what);
  }

 private:
  Failure Wrong(const std::string& what) const { return {path_ + " is not a finding: " + what, kFileHint}; }

  template <typename Is>
  nlohmann::json List(const char* key, const char* what, const Is& is) const {
    nlohmann::json list = finding_.value(key, nlohmann::json::array());
    if (!list.is_array() || !std::ranges::all_of(list, is)) throw Wrong(key, "is not a list of " + std::string(what));
    return list;
  }

  const std::string& path_;
  const nlohmann::json& finding_;
};

void AddFiles(const std::string& folder, int depth, std::vector<std::string>& files) {
  for (const std::string& path : EntriesOf(folder)) {
    if (IsFolder(path)) {
      if (depth < kDeepestFolder) AddFiles(path, depth + 1, files);
    } else if (path.ends_with(".json")) {
      files.push_back(path);
    }
  }
}

/// The exchange is judged by the list that judged it in the run.
void UseExpectations(const std::string& of_run, Options& options) {
  if (!options.expectations.empty() || of_run.empty()) return;
  if (Exists(of_run)) {
    options.expectations = of_run;
    return;
  }
  Tell("dlpack-cts: there is no file " + OneLine(of_run) +
       ", which the run read its known deviations from; those of the adapter are used\n" +
       "  hint: name the file with --expectations FILE\n");
}

}  // namespace

ReplayFile ReadReplayFile(const std::string& path) {
  const char* hint = "give the path of a finding, such as OUT/findings/CASE.json";
  return ParseReplayFile(path, WithContext("", hint, [&] { return ReadWholeFile(path, kLargestFinding); }));
}

ReplayFile ParseReplayFile(const std::string& path, const std::string& text) {
  const nlohmann::json json = WithContext(path + " is not a finding: it ", kFileHint, [&] { return ParseJson(text); });
  const Fields fields(path, json);
  ReplayFile file = {.path = path,
                     .library = fields.Text("library"),
                     .library_version = fields.TextOr("library_version"),
                     .case_id = fields.Text("case"),
                     .recipe = fields.Object("recipe"),
                     .earlier = fields.Objects("earlier", "recipes"),
                     .mutant = fields.TextOr("mutant"),
                     .cause = fields.TextOr("cause"),
                     .rule = fields.TextOr("rule"),
                     .verdict = {},
                     .message = fields.TextOr("message"),
                     .fact = fields.TextOr("fact"),
                     .python = fields.TextOr("python"),
                     .adapters = fields.Texts("adapters", "folders"),
                     .pythonpath = fields.Texts("pythonpath", "folders"),
                     .expectations = fields.TextOr("expectations")};
  if (!json.contains("verdict")) return file;
  const std::string verdict = fields.Text("verdict");
  file.verdict = FromText<Verdict>(verdict);
  if (!file.verdict) throw fields.Wrong("verdict", "is \"" + verdict + "\", which is not a verdict");
  return file;
}

nlohmann::json ToJson(const ReplayFile& file) {
  nlohmann::json json = {{"finding", 1},         {"library", file.library}, {"library_version", file.library_version},
                         {"case", file.case_id}, {"rule", file.rule},       {"message", file.message},
                         {"fact", file.fact},    {"recipe", file.recipe}};
  if (file.verdict) json["verdict"] = ToText(*file.verdict);
  if (!file.cause.empty()) json["cause"] = file.cause;
  if (!file.earlier.empty()) json["earlier"] = file.earlier;
  if (!file.mutant.empty()) json["mutant"] = file.mutant;
  return json;
}

int WriteFinding(const std::string& path, const nlohmann::json& finding) {
  return WriteWholeFile(path, finding.dump(1, ' ', true, nlohmann::json::error_handler_t::replace) + "\n");
}

std::vector<ReplayFile> ReadReplayFolder(const std::string& folder) {
  std::vector<std::string> paths;
  AddFiles(folder, 1, paths);
  if (paths.empty()) {
    throw Failure(
        "the folder " + folder + " holds no .json file",
        "give the folder findings or causes that dlpack-cts run --out DIR or dlpack-cts fuzz --out DIR wrote");
  }
  std::vector<ReplayFile> files;
  for (const std::string& path : paths) files.push_back(ReadReplayFile(path));
  return files;
}

Library LibraryOf(const Catalogue& catalogue, const ReplayFile& file, Options& options) {
  for (const std::string& folder : file.adapters) {
    if (Exists(folder + "/library.toml")) options.adapters.push_back(folder);
  }
  options.run.pythonpath = file.pythonpath;
  UseExpectations(file.expectations, options);
  if (options.run.python.empty() && Exists(file.python)) options.run.python = file.python;
  const Library library = SelectLibrary(FindLibraries(DataFolder(), options.adapters), file.library);
  if (catalogue.Find(file.case_id) == nullptr) {
    throw Failure("there is no case " + file.case_id, "dlpack-cts list cases shows all cases");
  }
  return library;
}

void SetReplay(const ReplayFile& file, JobFile& job) {
  job.replayed = file.recipe;
  job.run_before = file.earlier;
  job.mutants.clear();
  if (!file.mutant.empty()) job.mutants = {file.mutant};
}

}  // namespace dlpack_cts::runner
