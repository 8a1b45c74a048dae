// runner/session.h: jobs of one library seen through to their ends, over as many worker processes as it takes.
#ifndef DLPACK_CTS_RUNNER_SESSION_H_
#define DLPACK_CTS_RUNNER_SESSION_H_

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "results/result.h"
#include "runner/environment.h"
#include "runner/library.h"

namespace dlpack_cts::runner {

inline constexpr uint64_t kSeed = 1;

/// What the command line says of a run, for one library.
struct RunOptions {
  std::vector<std::string> select;
  std::vector<std::string> roles;
  std::vector<std::string> pythonpath;
  uint64_t seed = kSeed;
  int examples = kExamples;
  int sweep = kSweep;           // exchanges of each case that judges whole ledgers
  bool examples_given = false;  // then library.toml does not lower them
  bool sweep_given = false;     // likewise
  double case_seconds = 10;
  int64_t memory_mb = 4096;
  std::string python;
};

struct Outcome {
  std::string library_version;
  std::string interpreter;
  ProfileLines profile;
  std::string detail;    // of an error: a traceback, or empty
  bool greeted = false;  // the library could be imported
  bool interrupted = false;
};

/// The job of one library over those cases, without what only the session knows (board).
nlohmann::json MakeJob(const Library& library, const Environment& environment, const std::vector<std::string>& cases,
                       const RunOptions& options);

/// The field `pair` of a job, for the consumer that would have that job of its own.
nlohmann::json AsPartner(const nlohmann::json& job);

/// Who is told what a worker saw.
struct Watcher {
  std::function<void(Observation)> see;
  std::function<void(Finding)> find = [](const Finding&) {};  // of the job's cases; what is no finding never comes
};

/// Jobs of one library, or of one pair, that differ in their cases, mutants and what these have to do without: the
/// worker of a job that ended well waits for the next one, which costs no import.
class Session {
 public:
  explicit Session(const Library& library);
  /// Ends the worker that waits.
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Runs the job. Each observation goes to the watcher: one for each case of the job (and mutant), none twice, none
  /// that was not asked for. A worker that dies costs its case alone; a case whose line does not come is a crash.
  /// Throws Failure when the library cannot be judged at all (its adapter is wrong, its import dies); `outcome` holds
  /// what was known by then. After an interrupt cases may be missing.
  void Run(nlohmann::json job, const Watcher& watcher, Outcome* outcome);

 private:
  struct Kept;  // from one job to the next
  std::unique_ptr<Kept> kept_;
};

/// The observation of a case that gave none.
Observation Lost(const std::string& case_id, const std::string& message, const std::string& got);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_SESSION_H_
