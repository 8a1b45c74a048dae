// harness/ledger/fact_table.h: one table of all facts that an exchange may record, for reading and comparing ledgers.
//
// A row has the meaning of a fact, its family of deviations, when it can be known, and how it is read. Values
// are typed (fact_types.h); texts are made on demand (facts.h). The rows are declared in fact_rows*.h, and
// docs/facts.md lists them; a test compares both.
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
  bool varies;  // two runs of one exchange may differ: it depends on scheduling, or on where memory lies
  Block block;
  uint8_t slot;
  uint8_t index;          // of the call, the fault, the function of the table
  std::ptrdiff_t offset;  // of the record in the ledger
  FactValue (*read)(const void* record);
  std::string (*text)(const FactValue& value);

  FactValue Of(const Ledger& ledger) const { return read(reinterpret_cast<const char*>(&ledger) + offset); }
};

/// Every row, in the order of docs/facts.md. An index into it names a fact for as long as the program runs.
std::span<const FactRow> FactRows();
inline const FactRow& FactRowAt(int index) { return FactRows()[static_cast<size_t>(index)]; }

/// Index of the fact; -1 for an unknown key.
int FactIndex(std::string_view key);

/// True when the exchange could show this fact.
bool IsKnown(const FactRow& row, const Ledger& ledger);

/// The row's family; a touch of forbidden memory belongs where that memory belongs, a write to it to writes, and one
/// after the release to release.
Family FamilyOf(const FactRow& row, const Ledger& ledger);

/// Indices of all rows whose values differ, in order, known or not. `rows` is emptied first and keeps its memory.
void Differences(const Ledger& a, const Ledger& b, std::vector<int>& rows);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_LEDGER_FACT_TABLE_H_
