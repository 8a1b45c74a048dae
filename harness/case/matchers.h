// harness/case/matchers.h: what a fact should be: Is(x), AnyOf(x, y), IsNot(x), AtMost(n), Lacks(bits), ...
//
// A matcher decides and writes the wanted values too, so that a violation never names a value that it accepts. "none"
// stands for a fact without a value.
#ifndef DLPACK_CTS_HARNESS_CASE_MATCHERS_H_
#define DLPACK_CTS_HARNESS_CASE_MATCHERS_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "harness/ledger/fact_name.h"

namespace dlpack_cts {

/// A fact without a value, as an alternative.
struct Nothing {};
inline constexpr Nothing kNothing;

/// Type T is that of the facts that it fits. Tuples and texts have to live as long as the matcher.
template <typename T>
class Matcher {
 public:
  using Rule = bool (*)(const FactValue& seen, std::span<const FactValue> values, uint64_t argument);
  static constexpr size_t kValues = 8;

  /// Holds for one of the values.
  constexpr Matcher& Add(const FactValue& value) {
    values_[count_++] = value;
    return *this;
  }

  /// Holds where the rule says so; the values are only written.
  constexpr Matcher& By(Rule rule, uint64_t argument = 0) {
    rule_ = rule;
    argument_ = argument;
    return *this;
  }

  /// The same condition, with other right values in the text.
  template <typename... Values>
  Matcher Rather(const Values&... values) const {
    Matcher other = *this;
    if (rule_ == nullptr) throw "only a rule can be written with other values than those that it accepts";
    other.count_ = 0;
    (other.Add(ValueOf(values)), ...);
    return other;
  }

  bool Matches(const FactValue& seen) const {
    const std::span<const FactValue> values(values_.data(), count_);
    return rule_ != nullptr ? rule_(seen, values, argument_)
                            : std::find(values.begin(), values.end(), seen) != values.end();
  }

  /// The right values, with " | " between them.
  std::string Wanted(const DeclaredFact& fact) const {
    if (!words_.empty()) return std::string(words_);
    std::string text;
    for (size_t i = 0; i < count_; ++i) text += (i == 0 ? "" : " | ") + fact.reader.text(values_[i]);
    return text;
  }

  static FactValue ValueOf(Nothing) { return {}; }
  template <typename U>
  static FactValue ValueOf(const U& value) {
    return FactTraits<T>::Value(static_cast<T>(value));
  }

  /// Holds never: the right values cannot be listed.
  static Matcher InWords(std::string_view words) {
    Matcher matcher;
    matcher.words_ = words;
    return matcher;
  }

 private:
  std::array<FactValue, kValues> values_{};
  size_t count_ = 0;
  Rule rule_ = nullptr;
  uint64_t argument_ = 0;
  std::string_view words_;
};

namespace matching {

template <typename T>
struct TypeOf {
  using Type = Canonical<T>;
};
template <>
struct TypeOf<std::string> {
  using Type = std::string_view;
};
template <size_t kSize>
struct TypeOf<char[kSize]> {
  using Type = std::string_view;
};
template <typename First, typename... Rest>
struct FirstOf : TypeOf<First> {};
template <typename... Rest>
struct FirstOf<Nothing, Rest...> : FirstOf<Rest...> {};

inline bool Has(const FactValue& seen, uint64_t bits) { return (static_cast<uint64_t>(seen.first) & bits) != 0; }

}  // namespace matching

/// The fact has one of these values.
template <typename... Values>
auto AnyOf(const Values&... values) {
  using T = typename matching::FirstOf<Values...>::Type;
  Matcher<T> matcher;
  (matcher.Add(Matcher<T>::ValueOf(values)), ...);
  return matcher;
}

/// The fact has this value.
template <typename Value>
auto Is(const Value& value) {
  return AnyOf(value);
}
inline Matcher<Tuple> Is(std::span<const int64_t> tuple) {
  return AnyOf(Tuple{tuple.data(), static_cast<int64_t>(tuple.size())});
}

/// The fact has any other value than this one; `right` are those that it should have.
template <typename Value, typename... Right>
auto IsNot(const Value& value, const Right&... right) {
  using T = typename matching::TypeOf<Value>::Type;
  static constexpr auto kOther = [](const FactValue& seen, std::span<const FactValue>, uint64_t wrong) {
    return seen.form == FactValue::Form::kNothing || static_cast<uint64_t>(seen.first) != wrong;
  };
  Matcher<T> matcher;
  (matcher.Add(Matcher<T>::ValueOf(right)), ...);
  return matcher.By(kOther, static_cast<uint64_t>(Matcher<T>::ValueOf(value).first));
}

/// A number from 0 to this one.
inline Matcher<int64_t> AtMost(int64_t most) {
  Matcher<int64_t> matcher;
  for (int64_t value = 0; value <= most; ++value) matcher.Add(FactValue::Number(value));
  return matcher.By(
      [](const FactValue& seen, std::span<const FactValue>, uint64_t last) {
        return seen.form == FactValue::Form::kNumber && seen.first <= static_cast<int64_t>(last);
      },
      static_cast<uint64_t>(most));
}

namespace matching {

/// Writes those of the published flags that the rule accepts.
inline Matcher<uint64_t> Flags(Matcher<uint64_t>::Rule rule, uint64_t bits) {
  Matcher<uint64_t> matcher;
  for (uint64_t flags = 0; flags <= abi::kPublishedFlags; ++flags) {
    const FactValue value = FactTraits<uint64_t>::Value(flags);
    if (rule(value, {}, bits)) matcher.Add(value);
  }
  return matcher.By(rule, bits);
}

}  // namespace matching

/// At least one of these flags is set.
inline Matcher<uint64_t> HasFlag(uint64_t bits) {
  return matching::Flags(
      [](const FactValue& seen, std::span<const FactValue>, uint64_t wanted) { return matching::Has(seen, wanted); },
      bits);
}

/// None of these flags is set.
inline Matcher<uint64_t> LacksFlag(uint64_t bits) {
  return matching::Flags([](const FactValue& seen, std::span<const FactValue>,
                            uint64_t unwanted) { return !matching::Has(seen, unwanted); },
                         bits);
}

/// The set has none of these elements.
template <typename Set>
Matcher<Set> Lacks(Set set) {
  Matcher<Set> matcher;
  matcher.Add(FactTraits<Set>::Value(Set{}));
  return matcher.By([](const FactValue& seen, std::span<const FactValue>,
                       uint64_t unwanted) { return !matching::Has(seen, unwanted); },
                    set.bits);
}

/// A device with this type, whatever its id is; the text names this device.
inline Matcher<abi::DLDevice> OfType(abi::DLDevice device) {
  Matcher<abi::DLDevice> matcher;
  return matcher.Add(FactTraits<abi::DLDevice>::Value(device))
      .By([](const FactValue& seen, std::span<const FactValue>,
             uint64_t type) { return seen.form == FactValue::Form::kPair && seen.first == static_cast<int64_t>(type); },
          static_cast<uint64_t>(device.device_type));
}

/// Version 1.x; the text names the published ones.
inline Matcher<abi::DLPackVersion> OfMajorOne() {
  Matcher<abi::DLPackVersion> matcher;
  for (uint32_t minor = 0; minor <= 3; ++minor) matcher.Add(FactTraits<abi::DLPackVersion>::Value({1, minor}));
  return matcher.By([](const FactValue& seen, std::span<const FactValue>, uint64_t) {
    return seen.form == FactValue::Form::kPair && seen.first == 1;
  });
}

/// The fact has no value.
template <typename T>
Matcher<T> HasNoValue() {
  return Matcher<T>().Add({});
}

/// What the text says. It never holds: the case says with `when` whether it is violated.
template <typename T>
Matcher<T> InWords(std::string_view words) {
  return Matcher<T>::InWords(words);
}

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_CASE_MATCHERS_H_
