// runner/places.cc: where the program finds its data, its worker and its cache.
#include "runner/places.h"

#include <cstdlib>
#include <filesystem>

#include "runner/failure.h"

namespace dlpack_cts::runner {
namespace fs = std::filesystem;

std::string ProgramFolder() { return fs::read_symlink("/proc/self/exe").parent_path(); }

std::string DataFolder() {
  for (const fs::path& folder : {fs::path(ProgramFolder()) / "../share/dlpack-cts", fs::path(DLPACK_CTS_SOURCE_DIR)}) {
    if (fs::is_directory(folder / "rules")) return fs::weakly_canonical(folder);
  }
  throw Failure("the folders rules/ and adapters/ were not found beside the program nor in its source tree",
                "build the program again in the tree that holds them", kHarness);
}

std::string Sibling(const std::string& name) {
  const fs::path path = fs::path(ProgramFolder()) / name;
  if (fs::exists(path)) return path;
  throw Failure("the program " + name + " is not beside dlpack-cts", "build the whole tree: ninja -C build/release",
                kHarness);
}

std::string CacheFolder() {
  if (const char* own = std::getenv("DLPACK_CTS_CACHE")) return own;
  if (const char* cache = std::getenv("XDG_CACHE_HOME")) return std::string(cache) + "/dlpack-cts";
  const char* home = std::getenv("HOME");
  if (home == nullptr) {
    throw Failure("there is no folder for environments: HOME is not set", "set HOME, or DLPACK_CTS_CACHE to a folder");
  }
  return std::string(home) + "/.cache/dlpack-cts";
}

}  // namespace dlpack_cts::runner
