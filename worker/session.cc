// worker/session.cc: the life of a worker process.
#include "worker/session.h"

#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <string>
#include <utility>

#include "base/clock.h"
#include "engine/cuda_driver.h"
#include "harness/choices/choice.h"
#include "harness/ledger/fact_table.h"
#include "worker/diagnose/diagnosis.h"
#include "worker/probe/profile_words.h"
#include "worker/process/foreign_copy.h"
#include "worker/process/thrown.h"
#include "worker/schedule.h"

namespace dlpack_cts::worker {

Session::Session(const Job& job, const Process& process, Importer import, Further further)
    : setup_{job, process.board, process.output, process.surroundings, nullptr, {}, {}},
      import_(std::move(import)),
      further_(std::move(further)),
      server_(process.board, process.output, process.surroundings, *this, {job.start_seconds, job.memory_bytes}),
      prober_(setup_, server_),
      processes_(setup_, server_) {}

int Session::Run() {
  if (!setup_.job.fork) return RunJobs();
  return import_([this](const Driven& driven) {
    Open(driven);
    const int status = RunJobs();
    std::fflush(nullptr);
    _exit(status);
  });
}

int Session::RunJobs() {
  // If the library ignores this signal, waitpid() cannot tell how a child ended.
  signal(SIGCHLD, SIG_DFL);
  WatchForks(setup_.board);
  // Made once here, not in each child.
  static_cast<void>(FactRows());
  static_cast<void>(Choices());
  do {
    RunMutants();
    // No case runs between two jobs.
    setup_.board.head.case_index = -1;
    server_.Write(nlohmann::json{{"type", "bye"}});
  } while (further_());
  return 0;
}

void Session::RunMutants() {
  const Job& job = setup_.job;
  const int count = static_cast<int>(job.mutants.size());
  for (int mutant = count == 0 ? -1 : 0; mutant < count; ++mutant) {
    setup_.mutant = mutant < 0 ? "" : job.mutants[static_cast<size_t>(mutant)];
    server_.SetMutant(mutant);
    if (mutant >= 0) setup_.board.probed = 0;
    prober_.Prepare();
    if (!greeted_) Greet();
    setup_.profile = prober_.Probe();
    if (count == 0 && !job.pair) server_.Write({{"type", "profile"}, {"lines", ToJson(WordsOf(setup_.profile))}});
    Diagnosis diagnosis(processes_, job, setup_.profile, {setup_.mutant, import_seconds_});
    Schedule(setup_, server_, diagnosis).Run();
  }
}

/// The first line. Its member "threw" has the exception that came instead of an answer.
nlohmann::json Session::Hello() const {
  nlohmann::json hello{{"type", "hello"}};
  try {
    const Driven& driven = setup_.stage->driven;
    const SubjectInfo info = driven.subject.Info();
    hello["library_version"] = info.version;
    hello["interpreter"] = info.interpreter;
    if (driven.partner != nullptr) hello["partner_version"] = driven.partner->Info().version;
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
    setup_.output.Error("the library threw " + hello["threw"].get<std::string>() + " when it was asked for its version",
                        "catch C++ exceptions inside the plug-in, and return an error", "");
    _exit(2);
  }
  hello["pid"] = getpid();
  server_.Write(hello);
  server_.SetGreeted();
  greeted_ = true;
}

/// From now on this process has the libraries.
void Session::Open(const Driven& driven) {
  setup_.stage = std::make_unique<Stage>(driven, setup_.board);
  Forge::InstallFaultHandler();
  NoteThrown(setup_.board);
}

int Session::Import(const std::function<void()>& work) {
  return import_([&](const Driven& driven) {
    Open(driven);
    prober_.Prepare();
    work();
  });
}

void Session::Begin() {
  if (setup_.profile.Claims(Claim::kCuda)) CudaDriver::Open();
}

}  // namespace dlpack_cts::worker
