// reports/markup.h: the text of a page, in which every text from outside is escaped.
#ifndef DLPACK_CTS_REPORTS_MARKUP_H_
#define DLPACK_CTS_REPORTS_MARKUP_H_

#include <fmt/format.h>

#include <concepts>
#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "reports/text.h"

namespace dlpack_cts {

/// Text in the language of a page. It is made of literals of this program, of numbers, and of other texts, which are
/// escaped. A printer holds its page as Markup and not as a stream, so that no text gets into it as it is.
template <typename Language>
class Markup {
  std::string text_;

  template <typename Argument>
  static auto Written(const Argument& argument) {
    using Value = std::decay_t<Argument>;
    static_assert(!std::same_as<Value, const char*> && !std::same_as<Value, char*>);
    if constexpr (std::is_arithmetic_v<Value>) {
      return argument;
    } else if constexpr (std::same_as<Value, Markup>) {
      return std::string_view(argument.text_);
    } else {
      return Language::Escape(argument);
    }
  }

 public:
  Markup() = default;

  /// A literal with arguments in place of {}. A literal as an argument does not compile: is it a text, or markup?
  template <typename... Args>
  explicit Markup(fmt::format_string<decltype(Written(std::declval<const Args&>()))...> form, const Args&... args)
      : text_(fmt::format(form, Written(args)...)) {}

  /// Text that has been escaped, or a constant of this program that is not a literal.
  static Markup AlreadySafe(std::string_view text) {
    Markup markup;
    markup.text_ = text;
    return markup;
  }

  Markup& operator<<(const Markup& other) {
    text_ += other.text_;
    return *this;
  }
  template <size_t kSize>
  Markup& operator<<(const char (&literal)[kSize]) {
    text_ += literal;
    return *this;
  }
  template <std::integral Number>
    requires(!std::same_as<Number, char>)
  Markup& operator<<(Number number) {
    text_ += std::to_string(number);
    return *this;
  }
  /// Escapes the text.
  Markup& operator<<(std::string_view text) {
    text_ += Language::Escape(text);
    return *this;
  }

  bool empty() const { return text_.empty(); }
  const std::string& text() const { return text_; }
  /// Writes the text and forgets it, so that a long page is never in memory as a whole.
  void MoveTo(std::ostream& out) {
    out << text_;
    text_.clear();
  }
};

struct XmlEscapes {
  static std::string Escape(std::string_view text) { return EscapeXml(text); }
};
using Xml = Markup<XmlEscapes>;  // and HTML

struct MarkdownEscapes {
  static std::string Escape(std::string_view text) { return EscapeMarkdown(text); }
};
using Markdown = Markup<MarkdownEscapes>;

struct TerminalEscapes {
  static std::string Escape(std::string_view text) { return OneLine(text, kLongest); }
  static constexpr size_t kLongest = 4096;
};
using Terminal = Markup<TerminalEscapes>;

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REPORTS_MARKUP_H_
