// runner/base/command.cc: runs another program and waits for it.
#include "runner/base/command.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/child.h"
#include "base/failure.h"
#include "base/shortage.h"
#include "runner/base/interrupt.h"
#include "runner/base/places.h"

namespace dlpack_cts::runner {
namespace {

constexpr size_t kMostOutput = size_t{64} << 20;
constexpr int kLooks = 1000;
constexpr useconds_t kLookMicroseconds = 1000;

/// Reads until the end of the pipe. False: interrupted.
bool ReadAll(int fd, bool interruptible, std::string* output) {
  char buffer[4096];
  for (;;) {
    if (interruptible && Interrupted()) return false;
    pollfd waiting{fd, POLLIN, 0};
    if (poll(&waiting, 1, 100) <= 0) continue;
    const ssize_t n = read(fd, buffer, sizeof(buffer));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return true;
    output->append(buffer, std::min(static_cast<size_t>(n), kMostOutput - output->size()));
  }
}

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
  const bool whole = ReadAll(ends[0], options.interruptible, &finished.output);
  close(ends[0]);
  if (!whole) kill(-started.pid, SIGKILL);
  const ChildEnd end = WaitFor(started.pid);
  // Another process of the group may still be in a system call that makes a file.
  for (int i = 0; !whole && i < kLooks && kill(-started.pid, 0) == 0; ++i) usleep(kLookMicroseconds);
  if (!whole) throw Failure("interrupted", "", kInterrupted);
  finished.status = end.ShellStatus();
  return finished;
}

Finished AskWorker(std::vector<std::string> question) {
  question.insert(question.begin(), {Sibling("dlpack-cts-worker"), "--out", std::to_string(kAnswers)});
  return RunCommand(question, {.answers = true});
}

}  // namespace dlpack_cts::runner
