// runner/base/command.cc: runs another program and waits for it.
#include "runner/base/command.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>

#include "base/child.h"
#include "base/clock.h"
#include "base/failure.h"
#include "base/shortage.h"
#include "runner/base/interrupt.h"
#include "runner/base/places.h"

namespace dlpack_cts::runner {
namespace {

constexpr char kWorker[] = "dlpack-cts-worker";
constexpr int kLookMilliseconds = 100;

/// How a program is waited for.
enum class Waited : uint8_t { kEnded, kInterrupted, kLate };

class Reading {
 public:
  Reading(int fd, pid_t child, const CommandOptions& options) : fd_(fd), child_(child), options_(options) {}

  /// Reads until the end of the pipe, and waits for the end of the program.
  Waited Run(Finished& finished, std::optional<ChildEnd>& end) {
    for (bool open = true; open || !end;) {
      if (options_.interruptible && Interrupted()) return Waited::kInterrupted;
      if (IsLate() || finished.late) return Waited::kLate;
      if (open) {
        open = ReadSome(finished);
      } else if (options_.seconds > 0 || options_.interruptible) {
        end = EndOf(child_);
        if (!end) poll(nullptr, 0, kLookMilliseconds / 10);
      } else {
        end = WaitFor(child_);
      }
    }
    return Waited::kEnded;
  }

 private:
  bool IsLate() const { return options_.seconds > 0 && Now() - began_ > options_.seconds; }

  /// False at the end of the pipe.
  bool ReadSome(Finished& finished) const {
    char buffer[4096];
    pollfd waiting{fd_, POLLIN, 0};
    if (poll(&waiting, 1, kLookMilliseconds) <= 0) return true;
    const ssize_t n = read(fd_, buffer, sizeof(buffer));
    if (n < 0 && errno == EINTR) return true;
    if (n <= 0) return false;
    const size_t room = options_.most - finished.output.size();
    finished.output.append(buffer, std::min(static_cast<size_t>(n), room));
    // A program that prints for ever is not waited for.
    finished.late = options_.seconds > 0 && static_cast<size_t>(n) > room;
    return true;
  }

  const int fd_;
  const pid_t child_;
  const CommandOptions& options_;
  const double began_ = Now();
};

}  // namespace

Finished RunCommand(const std::vector<std::string>& argv, const CommandOptions& options) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    throw Shortage("a pipe cannot be created", errno);
  }
  const int nowhere = options.errors ? -1 : open("/dev/null", O_WRONLY | O_CLOEXEC);
  Program program{.arguments = argv,
                  .descriptors = {{options.answers ? nowhere : ends[1], STDOUT_FILENO},
                                  {options.errors ? ends[1] : nowhere, STDERR_FILENO}}};
  // The guard ends it, with all that it has started, even if this process is killed.
  if (options.interruptible) program.arguments.insert(program.arguments.begin(), {Sibling(kWorker), "--guard"});
  // The last one, because the others may have this number here.
  if (options.answers) program.descriptors.emplace_back(ends[1], kAnswers);
  if (options.inherited >= 0) program.descriptors.emplace_back(options.inherited, options.inherited);
  GroupAtRisk at_risk;
  const Started started = Start(program);
  if (nowhere >= 0) close(nowhere);
  close(ends[1]);
  Finished finished;
  if (started.error != 0) {
    close(ends[0]);
    for (const int error : {EAGAIN, ENOMEM, EMFILE, ENFILE}) {
      if (started.error == error) throw Shortage("the program " + argv[0] + " cannot be started", error);
    }
    finished.status = 127;
    finished.output = std::strerror(started.error);
    return finished;
  }
  at_risk.Started(started.pid);
  std::optional<ChildEnd> end;
  const Waited waited = Reading(ends[0], started.pid, options).Run(finished, end);
  close(ends[0]);
  if (!end) {
    kill(started.pid, SIGTERM);
    end = WaitFor(started.pid);
  }
  if (waited == Waited::kInterrupted) throw Failure("interrupted", "", kInterrupted);
  finished.late = waited == Waited::kLate;
  finished.status = end->ShellStatus();
  return finished;
}

Finished AskWorker(std::vector<std::string> question) {
  question.insert(question.begin(), {Sibling(kWorker), "--out", std::to_string(kAnswers)});
  return RunCommand(question, {.answers = true});
}

}  // namespace dlpack_cts::runner
