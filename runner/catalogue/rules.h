// runner/catalogue/rules.h: the rule catalogue, read from rules/.
#ifndef DLPACK_CTS_RUNNER_CATALOGUE_RULES_H_
#define DLPACK_CTS_RUNNER_CATALOGUE_RULES_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/enum_words.h"
#include "results/result.h"

namespace dlpack_cts::runner {

/// What a violation puts at stake; rules/README.md explains the words.
enum class Stake : uint8_t { kMemory, kValues, kOwnership, kInteroperability, kMessage };
consteval EnumWords<Stake> WordsOf(Stake) { return {"memory", "values", "ownership", "interoperability", "message"}; }

struct Rule {
  std::string id;
  std::string actor;
  std::string level;
  std::string requirement;
  Level strength = Level::kMust;
  std::string basis;  // how the text says it, if not with such a word; may be empty
  Stake stake = Stake::kInteroperability;
  Verdict breach = Verdict::kFail;
  std::string needs;
  std::string tier;
  std::string versions;
  std::string source;
  std::vector<std::string> accept;
  std::vector<std::string>
      restates;  // more general rules restate more specific ones: a violation of one of these violates this rule too
  std::vector<std::string> limits;  // patterns of limitations that violate the rule, without "limit/"
  std::string trap;
  std::string once;  // why one mutant is enough: the rule is about one behaviour, so a second mutant could not differ
  std::string note;
  std::string status;
  std::string reason;

  /// Strength, basis and stake, as pages show them.
  std::string StrengthText() const;

  /// Whether only the array API requires it, in words.
  bool ArrayApiOnly() const;
};

using Rules = std::map<std::string, Rule>;

/// Whether the general rule restates the particular one: a violation of the latter violates both.
bool Restates(const Rules& rules, const std::string& general, const std::string& particular);

/// Whether the rules are the same, or one restates the other.
bool SaysTheSame(const Rules& rules, const std::string& a, const std::string& b);

/// Reads every TOML file of the folder; throws Failure with file, line and field.
Rules ReadRules(const std::string& folder);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_CATALOGUE_RULES_H_
