// runner/judge.h: runs one library and turns its observations into a run of results.
#ifndef DLPACK_CTS_RUNNER_JUDGE_H_
#define DLPACK_CTS_RUNNER_JUDGE_H_

#include <optional>

#include "results/result.h"
#include "runner/catalogue.h"
#include "runner/failure.h"
#include "runner/library.h"
#include "runner/options.h"
#include "runner/rules.h"

namespace dlpack_cts::runner {

/// What every run needs and no library changes.
struct Desk {
  Rules rules;
  std::vector<CaseInfo> cases;
  std::vector<MutantInfo> mutants;
};
Desk OpenDesk();

/// The environment of the library: --python, or its own.
Environment EnvironmentOf(const Library& library, const RunOptions& options);

/// The job goes to the worker; every observation becomes a result, expectations applied. `stale` gets one sentence for
/// each expectation that no longer holds, `trouble` what ended the run before its time: the results up to there are
/// kept. Throws Failure when there are none.
Run Judge(const Desk& desk, const Library& library, const Environment& environment, nlohmann::json job,
          const Options& options, std::vector<std::string>* stale, std::optional<Failure>* trouble);

/// The result of one observation, without expectations.
Result MakeResult(const Desk& desk, const Library& library, const Observation& observation);

/// Writes reports and reproducers to --out, prints what --format asks for, then `trouble`, and returns the exit status.
int Publish(const Desk& desk, Run& run, const Library& library, const Options& options,
            const std::vector<std::string>& stale, const std::optional<Failure>& trouble);

/// The text of a JSON or plain option for a shell.
std::string Quoted(const std::string& text);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_JUDGE_H_
