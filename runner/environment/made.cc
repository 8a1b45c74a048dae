// runner/environment/made.cc: finds and removes the environments in the cache.
#include "runner/environment/made.h"

#include <sys/stat.h>

#include <filesystem>

#include "base/failure.h"
#include "base/paths.h"
#include "runner/base/glob.h"
#include "runner/base/places.h"
#include "runner/environment/file_lock.h"

namespace dlpack_cts::runner {
namespace fs = std::filesystem;
namespace {

constexpr int64_t kBlock = 512;  // unit of st_blocks

/// Of everything in the folder. Links are not followed.
int64_t BytesIn(const std::string& folder) {
  int64_t bytes = 0;
  for (const std::string& path : EntriesOf(folder)) {
    struct stat status{};
    if (lstat(path.c_str(), &status) != 0) continue;
    bytes += status.st_blocks * kBlock + (S_ISDIR(status.st_mode) ? BytesIn(path) : 0);
  }
  return bytes;
}

}  // namespace

std::vector<MadeEnvironment> MadeEnvironments() {
  std::vector<MadeEnvironment> made;
  for (const std::string& folder : EntriesOf(CacheFolder() + "/env")) {
    if (!IsFolder(folder)) continue;
    const std::string name = fs::path(folder).filename().string();
    made.push_back({.name = name,
                    .library = name.substr(0, name.rfind('-')),
                    .folder = folder,
                    .bytes = BytesIn(folder),
                    .complete = Exists(folder + "/dlpack-cts-complete")});
  }
  return made;
}

std::vector<MadeEnvironment> RemoveEnvironments(const std::string& name) {
  std::vector<MadeEnvironment> removed = MadeEnvironments();
  std::vector<std::string> names;
  for (const MadeEnvironment& one : removed) names.insert(names.end(), {one.name, one.library});
  std::erase_if(removed, [&](const MadeEnvironment& one) { return one.name != name && one.library != name; });
  if (removed.empty()) {
    const std::string near = Nearest(name, names);
    throw Failure("there is no environment of " + name + " in " + CacheFolder() + "/env",
                  near.empty() ? "dlpack-cts env list shows all of them" : near);
  }
  for (const MadeEnvironment& one : removed) {
    const FileLock lock(one.folder + ".lock");
    std::error_code failed;
    fs::remove_all(one.folder, failed);
    if (failed)
      throw Failure("the folder " + one.folder + " cannot be removed: " + failed.message(), "remove it by hand");
  }
  return removed;
}

}  // namespace dlpack_cts::runner
