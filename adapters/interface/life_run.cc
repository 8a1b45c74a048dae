// adapters/interface/life_run.cc: interprets a recipe's life step by step, and drops what is left of it.
#include "adapters/interface/life_run.h"

#include <algorithm>
#include <cstring>

#include "harness/forge/thread.h"
#include "harness/oracle/oracle.h"

namespace dlpack_cts {

namespace {

constexpr int kCollections = 3;
constexpr int32_t kNoDevice = 77;  // a device type that nobody defined
uint64_t LowBits(const uint8_t* bytes, int64_t item_size) {
  uint64_t bits = 0;
  std::memcpy(&bits, bytes, static_cast<size_t>(std::min<int64_t>(item_size, 8)));
  return bits;
}

/// True when the array has elements, and the byte lies between the first and the last of them.
bool ReachesOffset(const Description& array, int64_t offset) {
  const int64_t item = array.known_dtype ? ItemSize(array.dtype) : 0;
  if (item <= 0 || array.ndim < 0 || array.ndim > kDims) return false;
  int64_t compact[kDims];
  CompactStrides(array.shape, array.ndim, compact);
  int64_t lowest = 0;
  int64_t end = item;
  for (int d = 0; d < array.ndim; ++d) {
    int64_t stride = 0;
    int64_t distance = 0;
    if (array.shape[d] <= 0 || __builtin_mul_overflow(compact[d], item, &stride)) return false;
    if (array.has_strides) stride = array.byte_strides[d];
    if (__builtin_mul_overflow(stride, array.shape[d] - 1, &distance)) return false;
    int64_t& side = distance < 0 ? lowest : end;
    if (__builtin_add_overflow(side, distance, &side)) return false;
  }
  return offset >= lowest && offset < end;
}

}  // namespace

void CompareElements(const uint8_t* wanted, const uint8_t* got, int64_t elements, int64_t item_size,
                     ElementReading& reading) {
  const auto bytes = static_cast<size_t>(elements * item_size);
  if (std::memcmp(wanted, got, bytes) == 0) {
    reading.reading = Reading::kMatches;
    return;
  }
  reading.reading = Reading::kDiffers;
  for (int64_t i = 0; i < elements; ++i) {
    if (std::memcmp(wanted + i * item_size, got + i * item_size, static_cast<size_t>(item_size)) != 0) {
      reading.first_difference = i;
      reading.wanted_bits = LowBits(wanted + i * item_size, item_size);
      reading.got_bits = LowBits(got + i * item_size, item_size);
      return;
    }
  }
}

void OtherBits(abi::DLDataType dtype, uint64_t seed, int64_t index, const uint8_t* before, uint8_t* bits) {
  for (uint64_t salt = 1; salt <= kSalts; ++salt) {
    ElementBits(dtype, seed + salt, index, bits);
    if (std::memcmp(bits, before, static_cast<size_t>(ItemSize(dtype))) != 0) return;
  }
}

Location LocateIn(const Description& array, uint64_t address) {
  Location found{};
  if (!array.valid || !array.has_pointer) return found;
  found.area = Area::kData;
  found.offset = static_cast<int64_t>(address - array.pointer);
  if (found.offset == 0 || ReachesOffset(array, found.offset)) return found;
  found.area = address == 0 ? Area::kNull : Area::kElsewhere;
  found.offset = 0;
  return found;
}

void LifeRun::Run() {
  const ThreadMark mark(0);
  if (recipe_.offer.seal_on_delete) forge_.SealOnDelete(true);
  for (int i = 0; i < kSteps && recipe_.life[i].op != Op::kEnd; ++i) {
    ledger_.BeginStep(i);
    const Step& step = recipe_.life[i];
    ledger_.Add(Seen::kStep, step.slot, static_cast<int32_t>(step.op), step.argument);
    Take(step);
  }
  ledger_.BeginStep(kSteps);
  DropEverything();
}

void LifeRun::Take(const Step& step) {
  const int slot = step.slot;
  switch (step.op) {
    case Op::kImport:
    case Op::kImportCapsule:
      return Import(slot, step.op == Op::kImportCapsule, step.argument);
    case Op::kImportAgain:
      return ImportAgain(slot);
    case Op::kDescribe:
      return Describe(slot);
    case Op::kRead:
      return Read(slot);
    case Op::kCompute:
      return Compute(slot);
    case Op::kWriteSource:
      return WriteSource(slot, step.argument);
    case Op::kWriteArray:
      return WriteArray(slot, step.argument);
    case Op::kTakeView:
      return TakeView(slot);
    case Op::kReexport:
      return Reexport(slot, step.argument);
    case Op::kDropArray:
      return DropArray(slot, false);
    case Op::kDropElsewhere:
      return DropArray(slot, true);
    case Op::kDropCapsule:
      return DropCapsule(slot);
    case Op::kDropProducer:
      return DropProducer(slot);
    case Op::kCollect:
      return Collect();
    case Op::kMake:
      return Make();
    case Op::kExport:
      return Export(slot, step.argument == 1);
    case Op::kAskDevice:
      if (source_ != nullptr) subject_.AskDevice(source_, ledger_);
      return;
    case Op::kInspect:
      return Inspect(slot);
    case Op::kReadExport:
      return ReadExport(slot);
    case Op::kWriteExport:
      return WriteExport(slot, step.argument);
    case Op::kDropSource:
      return DropSource();
    case Op::kChangeMetadata:
      if (source_ != nullptr) subject_.ChangeMetadata(source_, step.argument, ledger_.sources[0].change);
      return;
    case Op::kTakeCapsule:
      if (HasCapsule(slot) && !slots_[slot].out.lost) {
        subject_.TakeCapsule(slot);
        slots_[slot].out.taken = true;
      }
      return;
    case Op::kDelete:
      return Delete(slot, step.argument == 1);
    case Op::kDeleteTogether:
      return DeleteTogether();
    case Op::kLoseCapsule:
      return LoseCapsule(slot, step.argument == 1);
    case Op::kReadSource:
      return ReadSource();
    case Op::kUseSource:
      return UseSource();
    case Op::kImportSource:
      return ImportSource(slot);
    case Op::kTableFind:
      return FindTable();
    case Op::kTableExport:
      return TableExport(slot);
    case Op::kTableImport:
      return TableImport(slot);
    case Op::kTableView:
      return TableView(slot);
    case Op::kTableAllocate:
      return TableAllocate(slot, static_cast<Prototype>(step.argument % static_cast<int>(Prototype::kCount)));
    case Op::kTableStream:
      if (HasTable()) subject_.TableStream({step.argument == 0 ? abi::kDLCPU : kNoDevice, 0}, ledger_.tables[0]);
      return;
    case Op::kEnd:
    case Op::kCount:
      return;
  }
}

void LifeRun::Collect() {
  subject_.Collect();
  if (&consumer_ != &subject_) consumer_.Collect();
}

/// What was written since counts too.
void LifeRun::Overlay(int slot, int64_t item, int64_t count, std::span<uint8_t> out) const {
  for (int i = 0; i < std::min(written_count_, kSteps); ++i) {
    const Written& written = written_[i];
    if (written.slot != slot || written.index >= count) continue;
    std::memcpy(out.data() + written.index * item, written.bits, static_cast<size_t>(item));
  }
}

std::span<uint8_t> LifeRun::ExpectRequest() {
  const int64_t item = ItemSize(recipe_.request.dtype);
  const int64_t count = ElementCount(recipe_.request.shape, recipe_.request.dims);
  if (item <= 0 || count > static_cast<int64_t>(kBuffer) / item) return {};
  const std::span<uint8_t> out(scratch_.wanted.data(), static_cast<size_t>(count * item));
  ExpectedElements(recipe_.request, out);
  Overlay(kSource, item, count, out);
  return out;
}

/// The library's own conversion against what the recipe says.
void LifeRun::ReadValues(Subject& owner, Handle array, ElementReading& reading, std::span<const uint8_t> wanted,
                         int64_t item) {
  const int64_t bytes = owner.Values(array, scratch_.got);
  if (bytes < 0) {
    reading.reading = Reading::kUnsupported;
    return;
  }
  if (bytes != static_cast<int64_t>(wanted.size())) {
    reading.reading = Reading::kWrongCount;
    reading.got_bits = static_cast<uint64_t>(bytes);
    reading.wanted_bits = wanted.size();
    return;
  }
  item = std::max<int64_t>(1, item);
  CompareElements(wanted.data(), scratch_.got.data(), bytes / item, item, reading);
}

void LifeRun::ReadSource() {
  if (source_ == nullptr) return;
  ElementReading& reading = ledger_.sources[0].elements;
  const bool was_readable = reading.reading == Reading::kMatches || reading.reading == Reading::kUnreadable;
  ReadValues(subject_, source_, reading, ExpectRequest(), ItemSize(recipe_.request.dtype));
  // What the library could convert a moment ago cannot be a matter of the adapter.
  if (was_readable && reading.reading == Reading::kUnsupported) reading.reading = Reading::kUnreadable;
}

bool LifeRun::Settled() {
  for (int slot = 0; slot < kSlots; ++slot) {
    if (slots_[slot].offered && import(slot).capsules != 0 && !forge_.Released(slot)) return false;
  }
  return !seen().sources[0].alive_known || !subject_.WatchedIsAlive();
}

void LifeRun::DropEverything() {
  for (int slot = 0; slot < kSlots; ++slot) DropSlot(slot);
  DropSource();
  // What one collection releases may hold what the next one does.
  for (int round = 0; round < kCollections && !Settled(); ++round) Collect();
  for (int slot = 0; slot < kSlots; ++slot) {
    if (!slots_[slot].offered) continue;
    import(slot).released = forge_.Released(slot);
    forge_.CheckUnchanged(slot);
  }
  if (seen().sources[0].alive_known) ledger_.sources[0].alive_at_end = subject_.WatchedIsAlive();
  if (seen().sources[0].alive_at_end != 0) subject_.WriteOffLeaks();
  subject_.EndLife();
  if (&consumer_ != &subject_) consumer_.EndLife();
  forge_.SealOnDelete(false);
  forge_.Reset();
}

void LifeRun::DropSlot(int slot) {
  DropArray(slot, false);
  DropProducer(slot);
  DropCapsule(slot);
  if (!HasCapsule(slot)) return;
  if (slots_[slot].out.taken) Delete(slot, false);
  LoseCapsule(slot, false);
}

void LifeRun::Note(int slot, Outcome outcome) {
  ledger_.Add(outcome == Outcome::kAccepted ? Seen::kAccepted : Seen::kRefused, slot);
}

void LifeRun::Remember(int slot, int64_t index, const uint8_t* bits, int64_t item) {
  Written& written = written_[written_count_++ % kSteps];
  written.slot = slot;
  written.index = index;
  std::memcpy(written.bits, bits, static_cast<size_t>(item));
}

}  // namespace dlpack_cts
