// harness/attribute/attribution.h: the attribution of findings to rules, as data.
//
// A finding has triggers and a first violated fact. A row names triggers and facts, and the rule that they violate. The
// most specific row that fits counts. The rows are in attributions_*.cc.
#ifndef DLPACK_CTS_HARNESS_ATTRIBUTE_ATTRIBUTION_H_
#define DLPACK_CTS_HARNESS_ATTRIBUTE_ATTRIBUTION_H_

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/terms.h"
#include "harness/ledger/fact_table.h"

namespace dlpack_cts {

struct AttributionRow {
  std::string_view rule;
  /// Ids of triggers, separated by spaces: the finding must have all of them. An id that ends in * matches every id
  /// that begins with it. " | " separates alternatives, each of which counts as a row.
  std::string_view triggers = {};
  std::string_view facts = {};  // patterns of FactRow, or "death-STEP", "thrown-STEP", "hang-STEP"; empty: any
  std::string_view got = {};    // the subject's value, as the id of a trigger or a word of FitsValue(); empty: any
  Side side = Side::kImport;    // RegisterAttributions sets this and the family
  Family family = Family::kAsks;
};

inline constexpr size_t kAttributedFamilies = static_cast<size_t>(Family::kChoice) + 1;

/// The rows of one side: a list for each family, in the order of Family. The first row of a list fits everything.
struct RegisterAttributions {
  RegisterAttributions(Side side, const std::array<std::span<const AttributionRow>, kAttributedFamilies>& families);
};

/// Every row, sorted by side and family. An alternative is a row of its own.
std::span<const AttributionRow> Attributions();

/// Whether the row names a trigger, a fact or a value. False for rows that fit everything, and for observed choices,
/// which violate no rule.
inline bool Claims(const AttributionRow& row) {
  return row.family != Family::kChoice && (!row.triggers.empty() || !row.facts.empty() || !row.got.empty());
}

/// What a finding is attributed by.
struct About {
  Side side;
  Family family;
  std::string_view fact;
  std::string_view got;
  std::span<const std::string> triggers;  // ids of triggers, the simplest first
};

/// The most specific row that fits. Rows are compared by the least simple trigger that they name, then by the number of
/// triggers, then by whether they name the fact, then the value.
const AttributionRow& AttributionOf(const About& about);

/// The rows that a finding may have whose value, or whose fact and value, are unknown (empty): the row that fits every
/// fact and value, then the more specific ones that need certain facts or values.
std::vector<const AttributionRow*> PossibleAttributions(const About& about);

/// Whether `got` equals `wanted` or begins with it. Words: "many" is a number above 1, "negative" a tuple with a
/// negative entry, "unpublished" a dtype or device whose first number no version defines, or flags with such a bit.
bool FitsValue(std::string_view wanted, std::string_view got);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_ATTRIBUTE_ATTRIBUTION_H_
