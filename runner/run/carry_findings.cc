// runner/run/carry_findings.cc: finds the files of findings beside result files, and copies them.
#include "runner/run/carry_findings.h"

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/failure.h"
#include "base/paths.h"
#include "results/parse.h"
#include "results/tally.h"
#include "results/whole_file.h"
#include "runner/base/places.h"
#include "runner/base/quoted.h"
#include "runner/run/finding_files.h"

namespace dlpack_cts::runner {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kFindings = "findings";
constexpr std::string_view kCauses = "causes";
constexpr std::string_view kReplay = "dlpack-cts replay ";

std::vector<fs::path> FoldersOf(const StoredRun& stored) {
  std::vector<fs::path> folders;
  for (const std::string& file : stored.shards.empty() ? std::vector<std::string>{stored.path} : stored.shards)
    folders.push_back(fs::path(Absolute(file)).parent_path());
  return folders;
}

/// The name of the file of a replay command, without the folder: "import.place.byte-offset.json"; "" for other
/// commands.
std::string FileOfReplay(const std::string& replay) {
  const size_t end = replay.rfind(".json");
  const size_t slash = replay.rfind('/', end);
  if (!replay.starts_with(kReplay) || end == std::string::npos || slash == std::string::npos) return "";
  return replay.substr(slash + 1, end - slash - 1) + ".json";
}

/// The command with another file. What follows the file stays.
std::string WithFile(const std::string& replay, const std::string& file) {
  std::string_view rest = std::string_view(replay).substr(replay.rfind(".json") + std::string_view(".json").size());
  if (rest.starts_with('\'')) rest.remove_prefix(1);
  return std::string(kReplay) + Quoted(file) + std::string(rest);
}

/// Whether the file has this example. Several shards can have a cause, each with an example of its own.
bool HasExample(const fs::path& path, const nlohmann::json& recipe) {
  if (!IsFinding(path)) return false;
  const auto finding = IfValid([&] { return ParseJson(ReadWholeFile(path, kLargestFinding)); });
  return finding && finding->contains("recipe") && finding->at("recipe") == recipe;
}

/// The files to copy, below `out`, with their texts.
class Copies {
 public:
  void Add(const fs::path& name, const fs::path& from) {
    if (const auto text = IfValid([&] { return ReadWholeFile(from, kLargestFinding); })) texts_[name] = *text;
  }

  /// `name`, or one with a number: two causes with long ids may have one name, each in its shard.
  fs::path Unused(const fs::path& name) const {
    std::vector<std::string> taken;
    for (const auto& [other, text] : texts_) taken.push_back(other.stem());
    return name.parent_path() / (UnusedName(name.stem(), taken) + name.extension().string());
  }

  void Write(const fs::path& out) const {
    for (const std::string_view folder : {kFindings, kCauses}) PrepareFindings(out / folder);
    for (const auto& [name, text] : texts_) WriteFindingFile(out / name, text);
  }

 private:
  std::map<fs::path, std::string> texts_;
};

/// The folder whose script the result names; "" if none has it.
fs::path FolderWithScript(const std::vector<fs::path>& folders, const std::string& script) {
  const fs::path name = script;
  if (name.parent_path() != kFindings || name.filename() == "..") return "";
  for (const fs::path& folder : folders) {
    if (IsScript(folder / name)) return folder;
  }
  return "";
}

void CarryResult(const std::vector<fs::path>& folders, const fs::path& out, Result& result, Copies& copies) {
  const fs::path script = FolderWithScript(folders, result.reproducer);
  if (script.empty()) {
    result.reproducer.clear();
  } else if (out.empty()) {
    result.reproducer = script / result.reproducer;
  } else {
    copies.Add(result.reproducer, script / result.reproducer);
  }
  const fs::path example = fs::path(kFindings) / (NameOfCase(result.seen.case_id) + ".json");
  for (const fs::path& folder : folders) {
    if (!IsDeviation(result.verdict) || !IsFinding(folder / example)) continue;
    copies.Add(example, folder / example);
    break;
  }
}

void CarryCause(const std::vector<fs::path>& folders, const fs::path& out, Cause& cause, Copies& copies) {
  const std::string file = FileOfReplay(cause.replay);
  if (file.empty()) return;
  const fs::path name = fs::path(kCauses) / file;
  for (const fs::path& folder : folders) {
    if (!HasExample(folder / name, cause.recipe)) continue;
    const fs::path copy = copies.Unused(name);
    if (!out.empty()) copies.Add(copy, folder / name);
    cause.replay = WithFile(cause.replay, out.empty() ? folder / name : out / copy);
    return;
  }
}

}  // namespace

void CarryFindings(StoredRun& stored, const std::string& out) {
  const std::vector<fs::path> folders = FoldersOf(stored);
  const fs::path target = out.empty() ? "" : fs::path(Absolute(out)).lexically_normal();
  std::error_code differs;
  const bool in_place = folders.size() == 1 && !target.empty() && fs::equivalent(folders.front(), target, differs);
  if (in_place) return;
  Copies copies;
  for (Result& result : stored.run.results) CarryResult(folders, target, result, copies);
  for (Cause& cause : stored.run.causes) CarryCause(folders, target, cause, copies);
  if (!target.empty()) copies.Write(target);
}

}  // namespace dlpack_cts::runner
