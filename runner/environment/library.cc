// runner/environment/library.cc: reads library.toml files.
#include "runner/environment/library.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "base/failure.h"
#include "base/paths.h"
#include "base/text.h"
#include "base/version.h"
#include "reports/text.h"
#include "runner/base/glob.h"
#include "runner/base/places.h"
#include "runner/base/print.h"
#include "runner/base/toml.h"

namespace dlpack_cts::runner {
namespace fs = std::filesystem;
namespace {

constexpr size_t kLongestName = 100;
/// The adapters of installed packages: folders, separated by colons. python/dlpack_cts sets it.
constexpr char kInstalled[] = "DLPACK_CTS_ADAPTERS";
constexpr std::string_view kVersion = "{version}";
constexpr char kNameLetters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";

void ReplaceAll(std::string& text, std::string_view what, std::string_view by) {
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
}

ReleaseRow ReadReleaseRow(const TomlTable& table) {
  table.AllowOnly({"version", "requirements"});
  const ReleaseRow row{.versions = table.TextOr("version", ""), .requirements = table.TextsOr("requirements", {})};
  const std::string wrong = row.versions.empty() ? "" : WrongCondition(row.versions);
  if (!wrong.empty())
    table.Wrong("version", "is not a condition: \"" + OneLine(wrong) + "\"", "for example: version = \">=1.0,<2\"");
  const bool named = std::ranges::any_of(
      row.requirements, [](const std::string& one) { return one.ends_with("==" + std::string(kVersion)); });
  if (!named)
    table.Wrong("requirements", "pins nothing to {version}", "for example: requirements = [\"mine=={version}\"]");
  return row;
}

std::vector<ReleaseRow> ReadReleaseRows(const toml::table& parsed, const TomlTable& table, const std::string& file) {
  std::vector<ReleaseRow> rows;
  if (!parsed.contains("releases")) return rows;
  const toml::array* const list = parsed["releases"].as_array();
  if (list == nullptr || !list->is_array_of_tables())
    table.Wrong("releases", "is not a list of tables", "begin each row with [[releases]]");
  for (const toml::node& node : *list) rows.push_back(ReadReleaseRow(TomlTable(*node.as_table(), file)));
  return rows;
}

/// Instead of the requirements of the adapter's own pin. False if there is no row for the version.
bool TakeReleaseRow(Library& library) {
  const auto row = std::ranges::find_if(
      library.releases, [&](const ReleaseRow& one) { return VersionMatches(one.versions, library.version); });
  if (row == library.releases.end()) return false;
  library.requirements = row->requirements;
  for (std::string& requirement : library.requirements) ReplaceAll(requirement, kVersion, library.version);
  return true;
}

/// A package may be broken, or made for another version of dlpack-cts. That must not keep other libraries from a test.
void AddInstalled(std::map<std::string, Library>& libraries) {
  const char* const list = std::getenv(kInstalled);
  std::istringstream folders(list != nullptr ? list : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (folder.empty()) continue;
    try {
      Library library = ReadLibrary(folder);
      const std::string name = library.name;
      libraries.emplace(name, std::move(library));
    } catch (const Failure& failure) {
      Tell("dlpack-cts: the adapter of an installed package is left out: " + OneLine(failure.what()) + "\n");
    }
  }
}

}  // namespace

bool Library::Claims(const std::string& claim) const {
  return std::find(claims.begin(), claims.end(), claim) != claims.end();
}

std::string Library::Package() const {
  const std::string pin = "==" + std::string(kVersion);
  for (const ReleaseRow& row : releases) {
    for (const std::string& requirement : row.requirements) {
      if (requirement.ends_with(pin)) return requirement.substr(0, requirement.find_first_of("[="));
    }
  }
  return name;
}

std::map<std::string, std::string> VariablesIn(const Library& library, const std::string& python) {
  constexpr std::string_view kPlace = "{environment}";
  std::map<std::string, std::string> variables = library.environment;
  const std::string folder = fs::path(python).parent_path().parent_path();
  for (auto& [key, value] : variables) ReplaceAll(value, kPlace, folder);
  return variables;
}

std::map<std::string, std::string> WorkerVariables(const Library& library, const std::string& python, bool keep) {
  std::map<std::string, std::string> variables = VariablesIn(library, python);
  std::erase_if(variables, [](const auto& variable) { return std::getenv(variable.first.c_str()) != nullptr; });
  // A Rust library collects a backtrace for every error, which takes most of the time of a run.
  if (!keep) variables["RUST_BACKTRACE"] = "0";
  return variables;
}

Library ReadLibrary(const std::string& folder) {
  const std::string file = folder + "/library.toml";
  if (!Exists(file)) {
    throw Failure("the folder " + folder + " holds no library.toml",
                  "give the folder of an adapter: docs/adapters.md describes its files");
  }
  const toml::table parsed = ParseToml(file);
  const TomlTable table(parsed, file);
  table.AllowOnly({"name", "kind", "roles", "claims", "requirements", "index_hint", "python", "size_mb", "fork_safe",
                   "environment", "plugin", "examples", "sweep", "profile", "releases"});
  Library library;
  library.name = table.Text("name");
  // The name becomes part of file names and of a command line.
  const bool plain = library.name.find_first_not_of(kNameLetters) == std::string::npos;
  if (library.name.empty() || library.name.size() > kLongestName || !plain || library.name.front() == '.' ||
      library.name.front() == '-') {
    table.Wrong("name", "is \"" + OneLine(library.name, kLongestName) + "\", which is not a valid name",
                "use up to 100 letters, digits, dots, hyphens and underscores, and do not begin with a dot or hyphen");
  }
  library.kind = table.Text("kind");
  library.folder = fs::path(Absolute(folder)).lexically_normal();
  if (library.folder.ends_with('/')) library.folder.pop_back();
  RequireUtf8("the folder of the adapter", library.folder);
  static const std::vector<std::string> kKinds = {"python", "native", "reference", "reference-native"};
  if (std::find(kKinds.begin(), kKinds.end(), library.kind) == kKinds.end()) {
    table.Wrong("kind", "is \"" + library.kind + "\", which is neither \"python\" nor \"native\"");
  }
  library.roles = table.TextsOr("roles", {});
  for (const std::string& role : library.roles) {
    if (role != "consumer" && role != "producer") {
      table.Wrong("roles", "names the unknown role " + role, "the roles are \"consumer\" and \"producer\"");
    }
  }
  if (library.roles.empty()) table.Wrong("roles", "must name \"consumer\", \"producer\" or both");
  library.claims = table.TextsOr("claims", {});
  library.requirements = table.TextsOr("requirements", {});
  library.releases = ReadReleaseRows(parsed, table, file);
  library.index_hint = table.TextOr("index_hint", "");
  library.pythons = table.TextsOr("python", {"3.11"});
  library.size_mb = table.IntegerOr("size_mb", 0);
  const int64_t examples = table.IntegerOr("examples", 0);
  if (table.Has("examples") && (examples < 1 || examples > kExamples)) {
    table.Wrong("examples",
                "is " + std::to_string(examples) + ", which is not between 1 and " + std::to_string(kExamples),
                "this field lowers the number of examples for a slow library");
  }
  library.examples = static_cast<int>(examples);
  const int64_t sweep = table.IntegerOr("sweep", kSweep);
  if (sweep < 0 || sweep > kSweep) {
    table.Wrong("sweep", "is " + std::to_string(sweep) + ", which is not between 0 and " + std::to_string(kSweep),
                "this field lowers the number of exchanges in a sweep for a slow library");
  }
  library.sweep = static_cast<int>(sweep);
  library.fork_safe = table.BoolOr("fork_safe", true);
  if (library.kind == "native") library.plugin = library.folder + "/" + table.Text("plugin");
  if (parsed.contains("environment") && !parsed["environment"].is_table()) table.Wrong("environment", "is not a table");
  if (const toml::table* environment = parsed["environment"].as_table()) {
    for (const auto& [key, value] : *environment) {
      const std::string name(key.str());
      if (name.empty() || name.size() > kLongestName ||
          name.find_first_of(std::string("=\0", 2)) != std::string::npos) {
        table.Wrong("environment", "gives a variable the name \"" + OneLine(name, kLongestName) + "\"",
                    "a name has between 1 and " + std::to_string(kLongestName) + " characters, no \"=\" and no NUL");
      }
      if (!value.is_string()) table.Wrong("environment", "gives " + name + " a value that is not a string");
      library.environment[name] = TomlTable(*environment, file).Text(name);
    }
  }
  if (parsed.contains("profile") && !parsed["profile"].is_table()) table.Wrong("profile", "is not a table");
  if (const toml::table* profile = parsed["profile"].as_table()) {
    std::ostringstream text;
    text << toml::json_formatter(*profile);
    library.profile = nlohmann::json::parse(text.str());
  }
  return library;
}

std::map<std::string, Library> FindLibraries(const std::string& data_folder, const std::vector<std::string>& adapters) {
  std::map<std::string, Library> libraries;
  for (const std::string& folder : EntriesOf(data_folder + "/adapters")) {
    if (!Exists(folder + "/library.toml")) continue;
    Library library = ReadLibrary(folder);
    libraries[library.name] = library;
  }
  AddInstalled(libraries);
  for (const std::string& folder : adapters) {
    Library library = ReadLibrary(folder);
    libraries[library.name] = library;
  }
  return libraries;
}

Library SelectLibrary(const std::map<std::string, Library>& libraries, const std::string& wanted) {
  const size_t pin = wanted.find("==");
  const std::string name = wanted.substr(0, pin);
  const auto found = libraries.find(name);
  if (found == libraries.end()) {
    std::vector<std::string> names;
    for (const auto& [known, library] : libraries) names.push_back(known);
    const std::string near = Nearest(name, names);
    throw Failure("there is no adapter for the library " + name,
                  (near.empty() ? "the libraries are " + Joined(names, ", ") : near) +
                      "; --adapter DIR adds an adapter from another folder");
  }
  Library library = found->second;
  if (pin != std::string::npos) {
    library.version = wanted.substr(pin + 2);
    if (library.version.empty()) throw Failure(wanted + " does not name a version", "for example: " + name + "==1.2.3");
    if (TakeReleaseRow(library)) return library;
    const auto pins = std::erase_if(library.requirements, [&](const std::string& requirement) {
      return requirement.substr(0, requirement.find("==")) == name;
    });
    // The package index may have an unrelated package with this name.
    if (pins == 0) {
      throw Failure("the adapter of " + name + " does not pin a package of that name, so a version cannot be chosen",
                    "give an environment that has this version with --python PATH, and leave out the version");
    }
    library.requirements.insert(library.requirements.begin(), wanted);
  }
  return library;
}

}  // namespace dlpack_cts::runner
