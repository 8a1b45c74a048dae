// runner/environment/install.cc: makes an environment, and installs the requirements of a library in it.
#include "runner/environment/install.h"

#include <filesystem>
#include <fstream>
#include <system_error>
#include <vector>

#include "base/failure.h"
#include "base/text.h"
#include "reports/text.h"
#include "runner/base/command.h"
#include "runner/base/interrupt.h"
#include "runner/base/print.h"

namespace dlpack_cts::runner {
namespace fs = std::filesystem;
namespace {

/// Removes the folder unless Keep() was called. Use it only with the lock, and for a folder made with it.
class Unfinished {
 public:
  explicit Unfinished(std::string folder) : folder_(std::move(folder)) {}
  ~Unfinished() {
    std::error_code ignored;
    if (!folder_.empty()) fs::remove_all(folder_, ignored);
  }
  Unfinished(const Unfinished&) = delete;
  Unfinished& operator=(const Unfinished&) = delete;
  void Keep() { folder_.clear(); }

 private:
  std::string folder_;
};

std::string LastLine(const std::string& text) {
  const std::string lines = text.substr(0, text.find_last_not_of(" \n") + 1);
  return lines.substr(lines.rfind('\n') + 1);
}

}  // namespace

bool IsMade(const std::string& folder) {
  std::error_code missing;
  return fs::exists(folder + "/dlpack-cts-complete", missing) && fs::exists(folder + "/bin/python", missing);
}

std::optional<PipReason> Install(const Library& library, const std::string& interpreter, const std::string& folder,
                                 const FileLock& lock) {
  const std::string pins = Joined(library.requirements, " ");
  // Print the hint before the installation: without it pip may succeed, but download gigabytes.
  Tell("dlpack-cts: making an environment for " + library.name + " with " + interpreter + " in " + folder + ": " +
       OneLine(pins) + " (about " + std::to_string(library.size_mb) + " MB)\n" +
       (library.index_hint.empty() ? "" : "  note: " + OneLine(library.index_hint) + "\n"));
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  Unfinished unfinished(folder);
  // Temporary files of venv and pip are removed with the folder, even by a later run.
  const std::string temporary = folder + "/tmp";
  fs::create_directories(temporary, ignored);
  const std::string variable = "TMPDIR=" + temporary;
  const auto run = [&](const std::vector<std::string>& arguments) {
    Finished finished = RunCommand(
        arguments, {.errors = true, .interruptible = true, .inherited = lock.fd(), .seconds = SecondsLeft()});
    if (finished.late) {
      throw Failure("the time limit of the run passed while the environment of " + library.name + " was made",
                    "run dlpack-cts env create " + library.name + " first, or raise --time-limit");
    }
    return finished;
  };
  const Finished made = run({"env", variable, interpreter, "-m", "venv", folder});
  if (made.status != 0) {
    throw Failure("the environment in " + folder + " cannot be made: " + LastLine(made.output),
                  "install the package python3-venv, and check that the disk is not full");
  }
  std::vector<std::string> pip = {"env", variable,  folder + "/bin/python",        "-m",
                                  "pip", "install", "--disable-pip-version-check", "--quiet"};
  // The source of an old version rarely builds with the compiler of today. pip would try it for minutes.
  if (!library.version.empty()) pip.push_back("--only-binary=:all:");
  pip.insert(pip.end(), library.requirements.begin(), library.requirements.end());
  const Finished installed = run(pip);
  fs::remove_all(temporary, ignored);
  if (installed.status == 0) {
    std::ofstream(folder + "/dlpack-cts-complete") << "installed\n";
    unfinished.Keep();
    return std::nullopt;
  }
  std::ofstream(folder + ".log") << installed.output;
  return ReasonOf(installed.output, library.requirements);
}

}  // namespace dlpack_cts::runner
