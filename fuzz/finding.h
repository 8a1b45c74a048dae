// fuzz/finding.h: judges one finished exchange whatever its recipe is, with the judges of the suites.
//
// A case of the suites draws what it judges; here the recipe is given. So only judges whose sentence holds for every
// recipe that a question lets through are asked.
#ifndef DLPACK_CTS_FUZZ_FINDING_H_
#define DLPACK_CTS_FUZZ_FINDING_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/target.h"
#include "harness/case/case.h"

namespace dlpack_cts {

struct Finding {
  std::string verdict;  // FAIL, UNSAFE or LEAK
  std::string case_id;  // whose judge said it
  std::string rule;
  std::string message;
  std::string wanted;
  std::string got;
  std::string fact;  // key of the fact that a judge named; empty where none did, and for faults and leaks

  /// The same thing went wrong, whichever judge was the first to say so: elements that are wrong at a byte_offset and
  /// without one are one finding, and the smaller recipe says which rule it is about.
  bool SameAs(const Finding& other) const {
    if (verdict != other.verdict || fact != other.fact) return false;
    return !fact.empty() || (rule == other.rule && message == other.message);
  }
};

/// The judges that a target's questions name.
class Jury {
 public:
  explicit Jury(const Target& target);

  /// The first case that a question names and the catalogue lacks; "" when there is none. Nothing may be judged then.
  std::string_view MissingCase() const;

  /// What is wrong with the exchange, or nothing. Only what counts as its rule says; warnings and notes stop no
  /// campaign.
  std::optional<Finding> Judge(const Recipe& recipe, const Ledger& ledger) const;

 private:
  const Target& target_;
  std::vector<const Case*> cases_;  // one per question
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_FUZZ_FINDING_H_
