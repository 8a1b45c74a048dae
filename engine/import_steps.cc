// engine/import_steps.cc: imports the offers of a recipe, and describes, reads, writes and drops the results.
#include "engine/steps.h"

#include <cstring>
#include <utility>

#include "engine/closing.h"
#include "harness/recipe/elements.h"
#include "harness/recipe/packing.h"
#include "subject/exported_tensor.h"

namespace dlpack_cts {
namespace {

/// Whether the array has that element, and its elements have that size. `may` as Elements::BytesToRead() returned it.
bool MayWrite(const Description& told, int64_t may, int64_t index, int64_t item) {
  const bool of_that_size = told.valid == 0 || told.known_dtype == 0 || ItemSize(told.dtype) == item;
  return of_that_size && may >= (index + 1) * item;
}

/// The result of a write that the library refused.
WriteShown NotWritten(const Refusal& refusal) {
  return refusal.outcome == Outcome::kRefused ? WriteShown::kRefused : WriteShown::kNotRun;
}

}  // namespace

void ImportSteps::Import(const Step& step) {
  const int slot = step.slot;
  const int home = OtherSlot(step);
  LifeState::Slot& held = life_.slots[slot];
  if (held.offered) return;
  held.block = step.block;
  const Offer& offer = life_.offer(slot);
  Offered made = home >= 0 && home != slot ? life_.forge.MakeInPlaceOf(offer, slot, home, life_.ledger)
                                           : life_.forge.Make(offer, slot, life_.ledger);
  if (step.context == Context::kPendingWork) cuda_.QueueWorkInExport(slot, made);
  struct Nested {
    ActingDeleters& deleters;
    int slot;
    bool tried = false;
  } nested{deleters_, slot};
  if (offer.gives == Gives::kImportsFirst) {
    made.on_export_of = &nested;
    made.on_export = [](void* of, const Argument&) {
      auto& within = *static_cast<Nested*>(of);
      within.tried = within.deleters.TakeInExport(within.slot) || within.tried;
    };
  }
  held.offered = true;
  held.bare = step.op == Op::kImportCapsule;
  life_.forge.SetPhase(slot, 0);
  Subject& consumer = life_.ConsumerOf(step);
  Importer& importer = consumer.importer();
  held.owner = &consumer;
  Handle array = nullptr;
  lanes_.Call(consumer, step, [&] {
    array = step.op == Op::kImportByTable
                ? importer.ImportByTable(offer, slot, made, life_.ledger)
                : importer.Import(offer, life_.recipe.call(step.call), slot, made, held.bare, life_.ledger);
  });
  held.array = array;
  life_.forge.SetPhase(slot, 1);
  life_.Note(slot, life_.import(slot).import.outcome);
  if (nested.tried && array != nullptr && life_.seen().imports[slot].taken_within == Answer::kUnknown) {
    life_.import(slot).taken_within = Answer::kNo;
  }
  importer.InspectCapsule(slot, life_.ledger);
  cuda_.AskOfStreams(slot);
}

void ImportSteps::Peek(const Step& step) {
  const int slot = step.slot;
  LifeState::Slot& held = life_.slots[slot];
  if (held.offered) return;
  held.block = step.block;
  const Offer& offer = life_.offer(slot);
  const Offered made = life_.forge.Make(offer, slot, life_.ledger);
  held.offered = true;
  Subject& consumer = life_.ConsumerOf(step);
  held.owner = &consumer;
  life_.forge.SetPhase(slot, 0);
  lanes_.Call(consumer, step, [&] { consumer.importer().Peek(offer, slot, made, life_.ledger); });
  life_.forge.SetPhase(slot, 2);
  ImportLedger& record = life_.import(slot);
  life_.Note(slot, record.import.outcome);
  if (record.result.valid && record.result.has_pointer) {
    record.place = life_.forge.Locate(slot, record.result.pointer);
  }
}

void ImportSteps::ImportAgain(const Step& step) {
  const int slot = step.slot;
  const LifeState::Slot& held = life_.slots[slot];
  if (!held.offered) return;
  Subject& consumer = *held.owner;
  Handle second = nullptr;
  lanes_.Call(consumer, step, [&] {
    second = consumer.importer().ImportAgain(life_.recipe.call(step.call), slot, held.bare, life_.ledger);
  });
  life_.Note(slot, life_.import(slot).again.outcome);
  if (second != nullptr) consumer.Drop(second);
}

void ImportSteps::ImportSource(const Step& step) {
  const int slot = step.slot;
  const int from = LifeState::SourceOf(step);
  const LifeState::Source& source = life_.sources[from];
  LifeState::Slot& held = life_.slots[slot];
  if (source.array == nullptr || held.offered || held.array != nullptr) return;
  Subject& consumer = life_.ConsumerOf(step);
  held.owner = &consumer;
  held.from_source = true;
  held.source = from;
  Refusal& answer = life_.import(slot).import;
  Handle array = nullptr;
  lanes_.Call(consumer, step, [&] {
    array = consumer.importer().ImportForeign(source.array, life_.request(from), life_.recipe.call(step.call), answer);
  });
  held.array = array;
  life_.Note(slot, answer.outcome);
}

void ImportSteps::Describe(int slot) {
  const LifeState::Slot& held = life_.slots[slot];
  if (held.array == nullptr) return;
  Description& result = life_.import(slot).result;
  held.owner->Describe(held.array, result);
  if (StandsIn(slot) && result.valid) result.device = life_.offer(slot).device;
  if (!result.valid || !result.has_pointer) return;
  life_.import(slot).place = held.from_source ? LocateIn(life_.seen().sources[held.source].description, result.pointer)
                                              : life_.forge.Locate(slot, result.pointer);
}

void ImportSteps::AskDevice(int slot) {
  const LifeState::Slot& held = life_.slots[slot];
  if (held.array == nullptr) return;
  held.owner->exporter().AskDevice(held.array, life_.ledger.sources[slot]);
  if (StandsIn(slot)) life_.ledger.sources[slot].device = life_.offer(slot).device;
}

/// The reference says "CPU" of host memory that stands for a device. In the ledger it is that device.
bool ImportSteps::StandsIn(int slot) const {
  return life_.forge.StandsIn() && life_.forge.IsOnDevice(slot) && !life_.slots[slot].from_source;
}

bool ImportSteps::Known(int slot) {
  if (life_.slots[slot].array == nullptr) return false;
  if (!life_.import(slot).result.valid) Describe(slot);
  return true;
}

void ImportSteps::ReadMemory(int slot) {
  ImportLedger& record = life_.import(slot);
  const LifeState::Slot& held = life_.slots[slot];
  const Description& result = record.result;
  if (!result.has_shape || !result.has_pointer || result.ndim > kDims || elements_.BytesToRead(slot) < 0) return;
  // Of a closed array only the library's own conversion is read: another thread may release the memory meanwhile.
  if (held.closed) return;
  // The bit position of such elements is unknown, and strides in bytes do not give it.
  if (IsSubByte(life_.DtypeOf(slot)) || (result.known_dtype != 0 && IsSubByte(result.dtype))) return;
  const int64_t count = ElementCount(result.shape, result.ndim);
  // Without strides the position of the second element is unknown.
  if (!result.has_strides && count > 1) return;
  std::span<const uint8_t> wanted;
  int64_t item = 0;
  if (!elements_.ExpectAs(slot, &wanted, &item)) return;
  if (held.written) {
    Description now{};
    held.owner->Describe(held.array, now);
    if (now.pointer != result.pointer) return;
  }
  const int64_t none[kDims] = {};
  record.memory.reading = ReadStrided(result.pointer, result.shape, result.has_strides ? result.byte_strides : none,
                                      result.ndim, item, life_.scratch.got);
  if (record.memory.reading == Reading::kMatches) elements_.Compare(count * item, wanted, item, record.memory);
}

void ImportSteps::Read(const Step& step) {
  const int slot = step.slot;
  if (!Known(slot)) return;
  if (elements_.IsOnDevice(slot) && !life_.forge.StandsIn()) return cuda_.Fetch(step);
  ImportLedger& record = life_.import(slot);
  record.memory = {};
  record.library = {};
  // A library that works asynchronously finishes before it converts the array. Its memory is read only after that.
  elements_.ReadArray(slot, life_.slots[slot].array, elements_.BytesToRead(slot), record.library);
  ReadMemory(slot);
  life_.ledger.Add(Seen::kRead, slot, static_cast<int32_t>(record.library.reading));
}

void ImportSteps::Compute(int slot) {
  if (!Known(slot)) return;
  Subject& owner = *life_.slots[slot].owner;
  ElementReading& computed = life_.import(slot).computed;
  Handle copy = nullptr;
  if (elements_.BytesToRead(slot) > 0) copy = owner.Derive(Hook::kCompute, life_.slots[slot].array);
  if (copy == nullptr) {
    computed.reading = Reading::kUnsupported;
    return;
  }
  elements_.ReadArray(slot, copy, elements_.BytesIn(slot, owner, copy), computed);
  life_.ledger.Add(Seen::kRead, slot, static_cast<int32_t>(computed.reading));
  owner.Drop(copy);
}

void ImportSteps::WriteSource(const Step& step) {
  const int slot = step.slot;
  const int64_t index = step.argument;
  const LifeState::Slot& held = life_.slots[slot];
  if (held.from_source) return WriteShared(slot, index, false);
  const Offer& offer = life_.offer(slot);
  const int64_t item = ItemSize(offer.dtype);
  if (held.array == nullptr || item <= 0 || item > kWidestWritten || life_.forge.Released(slot) || !Known(slot)) return;
  if (elements_.BytesToRead(slot) <= 0 || index >= ElementCount(offer.shape, offer.dims)) return;
  uint8_t before[kWidestWritten] = {};
  uint8_t written[kWidestWritten];
  const std::span<const uint8_t> bits(written, static_cast<size_t>(item));
  life_.forge.ReadElement(slot, index, before);
  uint64_t salt = 0;
  do {
    life_.forge.WriteElement(slot, index, ++salt, written);
  } while (std::memcmp(written, before, bits.size()) == 0 && salt < kSalts);
  const WriteShown shown = elements_.Shows(slot, *held.owner, held.array, elements_.BytesToRead(slot), index, bits);
  ImportLedger& record = life_.import(slot);
  if (shown != WriteShown::kNotRun) record.write_source = shown;
  if (shown == WriteShown::kShown) elements_.Remember(slot, index, bits);
  // If the array shares the memory, but still shows the old value, the library returns values that it read before.
  if (shown == WriteShown::kNotRun || (shown == WriteShown::kNotShown && record.Aliases()))
    elements_.ForgetElements(slot);
}

void ImportSteps::WriteArray(const Step& step) {
  const int slot = step.slot;
  const int64_t index = step.argument;
  LifeState::Slot& held = life_.slots[slot];
  if (held.from_source) return WriteShared(slot, index, true);
  const Offer& offer = life_.offer(slot);
  const int64_t item = ItemSize(offer.dtype);
  if (held.array == nullptr || item <= 0 || item > kWidestWritten || !Known(slot)) return;
  ImportLedger& record = life_.import(slot);
  if (!MayWrite(record.result, elements_.BytesToRead(slot), index, item)) return;
  if (index >= ElementCount(offer.shape, offer.dims)) return;
  // Vectors may have become a trailing dimension: then an index counts lanes.
  if (offer.dtype.lanes != 1) return;
  // The result of a write to a position that elements share is not specified.
  if (SharesItsPlace(offer, index)) return;
  uint8_t before[kWidestWritten] = {};
  uint8_t written[kWidestWritten];
  const std::span<const uint8_t> bits(written, static_cast<size_t>(item));
  life_.forge.ReadElement(slot, index, before);
  OtherBits(offer.dtype, offer.seed, index, before, written);
  Refusal refusal{};
  held.written = true;
  life_.forge.ExpectWrite(slot, index);
  if (!held.owner->Write(held.array, index, bits, refusal)) {
    record.write_array = NotWritten(refusal);
    return;
  }
  elements_.Remember(slot, index, bits);
  bool shared = false;
  if (!life_.forge.Released(slot)) {
    life_.forge.ReadElement(slot, index, before);
    shared = std::memcmp(before, written, bits.size()) == 0;
    record.write_array = shared ? WriteShown::kShown : WriteShown::kNotShown;
  }
  // A copy may store elements separately that share a position in the offer.
  if (!shared && offer.strides_kind == StridesKind::kExplicit) elements_.ForgetElements(slot);
}

void ImportSteps::WriteShared(int slot, int64_t index, bool by_consumer) {
  LifeState::Slot& held = life_.slots[slot];
  const int from = held.source;
  const LifeState::Source& source = life_.sources[from];
  const Request& made = life_.request(from);
  const int64_t item = ItemSize(made.dtype);
  if (held.array == nullptr || source.array == nullptr || item <= 0 || item > kWidestWritten) return;
  // After an in-place change the order of the elements is unknown, as for an export.
  if (source.changed || !Known(slot)) return;
  ImportLedger& record = life_.import(slot);
  const Description& described = by_consumer ? record.result : life_.seen().sources[from].description;
  const int64_t may = by_consumer ? elements_.BytesToRead(slot) : elements_.SourceBytes(from);
  if (!MayWrite(described, may, index, item)) return;
  if (index >= ElementCount(made.shape, made.dims)) return;
  const std::span<const uint8_t> wanted = elements_.ExpectRequest(from);
  if (static_cast<int64_t>(wanted.size()) < (index + 1) * item) return;
  uint8_t written[kWidestWritten];
  const std::span<const uint8_t> bits(written, static_cast<size_t>(item));
  OtherBits(made.dtype, made.seed, index, wanted.data() + index * item, written);
  WriteShown& shown = by_consumer ? record.write_array : record.write_source;
  Refusal refusal{};
  held.written = held.written || by_consumer;
  Subject& writer = by_consumer ? *held.owner : *source.owner;
  if (!writer.Write(by_consumer ? held.array : source.array, index, bits, refusal)) {
    shown = by_consumer ? NotWritten(refusal) : WriteShown::kNotRun;
    return;
  }
  const WriteShown seen =
      by_consumer
          ? elements_.Shows(OfSource(from), *source.owner, source.array, elements_.SourceBytes(from), index, bits)
          : elements_.Shows(slot, *held.owner, held.array, elements_.BytesToRead(slot), index, bits);
  if (seen != WriteShown::kNotRun) shown = seen;
  if (seen == WriteShown::kShown) {
    elements_.Remember(OfSource(from), index, bits);
  } else {
    elements_.ForgetElements(by_consumer ? slot : OfSource(from));
  }
}

void ImportSteps::TakeView(int slot) {
  LifeState::Slot& held = life_.slots[slot];
  if (held.array == nullptr) return;
  Subject& owner = *held.owner;
  ElementReading& reading = life_.import(slot).view;
  Handle view = owner.Derive(Hook::kView, held.array);
  if (view == nullptr) {
    reading.reading = Reading::kUnsupported;
    return;
  }
  Known(slot);
  owner.Drop(held.array);
  held.array = view;
  held.view = true;
  life_.ledger.Add(Seen::kDropped, slot);
  elements_.ReadArray(slot, view, elements_.BytesToRead(slot), reading);
}

void ImportSteps::Reexport(const Step& step) {
  const int slot = step.slot;
  const int into = OtherSlot(step);
  const LifeState::Slot& held = life_.slots[slot];
  if (held.array == nullptr || into < 0) return;
  lanes_.Await(into);
  if (!exports_.Begin(into)) return;
  Exporter& exporter = held.owner->exporter();
  LifeState::Exported& out = life_.slots[into].out;
  out.owner = held.owner;
  lanes_.Call(*held.owner, step,
              [&] { exporter.Export(held.array, life_.recipe.call(step.call), into, life_.ledger); });
  out.managed = exporter.ExportedStruct(into);
  life_.Note(into, life_.exported(into).export_call.outcome);
  out.reexported_from = slot + 1;
  if (StandsIn(slot) && life_.seen().exports[into].struct_address != 0)
    life_.exported(into).tensor.device = life_.offer(slot).device;
  exports_.ReadFirst(into);
  exports_.Locate(into);
}

void ImportSteps::CloseArray(const Step& step) {
  const int slot = step.slot;
  LifeState::Slot& held = life_.slots[slot];
  if (held.array == nullptr) return;
  // From now on the library may release the tensor, also where views raise instead of keeping it.
  life_.forge.SetPhase(slot, 2);
  const Closing how = ClosingOf(step);
  const Outcome closed =
      Close(*held.owner, how, held.array, [&](const auto& work) { lanes_.Call(*held.owner, step, work); });
  life_.import(slot).closed = closed;
  if (closed != Outcome::kAccepted) life_.forge.SetPhase(slot, 1);
  held.closed = closed == Outcome::kAccepted && how == Closing::kAlone;
  held.view = held.view || how == Closing::kKeepsView;
  life_.ledger.Add(Seen::kDropped, slot);
}

void ImportSteps::DropArray(const Step& step) {
  const int slot = step.slot;
  Handle array = std::exchange(life_.slots[slot].array, nullptr);
  if (array == nullptr) return;
  life_.forge.SetPhase(slot, 2);
  Subject& owner = *life_.slots[slot].owner;
  lanes_.Call(owner, step, [&] { owner.Drop(array); });
  life_.ledger.Add(Seen::kDropped, slot);
}

void ImportSteps::DropCapsule(const Step& step) {
  const int slot = step.slot;
  LifeState::Slot& held = life_.slots[slot];
  if (!held.offered || held.capsule_dropped) return;
  held.capsule_dropped = true;
  Importer& importer = held.owner->importer();
  importer.InspectCapsule(slot, life_.ledger);
  lanes_.Call(*held.owner, step, [&] { importer.DropCapsule(slot); });
}

void ImportSteps::DropProducer(const Step& step) {
  const int slot = step.slot;
  LifeState::Slot& held = life_.slots[slot];
  if (!held.offered || held.producer_dropped) return;
  held.producer_dropped = true;
  lanes_.Call(*held.owner, step, [&] { held.owner->importer().DropProducer(slot); });
}

}  // namespace dlpack_cts
