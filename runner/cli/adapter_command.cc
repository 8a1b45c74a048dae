// runner/cli/adapter_command.cc: `adapter new` and `adapter check`.
#include "runner/cli/adapter.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <vector>

#include "base/failure.h"
#include "base/paths.h"
#include "results/whole_file.h"
#include "runner/base/places.h"
#include "runner/base/print.h"

namespace dlpack_cts::runner {
namespace fs = std::filesystem;
namespace {

constexpr size_t kLargest = size_t{1} << 20;  // in bytes
constexpr char kSkeletonName[] = "name = \"strided\"";

/// A name that library.toml may have.
std::string NameFor(const fs::path& folder) {
  std::string name = PlainName(folder.filename());
  std::replace(name.begin(), name.end(), '+', '_');
  name.erase(0, name.find_first_not_of('-'));
  return name.empty() ? "mine" : name;
}

void WriteFile(const fs::path& path, const std::string& text) {
  const int reason = WriteWholeFile(path, text);
  if (reason == 0) return;
  throw Failure("the file " + path.string() + " cannot be written: " + std::strerror(reason),
                "free some space, or choose another folder");
}

}  // namespace

void WriteAdapter(const std::string& folder) {
  const fs::path target = fs::path(Absolute(folder)).lexically_normal() / "";
  if (Exists(target) && !IsFolder(target)) throw Failure(folder + " is not a folder", "choose a new or empty folder");
  if (!EntriesOf(target).empty())
    throw Failure("the folder " + folder + " is not empty", "choose a new or empty folder");
  std::error_code failed;
  fs::create_directories(target, failed);
  if (failed) {
    throw Failure("the folder " + folder + " cannot be created: " + failed.message(), "choose another folder");
  }
  const std::string name = NameFor(target.parent_path());
  const std::string skeleton = DataFolder() + "/examples/python-adapter";
  const std::vector<std::string> files = EntriesOf(skeleton);
  if (files.empty()) throw Failure("there are no files in " + skeleton, "install dlpack-cts again", kHarness);
  for (const std::string& file : files) {
    if (IsFolder(file)) continue;  // __pycache__
    std::string text = ReadWholeFile(file, kLargest);
    const size_t at = text.find(kSkeletonName);
    if (at != std::string::npos) text.replace(at, std::strlen(kSkeletonName), "name = \"" + name + "\"");
    WriteFile(target / fs::path(file).filename(), text);
  }
  Print("made an adapter in " + folder + ", with a toy library that it tests\n  dlpack-cts adapter check " + folder +
        "\n  dlpack-cts run " + name + " --adapter " + folder + "\nThen replace the toy library by yours: " + folder +
        "/README.md says how.\n");
}

int AdapterCommand(const Options& options) {
  const std::string& folder = options.files.front();
  if (options.what == "check") return CheckAdapter(folder, options);
  if (options.what != "new") throw Failure("adapter has no verb " + options.what, "the verbs are new and check");
  WriteAdapter(folder);
  return kAsExpected;
}

}  // namespace dlpack_cts::runner
