// adapters/interface/life_export.cc: the steps of a life in which the subject is a producer, also through the C
// exchange API.
#include "adapters/interface/life_run.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <thread>
#include <vector>

#include "adapters/interface/exported_tensor.h"
#include "harness/forge/thread.h"
#include "harness/oracle/oracle.h"

namespace dlpack_cts {

void LifeRun::Make(int block) {
  if (source_ != nullptr) return;
  request_ = block;
  const int64_t item = ItemSize(request().dtype);
  int64_t strides[kDims];
  EffectiveStrides(request(), strides);
  const Span span = ElementSpan(request().shape, strides, request().dims);
  const int64_t elements = request().offset + span.highest + 1;
  const auto bytes = static_cast<size_t>(std::max<int64_t>(0, elements * item));
  if (item <= 0 || bytes > scratch_.wanted.size()) return;
  uint8_t* backing = scratch_.wanted.data();
  ElementRun(request().dtype, request().seed, 0, 1, elements, backing);
  source_ = subject_.Make(request(), std::span<const uint8_t>(backing, bytes), ledger_.sources[0].make);
  Note(0, ledger_.sources[0].make.outcome);
  if (source_ == nullptr) {
    ledger_.unsupported = ledger_.sources[0].make.outcome == Outcome::kUnsupported;
    return;
  }
  subject_.Describe(source_, ledger_.sources[0].description);
  ledger_.sources[0].alive_known = subject_.Watch(source_);
  ledger_.sources[0].references_before = subject_.References(source_);
}

void LifeRun::Export(int slot, const Call& call) {
  if (source_ == nullptr || !BeginExport(slot)) return;
  subject_.Export(source_, call, slot, ledger_);
  slots_[slot].out.managed = subject_.ExportedStruct(slot);
  ExportLedger& record = exported(slot);
  Note(slot, record.export_call.outcome);
  if (record.export_call.outcome != Outcome::kAccepted) {
    ledger_.sources[0].references_after = subject_.References(source_);
    return;
  }
  LocateExport(slot);
  for (int other = 0; other < kSlots; ++other) {
    if (other != slot && HasCapsule(other) && !exported(other).deleted &&
        exported(other).struct_address == record.struct_address) {
      record.same_struct = 1;
    }
  }
  ReadExport(slot);
  record.first_elements = record.elements;
}

/// Forgets the last export of the slot; false while there is something left of it.
bool LifeRun::BeginExport(int slot) {
  const bool over = slots_[slot].out.lost && exported(slot).deleted;
  if (HasCapsule(slot) && !over) return false;
  slots_[slot].out = {};
  exported(slot) = {};
  return true;
}

/// The export's struct is there to be used: its capsule is alive, or the tensor was taken from it.
bool LifeRun::HasCapsule(int slot) {
  const Exported& out = slots_[slot].out;
  return out.managed != nullptr && (out.taken || !out.lost) && exported(slot).export_call.outcome == Outcome::kAccepted;
}

void LifeRun::LocateExport(int slot) {
  ExportLedger& record = exported(slot);
  if (record.struct_address == 0) return;
  const uint64_t first = reinterpret_cast<uint64_t>(record.tensor.data) + record.tensor.byte_offset;
  const int from = slots_[slot].out.reexported_from;
  record.place = from != 0 ? forge_.Locate(from - 1, first) : LocateIn(seen().sources[0].description, first);
}

void LifeRun::LoseCapsule(int slot, bool pending) {
  if (!HasCapsule(slot) || slots_[slot].out.lost) return;
  subject_.LoseCapsule(slot, pending, ledger_);
  slots_[slot].out.lost = true;
}

void LifeRun::Inspect(int slot) {
  if (!HasCapsule(slot) || exported(slot).deleted) return;
  exported(slot).changed_parts |= ChangedSinceExport(slots_[slot].out.managed, exported(slot));
}

void LifeRun::ReadExport(int slot) {
  ExportLedger& record = exported(slot);
  if (!HasCapsule(slot) || record.deleted) return;
  const int import = slots_[slot].out.reexported_from;
  std::span<const uint8_t> wanted;
  record.elements = {};
  if (int64_t item = 0; import == 0) {
    wanted = ExpectRequest();
  } else if (!ExpectAs(import - 1, &wanted, &item)) {
    record.elements.reading = Reading::kUnsupported;
    return;
  }
  record.elements.reading = ReadExported(record, scratch_.got);
  record.data_readable = record.elements.reading == Reading::kMatches;
  if (record.elements.reading != Reading::kMatches) return;
  const int64_t item = ItemSize(record.tensor.dtype);
  const int64_t count = ElementCount(record.shape, record.tensor.ndim);
  if (count * item != static_cast<int64_t>(wanted.size())) {
    record.elements.reading = Reading::kWrongCount;
    record.elements.wanted_bits = wanted.size();
    record.elements.got_bits = static_cast<uint64_t>(count * item);
    return;
  }
  CompareElements(wanted.data(), scratch_.got.data(), count, std::max<int64_t>(1, item), record.elements);
}

void LifeRun::WriteExport(int slot, int64_t index) {
  ExportLedger& record = exported(slot);
  if (!HasCapsule(slot) || record.deleted || source_ == nullptr || !record.data_readable) return;
  const int64_t item = ItemSize(record.tensor.dtype);
  if (item <= 0 || item > 16 || index >= ElementCount(record.shape, record.tensor.ndim)) return;
  const std::span<const uint8_t> wanted = ExpectRequest();
  if (static_cast<int64_t>(wanted.size()) < (index + 1) * item) return;
  uint8_t bits[16];
  OtherBits(request().dtype, request().seed, index, wanted.data() + index * item, bits);
  if (!WriteExported(record, index, bits)) return;
  const int64_t bytes = subject_.Values(source_, scratch_.got);
  if (bytes < (index + 1) * item) return;
  const bool seen = std::memcmp(scratch_.got.data() + index * item, bits, static_cast<size_t>(item)) == 0;
  record.shares_with_source = seen ? 1 : 2;
  if (seen) Remember(kSource, index, bits, item);
}

void LifeRun::DropSource() {
  if (source_ == nullptr) return;
  subject_.Drop(source_);
  source_ = nullptr;
  ledger_.Add(Seen::kDropped, 0);
}

void LifeRun::Delete(int slot, bool elsewhere) {
  ExportLedger& record = exported(slot);
  if (!HasCapsule(slot) || !slots_[slot].out.taken || record.deleted) return;
  const bool versioned = record.versioned != 0;
  void* managed = slots_[slot].out.managed;
  record.deleted = 1;
  if (elsewhere) {
    subject_.OnRawThread([managed, versioned] { CallDeleter(managed, versioned); });
  } else {
    CallDeleter(managed, versioned);
  }
  ledger_.Add(Seen::kDropped, slot);
}

int LifeRun::DeleteTogether(int first) {
  std::vector<std::function<void()>> deleters;
  const auto together = [](const Step& step) { return step.op == Op::kDelete && step.lane != 0 && step.barrier == 0; };
  int behind = first + 1;
  while (behind < recipe_.used.steps && together(recipe_.steps[behind])) ++behind;
  for (int at = first; at < behind; ++at) {
    const int slot = recipe_.steps[at].slot;
    ledger_.BeginStep(at);
    ledger_.Add(Seen::kStep, slot, static_cast<int32_t>(Op::kDelete));
    ExportLedger& record = exported(slot);
    if (!HasCapsule(slot) || !slots_[slot].out.taken || record.deleted) continue;
    record.deleted = 1;
    deleters.emplace_back([managed = slots_[slot].out.managed, versioned = record.versioned != 0] {
      const ThreadMark mark;
      CallDeleter(managed, versioned);
    });
  }
  subject_.OnRawThread([&deleters] {
    std::vector<std::thread> threads;
    threads.reserve(deleters.size());
    for (const auto& deleter : deleters) threads.emplace_back(deleter);
    for (std::thread& thread : threads) thread.join();
  });
  return behind;
}

void LifeRun::UseSource() {
  if (source_ == nullptr) return;
  Handle copy = subject_.Compute(source_);
  if (copy == nullptr) {
    ledger_.sources[0].used.reading = Reading::kUnsupported;
    return;
  }
  ReadValues(subject_, copy, ledger_.sources[0].used, ExpectRequest(), ItemSize(request().dtype));
  subject_.Drop(copy);
}

void LifeRun::FindTable() {
  if (source_ == nullptr) return;
  subject_.FindTable(source_, ledger_.tables[0]);
  // A second instance of the type has to lead to the same table.
  Handle other = subject_.Compute(source_);
  if (other == nullptr) return;
  subject_.FindTable(other, ledger_.tables[0]);
  subject_.Drop(other);
}

bool LifeRun::HasTable() {
  if (source_ != nullptr && ledger_.tables[0].looked == 0) subject_.FindTable(source_, ledger_.tables[0]);
  return ledger_.tables[0].found != 0;
}

/// The engine owns a struct that came without a capsule.
void LifeRun::Own(int slot, abi::DLManagedTensorVersioned* tensor) {
  ExportLedger& record = exported(slot);
  Note(slot, record.export_call.outcome);
  if (tensor == nullptr) return;
  Exported& out = slots_[slot].out;
  out.managed = tensor;
  out.taken = out.lost = true;
  RecordExport(tensor, true, record);
  LocateExport(slot);
}

void LifeRun::TableExport(int slot) {
  if (source_ == nullptr || !HasTable() || !BeginExport(slot)) return;
  Own(slot, subject_.TableExport(source_, ledger_.tables[0], exported(slot).export_call));
  ReadExport(slot);
  exported(slot).first_elements = exported(slot).elements;
}

void LifeRun::TableImport(int slot, int block) {
  Slot& held = slots_[slot];
  if (held.offered || held.array != nullptr || !HasTable()) return;
  held.block = block;
  const Offered made = forge_.Make(offer(slot), slot, ledger_);
  if (made.kind != StructKind::kVersioned) return;
  held.offered = held.capsule_dropped = held.producer_dropped = true;
  ImportLedger& record = import(slot);
  forge_.SetPhase(slot, 0);
  held.array =
      subject_.TableImport(static_cast<abi::DLManagedTensorVersioned*>(made.managed), ledger_.tables[0], record.import);
  forge_.SetPhase(slot, 1);
  Note(slot, record.import.outcome);
  // A callee that refuses may leave the tensor to its caller, or release it.
  record.capsules = held.array != nullptr || forge_.Released(slot) ? 1 : 0;
}

void LifeRun::TableView(int slot) {
  if (source_ == nullptr || !HasTable() || !BeginExport(slot)) return;
  abi::DLManagedTensorVersioned& view = slots_[slot].out.view;
  view.version = {1, 3};
  if (!subject_.TableView(source_, &view.dl_tensor, ledger_.tables[0], exported(slot).export_call))
    return Own(slot, nullptr);
  Own(slot, &view);
  ReadExport(slot);
  exported(slot).first_elements = exported(slot).elements;
}

void LifeRun::TableAllocate(int slot, int block, Prototype kind) {
  ExportLedger& record = exported(slot);
  if (!HasTable() || !BeginExport(slot)) return;
  Own(slot, AllocateByTable(subject_, recipe_.request(block), kind, ledger_.tables[0], record.export_call));
  if (kind != Prototype::kGood || block != request_ || !HasCapsule(slot) || record.metadata_readable == 0) return;
  const int64_t item = ItemSize(record.tensor.dtype);
  const int64_t count = ElementCount(record.shape, record.tensor.ndim);
  const std::span<const uint8_t> wanted = ExpectRequest();
  if (!(record.tensor.dtype == request().dtype) || count * item != static_cast<int64_t>(wanted.size())) return;
  record.shares_with_source = 1;
  for (int64_t i = 0; i < count; ++i) {
    if (!WriteExported(record, i, wanted.data() + i * item)) record.shares_with_source = 2;
  }
  ReadExport(slot);
  record.first_elements = record.elements;
}

}  // namespace dlpack_cts
