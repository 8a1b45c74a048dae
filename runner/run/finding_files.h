// runner/run/finding_files.h: the files that reproduce failures: OUT/findings/CASE.json and .py, OUT/causes/CAUSE.json.
#ifndef DLPACK_CTS_RUNNER_RUN_FINDING_FILES_H_
#define DLPACK_CTS_RUNNER_RUN_FINDING_FILES_H_

#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

namespace dlpack_cts::runner {

inline constexpr size_t kLargestFinding = 64 << 20;  // in bytes; a larger file is not a finding

/// The name of the files of a case, without the extension.
std::string NameOfCase(std::string case_id);

/// The name of the files of a cause, without the extension. Ids are long, so they are shortened: two names may be equal
/// (UnusedName()).
std::string NameOfCause(const std::string& id);

/// Whether it is a finding of a case or of a cause: a file with their id and name, and not a link.
bool IsFinding(const std::filesystem::path& path);

/// Whether it is a script that the worker wrote: a file with a known first line and a known sentence, and not a link.
bool IsScript(const std::filesystem::path& path);

/// Creates the folder, and removes the findings of an earlier run from it. Throws Failure, also if it is a link.
void PrepareFindings(const std::filesystem::path& folder);

/// Throw Failure if the file cannot be written.
void WriteFindingFile(const std::filesystem::path& path, const std::string& text);
void WriteFindingJson(const std::filesystem::path& path, const nlohmann::json& json);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_RUN_FINDING_FILES_H_
