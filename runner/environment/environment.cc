// runner/environment/environment.cc: chooses the interpreter and the environment of a library.
#include "runner/environment/environment.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "base/failure.h"
#include "base/hash.h"
#include "base/paths.h"
#include "base/text.h"
#include "reports/text.h"
#include "runner/base/places.h"
#include "runner/base/print.h"
#include "runner/environment/file_lock.h"
#include "runner/environment/install.h"
#include "runner/environment/interpreters.h"

namespace dlpack_cts::runner {
namespace fs = std::filesystem;
namespace {

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

/// The versions of Python to try, the preferred one first. The adapter knows those of the version that it pins; another
/// version of the library may need another one.
std::vector<std::string> VersionsFor(const Library& library) {
  std::vector<std::string> versions = library.pythons;
  if (library.version.empty()) return versions;
  for (const std::string& version : SupportedVersions()) {
    if (std::find(versions.begin(), versions.end(), version) == versions.end()) versions.push_back(version);
  }
  return versions;
}

/// The interpreter of an existing environment, as EnvironmentFolder() needs it, or "". Reads only the disk:
/// `python3.11` may be a shell script of pyenv, which takes longer than many cases.
std::string InterpreterOfMade(const Library& library) {
  for (const std::string& version : VersionsFor(library)) {
    for (const std::string& candidate : Interpreters(version)) {
      const std::string folder = EnvironmentFolder(library, candidate);
      if (IsMade(folder) && Exists(folder + "/lib/python" + version)) return candidate;
    }
  }
  return "";
}

[[noreturn]] void RefuseInterpreters(const Library& library) {
  throw Failure("no interpreter that " + library.name + " supports was found; its adapter supports CPython " +
                    Joined(library.pythons, ", "),
                "install one of these versions, or give an environment that has the library with --python PATH");
}

/// The first supported interpreter.
std::string ChooseInterpreter(const Library& library) {
  for (const std::string& version : VersionsFor(library)) {
    const std::string found = UsableInterpreter(version);
    if (!found.empty()) return found;
  }
  RefuseInterpreters(library);
}

/// What pip says if no interpreter fits, and what to do about it.
[[noreturn]] void RefuseInstallation(const Library& library, const PipReason& reason,
                                     const std::vector<std::string>& tried, const std::string& log) {
  const std::string what = "installing " + Joined(library.requirements, " ") + " failed with " + Joined(tried, ", ") +
                           "; pip: " + OneLine(reason.text) + " (full output in " + log + ")";
  const std::string hint =
      !library.index_hint.empty() ? library.index_hint
      : !reason.requires_python.empty()
          ? "install a Python " + OneLine(reason.requires_python) + " on PATH or with pyenv, or choose another version"
      : reason.no_connection   ? "check the network, or give an environment with --python PATH"
      : reason.no_distribution ? "check that this version exists: pip index versions " + library.name
                               : "read the full output, or give an environment with --python PATH";
  throw Failure(what, hint);
}

/// Makes the environment, unless another run has made it meanwhile.
std::optional<PipReason> Make(const Library& library, const std::string& interpreter, const std::string& folder) {
  const FileLock lock(folder + ".lock");
  return IsMade(folder) ? std::nullopt : Install(library, interpreter, folder, lock);
}

/// Makes the environment with the first interpreter for which pip finds the requirements, and returns its folder.
std::string MakeEnvironment(const Library& library) {
  std::vector<std::string> tried;
  std::string log;
  PipReason reason;
  for (const std::string& version : VersionsFor(library)) {
    if (!reason.requires_python.empty() && !MayAllow(reason.requires_python, version)) continue;
    const std::string interpreter = UsableInterpreter(version);
    if (interpreter.empty()) continue;
    const std::string folder = EnvironmentFolder(library, interpreter);
    const std::optional<PipReason> failed = Make(library, interpreter, folder);
    if (!failed) return folder;
    tried.push_back("Python " + version);
    log = folder + ".log";
    // What pip says of Requires-Python says more than a later failure.
    if (reason.requires_python.empty()) reason = *failed;
    if (failed->no_connection || !failed->no_distribution) break;
    Tell("dlpack-cts: Python " + version + " does not fit: pip: " + OneLine(failed->text) + "\n");
  }
  if (tried.empty()) RefuseInterpreters(library);
  RefuseInstallation(library, reason, tried, log);
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

bool IsEnvironmentMade(const Library& library) { return !InterpreterOfMade(library).empty(); }

Environment PrepareEnvironment(const Library& library) {
  if (library.requirements.empty()) return UsePython(ChooseInterpreter(library));
  const std::string made = InterpreterOfMade(library);
  if (!made.empty()) {
    const std::string folder = EnvironmentFolder(library, made);
    const FileLock lock(folder + ".lock", Hold::kTogether);
    if (IsMade(folder)) return UsePython(folder);
  }
  const fs::path cache = fs::path(EnvironmentFolder(library, "")).parent_path();
  std::error_code error;
  fs::create_directories(cache, error);
  if (error) {
    throw Failure("the cache folder " + cache.string() + " cannot be created: " + error.message(),
                  "set DLPACK_CTS_CACHE to a writable folder");
  }
  return UsePython(MakeEnvironment(library));
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
