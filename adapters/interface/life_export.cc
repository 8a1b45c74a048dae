// adapters/interface/life_export.cc: the steps of a life in which the subject is a producer, also through the C
// exchange API.
#include "adapters/interface/life_run.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "adapters/interface/cuda_driver.h"
#include "adapters/interface/exported_tensor.h"
#include "harness/forge/thread.h"
#include "harness/oracle/oracle.h"
#include "harness/recipe/dtypes.h"
#include "harness/recipe/packing.h"

namespace dlpack_cts {
namespace {

/// Whether the struct describes the array as the library does. A copy has strides of its own.
Answer Follows(const Description& array, const ExportLedger& exported) {
  if (array.has_shape == 0 || exported.metadata_readable == 0) return Answer::kUnknown;
  const int dims = exported.tensor.ndim;
  if (dims != array.ndim || dims > kDims) return dims == array.ndim ? Answer::kUnknown : Answer::kNo;
  if (!std::equal(exported.shape, exported.shape + dims, array.shape)) return Answer::kNo;
  const uint64_t first = reinterpret_cast<uint64_t>(exported.tensor.data) + exported.tensor.byte_offset;
  const int64_t item = ItemSize(exported.tensor.dtype);
  const bool shared = array.has_pointer != 0 && array.pointer == first && ElementCount(array.shape, dims) > 0;
  if (!shared || array.has_strides == 0 || exported.tensor.strides == nullptr || IsSubByte(exported.tensor.dtype)) {
    return Answer::kYes;
  }
  for (int d = 0; d < dims; ++d) {
    if (array.shape[d] > 1 && exported.strides[d] * item != array.byte_strides[d]) return Answer::kNo;
  }
  return Answer::kYes;
}

}  // namespace

std::span<const uint8_t> LifeRun::BackingOf(int source) {
  const Request& asked = request(source);
  const int64_t item = ItemSize(asked.dtype);
  int64_t strides[kDims];
  EffectiveStrides(asked, strides);
  const Span span = ElementSpan(asked.shape, strides, asked.dims);
  const int64_t elements = asked.offset + span.highest + 1;
  const auto bytes = static_cast<size_t>(std::max<int64_t>(0, elements * item));
  if (item <= 0 || bytes > scratch_.wanted.size()) return {};
  ElementRun(asked.dtype, asked.seed, 0, 1, elements, scratch_.wanted.data());
  return std::span<const uint8_t>(scratch_.wanted.data(), bytes);
}

void LifeRun::Make(const Step& step) {
  const int slot = step.slot;
  Source& source = sources_[slot];
  if (source.array != nullptr) return;
  source = {};
  source.request = step.block;
  Subject& producer = ProducerOf(step);
  source.owner = &producer;
  const std::span<const uint8_t> backing = BackingOf(slot);
  if (backing.data() == nullptr) return;
  SourceLedger& record = ledger_.sources[slot];
  source.array = producer.exporter().Make(request(slot), backing, record.make);
  Note(slot, record.make.outcome);
  if (source.array == nullptr) {
    ledger_.unsupported = record.make.outcome == Outcome::kUnsupported;
    return;
  }
  for (int views = 0; views < step.argument; ++views) {
    Handle view = producer.Derive(Hook::kView, source.array);
    producer.Drop(std::exchange(source.array, view));
    if (view != nullptr) continue;
    record.make.outcome = Outcome::kUnsupported;
    ledger_.unsupported = true;
    return;
  }
  producer.Describe(source.array, record.description);
  record.alive_known = producer.exporter().Watch(source.array, slot);
  record.references_before = producer.References(source.array);
}

void LifeRun::Export(const Step& step) {
  const int slot = step.slot;
  Source& source = sources_[SourceOf(step)];
  if (source.array == nullptr || !BeginExport(slot)) return;
  Subject& owner = *source.owner;
  slots_[slot].out.owner = &owner;
  slots_[slot].out.source = SourceOf(step);
  slots_[slot].out.muddled = source.changed;  // its elements are in another order, or others
  Call(owner, step, [&] { owner.exporter().Export(source.array, CallOf(step), slot, ledger_); });
  slots_[slot].out.managed = owner.exporter().ExportedStruct(slot);
  ExportLedger& record = exported(slot);
  Note(slot, record.export_call.outcome);
  if (record.export_call.outcome != Outcome::kAccepted) {
    ledger_.sources[SourceOf(step)].references_after = owner.References(source.array);
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
  if (source.changed && seen().sources[SourceOf(step)].change.outcome == Outcome::kAccepted) {
    Description now{};
    owner.Describe(source.array, now);
    record.follows_change = Follows(now, record);
  }
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
  record.place =
      from != 0 ? forge_.Locate(from - 1, first) : LocateIn(seen().sources[slots_[slot].out.source].description, first);
  AskDriver(slot);
}

void LifeRun::LoseCapsule(const Step& step) {
  const int slot = step.slot;
  if (!HasCapsule(slot) || slots_[slot].out.lost) return;
  slots_[slot].out.lost = true;
  Subject& owner = *slots_[slot].out.owner;
  Call(owner, step, [&] { owner.exporter().LoseCapsule(slot); });
}

void LifeRun::Inspect(int slot) {
  if (!HasCapsule(slot) || exported(slot).deleted) return;
  exported(slot).changed_parts |= ChangedSinceExport(slots_[slot].out.managed, exported(slot));
}

void LifeRun::ReadExport(int slot) {
  ExportLedger& record = exported(slot);
  if (!HasCapsule(slot) || record.deleted) return;
  const int from = slots_[slot].out.reexported_from;
  std::span<const uint8_t> wanted;
  record.elements = {};
  record.elements.reading = ReadExported(record, scratch_.got);
  record.data_readable = record.elements.reading == Reading::kMatches;
  if (record.elements.reading != Reading::kMatches) return;
  bool known = !slots_[slot].out.muddled;
  if (int64_t item = 0; from != 0) {
    // An import that was not described may have been narrowed.
    const bool narrowed = !import(from - 1).result.valid && IsNarrower(record.tensor.dtype, DtypeOf(from - 1));
    known = known && !narrowed && ExpectAs(from - 1, &wanted, &item);
  } else {
    known = known && !sources_[slots_[slot].out.source].muddled;
    wanted = ExpectRequest(slots_[slot].out.source);
  }
  if (!known) {
    record.elements.reading = Reading::kUnsupported;
    return;
  }
  const int64_t item = ItemSize(record.tensor.dtype);
  const int64_t count = ElementCount(record.shape, record.tensor.ndim);
  if (count * item != static_cast<int64_t>(wanted.size())) {
    record.elements.reading = Reading::kWrongCount;
    record.elements.wanted_bits = wanted.size();
    record.elements.got_bits = static_cast<uint64_t>(count * item);
    return;
  }
  CompareElements(wanted.data(), scratch_.got.data(), count, std::max<int64_t>(1, item), record.elements);
  record.packing = PackingOf(record, wanted, scratch_.got);
}

void LifeRun::WriteExport(int slot, int64_t index) {
  ExportLedger& record = exported(slot);
  const int from = slots_[slot].out.source;
  const Source& source = sources_[from];
  if (!HasCapsule(slot) || record.deleted || source.array == nullptr || !record.data_readable) return;
  // Which element of an array that was changed in place it would be depends on whose shape the export describes.
  if (source.changed) return;
  const int64_t item = ItemSize(record.tensor.dtype);
  if (item <= 0 || item > 16 || index >= ElementCount(record.shape, record.tensor.ndim)) return;
  const std::span<const uint8_t> wanted = ExpectRequest(from);
  if (static_cast<int64_t>(wanted.size()) < (index + 1) * item) return;
  // If the struct describes other elements, their memory may belong to something else.
  const Reading elements = record.elements.reading;
  if (elements == Reading::kDiffers || elements == Reading::kWrongCount) return;
  uint8_t bits[16];
  OtherBits(request(from).dtype, request(from).seed, index, wanted.data() + index * item, bits);
  if (!WriteExported(record, index, bits)) return;
  const WriteShown shown = Shows(*source.owner, source.array, SourceBytes(from), index,
                                 std::span<const uint8_t>(bits, static_cast<size_t>(item)));
  if (shown != WriteShown::kNotRun) record.write_export = shown;
  if (shown == WriteShown::kShown) Remember(OfSource(from), index, bits, item);
  if (shown == WriteShown::kNotRun) Muddle(OfSource(from));
  if (shown == WriteShown::kNotShown) slots_[slot].out.muddled = true;
}

void LifeRun::DropSource(int source) {
  Handle array = std::exchange(sources_[source].array, nullptr);
  if (array == nullptr) return;
  Subject& owner = *sources_[source].owner;
  owner.Drop(array);
  ledger_.Add(Seen::kDropped, source);
  SourceLedger& record = ledger_.sources[source];
  for (int slot = 0; record.alive_known && slot < kSlots; ++slot) {
    const bool idle = slots_[slot].calls == 0 && slots_[slot].out.source == source;
    if (!idle || !HasCapsule(slot) || exported(slot).deleted) continue;
    record.outlived = owner.exporter().WatchedIsAlive(source) ? Answer::kYes : Answer::kNo;
    return;
  }
}

void LifeRun::Delete(const Step& step) {
  const int slot = step.slot;
  ExportLedger& record = exported(slot);
  if (!HasCapsule(slot) || !slots_[slot].out.taken || record.deleted) return;
  const bool versioned = record.versioned != 0;
  void* managed = slots_[slot].out.managed;
  Subject& owner = slots_[slot].out.owner != nullptr ? *slots_[slot].out.owner : subject_;
  if (EndsProcess(step.context)) {
    // In a copy of this process, so that the tensor stays alive here. A copy has one thread.
    if (lanes_) return;
    const Answer answer = effort_ == Effort::kToken
                              ? Answer::kYes
                              : owner.runtime().InCopy(step.context, [&] { CallDeleter(managed, versioned); });
    (step.context == Context::kForkedChild      ? record.survives_fork
     : step.context == Context::kAtExit         ? record.survives_exit
     : step.context == Context::kSubinterpreter ? record.survives_other
                                                : record.survives_end) = answer;
    return;
  }
  record.deleted = 1;
  // In other contexts the GIL is not held, or an exception was pending before.
  const bool asks = !lanes_ && step.context == Context::kUsual;
  const auto work = [&] {
    CallDeleter(managed, versioned);
    if (asks) record.left_exception = owner.runtime().ForgetException();
  };
  const auto watched = [&] {
    if (step.context != Context::kRawThread) return work();
    owner.runtime().WatchUnlocked(work, &record.frees_without_gil);
  };
  Call(owner, step, watched, false);
  ledger_.Add(Seen::kDropped, slot);
}

void LifeRun::UseSource(int source) {
  if (sources_[source].array == nullptr) return;
  Subject& owner = *sources_[source].owner;
  const bool known = SourceBytes(source) > 0 && !sources_[source].muddled;
  Handle copy = known ? owner.Derive(Hook::kCompute, sources_[source].array) : nullptr;
  if (copy == nullptr) {
    ledger_.sources[source].used.reading = Reading::kUnsupported;
    return;
  }
  ReadValues(owner, copy, BytesOf(owner, copy, MeantBySource(source)), ledger_.sources[source].used,
             ExpectRequest(source), ItemSize(request(source).dtype));
  owner.Drop(copy);
}

void LifeRun::FindTable(int source) {
  Handle array = sources_[source].array;
  if (array == nullptr) return;
  Subject& owner = *sources_[source].owner;
  if (owner.table() == nullptr) return;
  owner.table()->Find(array, ledger_.tables[source]);
  // A second instance of the type has to lead to the same table.
  Handle other = SourceBytes(source) > 0 ? owner.Derive(Hook::kCompute, array) : nullptr;
  if (other == nullptr) return;
  owner.table()->Find(other, ledger_.tables[source]);
  owner.Drop(other);
}

bool LifeRun::HasTable(int source) {
  Source& from = sources_[source];
  if (from.array != nullptr && from.owner->table() != nullptr && ledger_.tables[source].looked == 0) {
    from.owner->table()->Find(from.array, ledger_.tables[source]);
  }
  return ledger_.tables[source].found != 0;
}

/// The engine owns a struct that came without a capsule.
void LifeRun::Own(int slot, int source, abi::DLManagedTensorVersioned* tensor) {
  ExportLedger& record = exported(slot);
  Note(slot, record.export_call.outcome);
  if (tensor == nullptr) return;
  Exported& out = slots_[slot].out;
  out.owner = sources_[source].owner;
  out.source = source;
  out.managed = tensor;
  out.taken = out.lost = true;
  RecordExport(tensor, true, record);
  LocateExport(slot);
}

void LifeRun::TableExport(const Step& step) {
  const int slot = step.slot;
  const int from = SourceOf(step);
  const Source& source = sources_[from];
  if (source.array == nullptr || !HasTable(from) || !BeginExport(slot)) return;
  abi::DLManagedTensorVersioned* tensor = nullptr;
  Call(*source.owner, step,
       [&] { tensor = source.owner->table()->Export(source.array, ledger_.tables[from], exported(slot).export_call); });
  Own(slot, from, tensor);
  ReadExport(slot);
  exported(slot).first_elements = exported(slot).elements;
}

void LifeRun::TableImport(const Step& step) {
  const int slot = step.slot;
  const int from = SourceOf(step);
  Slot& held = slots_[slot];
  if (held.offered || held.array != nullptr || !HasTable(from)) return;
  held.block = step.block;
  const Offered made = forge_.Make(offer(slot), slot, ledger_);
  if (made.kind != StructKind::kVersioned) return;
  held.offered = held.capsule_dropped = held.producer_dropped = true;
  ImportLedger& record = import(slot);
  forge_.SetPhase(slot, 0);
  held.owner = sources_[from].owner;
  held.array = held.owner->table()->Import(static_cast<abi::DLManagedTensorVersioned*>(made.managed),
                                           ledger_.tables[from], record.import);
  forge_.SetPhase(slot, 1);
  Note(slot, record.import.outcome);
  // A callee that refuses may leave the tensor to its caller, or release it.
  record.capsules = held.array != nullptr || forge_.Released(slot) ? 1 : 0;
}

void LifeRun::TableView(const Step& step) {
  const int slot = step.slot;
  const int from = SourceOf(step);
  const Source& source = sources_[from];
  if (source.array == nullptr || !HasTable(from) || !BeginExport(slot)) return;
  abi::DLManagedTensorVersioned& view = slots_[slot].out.view;
  view.version = {1, 3};
  bool viewed = false;
  Call(*source.owner, step, [&] {
    viewed =
        source.owner->table()->View(source.array, &view.dl_tensor, ledger_.tables[from], exported(slot).export_call);
  });
  if (!viewed) return Own(slot, from, nullptr);
  Own(slot, from, &view);
  ReadExport(slot);
  exported(slot).first_elements = exported(slot).elements;
}

void LifeRun::TableStream(const Step& step) {
  constexpr int32_t kNoDevice = 77;  // an undefined device type
  const int from = SourceOf(step);
  if (!HasTable(from)) return;
  const Description& array = seen().sources[from].description;
  const bool own = step.argument == 2 && array.valid && array.has_device;
  if (step.argument == 2 && !own) return;
  const abi::DLDevice device = own ? array.device : abi::DLDevice{step.argument == 0 ? abi::kDLCPU : kNoDevice, 0};
  TableLedger& table = ledger_.tables[from];
  sources_[from].owner->table()->Stream(device, table);
  const CudaDriver* const driver = CudaDriver::Opened();
  const bool written = table.calls[static_cast<size_t>(TableFunction::kStream)].out_written != 0;
  if (driver == nullptr || device.device_type != abi::kDLCUDA || !written) return;
  const bool named = IsNamedStream(table.stream);
  if (!named) table.cuda_knows_stream = driver->DeviceOf(table.stream) >= 0 ? Answer::kYes : Answer::kNo;
  if (table.cuda_knows_stream == Answer::kNo || sources_[from].array == nullptr) return;
  const int64_t works_on = WorkStreamOf(sources_[from]);
  // The default streams have several names each, and NULL may be any of them.
  if (works_on < 0 || (named && IsNamedStream(static_cast<uint64_t>(works_on)))) return;
  table.stream_is_own = static_cast<uint64_t>(works_on) == table.stream ? Answer::kYes : Answer::kNo;
}

/// Whether the elements of the tensor that was allocated reach into what belongs to it otherwise, or to another one
/// like it. Asked before anything is written: what lies there is somebody's.
bool LifeRun::HasRoom(const Step& step, int from, const ExportLedger& record) {
  constexpr int kOthers = 3;
  TableLedger table = ledger_.tables[from];
  Refusal refusal{};
  Subject& owner = *sources_[from].owner;
  abi::DLManagedTensorVersioned* others[kOthers];
  bool apart = LiesApart(record, record);
  for (abi::DLManagedTensorVersioned*& other : others) {
    other = AllocateByTable(owner, recipe_.request(step.block), Prototype::kGood, table, refusal);
    if (other == nullptr) continue;
    ExportLedger seen{};
    RecordExport(other, true, seen);
    apart = apart && LiesApart(record, seen) && LiesApart(seen, record);
  }
  for (abi::DLManagedTensorVersioned* const other : others) {
    if (other != nullptr) CallDeleter(other, true);
  }
  return apart;
}

void LifeRun::TableAllocate(const Step& step) {
  const int slot = step.slot;
  const int from = SourceOf(step);
  const auto kind = static_cast<Prototype>(step.argument % static_cast<int>(Prototype::kCount));
  ExportLedger& record = exported(slot);
  if (!HasTable(from) || !BeginExport(slot)) return;
  Own(slot, from,
      AllocateByTable(*sources_[from].owner, recipe_.request(step.block), kind, ledger_.tables[from],
                      record.export_call));
  if (kind != Prototype::kGood || step.block != sources_[from].request || !HasCapsule(slot) ||
      record.metadata_readable == 0)
    return;
  const int64_t item = ItemSize(record.tensor.dtype);
  const int64_t count = ElementCount(record.shape, record.tensor.ndim);
  const std::span<const uint8_t> wanted = ExpectRequest(from);
  if (!(record.tensor.dtype == request(from).dtype) || count * item != static_cast<int64_t>(wanted.size())) return;
  if (!HasRoom(step, from, record)) {
    record.write_export = WriteShown::kNotShown;
    return;
  }
  if (item > kWidestWritten) return;
  record.write_export = WriteShown::kShown;
  for (int64_t i = 0; i < count; ++i) {
    if (!WriteExported(record, i, wanted.data() + i * item)) record.write_export = WriteShown::kNotShown;
  }
  ReadExport(slot);
  record.first_elements = record.elements;
}

}  // namespace dlpack_cts
