// harness/ledger/in_words.h: a fact and its two values in words.
#ifndef DLPACK_CTS_HARNESS_LEDGER_IN_WORDS_H_
#define DLPACK_CTS_HARNESS_LEDGER_IN_WORDS_H_

#include <string>
#include <string_view>

#include "harness/ledger/ledger.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts {

struct FactInWords {
  std::string meaning;  // of the fact: "dl_tensor.shape"; empty for an unknown key
  std::string wanted;   // "element [0,1] = 1.5", "CUDA(2):0", "READ_ONLY"; as it was given if there are no better words
  std::string got;
};

/// The words for a fact of which one value was wanted and another one was seen, both as Fact() writes them; `wanted`
/// may name several, with " | " between.
FactInWords WordsOfFact(std::string_view key, const Recipe& recipe, const Ledger& ledger, const std::string& wanted,
                        const std::string& got);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_LEDGER_IN_WORDS_H_
