// tests/suites/same_address_test.cc: what is wrong without an earlier tensor too does not violate C-OWN-21.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "harness/case/case.h"

namespace dlpack_cts {
namespace {

/// What the case says of two imports at one struct address, with these elements.
std::optional<Breach> BreachOf(Reading first, Reading second) {
  const auto& cases = Catalogue();
  const auto tested =
      std::ranges::find(cases, std::string_view("c-abi/own/same-struct-address-is-another-tensor"), &Case::id);
  if (tested == cases.end()) return std::nullopt;
  Ledger ledger{};
  ledger.imports[0].import.outcome = ledger.imports[1].import.outcome = Outcome::kAccepted;
  ledger.imports[0].library.reading = first;
  ledger.imports[1].library.reading = second;
  Judgement judgement(ledger, tested->rules.front());
  tested->judge(Recipe{}, ledger, judgement);
  return judgement.breach();
}

TEST(SameStructAddress, WrongElementsOfTheSecondTensorAloneAreABreach) {
  const std::optional<Breach> breach = BreachOf(Reading::kMatches, Reading::kDiffers);
  ASSERT_TRUE(breach.has_value());
  EXPECT_EQ(breach->rule, "C-OWN-21");
}

TEST(SameStructAddress, WrongElementsOfBothTensorsAreNotDueToTheAddress) {
  EXPECT_FALSE(BreachOf(Reading::kDiffers, Reading::kDiffers).has_value());
}

}  // namespace
}  // namespace dlpack_cts
