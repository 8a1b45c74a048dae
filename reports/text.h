// reports/text.h: makes any library's text safe for the place where it is printed.
#ifndef DLPACK_CTS_REPORTS_TEXT_H_
#define DLPACK_CTS_REPORTS_TEXT_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "results/text.h"

namespace dlpack_cts {

/// Valid UTF-8 on one or more lines that no terminal, editor or XML parser takes for anything but text: control
/// characters other than newline and tab, marks that turn the direction of writing or hide themselves, and bytes that
/// are no UTF-8 become visible escapes such as "\x1b", "\u202e", "\xff". Longer texts are cut with a note of the
/// length.
std::string Clean(std::string_view text, size_t limit = kLongText);

/// Clean, on one line: a newline becomes "\n", a tab one blank.
std::string OneLine(std::string_view text, size_t limit = 400);

/// How many characters it has; of a clean text about as many columns.
size_t Columns(std::string_view text);

/// The first characters of a clean line, as many as that.
std::string FirstColumns(std::string_view line, size_t columns);

/// Folds a clean line at its blanks, so that a terminal of that width shows it whole: it begins in column `first`, what
/// is folded in column `indent`. A longer word stays whole; nothing is folded where `width` is 0.
std::string Folded(std::string_view line, size_t first, size_t indent, size_t width);

/// Clean, each line of the text in one of its own behind "  | ", so that none passes for a line of ours; ends in a
/// newline unless the text is empty. Of a longer text both ends stay: a log's news and a traceback's error come last.
std::string QuotedLines(std::string_view text, size_t limit = 8192);

/// Clean, for text and attributes of XML and HTML.
std::string EscapeXml(std::string_view text, size_t limit = kLongText);

/// For running text and table cells of Markdown, on one line.
std::string EscapeMarkdown(std::string_view text);

/// Code in a Markdown line, fenced by as many backticks as the text needs; "" for an empty text.
std::string MarkdownCode(std::string_view text, bool in_table = false);

/// "12 ms" or "3.4 s".
std::string Duration(double seconds);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REPORTS_TEXT_H_
