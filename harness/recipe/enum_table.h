// harness/recipe/enum_table.h: tables with one row for each enumerator, with all its texts.
#ifndef DLPACK_CTS_HARNESS_RECIPE_ENUM_TABLE_H_
#define DLPACK_CTS_HARNESS_RECIPE_ENUM_TABLE_H_

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "base/enum_words.h"

namespace dlpack_cts {

/// The texts of one enumerator.
struct Named {
  std::string_view word = {};       // in JSON
  std::string_view sentence = {};   // in the sentence about a recipe; empty for the default
  std::string_view id = {};         // of its trigger; empty if it is not a trigger
  std::string_view statement = {};  // of its trigger: a statement about the exchange
};

template <typename Enum>
struct EnumRow {
  Enum value;
  std::string_view word = {};
  std::string_view sentence = {};
  std::string_view id = {};
  std::string_view statement = {};
};

/// The rows of all enumerators in the order in which their triggers are tried: the simpler ones first. A missing row,
/// an extra row, or a repeated word or id does not compile.
template <typename Enum>
class EnumTable {
 public:
  static constexpr size_t kSize = kEnumerators<Enum>;

  consteval EnumTable(const EnumRow<Enum> (&rows)[kSize]) {  // NOLINT(google-explicit-constructor): a list of rows
    std::array<bool, kSize> there{};
    for (size_t i = 0; i < kSize; ++i) {
      const EnumRow<Enum>& row = rows[i];
      const auto index = static_cast<size_t>(row.value);
      if (index >= kSize || there[index]) throw "an enumerator has two rows";
      there[index] = true;
      order_[i] = row.value;
      named_[index] = {row.word, row.sentence, row.id, row.statement};
      words_[index] = row.word;
      if (row.word.empty() != rows[0].word.empty()) throw "an enumerator lacks its word";
      if (row.id.empty() != row.statement.empty()) throw "a trigger lacks its id or its statement";
      for (size_t j = 0; j < i; ++j) {
        const bool worded = !row.word.empty() && row.word == rows[j].word;
        const bool said = !row.sentence.empty() && row.sentence == rows[j].sentence;
        const bool tried = !row.id.empty() && row.id == rows[j].id;
        if (worded || said || tried) throw "two enumerators have the same words";
      }
    }
  }

  constexpr const Named& operator[](Enum value) const {
    const auto index = static_cast<size_t>(value);
    return index < kSize ? named_[index] : kUndefined;
  }
  /// By the number of the enumerator.
  constexpr std::span<const Named> all() const { return named_; }
  constexpr std::span<const std::string_view> words() const { return words_; }
  /// In the order of the rows.
  constexpr std::span<const Enum> order() const { return order_; }

 private:
  static constexpr Named kUndefined = {kUndefinedWord, kUndefinedWord};

  std::array<Named, kSize> named_{};
  std::array<std::string_view, kSize> words_{};
  std::array<Enum, kSize> order_{};
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_RECIPE_ENUM_TABLE_H_
