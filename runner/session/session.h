// runner/session/session.h: completes the jobs of one library, with as many worker processes as needed.
#ifndef DLPACK_CTS_RUNNER_SESSION_SESSION_H_
#define DLPACK_CTS_RUNNER_SESSION_SESSION_H_

#include <functional>
#include <memory>
#include <string>

#include "results/job.h"
#include "results/limit.h"
#include "results/result.h"
#include "runner/environment/environment.h"
#include "runner/environment/library.h"

namespace dlpack_cts::runner {

inline constexpr uint64_t kSeed = 1;

/// The options of a run, for one library.
struct RunOptions {
  std::vector<std::string> select;
  std::vector<std::string> deselect;
  std::vector<std::string> roles;
  std::vector<std::string> pythonpath;
  uint64_t seed = kSeed;
  int examples = kExamples;
  int sweep = kSweep;           // exchanges of each sweep
  bool examples_given = false;  // library.toml does not lower the number of examples
  bool sweep_given = false;     // library.toml does not lower the number of exchanges
  double case_seconds = 10;
  int64_t memory_mb = 4096;
  std::string python;
  bool keep_environment = false;  // the worker gets the caller's variables as they are
};

struct Outcome {
  std::string library_version;
  std::string partner_version;  // of the consumer of a pair
  std::string interpreter;
  ProfileLines profile;
  std::vector<Limit> limits;        // what the probes found that the library does not support
  std::string detail;               // details of an error: a traceback, or empty
  std::optional<Failure> shortage;  // what the system did not give to a worker, so that a case could not run
  bool greeted = false;             // the library was imported
  bool interrupted = false;
};

/// The job of one library with these cases, without the field `board`, which the session sets.
JobFile MakeJob(const Library& library, const Environment& environment, const std::vector<std::string>& cases,
                const RunOptions& options);

/// Receives the observations and findings of a worker.
struct Watcher {
  std::function<void(Observation)> see;
  std::function<void(Finding)> find = [](const Finding&) {};  // only valid findings of the job's cases
};

/// Runs jobs of one library, or of one pair. The jobs differ in their cases, mutants and avoided properties. After a
/// successful job the worker waits for the next one, which then needs no import.
class Session {
 public:
  explicit Session(const Library& library, bool keep_environment = false);
  /// Ends the waiting worker.
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Runs the job. The watcher gets exactly one observation for each case of the job (and mutant). If a worker crashes,
  /// only its running case is lost; a case without a line is a crash. Throws Failure if the library cannot be tested at
  /// all (wrong adapter, crash at import); `outcome` holds what was known by then. After an interrupt cases may be
  /// missing.
  void Run(JobFile job, const Watcher& watcher, Outcome* outcome);

 private:
  struct Kept;  // state that is kept between jobs
  std::unique_ptr<Kept> kept_;
};

/// The observation for a case that could not run, without any fault of the library.
Observation NotRun(const std::string& case_id, const std::string& reason);

/// The observation for a case without a result.
Observation Lost(const std::string& case_id, const std::string& message, const std::string& got);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_SESSION_SESSION_H_
