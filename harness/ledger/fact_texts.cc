// harness/ledger/fact_texts.cc: makes texts of values.
#include "harness/ledger/fact_texts.h"

#include <array>
#include <charconv>
#include <span>

#include "base/text.h"
#include "harness/ledger/fact_rows.h"
#include "harness/ledger/facts.h"
#include "harness/recipe/enum_words.h"

namespace dlpack_cts {
namespace {

using Form = FactValue::Form;

std::string Pair(int64_t a, int64_t b) {
  const int64_t values[] = {a, b};
  return TupleText(values, 2);
}

std::string Word(std::span<const std::string_view> words, const FactValue& value) {
  if (value.form == Form::kNothing) return "none";
  const auto index = static_cast<uint64_t>(value.first);
  return std::string(index < words.size() ? words[index] : kUndefinedWord);
}

/// Words of the set bits, in order.
template <size_t kSize>
std::string Words(const std::array<std::string_view, kSize>& words, uint64_t bits) {
  std::string text;
  for (size_t bit = 0; bit < kSize; ++bit) {
    if ((bits >> bit & 1) != 0) text += (text.empty() ? "" : " ") + std::string(words[bit]);
  }
  return text;
}

template <typename Enum>
std::string EnumText(const FactValue& value) {
  return value.form == Form::kNothing ? "none" : std::string(ToText(static_cast<Enum>(value.first)));
}

}  // namespace

std::string NumberText(const FactValue& value) {
  return value.form == Form::kNothing ? "none" : std::to_string(value.first);
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
  static constexpr EnumWords<Area> kWords = {"none",   "null",  "data",     "front",
                                             "behind", "guard", "metadata", "elsewhere"};
  const uint32_t area = value.aux & 0xFF;
  std::string text(kWords[static_cast<Area>(area)]);
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
  }
  return std::string(kUndefinedWord);
}

std::string KeywordsText(const FactValue& value) {
  static constexpr std::array<std::string_view, 4> kWords = {"max_version", "dl_device", "copy", "stream"};
  std::string text = Words(kWords, value.aux);
  if (value.first > 0) text += (text.empty() ? "" : " ") + std::string(value.text());
  return text.empty() ? "none" : text;
}

std::string MethodText(const FactValue& value) { return value.first != 0 ? "__dlpack_device__" : "__dlpack__"; }

std::string PartsText(const FactValue& value) { return PartsToText(static_cast<uint32_t>(value.first)); }

std::string LookedText(const FactValue& value) {
  static constexpr std::array<std::string_view, 4> kWords = {"none", "type", "object", "type object"};
  return Word(kWords, value);
}

std::string NullSlotsText(const FactValue& value) {
  std::string text;
  for (int function = 0; function < kTableFunctions; ++function) {
    if ((value.first >> function & 1) == 0) continue;
    text += (text.empty() ? "" : " ") + std::string(TableFunctionName(function));
  }
  return text.empty() ? "none" : text;
}

std::string ShownText(const FactValue& value) {
  static constexpr EnumWords<WriteShown> kWords = {"not-run", "shown", "not-shown", "refused"};
  return Word(kWords.all(), value);
}

std::string SurvivedText(const FactValue& value) {
  static constexpr EnumWords<Survival> kWords = {"not-run", "survived", "lost"};
  return Word(kWords.all(), value);
}

std::string RaceText(const FactValue& value) {
  static constexpr EnumWords<Race> kWords = {"not-run", "fair",           "one-struct-twice", "another-tensor",
                                             "changed", "released-twice", "not-released",     "released-early"};
  return Word(kWords.all(), value);
}

std::string StorageText(const FactValue& value) {
  static constexpr EnumWords<NameStorage> kWords = {"unknown", "static", "other"};
  return Word(kWords.all(), value);
}

std::string PackingText(const FactValue& value) {
  static constexpr EnumWords<Packing> kWords = {"none", "low-first", "padded", "high-first", "inside-a-byte", "other"};
  return value.form == Form::kNothing ? "none" : Word(kWords.all(), value);
}

std::string CudaMemoryText(const FactValue& value) {
  static constexpr EnumWords<CudaMemory> kWords = {"not-asked", "unknown", "pageable", "host", "device", "managed"};
  return Word(kWords.all(), value);
}

std::string PublishedText(const FactValue& value) {
  static constexpr EnumWords<Published> kWords = {"not", "capsule", "misnamed-capsule", "int", "other"};
  return Word(kWords.all(), value);
}

std::string AnswerText(const FactValue& value) {
  static constexpr EnumWords<Answer> kWords = {"unknown", "yes", "no"};
  return Word(kWords.all(), value);
}

std::string ThreadText(const FactValue& value) {
  static constexpr EnumWords<ThreadKind> kWords = {"none", "maker", "harness", "foreign"};
  return Word(kWords.all(), value);
}

std::string OutcomeText(const FactValue& value) { return EnumText<Outcome>(value); }
std::string ReadingText(const FactValue& value) { return EnumText<Reading>(value); }
std::string NameText(const FactValue& value) { return EnumText<NameSeen>(value); }

}  // namespace dlpack_cts
