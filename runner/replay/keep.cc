// runner/replay/keep.cc: writes the file of a kept finding.
#include "runner/replay/keep.h"

#include <cstring>
#include <filesystem>
#include <vector>

#include "base/failure.h"
#include "base/paths.h"
#include "results/tally.h"
#include "results/whole_file.h"
#include "runner/base/places.h"
#include "runner/run/finding_files.h"

namespace dlpack_cts::runner {
namespace fs = std::filesystem;
namespace {

Failure CannotWrite(const std::string& path, const std::string& reason) {
  return {path + " cannot be written: " + reason, "choose another folder with --keep"};
}

/// Whether the file holds a finding of that cause, shown by that mutant.
bool Holds(const std::string& path, const std::string& cause, const std::string& mutant) {
  const std::optional<ReplayFile> other = IfValid([&] { return ReadReplayFile(path); });
  return other && other->cause == cause && other->mutant == mutant;
}

}  // namespace

std::string KeepFinding(const ReplayFile& file, const ReplayedExchange& replayed, const std::string& folder) {
  const Result& result = replayed.result;
  // What the file says comes from all cases of a run; one exchange alone may show another degree of it.
  ReplayFile kept = file;
  if (file.cause.empty() || file.rule.empty() || !file.verdict) {
    kept.cause = result.cause;
    kept.rule = RulesNamed(result).front();
    kept.verdict = result.verdict;
    kept.message = result.seen.message;
    kept.fact = result.seen.fact;
  }
  kept.library_version = replayed.version;
  const std::string base = folder + "/" + PlainName(file.library);
  std::error_code error;
  fs::create_directories(base, error);
  if (error) throw CannotWrite(base, error.message());
  std::vector<std::string> taken;
  for (const std::string& path : EntriesOf(base)) {
    if (Holds(path, kept.cause, file.mutant)) return "there already: " + path;
    taken.push_back(fs::path(path).stem());
  }
  const std::string name = file.mutant.empty() ? NameOfCause(kept.cause) : PlainName(file.mutant);
  const std::string path = base + "/" + UnusedName(name, taken) + ".json";
  if (const int reason = WriteFinding(path, ToJson(kept)); reason != 0) throw CannotWrite(path, std::strerror(reason));
  return "kept: " + path;
}

}  // namespace dlpack_cts::runner
