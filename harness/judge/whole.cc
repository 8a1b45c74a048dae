// harness/judge/whole.cc: differing facts, less what the library is free to do.
#include "harness/judge/whole.h"

#include <algorithm>
#include <array>
#include <bit>

#include "harness/judge/freedom_list.h"
#include "harness/ledger/facts.h"
#include "harness/oracle/oracle.h"
#include "harness/recipe/dtypes.h"

namespace dlpack_cts {
namespace {

bool EndedOtherwise(const Refusal& a, const Refusal& b) { return a.outcome != b.outcome; }

/// A library that did something else from some step on.
bool Diverged(const Ledger& a, const Ledger& b) {
  if (a.unsupported != b.unsupported) return true;
  for (int slot = 0; slot < kSlots; ++slot) {
    if (EndedOtherwise(a.imports[slot].import, b.imports[slot].import) ||
        EndedOtherwise(a.exports[slot].export_call, b.exports[slot].export_call) ||
        EndedOtherwise(a.sources[slot].make, b.sources[slot].make) ||
        EndedOtherwise(a.sources[slot].change, b.sources[slot].change) ||
        a.tables[slot].found != b.tables[slot].found) {
      return true;
    }
  }
  return false;
}

/// Details of a reading that is compared itself.
bool IsDetail(const FactRow& row) {
  return row.pattern.ends_with(".first_difference") || row.pattern.ends_with(".wanted") ||
         row.pattern.ends_with(".got");
}

bool IsReading(const FactRow& row) { return row.type == FactType::kReading; }

/// What a hook of the adapter did not say.
bool SaysNothing(const FactRow& row, const FactValue& value) {
  if (value.form == FactValue::Form::kNothing) return true;
  if (!IsReading(row)) return false;
  const auto reading = static_cast<Reading>(value.first);
  return reading == Reading::kNotRead || reading == Reading::kUnsupported;
}

class Comparison {
 public:
  Comparison(const Exchange& exchange, std::vector<Deviation>& found) : x_(exchange), found_(found) {}

  void Run() {
    found_.clear();
    if (Fault()) return;
    if (Diverged(x_.subject, x_.reference)) {
      Absolute();
    } else {
      static thread_local std::vector<int> rows;
      Differences(x_.subject, x_.reference, rows);
      for (const int row : rows) Look(row);
    }
    std::stable_sort(found_.begin(), found_.end(),
                     [](const Deviation& a, const Deviation& b) { return a.family < b.family; });
  }

 private:
  /// What a library reads or writes after a touch of forbidden memory means nothing.
  bool Fault() {
    if (x_.subject.fault_count == 0) return false;
    if (x_.reference.fault_count == 0) Add(FactIndex("fault0"), "none");
    return true;
  }

  void Look(int index) {
    const FactRow& row = FactRows()[static_cast<size_t>(index)];
    if (row.varies || row.family == Family::kTold || IsDetail(row)) return;
    if (!IsKnown(row, x_.subject) || !IsKnown(row, x_.reference)) return;
    const FactValue ours = row.Of(x_.reference);
    if (SaysNothing(row, row.Of(x_.subject)) || SaysNothing(row, ours)) return;
    if (IsReading(row) && static_cast<Reading>(ours.first) != Reading::kMatches) return;
    if (!Excused(index, row.slot)) Add(index, "");
  }

  bool Excused(int index, int slot) {
    for (uint64_t rest = FreedomsOf(index); rest != 0; rest &= rest - 1) {
      const auto bit = static_cast<size_t>(std::countr_zero(rest));
      const Freedom& freedom = Freedoms()[bit];
      if (freedom.constant && ((x_.profile.ways >> bit) & 1u) == 0) continue;
      if (Uses(bit, slot)) return true;
    }
    return false;
  }

  bool Uses(size_t bit, int slot) {
    uint8_t& known = known_[static_cast<size_t>(slot)][bit];
    if (known == 0) known = Freedoms()[bit].use(x_, slot) ? 2 : 1;
    return known == 2;
  }

  /// What holds of every exchange.
  void Absolute() {
    for (int slot = 0; slot < kSlots; ++slot) {
      if (x_.subject.imports.Used(slot)) AbsoluteImport(slot);
      if (x_.subject.exports.Used(slot)) AbsoluteExport(slot);
    }
  }

  void AbsoluteImport(int slot) {
    const ImportLedger& import = x_.subject.imports[slot];
    const ImportLedger& ours = x_.reference.imports[slot];
    const std::string prefix = "import" + std::to_string(slot) + ".";
    if (import.deleter.wrong_self != 0) Add(FactIndex(prefix + "deleter.wrong_self"), "0");
    // Where the reference released each capsule, so does everybody.
    if (ours.capsules > 0 && ours.deleter.calls == ours.capsules && import.deleter.calls != import.capsules) {
      Add(FactIndex(prefix + "deleter.calls"), "one for each capsule");
    }
    if (Accepted(import.import) && !Accepted(ours.import) && IsUsual(slot)) AbsoluteElements(import, prefix);
    if (import.changed_parts != 0 && ours.changed_parts == 0) Add(FactIndex(prefix + "changed"), "none");
    if (import.changed_bytes != 0 && ours.changed_bytes == 0) Add(FactIndex(prefix + "changed_bytes"), "0");
  }

  /// The slot's tensor is one whose elements anybody can tell.
  bool IsUsual(int slot) const {
    if (x_.recipe.kind != RecipeKind::kImport || AllowedFor(x_.recipe) != Allowed::kAcceptOrRefuse) return false;
    for (const Step& step : x_.recipe.life()) {
      if (step.slot != slot || (step.op != Op::kImport && step.op != Op::kImportCapsule)) continue;
      const abi::DLDataType dtype = x_.recipe.offer(step.block).dtype;
      return dtype.lanes == 1 && DataTypeIndex(dtype) >= 0 && !x_.profile.Says(Trait::kNarrows);
    }
    return false;
  }

  /// Who takes more than the reference takes it right.
  void AbsoluteElements(const ImportLedger& import, const std::string& prefix) {
    const auto look = [&](const ElementReading& reading, const char* name) {
      const bool wrong = reading.reading == Reading::kDiffers || reading.reading == Reading::kWrongCount;
      if (wrong) Add(FactIndex(prefix + name), "matches");
    };
    look(import.library, "library");
    look(import.memory, "memory");
  }

  void AbsoluteExport(int slot) {
    const ExportLedger& exported = x_.subject.exports[slot];
    const std::string prefix = "export" + std::to_string(slot) + ".";
    if (exported.struct_address == 0) return;
    if (exported.changed_parts != 0) Add(FactIndex(prefix + "changed"), "none");
  }

  void Add(int index, std::string_view wanted) {
    found_.push_back({index, FamilyOf(FactRows()[static_cast<size_t>(index)], x_.subject), wanted});
  }

  const Exchange& x_;
  std::vector<Deviation>& found_;
  std::array<std::array<uint8_t, 64>, kSlots> known_{};  // of each freedom: 0 not asked, 1 no, 2 yes
};

}  // namespace

void Compare(const Exchange& exchange, std::vector<Deviation>& found) { Comparison(exchange, found).Run(); }

std::string WantedText(const Deviation& deviation, const Ledger& reference) {
  if (!deviation.wanted.empty()) return std::string(deviation.wanted);
  return Fact(reference, FactRows()[static_cast<size_t>(deviation.row)].key);
}

std::string GotText(const Deviation& deviation, const Ledger& subject) {
  return Fact(subject, FactRows()[static_cast<size_t>(deviation.row)].key);
}

}  // namespace dlpack_cts
