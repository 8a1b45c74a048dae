// runner/judge.h: runs one library and turns its observations into a run of results.
#ifndef DLPACK_CTS_RUNNER_JUDGE_H_
#define DLPACK_CTS_RUNNER_JUDGE_H_

#include <chrono>
#include <memory>
#include <optional>

#include "reports/reports.h"
#include "results/result.h"
#include "runner/again.h"
#include "runner/catalogue.h"
#include "runner/expectations.h"
#include "runner/failure.h"
#include "runner/library.h"
#include "runner/options.h"
#include "runner/progress.h"
#include "runner/rules.h"
#include "runner/session.h"

namespace dlpack_cts::runner {

/// The catalogue that every run needs.
struct Desk {
  Rules rules;
  nlohmann::json source_keys;  // of the field `source` of a rule (runner/sources.h)
  std::vector<CaseInfo> cases;
  std::vector<MutantInfo> mutants;
};
Desk OpenDesk();

/// The environment of the library: --python, or its own.
Environment EnvironmentOf(const Library& library, const RunOptions& options);

/// One library, or one pair, ready to be judged.
struct Assignment {
  Library library;       // of a pair: named PRODUCER-to-CONSUMER, with the union of what both need
  std::string producer;  // of a pair; empty otherwise
  std::string consumer;
  Environment environment;
  Options options;            // its own: where it writes, how many examples
  std::string examples_from;  // "library.toml" where that lowers them; else empty
  nlohmann::json job;         // its cases are filled in part by part
  Expectations expectations;  // read before anything runs, so that a mistake in the file is reported first
  std::string started;        // ISO 8601, UTC
  std::chrono::steady_clock::time_point clock;

  bool IsPair() const { return !producer.empty(); }
};

/// The results of some cases of an assignment. Parts are independent and may run at the same time.
struct Part {
  std::vector<std::string> cases = {};
  Avoid avoid = {};  // only in a later round
  std::vector<Observation> seen = {};
  std::vector<Finding> findings = {};
  Outcome outcome = {};
  std::optional<Failure> failure = {};    // why it ended early
  std::unique_ptr<Session> session = {};  // with a worker that may take a further part
};

/// Runs the part's cases. Never throws. Afterwards `progress` has all of them done.
void RunPart(const Assignment& assignment, Progress& progress, Part& part);

/// The cases that have to run again after these parts.
Avoid NextRound(const Desk& desk, const Assignment& assignment, const std::vector<Part>& parts);

struct Judged {
  Run run;
  std::vector<StaleEntry> stale;   // entries that do not match the run any more
  std::optional<Failure> trouble;  // why a part ended early; its cases report it too
};

/// The results of all parts in the order of the catalogue, expectations applied. Throws Failure where there are none.
Judged Assemble(const Desk& desk, Assignment& assignment, const std::vector<Part>& parts);

/// The result of one observation, without expectations.
Result MakeResult(const Desk& desk, const Library& library, const Observation& observation);

/// The rules as reports show them.
ReportContext ContextOf(const Desk& desk);

/// Writes reports and reproducers to --out, prints the output that --format selects, then the errors, and returns the
/// exit status.
int Publish(const Desk& desk, const Assignment& assignment, Judged& judged);

/// Now, as in a header.
std::string UtcNow();

/// The text of a JSON or plain option for a shell.
std::string Quoted(const std::string& text);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_JUDGE_H_
