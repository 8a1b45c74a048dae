// runner/worker_process.cc: starts a worker, reads its lines, and survives its end.
#include "runner/worker_process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>

#include "runner/command.h"
#include "runner/failure.h"
#include "runner/places.h"

extern char** environ;

namespace dlpack_cts::runner {
namespace {

void OnInterrupt(int) { g_interrupted = 1; }

double Now() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

int64_t ResidentBytes(int pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/statm");
  int64_t size = 0;
  int64_t resident = 0;
  file >> size >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

/// The environment of the worker: the caller's, plus what the library's adapter adds; the caller's value wins.
std::vector<std::string> Merge(const std::map<std::string, std::string>& added) {
  std::vector<std::string> merged;
  for (char** variable = environ; *variable != nullptr; ++variable) merged.emplace_back(*variable);
  for (const auto& [key, value] : added) {
    if (std::getenv(key.c_str()) == nullptr) merged.push_back(key + "=" + value);
  }
  return merged;
}

std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

volatile int g_interrupted = 0;

void CatchInterrupts() {
  struct sigaction action{};
  action.sa_handler = OnInterrupt;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  // A write that fails says so by its errno. Handlers, unlike SIG_IGN, are not handed on to the worker.
  action.sa_handler = [](int) {};
  sigaction(SIGPIPE, &action, nullptr);
  sigaction(SIGXFSZ, &action, nullptr);
}

WorkerProcess::WorkerProcess(const nlohmann::json& job, const std::map<std::string, std::string>& environment,
                             const std::string& folder)
    : folder_(folder) {
  constexpr int kOut = 9;  // the descriptor that the worker is told; far from what libraries open first
  {
    std::ofstream file(folder + "/job.json");
    file << job.dump();
    if (!file.flush()) {
      throw Failure("the job file in " + folder + " cannot be written",
                    "free some space, or set TMPDIR to another folder");
    }
  }
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    throw Failure(std::string("a pipe cannot be made: ") + std::strerror(errno), "close other programs", kHarness);
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  const std::string log = folder + "/worker.log";
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], kOut);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  // Its own group: Ctrl-C is the driver's to handle, and the whole group dies together.
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  std::vector<std::string> arguments = {Sibling("dlpack-cts-worker"), "--job", folder + "/job.json", "--out",
                                        std::to_string(kOut)};
  std::vector<std::string> variables = Merge(environment);
  const int failed = posix_spawn(&pid_, arguments[0].c_str(), &actions, &attributes, Pointers(arguments).data(),
                                 Pointers(variables).data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  close(ends[1]);
  fd_ = ends[0];
  if (failed != 0) {
    pid_ = 0;
    throw Failure(std::string("the worker cannot be started: ") + std::strerror(failed), "close other programs",
                  kHarness);
  }
}

WorkerProcess::~WorkerProcess() {
  if (fd_ >= 0) close(fd_);
  if (pid_ > 0) {
    Kill();
    Wait();
  }
}

bool WorkerProcess::TakeLine(nlohmann::json* line) {
  for (;;) {
    const size_t end = buffer_.find('\n');
    if (end == std::string::npos) return false;
    const std::string text = buffer_.substr(0, end);
    buffer_.erase(0, end + 1);
    *line = nlohmann::json::parse(text, nullptr, false);
    if (line->is_object() && line->contains("type")) return true;
  }
}

WorkerProcess::Got WorkerProcess::Next(double silence_seconds, int64_t memory_bytes, nlohmann::json* line) {
  const double since = Now();
  for (;;) {
    if (TakeLine(line)) return Got::kLine;
    if (ended_) return Got::kEnd;
    if (g_interrupted != 0) return Got::kInterrupted;
    if (Now() - since > silence_seconds) return Got::kSilence;
    if (ResidentBytes(pid_) > memory_bytes) return Got::kMemory;
    pollfd waiting{fd_, POLLIN, 0};
    // What the worker wrote before its end still lies in the pipe, so the pipe is asked after the process.
    const bool gone = HasEnded();
    if (poll(&waiting, 1, gone ? 0 : 200) <= 0) {
      // A process that the library left behind holds the pipe open for as long as it likes.
      if (gone) ended_ = true;
      continue;
    }
    char chunk[65536];
    const ssize_t n = read(fd_, chunk, sizeof(chunk));
    if (n > 0) buffer_.append(chunk, static_cast<size_t>(n));
    if (n == 0) ended_ = true;
  }
}

bool WorkerProcess::HasEnded() {
  if (!reaped_) reaped_ = waitpid(pid_, &status_, WNOHANG) == pid_;
  return reaped_;
}

std::string WorkerProcess::Wait() {
  while (!reaped_ && waitpid(pid_, &status_, 0) < 0 && errno == EINTR) {
  }
  reaped_ = true;
  if (WIFSIGNALED(status_)) {
    const char* name = sigabbrev_np(WTERMSIG(status_));
    return "killed by " + (name != nullptr ? std::string("SIG") + name : std::to_string(WTERMSIG(status_)));
  }
  return "left the process with exit " + std::to_string(WEXITSTATUS(status_));
}

void WorkerProcess::Kill() { kill(-pid_, SIGKILL); }

BoardHead WorkerProcess::Board() const {
  BoardHead head;
  std::ifstream file(folder_ + "/board", std::ios::binary);
  char bytes[264] = {};
  file.read(bytes, sizeof(bytes));
  if (file.gcount() < static_cast<std::streamsize>(sizeof(bytes)) || std::memcmp(bytes, "DLBD", 4) != 0) return head;
  std::memcpy(&head.case_index, bytes + 8, sizeof(int32_t));
  bytes[sizeof(bytes) - 1] = '\0';
  head.case_id = bytes + 64;
  return head;
}

nlohmann::json WorkerProcess::LastCase(const std::string& case_id) const {
  const Finished finished = RunCommand({Sibling("dlpack-cts-worker"), "--last-case", folder_ + "/job.json"});
  nlohmann::json observation = nlohmann::json::parse(finished.output, nullptr, false);
  const bool same = finished.status == 0 && observation.is_object() && observation.value("case", "") == case_id;
  return same ? observation : nlohmann::json();
}

std::string WorkerProcess::LogTail() const {
  std::ifstream file(folder_ + "/worker.log");
  std::string tail((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  constexpr size_t kKept = 2000;
  return tail.size() > kKept ? tail.substr(tail.size() - kKept) : tail;
}

}  // namespace dlpack_cts::runner
