// runner/session/worker_process.cc: starts a worker, reads its lines, and handles its end.
#include "runner/session/worker_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string_view>
#include <vector>

#include "base/child.h"
#include "base/clock.h"
#include "base/failure.h"
#include "base/memory.h"
#include "base/shortage.h"
#include "results/parse.h"
#include "runner/base/command.h"
#include "runner/base/places.h"

extern char** environ;

namespace dlpack_cts::runner {
namespace {

constexpr size_t kChunk = 65536;
constexpr size_t kLogKept = 65536;
constexpr size_t kLogShown = 2000;
constexpr double kLookSeconds = 0.1;
constexpr double kEndSeconds = 5;

/// The caller's variables with these changes.
std::vector<std::string> Merge(const std::map<std::string, std::string>& changed) {
  std::vector<std::string> merged;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    if (!changed.contains(std::string(text.substr(0, text.find('='))))) merged.emplace_back(text);
  }
  for (const auto& [key, value] : changed) merged.push_back(key + "=" + value);
  return merged;
}

/// Both ends are closed when another program is started.
void MakePipe(int (&ends)[2]) {
  if (pipe2(ends, O_CLOEXEC) == 0) return;
  throw Shortage("a pipe cannot be created", errno);
}

/// The descriptor for the lines of the worker: a high number, far from those that a library opens or closes by number.
int HighDescriptor() {
  const long most = sysconf(_SC_OPEN_MAX);
  return static_cast<int>(std::clamp<long>(most, 5, 1024)) - 1;
}

}  // namespace

WorkerProcess::WorkerProcess(const JobFile& job, const std::map<std::string, std::string>& variables,
                             const std::string& folder)
    : folder_(folder), lines_("") {
  WriteJob(job);
  board_fd_ = open((folder + "/board").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  const std::string mark = DrawMark();
  lines_ = LineReader(mark);
  const int out = HighDescriptor();
  int lines[2];
  int log[2];
  // A socket, because data goes both ways: the driver notifies a waiting worker of the next job.
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, lines) != 0) {
    throw Shortage("a socket cannot be created", errno);
  }
  fd_ = lines[0];
  MakePipe(log);
  log_fd_ = log[0];
  const Started started = Start({.arguments = {Sibling("dlpack-cts-worker"), "--job", folder + "/job.json", "--out",
                                               std::to_string(out), "--mark", mark},
                                 .descriptors = {{lines[1], out}, {log[1], STDOUT_FILENO}, {log[1], STDERR_FILENO}},
                                 .environment = Merge(variables)});
  close(lines[1]);
  close(log[1]);
  if (started.error != 0) {
    close(fd_);
    close(log_fd_);
    if (board_fd_ >= 0) close(board_fd_);
    if (started.error == E2BIG) {
      throw Failure("the worker cannot be started: its environment variables are too long",
                    "shorten the table [environment] of library.toml, or the variables of the shell");
    }
    throw Shortage("the worker cannot be started", started.error);
  }
  pid_ = watched_ = started.pid;
  at_risk_.Started(pid_);
}

WorkerProcess::~WorkerProcess() {
  if (fd_ >= 0) close(fd_);
  if (log_fd_ >= 0) close(log_fd_);
  if (board_fd_ >= 0) close(board_fd_);
  Kill();
  Wait();
}

void WorkerProcess::WriteJob(const JobFile& job) const {
  std::ofstream file(folder_ + "/job.json");
  file << ToJson(job).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  if (!file.flush()) {
    throw Failure(
        std::string("the job file cannot be written to the folder for temporary files: ") + std::strerror(errno),
        "free some space, or set TMPDIR to another folder");
  }
}

bool WorkerProcess::GoOn(const JobFile& job) {
  if (fd_ < 0 || HasEnded()) return false;
  WriteJob(job);
  return send(fd_, "j", 1, MSG_NOSIGNAL | MSG_DONTWAIT) == 1;
}

bool WorkerProcess::TakeLine(nlohmann::json* line) {
  std::string text;
  while (lines_.Next(&text)) {
    // Other output has overwritten a broken line with a valid mark. Its case is reported as lost at the end.
    *line = IfValid([&] { return ParseJson(text); }).value_or(nlohmann::json());
    if (!line->is_object() || !line->contains("type") || !line->at("type").is_string()) continue;
    if (line->at("type") != "started") return true;
    const nlohmann::json pid = line->value("pid", nlohmann::json());
    if (pid.is_number_integer()) watched_ = pid.get<int>();
  }
  return false;
}

/// Reads once; closes the descriptor at the end of its data.
void WorkerProcess::ReadSome(int* fd, size_t most) {
  std::vector<char> chunk(std::min(most, kChunk));
  const ssize_t n = read(*fd, chunk.data(), chunk.size());
  if (n < 0 && errno == EINTR) return;
  if (n <= 0) {
    close(*fd);
    *fd = -1;
  } else if (fd == &fd_) {
    lines_.Feed({chunk.data(), static_cast<size_t>(n)});
  } else {
    log_.append(chunk.data(), static_cast<size_t>(n));
    if (log_.size() > 2 * kLogKept) log_.erase(0, log_.size() - kLogKept);
  }
}

/// Reads what is in the pipes now, and not more: a process that the library left behind may continue to write.
void WorkerProcess::ReadRest() {
  for (int* fd : {&fd_, &log_fd_}) {
    int left = 0;
    if (*fd >= 0 && ioctl(*fd, FIONREAD, &left) != 0) left = 0;
    for (; *fd >= 0 && left > 0; left -= static_cast<int>(kChunk)) ReadSome(fd, static_cast<size_t>(left));
  }
}

WorkerProcess::Got WorkerProcess::Next(double silence_seconds, int64_t memory_bytes, nlohmann::json* line) {
  const double since = Now();
  for (;;) {
    if (TakeLine(line)) return Got::kLine;
    if (ended_) return Got::kEnd;
    if (MustEnd()) return Got::kInterrupted;
    const double now = Now();
    if (now - since > silence_seconds) return Got::kTimeout;
    if (now - looked_ > kLookSeconds) {
      looked_ = now;
      if (ResidentBytes(watched_) > memory_bytes) return Got::kMemory;
    }
    // The pipe still holds what the worker wrote before its end, so it is read after the check. A closed pipe does not
    // mean that the worker ended: the library may have closed it.
    if (HasEnded()) {
      ReadRest();
      ended_ = true;
      continue;
    }
    pollfd waiting[] = {{fd_, POLLIN, 0}, {log_fd_, POLLIN, 0}};
    if (poll(waiting, 2, static_cast<int>(1000 * kLookSeconds)) <= 0) continue;
    if (waiting[0].revents != 0) ReadSome(&fd_, kChunk);
    if (waiting[1].revents != 0) ReadSome(&log_fd_, kChunk);
  }
}

bool WorkerProcess::HasEnded() {
  if (!end_) end_ = EndOf(pid_);
  return end_.has_value();
}

ChildEnd WorkerProcess::Wait() {
  if (!end_) end_ = WaitFor(pid_);
  return *end_;
}

void WorkerProcess::Kill() {
  // The guard ends what the library started, then itself.
  if (!end_) kill(pid_, SIGTERM);
  if (!end_) end_ = WaitFor(pid_, kEndSeconds).value_or(ChildEnd{ChildEnd::How::kSignalled, SIGKILL});
  kill(-pid_, SIGKILL);
}

bool WorkerProcess::HasBegunACase() const {
  char bytes[12] = {};
  if (pread(board_fd_, bytes, sizeof(bytes), 0) != sizeof(bytes) || std::memcmp(bytes, "DLBD", 4) != 0) return false;
  int32_t case_index = -1;
  std::memcpy(&case_index, bytes + 8, sizeof(case_index));
  return case_index >= 0;
}

nlohmann::json WorkerProcess::LastCase(const std::string& case_id) const {
  const Finished finished = AskWorker({"--last-case", folder_ + "/job.json"});
  const auto observation = IfValid([&] { return ParseJson(finished.output); }).value_or(nlohmann::json());
  if (finished.status != 0 || !observation.is_object()) return {};
  return observation.value("case", nlohmann::json()) == case_id ? observation : nlohmann::json();
}

std::string WorkerProcess::LogTail() const {
  return log_.size() > kLogShown ? log_.substr(log_.size() - kLogShown) : log_;
}

}  // namespace dlpack_cts::runner
