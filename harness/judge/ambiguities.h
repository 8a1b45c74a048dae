// harness/judge/ambiguities.h: choices that the specification leaves open, and what an exchange shows of each.
//
// No observed choice is a violation. It still helps the authors of the next version of the text,
// and libraries that exchange with one that chose differently. The numbers are those that rules/*.toml
// name.
#ifndef DLPACK_CTS_HARNESS_JUDGE_AMBIGUITIES_H_
#define DLPACK_CTS_HARNESS_JUDGE_AMBIGUITIES_H_

#include <array>
#include <span>
#include <string_view>

#include "harness/ledger/ledger.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts {

inline constexpr int kReadings = 4;

struct Ambiguity {
  std::string_view id;                               // "A-23"
  std::string_view rule;                             // that leaves it open
  std::string_view question;                         // what the text does not decide
  std::array<std::string_view, kReadings> readings;  // each without a subject: "clears it"
  /// Which reading the exchange shows, as an index; -1 where it shows none. NULL where no exchange can.
  int (*shown)(const Recipe& recipe, const Ledger& ledger);
  /// A reading that may have another reason (a refusal): it counts where no other reading was ever shown. -1: none.
  int weak;
  std::string_view unseen;  // why no exchange can show it; empty where one can
};

/// Every ambiguity, by number. One that consumers and producers answer each in their way has two rows.
std::span<const Ambiguity> Ambiguities();

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_JUDGE_AMBIGUITIES_H_
