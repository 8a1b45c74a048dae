// bench/enter.cc: starts the interpreter as the worker does, opens the library, and calls the benchmarks in it.
#include "bench/enter.h"

#include <unistd.h>

#include <cstdio>
#include <optional>

#include "base/failure.h"
#include "harness/forge/forge.h"
#include "subject/python_loader.h"

namespace dlpack_cts {
namespace {

struct Entered {
  Bench bench;
  RunBenchmarks run;
};

/// Prints the failure and ends the process. Some libraries abort in their exit handlers.
[[noreturn]] void Leave(int status, const std::optional<Failure>& failure = {}) {
  if (failure) std::fputs(Printed(*failure).c_str(), stderr);
  std::fflush(nullptr);
  _exit(failure ? failure->status() : status);
}

int Body(void* opaque) {
  Entered& entered = *static_cast<Entered*>(opaque);
  size_t ran = 0;
  const std::optional<Failure> failure = FailureOf([&] {
    Subject& subject = OpenInPython(entered.bench.config);
    Forge::InstallFaultHandler();
    subject.runtime().BeforeFork();  // freezes the objects of the import, as before the forks of a run
    subject.runtime().AfterForkInParent();
    ran = entered.run(subject, entered.bench);
  });
  Leave(ran > 0 ? kAsExpected : kUnexpected, failure);
}

void Enter(int argc, char** argv, RunBenchmarks run) {
  if (argc < 5)
    throw Failure("four arguments are needed", "usage: PROGRAM PYTHON LIBPYTHON LIBRARY ADAPTER [--benchmark_...]");
  Entered entered{
      {{.python = argv[1], .path = {}, .library = argv[3], .adapter = argv[4], .claims = 0}, argc - 4, argv + 4}, run};
  WithContext("", "use bench/run.sh, which finds the libpython of an environment", [&] { LoadBridge(argv[2]); });
  EnterPython(entered.bench.config, &Body, &entered);
  throw Failure("the interpreter " + entered.bench.config.python + " could not be started",
                "check that this interpreter works");
}

}  // namespace

void BenchInLibrary(int argc, char** argv, RunBenchmarks run) {
  Leave(kHarness, FailureOf([=] { Enter(argc, argv, run); }));
}

}  // namespace dlpack_cts
