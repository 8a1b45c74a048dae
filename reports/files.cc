// reports/files.cc: writes the files of an output folder, and reports a file that could not be written.
#include "reports/files.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>

#include "base/failure.h"
#include "results/whole_file.h"

namespace dlpack_cts {
namespace {

void WriteFile(const std::filesystem::path& path, const std::string& text) {
  const int reason = WriteWholeFile(path, text);
  if (reason == 0) return;
  throw Failure(path.string() + ": cannot be written: " + std::strerror(reason),
                reason == ENOSPC ? "free some space or name another folder with --out"
                                 : "name a folder that you may write to with --out");
}

void MakeFolder(const std::filesystem::path& folder) {
  std::error_code code;
  std::filesystem::create_directories(folder, code);
  if (code)
    throw Failure(folder.string() + ": the output folder cannot be made: " + code.message(),
                  "name another one with --out");
}

}  // namespace

void WriteFiles(const OutputFiles& files, const std::string& folder) {
  MakeFolder(folder);
  std::optional<Failure> first;
  for (const auto& file : files) {
    const std::filesystem::path path = std::filesystem::path(folder) / file.first;
    const std::optional<Failure> failure = FailureOf([&] {
      MakeFolder(path.parent_path());
      WriteFile(path, file.second);
    });
    if (!first) first = failure;
  }
  if (first) throw Failure(*first);
}

}  // namespace dlpack_cts
