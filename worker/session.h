// worker/session.h: one worker process: imports the libraries once, probes them, and runs the jobs of the driver.
//
// If the library does not survive a fork after its import, this process never imports it, but each child does.
#ifndef DLPACK_CTS_WORKER_SESSION_H_
#define DLPACK_CTS_WORKER_SESSION_H_

#include <functional>
#include <nlohmann/json.hpp>

#include "subject/bridge.h"
#include "worker/child_processes.h"
#include "worker/job/job.h"
#include "worker/prober.h"
#include "worker/process/fork_server.h"
#include "worker/setup.h"

namespace dlpack_cts::worker {

/// Prepares a running interpreter for a fork, before the library is imported (subject/python_loader.h).
using AtFork = void (*)(ForkStage stage);

class Session final : public Forked {
 public:
  /// What one process needs from its start to its end. `at_fork` is NULL if no interpreter runs before the import.
  struct Process {
    CrashRecord& crash_record;
    const Output& output;
    Surroundings& surroundings;
    AtFork at_fork;
  };

  /// Imports what the job names, calls `work`, and ends the process. Throws Failure if the interpreter cannot start.
  using Importer = std::function<void(const std::function<void(const Subjects&)>& work)>;

  /// Waits for another job with the same libraries, which replaces the last one. False if there is no further job.
  using NextJob = std::function<bool()>;

  /// `import` is called in this process, which is then forked, or in each child if the job does not allow a fork.
  Session(const Job& job, const Process& process, Importer import, NextJob next_job);

  /// Probes the subject, runs every case (for every mutant) and writes every observation, then does the same for
  /// further jobs.
  void Run();

  bool IsOpen() const override { return setup_.libraries != nullptr; }
  void BeforeFork() override;
  void AfterForkInParent() override;
  void AfterForkInChild() override;
  void Import(const std::function<void()>& work) override;
  void Begin() override;

 private:
  void RunJobs();
  void RunMutants();
  void Describe();
  void WriteLimits();
  nlohmann::json Hello() const;
  void Greet();
  void Open(const Subjects& subjects);

  Setup setup_;
  AtFork at_fork_;
  Importer import_;
  NextJob next_job_;
  ForkServer server_;
  Prober prober_;
  ChildProcesses processes_;
  bool greeted_ = false;
  double import_seconds_ = 0;  // time of a child that imports the library itself
};

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_SESSION_H_
