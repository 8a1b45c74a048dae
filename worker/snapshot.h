// worker/snapshot.h: the snapshot server: imports once, forks children that run the cases, survives their deaths.
#ifndef DLPACK_CTS_WORKER_SNAPSHOT_H_
#define DLPACK_CTS_WORKER_SNAPSHOT_H_

#include <string>

#include "adapters/interface/engine.h"
#include "worker/board.h"
#include "worker/death.h"
#include "worker/job.h"
#include "worker/output.h"

namespace dlpack_cts {

class Snapshot {
 public:
  Snapshot(const Job& job, Subject& subject, Subject* partner, Board& board, const Output& output);

  /// Probes the subject, runs every case (for every mutant), writes every observation. Returns the exit status.
  int Run();

 private:
  void Write(const nlohmann::json& line);
  void Prepare(int mutant);
  void Probe();
  void ProbeOne(Subject& subject, const SubjectSource& source);
  void RunCases(int mutant);
  void RunCasesHere(int first);
  template <typename Work>
  Death InChild(double seconds_per_case, Work work);
  Death Watch(int child, double seconds_per_case);
  void ShrinkDeath(const Death& death);
  void Report(const Death& death, double seconds);

  const Job& job_;
  Subject& subject_;
  Board& board_;
  const Output& output_;
  Subject* partner_;  // of a pair: it consumes what subject_ produces; NULL without
  Engine engine_;
  std::string mutant_;
  int unshrunk_ = -1;  // index of the case whose shrinking killed a child
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_WORKER_SNAPSHOT_H_
