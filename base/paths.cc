// base/paths.cc: asks the file system, and turns its errors into failures.
#include "base/paths.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace dlpack_cts {
namespace fs = std::filesystem;
namespace {

Failure Unusable(const std::string& path, const std::error_code& error) {
  constexpr size_t kShown = 200;
  const std::string shown = path.size() > kShown ? path.substr(0, kShown) + "..." : path;
  return {"the path " + shown + " cannot be used: " + error.message(),
          "give another path, or correct the links and permissions on the way to it"};
}

fs::file_status StatusOf(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::none) throw Unusable(path, error);
  return status;
}

}  // namespace

bool Exists(const std::string& path) { return fs::exists(StatusOf(path)); }

bool IsFolder(const std::string& path) { return fs::is_directory(StatusOf(path)); }

std::string Absolute(const std::string& path) {
  std::error_code error;
  const fs::path absolute = fs::absolute(path, error);
  if (path.empty()) throw Failure("a path is empty", "give the path of a file or folder");
  if (error) throw Unusable(path, error);
  return absolute;
}

std::string Resolved(const std::string& path) {
  std::error_code error;
  const fs::path resolved = fs::weakly_canonical(path, error);
  return error ? path : resolved.string();
}

std::vector<std::string> EntriesOf(const std::string& folder) {
  std::vector<std::string> entries;
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::end(entry); entry.increment(error)) entries.push_back(entry->path());
  std::sort(entries.begin(), entries.end());
  return entries;
}

Failure Unforeseen(const std::exception& exception) {
  if (const auto* path = dynamic_cast<const fs::filesystem_error*>(&exception)) {
    return Unusable(path->path1(), path->code());
  }
  return {exception.what(), "this is a bug in dlpack-cts; please report it", kHarness};
}

}  // namespace dlpack_cts
