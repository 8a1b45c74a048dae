// runner/campaign/keep.cc: writes the file of a kept finding.
#include "runner/campaign/keep.h"

#include <cstring>
#include <filesystem>
#include <vector>

#include "base/failure.h"
#include "base/paths.h"
#include "results/tally.h"
#include "results/whole_file.h"
#include "runner/base/places.h"
#include "runner/run/finding.h"

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
  const bool is_told = !file.cause.empty() && !file.rule.empty() && file.verdict.has_value();
  const std::string cause = is_told ? file.cause : result.cause;
  const std::string base = folder + "/" + PlainName(file.library);
  std::error_code error;
  fs::create_directories(base, error);
  if (error) throw CannotWrite(base, error.message());
  std::vector<std::string> taken;
  for (const std::string& path : EntriesOf(base)) {
    if (Holds(path, cause, file.mutant)) return "there already: " + path;
    taken.push_back(fs::path(path).stem());
  }
  nlohmann::json kept = {{"finding", 1},
                         {"library", file.library},
                         {"library_version", replayed.version},
                         {"case", file.case_id},
                         {"cause", cause},
                         {"rule", is_told ? file.rule : RulesNamed(result).front()},
                         {"verdict", ToText(is_told ? *file.verdict : result.verdict)},
                         {"message", is_told ? file.message : result.seen.message},
                         {"fact", is_told ? file.fact : result.seen.fact},
                         {"recipe", file.recipe}};
  if (!file.earlier.empty()) kept["earlier"] = file.earlier;
  if (!file.mutant.empty()) kept["mutant"] = file.mutant;
  const std::string name = file.mutant.empty() ? NameOfCause(cause) : PlainName(file.mutant);
  const std::string path = base + "/" + UnusedName(name, taken) + ".json";
  const std::string text = kept.dump(1, ' ', true, nlohmann::json::error_handler_t::replace) + "\n";
  if (const int reason = WriteWholeFile(path, text); reason != 0) throw CannotWrite(path, std::strerror(reason));
  return "kept: " + path;
}

}  // namespace dlpack_cts::runner
