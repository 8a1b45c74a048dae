// reports/text.h: makes a library's text safe for the place where it is printed.
#ifndef DLPACK_CTS_REPORTS_TEXT_H_
#define DLPACK_CTS_REPORTS_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "results/text.h"

namespace dlpack_cts {

/// Valid UTF-8 on one or more lines that every terminal, editor and XML parser shows as text. Control characters other
/// than newline and tab, bidirectional and invisible marks, and bytes that are not UTF-8 become visible escapes such as
/// "\x1b", "\u202e", "\xff". A longer text is cut, with a note of its length.
std::string Clean(std::string_view text, size_t limit = kLongText);

/// Clean() on one line: a newline becomes "
/// ", a tab becomes one blank.
std::string OneLine(std::string_view text, size_t limit = 400);

/// The text with small letters, where they are ASCII.
std::string Lower(std::string text);

/// The number of characters, which is about the number of columns of a clean text.
size_t Columns(std::string_view text);

/// The first `columns` characters of a clean line.
std::string FirstColumns(std::string_view line, size_t columns);

/// Folds a clean line at its blanks so that it fits a terminal of `width` columns. The line begins in column `first`,
/// and further lines in column `indent`. A longer word is not split. If `width` is 0 the line stays unchanged.
std::string Folded(std::string_view line, size_t first, size_t indent, size_t width);

/// Clean() with " | " before each line, so that a reader can tell it from lines of dlpack-cts. Ends in a newline unless
/// the text is empty. A longer text loses its middle, because the error of a traceback comes last.
std::string QuotedLines(std::string_view text, size_t limit = 8192);

/// Clean() for text and attributes of XML and HTML.
std::string EscapeXml(std::string_view text, size_t limit = kLongText);

/// On one line, for text and table cells in Markdown.
std::string EscapeMarkdown(std::string_view text);

/// Code in a line of Markdown, with as many backticks around it as needed; "" for an empty text.
std::string MarkdownCode(std::string_view text, bool in_table = false);

/// "1 case", "2 cases".
std::string Plural(int64_t number, std::string_view noun);

/// "12 ms" or "3.4 s".
std::string Duration(double seconds);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REPORTS_TEXT_H_
