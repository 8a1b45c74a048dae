// harness/ledger/fact_table.cc: makes the rows for all slots, calls and faults, and reads their values.
#include "harness/ledger/fact_table.h"

#include <cstring>
#include <memory>
#include <unordered_map>

#include "base/enum_words.h"
#include "harness/ledger/fact_name.h"

namespace dlpack_cts {
namespace {

constexpr int kBlocks = kEnumerators<Block>;

bool Used(const Ledger& ledger, Block block, int slot) {
  switch (block) {
    case Block::kImport:
      return ledger.imports.Used(slot);
    case Block::kExport:
      return ledger.exports.Used(slot);
    case Block::kSource:
      return ledger.sources.Used(slot);
    case Block::kTable:
      return ledger.tables.Used(slot);
    case Block::kRun:
      break;
  }
  return true;
}

/// The rows of one record, which are consecutive.
struct Extent {
  Block block;
  int slot;
  std::ptrdiff_t offset;  // of the record in the ledger
  size_t size;            // of the record, in bytes
  int first;
  int last;

  bool IsEqual(const Ledger& a, const Ledger& b) const {
    return std::memcmp(reinterpret_cast<const char*>(&a) + offset, reinterpret_cast<const char*>(&b) + offset, size) ==
           0;
  }
};

class Table {
 public:
  Table() {
    for (int block = 0; block < kBlocks; ++block) {
      const bool run = static_cast<Block>(block) == Block::kRun;
      for (int slot = 0; slot < (run ? 1 : kSlots); ++slot) AddBlock(static_cast<Block>(block), slot);
    }
    for (size_t i = 0; i < rows_.size(); ++i) index_.emplace(rows_[i].key, static_cast<int>(i));
  }

  std::span<const FactRow> rows() const { return rows_; }
  std::span<const Extent> extents() const { return extents_; }
  const Ledger& empty() const { return *empty_; }
  int Find(std::string_view key) const {
    const auto found = index_.find(key);
    return found == index_.end() ? -1 : found->second;
  }

 private:
  void AddBlock(Block block, int slot) {
    for (const DeclaredRecord& record : rows::kRecords) {
      if (record.block != block) continue;
      for (int index = 0; index < record.count; ++index) AddRecord(record, slot, index);
    }
  }

  void AddRecord(const DeclaredRecord& record, int slot, int index) {
    const auto* const start = reinterpret_cast<const char*>(empty_.get());
    const std::ptrdiff_t offset = static_cast<const char*>(record.find(*empty_, slot, index)) - start;
    const int first = static_cast<int>(rows_.size());
    for (const DeclaredFact& fact : record.facts) {
      const bool head = &fact == record.facts.data() && !record.about.empty();
      const bool of_record = record.family != Family::kReported && fact.family != Family::kReported;
      rows_.push_back({.key = KeyOf(record, fact, slot, index),
                       .pattern = KeyOf(record, fact, -1, record.prefix == "T" ? index : -1),
                       .meaning = head ? record.about : fact.meaning,
                       .type = fact.reader.type,
                       .family = of_record ? record.family : fact.family,
                       .known = fact.known,
                       .varies = fact.varies,
                       .block = record.block,
                       .slot = static_cast<uint8_t>(slot),
                       .index = static_cast<uint8_t>(index),
                       .offset = offset,
                       .read = fact.reader.read,
                       .text = fact.reader.text});
    }
    extents_.push_back({record.block, slot, offset, record.size, first, static_cast<int>(rows_.size())});
  }

  const std::unique_ptr<Ledger> empty_ = std::make_unique<Ledger>();
  std::vector<FactRow> rows_;
  std::vector<Extent> extents_;
  std::unordered_map<std::string_view, int> index_;  // the keys point into rows_
};

const Table& TheTable() {
  static const Table table;
  return table;
}

bool IsCalled(const FactRow& row, const Ledger& ledger) {
  switch (row.block) {
    case Block::kImport:
      return row.index < ledger.imports[row.slot].producer_calls;
    case Block::kTable:
      return ledger.tables[row.slot].calls[row.index].called != 0;
    default:
      return row.Of(ledger).form != FactValue::Form::kNothing;
  }
}

}  // namespace

std::string KeyOf(const DeclaredRecord& record, const DeclaredFact& fact, int slot, int index) {
  std::string key(kBlockWords[static_cast<size_t>(record.block)]);
  if (!key.empty()) key += slot < 0 ? "S" : std::to_string(slot);
  const auto append = [&key](std::string_view part) {
    if (!part.empty()) key += (key.empty() ? "" : ".") + std::string(part);
  };
  if (record.prefix == "T" && index >= 0) {
    append(ToText(static_cast<TableFunction>(index)));
  } else {
    append(record.prefix);
    if (record.count > 1 && index >= 0) key.replace(key.size() - 1, 1, std::to_string(index));
  }
  if (fact.name != "outcome" || record.prefix.empty()) append(fact.name);
  return key;
}

std::span<const FactRow> FactRows() { return TheTable().rows(); }

int FactIndex(std::string_view key) { return TheTable().Find(key); }

bool IsKnown(const FactRow& row, const Ledger& ledger) {
  switch (row.known) {
    case Known::kAlways:
      return true;
    case Known::kDescribed:
      return (row.block == Block::kSource ? ledger.sources[row.slot].description : ledger.imports[row.slot].result)
                 .valid != 0;
    case Known::kMade:
      return ledger.sources[row.slot].make.outcome == Outcome::kAccepted;
    case Known::kReturned:
      return ledger.exports[row.slot].export_call.outcome == Outcome::kAccepted;
    case Known::kExported:
      return ledger.exports[row.slot].struct_address != 0;
    case Known::kAnswered:
      return ledger.sources[row.slot].device_call.outcome == Outcome::kAccepted;
    case Known::kPublished:
      return ledger.tables[row.slot].address != 0;
    case Known::kFound:
      return ledger.tables[row.slot].readable != 0;
    case Known::kAllocated:
      return ledger.tables[row.slot].calls[static_cast<int>(TableFunction::kAllocator)].called != 0;
    case Known::kConverted:
      return ledger.tables[row.slot].calls[static_cast<int>(TableFunction::kToObject)].out_written != 0;
    case Known::kCalled:
      return IsCalled(row, ledger);
    case Known::kSaid:
      break;
  }
  return !(row.Of(ledger) == row.Of(TheTable().empty()));
}

Family FamilyOf(const FactRow& row, const Ledger& ledger) {
  if (row.block != Block::kRun || row.family != Family::kMemoryInCall || ledger.fault_count == 0) return row.family;
  const Fault& fault = ledger.faults[row.index];
  if (fault.after_deleter != 0) return Family::kRelease;
  if (fault.region == Region::kGuard) return Family::kPlace;
  if (fault.write != 0) return Family::kWrites;
  return fault.region == Region::kData ? Family::kPlace : row.family;
}

void Differences(const Ledger& a, const Ledger& b, std::vector<int>& rows) {
  rows.clear();
  const std::span<const FactRow> all = TheTable().rows();
  for (const Extent& extent : TheTable().extents()) {
    if (!Used(a, extent.block, extent.slot) && !Used(b, extent.block, extent.slot)) continue;
    // If the bytes of two records are equal, so are their facts. Most calls never happen.
    if (extent.IsEqual(a, b)) continue;
    for (int i = extent.first; i < extent.last; ++i) {
      const FactRow& row = all[static_cast<size_t>(i)];
      if (!(row.Of(a) == row.Of(b))) rows.push_back(i);
    }
  }
}

}  // namespace dlpack_cts
