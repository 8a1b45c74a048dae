// runner/replay/replay_file.h: a file that `replay` reads: an exchange, the case that judges it, and what it showed.
#ifndef DLPACK_CTS_RUNNER_REPLAY_REPLAY_FILE_H_
#define DLPACK_CTS_RUNNER_REPLAY_REPLAY_FILE_H_

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "results/result.h"
#include "runner/catalogue/catalogue.h"
#include "runner/run/assignment.h"

namespace dlpack_cts::runner {

/// Only library, case and recipe are needed. What the exchange showed may be missing.
struct ReplayFile {
  std::string path;
  std::string library;
  std::string library_version;
  std::string case_id;
  nlohmann::json recipe;
  nlohmann::json earlier = nlohmann::json::array();  // recipes that run before it
  std::string mutant;                                // of the reference, which shows it
  std::string cause;                                 // its id
  std::string rule;
  std::optional<Verdict> verdict;
  std::string message;
  std::string fact;  // its key or pattern
  // Of the machine that wrote it.
  std::string python;
  std::vector<std::string> adapters;
  std::vector<std::string> pythonpath;
  std::string expectations;  // the run's --expectations; empty: it read those of the adapter
};

/// Throws a Failure that names what is wrong.
ReplayFile ReadReplayFile(const std::string& path);
/// The same for a text that was read from that path.
ReplayFile ParseReplayFile(const std::string& path, const std::string& text);

/// The fields that are the same on every machine.
nlohmann::json ToJson(const ReplayFile& file);
/// Writes JSON as the text of a finding. Returns 0, or the errno of the failure.
int WriteFinding(const std::string& path, const nlohmann::json& finding);

/// The files in the folder, and in the folders in it. Throws a Failure if it holds no file, or one is not a finding.
std::vector<ReplayFile> ReadReplayFolder(const std::string& folder);

/// The library of the file. Adds to the options what the file says about its machine; options that are given come
/// first. Throws Failure, also if its case does not exist.
Library LibraryOf(const Catalogue& catalogue, const ReplayFile& file, Options& options);

/// Makes the job run the exchange of the file.
void SetReplay(const ReplayFile& file, JobFile& job);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_REPLAY_REPLAY_FILE_H_
