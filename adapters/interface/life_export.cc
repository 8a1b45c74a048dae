// adapters/interface/life_export.cc: the steps of a life in which the subject is a producer, also through the C
// exchange API.
#include "adapters/interface/life_run.h"

#include <algorithm>
#include <cstring>

#include "adapters/interface/exported_tensor.h"
#include "harness/forge/thread.h"
#include "harness/oracle/oracle.h"

namespace dlpack_cts {

void LifeRun::Make(const Step& step) {
  if (source_ != nullptr) return;
  request_ = step.block;
  Subject& producer = ProducerOf(step);
  source_owner_ = &producer;
  const int64_t item = ItemSize(request().dtype);
  int64_t strides[kDims];
  EffectiveStrides(request(), strides);
  const Span span = ElementSpan(request().shape, strides, request().dims);
  const int64_t elements = request().offset + span.highest + 1;
  const auto bytes = static_cast<size_t>(std::max<int64_t>(0, elements * item));
  if (item <= 0 || bytes > scratch_.wanted.size()) return;
  uint8_t* backing = scratch_.wanted.data();
  ElementRun(request().dtype, request().seed, 0, 1, elements, backing);
  source_ = producer.Make(request(), std::span<const uint8_t>(backing, bytes), ledger_.sources[0].make);
  Note(0, ledger_.sources[0].make.outcome);
  if (source_ == nullptr) {
    ledger_.unsupported = ledger_.sources[0].make.outcome == Outcome::kUnsupported;
    return;
  }
  producer.Describe(source_, ledger_.sources[0].description);
  ledger_.sources[0].alive_known = producer.Watch(source_);
  ledger_.sources[0].references_before = producer.References(source_);
}

void LifeRun::Export(const Step& step) {
  const int slot = step.slot;
  if (source_ == nullptr || !BeginExport(slot)) return;
  Subject& owner = *source_owner_;
  slots_[slot].out.owner = &owner;
  Call(owner, step, [&] { owner.Export(source_, recipe_.call(step.call), slot, ledger_); });
  slots_[slot].out.managed = owner.ExportedStruct(slot);
  ExportLedger& record = exported(slot);
  Note(slot, record.export_call.outcome);
  if (record.export_call.outcome != Outcome::kAccepted) {
    ledger_.sources[0].references_after = owner.References(source_);
    return;
  }
  LocateExport(slot);
  for (int other = 0; other < kSlots; ++other) {
    // A lane that is in a call writes its record.
    if (other != slot && slots_[other].calls == 0 && HasCapsule(other) && !exported(other).deleted &&
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

void LifeRun::LoseCapsule(const Step& step) {
  const int slot = step.slot;
  if (!HasCapsule(slot) || slots_[slot].out.lost) return;
  slots_[slot].out.lost = true;
  Subject& owner = *slots_[slot].out.owner;
  Call(owner, step, [&] { owner.LoseCapsule(slot); });
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
  const uint8_t shown =
      Shows(*source_owner_, source_, SourceBytes(), index, std::span<const uint8_t>(bits, static_cast<size_t>(item)));
  if (shown != 0) record.shares_with_source = shown;
  if (shown == 1) Remember(kSource, index, bits, item);
}

void LifeRun::DropSource() {
  if (source_ == nullptr) return;
  source_owner_->Drop(source_);
  source_ = nullptr;
  ledger_.Add(Seen::kDropped, 0);
}

void LifeRun::Delete(const Step& step) {
  const int slot = step.slot;
  ExportLedger& record = exported(slot);
  if (!HasCapsule(slot) || !slots_[slot].out.taken || record.deleted) return;
  const bool versioned = record.versioned != 0;
  void* managed = slots_[slot].out.managed;
  record.deleted = 1;
  Subject& owner = slots_[slot].out.owner != nullptr ? *slots_[slot].out.owner : subject_;
  Call(owner, step, [managed, versioned] { CallDeleter(managed, versioned); }, false);
  ledger_.Add(Seen::kDropped, slot);
}

void LifeRun::UseSource() {
  if (source_ == nullptr) return;
  Subject& owner = *source_owner_;
  Handle copy = SourceBytes() > 0 ? owner.Compute(source_) : nullptr;
  if (copy == nullptr) {
    ledger_.sources[0].used.reading = Reading::kUnsupported;
    return;
  }
  ReadValues(owner, copy, BytesOf(owner, copy, MeantBySource()), ledger_.sources[0].used, ExpectRequest(),
             ItemSize(request().dtype));
  owner.Drop(copy);
}

void LifeRun::FindTable() {
  if (source_ == nullptr) return;
  Subject& owner = *source_owner_;
  owner.FindTable(source_, ledger_.tables[0]);
  // A second instance of the type has to lead to the same table.
  Handle other = SourceBytes() > 0 ? owner.Compute(source_) : nullptr;
  if (other == nullptr) return;
  owner.FindTable(other, ledger_.tables[0]);
  owner.Drop(other);
}

bool LifeRun::HasTable() {
  if (source_ != nullptr && ledger_.tables[0].looked == 0) source_owner_->FindTable(source_, ledger_.tables[0]);
  return ledger_.tables[0].found != 0;
}

/// The engine owns a struct that came without a capsule.
void LifeRun::Own(int slot, abi::DLManagedTensorVersioned* tensor) {
  ExportLedger& record = exported(slot);
  Note(slot, record.export_call.outcome);
  if (tensor == nullptr) return;
  Exported& out = slots_[slot].out;
  out.owner = source_owner_ != nullptr ? source_owner_ : &subject_;
  out.managed = tensor;
  out.taken = out.lost = true;
  RecordExport(tensor, true, record);
  LocateExport(slot);
}

void LifeRun::TableExport(int slot) {
  if (source_ == nullptr || !HasTable() || !BeginExport(slot)) return;
  Own(slot, source_owner_->TableExport(source_, ledger_.tables[0], exported(slot).export_call));
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
  held.owner = source_owner_;
  held.array = source_owner_->TableImport(static_cast<abi::DLManagedTensorVersioned*>(made.managed), ledger_.tables[0],
                                          record.import);
  forge_.SetPhase(slot, 1);
  Note(slot, record.import.outcome);
  // A callee that refuses may leave the tensor to its caller, or release it.
  record.capsules = held.array != nullptr || forge_.Released(slot) ? 1 : 0;
}

void LifeRun::TableView(int slot) {
  if (source_ == nullptr || !HasTable() || !BeginExport(slot)) return;
  abi::DLManagedTensorVersioned& view = slots_[slot].out.view;
  view.version = {1, 3};
  if (!source_owner_->TableView(source_, &view.dl_tensor, ledger_.tables[0], exported(slot).export_call))
    return Own(slot, nullptr);
  Own(slot, &view);
  ReadExport(slot);
  exported(slot).first_elements = exported(slot).elements;
}

void LifeRun::TableAllocate(int slot, int block, Prototype kind) {
  ExportLedger& record = exported(slot);
  if (!HasTable() || !BeginExport(slot)) return;
  Own(slot, AllocateByTable(*source_owner_, recipe_.request(block), kind, ledger_.tables[0], record.export_call));
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
