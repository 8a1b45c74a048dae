// worker/schedule.h: runs the cases of a job in children, and reports each one.
#ifndef DLPACK_CTS_WORKER_SCHEDULE_H_
#define DLPACK_CTS_WORKER_SCHEDULE_H_

#include <optional>
#include <string>
#include <vector>

#include "harness/case/case.h"
#include "results/result.h"
#include "worker/diagnose/diagnosis.h"
#include "worker/process/fork_server.h"
#include "worker/setup.h"

namespace dlpack_cts::worker {

class Schedule {
 public:
  Schedule(Setup& setup, ForkServer& server, Diagnosis& diagnosis)
      : setup_(setup), server_(server), diagnosis_(diagnosis) {}

  /// Runs every case, and writes its observation and the findings of diagnosis.
  void Run();

 private:
  /// What is known about the running case.
  struct Current {
    std::optional<Observation> found;    // a violation before it was minimised
    std::optional<Observation> crashed;  // how its sweep first crashed a process
    std::vector<int> crashing;           // the examples of that sweep that crashed one
  };

  // In a child.
  void RunHere(int first, int end, const Reporter& reporter) const;
  void RunCase(int index, const Case& tested, const Reporter& reporter) const;

  // In the fork server.
  void RunSuite(int end);
  int EndOfSuite(int first) const;
  double Limit() const { return next_ < Count() ? setup_.job.LimitOf(NextId()) : setup_.job.case_seconds; }
  std::optional<double> Take(const nlohmann::json& line, std::vector<Finding>& suspects);
  bool WasOnlySlow(const Ending& ending, const Remains& left);
  bool GoesOn(const Ending& ending, const Remains& left);
  Observation Report(const Ending& ending, const Remains& remains);
  void Pass(const Observation& observation);
  void PassShortage(const Failure& failure);
  void Write(const std::vector<Finding>& findings);
  void FindCrash(const Ending& ending, const Remains& remains);
  int Count() const { return static_cast<int>(setup_.job.cases.size()); }
  const std::string& NextId() const { return setup_.job.cases[static_cast<size_t>(next_)]; }

  Setup& setup_;
  ForkServer& server_;
  Diagnosis& diagnosis_;
  int next_ = 0;      // index of the first case whose observation is not written
  double began_ = 0;  // when that case could start
  Current current_;
};

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_SCHEDULE_H_
