// runner/worker_process.h: one worker process, its lines, its board, and its end.
#ifndef DLPACK_CTS_RUNNER_WORKER_PROCESS_H_
#define DLPACK_CTS_RUNNER_WORKER_PROCESS_H_

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace dlpack_cts::runner {

/// Set by SIGINT and SIGTERM; everybody who waits looks at it.
extern volatile int g_interrupted;
void CatchInterrupts();

/// What lies in the plain head of the board (docs/processes.md).
struct BoardHead {
  int case_index = -1;
  std::string case_id;
};

class WorkerProcess {
 public:
  /// Starts the worker with that job, in `folder` (job file, board, log). Throws Failure (status 3).
  WorkerProcess(const nlohmann::json& job, const std::map<std::string, std::string>& environment,
                const std::string& folder);
  /// Kills what is left of the worker and its children.
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  enum class Got { kLine, kEnd, kSilence, kMemory, kInterrupted };

  /// Waits for the next line. kEnd: the worker has closed its output. A line that is no JSON object is dropped and
  /// counted.
  Got Next(double silence_seconds, int64_t memory_bytes, nlohmann::json* line);

  /// Waits for the end and says how it came: "killed by SIGSEGV" or "left the process with exit 3".
  std::string Wait();
  void Kill();

  BoardHead Board() const;
  /// After the end: the observation of the case that ran last, with its recipe; null when that was another case.
  nlohmann::json LastCase(const std::string& case_id) const;
  /// The last lines of what the library printed.
  std::string LogTail() const;

 private:
  bool HasEnded();
  bool TakeLine(nlohmann::json* line);

  std::string folder_;
  int pid_ = 0;
  int fd_ = -1;
  bool ended_ = false;
  int status_ = 0;
  bool reaped_ = false;
  std::string buffer_;
};

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_WORKER_PROCESS_H_
