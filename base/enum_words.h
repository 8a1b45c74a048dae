// base/enum_words.h: tables from enumerators to words, whose completeness the compiler checks.
//
// An enum that has a table here starts at 0 and has no gaps. Its enumerators are counted, so that a new enumerator does
// not compile until every table has a word for it. A table of another type states its size with
// `static_assert(std::size(table) == kEnumerators<Enum>)`.
#ifndef DLPACK_CTS_BASE_ENUM_WORDS_H_
#define DLPACK_CTS_BASE_ENUM_WORDS_H_

#include <array>
#include <concepts>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

namespace dlpack_cts {

/// Whether the value is an enumerator. The compiler writes any other value as a cast: "(Enum)14".
template <auto kValue>
consteval bool IsEnumerator() {
  std::string_view text = __PRETTY_FUNCTION__;
  text.remove_suffix(1);
  while (text.back() >= '0' && text.back() <= '9') text.remove_suffix(1);
  return text.back() != ')';
}

/// The number of enumerators. A last enumerator `kCount` is not counted.
template <typename Enum, size_t kFrom = 0>
  requires std::is_enum_v<Enum>
consteval size_t CountEnumerators() {
  if constexpr (requires { Enum::kCount; }) {
    return static_cast<size_t>(Enum::kCount);
  } else if constexpr (IsEnumerator<static_cast<Enum>(kFrom)>()) {
    return CountEnumerators<Enum, kFrom + 1>();
  } else {
    return kFrom;
  }
}
template <typename Enum>
inline constexpr size_t kEnumerators = CountEnumerators<Enum>();

/// The word for a number that is not an enumerator.
inline constexpr std::string_view kUndefinedWord = "undefined";

/// One word for each enumerator, in their order. An empty word, or a repeated word, does not compile.
template <typename Enum>
  requires std::is_enum_v<Enum>
class EnumWords {
 public:
  template <std::convertible_to<std::string_view>... Words>
  // NOLINTNEXTLINE(google-explicit-constructor): a table is written as a list of words.
  consteval EnumWords(const Words&... words) : words_{std::string_view(words)...} {
    static_assert(sizeof...(Words) == kEnumerators<Enum>, "the table needs one word for each enumerator");
    for (size_t i = 0; i < words_.size(); ++i) {
      if (words_[i].empty()) throw "a word is empty";
      for (size_t j = 0; j < i; ++j) {
        if (words_[i] == words_[j]) throw "two enumerators have the same word";
      }
    }
  }

  constexpr std::string_view operator[](Enum value) const {
    const auto index = static_cast<size_t>(value);
    return index < words_.size() ? words_[index] : kUndefinedWord;
  }
  constexpr std::span<const std::string_view> all() const { return words_; }

  /// The enumerator of that word.
  constexpr std::optional<Enum> Find(std::string_view word) const {
    for (size_t i = 0; i < words_.size(); ++i) {
      if (words_[i] == word) return static_cast<Enum>(i);
    }
    return std::nullopt;
  }

 private:
  std::array<std::string_view, kEnumerators<Enum>> words_;
};

/// An enum whose enumerators have the same word everywhere, also in files. It needs a function `consteval
/// EnumWords<Enum> WordsOf(Enum)` in its namespace.
template <typename Enum>
concept Worded = std::is_enum_v<Enum> && requires { WordsOf(Enum{}); };

template <Worded Enum>
inline constexpr EnumWords<Enum> kWordsOf = WordsOf(Enum{});

template <Worded Enum>
constexpr std::string_view ToText(Enum value) {
  return kWordsOf<Enum>[value];
}

template <Worded Enum>
constexpr std::optional<Enum> FromText(std::string_view word) {
  return kWordsOf<Enum>.Find(word);
}

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_BASE_ENUM_WORDS_H_
