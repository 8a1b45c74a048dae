// worker/job/job.h: what the driver asks of a worker (docs/processes.md).
#ifndef DLPACK_CTS_WORKER_JOB_JOB_H_
#define DLPACK_CTS_WORKER_JOB_JOB_H_

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/case/profile.h"
#include "harness/recipe/recipe.h"
#include "results/job.h"
#include "worker/job/avoid.h"

namespace dlpack_cts::worker {

/// How one library is loaded.
struct SubjectSource {
  std::string library;
  std::string kind;
  std::string adapter;
  uint32_t claims = 0;     // bit per Claim
  nlohmann::json profile;  // the table [profile] (declared.h)
};

/// The job file, with what it says about libraries and recipes as the worker uses it.
struct Job : JobFile {
  SubjectSource subject;
  std::optional<SubjectSource> pair;
  std::optional<Recipe> replay;
  std::vector<Recipe> earlier;                        // that run before the one that is replayed
  std::map<std::string, std::vector<Avoided>> avoid;  // by case: exchanges that it has to leave out

  /// For that case; empty if it leaves nothing out.
  const std::vector<Avoided>& AvoidedBy(std::string_view case_id) const;
  /// The seconds that one example of that case may take.
  double LimitOf(std::string_view case_id) const;
  /// Of that case, or the number of cases.
  int IndexOf(std::string_view case_id) const;
  /// For a pair with a mutant only the verdicts are needed: the mutant's own run reports the causes.
  bool FindsCauses() const { return !pair || !verdicts_only; }
};

/// Reads a job file strictly. Afterwards `cases` has all cases that run, in the order of the catalogue. Throws Failure.
Job ReadJob(const std::string& path);

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_JOB_JOB_H_
