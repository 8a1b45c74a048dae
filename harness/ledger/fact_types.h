// harness/ledger/fact_types.h: the types of facts, with their values and texts.
//
// Integers are written in decimal, tuples as "(1, 2)" and "(1,)", bool as 0 or 1, "none" for nothing, enumerators as
// words. A reproducer in Python makes the same texts.
#ifndef DLPACK_CTS_HARNESS_LEDGER_FACT_TYPES_H_
#define DLPACK_CTS_HARNESS_LEDGER_FACT_TYPES_H_

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "harness/ledger/fact_value.h"
#include "harness/ledger/words.h"

namespace dlpack_cts {

enum class FactType : uint8_t {
  kBool,
  kInt,
  kWord,      // one of the words of an enumerator
  kWords,     // any of a set of words
  kReading,   // the result of reading all elements
  kTuple,     // integers
  kDtype,     // (code, bits, lanes)
  kDevice,    // (device_type, device_id)
  kVersion,   // (major, minor)
  kText,      // a text of the library
  kBits,      // bits of an element
  kAddress,   // the kind of memory, and the distance from element 0 in bytes
  kTouch,     // an access to forbidden memory
  kArgument,  // an argument of a call
};

// Values of facts that have no type in the ledger.

/// `entries` points to the first kDims of `count` integers. A negative count is an invalid one.
struct Tuple {
  const int64_t* entries;
  int64_t count;
};
/// The low 64 bits of an element.
struct ElementBits64 {
  uint64_t bits;
};
/// Bits of kPart*.
struct PartSet {
  uint32_t bits;
};
/// One bit for each TableFunction.
struct FunctionSet {
  uint8_t bits;
};
/// Bits of kLooked*.
struct LookedSet {
  uint8_t bits;
};
/// One bit for each word of kKeywordWords, and the name of another keyword.
struct KeywordSet {
  uint32_t bits;
  std::string_view unknown;
};
struct Touch {
  Region region;
  bool write;
  int64_t offset;
};

/// The type as which a C++ type is compared: int64_t for all signed integers, uint64_t for all unsigned ones.
template <typename T>
struct CanonicalType {
  using Type = T;
};
template <std::integral T>
  requires(!std::same_as<T, bool>)
struct CanonicalType<T> {
  using Type = std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>;
};
template <int kSize>
struct CanonicalType<FixedText<kSize>> {
  using Type = std::string_view;
};
template <typename T>
using Canonical = typename CanonicalType<T>::Type;

/// Type, value and text of a fact of that C++ type.
template <typename T>
struct FactTraits;

std::string NumberText(const FactValue& value);
std::string UnsignedText(const FactValue& value);
std::string PairText(const FactValue& value);
std::string TupleText(const FactValue& value);
std::string DtypeText(const FactValue& value);
std::string PlainText(const FactValue& value);
std::string BitsText(const FactValue& value);
std::string AddressText(const FactValue& value);
std::string TouchText(const FactValue& value);
std::string ArgumentText(const FactValue& value);
std::string KeywordsText(const FactValue& value);
std::string PartsText(const FactValue& value);
std::string LookedText(const FactValue& value);
std::string FunctionsText(const FactValue& value);

template <Worded Enum>
struct FactTraits<Enum> {
  static constexpr FactType kType = std::same_as<Enum, Reading> ? FactType::kReading : FactType::kWord;
  static FactValue Value(Enum value) { return FactValue::Number(static_cast<int64_t>(value)); }
  static std::string Text(const FactValue& value) {
    return value.form == FactValue::Form::kNothing ? "none" : std::string(ToText(static_cast<Enum>(value.first)));
  }
};

template <FactType kFactType, std::string (*kText)(const FactValue&)>
struct TraitsOfType {
  static constexpr FactType kType = kFactType;
  static std::string Text(const FactValue& value) { return kText(value); }
};

template <>
struct FactTraits<bool> : TraitsOfType<FactType::kBool, NumberText> {
  static FactValue Value(bool value) { return FactValue::Number(value); }
};
template <>
struct FactTraits<int64_t> : TraitsOfType<FactType::kInt, NumberText> {
  static FactValue Value(int64_t value) { return FactValue::Number(value); }
};
template <>
struct FactTraits<uint64_t> : TraitsOfType<FactType::kInt, UnsignedText> {
  static FactValue Value(uint64_t value) { return FactValue::Number(static_cast<int64_t>(value)); }
};
template <>
struct FactTraits<Tuple> : TraitsOfType<FactType::kTuple, TupleText> {
  static FactValue Value(Tuple value) { return FactValue::Tuple(value.entries, value.count); }
};
template <>
struct FactTraits<abi::DLDataType> : TraitsOfType<FactType::kDtype, DtypeText> {
  static FactValue Value(abi::DLDataType value) { return FactValue::Pair(value.code, value.bits, value.lanes); }
};
template <>
struct FactTraits<abi::DLDevice> : TraitsOfType<FactType::kDevice, PairText> {
  static FactValue Value(abi::DLDevice value) { return FactValue::Pair(value.device_type, value.device_id); }
};
template <>
struct FactTraits<abi::DLPackVersion> : TraitsOfType<FactType::kVersion, PairText> {
  static FactValue Value(abi::DLPackVersion value) { return FactValue::Pair(value.major, value.minor); }
};
template <>
struct FactTraits<std::string_view> : TraitsOfType<FactType::kText, PlainText> {
  static FactValue Value(std::string_view value) { return value.empty() ? FactValue{} : FactValue::Text(value); }
};
template <>
struct FactTraits<ElementBits64> : TraitsOfType<FactType::kBits, BitsText> {
  static FactValue Value(ElementBits64 value) { return FactValue::Number(static_cast<int64_t>(value.bits)); }
};
template <>
struct FactTraits<Location> : TraitsOfType<FactType::kAddress, AddressText> {
  static FactValue Value(const Location& value) {
    if (value.area == Area::kUnknown) return {};
    return FactValue::Pair(value.offset, 0,
                           static_cast<uint32_t>(value.area) | static_cast<uint32_t>(value.other) << 8);
  }
};
template <>
struct FactTraits<Touch> : TraitsOfType<FactType::kTouch, TouchText> {
  static FactValue Value(const Touch& value) {
    return FactValue::Pair(value.offset, 0,
                           static_cast<uint32_t>(value.region) | static_cast<uint32_t>(value.write) << 8);
  }
};
template <>
struct FactTraits<Argument> : TraitsOfType<FactType::kArgument, ArgumentText> {
  static FactValue Value(const Argument& value) {
    return FactValue::Pair(value.a, value.b, static_cast<uint32_t>(value.kind));
  }
};
template <>
struct FactTraits<KeywordSet> : TraitsOfType<FactType::kWords, KeywordsText> {
  static FactValue Value(const KeywordSet& value) { return FactValue::Text(value.unknown, value.bits); }
};
template <>
struct FactTraits<PartSet> : TraitsOfType<FactType::kWords, PartsText> {
  static FactValue Value(PartSet value) { return FactValue::Number(value.bits); }
};
template <>
struct FactTraits<FunctionSet> : TraitsOfType<FactType::kWords, FunctionsText> {
  static FactValue Value(FunctionSet value) { return FactValue::Number(value.bits); }
};
template <>
struct FactTraits<LookedSet> : TraitsOfType<FactType::kWords, LookedText> {
  static FactValue Value(LookedSet value) { return FactValue::Number(value.bits); }
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_LEDGER_FACT_TYPES_H_
