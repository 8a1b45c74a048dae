// runner/base/places.cc: finds the data, the worker and the cache of the program.
#include "runner/base/places.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "base/failure.h"
#include "base/paths.h"
#include "results/text.h"

namespace dlpack_cts::runner {
namespace fs = std::filesystem;

std::string ProgramFolder() {
  std::error_code missing;
  const fs::path program = fs::read_symlink("/proc/self/exe", missing);
  if (missing) throw Failure("/proc/self/exe cannot be read: " + missing.message(), "mount /proc");
  return program.parent_path();
}

std::string DataFolder() {
  const fs::path program = ProgramFolder();
  for (const fs::path& folder : {program / "../share/dlpack-cts", program / "dlpack-cts-data"}) {
    std::error_code missing;
    if (fs::is_directory(folder / "rules", missing)) return Resolved(folder);
  }
  throw Failure("the folders rules/ and adapters/ are neither in " + ProgramFolder() + "/../share/dlpack-cts nor in " +
                    ProgramFolder() + "/dlpack-cts-data",
                "install dlpack-cts again, or configure its build again with cmake", kHarness);
}

std::string Sibling(const std::string& name) {
  const fs::path path = fs::path(ProgramFolder()) / name;
  if (fs::exists(path)) return path;
  throw Failure("the program " + name + " is not in the folder of dlpack-cts",
                "build the whole tree: ninja -C build/release", kHarness);
}

void RequireUtf8(const std::string& what, const std::string& path) {
  for (std::string_view rest = path; !rest.empty();) {
    const size_t length = CharacterLength(rest);
    if (length == 0)
      throw Failure(what + " has a path that is not UTF-8: " + path, "rename the folder, or use another one");
    rest.remove_prefix(length);
  }
}

std::string PlainName(const std::string& text) {
  constexpr size_t kLongest = 100;
  std::string name;
  for (const char c : text.substr(0, kLongest)) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
                       c == '-' || c == '_' || c == '+';
    name += plain ? c : '_';
  }
  if (name.empty() || name.front() == '.') name.insert(0, "_");
  return name;
}

std::string UnusedName(const std::string& name, const std::vector<std::string>& taken) {
  std::string unused = name;
  for (int number = 2; std::find(taken.begin(), taken.end(), unused) != taken.end(); ++number) {
    unused = name + "-" + std::to_string(number);
  }
  return unused;
}

std::string CacheFolder() {
  if (const char* own = std::getenv("DLPACK_CTS_CACHE")) return own;
  if (const char* cache = std::getenv("XDG_CACHE_HOME")) return std::string(cache) + "/dlpack-cts";
  const char* home = std::getenv("HOME");
  if (home == nullptr) {
    throw Failure("there is no folder for environments: HOME is not set",
                  "set HOME, or set DLPACK_CTS_CACHE to a folder");
  }
  return std::string(home) + "/.cache/dlpack-cts";
}

}  // namespace dlpack_cts::runner
