// runner/environment/interpreters.cc: finds the Python interpreters of this machine, and asks what they are.
#include "runner/environment/interpreters.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "base/failure.h"
#include "base/paths.h"
#include "reports/text.h"
#include "runner/base/command.h"

namespace dlpack_cts::runner {
namespace fs = std::filesystem;
namespace {

constexpr char kAsk[] =
    "import os, sys, sysconfig; get = sysconfig.get_config_var; "
    "os.write(3, os.fsencode(f\"{sys.version_info[0]} {sys.version_info[1]}\\n{get('LIBDIR') or ''}\\n"
    "{get('INSTSONAME') or ''}\\n{sys.implementation.name}\\n{get('Py_GIL_DISABLED') or 0}\\n\"))";
static_assert(kAnswers == 3);

constexpr double kStartSeconds = 60;
constexpr int kOldestMinor = 8;   // CPython 3.8
constexpr int kNewestMinor = 14;  // later ones are used if an adapter names them
constexpr size_t kMostAnswer = 1 << 20;

}  // namespace

Answer AskInterpreter(const std::string& python) {
  Answer answer;
  const Finished finished =
      RunCommand({python, "-I", "-c", kAsk},
                 {.interruptible = true, .answers = true, .seconds = kStartSeconds, .most = kMostAnswer});
  if (finished.late) {
    throw Failure("the interpreter " + python + " did not answer a question about its version",
                  "start it by hand, or give another interpreter with --python");
  }
  if (finished.status != 0) return answer;
  std::istringstream lines(finished.output);
  std::getline(lines, answer.version);
  std::replace(answer.version.begin(), answer.version.end(), ' ', '.');
  std::getline(lines, answer.library_folder);
  std::getline(lines, answer.library_name);
  std::getline(lines, answer.implementation);
  std::string gil_disabled;
  answer.runs = std::getline(lines, gil_disabled) && !lines.eof();
  answer.free_threaded = gil_disabled == "1";
  return answer;
}

std::string Unsuitable(const Answer& answer) {
  if (answer.implementation != "cpython") return "is " + OneLine(answer.implementation) + ", not CPython";
  if (answer.free_threaded) return "is a free-threaded build, which dlpack-cts does not support";
  if (answer.version.starts_with("3.") && std::atoi(answer.version.c_str() + 2) < kOldestMinor) {
    return "is CPython " + answer.version + "; dlpack-cts supports 3.8 and later";
  }
  return "";
}

std::vector<std::string> Interpreters(const std::string& version) {
  std::vector<std::string> found = {"python" + version, "python3"};
  const char* root = std::getenv("PYENV_ROOT");
  const char* home = std::getenv("HOME");
  const fs::path versions = root != nullptr   ? fs::path(root) / "versions"
                            : home != nullptr ? fs::path(home) / ".pyenv/versions"
                                              : fs::path();
  for (const fs::path entry : EntriesOf(versions)) {
    if (entry.filename().string().starts_with(version + ".")) found.push_back(entry / "bin/python3");
  }
  return found;
}

std::string UsableInterpreter(const std::string& version) {
  for (const std::string& candidate : Interpreters(version)) {
    const Answer answer = AskInterpreter(candidate);
    if (answer.runs && answer.version == version && Unsuitable(answer).empty()) return candidate;
  }
  return "";
}

std::vector<std::string> SupportedVersions() {
  std::vector<std::string> versions;
  for (int minor = kNewestMinor; minor >= kOldestMinor; --minor) versions.push_back("3." + std::to_string(minor));
  return versions;
}

}  // namespace dlpack_cts::runner
