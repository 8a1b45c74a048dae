// runner/cli/replay_command.cc: `replay` of one finding, or of many.
#include <algorithm>
#include <filesystem>
#include <iterator>

#include "base/failure.h"
#include "results/parse.h"
#include "results/whole_file.h"
#include "runner/catalogue/catalogue.h"
#include "runner/cli/debug.h"
#include "runner/replay/regression.h"
#include "runner/replay/replay_file.h"
#include "runner/run/finding_files.h"
#include "runner/run/options.h"
#include "runner/run/publish.h"
#include "runner/run/schedule.h"

namespace dlpack_cts::runner {
namespace {

/// A path that cannot be examined is read as a file, which says why it cannot.
bool IsPlainFolder(const std::string& path) {
  std::error_code unknown;
  return std::filesystem::is_directory(path, unknown);
}

int ReplayMany(Options& options) {
  if (!options.debugger.empty()) throw Failure("--debugger needs exactly one finding", "give the file of one finding");
  if (!options.out.empty()) throw Failure("--out needs exactly one FILE", "give one file, or leave out --out");
  std::vector<ReplayFile> files;
  for (const std::string& path : options.files) {
    const bool is_folder = IsPlainFolder(path);
    const std::vector<ReplayFile> read =
        is_folder ? ReadReplayFolder(path) : std::vector<ReplayFile>{ReadReplayFile(path)};
    // The folder may lie elsewhere on another machine.
    const std::filesystem::path above =
        is_folder ? std::filesystem::path(path) : std::filesystem::path(path).parent_path();
    std::ranges::copy_if(read, std::back_inserter(files), [&](const ReplayFile& file) {
      return options.shard.Has(std::filesystem::path(file.path).lexically_relative(above).generic_string());
    });
  }
  return ReplayFindings(ReadCatalogue(), options, files);
}

}  // namespace

int ReplayCommand(Options& options) {
  const std::string path = options.files.front();
  const bool many = options.files.size() > 1 || IsPlainFolder(path) || !options.shard.IsWhole();
  if (many || !options.keep.empty()) return ReplayMany(options);
  const std::string text = WithContext("", "give the path of a finding, such as OUT/findings/CASE.json",
                                       [&] { return ReadWholeFile(path, kLargestFinding); });
  const bool is_object = IfValid([&] { return ParseJson(text).is_object(); }).value_or(false);
  if (!is_object && IsKeptInput(path, text)) return ReplayInput(options);
  const ReplayFile file = ParseReplayFile(path, text);
  const Catalogue catalogue = ReadCatalogue();
  const Library library = LibraryOf(catalogue, file, options);
  if (!options.debugger.empty()) return Debug(file, library, options);
  PrepareOut(options.out);
  const auto prepare = [&] {
    Assignment assignment = PrepareOne(library, options);
    SetReplay(file, assignment.job);
    return assignment;
  };
  return std::max<int>(kAsExpected, TestAll(catalogue, {file.case_id}, {prepare}, 1));
}

}  // namespace dlpack_cts::runner
