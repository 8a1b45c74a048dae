// results/cause.h: the findings of single cases, and the causes that several findings have in common.
#ifndef DLPACK_CTS_RESULTS_CAUSE_H_
#define DLPACK_CTS_RESULTS_CAUSE_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/terms.h"
#include "results/fields.h"
#include "results/verdict.h"
#include "results/words.h"

namespace dlpack_cts {

/// Instead of triggers: the failure occurs only after other exchanges in the same process, or not every time.
inline constexpr char kEarlierExchanges[] = "earlier-exchanges";
inline constexpr char kAtTimes[] = "at-times";

/// One failing example of a case, minimised. A line of the worker's output.
struct Finding {
  static constexpr std::string_view kType = "finding";
  static std::span<const LineField<Finding>> Fields();

  std::string case_id;
  std::string mutant;  // name of the active mutant; empty otherwise
  Side side = Side::kImport;
  Family family = Family::kReported;  // of the first violated fact, in causal order
  std::vector<std::string> triggers;  // the triggers: what the example needs to fail, the simpler ones first
  std::string fact;                   // pattern of that fact; "death-read" etc. for a crash or timeout
  std::string key;                    // key of that fact in the example; empty for a crash or timeout
  std::string rule;                   // the rule of the attribution, or of the case whose check found it
  std::string attributed;             // the rule of the fitting attribution; empty if none is specific
  std::string judged;                 // the rule that the check of the case named: an upper bound; may be empty
  std::string message;                // the message of the case's check; empty if facts were compared
  bool loses_capsule = false;         // an export of the example is never consumed, or threads lose their exports
  bool swept = false;                 // found by the comparison with the reference, not by a check of a case
  Observed observed = Observed::kBreach;
  Degree degree = Degree::kRule;
  std::string wanted;
  std::string got;
  Words words;
  int64_t count = 1;
  nlohmann::json recipe;
  nlohmann::json earlier = nlohmann::json::array();  // recipes of the earlier exchanges that it needs
  bool superseded = false;  // not written: its case ran again without it, and has another verdict now
};

/// Findings with one reason, which a maintainer fixes in one place. A line of a result file; tables.cc describes its
/// fields.
struct Cause {
  static constexpr std::string_view kType = "cause";
  static std::span<const LineField<Cause>> Fields();

  std::string id;                     // "import/place/byte-offset": side, family, triggers
  Side side = Side::kImport;          // part of the id; this and the next field are not written
  std::vector<std::string> triggers;  // empty if the default exchange shows it, or only earlier exchanges do
  std::string rule;
  Verdict verdict = Verdict::kFail;
  bool at_times = false;    // it does not occur every time; not written
  bool own = false;         // it occurs without any exchange, with the library's own arrays; not written
  bool limitation = false;  // a probe found that the library does not support something: its id begins with "limit/"
  bool as_expected = true;
  std::string expectation;
  std::string accused;
  std::string case_id;  // a case that tests the rule, if there is one
  std::string fact;
  std::string key;
  std::string message;
  std::string wanted;
  std::string got;
  Words words;
  int64_t count = 0;
  std::vector<std::string> cases;
  nlohmann::json recipe;
  nlohmann::json earlier = nlohmann::json::array();
  std::string replay;
};

/// The family in the id of a cause: its word, with "-" instead of each space.
std::string FamilyId(Family family);

/// "import/place/byte-offset".
std::string CauseId(const Finding& finding);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_RESULTS_CAUSE_H_
