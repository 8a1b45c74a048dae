// harness/reproducer/literal.h: writes any text as Python. All text from outside enters a script through this.
#ifndef DLPACK_CTS_HARNESS_REPRODUCER_LITERAL_H_
#define DLPACK_CTS_HARNESS_REPRODUCER_LITERAL_H_

#include <string>
#include <string_view>

namespace dlpack_cts::python {

/// An expression of one line, in printable ASCII, whose value is the text: `"..."`, or, where the text holds more than
/// ASCII, the decoded bytes. Invalid UTF-8 becomes lone surrogates, as in Python file names.
std::string Literal(std::string_view text);

/// An expression whose value is exactly these bytes. Source that reads back as it is written stays readable, as
/// `rb'''...'''`; otherwise each line is a literal of its own.
std::string SourceLiteral(std::string_view source);

/// The text on one line in printable ASCII, for comments: blanks and newlines become one blank each, all else that is
/// not printable a backslash escape. Cut after `limit` characters, with a note of the length.
std::string CommentText(std::string_view text, size_t limit = 2000);

}  // namespace dlpack_cts::python

#endif  // DLPACK_CTS_HARNESS_REPRODUCER_LITERAL_H_
