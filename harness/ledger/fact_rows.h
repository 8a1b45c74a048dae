// harness/ledger/fact_rows.h: how rows are declared; only for fact_rows.cc and fact_table.cc.
#ifndef DLPACK_CTS_HARNESS_LEDGER_FACT_ROWS_H_
#define DLPACK_CTS_HARNESS_LEDGER_FACT_ROWS_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "harness/ledger/fact_table.h"

namespace dlpack_cts {

/// A row of every record of one kind.
struct DeclaredFact {
  std::string_view name;  // behind the record's prefix; "" and "outcome" are the prefix itself, where there is one
  FactType type;
  Family family;
  Known known;
  FactValue (*read)(const void* record);
  std::string (*text)(const FactValue& value);
  std::string_view meaning;
  bool varies = false;
};

/// A record of the ledger, and where in a block it lies.
struct DeclaredRecord {
  Block block;
  std::string_view prefix;  // behind the block's name and slot; C, D and F stand for the index
  int count;                // of such records in the block
  const void* (*find)(const Ledger& ledger, int slot, int index);
  size_t size;  // bytes of one record
  std::span<const DeclaredFact> facts;
  std::string_view about = {};    // what the first fact means here
  Family family = Family::kTold;  // of the whole record, where it is not that of its facts
};

/// Every record, in the order of docs/facts.md.
std::span<const DeclaredRecord> DeclaredRecords();

/// Names of the functions of the exchange table, as facts call them.
std::string_view TableFunctionName(int function);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_LEDGER_FACT_ROWS_H_
