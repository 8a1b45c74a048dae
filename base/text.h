// base/text.h: lists and tuples as text.
#ifndef DLPACK_CTS_BASE_TEXT_H_
#define DLPACK_CTS_BASE_TEXT_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace dlpack_cts {

/// The texts of a range, with the separator between them.
template <typename Range>
std::string Joined(const Range& texts, std::string_view separator) {
  std::string joined;
  bool first = true;
  for (const auto& text : texts) {
    if (!first) joined += separator;
    joined += text;
    first = false;
  }
  return joined;
}

/// As Python writes a tuple: "()", "(2,)", "(2, 3)".
inline std::string TupleText(const int64_t* values, int64_t count) {
  std::string text = "(";
  for (int64_t i = 0; i < count; ++i) text += (i > 0 ? ", " : "") + std::to_string(values[i]);
  return text + (count == 1 ? ",)" : ")");
}

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_BASE_TEXT_H_
