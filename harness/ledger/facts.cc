// harness/ledger/facts.cc: facts by key, as text.
#include "harness/ledger/facts.h"

#include "harness/ledger/fact_table.h"

namespace dlpack_cts {

std::string Fact(const Ledger& ledger, std::string_view key) {
  const int index = FactIndex(key);
  if (index < 0) return "?";
  const FactRow& row = FactRowAt(index);
  return row.text(row.Of(ledger));
}

std::vector<std::string> FactKeys() {
  std::vector<std::string> keys;
  for (const FactRow& row : FactRows()) keys.push_back(row.key);
  return keys;
}

}  // namespace dlpack_cts
