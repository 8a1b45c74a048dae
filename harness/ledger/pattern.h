// harness/ledger/pattern.h: lists of words in rows of data, and patterns that end in *.
#ifndef DLPACK_CTS_HARNESS_LEDGER_PATTERN_H_
#define DLPACK_CTS_HARNESS_LEDGER_PATTERN_H_

#include <algorithm>
#include <string_view>

namespace dlpack_cts {

/// Whether the text equals the pattern, or begins with it if the pattern ends in *.
inline bool FitsPattern(std::string_view pattern, std::string_view text) {
  if (!pattern.ends_with('*')) return pattern == text;
  return text.starts_with(pattern.substr(0, pattern.size() - 1));
}

/// Calls `visit` with each word (separated by spaces) until it returns false. True if it never did.
template <typename Visit>
bool AllWords(std::string_view words, Visit visit) {
  while (!words.empty()) {
    const size_t end = std::min(words.find(' '), words.size());
    if (end > 0 && !visit(words.substr(0, end))) return false;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return true;
}

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_LEDGER_PATTERN_H_
