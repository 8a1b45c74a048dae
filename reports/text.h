// reports/text.h: makes any library's text safe for the place where it is printed.
#ifndef DLPACK_CTS_REPORTS_TEXT_H_
#define DLPACK_CTS_REPORTS_TEXT_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace dlpack_cts {

/// Valid UTF-8 without control characters other than newline and tab: what is wrong becomes U+FFFD. XML 1.0 can hold no
/// more.
std::string Clean(std::string_view text);

/// Clean, on one line: a newline becomes "\n", a tab one blank. Longer texts are cut at a character and end in "...".
std::string OneLine(std::string_view text, size_t limit = 400);

/// For text and attributes of XML and HTML.
std::string EscapeXml(std::string_view text);

/// For running text and table cells of Markdown, on one line.
std::string EscapeMarkdown(std::string_view text);

/// Code in a Markdown line, fenced by as many backticks as the text needs; "" for an empty text.
std::string MarkdownCode(std::string_view text, bool in_table = false);

/// "12 ms" or "3.4 s".
std::string Duration(double seconds);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REPORTS_TEXT_H_
