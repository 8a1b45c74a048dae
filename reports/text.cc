// reports/text.cc: makes a library's text safe for the place where it is printed.
#include "reports/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <iterator>
#include <sstream>

namespace dlpack_cts {
namespace {

constexpr size_t kLongLine = 4096;

/// The code of a well-formed character.
uint32_t CodeOf(std::string_view character) {
  const auto first = static_cast<uint8_t>(character[0]);
  if (character.size() == 1) return first;
  uint32_t code = first & (0xFFu >> (character.size() + 1));
  for (const char c : character.substr(1)) code = code << 6 | (static_cast<uint8_t>(c) & 0x3Fu);
  return code;
}

/// Control characters, and characters that change how the text around them is shown: directions, line separators, zero
/// width, tags.
bool IsUnseen(uint32_t code) {
  struct Range {
    uint32_t first;
    uint32_t last;
  };
  constexpr Range kUnseen[] = {{0, 0x1F},        {0x7F, 0x9F},     {0x61C, 0x61C},
                               {0x200B, 0x200F}, {0x2028, 0x202E}, {0x2060, 0x206F},
                               {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB}, {0xE0000, 0xE007F}};
  return std::any_of(std::begin(kUnseen), std::end(kUnseen),
                     [code](const Range& range) { return code >= range.first && code <= range.last; });
}

std::string EscapeOf(uint32_t code) {
  if (code == '\r') return "\\r";
  return code < 0x80 ? fmt::format("\\x{:02x}", code) : fmt::format("\\u{:04x}", code);
}

}  // namespace

std::string Clean(std::string_view text, size_t limit) {
  std::string clean;
  const std::string cut = Cut(text, limit);
  std::string_view rest = cut;
  clean.reserve(rest.size());
  while (!rest.empty()) {
    const size_t length = CharacterLength(rest);
    const std::string_view character = rest.substr(0, std::max<size_t>(length, 1));
    if (length == 0) {
      clean += fmt::format("\\x{:02x}", static_cast<uint8_t>(rest[0]));
    } else if (character != "\n" && character != "\t" && IsUnseen(CodeOf(character))) {
      clean += EscapeOf(CodeOf(character));
    } else {
      clean += character;
    }
    rest.remove_prefix(character.size());
  }
  return clean;
}

std::string OneLine(std::string_view text, size_t limit) {
  std::string line;
  for (const char c : Clean(text, limit)) {
    if (c == '\n') {
      line += "\\n";
    } else {
      line += c == '\t' ? ' ' : c;
    }
  }
  return line;
}

std::string Lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

size_t Columns(std::string_view text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<uint8_t>(c) & 0xC0u) != 0x80u; }));
}

std::string FirstColumns(std::string_view line, size_t columns) {
  size_t bytes = 0;
  for (; columns > 0 && bytes < line.size(); --columns) {
    bytes += std::max<size_t>(CharacterLength(line.substr(bytes)), 1);
  }
  return std::string(line.substr(0, bytes));
}

std::string Folded(std::string_view line, size_t first, size_t indent, size_t width) {
  if (width == 0) return std::string(line);
  std::string folded;
  size_t column = first;
  bool begun = false;  // the row has a word already
  while (!line.empty()) {
    const size_t blanks = std::min(line.find_first_not_of(' '), line.size());
    const size_t end = std::min(line.find(' ', blanks), line.size());
    const size_t columns = Columns(line.substr(0, end));
    if (begun && column + columns > width) {
      folded += '\n' + std::string(indent, ' ') + std::string(line.substr(blanks, end - blanks));
      column = indent + columns - blanks;
    } else {
      folded += line.substr(0, end);
      column += columns;
    }
    begun = true;
    line.remove_prefix(end);
  }
  return folded;
}

std::string QuotedLines(std::string_view text, size_t limit) {
  std::string shown = Clean(text);
  if (text.size() > limit) {
    const std::string_view head = text.substr(0, limit / 4);
    const std::string_view tail = text.substr(text.size() - limit * 3 / 4);
    shown = fmt::format("{}\n... ({} bytes) ...\n{}", Clean(head), text.size(), Clean(tail));
  }
  std::string quoted;
  std::stringstream lines(shown);
  std::string line;
  while (std::getline(lines, line)) quoted += "  | " + line + "\n";
  return quoted;
}

std::string EscapeXml(std::string_view text, size_t limit) {
  std::string escaped;
  for (const char c : Clean(text, limit)) {
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

namespace {

bool IsAlphanumeric(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

}  // namespace

std::string EscapeMarkdown(std::string_view text) {
  std::string escaped;
  std::string line = OneLine(text, kLongLine);
  line.erase(0, line.find_first_not_of(' '));
  // The beginning of a list or an underline of a title has a meaning only at the start of a line.
  const size_t number = line.find_first_not_of("0123456789");
  const bool numbered =
      number != std::string::npos && number > 0 && (line.find(". ") == number || line.find(") ") == number);
  const bool marked = !line.empty() && std::string_view("-+=").find(line[0]) != std::string_view::npos;
  const size_t mark = numbered ? number : marked ? 0 : std::string::npos;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (i == mark) escaped += '\\';
    const bool within_word = c == '_' && i > 0 && i + 1 < line.size() && IsAlphanumeric(line[i - 1]) &&
                             IsAlphanumeric(line[i + 1]);  // "from_dlpack" has no emphasis
    if (!within_word && std::string_view("\\`*_{}[]<>#|~&").find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string MarkdownCode(std::string_view text, bool in_table) {
  if (text.empty()) return "";
  // A bar ends a table cell, even inside code. A backslash escapes the one behind it, so code cannot have both.
  if (in_table && text.find("\\|") != std::string_view::npos) return EscapeMarkdown(text);
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

std::string Plural(int64_t number, std::string_view noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

std::string Duration(double seconds) {
  return seconds < 1 ? fmt::format("{:.0f} ms", seconds * 1000) : fmt::format("{:.1f} s", seconds);
}

}  // namespace dlpack_cts
