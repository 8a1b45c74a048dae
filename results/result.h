// results/result.h: the result of one case, shared by worker, runner and reports. It does not depend on DLPack.
#ifndef DLPACK_CTS_RESULTS_RESULT_H_
#define DLPACK_CTS_RESULTS_RESULT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "results/cause.h"
#include "results/profile.h"
#include "results/reading.h"
#include "results/verdict.h"
#include "results/words.h"

namespace dlpack_cts {

/// The version of the lines of a result file, in its header. It is increased if the meaning of a line changes.
inline constexpr int64_t kResultsSchema = 3;

/// What the worker saw of a case, before any policy. One line of the worker's output.
struct Observation {
  std::string case_id;
  Observed observed = Observed::kUnjudged;
  std::optional<Degree> degree;  // of a violation
  std::string rule;              // the rule that is broken, or the case's first rule
  std::string message;
  std::string fact;  // key of the violated fact, if there is one
  std::string wanted;
  std::string got;
  Words words;
  std::string ended;  // how the process ended, if that is the finding: "SIGSEGV", "exit 3"; else empty
  nlohmann::json ledger = nlohmann::json::array();  // the timeline: one object per event
  /// Only of a sweep: one object for each fact in which the library differs from the reference.
  nlohmann::json deviations = nlohmann::json::array();
  /// The observed choices: one object for each, with the row in the worker's list of open questions, the number of the
  /// answer, and the number of examples.
  nlohmann::json readings = nlohmann::json::array();
  nlohmann::json recipe;  // JSON twin of the (shrunk) recipe, or null
  /// The numbers of its steps that the failure needs; empty if that was not tried.
  nlohmann::json needed = nlohmann::json::array();
  uint64_t seed = 0;     // the case's own seed
  int64_t examples = 0;  // that ran
  int64_t held = 0;      // of these, judged and correct
  int64_t refused = 0;   // of these, refused with an exception
  int64_t nothing = 0;   // of these, not conclusive
  double seconds = 0;
  std::string mutant;  // name of the active mutant or variant; empty otherwise
};

/// One result line: the observation, with its verdict and expectation.
struct Result {
  std::string library;
  std::string library_version;
  std::string producer;  // interop only
  std::string consumer;  // interop only
  std::string suite;
  std::vector<std::string> rules;
  std::vector<std::string> breached;
  Role role = Role::kConsumer;
  Level level = Level::kMust;
  bool hostile = false;  // invalid input: counted separately
  Verdict verdict = Verdict::kPass;
  bool as_expected = true;
  std::string expectation;  // the reason in the list of known deviations; empty if it is not listed
  std::string cause;        // id of the worst cause; empty if there is no cause
  Observation seen;
  std::string reproducer;  // path relative to the output folder; empty: null
  std::string replay;      // command line that runs this one case again
};

/// First line of a result file.
struct Header {
  std::string program_version;
  std::string library;
  std::string library_version;
  std::string interpreter;
  std::string machine;                                  // "Linux 6.1 x86_64, 2 cores"
  std::string environment;                              // path of the Python environment, or "native"
  nlohmann::json variables = nlohmann::json::object();  // environment variables added or scrubbed
  uint64_t seed = 0;
  int64_t examples = 0;
  std::string examples_from;  // "library.toml" if that file lowers the number for a slow library; else empty
  std::string started;        // ISO 8601, UTC
  std::string command;
  ProfileLines profile;  // what the probes found out before the first case; empty for a pair
};

/// Last line of a result file.
struct Footer {
  nlohmann::json counts = nlohmann::json::object();  // verdict -> number
  int64_t unexpected = 0;
  std::vector<std::string> stale;  // a sentence for each listed deviation that no longer occurs
  bool interrupted = false;
  double seconds = 0;
};

/// All results of one run of one library (or pair).
struct Run {
  Header header;
  std::vector<Result> results;
  std::vector<Cause> causes;       // worst first
  std::vector<Readings> readings;  // sorted by the number of the open question
  Footer footer;
};

nlohmann::json ToJson(const Observation& observation);
nlohmann::json ToJson(const Result& result);
nlohmann::json ToJson(const Header& header);
nlohmann::json ToJson(const Footer& footer);

/// Strict readers: the error names the field; an unknown field is an error. On false the target is unchanged. Result
/// files: one header, results, causes, one footer.
bool FromJson(const nlohmann::json& json, Observation* observation, std::string* error);
bool FromJson(const nlohmann::json& json, Result* result, std::string* error);
bool FromJson(const nlohmann::json& json, Header* header, std::string* error);
bool FromJson(const nlohmann::json& json, Footer* footer, std::string* error);
bool ReadRun(const std::string& path, Run* run, std::string* error);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_RESULTS_RESULT_H_
