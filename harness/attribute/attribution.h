// harness/attribute/attribution.h: the attribution of findings to rules, as data.
//
// A finding has triggers and a first violated fact. A row names such triggers and facts, and the rule that they
// violate. The most specific row that fits is taken. The rows are in attributions_*.cc.
#ifndef DLPACK_CTS_HARNESS_ATTRIBUTE_ATTRIBUTION_H_
#define DLPACK_CTS_HARNESS_ATTRIBUTE_ATTRIBUTION_H_

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "base/terms.h"
#include "harness/ledger/fact_table.h"

namespace dlpack_cts {

struct AttributionRow {
  std::string_view rule;
  /// Ids of triggers, separated by spaces: all are needed. One that ends in * stands for all that begin so. " | "
  /// separates alternatives, each of which counts as a row.
  std::string_view triggers = {};
  std::string_view facts = {};  // patterns of FactRow, and "death-STEP", "thrown-STEP", "hang-STEP"; empty: any
  std::string_view got = {};    // the subject's value, as a trigger; or a word of FitsValue(); empty: any
  Side side = Side::kImport;    // this and the family are filled in
  Family family = Family::kAsks;
};

inline constexpr size_t kAttributedFamilies = static_cast<size_t>(Family::kWay) + 1;

/// The rows of one side, a list for each family in the order of Family. The first row of a list fits everything.
struct RegisterAttributions {
  RegisterAttributions(Side side, const std::array<std::span<const AttributionRow>, kAttributedFamilies>& families);
};

/// Every row, sorted by side and family, without alternatives.
std::span<const AttributionRow> Attributions();

/// True for a row that names a trigger, a fact or a value. False for those that fit everything, and for observed
/// choices, which do not violate a rule.
inline bool Claims(const AttributionRow& row) {
  return row.family != Family::kWay && (!row.triggers.empty() || !row.facts.empty() || !row.got.empty());
}

/// What a finding is about.
struct About {
  Side side;
  Family family;
  std::string_view fact;
  std::string_view got;
  std::span<const std::string> peculiarities;  // ids, the plainer ones first
};

/// The most specific row that fits: it needs the least simple trigger; then it needs the most; then it names the fact,
/// then the value.
const AttributionRow& AttributionOf(const About& about);

/// True when `got` is, or begins as, `wanted` says; for "many" a number above 1, for "negative" a tuple with a negative
/// entry, for "unpublished" a dtype or a device whose first number, or flags with a bit that no version has defined.
bool FitsValue(std::string_view wanted, std::string_view got);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_ATTRIBUTE_ATTRIBUTION_H_
