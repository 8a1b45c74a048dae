// adapters/interface/life_run.cc: interprets a recipe's life step by step, and drops what is left of it.
#include "adapters/interface/life_run.h"

#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <optional>
#include <thread>
#include <utility>

#include "harness/forge/thread.h"
#include "harness/oracle/oracle.h"
#include "harness/recipe/ops.h"
#include "harness/recipe/packing.h"

namespace dlpack_cts {

namespace {

constexpr int kCollections = 3;
constexpr std::chrono::microseconds kFirstPause{200};
constexpr std::chrono::microseconds kLastPause{51200};  // a tenth of a second, together
uint64_t LowBits(const uint8_t* bytes, int64_t item_size) {
  uint64_t bits = 0;
  std::memcpy(&bits, bytes, static_cast<size_t>(std::min<int64_t>(item_size, 8)));
  return bits;
}

/// True when the array has elements, and the byte lies between the first and the last of them.
bool ReachesOffset(const Description& array, int64_t offset) {
  const int64_t item = array.known_dtype ? ItemSize(array.dtype) : 0;
  // Elements that may be packed reach as far as packed ones: no description says whether they are.
  const int64_t bits = array.known_dtype && IsSubByte(array.dtype) ? PackedBits(array.dtype, false) : 8;
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
  const auto in_bits = [&](int64_t bytes) { return static_cast<__int128>(bytes) * bits; };
  return offset * __int128{8} >= in_bits(lowest) && offset * __int128{8} < in_bits(end);
}

/// Where the element with that index lies, in elements from the first.
template <typename Block>
int64_t OffsetOf(const Block& block, const int64_t* strides, int64_t index) {
  int64_t offset = 0;
  for (int d = block.dims - 1; d >= 0; index /= block.shape[d--]) offset += index % block.shape[d] * strides[d];
  return offset;
}

/// Calls `work` with the index of every other element that lies where that one does.
template <typename Block, typename Work>
void ForEachSharing(const Block& block, int64_t index, const Work& work) {
  if (block.strides_kind != StridesKind::kExplicit) return;
  int64_t strides[kDims];
  EffectiveStrides(block, strides);
  const int64_t offset = OffsetOf(block, strides, index);
  const int64_t count = ElementCount(block.shape, block.dims);
  for (int64_t other = 0; other < count; ++other) {
    if (other != index && OffsetOf(block, strides, other) == offset) work(other);
  }
}

}  // namespace

void Scratch::Fit(bool large) {
  constexpr size_t kLarge = kLargeCapacity * kFactor;
  if (large == (large_ != nullptr)) return;
  if (large) {
    void* memory =
        mmap(nullptr, 2 * kLarge, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return;  // then large elements are not read
    large_ = static_cast<uint8_t*>(memory);
    wanted = {large_, kLarge};
    got = {large_ + kLarge, kLarge};
    return;
  }
  munmap(std::exchange(large_, nullptr), 2 * kLarge);
  wanted = small_wanted_;
  got = small_got_;
}

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
  if (const CudaDriver* const driver = CudaDriver::Opened(); driver != nullptr && driver->IsBroken()) {
    ledger_.unsupported = 1;
    return;
  }
  const ThreadMark mark(0);
  bool large = false;
  for (int i = 0; i < recipe_.used.offers; ++i) {
    if (recipe_.offers[i].seal_on_delete != 0) forge_.SealOnDelete(true);
    large = large || recipe_.offers[i].large != 0;
    acts_ = acts_ || Acts(recipe_.offers[i].deleter);
  }
  for (int i = 0; i < recipe_.used.requests; ++i) large = large || recipe_.requests[i].large != 0;
  scratch_.Fit(large);
  if (acts_) forge_.SetWithin([this](int slot) { Within(slot); });
  const std::span<const Step> life = recipe_.life();
  const bool unlocked = std::any_of(life.begin(), life.end(), [](const Step& step) {
    return step.op == Op::kDelete && step.context == Context::kRawThread;
  });
  if (unlocked) subject_.runtime().PrepareToWatch(true);
  subject_.importer().ForgeTable(recipe_.table);
  if (&consumer_ != &subject_) consumer_.importer().ForgeTable(recipe_.table);
  for (int i = 0; i < recipe_.used.steps;) {
    bool lanes = false;
    const int behind = Segment(i, &lanes);
    if (lanes) {
      TakeInLanes(i, behind);
      i = behind;
    }
    std::optional<Forge::Looking> looking;
    for (; i < behind; ++i) {
      const bool looks = HasTrait(recipe_.steps[i].op, OpTrait::kOnlyLooks);
      if (!looks) looking.reset();
      if (!looking && looks) looking.emplace();
      TakeAlone(i);
      NoteException(recipe_.steps[i]);
      EndWithin();
    }
  }
  ledger_.BeginStep(kSteps);
  DropEverything();
  (void)ForgetException();
  if (unlocked) subject_.runtime().PrepareToWatch(false);
  LeaveCuda();
  scratch_.Shrink();
}

void LifeRun::Take(const Step& step) {
  const int slot = step.slot;
  const int from = SourceOf(step);
  Source& source = sources_[from];
  switch (step.op) {
    case Op::kImport:
    case Op::kImportCapsule:
      return Import(step);
    case Op::kImportAgain:
      return ImportAgain(step);
    case Op::kDescribe:
      return Describe(slot);
    case Op::kRead:
      return Read(step);
    case Op::kCompute:
      return Compute(slot);
    case Op::kWriteSource:
      return WriteSource(slot, step.argument);
    case Op::kWriteArray:
      return WriteArray(slot, step.argument);
    case Op::kTakeView:
      return TakeView(slot);
    case Op::kReexport:
      return Reexport(step);
    case Op::kDropArray:
      return DropArray(step);
    case Op::kDropCapsule:
      return DropCapsule(step);
    case Op::kDropProducer:
      return DropProducer(step);
    case Op::kCollect:
      // Where everything is released that can be, there is nothing to find.
      if (!Settled()) Collect();
      if (HoldsNothing()) AwaitLate();
      return;
    case Op::kMake:
      return Make(step);
    case Op::kExport:
      return Export(step);
    case Op::kAskDevice:
      if (source.array != nullptr) source.owner->exporter().AskDevice(source.array, ledger_.sources[from]);
      return;
    case Op::kInspect:
      return Inspect(slot);
    case Op::kReadExport:
      return ReadExport(slot);
    case Op::kWriteExport:
      return WriteExport(slot, step.argument);
    case Op::kDropSource:
      return DropSource(from);
    case Op::kChangeMetadata:
      if (source.array == nullptr) return;
      source.owner->ChangeMetadata(source.array, step.argument, ledger_.sources[from].change);
      source.changed = true;
      return;
    case Op::kTakeCapsule:
      if (HasCapsule(slot) && !slots_[slot].out.lost && !slots_[slot].out.taken) {
        slots_[slot].out.owner->exporter().TakeCapsule(slot);
        slots_[slot].out.taken = true;
      }
      return;
    case Op::kDelete:
      return Delete(step);
    case Op::kLoseCapsule:
      return LoseCapsule(step);
    case Op::kReadSource:
      return ReadSource(from);
    case Op::kUseSource:
      return UseSource(from);
    case Op::kImportSource:
      return ImportSource(step);
    case Op::kTableFind:
      return FindTable(from);
    case Op::kTableExport:
      return TableExport(step);
    case Op::kTableImport:
      return TableImport(step);
    case Op::kTableView:
      return TableView(step);
    case Op::kTableAllocate:
      return TableAllocate(step);
    case Op::kTableStream:
      return TableStream(step);
    case Op::kExportOften:
      return ExportOften(step);
    case Op::kExportTogether:
      return ExportTogether(step);
    case Op::kImportTogether:
      return ImportTogether(step);
    case Op::kAskArray:
      if (slots_[slot].array != nullptr)
        slots_[slot].owner->exporter().AskDevice(slots_[slot].array, ledger_.sources[slot]);
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

bool SharesItsPlace(const Offer& offer, int64_t index) {
  bool shares = false;
  ForEachSharing(offer, index, [&](int64_t) { shares = true; });
  return shares;
}

/// What was written since counts too, in every element that lies where it was written.
template <typename Block>
void LifeRun::Overlay(int memory, const Block& block, int64_t item, std::span<uint8_t> out) const {
  const auto count = static_cast<int64_t>(out.size()) / item;
  for (int i = std::max(0, written_count_ - kSteps); i < written_count_; ++i) {
    const Written& written = written_[i % kSteps];
    if (written.slot != memory || written.index >= count) continue;
    const auto put = [&](int64_t index) {
      std::memcpy(out.data() + index * item, written.bits, static_cast<size_t>(item));
    };
    put(written.index);
    ForEachSharing(block, written.index, put);
  }
}
template void LifeRun::Overlay(int, const Offer&, int64_t, std::span<uint8_t>) const;

std::span<uint8_t> LifeRun::ExpectRequest(int source) {
  const Request& asked = request(source);
  const int64_t item = ItemSize(asked.dtype);
  const int64_t count = ElementCount(asked.shape, asked.dims);
  if (item <= 0 || count > static_cast<int64_t>(scratch_.wanted.size()) / item) return {};
  const std::span<uint8_t> out(scratch_.wanted.data(), static_cast<size_t>(count * item));
  ExpectedElements(asked, out);
  Overlay(OfSource(source), asked, item, out);
  return out;
}

Meant LifeRun::MeantBySource(int source) const {
  const Request& asked = request(source);
  return {asked.device, asked.dtype, ElementCount(asked.shape, asked.dims)};
}

Meant LifeRun::MeantBy(int slot) const {
  if (slots_[slot].from_source) return MeantBySource(slots_[slot].source);
  return {offer(slot).device, offer(slot).dtype, ElementCount(offer(slot).shape, offer(slot).dims)};
}

int64_t LifeRun::BytesToRead(int slot) const {
  if (slots_[slot].view) return BytesOf(*slots_[slot].owner, slots_[slot].array, MeantBy(slot));
  return dlpack_cts::BytesToRead(seen().imports[slot].result, MeantBy(slot), scratch_.got.size());
}

int64_t LifeRun::SourceBytes(int source) const {
  const Meant meant = MeantBySource(source);
  // An odd array without an address is not dense. What kernels of the library do with it does not concern DLPack.
  if (request(source).oddity != Oddity::kNone && seen().sources[source].description.has_pointer == 0) return -1;
  if (sources_[source].changed) return BytesOf(*sources_[source].owner, sources_[source].array, meant);
  return dlpack_cts::BytesToRead(seen().sources[source].description, meant, scratch_.got.size());
}

int64_t LifeRun::BytesOf(Subject& owner, Handle array, const Meant& meant) const {
  Description told{};
  owner.Describe(array, told);
  return dlpack_cts::BytesToRead(told, meant, scratch_.got.size());
}

int64_t LifeRun::Values(Subject& owner, Handle array, int64_t may) {
  return may > 0 ? owner.Values(array, scratch_.got) : may;
}

WriteShown LifeRun::Shows(Subject& owner, Handle array, int64_t may, int64_t index, std::span<const uint8_t> bits) {
  const int64_t bytes = Values(owner, array, may);
  const auto item = static_cast<int64_t>(bits.size());
  if (bytes < (index + 1) * item || bytes > static_cast<int64_t>(scratch_.got.size())) return WriteShown::kNotRun;
  const bool same = std::memcmp(scratch_.got.data() + index * item, bits.data(), bits.size()) == 0;
  return same ? WriteShown::kShown : WriteShown::kNotShown;
}

/// The library's own conversion against what the recipe says.
void LifeRun::ReadValues(Subject& owner, Handle array, int64_t may, ElementReading& reading,
                         std::span<const uint8_t> wanted, int64_t item) {
  const int64_t bytes = Values(owner, array, may);
  if (bytes < 0) {
    reading.reading = Reading::kUnsupported;
    reading.raised = bytes == Subject::kRaised ? 1 : 0;
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

void LifeRun::ReadSource(int source) {
  if (sources_[source].array == nullptr || sources_[source].muddled) return;
  ElementReading& reading = ledger_.sources[source].elements;
  const bool was_readable = reading.reading == Reading::kMatches || reading.reading == Reading::kUnreadable;
  ReadValues(*sources_[source].owner, sources_[source].array, SourceBytes(source), reading, ExpectRequest(source),
             ItemSize(request(source).dtype));
  // What the library could convert a moment ago cannot be a matter of the adapter.
  if (was_readable && reading.reading == Reading::kUnsupported) reading.reading = Reading::kUnreadable;
}

bool LifeRun::Settled() {
  for (int slot = 0; slot < kSlots; ++slot) {
    if (slots_[slot].offered && import(slot).capsules != 0 && !forge_.Released(slot)) return false;
  }
  return !OwesArrays() && (spare_ < 0 || forge_.Released(spare_));
}

/// The life has dropped all that it had: what is not released now is released late, or never.
bool LifeRun::HoldsNothing() {
  for (int slot = 0; slot < kSlots; ++slot) {
    const Slot& held = slots_[slot];
    if (held.array != nullptr || sources_[slot].array != nullptr || HasCapsule(slot)) return false;
    if (held.offered && (!held.capsule_dropped || !held.producer_dropped)) return false;
  }
  return true;
}

bool LifeRun::OwesTensors() {
  for (int slot = 0; slot < kSlots; ++slot) {
    const bool taken = slots_[slot].offered && import(slot).capsules != 0 && forge_.HasDeleter(slot);
    if (taken && !forge_.Released(slot)) return true;
  }
  return spare_ >= 0 && !forge_.Released(spare_);
}

bool LifeRun::OwesArrays() {
  for (int slot = 0; slot < kSlots; ++slot) {
    if (seen().sources[slot].alive_known && sources_[slot].owner->exporter().WatchedIsAlive(slot)) return true;
  }
  return false;
}

/// A library may release on a thread of its own, a moment later. One that releases never is soon waited for no more.
void LifeRun::AwaitLate() {
  if (subject_.AsReference() != nullptr && consumer_.AsReference() != nullptr) return;
  bool tensors = patience_.tensors != 0 && OwesTensors();
  bool arrays = patience_.arrays != 0 && OwesArrays();
  for (auto pause = kFirstPause; (tensors || arrays) && pause <= kLastPause; pause *= 2) {
    subject_.runtime().Waiting([pause] { std::this_thread::sleep_for(pause); });
    Collect();
    if (tensors && !OwesTensors()) {
      tensors = false;
      patience_.tensors = kOnceLate;
    }
    if (arrays && !OwesArrays()) {
      arrays = false;
      patience_.arrays = kOnceLate;
    }
  }
  patience_.tensors -= tensors ? 1 : 0;
  patience_.arrays -= arrays ? 1 : 0;
}

void LifeRun::DropEverything() {
  for (int slot = 0; slot < kSlots; ++slot) DropSlot(slot);
  EndWithin();
  for (int slot = 0; slot < kSlots; ++slot) DropSource(slot);
  // What one collection releases may hold what the next one does.
  for (int round = 0; round < kCollections && !Settled(); ++round) {
    Collect();
    EndWithin();
  }
  AwaitLate();
  forge_.SetWithin({});
  EndWithin();
  for (int slot = 0; slot < kSlots; ++slot) {
    if (!slots_[slot].offered) continue;
    import(slot).released = forge_.Released(slot);
    forge_.CheckUnchanged(slot);
  }
  for (int slot = 0; slot < kSlots; ++slot) {
    if (!seen().sources[slot].alive_known) continue;
    ledger_.sources[slot].alive_at_end = sources_[slot].owner->exporter().WatchedIsAlive(slot);
    if (ledger_.sources[slot].alive_at_end != 0) sources_[slot].owner->runtime().WriteOffLeaks();
  }
  subject_.EndLife();
  if (&consumer_ != &subject_) consumer_.EndLife();
  forge_.SealOnDelete(false);
  forge_.Reset();
}

void LifeRun::DropSlot(int slot) {
  const auto now = [slot](Op op) { return Step{.op = op, .slot = static_cast<uint8_t>(slot)}; };
  DropArray(now(Op::kDropArray));
  DropProducer(now(Op::kDropProducer));
  DropCapsule(now(Op::kDropCapsule));
  if (!HasCapsule(slot)) return;
  if (slots_[slot].out.taken) Delete(now(Op::kDelete));
  LoseCapsule(now(Op::kLoseCapsule));
}

void LifeRun::Note(int slot, Outcome outcome) {
  ledger_.Add(outcome == Outcome::kAccepted ? Seen::kAccepted : Seen::kRefused, slot);
}

void LifeRun::Remember(int slot, int64_t index, const uint8_t* bits, int64_t item) {
  Written& written = written_[written_count_++ % kSteps];
  written.slot = slot;
  written.index = index;
  std::memcpy(written.bits, bits, static_cast<size_t>(item));
  MuddleExports(slot, Which::kThatMayBeCopies);
}

void LifeRun::Muddle(int memory) {
  (memory < 0 ? sources_[OfSource(memory)].muddled : slots_[memory].muddled) = true;
  MuddleExports(memory, Which::kAll);
}

void LifeRun::MuddleExports(int memory, Which which) {
  for (int slot = 0; slot < kSlots; ++slot) {
    Exported& out = slots_[slot].out;
    const int of = out.reexported_from != 0 ? out.reexported_from - 1 : OfSource(out.source);
    if (out.managed == nullptr || of != memory) continue;
    out.muddled = out.muddled || which == Which::kAll || seen().exports[slot].place.area != Area::kData;
  }
}

}  // namespace dlpack_cts
