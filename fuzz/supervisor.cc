// fuzz/supervisor.cc: starts jobs, watches them, and reports their findings.
#include "fuzz/supervisor.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <new>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/child.h"
#include "base/descendants.h"
#include "base/failure.h"
#include "base/memory.h"
#include "fuzz/job_log.h"
#include "fuzz/keep.h"

namespace dlpack_cts::fuzz {
namespace {

constexpr int kNothing = 0;
constexpr int kFound = 1;

constexpr int kTickMilliseconds = 50;
constexpr double kStartSeconds = 60;  // to import the library
constexpr double kStuckSeconds = 2;   // an exchange that has run longer than this when the campaign ends is a finding
constexpr double kGraceSeconds = 1;   // for jobs to end by themselves, and to write reports

struct Job {
  pid_t pid = -1;  // -1 after it has ended
  Board* board = nullptr;
  JobLog log;
  std::string killed_for;  // why the supervisor killed it: "timeout" or "oom"
  std::string why;         // the reason as text
};

struct Found {
  std::string what;
  std::string input;
  std::string replay;
};

volatile std::sig_atomic_t g_stop = 0;
void Stop(int) { g_stop = 1; }

[[noreturn]] void Leave(int status) {
  std::fflush(nullptr);
  _exit(status);
}

class Supervisor {
 public:
  explicit Supervisor(const Campaign& campaign) : campaign_(campaign) {}

  /// True in a job, whose board is the last one. False in the supervisor when all jobs were started.
  bool Start();
  Board& board() { return *jobs_.back().board; }
  [[noreturn]] void Watch();

 private:
  bool StartOne();
  void BecomeJob(int words);
  void Tick();
  void Limit(Job& job, double now);
  void Kill(Job& job, std::string kind, std::string why);
  void Reap(Job& job);
  void Ended(Job& job, const ChildEnd& end);
  void EndJobs();
  void Keep(Job& job, const char* kind, const std::string& what);
  void ReadReport(const Job& job);
  std::string SeeLog() const { return "its output is in " + campaign_.out + "/fuzz.log"; }
  std::vector<pid_t> Running() const;
  uint64_t Sum(std::atomic<uint64_t> Board::* counter) const;
  [[noreturn]] void Finish();

  const Campaign& campaign_;
  std::vector<Job> jobs_;
  std::vector<Found> found_;
  std::optional<Failure> trouble_;  // why the campaign could not continue
  int log_file_ = -1;
  double started_ = 0;
  double ready_ = 0;  // when the first job started to fuzz; 0 before
  double ended_ = 0;
};

bool Supervisor::Start() {
  const std::string log = campaign_.out + "/fuzz.log";
  log_file_ = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (log_file_ < 0)
    throw Failure(fmt::format("{} cannot be written: {}", log, strerror(errno)), "choose another folder with --out");
  started_ = Now();
  for (int i = 0; i < campaign_.jobs; ++i) {
    if (StartOne()) return true;
  }
  return false;
}

bool Supervisor::StartOne() {
  void* memory = mmap(nullptr, sizeof(Board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  int ends[2];
  if (memory == MAP_FAILED || pipe2(ends, O_CLOEXEC) != 0) {
    EndJobs();
    throw Failure(fmt::format("job {} cannot be started: {}", jobs_.size() + 1, strerror(errno)), "use fewer --jobs");
  }
  Job& job = jobs_.emplace_back();
  job.board = new (memory) Board{};
  std::fflush(nullptr);
  job.pid = fork();
  if (job.pid == 0) {
    BecomeJob(ends[1]);
    return true;
  }
  const int reason = errno;
  close(ends[1]);
  if (job.pid < 0) {
    EndJobs();
    throw Failure(fmt::format("job {} cannot be started: {}", jobs_.size(), strerror(reason)), "use fewer --jobs");
  }
  setpgid(job.pid, job.pid);  // the job calls it too, in case it runs first
  job.log.Follow(ends[0], log_file_, jobs_.size() == 1);
  return false;
}

void Supervisor::BecomeJob(int words) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setpgid(
      0, 0);  // Ctrl-C reaches only the supervisor, and a signal that a library sends to its group reaches only the job
  for (const int signal : {SIGINT, SIGTERM, SIGQUIT, SIGHUP, SIGPIPE}) std::signal(signal, SIG_DFL);
  dup2(words, STDOUT_FILENO);
  dup2(words, STDERR_FILENO);
}

void Supervisor::Watch() {
  while (!Running().empty() && found_.empty() && !trouble_ && g_stop == 0) {
    Tick();
    const bool over = ready_ != 0 && Now() >= ready_ + campaign_.seconds + kGraceSeconds;
    if (over) break;
  }
  ended_ = Now();
  EndJobs();
  Finish();
}

void Supervisor::Tick() {
  std::vector<pollfd> words;
  for (const Job& job : jobs_) words.push_back({job.log.descriptor(), POLLIN, 0});
  poll(words.data(), words.size(), kTickMilliseconds);
  const double now = Now();
  for (Job& job : jobs_) {
    job.log.Read(job.board->stage == Stage::kStarting);
    if (job.pid < 0) continue;
    if (ready_ == 0 && job.board->stage != Stage::kStarting) ready_ = now;
    Limit(job, now);
    Reap(job);
  }
  ReapChildren(Running());
}

void Supervisor::Limit(Job& job, double now) {
  if (!job.killed_for.empty()) return;
  const double began = job.board->began;
  if (job.board->stage == Stage::kStarting && now > started_ + kStartSeconds) {
    trouble_ = Failure(fmt::format("{} was not ready after {:.0f} s", campaign_.library, kStartSeconds), SeeLog());
  } else if (job.board->stage == Stage::kFuzzing && began != 0 && now > began + campaign_.timeout) {
    Kill(job, "timeout", fmt::format("one exchange took more than {} s", campaign_.timeout));
  } else if (ResidentBytes(job.pid) >> 20 > campaign_.memory) {
    Kill(job, "oom", fmt::format("the process used more than {} MiB of memory", campaign_.memory));
  }
}

void Supervisor::Kill(Job& job, std::string kind, std::string why) {
  job.killed_for = std::move(kind);
  job.why = std::move(why);
  kill(-job.pid, SIGKILL);
  kill(job.pid, SIGKILL);
}

void Supervisor::Reap(Job& job) {
  if (job.pid < 0) return;
  const std::optional<ChildEnd> end = EndOf(job.pid);
  if (!end) return;
  kill(-job.pid, SIGKILL);  // processes that the library left running
  job.pid = -1;
  job.log.Read(job.board->stage == Stage::kStarting);
  Ended(job, *end);
}

/// Decides what the end of a job means. It needs the board, not only the status: a library may call exit(0).
void Supervisor::Ended(Job& job, const ChildEnd& end) {
  const Stage stage = job.board->stage;
  const bool exited = end.how == ChildEnd::How::kExited;
  const std::string how = exited ? fmt::format("it exited with status {}", end.code) : std::string(strsignal(end.code));
  // If the library crashes while the recipe is minimised, the finding is still valid.
  if (stage == Stage::kReported || stage == Stage::kReporting) return ReadReport(job);
  if (stage == Stage::kDone && end == ChildEnd{}) return;
  if (stage == Stage::kDone) {
    trouble_ = Failure("libFuzzer failed: " + how, SeeLog(), kHarness);
  } else if (stage == Stage::kStarting) {
    const bool said = exited && end.code == kUsage && &job == jobs_.data();
    trouble_ = Failure(said ? "" : fmt::format("{} could not be opened: {}", campaign_.library, how), SeeLog());
  } else if (!job.killed_for.empty()) {
    const std::string verdict = job.killed_for == "oom" ? "CRASH" : "TIMEOUT";
    Keep(job, job.killed_for.c_str(), verdict + ": " + job.why);
  } else {
    Keep(job, "crash", "CRASH: the library ended the process during an exchange: " + how);
  }
}

void Supervisor::Keep(Job& job, const char* kind, const std::string& what) {
  const std::string path = KeepInput(campaign_.out, kind, job.board->Input());
  if (path.empty()) {
    trouble_ =
        Failure(fmt::format("a failing input cannot be written to {}: {} ({})", campaign_.out, strerror(errno), what),
                "free some space, or choose another folder with --out");
  }
  found_.push_back({what, path, path});
}

void Supervisor::ReadReport(const Job& job) {
  const std::string input = campaign_.out + "/" + KeptName("crash", job.board->Input());
  const std::string report = input + ".json";
  std::ifstream file(report);
  const nlohmann::json finding = nlohmann::json::parse(file, nullptr, false);
  if (!finding.is_object()) {
    found_.push_back({"a violated rule; details are in " + campaign_.out + "/fuzz.log", input, input});
    return;
  }
  const auto text = [&](const char* key) { return Printable(finding.value(key, std::string())); };
  found_.push_back({text("verdict") + " " + text("rule") + ": " + text("message"), input, report});
}

/// Ends the running jobs. A job that writes a report gets time for it, and a stuck exchange is a finding.
void Supervisor::EndJobs() {
  const double until = Now() + kGraceSeconds;
  const auto reporting = [](const Job& job) { return job.pid >= 0 && job.board->stage == Stage::kReporting; };
  while (Now() < until && std::any_of(jobs_.begin(), jobs_.end(), reporting)) Tick();
  for (Job& job : jobs_) {
    Reap(job);
    if (job.pid < 0) continue;
    const double began = job.board->began;
    const double age = began == 0 ? 0 : Now() - began;
    const Stage stage = job.board->stage;
    Kill(job, "", "");
    WaitFor(job.pid);
    job.pid = -1;
    job.log.Read(false);
    if (stage == Stage::kReporting) {
      ReadReport(job);
    } else if (stage == Stage::kFuzzing && age >= kStuckSeconds) {
      Keep(job, "timeout", fmt::format("TIMEOUT: an exchange had run for {:.0f} s when the campaign ended", age));
    }
  }
  EndChildren({});
}

std::vector<pid_t> Supervisor::Running() const {
  std::vector<pid_t> running;
  for (const Job& job : jobs_) {
    if (job.pid >= 0) running.push_back(job.pid);
  }
  return running;
}

uint64_t Supervisor::Sum(std::atomic<uint64_t> Board::* counter) const {
  uint64_t sum = 0;
  for (const Job& job : jobs_) sum += job.board->*counter;
  return sum;
}

void Supervisor::Finish() {
  const uint64_t exchanges = Sum(&Board::exchanges);
  const double elapsed = ready_ == 0 ? 0 : ended_ - ready_;
  if (const uint64_t known = Sum(&Board::known); known > 0) {
    std::fprintf(stderr, "dlpack-cts: %s exchanges showed known deviations\n", std::to_string(known).c_str());
  }
  if (exchanges > 0 && elapsed > 0) {
    std::printf("%s exchanges in %.1f s, %.0f per second\n", std::to_string(exchanges).c_str(), elapsed,
                static_cast<double>(exchanges) / elapsed);
  }
  for (const Found& one : found_) {
    std::printf("found: %s\n", one.what.c_str());
    if (!one.input.empty())
      std::printf("  input:  %s\n  replay: dlpack-cts replay %s\n", one.input.c_str(), one.replay.c_str());
  }
  const bool said = trouble_ && *trouble_->what() == '\0';  // the job itself said why
  if (trouble_ && !said) std::fputs(Printed(*trouble_).c_str(), stderr);
  if (g_stop != 0) Leave(kInterrupted);
  if (trouble_) Leave(trouble_->status());
  if (!found_.empty()) Leave(kFound);
  std::printf("nothing found\n");
  Leave(kNothing);
}

}  // namespace

Board& StartJobs(const Campaign& campaign) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const int signal : {SIGINT, SIGTERM, SIGQUIT, SIGHUP}) std::signal(signal, Stop);
  std::signal(SIGPIPE, SIG_IGN);
  AdoptDescendants();
  // Never destroyed: it ends the process itself, and a job continues to use its board.
  auto* supervisor = new Supervisor(campaign);
  if (supervisor->Start()) return supervisor->board();
  supervisor->Watch();
}

}  // namespace dlpack_cts::fuzz
