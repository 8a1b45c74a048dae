// runner/environment/environment.cc: finds interpreters, and makes environments.
#include "runner/environment/environment.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/failure.h"
#include "base/hash.h"
#include "base/paths.h"
#include "base/text.h"
#include "reports/text.h"
#include "runner/base/command.h"
#include "runner/base/interrupt.h"
#include "runner/base/places.h"
#include "runner/base/print.h"
#include "runner/environment/file_lock.h"

namespace dlpack_cts::runner {
namespace fs = std::filesystem;
namespace {

constexpr char kAsk[] =
    "import os, sys, sysconfig; get = sysconfig.get_config_var; "
    "os.write(3, os.fsencode(f\"{sys.version_info[0]} {sys.version_info[1]}\\n{get('LIBDIR') or ''}\\n"
    "{get('INSTSONAME') or ''}\\n{sys.implementation.name}\\n{get('Py_GIL_DISABLED') or 0}\\n\"))";
static_assert(kAnswers == 3);

constexpr double kStartSeconds = 60;
constexpr int kOldestMinor = 8;  // CPython 3.8
constexpr size_t kMostAnswer = 1 << 20;

struct Answer {
  bool runs = false;
  std::string version;  // "3.11"
  std::string library_folder;
  std::string library_name;
  std::string implementation;  // "cpython"
  bool free_threaded = false;
};

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

/// A static interpreter (Debian's) names an archive. Its shared library belongs to another package. Empty if it is
/// not installed: then the interpreter loads the worker, not the worker a libpython.
std::string FindLibpython(const Answer& answer) {
  const std::string shared = "libpython" + answer.version + ".so.1.0";
  for (const std::string& name : {answer.library_name, shared}) {
    if (name.find(".so") == std::string::npos) continue;
    for (const std::string& folder : {answer.library_folder, std::string("/usr/lib/x86_64-linux-gnu"),
                                      std::string("/usr/lib/aarch64-linux-gnu"), std::string("/usr/local/lib")}) {
      std::error_code missing;
      if (!folder.empty() && fs::exists(folder + "/" + name, missing)) return folder + "/" + name;
    }
  }
  return "";
}

/// Interpreters of that version, on PATH and in pyenv's folder.
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

/// Whether the environment is complete, and its interpreter is still installed.
bool IsMade(const std::string& folder) {
  std::error_code missing;
  return fs::exists(folder + "/dlpack-cts-complete", missing) && fs::exists(folder + "/bin/python", missing);
}

/// The interpreter of an existing environment, as EnvironmentFolder() needs it, or "". Reads only the disk:
/// `python3.11` may be a shell script of pyenv, which takes longer than many cases.
std::string InterpreterOfMade(const Library& library) {
  for (const std::string& version : library.pythons) {
    for (const std::string& candidate : Interpreters(version)) {
      const std::string folder = EnvironmentFolder(library, candidate);
      if (IsMade(folder) && Exists(folder + "/lib/python" + version)) return candidate;
    }
  }
  return "";
}

/// Why that interpreter cannot be used; empty if it can.
std::string Unsuitable(const Answer& answer) {
  if (answer.implementation != "cpython") return "is " + OneLine(answer.implementation) + ", not CPython";
  if (answer.free_threaded) return "is a free-threaded build, which dlpack-cts does not support";
  if (answer.version.starts_with("3.") && std::atoi(answer.version.c_str() + 2) < kOldestMinor) {
    return "is CPython " + answer.version + "; dlpack-cts supports 3.8 and later";
  }
  return "";
}

/// The first supported interpreter.
std::string ChooseInterpreter(const Library& library) {
  for (const std::string& version : library.pythons) {
    for (const std::string& candidate : Interpreters(version)) {
      const Answer answer = AskInterpreter(candidate);
      if (answer.runs && answer.version == version && Unsuitable(answer).empty()) return candidate;
    }
  }
  throw Failure("no interpreter that " + library.name + " supports was found; its adapter supports CPython " +
                    Joined(library.pythons, ", "),
                "install one of these versions, or give an environment that has the library with --python PATH");
}

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

/// Call with the lock held: an existing folder was left behind by a run that was killed.
void Install(const Library& library, const std::string& interpreter, const std::string& folder, const FileLock& lock) {
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
  pip.insert(pip.end(), library.requirements.begin(), library.requirements.end());
  const Finished installed = run(pip);
  fs::remove_all(temporary, ignored);
  if (installed.status == 0) {
    std::ofstream(folder + "/dlpack-cts-complete") << "installed\n";
    return unfinished.Keep();
  }
  std::ofstream(folder + ".log") << installed.output;
  throw Failure(
      "installing " + pins + " failed: " + LastLine(installed.output) + " (full output in " + folder + ".log)",
      library.index_hint.empty() ? "check the network and the disk, or give an environment with --python PATH"
                                 : library.index_hint);
}

}  // namespace

Environment UsePython(const std::string& path) {
  std::string python = path;
  if (IsFolder(python)) python += "/bin/python";
  // Absolute, but symbolic links are kept: Python finds the environment by this path.
  if (python.find('/') != std::string::npos) python = Absolute(python);
  RequireUtf8("the interpreter", python);
  if (python.find('/') != std::string::npos && !Exists(python)) {
    throw Failure("there is no interpreter at " + python, "give the path of an environment, or of its bin/python");
  }
  const Answer answer = AskInterpreter(python);
  if (!answer.runs) {
    throw Failure(python + " is not a working Python interpreter",
                  "give the path of an environment, or of its bin/python");
  }
  const std::string reason = Unsuitable(answer);
  if (!reason.empty()) {
    throw Failure("the interpreter " + python + " " + reason, "give another interpreter with --python PATH");
  }
  const char* wanted = std::getenv("DLPACK_CTS_LIBPYTHON");
  if (wanted != nullptr && std::string(wanted) == "none") return {python, ""};
  return {python, FindLibpython(answer)};
}

std::string EnvironmentFolder(const Library& library, const std::string& interpreter) {
  std::string key = interpreter;
  for (const std::string& requirement : library.requirements) key += " " + requirement;
  char hash[20];
  std::snprintf(hash, sizeof(hash), "%012llx", static_cast<unsigned long long>(Fnv1a(key) & 0xffffffffffffu));
  return CacheFolder() + "/env/" + library.name + "-" + hash;
}

Environment PrepareEnvironment(const Library& library) {
  if (library.requirements.empty()) return UsePython(ChooseInterpreter(library));
  const std::string made = InterpreterOfMade(library);
  const std::string interpreter = made.empty() ? ChooseInterpreter(library) : made;
  const std::string folder = EnvironmentFolder(library, interpreter);
  std::error_code error;
  fs::create_directories(fs::path(folder).parent_path(), error);
  if (error) {
    throw Failure(
        "the cache folder " + fs::path(folder).parent_path().string() + " cannot be created: " + error.message(),
        "set DLPACK_CTS_CACHE to a writable folder");
  }
  const FileLock lock(folder + ".lock");
  if (!IsMade(folder)) Install(library, interpreter, folder, lock);
  return UsePython(folder);
}

Library UnionOf(const Library& first, const Library& second) {
  Library both = first;
  both.name = first.name == second.name ? first.name : first.name + "+" + second.name;
  for (const std::string& requirement : second.requirements) {
    const std::string name = requirement.substr(0, requirement.find("=="));
    const auto same = std::find_if(first.requirements.begin(), first.requirements.end(),
                                   [&](const std::string& own) { return own.substr(0, own.find("==")) == name; });
    if (same == first.requirements.end()) {
      both.requirements.push_back(requirement);
    } else if (*same != requirement) {
      throw Failure(first.name + " needs " + *same + " and " + second.name + " needs " + requirement +
                        ", so they cannot be installed together",
                    "change one of the two pins in the library.toml of the adapters");
    }
  }
  std::erase_if(both.pythons, [&](const std::string& version) {
    return std::find(second.pythons.begin(), second.pythons.end(), version) == second.pythons.end();
  });
  for (const auto& [key, value] : second.environment) both.environment.emplace(key, value);
  both.size_mb += first.name == second.name ? 0 : second.size_mb;
  if (both.index_hint.empty()) both.index_hint = second.index_hint;
  both.fork_safe = first.fork_safe && second.fork_safe;
  return both;
}

}  // namespace dlpack_cts::runner
