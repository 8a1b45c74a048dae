// worker/session.cc: the life of a worker process.
#include "worker/session.h"

#include <unistd.h>

#include <csignal>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/failure.h"
#include "engine/cuda_driver.h"
#include "harness/choices/choice.h"
#include "harness/ledger/fact_table.h"
#include "worker/diagnose/diagnosis.h"
#include "worker/probe/profile_words.h"
#include "worker/process/foreign_copy.h"
#include "worker/process/thrown.h"
#include "worker/schedule.h"

namespace dlpack_cts::worker {

Session::Session(const Job& job, const Process& process, Importer import, NextJob next_job)
    : setup_{job, process.crash_record, process.output, process.surroundings, nullptr, {}, {}, {}},
      at_fork_(process.at_fork),
      import_(std::move(import)),
      next_job_(std::move(next_job)),
      server_(process.crash_record, process.output, process.surroundings, *this, {job.start_seconds, job.memory_bytes},
              MapHangTable(job.hangs)),
      prober_(setup_, server_),
      processes_(setup_, server_) {}

void Session::Run() {
  if (!setup_.job.fork) return RunJobs();
  import_([this](const Subjects& subjects) {
    Open(subjects);
    RunJobs();
  });
}

void Session::BeforeFork() {
  if (IsOpen()) return setup_.libraries->subjects.subject.runtime().BeforeFork();
  if (at_fork_ != nullptr) at_fork_(ForkStage::kBefore);
}

void Session::AfterForkInParent() {
  if (IsOpen()) return setup_.libraries->subjects.subject.runtime().AfterForkInParent();
  if (at_fork_ != nullptr) at_fork_(ForkStage::kInParent);
}

void Session::AfterForkInChild() {
  if (IsOpen()) return setup_.libraries->subjects.subject.runtime().AfterForkInChild();
  if (at_fork_ != nullptr) at_fork_(ForkStage::kInChild);
}

void Session::RunJobs() {
  // If the library ignores this signal, waitpid() cannot tell how a child ended.
  signal(SIGCHLD, SIG_DFL);
  WatchForks(setup_.crash_record);
  // Made once here, not in each child.
  static_cast<void>(FactRows());
  static_cast<void>(Choices());
  do {
    RunMutants();
    // No case runs between two jobs.
    setup_.crash_record.head.case_index = -1;
    server_.Write(nlohmann::json{{"type", "bye"}});
  } while (next_job_());
}

void Session::RunMutants() {
  const Job& job = setup_.job;
  const int count = static_cast<int>(job.mutants.size());
  for (int mutant = count == 0 ? -1 : 0; mutant < count; ++mutant) {
    setup_.mutant = mutant < 0 ? "" : job.mutants[static_cast<size_t>(mutant)];
    server_.SetMutant(mutant);
    if (mutant >= 0) setup_.crash_record.probed = 0;
    if (mutant >= 0) setup_.hangs.clear();
    prober_.Prepare();
    if (!greeted_) Greet();
    setup_.profile = prober_.Probe();
    if (job.limits_only) {
      WriteLimits();
      continue;
    }
    if (count == 0) Describe();
    Diagnosis diagnosis(processes_, job, setup_.profile, {setup_.mutant, import_seconds_});
    Schedule(setup_, server_, diagnosis).Run();
  }
}

/// What the probes found out about a library or a pair.
void Session::Describe() {
  const bool quick = setup_.job.replay || setup_.job.verdicts_only;
  // Each library of a pair has a profile of its own, and the pair has lines about the exchange of the two.
  if (!setup_.job.pair) {
    server_.Write({{"type", "profile"}, {"lines", ToJson(WordsOf(setup_.profile))}});
  } else if (!quick) {
    server_.Write({{"type", "profile"}, {"lines", ToJson(prober_.PairLines())}});
  }
  if (quick) return;
  WriteLimits();
}

void Session::WriteLimits() { server_.Write({{"type", "limits"}, {"limits", ToJson(prober_.Limits())}}); }

/// The first line. Its member "threw" has the exception that came instead of an answer.
nlohmann::json Session::Hello() const {
  nlohmann::json hello{{"type", "hello"}};
  try {
    const Subjects& subjects = setup_.libraries->subjects;
    const SubjectInfo info = subjects.subject.Info();
    hello["library_version"] = info.version;
    hello["interpreter"] = info.interpreter;
    if (subjects.partner != nullptr) hello["partner_version"] = subjects.partner->Info().version;
  } catch (...) {
    hello["threw"] = DescribeThrown();
  }
  return hello;
}

void Session::Greet() {
  nlohmann::json hello;
  if (IsOpen()) {
    hello = Hello();
  } else {
    const double began = Now();
    const auto say = [this](const Reporter& reporter) { reporter.out.Write(Hello()); };
    const ChildResult result = server_.Run({.seconds = setup_.job.case_seconds, .work = say});
    for (const nlohmann::json& line : result.lines) {
      if (line["type"] == "hello") hello = line;
    }
    if (!hello.is_object()) server_.EndAs(result.ending);
    import_seconds_ = Now() - began;
  }
  if (hello.contains("threw")) {
    throw Failure("the library threw " + hello["threw"].get<std::string>() + " when it was asked for its version",
                  "catch C++ exceptions inside the plug-in, and return an error");
  }
  hello["pid"] = getpid();
  server_.Write(hello);
  server_.SetGreeted();
  greeted_ = true;
}

/// From now on this process has the libraries.
void Session::Open(const Subjects& subjects) {
  setup_.libraries = std::make_unique<Libraries>(subjects, setup_.crash_record);
  setup_.libraries->engine.MeasureWithin(setup_.job.case_seconds / 2);
  Forge::InstallFaultHandler();
  NoteThrown(setup_.crash_record);
}

void Session::Import(const std::function<void()>& work) {
  import_([&](const Subjects& subjects) {
    Open(subjects);
    prober_.Prepare();
    work();
  });
}

void Session::Begin() {
  // While the probes run, their record has the claims.
  if (setup_.profile.Claims(Claim::kCuda) || setup_.crash_record.profile.Claims(Claim::kCuda)) CudaDriver::Open();
}

}  // namespace dlpack_cts::worker
