// worker/snapshot_child.cc: the fork server forks a child, watches it, and finds out how it ended.
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstring>
#include <limits>

#include "adapters/interface/cuda_driver.h"
#include "base/clock.h"
#include "base/memory.h"
#include "harness/case/claims.h"
#include "results/stopwatch.h"
#include "worker/process/foreign_copy.h"
#include "worker/run/trial.h"
#include "worker/snapshot.h"

namespace dlpack_cts::worker {
namespace {

constexpr double kAliveSeconds = 1;
constexpr int kLookMilliseconds = 50;

}  // namespace

Death Snapshot::InChild(double seconds, const std::function<void(const Output&)>& work) {
  std::fflush(nullptr);
  surroundings_.Restore();
  if (!IsIntact(board_)) Clear(board_);
  board_.head.mutant_index = mutant_;
  board_.head.case_index = -1;
  board_.example = -1;
  board_.mute = board_.scribbled = 0;
  board_.thrown[0] = '\0';
  alive_ = done_ = left_ = false;
  began_ = Now();
  Channel channel;
  if (!channel.IsOpen()) {
    output_.Error("the worker cannot create a pipe", "close other programs", strerror(errno));
    _exit(kLeftAlone);
  }
  AnnounceFork(true);
  if (stage_ != nullptr) stage_->driven.subject.runtime().BeforeFork();
  const int child = fork();
  if (child == 0) BeChild(channel, work);
  AnnounceFork(false);
  if (stage_ != nullptr) stage_->driven.subject.runtime().AfterForkInParent();
  if (child < 0) {
    output_.Error("the worker cannot fork", "close other programs, or raise the limit on processes (ulimit -u)",
                  strerror(errno));
    _exit(3);
  }
  channel.KeepReading();
  Death death;
  int status = 0;
  Follow(child, seconds, channel, &death, &status);
  Listen(channel);
  if ((done_ || left_) && WIFEXITED(status) && WEXITSTATUS(status) == 0) {
    stillborn_ = 0;
    return death;
  }
  FillDeath(status, &death);
  stillborn_ = alive_ ? 0 : stillborn_ + 1;
  if (!alive_) last_stillborn_ = death;
  return death;
}

void Snapshot::BeChild(Channel& channel, const std::function<void(const Output&)>& work) {
  AnnounceFork(false);
  if (stage_ != nullptr) stage_->driven.subject.runtime().AfterForkInChild();
  const Output out = channel.ChildEnd();
  to_snapshot_ = &channel;
  // The first import reports to the driver. For a later one only the end of the child counts.
  if (stage_ != nullptr || greeted_) output_.Close();
  board_.head.child = getpid();
  // If the library terminates the fork server, this child must end too: a new worker replaces both.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const auto live = [&] {
    if (!out.Write(nlohmann::json{{"type", "alive"}})) _exit(kMuteExit);
    if (profile_.Claims(Claim::kCuda)) CudaDriver::Open();
    work(out);
    if (!out.Write(nlohmann::json{{"type", "done"}})) {
      board_.mute = 1;
      _exit(kMuteExit);
    }
    _exit(0);  // some libraries abort in their own exit handlers
  };
  if (stage_ != nullptr) live();
  const std::string doing = board_.head.doing;
  _exit(import_([&](const Driven& driven) {
    output_.Close();
    Open(driven);
    PrepareStage();
    SetDoing(board_, doing.c_str());
    live();
  }));
}

void Snapshot::FillDeath(int status, Death* end) const {
  Death& death = *end;
  death.died = true;
  death.stillborn = !alive_;
  if (death.timeout || death.memory || death.traced) return;
  const bool left = WIFEXITED(status);
  death.mute = left && WEXITSTATUS(status) == kMuteExit && board_.mute != 0;
  death.scribbled = (left && WEXITSTATUS(status) == kScribbledExit && board_.scribbled != 0) || !IsIntact(board_);
  if (death.mute || death.scribbled) return;
  death.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  death.status = left ? WEXITSTATUS(status) : 0;
  board_.thrown[sizeof(board_.thrown) - 1] = '\0';
  if (death.signal == SIGABRT) death.thrown = board_.thrown;
}

/// Waits for the child's end, takes its lines, and ends it when it passes a limit.
void Snapshot::Follow(int child, double seconds, Channel& channel, Death* death, int* status) {
  const int watched = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
  // The first import is watched by the driver.
  const double import_limit = greeted_ ? job_.start_seconds : std::numeric_limits<double>::infinity();
  Stopwatch stopwatch(child, stage_ != nullptr ? seconds : import_limit);
  bool open = true;
  for (int ended = 0; (ended = waitpid(child, status, WNOHANG)) == 0 || (ended == child && WIFSTOPPED(*status));) {
    death->traced = death->traced || ended == child;
    pollfd waiting[] = {{open ? channel.fd() : -1, POLLIN, 0}, {watched, POLLIN, 0}};
    poll(waiting, 2, watched >= 0 ? kLookMilliseconds : 1);
    const int before = next_;
    const bool lived = alive_;
    open = open && Listen(channel);
    if (alive_ && !lived) stopwatch.SetLimit(seconds);
    if (next_ != before) stopwatch.SetLimit(LimitOf(next_));
    if (stage_ != nullptr || greeted_) TellAlive();
    const int64_t begun = (int64_t{next_} << 40) + (int64_t{alive_} << 60);
    death->timeout = death->timeout || stopwatch.Passed(board_.head.tick + begun);
    death->memory = death->memory || ResidentBytes(child) > job_.memory_bytes;
    if (death->timeout || death->memory || death->traced) kill(child, SIGKILL);
  }
  if (watched >= 0) close(watched);
}

bool Snapshot::Listen(Channel& channel) {
  std::vector<nlohmann::json> lines;
  const bool open = channel.Receive(&lines);
  for (const nlohmann::json& line : lines) {
    Take(line);
    if (line.value("type", nlohmann::json()) == "observation") channel.SendReceipt();
  }
  return open;
}

/// A case with many slow examples writes nothing for a long time. The driver must not take that for a hang.
void Snapshot::TellAlive() {
  if (Now() - told_ > kAliveSeconds) Write(nlohmann::json{{"type", "alive"}});
}

}  // namespace dlpack_cts::worker
