// runner/run/assignment.h: one library, or one pair of libraries, ready to be tested.
#ifndef DLPACK_CTS_RUNNER_RUN_ASSIGNMENT_H_
#define DLPACK_CTS_RUNNER_RUN_ASSIGNMENT_H_

#include <chrono>
#include <string>

#include "results/job.h"
#include "results/result.h"
#include "runner/environment/environment.h"
#include "runner/environment/library.h"
#include "runner/run/options.h"
#include "runner/verdict/expectations.h"

namespace dlpack_cts::runner {

struct Assignment {
  Library library;       // for a pair: named PRODUCER-to-CONSUMER, with the requirements of both
  std::string producer;  // empty unless this is a pair
  std::string consumer;
  Environment environment;
  Options options;            // the options of this library: output folder, number of examples
  std::string examples_from;  // "library.toml" if that lowers the number of examples; else empty
  JobFile job;                // the cases are added for each part
  PairLists lists;            // only of a pair
  Expectations expectations;  // read before anything runs, so that an error in the file is reported first
  std::string started;        // ISO 8601, UTC
  std::chrono::steady_clock::time_point clock;

  bool IsPair() const { return !producer.empty(); }
};

/// Default number of exchanges of the sweep of a pair: there are many pairs.
inline constexpr int kPairSweep = 0;

/// A folder in --out, or "" if there is no --out.
std::string FolderIn(const std::string& out, const std::string& name);

/// "numpy-to-torch".
std::string PairName(const std::string& producer, const std::string& consumer);

/// The environment of the library: --python, or its own.
Environment EnvironmentOf(const Library& library, const RunOptions& options);

/// The file with the known deviations of the library: --expectations, or its own.
std::string ExpectationsOf(const Library& library, const Options& options);

/// Whether the command line or the wheel gives an interpreter, so that no environment is made.
bool GivesPython(const RunOptions& options);

/// Find the environment, or make it; this may take minutes. Throw Failure.
Assignment PrepareOne(const Library& library, const Options& options);
/// `home`: the library whose environment has the packages of both.
Assignment PreparePair(const Library& producer, const Library& consumer, const Library& home, const Options& options);

/// The header, without what the worker reports, and without the id of the run, which depends on that.
Header HeaderOf(const Assignment& assignment);

/// The command that runs this case again, with every option that may change its result.
std::string ReplayOfCase(const Assignment& assignment, const std::string& case_id);

/// The command that runs only the example in the file, which is faster than its case or a sweep.
std::string ReplayOfFile(const std::string& file, const Options& options);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_RUN_ASSIGNMENT_H_
