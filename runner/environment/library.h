// runner/environment/library.h: one library under test, as its library.toml describes it.
#ifndef DLPACK_CTS_RUNNER_ENVIRONMENT_LIBRARY_H_
#define DLPACK_CTS_RUNNER_ENVIRONMENT_LIBRARY_H_

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace dlpack_cts::runner {

/// Default number of examples of a case. The command line and library.toml can change it.
inline constexpr int kExamples = 100;
/// Default number of exchanges of a sweep. There is one sweep for imports and one for exports.
inline constexpr int kSweep = 15000;

/// What NAME==VERSION installs, for versions that satisfy a condition.
struct ReleaseRow {
  std::string versions;                   // ">=0.4,<0.5"; empty: all
  std::vector<std::string> requirements;  // "{version}" stands for the version
};

struct Library {
  std::string name;
  std::string kind;     // python, native, reference, reference-native
  std::string folder;   // folder of the adapter; empty for the reference
  std::string plugin;   // path of the plug-in; empty for Python libraries
  std::string version;  // from the command line; empty: the adapter's pin
  std::vector<std::string> roles;
  std::vector<std::string> claims;
  std::vector<std::string> requirements;
  std::vector<ReleaseRow> releases;  // the first that matches counts
  std::string index_hint;
  std::vector<std::string> pythons;  // versions, the preferred one first
  int64_t size_mb = 0;
  int examples = 0;    // of each case, unless the command line gives a number; 0: the default
  int sweep = kSweep;  // exchanges of each sweep
  bool fork_safe = true;
  std::map<std::string, std::string> environment;
  nlohmann::json profile = nlohmann::json::object();  // the table [profile], which the worker reads

  bool Claims(const std::string& claim) const;
  /// The package whose version NAME==VERSION chooses.
  std::string Package() const;
  bool IsPython() const { return kind == "python" || kind == "reference"; }
};

/// The variables of [environment]. "{environment}" is replaced by the folder of the environment that `python` belongs
/// to.
std::map<std::string, std::string> VariablesIn(const Library& library, const std::string& python);

/// The variables that a worker gets beside those of the caller, or with another value. The caller's values have
/// priority over those of library.toml. `keep`: what would change the results or the time of a run stays as the caller
/// set it.
std::map<std::string, std::string> WorkerVariables(const Library& library, const std::string& python, bool keep);

/// Reads DIR/library.toml strictly; throws Failure.
Library ReadLibrary(const std::string& folder);

/// Every library in the source tree. Adapters of installed packages (DLPACK_CTS_ADAPTERS) are added. Libraries in
/// `adapters` (folders) are added, or replace them.
std::map<std::string, Library> FindLibraries(const std::string& data_folder, const std::vector<std::string>& adapters);

/// The library that a command line names: "numpy", or "numpy==2.3.0", which replaces the requirements by those of
/// [[releases]], or, without a row for that version, only the pin of numpy.
Library SelectLibrary(const std::map<std::string, Library>& libraries, const std::string& wanted);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_ENVIRONMENT_LIBRARY_H_
