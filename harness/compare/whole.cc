// harness/compare/whole.cc: the facts that differ from the reference run, except what a library may choose.
#include "harness/compare/whole.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <utility>

#include "harness/choices/choice_views.h"
#include "harness/ledger/facts.h"
#include "harness/oracle/oracle.h"
#include "harness/recipe/arguments.h"
#include "harness/recipe/dtypes.h"
#include "harness/recipe/life.h"
#include "harness/recipe/ops.h"
#include "harness/recipe/packing.h"

namespace dlpack_cts {
namespace {

bool EndedOtherwise(const Refusal& a, const Refusal& b) { return a.outcome != b.outcome; }

/// The same for a call that the subject made at all.
bool WentAnotherWay(const Refusal& subject, const Refusal& reference) {
  return subject.outcome != Outcome::kNotRun && EndedOtherwise(subject, reference);
}

/// Whether the library did something else from some step on.
bool Diverged(const Ledger& a, const Ledger& b) {
  if (a.unsupported != b.unsupported) return true;
  for (int slot = 0; slot < kSlots; ++slot) {
    if (EndedOtherwise(a.imports[slot].import, b.imports[slot].import) ||
        EndedOtherwise(a.exports[slot].export_call, b.exports[slot].export_call) ||
        EndedOtherwise(a.sources[slot].make, b.sources[slot].make) ||
        EndedOtherwise(a.sources[slot].change, b.sources[slot].change) ||
        a.imports[slot].closed != b.imports[slot].closed || a.sources[slot].closed != b.sources[slot].closed ||
        a.tables[slot].found != b.tables[slot].found) {
      return true;
    }
  }
  return false;
}

/// Whether the row is a detail of a reading that is compared itself.
bool IsDetail(const FactRow& row) {
  return row.pattern.ends_with(".first_difference") || row.pattern.ends_with(".wanted") ||
         row.pattern.ends_with(".got");
}

bool IsReading(const FactRow& row) { return row.type == FactType::kReading; }

/// Whether the row is unknown because a hook of the adapter did not report it.
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
    if (WasNotRun()) return;
    if (Fault()) return Sort();
    if (Diverged(x_.subject, x_.reference)) {
      Absolute();
    } else {
      static thread_local std::vector<int> rows;
      Differences(x_.subject, x_.reference, rows);
      for (const int row : rows) Look(row);
      Habits();
    }
    TableContract();
    Sort();
  }

  void RunBefore(int step) {
    found_.clear();
    Before(step);
    Sort();
  }

 private:
  /// The adapter has no class for a tensor of the exchange, so the library never got it.
  bool WasNotRun() const {
    return std::any_of(std::begin(x_.subject.imports), std::end(x_.subject.imports),
                       [](const ImportLedger& import) { return import.import.outcome == Outcome::kUnsupported; });
  }

  void Sort() {
    std::stable_sort(found_.begin(), found_.end(),
                     [&](const Deviation& a, const Deviation& b) { return PlaceOf(a) < PlaceOf(b); });
  }

  /// Causal order. An unrequested write causes wrong elements afterwards. A requested write to the wrong place follows
  /// from elements that are read from the wrong place.
  std::pair<int, int> PlaceOf(const Deviation& deviation) const {
    const bool writes_first = deviation.family == Family::kWrites && !AsksForWrites();
    const auto family = static_cast<int>(writes_first ? Family::kPlace : deviation.family);
    return {2 * family - (writes_first ? 1 : 0), WithinFamily(FactRowAt(deviation.row))};
  }

  bool AsksForWrites() const {
    return HasStep(x_.recipe, [](const Step& step) { return HasTrait(step.op, OpTrait::kWrites); });
  }

  /// Order within a family: an export follows from its source array, a later read from an earlier one, and the number
  /// of calls from the calls. Exports that share a struct leave the array referenced.
  static int WithinFamily(const FactRow& row) {
    if (row.pattern == "exportS.race") return -1;
    if (row.block == Block::kSource || row.pattern.starts_with("importS.deleter.w")) return 0;
    if (row.pattern == "importS.deleter.in_import" || row.pattern == "importS.stays") return 0;
    if (row.pattern == "importS.callC.keywords") return 2;
    if (row.pattern == "exportS.elements" || row.pattern == "importS.calls" || row.pattern == "importS.callC.raised")
      return 3;
    return 1;
  }

  /// Deviations that earlier steps have shown. Metadata are known after the import. Releases are known only at the end,
  /// and the position of elements only after they were read.
  void Before(int end) {
    for (int slot = 0; slot < kSlots; ++slot) {
      if (WentAnotherWay(x_.subject.imports[slot].import, x_.reference.imports[slot].import) ||
          WentAnotherWay(x_.subject.exports[slot].export_call, x_.reference.exports[slot].export_call) ||
          WentAnotherWay(x_.subject.sources[slot].make, x_.reference.sources[slot].make)) {
        return;
      }
    }
    static thread_local std::vector<int> rows;
    Differences(x_.subject, x_.reference, rows);
    for (const int index : rows) {
      const FactRow& row = FactRowAt(index);
      if ((row.family <= Family::kStrides && WasShownBefore(row, end)) || WasReadBefore(row, end)) Look(index);
    }
  }

  /// A use after the release may mean that the library released too early.
  void Early() {
    for (int slot = 0; slot < kSlots; ++slot) {
      if (!x_.subject.imports.Used(slot)) continue;
      const DeleterLedger& deleter = x_.subject.imports[slot].deleter;
      const DeleterLedger& ours = x_.reference.imports[slot].deleter;
      const std::string prefix = "import" + std::to_string(slot) + ".deleter.";
      if (deleter.calls_in_import > ours.calls_in_import) Add(FactIndex(prefix + "in_import"), "");
      if (deleter.calls_while_alive > ours.calls_while_alive) Add(FactIndex(prefix + "while_alive"), "");
    }
  }

  /// A library that read wrong elements crashes when it uses them: the address is not mapped, or not aligned for its
  /// instructions.
  bool WasReadBefore(const FactRow& row, int end) const {
    const std::span<const Step> life = x_.recipe.life();
    if (end < 0 || static_cast<size_t>(end) >= life.size() ||
        !HasTrait(life[static_cast<size_t>(end)].op, OpTrait::kUsesElements)) {
      return false;
    }
    const bool import = row.pattern == "importS.memory" || row.pattern == "importS.library";
    if (!import && row.pattern != "exportS.elements") return false;
    return std::any_of(life.begin(), life.begin() + end, [&](const Step& step) {
      return step.op == (import ? Op::kRead : Op::kReadExport) && step.slot == row.slot;
    });
  }

  bool WasShownBefore(const FactRow& row, int end) const {
    const bool described = row.known == Known::kDescribed;
    for (int i = 0; i < std::min<int>(end, x_.recipe.used.steps); ++i) {
      const Step& step = x_.recipe.steps[i];
      switch (row.block) {
        case Block::kImport:
          if (step.slot != row.slot) break;
          if (described ? step.op == Op::kDescribe : ImportsOffer(step.op)) return true;
          break;
        case Block::kExport:
          if (step.op == Op::kExport && step.slot == row.slot) return true;
          if (step.op == Op::kReexport && OtherSlot(step) == row.slot) return true;
          break;
        default:
          return false;
      }
    }
    return false;
  }

  /// What a library reads or writes after a fault is not compared.
  bool Fault() {
    if (x_.subject.fault_count == 0) return false;
    if (x_.reference.fault_count != 0) return true;
    Before(static_cast<int>(x_.subject.faults[0].step));
    if (x_.subject.faults[0].after_deleter != 0) Early();
    Add(FactIndex("fault0"), "none");
    return true;
  }

  void Look(int index) {
    const FactRow& row = FactRowAt(index);
    if (row.varies || row.family == Family::kReported || IsDetail(row)) return;
    if (!IsKnown(row, x_.subject) || !IsKnown(row, x_.reference)) return;
    const FactValue ours = row.Of(x_.reference);
    if (SaysNothing(row, row.Of(x_.subject)) || SaysNothing(row, ours)) return;
    if (IsReading(row) && static_cast<Reading>(ours.first) != Reading::kMatches) return;
    if (!Excused(index, row.slot)) Add(index, OwnDevice(row));
  }

  /// The device that a library with arrays elsewhere should have named: that of the reference is the CPU.
  std::string OwnDevice(const FactRow& row) const {
    if (row.pattern != "exportS.device" && row.pattern != "sourceS.reported_device") return "";
    const std::span<const Call> calls(x_.recipe.calls, x_.recipe.used.calls);
    const bool asks = std::any_of(calls.begin(), calls.end(), [](const Call& call) { return IsPair(call.dl_device); });
    if (asks && row.pattern == "exportS.device") return "";  // perhaps another device was right
    const abi::DLDevice own = {x_.profile.made_device.device_type, std::max(x_.profile.made_device.device_id, 0)};
    return IsElsewhere(own) ? fmt::format("({}, {})", own.device_type, own.device_id) : "";
  }

  bool Excused(int index, int slot) {
    for (const uint8_t choice : ChoicesOf(index)) {
      if (Choices()[choice].constant && ((x_.profile.choices.used >> choice) & 1u) == 0) continue;
      uint8_t& known = known_[static_cast<size_t>(slot)][choice];
      if (known == 0) known = Choices()[choice].Excuses(x_, slot) ? 2 : 1;
      if (known == 2) return true;
    }
    return false;
  }

  /// Cases in which the library behaved like the reference, but otherwise in every plain exchange.
  void Habits() {
    for (uint64_t rest = x_.profile.choices.Kept(); rest != 0; rest &= rest - 1) {
      const Choice& choice = Choices()[static_cast<size_t>(std::countr_zero(rest))];
      const Habit& habit = choice.more.habit;
      for (int slot = 0; slot < kSlots; ++slot) {
        if (choice.Leaves(x_, slot)) found_.push_back({RowOf(habit, slot), Family::kChoice, std::string(habit.wanted)});
      }
    }
  }

  /// Requirements of every exchange, whatever the reference did.
  void Absolute() {
    for (int slot = 0; slot < kSlots; ++slot) {
      if (x_.subject.imports.Used(slot)) AbsoluteImport(slot);
      if (x_.subject.exports.Used(slot)) AbsoluteExport(slot);
    }
  }

  /// A function of a table that fails raises, and one that succeeds returns a result. The allocator reports a failure
  /// with SetError instead.
  void TableContract() {
    for (int slot = 0; slot < kSlots; ++slot) {
      for (int i = 0; i < kTableFunctions; ++i) {
        const TableCall& call = x_.subject.tables[slot].calls[i];
        if (call.called == 0) continue;
        const auto add = [&](const char* part) {
          const std::string_view function = ToText(static_cast<TableFunction>(i));
          AddOnce(FactIndex("table" + std::to_string(slot) + "." + std::string(function) + "." + part), "1");
        };
        const bool reports = i == static_cast<int>(TableFunction::kAllocator);
        if (call.status == 0 && call.out_written == 0) add("out_written");
        if (call.status != 0 && call.exception == 0 && !reports) add("exception");
      }
    }
  }

  void AddOnce(int index, const std::string& wanted) {
    const auto same = [&](const Deviation& deviation) { return deviation.row == index; };
    if (std::none_of(found_.begin(), found_.end(), same)) Add(index, wanted);
  }

  void AbsoluteImport(int slot) {
    const ImportLedger& import = x_.subject.imports[slot];
    const ImportLedger& ours = x_.reference.imports[slot];
    const std::string prefix = "import" + std::to_string(slot) + ".";
    if (import.deleter.wrong_self != 0) Add(FactIndex(prefix + "deleter.wrong_self"), "0");
    // If the reference released each capsule, the library must too. A tensor from an exchange table has no capsule that
    // could release it.
    const bool same_way = import.table.called == ours.table.called;
    if (same_way && ours.capsules > 0 && ours.deleter.calls == ours.capsules &&
        import.deleter.calls != import.capsules) {
      Add(FactIndex(prefix + "deleter.calls"), std::to_string(import.capsules));
    }
    if (Accepted(import.import) && !Accepted(ours.import) && IsUsual(slot)) AbsoluteElements(import, prefix);
    if (import.changed_parts != 0 && ours.changed_parts == 0) Add(FactIndex(prefix + "changed"), "none");
    if (import.changed_bytes != 0 && ours.changed_bytes == 0) Add(FactIndex(prefix + "changed_bytes"), "0");
  }

  /// Whether the elements of the slot's tensor are beyond doubt.
  bool IsUsual(int slot) const {
    if (x_.recipe.kind != RecipeKind::kImport || AllowedFor(x_.recipe) != Allowed::kAcceptOrRefuse) return false;
    const Step* const import = ImportOf(x_.recipe, slot);
    if (import == nullptr) return false;
    const abi::DLDataType dtype = x_.recipe.offer(import->block).dtype;
    return dtype.lanes == 1 && DataTypeIndex(dtype) >= 0 && !IsSubByte(dtype) && !x_.profile.Says(Trait::kNarrows);
  }

  /// A library that accepts more than the reference must accept it correctly.
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
    // Without a destructor the tensor of a lost capsule is never released.
    if (exported.is_capsule != 0 && exported.has_destructor == 0) Add(FactIndex(prefix + "has_destructor"), "1");
  }

  void Add(int index, const std::string& wanted) {
    found_.push_back({index, FamilyOf(FactRowAt(index), x_.subject), wanted});
  }

  const Exchange& x_;
  std::vector<Deviation>& found_;
  std::array<std::array<uint8_t, kMostChoices>, kSlots> known_{};  // of each choice: 0 not computed, 1 no, 2 yes
};

}  // namespace

void Compare(const Exchange& exchange, std::vector<Deviation>& found) { Comparison(exchange, found).Run(); }

void CompareBefore(const Exchange& exchange, int step, std::vector<Deviation>& found) {
  Comparison(exchange, found).RunBefore(step);
}

std::string WantedText(const Deviation& deviation, const Ledger& reference) {
  if (!deviation.wanted.empty()) return deviation.wanted;
  return Fact(reference, FactRowAt(deviation.row).key);
}

std::string GotText(const Deviation& deviation, const Ledger& subject) {
  return Fact(subject, FactRowAt(deviation.row).key);
}

}  // namespace dlpack_cts
