// harness/ledger/fact_row.h: how facts are declared: one row each, in the fact_rows_*.h files.
#ifndef DLPACK_CTS_HARNESS_LEDGER_FACT_ROW_H_
#define DLPACK_CTS_HARNESS_LEDGER_FACT_ROW_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/terms.h"
#include "harness/ledger/fact_types.h"

namespace dlpack_cts {

/// When a fact is known. An unknown value is not a deviation.
enum class Known : uint8_t {
  kAlways,
  kDescribed,  // when the library describes the array
  kMade,       // when the library could make the array
  kReturned,   // when the export returned an object
  kExported,   // when the export returned a struct
  kAnswered,   // when __dlpack_device__ returned an object
  kPublished,  // when the type publishes a pointer to a table
  kFound,      // when that table was readable
  kAllocated,  // when the table's allocator was called
  kConverted,  // when the table made an object from a tensor
  kCalled,     // when that call, or that access, happened
  kSaid,       // when the value differs from that of an empty ledger
};

enum class Block : uint8_t { kImport, kExport, kSource, kTable, kRun };

consteval EnumWords<FactType> WordsOf(FactType) {
  return {"bool",   "int",     "word", "words", "reading", "tuple", "dtype",
          "device", "version", "text", "bits",  "address", "touch", "argument"};
}
consteval EnumWords<Known> WordsOf(Known) {
  return {"always",    "described", "made",      "returned",  "exported", "answered",
          "published", "found",     "allocated", "converted", "called",   "present"};
}

/// Identifies the C++ type of a fact.
template <typename T>
inline constexpr char kTypeTag = 0;

/// How the value of a fact is read from its record, and how it is written.
struct FactReader {
  FactType type;
  const char* tag;  // &kTypeTag<T>
  FactValue (*read)(const void* record);
  std::string (*text)(const FactValue& value);
};

/// A fact of every record of one kind.
struct DeclaredFact {
  std::string_view name;  // after the record's prefix; "" and "outcome" are the prefix itself, if it has one
  FactReader reader;
  Family family;
  Known known;
  std::string_view meaning;
  bool varies = false;
};

/// A record of the ledger, and its place in a block.
struct DeclaredRecord {
  Block block;
  std::string_view prefix;  // after the block's name and slot; C, D, F and T replace the index
  int count;                // number of such records in the block
  const void* (*find)(const Ledger& ledger, int slot, int index);
  size_t size;  // bytes of one record
  std::span<const DeclaredFact> facts;
  std::string_view about = {};        // the meaning of the first fact in this record
  Family family = Family::kReported;  // of the whole record, unless its facts have families
};

namespace rows {

/// A value, or nothing.
template <typename T>
std::optional<T> If(bool has, const T& value) {
  return has ? std::optional<T>(value) : std::nullopt;
}

namespace detail {

template <typename T>
FactValue Value(const T& value) {
  if constexpr (requires { value.view(); }) {
    return FactTraits<std::string_view>::Value(value.view());
  } else {
    return FactTraits<Canonical<T>>::Value(value);
  }
}
template <typename T>
FactValue Value(const std::optional<T>& value) {
  return value ? Value(*value) : FactValue{};
}

template <typename T>
struct WithoutOptional {
  using Type = Canonical<T>;
};
template <typename T>
struct WithoutOptional<std::optional<T>> {
  using Type = Canonical<T>;
};

template <typename Function>
struct Signature;
template <typename Lambda, typename Result, typename Record>
struct Signature<Result (Lambda::*)(const Record&) const> {
  using RecordType = Record;
  using Type = typename WithoutOptional<Result>::Type;
};
template <typename Field, typename Record>
struct Signature<Field Record::*> {
  using RecordType = Record;
};
template <auto kField>
using RecordOf = typename Signature<decltype(kField)>::RecordType;

inline bool AsFact(uint8_t field) { return field != 0; }
template <typename Field>
Field AsFact(const Field& field) {
  return field;
}
template <typename Field>
  requires requires(const Field& field) { field.view(); }
std::string_view AsFact(const Field& field) {
  return field.view();
}

}  // namespace detail

/// The result of a function of the record. The function has no captures.
template <typename Function>
constexpr FactReader Of(Function) {
  using Signature = detail::Signature<decltype(&Function::operator())>;
  using Traits = FactTraits<typename Signature::Type>;
  return {Traits::kType, &kTypeTag<typename Signature::Type>,
          [](const void* record) {
            return detail::Value(Function{}(*static_cast<const typename Signature::RecordType*>(record)));
          },
          &Traits::Text};
}

/// The value of a field. A uint8_t is a bool.
template <auto kField>
inline constexpr FactReader Field =
    Of([](const detail::RecordOf<kField>& record) { return detail::AsFact(record.*kField); });

/// The bits of a field, as a set.
template <typename Set, auto kField>
inline constexpr FactReader SetOf = Of([](const detail::RecordOf<kField>& record) { return Set{record.*kField}; });

/// An answer; nothing if it is unknown.
template <auto kField>
inline constexpr FactReader Told =
    Of([](const detail::RecordOf<kField>& record) { return If(record.*kField != Answer::kUnknown, record.*kField); });

}  // namespace rows

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_LEDGER_FACT_ROW_H_
