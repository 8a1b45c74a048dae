// fuzz/finding.h: judges one finished exchange of any recipe, with the checks of the suites.
//
// A case of the suites generates its own recipes; here any recipe may come. So a check is used only if its statement is
// true for every recipe that its question accepts.
#ifndef DLPACK_CTS_FUZZ_FINDING_H_
#define DLPACK_CTS_FUZZ_FINDING_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/target.h"
#include "harness/case/case.h"

namespace dlpack_cts::fuzz {

struct Finding {
  std::string verdict;  // FAIL, UNSAFE or LEAK
  std::string case_id;  // the case of the check
  std::string rule;
  std::string message;
  std::string wanted;
  std::string got;
  std::string fact;  // key of the violated fact; empty if the check named none, and for faults and leaks

  /// Whether it is the same failure, even if another check reported it. Wrong elements with and without a byte_offset
  /// are one finding; the smaller recipe decides which rule it is about.
  bool SameAs(const Finding& other) const {
    if (verdict != other.verdict || fact != other.fact) return false;
    return !fact.empty() || (rule == other.rule && message == other.message);
  }
};

/// The checks that the questions of a target name.
class Jury {
 public:
  /// For a native library without `capsules` the checks of the Python protocol are left out.
  explicit Jury(const Target& target, bool capsules = true);

  /// The first case of a question that is not in the catalogue, or "". If there is one, do not call Judge().
  std::string_view MissingCase() const;

  /// The finding of the exchange, or nothing. Violations that count less than their rule (WARN, NOTE) are
  /// ignored.
  std::optional<Finding> Judge(const Recipe& recipe, const Ledger& ledger) const;

 private:
  const Target& target_;
  bool capsules_;
  std::vector<const Case*> cases_;  // one per question
};

}  // namespace dlpack_cts::fuzz

#endif  // DLPACK_CTS_FUZZ_FINDING_H_
