// mutants/fields.h: every field of Behaviour by name: what a mutant can change.
#ifndef DLPACK_CTS_MUTANTS_FIELDS_H_
#define DLPACK_CTS_MUTANTS_FIELDS_H_

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>

#include "mutants/values.h"

namespace dlpack_cts {

/// A member of a struct.
struct BehaviourField {
  std::string_view name = {};
  size_t offset = 0;  // in its struct
  size_t size = 0;
  /// Copies the value to `to`, which has room for `size` bytes; throws Failure.
  void (*read)(const Written& written, std::byte* to) = nullptr;
  std::span<const BehaviourField> parts = {};  // of a struct whose members are fields; it has no `read`
};

/// The parts of Behaviour, with their fields.
std::span<const BehaviourField> BehaviourFields();

/// Converts to any member while they are counted.
struct AnyMember {
  template <typename T>
  constexpr operator T() const;  // NOLINT(google-explicit-constructor): only in unevaluated initialisers
};

/// The number of members of a plain struct: as many values as its initialiser takes.
template <typename Struct, typename... Members>
consteval size_t CountMembers() {
  if constexpr (requires { Struct{Members{}..., AnyMember{}}; }) {
    return CountMembers<Struct, Members..., AnyMember>();
  } else {
    return sizeof...(Members);
  }
}

/// True if each member of the struct has one row.
template <typename Struct>
consteval bool HasEachMember(std::span<const BehaviourField> rows) {
  for (size_t i = 0; i < rows.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (rows[i].offset == rows[j].offset) return false;
    }
  }
  return rows.size() == CountMembers<Struct>();
}

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_MUTANTS_FIELDS_H_
