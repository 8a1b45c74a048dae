// harness/reproducer/literal.h: writes any text as a Python literal. All foreign text enters a script through this.
#ifndef DLPACK_CTS_HARNESS_REPRODUCER_LITERAL_H_
#define DLPACK_CTS_HARNESS_REPRODUCER_LITERAL_H_

#include <string>
#include <string_view>

namespace dlpack_cts::python {

/// An expression on one line, in printable ASCII, whose value is the text: `"..."`, or decoded bytes if the text is not
/// ASCII. Invalid UTF-8 becomes lone surrogates, as in Python file names.
std::string Literal(std::string_view text);

/// An expression whose value is exactly these bytes: a readable `rb'''...'''` if that gives back the text, otherwise
/// one literal per line.
std::string SourceLiteral(std::string_view source);

/// The text on one line in printable ASCII, for comments: each run of blanks and newlines becomes one blank, other
/// characters become backslash escapes. Truncated after `limit` characters, with a note of the full length.
std::string CommentText(std::string_view text, size_t limit = 2000);

}  // namespace dlpack_cts::python

#endif  // DLPACK_CTS_HARNESS_REPRODUCER_LITERAL_H_
