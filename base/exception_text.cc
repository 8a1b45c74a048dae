// base/exception_text.cc: takes the values out of the texts of exceptions.
#include "base/exception_text.h"

#include <regex>

namespace dlpack_cts {
namespace {

constexpr auto kStyle = std::regex::ECMAScript | std::regex::icase | std::regex::optimize;

}  // namespace

std::string WithoutValues(std::string_view exception) {
  // Whole words: addresses, dtypes ("float16", "complex64", "float8_e4m3fn", "bool", "<f4"), other numbers, and words.
  static const std::regex value(R"([<>|=]?\b(0x[0-9a-f]+|(b?float|u?int|complex)\d\w*|bool|true|false|none|)"
                                R"([a-z]{0,2}\d+|[0-9a-f]*\d[0-9a-f]*)\b)",
                                kStyle);
  static const std::regex digits(R"(\d+)", kStyle);
  static const std::regex number(R"([-+]?#(\.#)*)", kStyle);
  static const std::regex list(R"(#(\s*[,x]\s*#)+,?|#,(?=[)\]]))", kStyle);
  static const std::regex empty_list(R"((^|[^\w])(\(\)|\[\]))", kStyle);
  std::string text = std::regex_replace(std::string(exception), value, "#");
  text = std::regex_replace(text, digits, "#");
  text = std::regex_replace(text, number, "#");
  text = std::regex_replace(text, list, "#");
  return std::regex_replace(text, empty_list, "$1(#)");
}

bool IsSameException(std::string_view one, std::string_view other) {
  return one == other || WithoutValues(one) == WithoutValues(other);
}

}  // namespace dlpack_cts
