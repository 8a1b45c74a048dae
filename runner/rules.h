// runner/rules.h: the rule catalogue, read from rules/.
#ifndef DLPACK_CTS_RUNNER_RULES_H_
#define DLPACK_CTS_RUNNER_RULES_H_

#include <map>
#include <string>
#include <vector>

#include "results/result.h"

namespace dlpack_cts::runner {

struct Rule {
  std::string id;
  std::string actor;
  std::string level;
  std::string requirement;
  std::string strength;
  std::string strength_class;  // MUST, SHOULD, MAY, implied
  Verdict breach = Verdict::kFail;
  std::string needs;
  std::string tier;
  std::string versions;
  std::string source;
  std::vector<std::string> accept;
  std::vector<std::string> restates;  // rules whose breach is a breach of this one: it says in general what they say
  std::string trap;
  std::string once;  // why it speaks of one thing alone: a second, subtler mutant could not differ from the first
  std::string note;
  std::string status;
  std::string reason;

  /// MUST, SHOULD, MAY or IMPLIED: the level of result lines.
  std::string ResultLevel() const;
  /// The array API alone asks for it: a library that does not claim the array API is judged one level lower.
  bool ArrayApiOnly() const;
};

using Rules = std::map<std::string, Rule>;

/// True for a rule itself, and for rules of which one restates the other.
bool SaysTheSame(const Rules& rules, const std::string& a, const std::string& b);

/// Reads every TOML file of the folder; throws Failure with file, line and field.
Rules ReadRules(const std::string& folder);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_RULES_H_
