// results/words.h: the readable form of an example: the recipe in one line, the meaning of the fact, and both values.
#ifndef DLPACK_CTS_RESULTS_WORDS_H_
#define DLPACK_CTS_RESULTS_WORDS_H_

#include <nlohmann/json.hpp>
#include <string>

namespace dlpack_cts {

/// The field `words` of a line. The worker makes it, because it knows recipes. Empty if there is nothing to say, and in
/// files of an earlier version.
struct Words {
  std::string example;  // "float32, shape (2,3), versioned 1.3, byte_offset 4"
  std::string meaning;  // of the fact: "described shape"
  std::string wanted;   // "element [0,1] = 1.5"
  std::string got;

  bool Any() const { return !example.empty() || !meaning.empty() || !wanted.empty() || !got.empty(); }
};

nlohmann::json ToJson(const Words& words);

/// Strict: an object with exactly these four strings.
bool FromJson(const nlohmann::json& json, Words* words, std::string* error);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_RESULTS_WORDS_H_
