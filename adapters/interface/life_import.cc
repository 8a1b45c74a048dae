// adapters/interface/life_import.cc: the steps of a life in which the subject is a consumer.
#include "adapters/interface/life_run.h"

#include <cstring>

#include "adapters/interface/exported_tensor.h"
#include "harness/oracle/narrow.h"
#include "harness/oracle/oracle.h"
#include "harness/recipe/dtypes.h"
#include "harness/recipe/normalize.h"

namespace dlpack_cts {

void LifeRun::Import(int slot, bool bare, int in_place_of) {
  if (slots_[slot].offered) return;
  const Offered offer = in_place_of > 0 && in_place_of <= kSlots && in_place_of - 1 != slot
                            ? forge_.MakeInPlaceOf(recipe_.offer, slot, in_place_of - 1, ledger_)
                            : forge_.Make(recipe_.offer, slot, ledger_);
  slots_[slot].offered = true;
  slots_[slot].bare = bare;
  forge_.SetPhase(slot, 0);
  slots_[slot].array = consumer_.Import(recipe_, slot, offer, bare, ledger_);
  forge_.SetPhase(slot, 1);
  Note(slot, import(slot).import.outcome);
  consumer_.InspectCapsule(slot, ledger_);
}

void LifeRun::ImportAgain(int slot) {
  if (!slots_[slot].offered) return;
  Handle second = consumer_.ImportAgain(recipe_, slot, slots_[slot].bare, ledger_);
  Note(slot, import(slot).again.outcome);
  if (second != nullptr) consumer_.Drop(second);
}

void LifeRun::Describe(int slot) {
  if (slots_[slot].array == nullptr) return;
  Description& result = import(slot).result;
  consumer_.Describe(slots_[slot].array, result);
  if (!result.valid || !result.has_pointer) return;
  import(slot).place = slots_[slot].from_source ? LocateIn(seen().sources[0].description, result.pointer)
                                                : forge_.Locate(slot, result.pointer);
}

/// Expected elements of a slot, in scratch memory. Empty where the offer holds no elements that can be read.
std::span<uint8_t> LifeRun::ExpectOffer(int slot) {
  const int64_t item = ItemSize(recipe_.offer.dtype);
  const int64_t count = ElementCount(recipe_.offer.shape, recipe_.offer.dims);
  if (item <= 0 || count > static_cast<int64_t>(kBuffer) / item) return {};
  const std::span<uint8_t> out(scratch_.wanted.data(), static_cast<size_t>(count * item));
  ExpectedElements(recipe_.offer, slot, out);
  Overlay(slot, item, count, out);
  return out;
}

bool LifeRun::ExpectAs(int slot, std::span<const uint8_t>* wanted, int64_t* item) {
  const Description& result = import(slot).result;
  const abi::DLDataType offered = DtypeOf(slot);
  const std::span<uint8_t> elements = Expect(slot);
  *wanted = elements;
  *item = ItemSize(offered);
  // Over the same memory a narrower type is no conversion, and its bits are the offered ones.
  const bool narrower = result.known_dtype != 0 && IsNarrower(result.dtype, offered) && !import(slot).Aliases();
  if (!narrower) return true;
  if (!NarrowElements(offered, result.dtype, elements)) return false;
  const size_t count = elements.size() / static_cast<size_t>(*item);
  *item = ItemSize(result.dtype);
  *wanted = elements.first(count * static_cast<size_t>(*item));
  return true;
}

void LifeRun::ReadArray(int slot, Handle array, ElementReading& reading) {
  std::span<const uint8_t> wanted;
  int64_t item = 0;
  if (ExpectAs(slot, &wanted, &item)) return ReadValues(consumer_, array, reading, wanted, item);
  reading.reading = Reading::kUnsupported;
}

/// The elements through the described pointer and strides, without asking the library again.
void LifeRun::ReadMemory(int slot) {
  ImportLedger& record = import(slot);
  const Description& result = record.result;
  if (!result.has_shape || !result.has_pointer || result.ndim > kDims) return;
  const int64_t count = ElementCount(result.shape, result.ndim);
  // Without strides nobody knows where the second element lies.
  if (!result.has_strides && count > 1) return;
  std::span<const uint8_t> wanted;
  int64_t item = 0;
  if (!ExpectAs(slot, &wanted, &item)) return;
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

void LifeRun::Read(int slot) {
  if (slots_[slot].array == nullptr) return;
  if (!import(slot).result.valid) Describe(slot);
  import(slot).memory = {};
  import(slot).library = {};
  ReadMemory(slot);
  ReadArray(slot, slots_[slot].array, import(slot).library);
  ledger_.Add(Seen::kRead, slot, static_cast<int32_t>(import(slot).library.reading));
}

void LifeRun::Compute(int slot) {
  if (slots_[slot].array == nullptr) return;
  Handle copy = consumer_.Compute(slots_[slot].array);
  if (copy == nullptr) {
    import(slot).computed.reading = Reading::kUnsupported;
    return;
  }
  ReadArray(slot, copy, import(slot).computed);
  ledger_.Add(Seen::kRead, slot, static_cast<int32_t>(import(slot).computed.reading));
  consumer_.Drop(copy);
}

void LifeRun::WriteSource(int slot, int64_t index) {
  if (slots_[slot].from_source) return WriteShared(slot, index, false);
  const int64_t item = ItemSize(recipe_.offer.dtype);
  if (slots_[slot].array == nullptr || item <= 0 || item > 16 || forge_.Released(slot)) return;
  if (index >= ElementCount(recipe_.offer.shape, recipe_.offer.dims)) return;
  uint8_t before[16] = {};
  uint8_t bits[16];
  forge_.ReadElement(slot, index, before);
  uint64_t salt = 0;
  do {
    forge_.WriteElement(slot, index, ++salt, bits);
  } while (std::memcmp(bits, before, static_cast<size_t>(item)) == 0 && salt < kSalts);
  const int64_t bytes = consumer_.Values(slots_[slot].array, scratch_.got);
  if (bytes < (index + 1) * item) return;
  const bool seen = std::memcmp(scratch_.got.data() + index * item, bits, static_cast<size_t>(item)) == 0;
  import(slot).write_seen = seen ? 1 : 2;
  if (seen) Remember(slot, index, bits, item);
}

void LifeRun::WriteArray(int slot, int64_t index) {
  if (slots_[slot].from_source) return WriteShared(slot, index, true);
  const int64_t item = ItemSize(recipe_.offer.dtype);
  if (slots_[slot].array == nullptr || item <= 0 || item > 16) return;
  if (index >= ElementCount(recipe_.offer.shape, recipe_.offer.dims)) return;
  uint8_t before[16] = {};
  uint8_t bits[16];
  forge_.ReadElement(slot, index, before);
  OtherBits(recipe_.offer.dtype, recipe_.offer.seed, index, before, bits);
  Refusal refusal{};
  forge_.ExpectWrite(slot, index);
  if (!consumer_.Write(slots_[slot].array, index, std::span<const uint8_t>(bits, static_cast<size_t>(item)), refusal)) {
    import(slot).array_write = refusal.outcome == Outcome::kRefused ? 3 : 0;
    return;
  }
  if (forge_.Released(slot)) return;
  uint8_t seen[16];
  forge_.ReadElement(slot, index, seen);
  import(slot).array_write = std::memcmp(seen, bits, static_cast<size_t>(item)) == 0 ? 1 : 2;
  Remember(slot, index, bits, item);
}

void LifeRun::ImportSource(int slot) {
  if (source_ == nullptr || slots_[slot].offered || slots_[slot].array != nullptr) return;
  slots_[slot].from_source = true;
  slots_[slot].array = consumer_.ImportForeign(source_, recipe_, import(slot).import);
  Note(slot, import(slot).import.outcome);
}

/// One side writes an element, the other one is asked for it.
void LifeRun::WriteShared(int slot, int64_t index, bool by_consumer) {
  const int64_t item = ItemSize(recipe_.request.dtype);
  if (slots_[slot].array == nullptr || source_ == nullptr || item <= 0 || item > 16) return;
  if (index >= ElementCount(recipe_.request.shape, recipe_.request.dims)) return;
  const std::span<const uint8_t> wanted = ExpectRequest();
  if (static_cast<int64_t>(wanted.size()) < (index + 1) * item) return;
  uint8_t bits[16];
  OtherBits(recipe_.request.dtype, recipe_.request.seed, index, wanted.data() + index * item, bits);
  const std::span<const uint8_t> element(bits, static_cast<size_t>(item));
  uint8_t& shown = by_consumer ? import(slot).array_write : import(slot).write_seen;
  Subject& writer = by_consumer ? consumer_ : subject_;
  Subject& reader = by_consumer ? subject_ : consumer_;
  Refusal refusal{};
  if (!writer.Write(by_consumer ? slots_[slot].array : source_, index, element, refusal)) {
    shown = by_consumer && refusal.outcome == Outcome::kRefused ? 3 : 0;
    return;
  }
  const int64_t bytes = reader.Values(by_consumer ? source_ : slots_[slot].array, scratch_.got);
  if (bytes < (index + 1) * item) return;
  const bool seen = std::memcmp(scratch_.got.data() + index * item, bits, static_cast<size_t>(item)) == 0;
  shown = seen ? 1 : 2;
  if (seen) Remember(kSource, index, bits, item);
}

void LifeRun::TakeView(int slot) {
  if (slots_[slot].array == nullptr) return;
  Handle view = consumer_.View(slots_[slot].array);
  if (view == nullptr) {
    import(slot).view.reading = Reading::kUnsupported;
    return;
  }
  consumer_.Drop(slots_[slot].array);
  slots_[slot].array = view;
  ledger_.Add(Seen::kDropped, slot);
  ReadArray(slot, view, import(slot).view);
}

void LifeRun::Reexport(int slot, int into) {
  if (slots_[slot].array == nullptr || into < 0 || into >= kSlots || &consumer_ != &subject_) return;
  if (!BeginExport(into)) return;
  subject_.Export(slots_[slot].array, recipe_, into, ledger_);
  slots_[into].out.managed = subject_.ExportedStruct(into);
  Note(into, exported(into).export_call.outcome);
  slots_[into].out.reexported_from = slot + 1;
  ReadExport(into);
  exported(into).first_elements = exported(into).elements;
  LocateExport(into);
}

void LifeRun::DropArray(int slot, bool elsewhere) {
  if (slots_[slot].array == nullptr) return;
  forge_.SetPhase(slot, 2);
  if (elsewhere) {
    consumer_.DropElsewhere(slots_[slot].array);
  } else {
    consumer_.Drop(slots_[slot].array);
  }
  slots_[slot].array = nullptr;
  ledger_.Add(Seen::kDropped, slot);
}

void LifeRun::DropCapsule(int slot) {
  if (!slots_[slot].offered || slots_[slot].capsule_dropped) return;
  slots_[slot].capsule_dropped = true;
  consumer_.InspectCapsule(slot, ledger_);
  consumer_.DropCapsule(slot);
}

void LifeRun::DropProducer(int slot) {
  if (!slots_[slot].offered || slots_[slot].producer_dropped) return;
  slots_[slot].producer_dropped = true;
  consumer_.DropProducer(slot);
}

}  // namespace dlpack_cts
