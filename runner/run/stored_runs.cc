// runner/run/stored_runs.cc: reads stored runs, and checks that their files are whole.
#include "runner/run/stored_runs.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/failure.h"
#include "base/paths.h"
#include "results/compact.h"
#include "results/tally.h"

namespace dlpack_cts::runner {
namespace {

constexpr char kFile[] = "/results.ndjson";
constexpr char kHint[] = "result files are written by dlpack-cts run --out DIR";

/// Throws for a file whose footer does not match its lines: it was shortened or edited. Stale expectations count as
/// unexpected too, but have no line.
Run ReadWhole(const std::string& file, bool compact) {
  Run run = WithContext("", kHint, [&] { return compact ? ReadCompact(file) : ReadRun(file); });
  const bool agrees = run.footer.counts == CountsOf(run.results) && run.footer.unexpected >= CountUnexpected(run);
  if (!agrees)
    throw Failure(file + ": the counts in the footer do not match the result lines; the file was edited", kHint);
  return run;
}

}  // namespace

std::vector<StoredRun> StoredRuns(const std::string& path) {
  const auto read = [](const std::string& file, const std::string& name) {
    const bool compact = IsCompact(file);
    StoredRun stored{name, file, ReadWhole(file, compact), compact};
    if (stored.name.empty()) stored.name = stored.run.header.library;
    return stored;
  };
  std::error_code failed;
  if (!std::filesystem::is_directory(path, failed)) return {read(path, "")};
  if (Exists(path + kFile)) return {read(path + kFile, "")};
  std::vector<StoredRun> runs;
  for (const std::string& folder : EntriesOf(path)) {
    if (Exists(folder + kFile)) runs.push_back(read(folder + kFile, folder.substr(folder.rfind('/') + 1)));
  }
  if (runs.empty()) throw Failure("the folder " + path + " has no results", kHint);
  return runs;
}

const StoredRun* OtherOf(const std::vector<StoredRun>& runs, const StoredRun& one, bool only) {
  const auto same = std::find_if(runs.begin(), runs.end(), [&](const StoredRun& run) { return run.name == one.name; });
  if (same != runs.end()) return &*same;
  return only && runs.size() == 1 ? &runs.front() : nullptr;
}

}  // namespace dlpack_cts::runner
