// harness/ledger/fact_name.h: the key of a fact in the source of a case, checked by the compiler.
//
// "import0.shape" names the fact of slot 0, and "importS.shape" that of a slot that is known only at run time. In the
// same way C, D, F and T replace the number of a call, a deleter call, a fault, and a function of the exchange table.
#ifndef DLPACK_CTS_HARNESS_LEDGER_FACT_NAME_H_
#define DLPACK_CTS_HARNESS_LEDGER_FACT_NAME_H_

#include <string>
#include <string_view>

#include "harness/ledger/fact_rows.h"

namespace dlpack_cts {

inline constexpr std::string_view kBlockWords[] = {"import", "export", "source", "table", ""};
static_assert(std::size(kBlockWords) == kEnumerators<Block>);

/// The key of a fact. A slot or an index of -1 gives the pattern ("importS.callC.copy").
std::string KeyOf(const DeclaredRecord& record, const DeclaredFact& fact, int slot, int index);

/// A fact of the ledger, and how its value is written.
struct FactPlace {
  const DeclaredRecord* record = nullptr;
  const DeclaredFact* fact = nullptr;
  int slot = -1;   // -1: not in the key
  int index = -1;  // -1: not in the key
};

namespace naming {

consteval bool Eat(std::string_view& key, std::string_view word) {
  if (!key.starts_with(word)) return false;
  key.remove_prefix(word.size());
  return true;
}

/// Reads a digit, or the letter that replaces it.
consteval bool EatNumber(std::string_view& key, char letter, int count, int& number) {
  if (key.empty()) return false;
  number = key[0] == letter ? -1 : key[0] - '0';
  if (number < -1 || number >= count) return false;
  key.remove_prefix(1);
  return true;
}

consteval bool EatIndex(std::string_view& key, const DeclaredRecord& record, int& index) {
  if (record.prefix != "T") {
    return Eat(key, record.prefix.substr(0, record.prefix.size() - 1)) &&
           EatNumber(key, record.prefix.back(), record.count, index);
  }
  for (int function = 0; function < kTableFunctions; ++function) {
    if (Eat(key, ToText(static_cast<TableFunction>(function)))) {
      index = function;
      return true;
    }
  }
  index = -1;
  return Eat(key, record.prefix);
}

/// Reads the record's part of the key, up to the name of the fact.
consteval bool EatRecord(std::string_view& key, const DeclaredRecord& record, FactPlace& place) {
  place = {&record, nullptr, 0, 0};
  const std::string_view block = kBlockWords[static_cast<size_t>(record.block)];
  if (!Eat(key, block) || (!block.empty() && !EatNumber(key, 'S', kSlots, place.slot))) return false;
  if (record.prefix.empty()) return block.empty() || Eat(key, ".");
  if (!block.empty() && !Eat(key, ".")) return false;
  if (record.count > 1 ? !EatIndex(key, record, place.index) : !Eat(key, record.prefix)) return false;
  return key.empty() || Eat(key, ".");
}

consteval FactPlace Find(std::string_view key) {
  for (const DeclaredRecord& record : rows::kRecords) {
    std::string_view rest = key;
    FactPlace place;
    if (!EatRecord(rest, record, place)) continue;
    for (const DeclaredFact& fact : record.facts) {
      const bool head = fact.name == "outcome" && !record.prefix.empty();
      place.fact = &fact;
      if (rest == (head ? std::string_view() : fact.name)) return place;
    }
  }
  return {};
}

}  // namespace naming

/// The name of a fact of type T. Any other text does not compile.
template <typename T>
class FactName {
 public:
  template <size_t kSize>
  // NOLINTNEXTLINE(google-explicit-constructor): a name is written as a text.
  consteval FactName(const char (&key)[kSize]) : place_(naming::Find({key, kSize - 1})) {
    if (place_.fact == nullptr) throw "there is no fact with this key";
    if (place_.fact->reader.tag != &kTypeTag<T>) throw "the fact has another type than the value that is wanted";
  }

  /// The same fact with the numbers that the key leaves out.
  FactPlace In(int slot, int index) const {
    FactPlace place = place_;
    if (place.slot < 0) place.slot = slot;
    if (place.index < 0) place.index = index;
    return place;
  }

 private:
  FactPlace place_;
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_LEDGER_FACT_NAME_H_
