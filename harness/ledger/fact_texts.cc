// harness/ledger/fact_texts.cc: makes the texts of values.
#include <charconv>
#include <span>

#include "base/enum_words.h"
#include "base/text.h"
#include "harness/ledger/fact_types.h"
#include "harness/ledger/facts.h"

namespace dlpack_cts {
namespace {

using Form = FactValue::Form;

std::string Pair(int64_t a, int64_t b) {
  const int64_t values[] = {a, b};
  return TupleText(values, 2);
}

/// The words of the set bits, in order. Empty if no bit is set.
std::string Words(std::span<const std::string_view> words, uint64_t bits) {
  std::string text;
  for (size_t bit = 0; bit < words.size(); ++bit) {
    if ((bits >> bit & 1) != 0) text += (text.empty() ? "" : " ") + std::string(words[bit]);
  }
  return text;
}

std::string OrNone(const std::string& text) { return text.empty() ? "none" : text; }

}  // namespace

std::string NumberText(const FactValue& value) {
  return value.form == Form::kNothing ? "none" : std::to_string(value.first);
}

std::string UnsignedText(const FactValue& value) {
  return value.form == Form::kNothing ? "none" : std::to_string(static_cast<uint64_t>(value.first));
}

std::string TupleText(const FactValue& value) {
  if (value.form == Form::kNothing) return "none";
  if (value.first < 0) return "undefined: ndim is negative";
  if (value.first <= kDims) return TupleText(value.tuple(), value.first);
  std::string text = TupleText(value.tuple(), kDims);
  text.back() = ',';
  return text + " ...)";
}

std::string PairText(const FactValue& value) {
  return value.form == Form::kNothing ? "none" : Pair(value.first, value.second);
}

std::string DtypeText(const FactValue& value) {
  if (value.form == Form::kNothing) return "none";
  const int64_t parts[] = {value.first, value.second, value.aux};
  return TupleText(parts, 3);
}

std::string PlainText(const FactValue& value) {
  return value.form == Form::kNothing ? "none" : std::string(value.text());
}

std::string BitsText(const FactValue& value) {
  if (value.form == Form::kNothing) return "none";
  char digits[20] = "0x";
  const auto end = std::to_chars(digits + 2, digits + sizeof(digits), static_cast<uint64_t>(value.first), 16).ptr;
  return std::string(digits, end);
}

std::string AddressText(const FactValue& value) {
  const uint32_t area = value.aux & 0xFF;
  std::string text(ToText(static_cast<Area>(area)));
  const bool counted = area >= static_cast<uint32_t>(Area::kData) && area <= static_cast<uint32_t>(Area::kGuard);
  if (counted) text += (value.first < 0 ? "" : "+") + std::to_string(value.first);
  if (value.aux >> 8 != 0) text += " of slot " + std::to_string((value.aux >> 8) - 1);
  return text;
}

std::string TouchText(const FactValue& value) {
  if (value.form == Form::kNothing) return "none";
  return (value.aux >> 8 != 0 ? "write " : "read ") + std::string(ToText(static_cast<Region>(value.aux & 0xFF))) + "+" +
         std::to_string(value.first);
}

std::string ArgumentText(const FactValue& value) {
  switch (static_cast<ArgumentKind>(value.aux)) {
    case ArgumentKind::kAbsent:
      return "absent";
    case ArgumentKind::kNone:
      return "None";
    case ArgumentKind::kPair:
      return Pair(value.first, value.second);
    case ArgumentKind::kInt:
      return std::to_string(value.first);
    case ArgumentKind::kTrue:
      return "True";
    case ArgumentKind::kFalse:
      return "False";
    case ArgumentKind::kList:
      return "[" + std::to_string(value.first) + ", " + std::to_string(value.second) + "]";
    case ArgumentKind::kOneTuple:
      return "(" + std::to_string(value.first) + ",)";
    case ArgumentKind::kString:
      return "string";
    case ArgumentKind::kFloats:
      return "floats";
    case ArgumentKind::kHuge:
      return "huge";
    case ArgumentKind::kBools:
      return "bools";
    case ArgumentKind::kObject:
      return "object";
    // The ledger never has these: it records the value.
    case ArgumentKind::kEnumPair:
      return "enum-pair";
    case ArgumentKind::kSubclassPair:
      return "subclass-pair";
    case ArgumentKind::kIndexPair:
      return "index-pair";
    case ArgumentKind::kEnumInt:
      return "enum-int";
    case ArgumentKind::kSubclassInt:
      return "subclass-int";
    case ArgumentKind::kIndexInt:
      return "index-int";
  }
  return std::string(kUndefinedWord);
}

std::string KeywordsText(const FactValue& value) {
  std::string text = Words(kKeywordWords, value.aux);
  if (value.first > 0) text += (text.empty() ? "" : " ") + std::string(value.text());
  return OrNone(text);
}

std::string PartsToText(uint32_t parts) { return OrNone(Words(kPartWords, parts)); }

std::string PartsText(const FactValue& value) { return PartsToText(static_cast<uint32_t>(value.first)); }

std::string LookedText(const FactValue& value) {
  return OrNone(Words(kLookedWords, static_cast<uint64_t>(value.first)));
}

std::string FunctionsText(const FactValue& value) {
  return OrNone(Words(kWordsOf<TableFunction>.all(), static_cast<uint64_t>(value.first)));
}

}  // namespace dlpack_cts
