// runner/cli/history_command.cc: `history`, which adds releases of a library to the file of its history.
#include <string>

#include "base/failure.h"
#include "reports/files.h"
#include "reports/site/history.h"
#include "reports/text.h"
#include "runner/base/print.h"
#include "runner/catalogue/catalogue.h"
#include "runner/catalogue/features.h"
#include "runner/run/history_files.h"
#include "runner/run/options.h"
#include "runner/run/publish.h"
#include "runner/run/shard.h"
#include "runner/run/stored_runs.h"

namespace dlpack_cts::runner {
namespace {

void Store(const std::string& folder, const std::string& library, const LibraryRelease& release) {
  History history = HistoryIn(folder, library).value_or(History{.library = library, .releases = {}});
  Add(release, history);
  WriteFiles({{HistoryFile(library), TextOf(history)}}, folder);
  Print(OneLine(library + " " + release.version + ": " + (release.IsJudged() ? release.word : release.reason)) + "\n");
}

/// "numpy==1.22.4" without a run.
void StoreReason(const std::string& release, const std::string& reason, const std::string& folder) {
  const size_t pin = release.find("==");
  if (pin == std::string::npos || pin == 0 || pin + 2 == release.size())
    throw Failure("--not-judged " + OneLine(release) + " does not name a release", "for example: numpy==1.22.4");
  if (reason.empty()) throw Failure("--not-judged needs --reason", "say in a sentence why the release was not judged");
  LibraryRelease line;
  line.version = release.substr(pin + 2);
  line.reason = reason;
  Store(folder, release.substr(0, pin), line);
}

}  // namespace

int HistoryCommand(const Options& options) {
  if (options.files.empty() == options.not_judged.empty()) {
    throw Failure("history needs either RESULTS or --not-judged",
                  "for example: dlpack-cts history reports/history report/results.ndjson");
  }
  if (!options.not_judged.empty()) StoreReason(options.not_judged, options.reason, options.history);
  const Catalogue catalogue = ReadCatalogue();
  const std::vector<Feature> features = options.files.empty() ? std::vector<Feature>() : ReadFeatures(catalogue);
  for (const std::string& path : options.files) {
    for (const StoredRun& stored : StoredRuns(path)) {
      const Header& header = stored.run.header;
      if (IsNarrowed(header.options) || !header.shard.empty())
        throw Failure(path + ": the run has only some cases, so it is not stored",
                      "run the library again without --select and the like");
      if (header.provisional || stored.run.footer.interrupted)
        throw Failure(path + ": the run did not end, so it is not stored", "run the library again to the end");
      Store(options.history, header.library, ReleaseOf(stored.run, ContextOf(catalogue), features));
    }
  }
  return kAsExpected;
}

}  // namespace dlpack_cts::runner
