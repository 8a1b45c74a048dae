// reports/text.cc: makes any library's text safe for the place where it is printed.
#include "reports/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace dlpack_cts {
namespace {

constexpr size_t kLongLine = 4096;
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// Length of the well-formed UTF-8 character at the front, or 0: no surrogates, no overlong forms, no XML
/// non-characters.
size_t CharacterLength(std::string_view text) {
  const auto byte = [text](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t first = byte(0);
  if (first < 0x80) return 1;
  const size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  uint32_t code = first & (0xFFu >> (length + 1));
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0u) != 0x80u) return 0;
    code = code << 6 | (byte(i) & 0x3Fu);
  }
  constexpr uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool allowed = code >= kSmallest[length] && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF) &&
                       code != 0xFFFE && code != 0xFFFF;
  return allowed ? length : 0;
}

}  // namespace

std::string Clean(std::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  while (!text.empty()) {
    const size_t length = CharacterLength(text);
    const uint8_t first = static_cast<uint8_t>(text[0]);
    const bool control = (first < 0x20 && first != '\n' && first != '\t') || first == 0x7F ||
                         (length == 2 && first == 0xC2 && static_cast<uint8_t>(text[1]) < 0xA0);
    if (length == 0 || control) {
      clean += kReplacement;
    } else {
      clean += text.substr(0, length);
    }
    text.remove_prefix(std::max<size_t>(length, 1));
  }
  return clean;
}

std::string OneLine(std::string_view text, size_t limit) {
  std::string line;
  for (const char c : Clean(text)) {
    if (c == '\n') {
      line += "\\n";
    } else {
      line += c == '\t' ? ' ' : c;
    }
  }
  if (line.size() <= limit) return line;
  size_t end = limit;
  while (end > 0 && (static_cast<uint8_t>(line[end]) & 0xC0u) == 0x80u) --end;
  return line.substr(0, end) + "...";
}

std::string EscapeXml(std::string_view text) {
  std::string escaped;
  for (const char c : Clean(text)) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string EscapeMarkdown(std::string_view text) {
  std::string escaped;
  for (const char c : OneLine(text, kLongLine)) {
    if (std::string_view("\\`*_{}[]<>#|~&").find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string MarkdownCode(std::string_view text, bool in_table) {
  if (text.empty()) return "";
  // A cell of a table ends at a bar, even inside code.
  std::string line;
  size_t longest = 0;
  size_t length = 0;
  for (const char c : OneLine(text, kLongLine)) {
    if (in_table && c == '|') line += '\\';
    line += c;
    length = c == '`' ? length + 1 : 0;
    longest = std::max(longest, length);
  }
  const std::string fence(longest + 1, '`');
  return longest == 0 ? fence + line + fence : fmt::format("{0} {1} {0}", fence, line);
}

std::string Duration(double seconds) {
  return seconds < 1 ? fmt::format("{:.0f} ms", seconds * 1000) : fmt::format("{:.1f} s", seconds);
}

}  // namespace dlpack_cts
