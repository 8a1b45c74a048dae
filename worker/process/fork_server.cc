// worker/process/fork_server.cc: forks a child, watches it, and finds out how it ended.
#include "worker/process/fork_server.h"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>

#include "base/clock.h"
#include "base/descendants.h"
#include "base/failure.h"
#include "base/memory.h"
#include "base/shortage.h"
#include "harness/recipe/codec.h"
#include "harness/recipe/ops.h"
#include "results/stopwatch.h"
#include "worker/process/foreign_copy.h"
#include "worker/process/lost_threads.h"

namespace dlpack_cts::worker {
namespace {

constexpr double kAliveSeconds = 1;
constexpr double kReapSeconds = 0.1;
constexpr int kLookMilliseconds = 50;

}  // namespace

ChildResult ForkServer::Run(const Task& task) {
  std::fflush(nullptr);
  surroundings_.Restore();
  if (!IsIntact(crash_record_)) Clear(crash_record_);
  crash_record_.head.mutant_index = mutant_;
  crash_record_.head.case_index = -1;
  crash_record_.example = -1;
  crash_record_.mute = crash_record_.scribbled = 0;
  crash_record_.thrown[0] = crash_record_.shortage[0] = '\0';
  Channel channel;
  if (!channel.IsOpen()) throw Shortage("the worker cannot create a pipe", errno);
  kept_ = Children();  // an import may start processes that the library needs
  const std::string threads = forked_.IsOpen() ? OtherThreads() : "";
  const int64_t tick = crash_record_.head.tick;
  AnnounceFork(true);
  forked_.BeforeFork();
  const int child = fork();
  const int failed = errno;
  if (child == 0) BeChild(channel, task);
  AnnounceFork(false);
  forked_.AfterForkInParent();
  if (child < 0) throw Shortage("the worker cannot fork", failed);
  channel.KeepReading();
  ChildResult result;
  Progress progress{.limit = task.seconds};
  kept_.push_back(child);
  const int status = Follow(child, task, channel, progress, result);
  kept_.pop_back();
  EndChildren(kept_);
  if ((progress.done || result.leaving) && WIFEXITED(status) && WEXITSTATUS(status) == 0) {
    result.ending = {};
  } else {
    SetEnding(status, progress.alive, result.ending);
    // A library that waits for a lost thread may do so in any exchange. One that crashes does so in the first.
    const bool first = crash_record_.head.tick <= tick + 1;
    if (result.ending.end == End::kTimeout || first) result.ending.lost_threads = threads;
    if (!progress.alive) last_stillborn_ = result.ending;
  }
  if (result.ending.end == End::kShortage) result.shortage = ShortageOfChild();
  if (result.shortage && task.listen == nullptr) throw *result.shortage;
  stillborn_ = result.ending.stillborn ? stillborn_ + 1 : 0;
  result.remains = RemainsIn(crash_record_);
  if (result.ending.end == End::kTimeout && !task.search) TellHang(threads, result.remains);
  return result;
}

void ForkServer::Write(const nlohmann::json& line) {
  if (!output_.Write(line)) throw Failure("the driver has gone", "", kHarness);
  told_ = Now();
}

void ForkServer::EndAs(const Ending& ending) const {
  SetDoing(crash_record_, "importing");
  const bool stopped = ending.end == End::kTimeout || ending.end == End::kMemory;
  const bool by_signal = ending.end == End::kSignal || ending.end == End::kThrew;
  if (stopped || by_signal) {
    const int signal = stopped ? SIGKILL : ending.code;
    std::signal(signal, SIG_DFL);
    raise(signal);
  }
  _exit(ending.code);
}

Failure ForkServer::ShortageOfChild() const {
  const std::string text(crash_record_.shortage, strnlen(crash_record_.shortage, sizeof(crash_record_.shortage)));
  const size_t end = std::min(text.find('\n'), text.size());
  return Failure(text.substr(0, end), text.substr(std::min(end + 1, text.size())));
}

void ForkServer::SetMutant(int index) {
  mutant_ = index;
  if (index >= 0) hangs_.Forget();
  crash_record_.head.mutant_index = index;
  crash_record_.head.case_index = -1;
}

void ForkServer::BeChild(Channel& channel, const Task& task) {
  AnnounceFork(false);
  forked_.AfterForkInChild();
  const Output out = channel.ChildEnd();
  // The driver waits for the result of the first import. For a later one only the end of the child counts.
  if (IsHeardHere()) output_.Close();
  crash_record_.head.child = getpid();
  // If the library terminates the fork server, this child must end too: a new worker replaces both.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const auto live = [&] {
    SetShortageHandler([this](const Failure& failure) {
      // The library is to blame if it lowered a limit.
      if (!surroundings_.Restore().empty()) return;
      const std::string text = failure.what() + ("\n" + failure.hint());
      std::snprintf(crash_record_.shortage, sizeof(crash_record_.shortage), "%s", text.c_str());
      _exit(kShortageExit);
    });
    if (!out.Write(nlohmann::json{{"type", "alive"}})) _exit(kMuteExit);
    forked_.Begin();
    task.work({out, channel});
    if (!out.Write(nlohmann::json{{"type", "done"}})) {
      crash_record_.mute = 1;
      _exit(kMuteExit);
    }
    _exit(0);  // some libraries abort in their own exit handlers
  };
  if (forked_.IsOpen()) live();
  const std::string doing = crash_record_.head.doing;
  const auto import = [&] {
    forked_.Import([&] {
      output_.Close();
      SetDoing(crash_record_, doing.c_str());
      live();
    });
  };
  const std::optional<Failure> failure = FailureOf(import);
  _exit(failure ? output_.Report(*failure) : kHarness);
}

void ForkServer::SetEnding(int status, bool alive, Ending& ending) const {
  ending.stillborn = !alive;
  if (ending.Crashed()) return;  // the child was stopped
  const bool left = WIFEXITED(status);
  const auto left_with = [&](int wanted) { return left && WEXITSTATUS(status) == wanted; };
  crash_record_.thrown[sizeof(crash_record_.thrown) - 1] = '\0';
  if (left_with(kMuteExit) && crash_record_.mute != 0) {
    ending.end = End::kMute;
  } else if ((left_with(kScribbledExit) && crash_record_.scribbled != 0) || !IsIntact(crash_record_)) {
    ending.end = End::kScribbled;
  } else if (left_with(kShortageExit) && crash_record_.shortage[0] != '\0') {
    ending.end = End::kShortage;
  } else if (WIFSIGNALED(status)) {
    ending.code = WTERMSIG(status);
    if (ending.code == SIGABRT) ending.thrown = crash_record_.thrown;
    ending.end = ending.thrown.empty() ? End::kSignal : End::kThrew;
  } else {
    ending.end = End::kExit;
    ending.code = left ? WEXITSTATUS(status) : 0;
  }
}

/// Waits for the child's end, reads its lines, and ends it if it exceeds a limit. Returns its wait status.
int ForkServer::Follow(int child, const Task& task, Channel& channel, Progress& progress, ChildResult& result) {
  const int watched = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
  // The driver watches the first import.
  const double import_limit = greeted_ ? limits_.start_seconds : std::numeric_limits<double>::infinity();
  Stopwatch stopwatch(child, forked_.IsOpen() ? progress.limit : import_limit);
  End& end = result.ending.end;
  int status = 0;
  for (int ended = 0; (ended = waitpid(child, &status, WNOHANG)) == 0 || (ended == child && WIFSTOPPED(status));) {
    const bool traced = ended == child;
    pollfd waiting[] = {{progress.open ? channel.fd() : -1, POLLIN, 0}, {watched, POLLIN, 0}};
    poll(waiting, 2, watched >= 0 ? kLookMilliseconds : 1);
    if (progress.open) Listen(task, channel, progress, result);
    const Op op = StepAtEnd(crash_record_.recipe, crash_record_.ledger);
    const double longest = crash_record_.longest[HasTrait(op, OpTrait::kTakesLong) ? 1 : 0];
    const double limit = hangs_.LimitIn(op, progress.limit, longest, task.patient);
    if (progress.alive) stopwatch.SetLimit(limit);
    if (IsHeardHere()) TellAlive();
    if (Now() - reaped_ > kReapSeconds) {
      ReapChildren(kept_);
      reaped_ = Now();
    }
    // The limit of a step that is known to hang is for the step alone.
    const int64_t step = hangs_.Knows(op) ? (static_cast<int64_t>(op) + 1) << 32 : 0;
    const int64_t begun = (progress.begun << 40) + (int64_t{progress.alive} << 60) + step;
    const bool late = stopwatch.Passed(crash_record_.head.tick + crash_record_.example + begun);
    if (end == End::kDone && late) {
      end = End::kTimeout;
      result.ending.hurried = progress.alive && limit < progress.limit;
      if (progress.alive && !task.search) hangs_.Add(op, !result.ending.hurried);
    }
    if (end == End::kDone && ResidentBytes(child) > limits_.memory_bytes) end = End::kMemory;
    if (end == End::kDone && traced) end = End::kTraced;
    if (end != End::kDone) kill(child, SIGKILL);
  }
  if (watched >= 0) close(watched);
  Listen(task, channel, progress, result);
  return status;
}

void ForkServer::Listen(const Task& task, Channel& channel, Progress& progress, ChildResult& result) {
  std::vector<nlohmann::json> lines;
  progress.open = channel.Receive(&lines);
  for (nlohmann::json& line : lines) {
    const auto type = line.find("type");
    if (type == line.end() || !type->is_string()) continue;
    const bool observation = *type == "observation";
    progress.alive = progress.alive || *type == "alive";
    progress.done = progress.done || *type == "done";
    result.leaving = result.leaving || *type == "leaving";
    if (task.listen == nullptr) {
      result.lines.push_back(std::move(line));
    } else if (const std::optional<double> limit = task.listen(line)) {
      progress.limit = *limit;
      ++progress.begun;
    }
    if (observation) channel.SendReceipt();
  }
}

/// A case with many slow examples writes nothing for a long time. The driver must not treat that as a hang.
void ForkServer::TellAlive() {
  if (Now() - told_ > kAliveSeconds) Write(nlohmann::json{{"type", "alive"}});
}

/// The driver finds out whether a hang is due to the fork, which took those threads from the library.
void ForkServer::TellHang(const std::string& threads, const std::optional<Remains>& remains) {
  if (hang_told_ || !greeted_ || (forked_.IsOpen() && threads.empty())) return;
  hang_told_ = true;
  const std::string exchange = remains ? ToJson(remains->recipe) : "probe " + std::to_string(crash_record_.probe);
  Write({{"type", "hangs"}, {"threads", threads}, {"exchange", exchange}});
}

}  // namespace dlpack_cts::worker
