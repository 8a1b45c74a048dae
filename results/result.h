// results/result.h: the result of one case, shared by worker, runner and reports. It does not depend on DLPack.
#ifndef DLPACK_CTS_RESULTS_RESULT_H_
#define DLPACK_CTS_RESULTS_RESULT_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "results/cause.h"
#include "results/fields.h"
#include "results/observed_choices.h"
#include "results/profile.h"
#include "results/verdict.h"
#include "results/words.h"

namespace dlpack_cts {

/// The version of the lines of a result file, in its header. It is increased if the meaning of a line changes.
inline constexpr int64_t kResultsSchema = 3;

/// A fact in which the library differs from the reference in a sweep.
struct SweptFact {
  static std::span<const LineField<SweptFact>> Fields();

  std::string fact;
  std::string message;
  std::string rule;
  std::string wanted;
  std::string got;
  Words words;
  int64_t count = 0;
  nlohmann::json recipe;
};

/// How many examples of a case showed one answer to an open question.
struct ChoiceSeen {
  static std::span<const LineField<ChoiceSeen>> Fields();

  uint64_t row = 0;      // in the worker's list of open questions
  uint64_t reading = 0;  // the number of the answer
  int64_t count = 0;
};

/// A value of a property that a case drew often, and of which no example was conclusive.
struct LostValue {
  static std::span<const LineField<LostValue>> Fields();

  std::string value;  // "scalar"
  std::string words;  // "ndim is 0": a statement about the exchange
  int64_t drawn = 0;
  int64_t refused = 0;  // how many of them the library refused
};

/// How many examples of a case had a value of a property, and how many of these were conclusive.
struct ValueShare {
  static std::span<const LineField<ValueShare>> Fields();

  std::string value;  // "scalar"
  int64_t drawn = 0;
  int64_t conclusive = 0;
};

/// What the worker saw of a case, before any policy. One line of the worker's output. tables.cc describes the fields of
/// this and of the other lines.
struct Observation {
  static constexpr std::string_view kType = "observation";
  static std::span<const LineField<Observation>> Fields();

  std::string case_id;
  Observed observed = Observed::kUnjudged;
  std::optional<Degree> degree;  // of a violation
  std::string rule;
  std::string message;
  std::string fact;
  std::string wanted;
  std::string got;
  Words words;
  std::string ended;
  nlohmann::json ledger = nlohmann::json::array();  // the timeline: one object per event
  std::vector<SweptFact> deviations;
  std::vector<ChoiceSeen> choices;
  nlohmann::json recipe;  // JSON twin of the (shrunk) recipe, or null
  std::vector<unsigned> needed;
  uint64_t seed = 0;  // the case's own seed
  int64_t examples = 0;
  int64_t held = 0;
  int64_t refused = 0;
  int64_t nothing = 0;
  std::vector<LostValue> lost;
  std::vector<ValueShare> shares;
  double seconds = 0;
  std::string mutant;
};

/// One result line: the observation, with its verdict and expectation.
struct Result {
  static constexpr std::string_view kType = "result";
  static std::span<const LineField<Result>> Fields();

  bool provisional = false;  // the run has not ended
  std::string library;
  std::string library_version;
  std::string producer;
  std::string consumer;
  std::string suite;
  std::vector<std::string> rules;
  std::vector<std::string> breached;
  Role role = Role::kConsumer;
  Level level = Level::kMust;
  bool hostile = false;
  Verdict verdict = Verdict::kPass;
  bool as_expected = true;
  std::string expectation;
  std::string cause;
  Observation seen;
  std::string reproducer;  // empty: null in the line
  std::string replay;
};

/// First line of a result file.
struct Header {
  static constexpr std::string_view kType = "header";
  static std::span<const LineField<Header>> Fields();

  int64_t schema = kResultsSchema;
  std::string program_version;
  std::string library;
  std::string library_version;
  std::string interpreter;
  std::string machine;  // "Linux 6.1 x86_64, 2 cores"
  std::string environment;
  nlohmann::json variables = nlohmann::json::object();
  uint64_t seed = 0;
  int64_t examples = 0;
  std::string examples_from;
  std::string started;
  std::string command;
  std::string run_id;                                 // the same in all shards of one run
  std::string shard;                                  // "2/3": only these cases, or pairs, ran; empty: all
  nlohmann::json options = nlohmann::json::object();  // what decides which cases run and what counts
  ProfileLines profile;
  bool provisional = false;  // the run has not ended
};

/// In a shard: an entry of the expectations that nothing met. It is stale if nothing met it in any shard.
struct UnmetEntry {
  static std::span<const LineField<UnmetEntry>> Fields();

  std::string entry;     // "expectations.toml:12"
  std::string sentence;  // why it would be stale; empty if this shard does not show whether it still occurs
};

/// Last line of a result file.
struct Footer {
  static constexpr std::string_view kType = "footer";
  static std::span<const LineField<Footer>> Fields();

  nlohmann::json counts = nlohmann::json::object();  // verdict -> number
  int64_t unexpected = 0;
  std::vector<std::string> stale;
  std::vector<UnmetEntry> unmet;
  bool lists_limitations = false;  // a shard whose expectations have to list every limitation of the whole run
  bool interrupted = false;
  bool complete = true;  // false if an interrupt, or the time limit of the run, left cases out
  double seconds = 0;
  int64_t time_limits = 0;  // that passed in full
};

/// All results of one run of one library (or pair). The file of a run that did not end is provisional: it has no
/// causes, no observed choices and no footer. ReadRun() makes the footer of what the file has.
struct Run {
  Header header;
  std::vector<Result> results;
  std::vector<Cause> causes;              // worst first
  std::vector<ObservedChoices> readings;  // sorted by the number of the open question
  Footer footer;
};

/// As FromJson() of fields.h. Refuses a header of another version with what to do.
Header ReadHeader(const nlohmann::json& json);

/// Reads a result file: one header, results, causes, observed choices, one footer. In a provisional file the last line
/// of a case counts, and an incomplete last line does not. A Failure names file and line.
Run ReadRun(const std::string& path);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_RESULTS_RESULT_H_
