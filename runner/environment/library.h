// runner/environment/library.h: one library under test, as its library.toml describes it.
#ifndef DLPACK_CTS_RUNNER_ENVIRONMENT_LIBRARY_H_
#define DLPACK_CTS_RUNNER_ENVIRONMENT_LIBRARY_H_

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace dlpack_cts::runner {

/// Examples of each case; the command line or library.toml can change it.
inline constexpr int kExamples = 100;
/// Exchanges of each sweep, likewise; there is one sweep in each direction.
inline constexpr int kSweep = 15000;

struct Library {
  std::string name;
  std::string kind;     // python, native, reference, reference-native
  std::string folder;   // of the adapter; empty for the reference
  std::string plugin;   // path, for native ones
  std::string version;  // that the command line asks for; empty: the adapter's pin
  std::vector<std::string> roles;
  std::vector<std::string> claims;
  std::vector<std::string> requirements;
  std::string index_hint;
  std::vector<std::string> pythons;  // versions, preferred first
  int64_t size_mb = 0;
  int examples = 0;    // of each case, unless the command line gives a number; 0: the default
  int sweep = kSweep;  // exchanges of each sweep
  bool fork_safe = true;
  std::map<std::string, std::string> environment;
  nlohmann::json profile = nlohmann::json::object();  // [profile], which the worker reads

  bool Claims(const std::string& claim) const;
  bool IsPython() const { return kind == "python" || kind == "reference"; }
};

/// The variables of [environment], with "{environment}" replaced by the folder of the environment that `python` belongs
/// to.
std::map<std::string, std::string> VariablesIn(const Library& library, const std::string& python);

/// Reads DIR/library.toml strictly; throws Failure.
Library ReadLibrary(const std::string& folder);

/// Every library of the tree, by folder name, with those of `adapters` (folders) added or in their place.
std::map<std::string, Library> FindLibraries(const std::string& data_folder, const std::vector<std::string>& adapters);

/// The library that a command line names: "numpy", or "numpy==2.3.0", which replaces the pin of that name.
Library SelectLibrary(const std::map<std::string, Library>& libraries, const std::string& wanted);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_ENVIRONMENT_LIBRARY_H_
