// harness/judge/homes.h: the attribution of findings to rules, as data.
//
// A finding has triggers and a first violated fact. A Home names
// such facts and triggers, and the rule that they violate. The most specific one that fits is taken.
#ifndef DLPACK_CTS_HARNESS_JUDGE_HOMES_H_
#define DLPACK_CTS_HARNESS_JUDGE_HOMES_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/ledger/fact_table.h"

namespace dlpack_cts {

/// Which of its two roles the library plays there.
enum class Side : uint8_t { kImport, kExport };

struct Home {
  Side side;
  Family family;
  std::string_view needs;  // ids of triggers, separated by spaces; one that ends in * stands for all that begin so
  std::string_view facts;  // patterns of FactRow, and "death-STEP", "thrown-STEP", "hang-STEP"; empty: any
  std::string_view got;    // the subject's value, as in `needs`; or one of the words of FitsValue(); empty: any
  std::string_view rule;
};

/// Every home. Each family of each side has one that needs nothing.
std::span<const Home> Homes();

/// True for a Home that names a trigger, a fact or a value. False for those that take the rest, and for
/// observed choices, which do not violate a rule.
inline bool Claims(const Home& home) {
  return home.family != Family::kWay && (!home.needs.empty() || !home.facts.empty() || !home.got.empty());
}

/// What a finding is about.
struct About {
  Side side;
  Family family;
  std::string_view fact;
  std::string_view got;
  std::span<const std::string> peculiarities;  // ids, the plainer ones first
};

/// The most specific Home that fits: it needs the least simple trigger; then it needs the most; then it names the
/// fact, then the value.
const Home& HomeOf(const About& about);

/// True when `got` is, or begins as, `wanted` says; for "many" a number above 1, for "negative" a tuple with a negative
/// entry, for "unpublished" a dtype or a device whose first number, or flags with a bit that no version has defined.
bool FitsValue(std::string_view wanted, std::string_view got);

std::string_view ToText(Side side);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_JUDGE_HOMES_H_
