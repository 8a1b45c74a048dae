// reports/code_spans.cc: puts what is between backticks into <code>.
#include "reports/code_spans.h"

namespace dlpack_cts {

Xml WithCode(std::string_view text) {
  Xml markup;
  while (true) {
    const size_t begin = text.find('`');
    const size_t end = begin == std::string_view::npos ? begin : text.find('`', begin + 1);
    if (end == std::string_view::npos) return markup << text;
    markup << Xml("{}<code>{}</code>", text.substr(0, begin), text.substr(begin + 1, end - begin - 1));
    text.remove_prefix(end + 1);
  }
}

}  // namespace dlpack_cts
