// base/text.h: lists and tuples as text.
#ifndef DLPACK_CTS_BASE_TEXT_H_
#define DLPACK_CTS_BASE_TEXT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

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

/// Like str.split() of Python: an empty text has one empty part.
inline std::vector<std::string_view> Split(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  for (size_t end = 0; (end = text.find(separator)) != std::string_view::npos;) {
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end + separator.size());
  }
  parts.push_back(text);
  return parts;
}

/// A tuple as Python writes it: "()", "(2,)", "(2, 3)".
inline std::string TupleText(const int64_t* values, int64_t count) {
  std::string text = "(";
  for (int64_t i = 0; i < count; ++i) text += (i > 0 ? ", " : "") + std::to_string(values[i]);
  return text + (count == 1 ? ",)" : ")");
}

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_BASE_TEXT_H_
