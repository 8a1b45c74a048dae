// tests/suites/not_judged_test.cc: each reason that blocks a case has a short form for the verdict sentence.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "harness/case/case.h"
#include "harness/case/claims.h"
#include "harness/case/generous.h"
#include "reports/rules_judged.h"

namespace dlpack_cts {
namespace {

/// Profiles that lack one thing each, one that has nothing, and one for each claim and trait.
std::vector<Profile> Profiles() {
  std::vector<Profile> profiles = {Profile(), Generous()};
  const auto add = [&](auto change) {
    profiles.push_back(Generous());
    change(profiles.back());
  };
  add([](Profile& one) { one.takes_legacy = 0; });
  add([](Profile& one) { one.takes_versioned = 0; });
  add([](Profile& one) { one.takes_legacy = one.takes_versioned = 0; });
  add([](Profile& one) { one.makes_legacy = 0; });
  add([](Profile& one) { one.makes_versioned = 0; });
  add([](Profile& one) { one.makes_legacy = one.makes_versioned = one.takes_keywords = 0; });
  add([](Profile& one) { one.takes_keywords = 0; });
  add([](Profile& one) { one.takes_dtypes = one.makes_dtypes = 1; });
  add([](Profile& one) { one.bare_legacy = one.bare_versioned = 1; });
  for (int i = 0; i < static_cast<int>(Claim::kCount); ++i) {
    add([&](Profile& one) { one.claims ^= uint32_t{1} << i; });
  }
  for (int i = 0; i < static_cast<int>(Trait::kCount); ++i) {
    add([&](Profile& one) { one.declared.traits ^= uint32_t{1} << i; });
  }
  return profiles;
}

TEST(NotJudged, EachReasonThatBlocksACaseHasAPhrase) {
  std::set<std::string> reasons;
  for (const Profile& profile : Profiles()) {
    for (const Case& tested : Catalogue()) {
      if (tested.blocked != nullptr) reasons.insert(std::string(tested.blocked(profile)));
    }
  }
  reasons.erase("");
  EXPECT_GT(reasons.size(), 15u);
  for (const std::string& reason : reasons) EXPECT_NE(PhraseOf(reason), "") << reason;
}

}  // namespace
}  // namespace dlpack_cts
