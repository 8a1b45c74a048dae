// harness/reproducer/literal.cc: writes any text as a Python literal.
#include "harness/reproducer/literal.h"

#include <fmt/format.h>

#include <algorithm>

namespace dlpack_cts::python {
namespace {

bool IsPrintable(char c) { return c >= 0x20 && c <= 0x7E; }

/// The text between the quotes.
std::string Escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\n') {
      escaped += "\\n";
    } else if (!IsPrintable(c)) {
      escaped += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      if (c == '"' || c == '\\') escaped += '\\';
      escaped += c;
    }
  }
  return escaped;
}

/// Whether a raw literal gives back the text: it must not contain its own end, or end with a quote or backslash, and
/// may contain only these characters.
bool ReadsBackRaw(std::string_view source) {
  if (source.find("'''") != std::string_view::npos) return false;
  if (source.ends_with('\'') || source.ends_with('\\')) return false;
  return std::all_of(source.begin(), source.end(), [](char c) { return IsPrintable(c) || c == '\n' || c == '\t'; });
}

}  // namespace

std::string Literal(std::string_view text) {
  const bool ascii = std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  return ascii ? fmt::format("\"{}\"", Escaped(text))
               : fmt::format("b\"{}\".decode(\"utf-8\", \"surrogateescape\")", Escaped(text));
}

std::string SourceLiteral(std::string_view source) {
  if (ReadsBackRaw(source)) return fmt::format("rb'''{}'''", source);
  std::string lines = "(\n";
  do {
    const size_t end = std::min(source.find('\n'), source.size() - 1);  // the newline belongs to its line
    lines += fmt::format("    b\"{}\"\n", Escaped(source.substr(0, end + 1)));
    source.remove_prefix(std::min(end + 1, source.size()));
  } while (!source.empty());
  return lines + ")";
}

std::string CommentText(std::string_view text, size_t limit) {
  std::string line;
  for (const char c : text.substr(0, limit)) {
    if (c == '\n') {
      line += ' ';
    } else {
      line += IsPrintable(c) ? std::string(1, c) : fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
  }
  return text.size() > limit ? fmt::format("{}... ({} bytes)", line, text.size()) : line;
}

}  // namespace dlpack_cts::python
