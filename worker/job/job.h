// worker/job/job.h: what the driver asks of a worker (docs/processes.md).
#ifndef DLPACK_CTS_WORKER_JOB_JOB_H_
#define DLPACK_CTS_WORKER_JOB_JOB_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/case/profile.h"
#include "harness/recipe/recipe.h"
#include "worker/job/avoid.h"

namespace dlpack_cts::worker {

/// How one library is loaded.
struct SubjectSource {
  std::string library;
  std::string kind;     // python, reference, reference-native, native
  std::string adapter;  // folder, or path of the plug-in
  uint32_t claims = 0;  // bit per Claim
  Declared declared = {};
};

struct Job {
  SubjectSource subject;
  std::optional<SubjectSource> pair;
  std::string python;
  std::string libpython;
  std::vector<std::string> path;
  std::vector<std::string> cases;  // in catalogue order
  std::vector<std::string> roles;
  std::vector<std::string> mutants;
  std::string mutated;  // of a pair: the side with the mutants, producer or consumer; empty: each reference
  std::string shape;    // a conforming variant on top of which the mutants are applied; empty: the reference
  uint64_t seed = 1;
  int examples = 100;
  int sweep = 0;  // exchanges of each sweep
  double case_seconds = 10;
  double start_seconds = 60;
  int64_t memory_bytes = int64_t{4} << 30;
  bool resume = false;  // after a worker that crashed: its crash record holds what the probes found
  bool fork = true;
  bool stay = false;           // after the last case, wait for another job in the same file
  bool verdicts_only = false;  // no shrinking, and neither recipe nor ledger in an observation
  std::optional<Recipe> replay;
  std::vector<Recipe> earlier;                        // that run before the one that is replayed
  std::map<std::string, std::vector<Avoided>> avoid;  // by case: exchanges that it has to leave out
  std::string board;

  /// For that case; empty if it leaves nothing out.
  const std::vector<Avoided>& AvoidedBy(std::string_view case_id) const;
  /// The seconds that one example of that case may take.
  double LimitOf(std::string_view case_id) const;
  /// Of that case, or the number of cases.
  int IndexOf(std::string_view case_id) const;
  /// For a pair with a mutant only the verdicts are needed: the mutant's own run reports the causes.
  bool FindsCauses() const { return !pair || !verdicts_only; }
};

/// Reads a job file strictly. Throws Failure.
Job ReadJob(const std::string& path);

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_JOB_JOB_H_
