// adapters/interface/life_import.cc: the steps of a life in which the subject is a consumer.
#include "adapters/interface/life_run.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "adapters/interface/exported_tensor.h"
#include "harness/oracle/narrow.h"
#include "harness/oracle/oracle.h"
#include "harness/recipe/dtypes.h"
#include "harness/recipe/normalize.h"
#include "harness/recipe/packing.h"

namespace dlpack_cts {
namespace {

/// The array has that element, and its elements are of that size. `may` as LifeRun::BytesToRead() gave it.
bool MayWrite(const Description& told, int64_t may, int64_t index, int64_t item) {
  const bool of_that_size = told.valid == 0 || told.known_dtype == 0 || ItemSize(told.dtype) == item;
  return of_that_size && may >= (index + 1) * item;
}

/// The array has each lane of vectors of less than a byte as an element of its own.
bool SplitsLanes(abi::DLDataType offered, const Description& result, std::span<const uint8_t> elements) {
  if (!HasPackedLanes(offered) || result.known_dtype == 0 || result.has_shape == 0 || result.ndim > kDims) return false;
  const auto vectors = static_cast<int64_t>(elements.size()) / ItemSize(offered);
  return result.dtype == abi::DLDataType{offered.code, offered.bits, 1} &&
         ElementCount(result.shape, result.ndim) == vectors * offered.lanes;
}

}  // namespace

void LifeRun::Import(const Step& step) {
  const int slot = step.slot;
  const int home = OtherSlot(step);
  const bool bare = step.op == Op::kImportCapsule;
  if (slots_[slot].offered) return;
  slots_[slot].block = step.block;
  PlaceOnDevice(slot);
  const Offered made = home >= 0 && home != slot ? forge_.MakeInPlaceOf(offer(slot), slot, home, ledger_)
                                                 : forge_.Make(offer(slot), slot, ledger_);
  slots_[slot].offered = true;
  slots_[slot].bare = bare;
  forge_.SetPhase(slot, 0);
  Subject& consumer = ConsumerOf(step);
  slots_[slot].owner = &consumer;
  Handle array = nullptr;
  Call(consumer, step,
       [&] { array = consumer.importer().Import(offer(slot), recipe_.call(step.call), slot, made, bare, ledger_); });
  slots_[slot].array = array;
  forge_.SetPhase(slot, 1);
  Note(slot, import(slot).import.outcome);
  consumer.importer().InspectCapsule(slot, ledger_);
  AskDriverOfStreams(slot);
}

void LifeRun::ImportAgain(const Step& step) {
  const int slot = step.slot;
  if (!slots_[slot].offered) return;
  Subject& consumer = *slots_[slot].owner;
  Handle second = nullptr;
  Call(consumer, step,
       [&] { second = consumer.importer().ImportAgain(recipe_.call(step.call), slot, slots_[slot].bare, ledger_); });
  Note(slot, import(slot).again.outcome);
  if (second != nullptr) consumer.Drop(second);
}

void LifeRun::Describe(int slot) {
  if (slots_[slot].array == nullptr) return;
  Description& result = import(slot).result;
  slots_[slot].owner->Describe(slots_[slot].array, result);
  if (!result.valid || !result.has_pointer) return;
  import(slot).place = slots_[slot].from_source
                           ? LocateIn(seen().sources[slots_[slot].source].description, result.pointer)
                           : forge_.Locate(slot, result.pointer);
}

/// Expected elements of a slot, in scratch memory. Empty where the offer holds no elements that can be read.
std::span<uint8_t> LifeRun::ExpectOffer(int slot) {
  const int64_t item = ItemSize(offer(slot).dtype);
  const int64_t count = ElementCount(offer(slot).shape, offer(slot).dims);
  if (item <= 0 || count > static_cast<int64_t>(scratch_.wanted.size()) / item) return {};
  const std::span<uint8_t> out(scratch_.wanted.data(), static_cast<size_t>(count * item));
  ExpectedElements(offer(slot), slot, out);
  Overlay(slot, offer(slot), item, out);
  return out;
}

bool LifeRun::ExpectAs(int slot, std::span<const uint8_t>* wanted, int64_t* item) {
  if (slots_[slot].muddled) return false;
  const Description& result = import(slot).result;
  const abi::DLDataType offered = DtypeOf(slot);
  const std::span<uint8_t> elements = Expect(slot);
  *wanted = elements;
  *item = ItemSize(offered);
  if (SplitsLanes(offered, result, elements)) {
    const std::vector<uint8_t> vectors(elements.begin(), elements.end());
    const size_t lanes = vectors.size() / static_cast<size_t>(*item) * offered.lanes;
    if (lanes > scratch_.wanted.size()) return false;
    SplitLanes(offered, vectors, std::span(scratch_.wanted).first(lanes));
    *wanted = std::span(scratch_.wanted).first(lanes);
    *item = 1;
    return true;
  }
  // If the array shares the memory, a narrower type is not a conversion, and the bits are the offered ones.
  const bool narrower = result.known_dtype != 0 && IsNarrower(result.dtype, offered) && !import(slot).Aliases();
  if (!narrower) return true;
  if (!NarrowElements(offered, result.dtype, elements)) return false;
  const size_t count = elements.size() / static_cast<size_t>(*item);
  *item = ItemSize(result.dtype);
  *wanted = elements.first(count * static_cast<size_t>(*item));
  return true;
}

void LifeRun::ReadArray(int slot, Handle array, int64_t may, ElementReading& reading) {
  std::span<const uint8_t> wanted;
  int64_t item = 0;
  if (ExpectAs(slot, &wanted, &item)) {
    return ReadValues(*slots_[slot].owner, array, may, reading, wanted, item);
  }
  reading.reading = Reading::kUnsupported;
}

/// The elements through the described pointer and strides, without asking the library again.
void LifeRun::ReadMemory(int slot) {
  ImportLedger& record = import(slot);
  const Description& result = record.result;
  if (!result.has_shape || !result.has_pointer || result.ndim > kDims || BytesToRead(slot) < 0) return;
  // The bit position of such elements is unknown, and strides in bytes do not give it.
  if (IsSubByte(DtypeOf(slot)) || (result.known_dtype != 0 && IsSubByte(result.dtype))) return;
  const int64_t count = ElementCount(result.shape, result.ndim);
  // Without strides the place of the second element is unknown.
  if (!result.has_strides && count > 1) return;
  std::span<const uint8_t> wanted;
  int64_t item = 0;
  if (!ExpectAs(slot, &wanted, &item)) return;
  if (slots_[slot].written) {
    Description now{};
    slots_[slot].owner->Describe(slots_[slot].array, now);
    if (now.pointer != result.pointer) return;
  }
  const int64_t none[kDims] = {};
  record.memory.reading = ReadStrided(result.pointer, result.shape, result.has_strides ? result.byte_strides : none,
                                      result.ndim, item, scratch_.got);
  if (record.memory.reading != Reading::kMatches) return;
  if (count * item != static_cast<int64_t>(wanted.size())) {
    record.memory.reading = Reading::kWrongCount;
    record.memory.wanted_bits = wanted.size();
    record.memory.got_bits = static_cast<uint64_t>(count * item);
    return;
  }
  CompareElements(wanted.data(), scratch_.got.data(), count, item, record.memory);
}

void LifeRun::Read(const Step& step) {
  const int slot = step.slot;
  if (slots_[slot].array == nullptr) return;
  if (!import(slot).result.valid) Describe(slot);
  if (LiesOnDevice(slot)) return Fetch(step);
  import(slot).memory = {};
  import(slot).library = {};
  // Who still works on the array waits for that where it converts it, and its memory holds the elements behind that.
  ReadArray(slot, slots_[slot].array, BytesToRead(slot), import(slot).library);
  ReadMemory(slot);
  ledger_.Add(Seen::kRead, slot, static_cast<int32_t>(import(slot).library.reading));
}

void LifeRun::Compute(int slot) {
  if (slots_[slot].array == nullptr) return;
  if (!import(slot).result.valid) Describe(slot);
  Subject& owner = *slots_[slot].owner;
  Handle copy = BytesToRead(slot) > 0 ? owner.Derive(Hook::kCompute, slots_[slot].array) : nullptr;
  if (copy == nullptr) {
    import(slot).computed.reading = Reading::kUnsupported;
    return;
  }
  ReadArray(slot, copy, BytesOf(owner, copy, MeantBy(slot)), import(slot).computed);
  ledger_.Add(Seen::kRead, slot, static_cast<int32_t>(import(slot).computed.reading));
  owner.Drop(copy);
}

void LifeRun::WriteSource(int slot, int64_t index) {
  if (slots_[slot].from_source) return WriteShared(slot, index, false);
  const int64_t item = ItemSize(offer(slot).dtype);
  if (slots_[slot].array == nullptr || item <= 0 || item > 16 || forge_.Released(slot)) return;
  if (!import(slot).result.valid) Describe(slot);
  if (BytesToRead(slot) <= 0) return;
  if (index >= ElementCount(offer(slot).shape, offer(slot).dims)) return;
  uint8_t before[16] = {};
  uint8_t bits[16];
  forge_.ReadElement(slot, index, before);
  uint64_t salt = 0;
  do {
    forge_.WriteElement(slot, index, ++salt, bits);
  } while (std::memcmp(bits, before, static_cast<size_t>(item)) == 0 && salt < kSalts);
  const WriteShown shown = Shows(*slots_[slot].owner, slots_[slot].array, BytesToRead(slot), index,
                                 std::span<const uint8_t>(bits, static_cast<size_t>(item)));
  if (shown != WriteShown::kNotRun) import(slot).write_source = shown;
  if (shown == WriteShown::kShown) Remember(slot, index, bits, item);
  // Who shares the memory and shows what it was keeps what it read before.
  if (shown == WriteShown::kNotRun || (shown == WriteShown::kNotShown && import(slot).Aliases())) Muddle(slot);
}

void LifeRun::WriteArray(int slot, int64_t index) {
  if (slots_[slot].from_source) return WriteShared(slot, index, true);
  const int64_t item = ItemSize(offer(slot).dtype);
  if (slots_[slot].array == nullptr || item <= 0 || item > 16) return;
  if (!import(slot).result.valid) Describe(slot);
  if (!MayWrite(import(slot).result, BytesToRead(slot), index, item)) return;
  if (index >= ElementCount(offer(slot).shape, offer(slot).dims)) return;
  // Vectors may have become a trailing dimension: then an index counts scalars.
  if (offer(slot).dtype.lanes != 1) return;
  // What a write through a place that elements share does is left open.
  if (SharesItsPlace(offer(slot), index)) return;
  uint8_t before[16] = {};
  uint8_t bits[16];
  forge_.ReadElement(slot, index, before);
  OtherBits(offer(slot).dtype, offer(slot).seed, index, before, bits);
  Refusal refusal{};
  slots_[slot].written = true;
  forge_.ExpectWrite(slot, index);
  if (!slots_[slot].owner->Write(slots_[slot].array, index, std::span<const uint8_t>(bits, static_cast<size_t>(item)),
                                 refusal)) {
    import(slot).write_array = refusal.outcome == Outcome::kRefused ? WriteShown::kRefused : WriteShown::kNotRun;
    return;
  }
  Remember(slot, index, bits, item);
  bool shared = false;
  if (!forge_.Released(slot)) {
    uint8_t seen[16];
    forge_.ReadElement(slot, index, seen);
    shared = std::memcmp(seen, bits, static_cast<size_t>(item)) == 0;
    import(slot).write_array = shared ? WriteShown::kShown : WriteShown::kNotShown;
  }
  // A copy of elements that share their place may hold each of them apart.
  if (!shared && offer(slot).strides_kind == StridesKind::kExplicit) Muddle(slot);
}

void LifeRun::ImportSource(const Step& step) {
  const int slot = step.slot;
  const int from = SourceOf(step);
  Source& source = sources_[from];
  if (source.array == nullptr || slots_[slot].offered || slots_[slot].array != nullptr) return;
  Subject& consumer = ConsumerOf(step);
  slots_[slot].owner = &consumer;
  slots_[slot].from_source = true;
  slots_[slot].source = from;
  Handle array = nullptr;
  Call(consumer, step, [&] {
    array =
        consumer.importer().ImportForeign(source.array, request(from), recipe_.call(step.call), import(slot).import);
  });
  slots_[slot].array = array;
  Note(slot, import(slot).import.outcome);
}

/// One side writes an element, the other one is asked for it.
void LifeRun::WriteShared(int slot, int64_t index, bool by_consumer) {
  const int from = slots_[slot].source;
  const Source& source = sources_[from];
  const Request& made = request(from);
  const int64_t item = ItemSize(made.dtype);
  if (slots_[slot].array == nullptr || source.array == nullptr || item <= 0 || item > 16) return;
  // As of an export: in which order the two have their elements is not known.
  if (source.changed) return;
  if (!import(slot).result.valid) Describe(slot);
  const Description& written = by_consumer ? import(slot).result : seen().sources[from].description;
  if (!MayWrite(written, by_consumer ? BytesToRead(slot) : SourceBytes(from), index, item)) return;
  if (index >= ElementCount(made.shape, made.dims)) return;
  const std::span<const uint8_t> wanted = ExpectRequest(from);
  if (static_cast<int64_t>(wanted.size()) < (index + 1) * item) return;
  uint8_t bits[16];
  OtherBits(made.dtype, made.seed, index, wanted.data() + index * item, bits);
  const std::span<const uint8_t> element(bits, static_cast<size_t>(item));
  WriteShown& shown = by_consumer ? import(slot).write_array : import(slot).write_source;
  Subject& writer = by_consumer ? *slots_[slot].owner : *source.owner;
  Subject& reader = by_consumer ? *source.owner : *slots_[slot].owner;
  Refusal refusal{};
  slots_[slot].written = slots_[slot].written || by_consumer;
  if (!writer.Write(by_consumer ? slots_[slot].array : source.array, index, element, refusal)) {
    shown = by_consumer && refusal.outcome == Outcome::kRefused ? WriteShown::kRefused : WriteShown::kNotRun;
    return;
  }
  const WriteShown seen = by_consumer ? Shows(reader, source.array, SourceBytes(from), index, element)
                                      : Shows(reader, slots_[slot].array, BytesToRead(slot), index, element);
  if (seen != WriteShown::kNotRun) shown = seen;
  if (seen == WriteShown::kShown) {
    Remember(OfSource(from), index, bits, item);
  } else {
    Muddle(by_consumer ? slot : OfSource(from));
  }
}

void LifeRun::TakeView(int slot) {
  if (slots_[slot].array == nullptr) return;
  Subject& owner = *slots_[slot].owner;
  Handle view = owner.Derive(Hook::kView, slots_[slot].array);
  if (view == nullptr) {
    import(slot).view.reading = Reading::kUnsupported;
    return;
  }
  if (!import(slot).result.valid) Describe(slot);
  owner.Drop(slots_[slot].array);
  slots_[slot].array = view;
  slots_[slot].view = true;
  ledger_.Add(Seen::kDropped, slot);
  ReadArray(slot, view, BytesToRead(slot), import(slot).view);
}

void LifeRun::Reexport(const Step& step) {
  const int slot = step.slot;
  const int into = OtherSlot(step);
  if (slots_[slot].array == nullptr || into < 0) return;
  Await(into);
  if (!BeginExport(into)) return;
  Subject& owner = *slots_[slot].owner;
  slots_[into].out.owner = &owner;
  Call(owner, step, [&] { owner.exporter().Export(slots_[slot].array, recipe_.call(step.call), into, ledger_); });
  slots_[into].out.managed = owner.exporter().ExportedStruct(into);
  Note(into, exported(into).export_call.outcome);
  slots_[into].out.reexported_from = slot + 1;
  ReadExport(into);
  exported(into).first_elements = exported(into).elements;
  LocateExport(into);
}

void LifeRun::DropArray(const Step& step) {
  const int slot = step.slot;
  Handle array = std::exchange(slots_[slot].array, nullptr);
  if (array == nullptr) return;
  forge_.SetPhase(slot, 2);
  Subject& owner = *slots_[slot].owner;
  Call(owner, step, [&] { owner.Drop(array); });
  ledger_.Add(Seen::kDropped, slot);
}

void LifeRun::DropCapsule(const Step& step) {
  const int slot = step.slot;
  if (!slots_[slot].offered || slots_[slot].capsule_dropped) return;
  slots_[slot].capsule_dropped = true;
  Subject& owner = *slots_[slot].owner;
  owner.importer().InspectCapsule(slot, ledger_);
  Call(owner, step, [&] { owner.importer().DropCapsule(slot); });
}

void LifeRun::DropProducer(const Step& step) {
  const int slot = step.slot;
  if (!slots_[slot].offered || slots_[slot].producer_dropped) return;
  slots_[slot].producer_dropped = true;
  Subject& owner = *slots_[slot].owner;
  Call(owner, step, [&] { owner.importer().DropProducer(slot); });
}

}  // namespace dlpack_cts
