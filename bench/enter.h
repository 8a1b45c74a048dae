// bench/enter.h: starts the interpreter as the worker does, opens the library, and calls the benchmarks in it.
#ifndef DLPACK_CTS_BENCH_ENTER_H_
#define DLPACK_CTS_BENCH_ENTER_H_

#include "subject/bridge.h"
#include "subject/subject.h"

namespace dlpack_cts {

struct Bench {
  BridgeConfig config;
  int argc;  // the arguments behind those of the library
  char** argv;
};

/// Registers and runs benchmarks. Returns how many ran. Throws Failure.
using RunBenchmarks = size_t (*)(Subject& subject, Bench& bench);

/// The body of main(): PYTHON LIBPYTHON LIBRARY ADAPTER, and then what `run` reads. Ends the process.
[[noreturn]] void BenchInLibrary(int argc, char** argv, RunBenchmarks run);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_BENCH_ENTER_H_
