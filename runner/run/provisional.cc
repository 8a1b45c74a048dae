// runner/run/provisional.cc: makes the lines of a run that has not ended.
#include "runner/run/provisional.h"

#include <filesystem>
#include <fstream>

#include "base/failure.h"
#include "results/parse.h"
#include "results/result.h"
#include "results/text.h"
#include "runner/run/assemble.h"
#include "runner/verdict/rounds.h"

namespace dlpack_cts::runner {
namespace fs = std::filesystem;
namespace {

/// Gives the file of an earlier run that ended a second name. Nothing but a regular file is read.
void KeepPrevious(const fs::path& file) {
  std::error_code ignored;
  if (fs::symlink_status(file, ignored).type() != fs::file_type::regular) return;
  std::ifstream lines(file);
  std::string first;
  std::getline(lines, first);
  const auto header = IfValid([&] { return ReadHeader(ParseJson(first)); });
  if (header && header->provisional) return;
  const fs::path previous = file.parent_path() / kPreviousResults;
  fs::remove(previous, ignored);
  std::error_code unsupported;
  fs::create_hard_link(file, previous, unsupported);
  if (unsupported) fs::rename(file, previous, ignored);
}

}  // namespace

ProvisionalFile::ProvisionalFile(const Catalogue& catalogue, const Assignment& assignment)
    : catalogue_(catalogue), assignment_(assignment), expectations_(assignment.expectations) {}

void ProvisionalFile::Add(const Observation& observation, const Outcome& outcome) {
  if (assignment_.options.out.empty()) return;
  const std::lock_guard<std::mutex> one(mutex_);
  auto result = IfValid([&] { return MakeResult(catalogue_, assignment_.library, observation); });
  if (!result) return;
  result->provisional = true;
  expectations_.SetConsumerVersion(outcome.partner_version);
  Complete(assignment_, outcome.library_version, expectations_, *result);
  if (!file_.begun()) Begin(outcome);
  if (file_.begun()) file_.Append(DumpLine(ToJson(*result)) + "\n");
}

void ProvisionalFile::Begin(const Outcome& outcome) {
  Header header = HeaderOf(assignment_);
  header.provisional = true;
  header.library_version = outcome.library_version;
  header.interpreter = outcome.interpreter;
  header.profile = outcome.profile;
  header.run_id = RunIdOf(header, assignment_.options.shard, GivenRunId(assignment_.options.run_id));
  const fs::path file = fs::path(assignment_.options.out) / "results.ndjson";
  std::error_code failed;
  fs::create_directories(file.parent_path(), failed);
  KeepPrevious(file);
  file_.Begin(file, DumpLine(ToJson(header)) + "\n");
}

}  // namespace dlpack_cts::runner
