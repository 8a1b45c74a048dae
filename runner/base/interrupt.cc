// runner/base/interrupt.cc: signal handlers, and what a second interrupt removes.
#include "runner/base/interrupt.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <thread>

#include "base/clock.h"
#include "base/failure.h"
#include "results/whole_file.h"

namespace dlpack_cts::runner {
namespace {

constexpr int kPlaces = 128;  // more at the same time are not registered: the kernel kills workers with their driver
constexpr size_t kPath = 512;
constexpr int64_t kOneInterrupt = 500'000'000;  // ns: `timeout` sends SIGTERM to the process and to its group

// Only what a signal handler may access.
std::atomic<int64_t> g_interrupted{0};  // when the first signal came, in ns of CLOCK_MONOTONIC; 0: none
std::atomic<int> g_starting{0};         // processes whose group is not registered yet
std::atomic<bool> g_ends{false};        // a second interrupt came while a process was being started
std::atomic<int> g_groups[kPlaces];
std::atomic<double> g_end{0};  // of the run's time limit, as Now() counts; 0: none
struct Folder {
  std::atomic<int> state;  // 0 free, 1 being filled, 2 filled
  char job[kPath];
  char board[kPath];
  char path[kPath];
};
Folder g_folders[kPlaces];
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<int64_t>::is_always_lock_free);

void EndAtOnce() {
  for (int i = 0; i < kPlaces; ++i) {
    if (g_groups[i].load() > 0) kill(-g_groups[i].load(), SIGTERM);
  }
  for (const Folder& folder : g_folders) {
    if (folder.state.load() != 2) continue;
    unlink(folder.job);
    unlink(folder.board);
    rmdir(folder.path);
  }
  _exit(kInterrupted);
}

void OnInterrupt(int number) {
  const int kept = errno;
  timespec clock{};
  clock_gettime(CLOCK_MONOTONIC, &clock);
  const int64_t now = int64_t{clock.tv_sec} * 1'000'000'000 + clock.tv_nsec;
  int64_t first = 0;
  const bool is_first = g_interrupted.compare_exchange_strong(first, now);
  if (!is_first && now - first > kOneInterrupt && number != SIGHUP) {
    g_ends = true;
    if (g_starting.load() == 0) EndAtOnce();
  }
  errno = kept;
}

void EndStart() {
  if (g_starting.fetch_sub(1) == 1 && g_ends.load()) EndAtOnce();
}

}  // namespace

void EndAfter(double seconds) { g_end = Now() + seconds; }

bool IsOutOfTime() { return g_end.load() > 0 && Now() >= g_end.load(); }

double SecondsLeft() { return g_end.load() > 0 ? std::max(1e-3, g_end.load() - Now()) : 0; }

bool MustEnd() { return Interrupted() || IsOutOfTime(); }

bool Interrupted() { return g_interrupted.load() != 0; }

bool IsAboutToBeInterrupted() {
  constexpr double kMoment = 0.5;
  const double end = Now() + kMoment;
  while (!Interrupted() && Now() < end) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  return Interrupted();
}

void CatchInterrupts() {
  EndReadsIf(Interrupted);
  struct sigaction action{};
  action.sa_handler = OnInterrupt;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGQUIT, &action, nullptr);
  struct sigaction hangup{};
  sigaction(SIGHUP, nullptr, &hangup);
  if (hangup.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
  // A failed write is detected by its errno. The worker would inherit SIG_IGN, but not a handler.
  action.sa_handler = [](int) {};
  sigaction(SIGPIPE, &action, nullptr);
  sigaction(SIGXFSZ, &action, nullptr);
}

GroupAtRisk::GroupAtRisk() : slot_(kPlaces) { ++g_starting; }

void GroupAtRisk::Started(int group) {
  for (slot_ = 0; slot_ < kPlaces; ++slot_) {
    int free = 0;
    if (g_groups[slot_].compare_exchange_strong(free, group)) break;
  }
  starting_ = false;
  EndStart();
}

GroupAtRisk::~GroupAtRisk() {
  if (slot_ < kPlaces) g_groups[slot_] = 0;
  if (starting_) EndStart();
}

FolderAtRisk::FolderAtRisk(const std::string& path) : slot_(0) {
  if (path.size() + sizeof("/job.json") > kPath) slot_ = kPlaces;
  for (; slot_ < kPlaces; ++slot_) {
    Folder& folder = g_folders[slot_];
    int free = 0;
    if (!folder.state.compare_exchange_strong(free, 1)) continue;
    std::strcpy(folder.path, path.c_str());
    std::strcpy(folder.job, (path + "/job.json").c_str());
    std::strcpy(folder.board, (path + "/board").c_str());
    folder.state = 2;
    return;
  }
}

FolderAtRisk::~FolderAtRisk() {
  if (slot_ < kPlaces) g_folders[slot_].state = 0;
}

}  // namespace dlpack_cts::runner
