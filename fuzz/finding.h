// fuzz/finding.h: judges one finished exchange whatever its recipe is, with the judges of the suites.
//
// A case of the suites draws what it judges; here the recipe is given. So only judges whose sentence holds for every
// recipe of a kind are asked: those of the elements, the shape, the type, the release and the struct.
#ifndef DLPACK_CTS_FUZZ_FINDING_H_
#define DLPACK_CTS_FUZZ_FINDING_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "harness/ledger/ledger.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts {

struct Finding {
  std::string verdict;  // FAIL, UNSAFE or LEAK
  std::string case_id;  // whose judge said it
  std::string rule;
  std::string message;
  std::string wanted;
  std::string got;

  bool SameAs(const Finding& other) const {
    return verdict == other.verdict && rule == other.rule && message == other.message;
  }
};

/// What is wrong with the exchange, or nothing. Only what counts as its rule says; warnings and notes stop no campaign.
std::optional<Finding> JudgeImport(const Recipe& recipe, const Ledger& ledger);

/// Names the first case that JudgeImport asks for and the catalogue lacks; "" when there is none.
std::string_view MissingCase();

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_FUZZ_FINDING_H_
