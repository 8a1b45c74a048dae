// runner/verdict/masking.h: which findings mask which others, as a table of rows (docs/causes.md).
//
// The rows name properties of an exchange by the ids of their values (`dlpack-cts list properties`) and facts by their
// patterns (docs/facts.md). A test compares them with both tables.
#ifndef DLPACK_CTS_RUNNER_VERDICT_MASKING_H_
#define DLPACK_CTS_RUNNER_VERDICT_MASKING_H_

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/terms.h"
#include "results/verdict.h"

namespace dlpack_cts::runner {

/// The fact of an exception that looks like a bug rather than a refusal.
inline constexpr std::string_view kStumbled = "stumbled";

/// Findings with the same side, family and triggers. Side and family are missing if the triggers are earlier exchanges.
struct FindingGroup {
  std::optional<Side> side = {};
  std::optional<Family> family = {};
  std::vector<std::string> triggers = {};  // sorted
  std::string fact = {};                   // the pattern of the first violated fact, or the rule that a check named
  std::string got = {};                    // the wrong value of that fact
  bool loses_capsule = false;              // an exported capsule is never imported
  bool one_fact = false;                   // it masks only findings of this fact
  bool invalid_input = false;              // only cases with invalid input show it
  Verdict verdict = Verdict::kNote;

  bool Has(std::string_view trigger) const;
};

/// Some ids; empty ones are not counted.
using Ids = std::array<std::string_view, 4>;

/// The conditions of a row for one of the two findings. A field that is not set is not a condition.
struct Pattern {
  std::array<std::optional<Family>, 3> families = {};  // one of them
  Ids facts = {};                                      // one of them
  Ids got = {};                                        // one of these wrong values of the fact
  Ids has = {};                                        // at least one of these triggers
  Ids has_all = {};                                    // each of these triggers
  Ids lacks = {};                                      // none of these triggers
  bool loses_capsule = false;
};

/// How the triggers of the mask must compare with those of the masked finding.
enum class Triggers : uint8_t {
  kFewer,    // a proper subset
  kNoOther,  // a subset
  kOverlap,  // one is a subset of the other
  kSimpler,  // fewer, or as many and first in alphabetical order
};

/// A rule by which one finding (`mask`) explains another one (`masked`).
struct Masking {
  std::string_view chapter;  // of docs/causes.md
  std::string_view why;
  Pattern mask = {};
  Pattern masked = {};
  bool same_family = false;
  bool same_fact = false;  // and the same exception, whatever values its text has
  bool any_side = false;   // otherwise both have the same side, unless the masked exchange has both roles (Implied)
  Triggers triggers = Triggers::kNoOther;
  Ids except = {};             // triggers of the mask that are not compared; "*" at the end matches any text
  bool of_any_weight = false;  // otherwise the mask must be at least as severe, and not only seen with invalid input
  std::string_view rule = {};  // the rule of the mask: only both findings together show what is wrong; empty: its own
};
std::span<const Masking> Maskings();

/// What an exchange with a trigger always does.
struct Implied {
  std::string_view trigger;
  std::string_view why;
  bool both_roles = false;      // the library both imports and exports
  Ids triggers = {};            // triggers of a mask that are not compared
  bool unless_in_both = false;  // not if the mask has the trigger too
};
std::span<const Implied> ImpliedByTriggers();

bool Masks(const FindingGroup& mask, const FindingGroup& masked);
/// The rule that the mask has because of the masked finding; empty: its own rule.
std::string_view RuleByMasking(const FindingGroup& mask, const FindingGroup& masked);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_VERDICT_MASKING_H_
