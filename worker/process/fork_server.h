// worker/process/fork_server.h: forks children, watches them, and reports how they ended.
//
// It keeps in its own memory what its children reported. The library can write to the crash record, so that is only
// used to find out what a crashed child was doing, and only if it agrees with the reports.
#ifndef DLPACK_CTS_WORKER_PROCESS_FORK_SERVER_H_
#define DLPACK_CTS_WORKER_PROCESS_FORK_SERVER_H_

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "worker/process/channel.h"
#include "worker/process/crash_record.h"
#include "worker/process/ending.h"
#include "worker/process/hangs.h"
#include "worker/process/output.h"
#include "worker/process/surroundings.h"

namespace dlpack_cts::worker {

/// The libraries that children run, as the fork server needs them.
class Forked {
 public:
  virtual ~Forked() = default;
  /// False if each child has to import them.
  virtual bool IsOpen() const = 0;
  virtual void BeforeFork() = 0;
  virtual void AfterForkInParent() = 0;
  virtual void AfterForkInChild() = 0;
  /// In a child that inherited no library: imports them and calls `work`, which ends the process. Throws Failure if the
  /// import failed.
  virtual void Import(const std::function<void()>& work) = 0;
  /// In a child, before its work.
  virtual void Begin() = 0;
};

/// What a child writes to.
struct Reporter {
  const Output& out;
  Channel& channel;
};

/// The work of a child.
struct Task {
  double seconds;  // the limit of an example
  std::function<void(const Reporter&)> work;
  /// Gets each line at once, instead of ChildResult::lines. Returns the limit of the next case when one starts.
  std::function<std::optional<double>(const nlohmann::json&)> listen = nullptr;
  bool search = false;   // a hang would be one of its answers, and is not counted as a limit that passed
  bool patient = false;  // to find out whether a limit that earlier hangs had shortened was too short
};

struct ChildResult {
  Ending ending;
  bool leaving = false;               // it ended itself after an observation, so that another child continues
  std::vector<nlohmann::json> lines;  // that the child wrote
  std::optional<Remains> remains;     // of the child's last example
  std::optional<Failure> shortage;    // of kShortage
};

class ForkServer {
 public:
  struct Limits {
    double start_seconds;  // of the import in a child
    int64_t memory_bytes;
  };

  ForkServer(CrashRecord& crash_record, const Output& output, Surroundings& surroundings, Forked& forked,
             const Limits& limits, HangTable* hangs)
      : crash_record_(crash_record),
        output_(output),
        surroundings_(surroundings),
        forked_(forked),
        limits_(limits),
        hangs_(hangs) {}

  /// Runs the task in a new child, and returns when the child has ended. Throws Failure if there cannot be one, or if
  /// the system does not give it what it needs. Only a task that listens goes on after that.
  ChildResult Run(const Task& task);

  /// Writes a line to the driver. Throws Failure if the driver is gone, because nothing could be reported any more.
  void Write(const nlohmann::json& line);

  /// Ends this process in the same way as the child. The child has reported the reason if it could.
  [[noreturn]] void EndAs(const Ending& ending) const;

  /// A hurried ending was wrong: the exchange ends if it gets more time.
  void AddTooShort() { hangs_.AddTooShort(); }
  /// An index of the job's mutants; -1 without one.
  void SetMutant(int index);
  /// From now on the driver has the first line. It regularly gets a line that the fork server is alive.
  void SetGreeted() { greeted_ = true; }

  /// How the last child ended, if so many in a row ended before a case that no more should be started. Else NULL.
  const Ending* Stillborn() const { return stillborn_ < kStillborn ? nullptr : &last_stillborn_; }

 private:
  static constexpr int kStillborn = 3;

  /// Of the running child.
  struct Progress {
    bool alive = false;  // its fork, and its import, succeeded
    bool done = false;
    bool open = true;   // its end of the pipe is open
    int64_t begun = 0;  // changes when it starts another case
    double limit;       // of an example
  };

  [[noreturn]] void BeChild(Channel& channel, const Task& task);
  int Follow(int child, const Task& task, Channel& channel, Progress& progress, ChildResult& result);
  void Listen(const Task& task, Channel& channel, Progress& progress, ChildResult& result);
  Failure ShortageOfChild() const;
  void SetEnding(int status, bool alive, Ending& ending) const;
  void TellAlive();
  void TellHang(const std::string& threads, const std::optional<Remains>& remains);
  /// Whether the children report only to this process.
  bool IsHeardHere() const { return forked_.IsOpen() || greeted_; }

  CrashRecord& crash_record_;
  const Output& output_;
  Surroundings& surroundings_;
  Forked& forked_;
  const Limits limits_;
  std::vector<pid_t> kept_;  // children that the import has started, and the running child
  double reaped_ = 0;        // when the others were last removed
  Hangs hangs_;
  int mutant_ = -1;
  bool greeted_ = false;
  bool hang_told_ = false;
  double told_ = 0;    // when the last line was written to the driver
  int stillborn_ = 0;  // children in a row that ended before a case
  Ending last_stillborn_;
};

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_PROCESS_FORK_SERVER_H_
