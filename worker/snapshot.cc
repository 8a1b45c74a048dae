// worker/snapshot.cc: forks children that run the cases, and gives the case that killed one its verdict.
#include "worker/snapshot.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstring>

#include "harness/case/case.h"
#include "harness/ledger/facts.h"
#include "harness/recipe/shrink.h"
#include "mutants/mutant.h"
#include "worker/case_runner.h"
#include "worker/death.h"
#include "worker/gtest_run.h"
#include "worker/probe.h"

namespace dlpack_cts {
namespace {

constexpr double kShrinkSeconds = 5;
constexpr int kShrinkRuns = 60;  // of one killing input
constexpr int kLeftAlone = 3;
constexpr double kHostileShare = 0.2;  // of the limit, for garbage that hangs: nobody is asked to survive it

/// Resident bytes of a process, or 0 when it is gone.
int64_t Resident(int pid) {
  std::FILE* file = std::fopen(fmt::format("/proc/{}/statm", pid).c_str(), "re");
  if (file == nullptr) return 0;
  long long size = 0;
  long long resident = 0;
  const int fields = std::fscanf(file, "%lld %lld", &size, &resident);
  std::fclose(file);
  return fields == 2 ? resident * sysconf(_SC_PAGESIZE) : 0;
}

/// What a pair can do: the one makes arrays, the other one does everything that a consumer does with them.
Profile PairOf(const Profile& producer, const Profile& consumer) {
  constexpr Claim kOfProducer[] = {Claim::kProducer, Claim::kReadOnly, Claim::kOddities, Claim::kCuda};
  Profile pair = consumer;
  for (const Claim claim : kOfProducer) {
    const uint32_t bit = 1u << static_cast<uint32_t>(claim);
    pair.claims = (pair.claims & ~bit) | (producer.claims & bit);
  }
  pair.makes_legacy = producer.makes_legacy;
  pair.makes_versioned = producer.makes_versioned;
  pair.makes_dtypes = producer.makes_dtypes;
  pair.takes_keywords = producer.takes_keywords;
  return pair;
}

}  // namespace

Snapshot::Snapshot(const Job& job, Subject& subject, Subject* partner, Board& board, const Output& output)
    : job_(job),
      subject_(subject),
      board_(board),
      output_(output),
      partner_(partner),
      engine_(subject, partner != nullptr ? *partner : subject) {}

int Snapshot::Run() {
  // A library that ignored this signal would hide from us how its children end.
  signal(SIGCHLD, SIG_DFL);
  Forge::InstallFaultHandler();
  const int count = static_cast<int>(job_.mutants.size());
  for (int mutant = count == 0 ? -1 : 0; mutant < count; ++mutant) {
    Prepare(mutant);
    if (mutant <= 0) {
      const SubjectInfo info = subject_.Info();
      nlohmann::json hello{
          {"type", "hello"}, {"library_version", info.version}, {"interpreter", info.interpreter}, {"pid", getpid()}};
      if (partner_ != nullptr) hello["partner_version"] = partner_->Info().version;
      Write(hello);
    }
    if (board_.probed == 0) Probe();
    RunCases(mutant);
  }
  Write(nlohmann::json{{"type", "bye"}});
  return 0;
}

void Snapshot::Write(const nlohmann::json& line) {
  // Without a driver nobody is left to work for.
  if (!output_.Write(line)) _exit(kLeftAlone);
}

void Snapshot::Prepare(int mutant) {
  mutant_ = mutant < 0 ? std::string() : job_.mutants[static_cast<size_t>(mutant)];
  board_.mutant_index = mutant;
  board_.case_index = -1;
  board_.written = -1;
  unshrunk_ = -1;
  if (mutant > 0) board_.probed = 0;
  if (mutant < 0) return;
  for (Subject* subject : {&subject_, partner_}) {
    Reference* const instance = subject != nullptr ? subject->AsReference() : nullptr;
    if (instance != nullptr) Activate(mutant_.empty() ? nullptr : FindMutant(mutant_), *instance);
  }
}

void Snapshot::Probe() {
  if (partner_ == nullptr || !job_.pair.has_value()) {
    ProbeOne(subject_, job_.subject);
  } else {
    ProbeOne(*partner_, *job_.pair);
    const Profile consumer = board_.profile;
    ProbeOne(subject_, job_.subject);
    board_.profile = PairOf(board_.profile, consumer);
  }
  board_.probed = 1;
}

void Snapshot::ProbeOne(Subject& subject, const SubjectSource& source) {
  Engine engine(subject);
  // Where a worker died in a probe, its successor goes on behind that probe.
  if (board_.probe == 0) board_.profile = Profile{};
  board_.profile.claims = source.claims;
  if (subject.IsPython()) board_.profile.claims |= 1u << static_cast<uint32_t>(Claim::kPython);
  if (!job_.fork) RunProbes(subject, engine, board_);
  while (board_.probe < ProbeCount()) {
    const Death death = InChild(job_.case_seconds, [this, &subject, &engine] { RunProbes(subject, engine, board_); });
    // The probe that killed the child counts as "no": what it asked for is not offered to this subject.
    if (death.died) ++board_.probe;
  }
  board_.probe = 0;
  if (board_.complaint[0] == '\0') return;
  output_.Error(board_.complaint, "docs/adapters.md lists the functions of an adapter and what they return", "");
  _exit(2);
}

void Snapshot::RunCases(int mutant) {
  (void)mutant;
  const int count = static_cast<int>(job_.cases.size());
  if (!job_.fork) {
    RunCasesHere(0);
    return;
  }
  int next = 0;
  while (next < count) {
    board_.case_index = next - 1;
    const double started = Now();
    const Death death = InChild(job_.case_seconds, [this, next] { RunCasesHere(next); });
    if (!death.died) return;
    // A death before the first case (board still behind) is that case's own: it did not come to run. One after a case
    // whose observation is out (a thread of the library, say) is the next case's: no case has two lines.
    if (board_.case_index < next || board_.case_index == board_.written) {
      board_.case_index = std::max(next, board_.written + 1);
      board_.example = -1;
      if (board_.case_index >= count) return;
    }
    if (board_.shrinking != 0 && unshrunk_ != board_.case_index) {
      // Something smaller than the breach that was found kills. The same again, and the breach is reported as it is.
      unshrunk_ = board_.case_index;
      next = unshrunk_;
      continue;
    }
    const double seconds = Now() - std::max(started, board_.started);
    ShrinkDeath(death);
    Report(death, seconds);
    next = board_.case_index + 1;
  }
}

void Snapshot::RunCasesHere(int first) {
  Trial trial(engine_, board_);
  CaseRunner runner(trial, board_, subject_, job_);
  const auto run = [&](int index, const Case& tested) {
    board_.example = 0;
    std::snprintf(board_.case_id, sizeof(board_.case_id), "%.*s", static_cast<int>(tested.id.size()), tested.id.data());
    board_.started = Now();
    board_.hostile = tested.hostile ? 1 : 0;
    board_.case_index = index;
    Observation observation = runner.Run(tested, job_.replay, index != unshrunk_);
    observation.mutant = mutant_;
    if (!output_.Write(observation)) {
      board_.mute = 1;
      _exit(kLeftAlone);
    }
    board_.written = index;
    return observation;
  };
  RunWithGoogleTest(job_.cases, first, run);
}

template <typename Work>
Death Snapshot::InChild(double seconds_per_case, Work work) {
  std::fflush(nullptr);
  board_.finished = 0;
  board_.mute = 0;
  board_.started = Now();
  subject_.BeforeFork();
  const int child = fork();
  if (child == 0) {
    subject_.AfterForkInChild();
    board_.child = getpid();
    // A library that kills the snapshot must not live on beside the process that takes the snapshot's place.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    work();
    board_.finished = 1;
    _exit(0);  // some libraries abort in their own exit handlers
  }
  subject_.AfterForkInParent();
  if (child < 0) {
    output_.Error("the worker cannot fork", "close other programs, or raise the limit of processes", strerror(errno));
    _exit(3);
  }
  return Watch(child, seconds_per_case);
}

Death Snapshot::Watch(int child, double seconds_per_case) {
  const int watched = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
  Death death;
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (watched >= 0) {
      pollfd poll_for{watched, POLLIN, 0};
      poll(&poll_for, 1, 50);
    } else {
      usleep(1000);
    }
    const double limit = seconds_per_case * (board_.hostile != 0 ? kHostileShare : 1);
    death.timeout = death.timeout || Now() - board_.started > limit;
    death.memory = death.memory || Resident(child) > job_.memory_bytes;
    if (death.timeout || death.memory) kill(child, SIGKILL);
  }
  if (watched >= 0) close(watched);
  if (WIFEXITED(status) && board_.finished == 1) return Death{};
  death.died = true;
  death.mute = board_.mute != 0;
  if (!death.timeout && !death.memory && !death.mute) {
    death.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    death.status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  }
  return death;
}

void Snapshot::ShrinkDeath(const Death& death) {
  // The recipe on the board is the one that killed. A hang costs its whole limit at each try, so it is not shrunk.
  const Case* tested = FindCase(job_.cases[static_cast<size_t>(board_.case_index)]);
  if (job_.verdicts_only || death.timeout || death.memory || death.mute || tested == nullptr || board_.example < 0)
    return;
  const double until = Now() + kShrinkSeconds;
  const int32_t examples = board_.example;
  const int32_t case_index = board_.case_index;
  Recipe smallest = board_.recipe;
  Ledger ledger = board_.ledger;
  int runs = kShrinkRuns;
  bool smaller = true;
  while (smaller) {
    smaller = false;
    for (const Recipe& candidate : ShrinkCandidates(smallest)) {
      if (runs-- <= 0 || Now() > until) break;
      const Death again = InChild(job_.case_seconds, [&] {
        Trial trial(engine_, board_);
        trial.Run(*tested, candidate);
      });
      if (!again.SameAs(death)) continue;
      smallest = board_.recipe;
      ledger = board_.ledger;
      smaller = true;
      break;
    }
  }
  board_.recipe = smallest;
  board_.ledger = ledger;
  board_.example = examples;
  board_.case_index = case_index;
}

void Snapshot::Report(const Death& death, double seconds) {
  Observation observation = ObservationOf(death, board_, job_);
  observation.seconds = seconds;
  nlohmann::json line = ToJson(observation);
  line["type"] = "observation";
  output_.EndLine();  // the child may have died in the middle of its own line
  Write(line);
}

}  // namespace dlpack_cts
