// results/cause.h: what is wrong in one case's examples, and the causes that several of these have in common.
#ifndef DLPACK_CTS_RESULTS_CAUSE_H_
#define DLPACK_CTS_RESULTS_CAUSE_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "results/verdict.h"
#include "results/words.h"

namespace dlpack_cts {

/// In the place of peculiarities: it shows behind other exchanges of the same process alone, or not each time.
inline constexpr char kEarlierExchanges[] = "earlier-exchanges";
inline constexpr char kAtTimes[] = "at-times";

/// One example of a case, reduced to what its deviation needs. A line of the worker's output.
struct Finding {
  std::string case_id;
  std::string mutant;                      // name of the active mutant; empty otherwise
  std::string side;                        // import, export
  std::string family;                      // of the first fact that is wrong, in causal order
  std::vector<std::string> peculiarities;  // what the example cannot do without, the plainer ones first
  std::string fact;                        // that fact's pattern; "death-read" and the like for an end
  std::string key;                         // of the fact in the example; empty for an end
  std::string rule;                        // of the home, or of the case whose judge found it
  std::string home;                        // the rule of the declared home that fits; empty where none is specific
  std::string judged;                      // the rule that the case's own judge named: bounds the verdict; may be empty
  std::string message;                     // of the case's judge; empty where whole ledgers were compared
  bool swept = false;                      // no case's judge has seen it, but the comparison of whole ledgers
  // breach, unsafe, leak, crash, timeout; own: such an end without any exchange; unjudged: a fault of the harness
  std::string observed;
  std::string degree;  // rule, warn, note
  std::string wanted;
  std::string got;
  Words words;
  int64_t count = 1;
  nlohmann::json recipe;
  nlohmann::json earlier = nlohmann::json::array();  // recipes of the exchanges without which it does not show
  bool superseded = false;  // in no line: its case ran again without it, and has another verdict now
};

/// Findings that have one reason: what a maintainer mends at one place. A line of a result file.
struct Cause {
  std::string id;                          // "import/place/byte-offset": side, family, peculiarities
  std::string side;                        // of the id; in no line, as the next one
  std::vector<std::string> peculiarities;  // empty where plain exchanges show it, or where only earlier ones do
  std::string rule;
  Verdict verdict = Verdict::kFail;
  bool at_times = false;  // nothing about the exchange decides whether it shows; in no line
  bool own = false;       // of no exchange: the library does so with arrays that it has made itself; in no line
  bool as_expected = true;
  std::string expectation;  // why a listed cause is one; empty when none is listed
  std::string accused;      // of a pair: which library it is in, and how that is known; empty otherwise
  std::string case_id;      // whose example it is: one that looks at the rule, where there is one
  std::string fact;
  std::string key;  // of the fact in the example; empty for an end
  std::string message;
  std::string wanted;
  std::string got;
  Words words;
  int64_t count = 0;               // examples
  std::vector<std::string> cases;  // that failed, or deviated, for it
  nlohmann::json recipe;
  nlohmann::json earlier = nlohmann::json::array();  // recipes of the exchanges without which it does not show
  std::string replay;                                // command line that runs that case again
};

/// "import/place/byte-offset".
std::string CauseId(const Finding& finding);

nlohmann::json ToJson(const Finding& finding);
nlohmann::json ToJson(const Cause& cause);

/// Strict readers, as those of result.h.
bool FromJson(const nlohmann::json& json, Finding* finding, std::string* error);
bool FromJson(const nlohmann::json& json, Cause* cause, std::string* error);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_RESULTS_CAUSE_H_
