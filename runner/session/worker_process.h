// runner/session/worker_process.h: one worker process, its lines, its crash record, and its end.
#ifndef DLPACK_CTS_RUNNER_SESSION_WORKER_PROCESS_H_
#define DLPACK_CTS_RUNNER_SESSION_WORKER_PROCESS_H_

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/child.h"
#include "results/job.h"
#include "runner/base/interrupt.h"
#include "runner/base/line_reader.h"

namespace dlpack_cts::runner {

class WorkerProcess {
 public:
  /// Starts the worker with that job, in `folder` (job file, crash record). Throws Failure.
  WorkerProcess(const JobFile& job, const std::map<std::string, std::string>& variables, const std::string& folder);
  /// Gives the next job to a waiting worker. False if the worker has ended.
  bool GoOn(const JobFile& job);
  /// Kills the worker and its children if they still run.
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  enum class Got { kLine, kEnd, kTimeout, kMemory, kInterrupted };

  /// Waits for the next line of the worker: an object with a "type". kTimeout: no line came in time. kEnd: the process
  /// has ended, and all its lines were read. Does not wait for processes that the library left behind.
  Got Next(double silence_seconds, int64_t memory_bytes, nlohmann::json* line);

  /// Waits for the end.
  ChildEnd Wait();
  /// Ends the worker, and everything that the library started.
  void Kill();

  /// Whether the crash record says that a case has started. The library can overwrite the record.
  bool HasBegunACase() const;
  /// After the end: the observation of the case that ran last, with its recipe. Null if that was another case.
  nlohmann::json LastCase(const std::string& case_id) const;
  /// The last lines of what the library printed.
  std::string LogTail() const;

 private:
  void WriteJob(const JobFile& job) const;
  bool HasEnded();
  bool TakeLine(nlohmann::json* line);
  void ReadSome(int* fd, size_t most);
  void ReadRest();

  std::string folder_;
  int pid_ = 0;
  int watched_ = 0;    // the process whose memory counts: the fork server, below its guard
  int fd_ = -1;        // receives its lines, and sends the notification of the next job
  int board_fd_ = -1;  // kept open, because the library may remove the file
  int log_fd_ = -1;    // its standard output and error, which the library uses
  bool ended_ = false;
  std::optional<ChildEnd> end_;
  double looked_ = 0;  // when the driver last checked its memory
  LineReader lines_;
  std::string log_;  // the end of the log
  GroupAtRisk at_risk_;
};

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_SESSION_WORKER_PROCESS_H_
