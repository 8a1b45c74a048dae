// harness/ledger/fact_rows.h: the place of the declared facts in the ledger.
#ifndef DLPACK_CTS_HARNESS_LEDGER_FACT_ROWS_H_
#define DLPACK_CTS_HARNESS_LEDGER_FACT_ROWS_H_

#include <type_traits>

#include "harness/ledger/fact_rows_export.h"
#include "harness/ledger/fact_rows_import.h"
#include "harness/ledger/fact_rows_run.h"

namespace dlpack_cts::rows {

/// `Get` returns the record of a ledger, a slot and an index.
template <typename Get>
constexpr DeclaredRecord Record(Block block, std::string_view prefix, int count, Get,
                                std::span<const DeclaredFact> facts, std::string_view about = {},
                                Family family = Family::kReported) {
  constexpr auto find = [](const Ledger& ledger, int slot, int index) -> const void* {
    return Get()(ledger, slot, index);
  };
  using Type = std::remove_pointer_t<std::invoke_result_t<Get, const Ledger&, int, int>>;
  return {block, prefix, count, find, sizeof(Type), facts, about, family};
}

/// Every record, in the order of docs/facts.md.
inline constexpr DeclaredRecord kRecords[] = {
    Record(
        Block::kImport, "", 1, [](const Ledger& l, int s, int) { return &l.imports[s].import; }, kRefusal,
        "outcome of from_dlpack"),
    Record(
        Block::kImport, "again", 1, [](const Ledger& l, int s, int) { return &l.imports[s].again; }, kRefusal,
        "outcome of a second from_dlpack of the same producer or capsule", Family::kCapsule),
    Record(
        Block::kImport, "", 1, [](const Ledger& l, int s, int) { return &l.imports[s].result; }, kDescription),
    Record(
        Block::kImport, "memory", 1, [](const Ledger& l, int s, int) { return &l.imports[s].memory; }, kReading,
        "elements read through the described address and strides"),
    Record(
        Block::kImport, "library", 1, [](const Ledger& l, int s, int) { return &l.imports[s].library; }, kReading,
        "elements as the library converts them"),
    Record(
        Block::kImport, "computed", 1, [](const Ledger& l, int s, int) { return &l.imports[s].computed; }, kReading,
        "elements of a copy that the library computed"),
    Record(
        Block::kImport, "view", 1, [](const Ledger& l, int s, int) { return &l.imports[s].view; }, kReading,
        "elements of a view whose array was dropped"),
    Record(
        Block::kImport, "deleter", 1, [](const Ledger& l, int s, int) { return &l.imports[s].deleter; }, kDeleter),
    Record(
        Block::kImport, "", 1, [](const Ledger& l, int s, int) { return &l.imports[s]; }, kImport),
    Record(
        Block::kImport, "callC", kProducerCalls, [](const Ledger& l, int s, int i) { return &l.imports[s].calls[i]; },
        kCall),
    Record(
        Block::kImport, "table", 1, [](const Ledger& l, int s, int) { return &l.imports[s].table; }, kTableUse),
    Record(
        Block::kImport, "references", 1, [](const Ledger& l, int s, int) { return &l.imports[s].references; },
        kReferences),
    Record(
        Block::kExport, "", 1, [](const Ledger& l, int s, int) { return &l.exports[s].export_call; }, kRefusal,
        "outcome of the export"),
    Record(
        Block::kExport, "", 1, [](const Ledger& l, int s, int) { return &l.exports[s]; }, kExport),
    Record(
        Block::kExport, "elements", 1, [](const Ledger& l, int s, int) { return &l.exports[s].elements; }, kReading,
        "elements read through the exported struct, in the latest reading"),
    Record(
        Block::kExport, "first_elements", 1, [](const Ledger& l, int s, int) { return &l.exports[s].first_elements; },
        kReading, "elements read through the exported struct, in the first reading"),
    Record(
        Block::kExport, "references", 1, [](const Ledger& l, int s, int) { return &l.exports[s].references; },
        kReferences),
    Record(
        Block::kSource, "make", 1, [](const Ledger& l, int s, int) { return &l.sources[s].make; }, kRefusal,
        "outcome of making the array"),
    Record(
        Block::kSource, "", 1, [](const Ledger& l, int s, int) { return &l.sources[s].description; }, kDescription),
    Record(
        Block::kSource, "change", 1, [](const Ledger& l, int s, int) { return &l.sources[s].change; }, kRefusal,
        "outcome of changing shape or strides in place"),
    Record(
        Block::kSource, "device_call", 1, [](const Ledger& l, int s, int) { return &l.sources[s].device_call; },
        kRefusal, "outcome of __dlpack_device__", Family::kDeviceAnswer),
    Record(
        Block::kSource, "", 1, [](const Ledger& l, int s, int) { return &l.sources[s]; }, kSource),
    Record(
        Block::kSource, "elements", 1, [](const Ledger& l, int s, int) { return &l.sources[s].elements; }, kReading,
        "elements of the array as the library converts them after the export"),
    Record(
        Block::kSource, "used", 1, [](const Ledger& l, int s, int) { return &l.sources[s].used; }, kReading,
        "elements that the library computes from the array after the export"),
    Record(
        Block::kTable, "", 1, [](const Ledger& l, int s, int) { return &l.tables[s]; }, kTable),
    Record(
        Block::kTable, "T", kTableFunctions, [](const Ledger& l, int s, int i) { return &l.tables[s].calls[i]; },
        kTableCall),
    Record(
        Block::kRun, "", 1, [](const Ledger& l, int, int) { return &l; }, kRun),
    Record(
        Block::kRun, "deleterD", kDeleterCalls, [](const Ledger& l, int, int i) { return &l.deleter_calls[i]; },
        kDeleterCall),
    Record(
        Block::kRun, "faultF", kFaults, [](const Ledger& l, int, int i) { return &l.faults[i]; }, kFault),
};

}  // namespace dlpack_cts::rows

#endif  // DLPACK_CTS_HARNESS_LEDGER_FACT_ROWS_H_
