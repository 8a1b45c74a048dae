// mutants/values.cc: reads numbers, words, masks and small structs of mutant files.
#include "mutants/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <ranges>
#include <vector>

#include "base/text.h"
#include "harness/recipe/dtypes.h"

namespace dlpack_cts {
namespace {

constexpr std::string_view kBut = " but ";

template <typename Number>
Number NumberOf(std::string_view text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, number);
  if (error == std::errc() && last == end) return number;
  throw Failure(fmt::format("\"{}\" is not a number of {} bits", text, 8 * sizeof(Number)));
}

/// A number, or the word that stands at its place.
template <typename Number>
Number NumberOrWord(std::string_view text, std::span<const std::string_view> words) {
  const auto found = std::ranges::find(words, text);
  if (!text.empty() && found != words.end()) return static_cast<Number>(found - words.begin());
  if (!text.empty() && (text[0] == '-' || (text[0] >= '0' && text[0] <= '9'))) return NumberOf<Number>(text);
  std::vector<std::string_view> names(words.begin(), words.end());
  std::erase(names, "");
  throw Failure(fmt::format("\"{}\" is neither a number nor one of: {}", text, Joined(names, ", ")));
}

/// The parts of a text that has that many.
template <size_t kParts>
std::array<std::string_view, kParts> Parts(std::string_view text, std::string_view separator, std::string_view form) {
  const std::vector<std::string_view> split = Split(text, separator);
  if (split.size() != kParts) throw Failure(fmt::format("\"{}\" is not {}", text, form));
  std::array<std::string_view, kParts> parts;
  std::ranges::copy(split, parts.begin());
  return parts;
}

/// The bits of words that commas join.
uint64_t BitsIn(std::string_view list, MaskWords words, uint64_t all) {
  uint64_t bits = 0;
  for (const std::string_view word : Split(list, ", ")) {
    const auto found = std::ranges::find(words, word, &MaskWord::word);
    if (found == words.end() && word != "all") {
      const std::string others = Joined(words | std::views::transform(&MaskWord::word), ", ");
      throw Failure(fmt::format("\"{}\" is not one of: all, {}", word, others));
    }
    bits |= word == "all" ? all : found->bits;
  }
  return bits;
}

}  // namespace

bool ReadBool(const Written& written) {
  const bool* const value = std::get_if<bool>(&written);
  if (value == nullptr) throw Failure("the value must be true or false");
  return *value;
}

uint64_t ReadNumber(const Written& written, uint64_t highest) {
  const int64_t* const value = std::get_if<int64_t>(&written);
  if (value == nullptr || *value < 0 || static_cast<uint64_t>(*value) > highest) {
    throw Failure(fmt::format("the value must be a number from 0 to {}", highest));
  }
  return static_cast<uint64_t>(*value);
}

const std::string& TextOf(const Written& written) {
  const std::string* const text = std::get_if<std::string>(&written);
  if (text == nullptr) throw Failure("the value must be a text");
  return *text;
}

size_t ReadWord(std::string_view text, std::span<const std::string_view> words) {
  const auto found = std::ranges::find(words, text);
  if (found == words.end()) throw Failure(fmt::format("\"{}\" is not one of: {}", text, Joined(words, ", ")));
  return static_cast<size_t>(found - words.begin());
}

uint64_t WordMask(std::string_view text, MaskWords words, uint64_t all) {
  const size_t but = text.find(kBut);
  const uint64_t bits = BitsIn(text.substr(0, but), words, all);
  return but == std::string_view::npos ? bits : bits & ~BitsIn(text.substr(but + kBut.size()), words, all);
}

uint64_t ReadMask(const Written& written, MaskWords words, uint64_t all) {
  if (const auto* const text = std::get_if<std::string>(&written)) return WordMask(*text, words, all);
  const auto* const numbers = std::get_if<std::vector<int64_t>>(&written);
  if (numbers == nullptr) return ReadNumber(written, all);
  uint64_t bits = 0;
  for (const int64_t number : *numbers) {
    if (number < 0 || number > 63 || (all >> number & 1) == 0)
      throw Failure(fmt::format("{} is not a bit of the field", number));
    bits |= uint64_t{1} << number;
  }
  return bits;
}

uint64_t ReadDigits(std::string_view text) { return NumberOf<uint64_t>(text); }

uint8_t ReadCode(std::string_view text) { return NumberOrWord<uint8_t>(text, kCodeWords.all()); }

int32_t ReadDeviceType(std::string_view text) { return NumberOrWord<int32_t>(text, kDeviceTypeWords); }

template <>
abi::DLDataType ReadText<abi::DLDataType>(const std::string& text) {
  constexpr std::string_view kForm = "a type such as float32, float32_x2 or (41, 64, 1)";
  if (const std::optional<abi::DLDataType> named = DataTypeOf(text)) return *named;
  if (!text.starts_with('(') || !text.ends_with(')')) throw Failure(fmt::format("\"{}\" is not {}", text, kForm));
  const auto [code, bits, lanes] = Parts<3>(std::string_view(text).substr(1, text.size() - 2), ", ", kForm);
  return {ReadCode(code), NumberOf<uint8_t>(bits), NumberOf<uint16_t>(lanes)};
}

template <>
abi::DLDevice ReadText<abi::DLDevice>(const std::string& text) {
  const auto [type, id] = Parts<2>(text, ":", "a device such as CPU:0 or 5:0");
  return {ReadDeviceType(type), NumberOf<int32_t>(id)};
}

template <>
abi::DLPackVersion ReadText<abi::DLPackVersion>(const std::string& text) {
  const auto [major, minor] = Parts<2>(text, ".", "a version such as 1.3");
  return {NumberOf<uint32_t>(major), NumberOf<uint32_t>(minor)};
}

template <>
Slip ReadText<Slip>(const std::string& text) {
  const auto [how, function] = Parts<2>(text, " ", "a failure and a function such as \"throws allocator\"");
  return {static_cast<Slip::How>(ReadWord(how, kWordsOf<Slip::How>.all())),
          static_cast<uint8_t>(ReadWord(function, kWordsOf<TableFunction>.all()))};
}

Argument ReadArgument(const Written& written) {
  if (const auto* const number = std::get_if<int64_t>(&written)) return {ArgumentKind::kInt, {}, *number, 0};
  const std::string& text = TextOf(written);
  const std::vector<std::string_view> parts = Split(text, " ");
  if (parts.size() > 3) throw Failure(fmt::format("\"{}\" is not an argument such as \"pair 1 3\"", text));
  Argument argument{static_cast<ArgumentKind>(ReadWord(parts[0], kArguments.words())), {}, 0, 0};
  if (parts.size() > 1) argument.a = NumberOf<int64_t>(parts[1]);
  if (parts.size() > 2) argument.b = NumberOf<int64_t>(parts[2]);
  return argument;
}

}  // namespace dlpack_cts
