// runner/cli/fuzz_command.cc: `fuzz`: a campaign of random exchanges.
#include <algorithm>
#include <cstdlib>
#include <string>

#include "base/failure.h"
#include "base/paths.h"
#include "base/text.h"
#include "runner/base/places.h"
#include "runner/campaign/campaign.h"
#include "runner/campaign/merge.h"
#include "runner/campaign/targets.h"
#include "runner/environment/together.h"
#include "runner/replay/minimize.h"
#include "runner/run/assignment.h"
#include "runner/run/options.h"

namespace dlpack_cts::runner {
namespace {

constexpr int kMostJobs = 64;
constexpr const char* kUsualFolder = "dlpack-cts-fuzz-out";

void CheckJobs(int jobs) {
  if (jobs <= kMostJobs) return;
  throw Failure("--jobs: " + std::to_string(jobs) + " is not between 1 and " + std::to_string(kMostJobs),
                "use one job per CPU: more jobs are not faster");
}

void CheckLibraries(const FuzzTarget& target, const std::vector<std::string>& names) {
  const size_t wanted = target.pair ? 2 : 1;
  if (names.size() == wanted) return;
  throw Failure(
      "the fuzz target " + std::string(target.name) + " needs " + (target.pair ? "two libraries" : "one library"),
      target.pair ? "for example: dlpack-cts fuzz pair numpy torch"
                  : "run a campaign for each library, with a folder of its own");
}

void CheckRoles(const FuzzTarget& target, const Library& library) {
  // The reference has every role.
  if (library.folder.empty()) return;
  std::vector<std::string> needed;
  for (const Role role : target.roles) {
    const std::string word(ToText(role));
    if (std::ranges::count(library.roles, word) != 0 || library.Claims(word)) return;
    needed.push_back(word);
  }
  throw Failure("the fuzz target " + std::string(target.name) + " needs the role " + Joined(needed, " or ") + ", but " +
                    library.name + " does not have it",
                "choose another target: dlpack-cts list targets shows all");
}

}  // namespace

int FuzzCommand(const Options& options) {
  const std::string out = options.out.empty() ? kUsualFolder : options.out;
  if (!options.fuzz_merge.empty()) return MergeCampaigns(ReadCatalogue(), options.fuzz_merge, out);
  if (!options.fuzz_minimize.empty()) return MinimizeFinding(ReadCatalogue(), options, options.fuzz_minimize);
  if (options.libraries.empty()) {
    throw Failure(options.fuzz_target.empty() ? "fuzz: TARGET is required" : "fuzz: LIBRARY is required",
                  "dlpack-cts fuzz --help shows its options");
  }
  const FuzzTarget& target = FindFuzzTarget(options.fuzz_target);
  CheckJobs(options.jobs);
  CheckLibraries(target, options.libraries);
  const auto known = FindLibraries(DataFolder(), options.adapters);
  const Library library = SelectLibrary(known, options.libraries.front());
  CheckRoles(target, library);
  const Catalogue catalogue = ReadCatalogue();
  Options own = options;
  own.out.clear();
  own.run.case_seconds = options.fuzz_timeout;
  own.run.memory_mb = options.fuzz_memory;
  const Library consumer = SelectLibrary(known, options.libraries.back());
  const bool shares = target.pair && !GivesPython(own.run);
  const Library home = shares ? HomeOf(library, consumer) : library;
  Assignment assignment = target.pair ? PreparePair(library, consumer, home, own) : PrepareOne(library, own);
  // For tests of campaigns: the reference with a deliberate defect.
  if (const char* const mutant = std::getenv("DLPACK_CTS_FUZZ_MUTANT"); mutant != nullptr && *mutant != '\0') {
    assignment.job.mutants = {mutant};
  }
  return RunCampaign(catalogue, assignment,
                     {.target = target,
                      .seconds = static_cast<double>(options.fuzz_seconds),
                      .runs = options.fuzz_runs,
                      .jobs = options.jobs,
                      .out = out});
}

}  // namespace dlpack_cts::runner
