// results/words.h: the readable form of an example: the recipe in one line, the meaning of the fact, and both values.
#ifndef DLPACK_CTS_RESULTS_WORDS_H_
#define DLPACK_CTS_RESULTS_WORDS_H_

#include <span>
#include <string>
#include <string_view>

#include "results/fields.h"

namespace dlpack_cts {

/// The field `words` of a line. The worker makes it, because it knows recipes. Empty if there is nothing to say, and in
/// files of an earlier version.
struct Words {
  static constexpr std::string_view kDefinition = "words";
  static std::span<const LineField<Words>> Fields();

  std::string example;  // "float32, shape (2,3), versioned 1.3, byte_offset 4"
  std::string meaning;  // "described shape"
  std::string wanted;   // "element [0,1] = 1.5"
  std::string got;

  bool empty() const { return example.empty() && meaning.empty() && wanted.empty() && got.empty(); }
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_RESULTS_WORDS_H_
