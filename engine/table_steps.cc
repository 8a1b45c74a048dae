// engine/table_steps.cc: looks up the exchange table, and calls each of its functions.
#include "engine/steps.h"

#include "engine/table_allocation.h"
#include "subject/exported_tensor.h"

namespace dlpack_cts {
namespace {

Passed PassedIn(const Step& step) {
  return static_cast<Passed>(static_cast<uint32_t>(step.argument) % static_cast<uint32_t>(Passed::kCount));
}

}  // namespace

void TableSteps::Find(const Step& step) {
  const int from = LifeState::SourceOf(step);
  const LifeState::Source& source = life_.sources[from];
  if (source.array == nullptr || source.owner->table() == nullptr) return;
  ExchangeTable& table = *source.owner->table();
  table.Find(source.array, life_.ledger.tables[from]);
  // A second instance of the type must have the same table.
  Handle other = nullptr;
  if (elements_.SourceBytes(from) > 0) other = source.owner->Derive(Hook::kCompute, source.array);
  if (other == nullptr) return;
  table.Find(other, life_.ledger.tables[from]);
  source.owner->Drop(other);
}

bool TableSteps::HasTable(int source) {
  const LifeState::Source& from = life_.sources[source];
  TableLedger& table = life_.ledger.tables[source];
  if (from.array != nullptr && from.owner->table() != nullptr && table.looked == 0) {
    from.owner->table()->Find(from.array, table);
  }
  return table.found != 0;
}

void TableSteps::Own(int slot, int source, abi::DLManagedTensorVersioned* tensor) {
  ExportLedger& record = life_.exported(slot);
  life_.Note(slot, record.export_call.outcome);
  if (tensor == nullptr) return;
  LifeState::Exported& out = life_.slots[slot].out;
  out.owner = life_.sources[source].owner;
  out.source = source;
  out.managed = tensor;
  out.taken = out.lost = true;
  RecordExport(tensor, true, record);
  exports_.Locate(slot);
}

bool TableSteps::IsMisuse(const Step& step) { return PassedIn(step) != Passed::kArray; }

void TableSteps::Misuse(const Step& step, TableFunction function) {
  const int from = LifeState::SourceOf(step);
  const LifeState::Source& source = life_.sources[from];
  Refusal& answer = life_.exported(step.slot).export_call;
  lanes_.Call(*source.owner, step, [&] {
    source.owner->table()->Misuse(function, PassedIn(step), source.array, life_.ledger.tables[from], answer);
  });
  life_.Note(step.slot, answer.outcome);
}

void TableSteps::Export(const Step& step) {
  const int slot = step.slot;
  const int from = LifeState::SourceOf(step);
  const LifeState::Source& source = life_.sources[from];
  if (source.array == nullptr || !HasTable(from) || !exports_.Begin(slot)) return;
  if (IsMisuse(step)) return Misuse(step, TableFunction::kFromObject);
  Refusal& answer = life_.exported(slot).export_call;
  abi::DLManagedTensorVersioned* tensor = nullptr;
  lanes_.Call(*source.owner, step,
              [&] { tensor = source.owner->table()->Export(source.array, life_.ledger.tables[from], answer); });
  Own(slot, from, tensor);
  exports_.ReadFirst(slot);
}

void TableSteps::Import(const Step& step) {
  const int slot = step.slot;
  const int from = LifeState::SourceOf(step);
  LifeState::Slot& held = life_.slots[slot];
  if (held.offered || held.array != nullptr || !HasTable(from)) return;
  held.block = step.block;
  const Offered made = life_.forge.Make(life_.offer(slot), slot, life_.ledger);
  if (made.kind != StructKind::kVersioned) return;
  held.offered = held.capsule_dropped = held.producer_dropped = true;
  ImportLedger& record = life_.import(slot);
  life_.forge.SetPhase(slot, 0);
  held.owner = life_.sources[from].owner;
  const auto import = [&] {
    held.array = held.owner->table()->Import(static_cast<abi::DLManagedTensorVersioned*>(made.managed),
                                             life_.ledger.tables[from], record.import);
  };
  if (step.context == Context::kCapture && life_.driver != nullptr) {
    record.cuda_keeps_capture = life_.driver->InCapture(life_.offer(slot).device.device_id, import);
  } else {
    import();
  }
  life_.forge.SetPhase(slot, 1);
  life_.Note(slot, record.import.outcome);
  held.watched = held.array != nullptr && held.owner->exporter().Watch(held.array, NumberOfImported(slot));
  // A function that refuses may leave the tensor to its caller, or release it.
  record.capsules = held.array != nullptr || life_.forge.Released(slot) ? 1 : 0;
}

void TableSteps::View(const Step& step) {
  const int slot = step.slot;
  const int from = LifeState::SourceOf(step);
  const LifeState::Source& source = life_.sources[from];
  if (source.array == nullptr || !HasTable(from) || !exports_.Begin(slot)) return;
  if (IsMisuse(step)) return Misuse(step, TableFunction::kView);
  Refusal& answer = life_.exported(slot).export_call;
  abi::DLManagedTensorVersioned& view = life_.slots[slot].out.view;
  view.version = {1, 3};
  bool viewed = false;
  lanes_.Call(*source.owner, step, [&] {
    viewed = source.owner->table()->View(source.array, &view.dl_tensor, life_.ledger.tables[from], answer);
  });
  Own(slot, from, viewed ? &view : nullptr);
  exports_.ReadFirst(slot);
}

void TableSteps::Stream(const Step& step) {
  constexpr int32_t kNoDevice = 77;  // an undefined device type
  const int from = LifeState::SourceOf(step);
  if (!HasTable(from)) return;
  const Description& array = life_.seen().sources[from].description;
  const bool own = step.argument == 2 && array.valid && array.has_device;
  if (step.argument == 2 && !own) return;
  const abi::DLDevice device = own ? array.device : abi::DLDevice{step.argument == 0 ? abi::kDLCPU : kNoDevice, 0};
  life_.sources[from].owner->table()->Stream(device, life_.ledger.tables[from]);
  AskOfStream(from, device);
}

/// Records whether the driver knows the stream that the table returned, and whether the library works on it.
void TableSteps::AskOfStream(int from, abi::DLDevice device) {
  TableLedger& table = life_.ledger.tables[from];
  const LifeState::Source& source = life_.sources[from];
  const bool written = table.calls[static_cast<size_t>(TableFunction::kStream)].out_written != 0;
  if (life_.driver == nullptr || device.device_type != abi::kDLCUDA || !written) return;
  const bool named = IsNamedStream(table.stream);
  if (!named) table.cuda_knows_stream = life_.driver->DeviceOf(table.stream) >= 0 ? Answer::kYes : Answer::kNo;
  if (table.cuda_knows_stream == Answer::kNo) return;
  const int64_t works_on = CudaSteps::WorkStreamOf(source);
  // A default stream has several names, and NULL may be any of them.
  if (works_on < 0 || (named && IsNamedStream(static_cast<uint64_t>(works_on)))) return;
  table.stream_is_own = static_cast<uint64_t>(works_on) == table.stream ? Answer::kYes : Answer::kNo;
}

/// Whether the elements of the allocated tensor overlap its own struct, shape or strides, or another allocation.
/// Checked before anything is written, because that memory may be in use.
bool TableSteps::HasRoom(const Step& step, int from, const ExportLedger& record) {
  constexpr int kOthers = 3;
  TableLedger table = life_.ledger.tables[from];
  Refusal refusal{};
  Subject& owner = *life_.sources[from].owner;
  abi::DLManagedTensorVersioned* others[kOthers];
  const ExportedMemory memory = MemoryOf(record);
  bool apart = LiesApart(memory, memory);
  for (abi::DLManagedTensorVersioned*& other : others) {
    other = AllocateByTable(owner, life_.recipe.request(step.block), Prototype::kGood, table, refusal);
    if (other == nullptr) continue;
    ExportLedger seen{};
    RecordExport(other, true, seen);
    const ExportedMemory its = MemoryOf(seen);
    apart = apart && LiesApart(memory, its) && LiesApart(its, memory);
  }
  for (abi::DLManagedTensorVersioned* const other : others) {
    if (other != nullptr) CallDeleter(other, true);
  }
  return apart;
}

void TableSteps::Allocate(const Step& step) {
  const int slot = step.slot;
  const int from = LifeState::SourceOf(step);
  const auto kind = static_cast<Prototype>(step.argument % static_cast<int>(Prototype::kCount));
  ExportLedger& record = life_.exported(slot);
  if (!HasTable(from) || !exports_.Begin(slot)) return;
  Own(slot, from,
      AllocateByTable(*life_.sources[from].owner, life_.recipe.request(step.block), kind, life_.ledger.tables[from],
                      record.export_call));
  const bool fits = kind == Prototype::kGood && step.block == life_.sources[from].request;
  if (!fits || !life_.HasCapsule(slot) || record.metadata_readable == 0) return;
  const int64_t item = ItemSize(record.tensor.dtype);
  const int64_t count = ElementCount(record.shape, record.tensor.ndim);
  const std::span<const uint8_t> wanted = elements_.ExpectRequest(from);
  const bool typed = record.tensor.dtype == life_.request(from).dtype;
  if (!typed || count * item != static_cast<int64_t>(wanted.size())) return;
  if (!HasRoom(step, from, record)) {
    record.write_export = WriteShown::kNotShown;
    return;
  }
  if (item > kWidestWritten) return;
  record.write_export = WriteAllExported(record, wanted) ? WriteShown::kShown : WriteShown::kNotShown;
  exports_.ReadFirst(slot);
}

}  // namespace dlpack_cts
