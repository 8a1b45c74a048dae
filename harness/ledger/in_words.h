// harness/ledger/in_words.h: a fact and its two values, as text for people.
#ifndef DLPACK_CTS_HARNESS_LEDGER_IN_WORDS_H_
#define DLPACK_CTS_HARNESS_LEDGER_IN_WORDS_H_

#include <string>
#include <string_view>

#include "harness/ledger/ledger.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts {

struct FactInWords {
  std::string meaning;  // the meaning of the fact: "dl_tensor.shape"; empty for an unknown key
  std::string wanted;   // "element [0,1] = 1.5", "CUDA(2):0", "READ_ONLY"; the given text if there is no better one
  std::string got;
};

/// The texts of a fact, with its wanted and its actual value as Fact() writes them. `wanted` may have several values,
/// separated by " | ".
FactInWords WordsOfFact(std::string_view key, const Recipe& recipe, const Ledger& ledger, const std::string& wanted,
                        const std::string& got);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_LEDGER_IN_WORDS_H_
