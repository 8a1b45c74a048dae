// runner/cli/run_command.cc: `run`.
#include <algorithm>
#include <filesystem>

#include "base/failure.h"
#include "runner/base/places.h"
#include "runner/cli/run_steps.h"
#include "runner/run/assignment.h"
#include "runner/run/options.h"
#include "runner/run/publish.h"
#include "runner/run/schedule.h"

namespace dlpack_cts::runner {
namespace {

/// The names of the libraries whose adapters are in these folders.
std::vector<std::string> NamesOf(const std::vector<std::string>& folders,
                                 const std::map<std::string, Library>& libraries) {
  std::vector<std::string> names;
  for (const std::string& folder : folders) {
    for (const auto& [name, library] : libraries) {
      std::error_code missing;
      if (std::filesystem::equivalent(library.folder, folder, missing)) names.push_back(name);
    }
  }
  return names;
}

/// Names of the output folders of several libraries. Two versions of one library get different folders.
std::vector<std::string> FolderNames(const std::vector<Library>& libraries) {
  std::vector<std::string> names;
  for (const Library& library : libraries) {
    std::string name = library.name;
    if (!library.version.empty() && std::count_if(libraries.begin(), libraries.end(), [&](const Library& other) {
                                      return other.name == library.name;
                                    }) > 1) {
      name += "-" + library.version;
    }
    names.push_back(UnusedName(PlainName(name), names));
  }
  return names;
}

/// The cases of the shard. A suite is not divided: its cases run in one process, and often have causes in common.
std::vector<std::string> InShard(const Catalogue& catalogue, const Shard& shard, std::vector<std::string> cases) {
  std::erase_if(cases, [&](const std::string& id) { return !shard.Has(catalogue.Find(id)->suite); });
  return cases;
}

}  // namespace

int RunCommandLine(Options& options) {
  const auto libraries = FindLibraries(DataFolder(), options.adapters);
  if (options.libraries.empty()) options.libraries = NamesOf(options.adapters, libraries);
  if (options.libraries.empty()) options.libraries = {"numpy"};
  std::vector<Library> wanted;
  for (const std::string& name : options.libraries) wanted.push_back(SelectLibrary(libraries, name));
  const Catalogue catalogue = ReadCatalogue();
  const std::vector<std::string> all = CasesToRun(catalogue, options, false);
  const std::vector<std::string> cases = InShard(catalogue, options.shard, all);
  CheckInputs(options);
  PrepareOut(options.out);
  CheckUpdates(FilesToUpdate(wanted, options));
  Begin(options, cases.size(), all.size(), "cases");
  const std::vector<std::string> folders = FolderNames(wanted);
  std::vector<Prepare> preparing;
  for (size_t i = 0; i < wanted.size(); ++i) {
    Options own = options;
    if (wanted.size() > 1) own.out = FolderIn(options.out, folders[i]);
    preparing.emplace_back([library = wanted[i], own] { return PrepareOne(library, own); });
  }
  const int status = TestAll(catalogue, cases, preparing, options.workers);
  TellPage(options, status);
  return StatusOf(options, status);
}

}  // namespace dlpack_cts::runner
