// results/result.h: the result of one case, as worker, runner and reports share it. Knows no DLPack.
#ifndef DLPACK_CTS_RESULTS_RESULT_H_
#define DLPACK_CTS_RESULTS_RESULT_H_

#include <cstdint>
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

/// The version of a result file's lines, in its header. What is read differently after a change gets the next one.
inline constexpr int64_t kResultsSchema = 3;

/// What the worker saw of a case, before any policy. One line of the worker's output.
struct Observation {
  std::string case_id;
  /// held, breach, leak, unsafe, crash, timeout, memory, skip, blocked, unjudged
  std::string observed;
  std::string degree;  // for breach: rule, warn, note
  std::string rule;    // the rule that is broken, or the case's first rule
  std::string message;
  std::string fact;  // key of the decisive fact, where one decides
  std::string wanted;
  std::string got;
  Words words;
  std::string ended;  // how the process did, where that is the finding: "SIGSEGV", "exit 3"; else empty
  nlohmann::json ledger = nlohmann::json::array();  // the timeline: one object per event
  /// Of a case that judges whole ledgers: one object for each fact in which the library differs from the reference.
  nlohmann::json deviations = nlohmann::json::array();
  /// Of the choices that the specification leaves: one object for each that was shown, with
  /// the row of the worker's list, the reading, and the examples.
  nlohmann::json readings = nlohmann::json::array();
  nlohmann::json recipe;  // JSON twin of the (shrunk) recipe, or null
  /// Of its steps the numbers of those without which what was seen does not show; empty where none was tried.
  nlohmann::json needed = nlohmann::json::array();
  uint64_t seed = 0;     // the case's own seed
  int64_t examples = 0;  // run; of them some held, were refused or said nothing
  int64_t held = 0;      // the case judged, and everything was right
  int64_t refused = 0;   // politely
  int64_t nothing = 0;   // what the case asks about did not come up
  double seconds = 0;
  std::string mutant;  // name of the active mutant or variant; empty otherwise
};

/// One result line: what was seen, after the verdict policy and the expectations.
struct Result {
  std::string library;
  std::string library_version;
  std::string producer;  // interop only
  std::string consumer;  // interop only
  std::string suite;
  std::vector<std::string> rules;
  std::vector<std::string> breached;
  std::string role;
  std::string level;     // MUST, SHOULD, MAY, IMPLIED
  bool hostile = false;  // robustness: counted apart
  Verdict verdict = Verdict::kPass;
  bool as_expected = true;
  std::string expectation;  // why a listed deviation is one; empty when none is listed
  std::string cause;        // id of the worst cause of what was seen; empty: none
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
  std::string examples_from;  // "library.toml" where that lowers them for a slow library; else empty
  std::string started;        // ISO 8601, UTC
  std::string command;
  ProfileLines profile;  // what was found out about the library before the first case; empty for a pair
};

/// Last line of a result file.
struct Footer {
  nlohmann::json counts = nlohmann::json::object();  // verdict -> number
  int64_t unexpected = 0;
  std::vector<std::string> stale;  // a sentence for each listed deviation that is no longer seen
  bool interrupted = false;
  double seconds = 0;
};

/// Everything that one run of one library (or pair) gave.
struct Run {
  Header header;
  std::vector<Result> results;
  std::vector<Cause> causes;       // worst first
  std::vector<Readings> readings;  // by the number of the ambiguity
  Footer footer;
};

nlohmann::json ToJson(const Observation& observation);
nlohmann::json ToJson(const Result& result);
nlohmann::json ToJson(const Header& header);
nlohmann::json ToJson(const Footer& footer);

/// Strict readers: the error names the field; an unknown field is an error. On false the target is as it was. Result
/// files: one header, results, causes, one footer.
bool FromJson(const nlohmann::json& json, Observation* observation, std::string* error);
bool FromJson(const nlohmann::json& json, Result* result, std::string* error);
bool FromJson(const nlohmann::json& json, Header* header, std::string* error);
bool FromJson(const nlohmann::json& json, Footer* footer, std::string* error);
bool ReadRun(const std::string& path, Run* run, std::string* error);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_RESULTS_RESULT_H_
