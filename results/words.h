// results/words.h: what people read of an example: the recipe in a line, what the fact means, and both values.
#ifndef DLPACK_CTS_RESULTS_WORDS_H_
#define DLPACK_CTS_RESULTS_WORDS_H_

#include <nlohmann/json.hpp>
#include <string>

namespace dlpack_cts {

/// Made by the worker, which knows what a recipe is; the field `words` of a line. Empty where nothing is to be said,
/// and in files of an earlier version.
struct Words {
  std::string example;  // "float32, shape (2,3), versioned 1.3, byte_offset 4"
  std::string meaning;  // of the fact: "described shape"
  std::string wanted;   // "element [0,1] = 1.5"
  std::string got;

  bool Any() const { return !example.empty() || !meaning.empty() || !wanted.empty() || !got.empty(); }
};

nlohmann::json ToJson(const Words& words);

/// Strict: an object with these four texts and nothing else.
bool FromJson(const nlohmann::json& json, Words* words, std::string* error);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_RESULTS_WORDS_H_
