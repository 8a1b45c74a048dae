// runner/replay/replayer.h: runs the exchanges of findings of one library again.
#ifndef DLPACK_CTS_RUNNER_REPLAY_REPLAYER_H_
#define DLPACK_CTS_RUNNER_REPLAY_REPLAYER_H_

#include <optional>
#include <string>

#include "results/result.h"
#include "runner/catalogue/catalogue.h"
#include "runner/replay/replay_file.h"
#include "runner/run/assignment.h"
#include "runner/session/session.h"

namespace dlpack_cts::runner {

/// What the exchange of a finding did when it ran again.
struct ReplayedExchange {
  std::string version;         // of the library
  Result result;               // of its case
  std::optional<Cause> cause;  // that the result reports, with the minimised exchange
  std::string sentence;        // what is wrong
  std::string case_id;         // that reproduces the minimised exchange
};

/// Whether it deviates. A NOTE does not count.
bool Shows(const ReplayedExchange& replayed);

/// "FAIL C-DATA-01: elements read through ...".
std::string TextOf(const ReplayedExchange& replayed);

class Replayer {
 public:
  /// Finds the library of that file, and its environment. Throws Failure.
  Replayer(const Catalogue& catalogue, const ReplayFile& file, Options options);

  /// Runs the exchange of a file of this library, in the process of the earlier ones if none of them ended it. Throws a
  /// Failure if the library cannot be tested, or after an interrupt.
  ReplayedExchange Run(const ReplayFile& file);

  /// Of the library. Empty before the first exchange.
  const std::string& version() const { return version_; }
  const Expectations& expectations() const { return assignment_.expectations; }
  /// "numpy 2.4.6".
  std::string Name() const { return assignment_.library.name + (version_.empty() ? "" : " " + version_); }

 private:
  const Catalogue& catalogue_;
  Assignment assignment_;
  Session session_;
  Session of_mutants_;  // a worker keeps its last mutant
  std::string version_;
};

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_REPLAY_REPLAYER_H_
