// harness/ledger/fact_table.h: the table of all facts that an exchange may record, for reading and comparing ledgers.
//
// A row has the meaning of a fact, its family of deviations, when it is known, and how it is read. Values are typed
// (fact_types.h); texts are made on demand (facts.h). The rows are declared in fact_rows*.h, and docs/facts.md lists
// them; a test compares both.
#ifndef DLPACK_CTS_HARNESS_LEDGER_FACT_TABLE_H_
#define DLPACK_CTS_HARNESS_LEDGER_FACT_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/ledger/fact_row.h"

namespace dlpack_cts {

struct FactRow {
  std::string key;      // "import0.call2.copy"
  std::string pattern;  // "importS.callC.copy": the same fact of every slot
  std::string_view meaning;
  FactType type;
  Family family;
  Known known;
  bool varies;  // two runs of one exchange may differ, because it depends on scheduling or on addresses
  Block block;
  uint8_t slot;
  uint8_t index;          // of the call, the fault, or the function of the table
  std::ptrdiff_t offset;  // of the record in the ledger
  FactValue (*read)(const void* record);
  std::string (*text)(const FactValue& value);

  FactValue Of(const Ledger& ledger) const { return read(reinterpret_cast<const char*>(&ledger) + offset); }
};

/// Every row, in the order of docs/facts.md. An index is valid as long as the program runs.
std::span<const FactRow> FactRows();
inline const FactRow& FactRowAt(int index) { return FactRows()[static_cast<size_t>(index)]; }

/// The index of the fact; -1 for an unknown key.
int FactIndex(std::string_view key);

/// Whether the exchange could show this fact.
bool IsKnown(const FactRow& row, const Ledger& ledger);

/// The family of the row. An access to forbidden memory has the family of that memory; a write to it is in writes, and
/// an access after the release is in release.
Family FamilyOf(const FactRow& row, const Ledger& ledger);

/// The indices of all rows whose values differ, in order, also of unknown ones. `rows` is cleared first and keeps its
/// memory.
void Differences(const Ledger& a, const Ledger& b, std::vector<int>& rows);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_LEDGER_FACT_TABLE_H_
