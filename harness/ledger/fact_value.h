// harness/ledger/fact_value.h: the value of one fact: a few numbers or pointers into the ledger, compared without
// texts.
#ifndef DLPACK_CTS_HARNESS_LEDGER_FACT_VALUE_H_
#define DLPACK_CTS_HARNESS_LEDGER_FACT_VALUE_H_

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// Tuples and texts point into the ledger, so a value must not outlive it.
struct FactValue {
  enum class Form : uint8_t {
    kNothing,  // no value
    kNumber,   // first
    kPair,     // first and second, and `aux`
    kTuple,    // `first` entries; `data` points to the first kDims of them; negative: invalid
    kText,     // `first` bytes at `data`, and `aux`
  };

  Form form = Form::kNothing;
  uint32_t aux = 0;
  int64_t first = 0;
  union {
    int64_t second = 0;
    const void* data;
  };

  static FactValue Number(int64_t number) {
    FactValue value;
    value.form = Form::kNumber;
    value.first = number;
    return value;
  }
  static FactValue Pair(int64_t first, int64_t second, uint32_t aux = 0) {
    FactValue value;
    value.form = Form::kPair;
    value.aux = aux;
    value.first = first;
    value.second = second;
    return value;
  }
  static FactValue Tuple(const int64_t* entries, int64_t count) {
    FactValue value;
    value.form = Form::kTuple;
    value.first = count;
    value.data = entries;
    return value;
  }
  static FactValue Text(std::string_view text, uint32_t aux = 0) {
    FactValue value;
    value.form = Form::kText;
    value.aux = aux;
    value.first = static_cast<int64_t>(text.size());
    value.data = text.data();
    return value;
  }

  std::string_view text() const { return {static_cast<const char*>(data), static_cast<size_t>(first)}; }
  const int64_t* tuple() const { return static_cast<const int64_t*>(data); }

  bool operator==(const FactValue& other) const {
    if (form != other.form || aux != other.aux || first != other.first) return false;
    switch (form) {
      case Form::kNothing:
      case Form::kNumber:
        return true;
      case Form::kPair:
        return second == other.second;
      case Form::kTuple:
        return std::equal(tuple(), tuple() + std::clamp<int64_t>(first, 0, kDims), other.tuple());
      case Form::kText:
        return text() == other.text();
    }
    return false;
  }
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_LEDGER_FACT_VALUE_H_
