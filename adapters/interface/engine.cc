// adapters/interface/engine.cc: interprets a recipe's life step by step.
#include "adapters/interface/engine.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <thread>
#include <vector>

#include "adapters/interface/exported_tensor.h"
#include "adapters/interface/table_allocation.h"
#include "harness/oracle/oracle.h"
#include "harness/recipe/normalize.h"

namespace dlpack_cts {
namespace {

constexpr int32_t kNoDevice = 77;              // a device type that nobody defined
constexpr size_t kBuffer = kDataCapacity * 2;  // broadcast layouts have more elements than memory

/// Scratch memory of one process: expected and seen elements. Too large for the stack, too hot for the heap.
struct Scratch {
  std::array<uint8_t, kBuffer> wanted;
  std::array<uint8_t, kBuffer> got;
};
Scratch& SharedScratch() {
  static Scratch scratch;
  return scratch;
}

uint64_t LowBits(const uint8_t* bytes, int64_t item_size) {
  uint64_t bits = 0;
  std::memcpy(&bits, bytes, static_cast<size_t>(std::min<int64_t>(item_size, 8)));
  return bits;
}

void Compare(const uint8_t* wanted, const uint8_t* got, int64_t elements, int64_t item_size, ElementReading& reading) {
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

constexpr uint64_t kSalts = 64;

/// Bits of the type that differ from `before`: a write that changes nothing (a bool has two values) shows nothing.
void OtherBits(abi::DLDataType dtype, uint64_t seed, int64_t index, const uint8_t* before, uint8_t* bits) {
  for (uint64_t salt = 1; salt <= kSalts; ++salt) {
    ElementBits(dtype, seed + salt, index, bits);
    if (std::memcmp(bits, before, static_cast<size_t>(ItemSize(dtype))) != 0) return;
  }
}

/// One run of one recipe.
class LifeRun {
 public:
  LifeRun(Subject& producer, Subject& consumer, Forge& forge, const Recipe& recipe, Ledger& ledger)
      : subject_(producer), consumer_(consumer), forge_(forge), recipe_(recipe), ledger_(ledger) {}

  void Run() {
    if (recipe_.offer.seal_on_delete) forge_.SealOnDelete(true);
    for (int i = 0; i < kSteps && recipe_.life[i].op != Op::kEnd; ++i) {
      ledger_.step = i;
      const Step& step = recipe_.life[i];
      ledger_.Add(Seen::kStep, step.slot, static_cast<int32_t>(step.op), step.argument);
      Take(step);
    }
    ledger_.step = kSteps;
    DropEverything();
  }

 private:
  ImportLedger& import(int slot) { return ledger_.imports[slot]; }
  ExportLedger& exported(int slot) { return ledger_.exports[slot]; }

  void Take(const Step& step) {
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
        if (source_ != nullptr) subject_.ChangeMetadata(source_, step.argument, ledger_.source.change);
        return;
      case Op::kTakeCapsule:
        if (HasCapsule(slot) && !lost_[slot]) {
          subject_.TakeCapsule(slot);
          taken_[slot] = true;
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
        if (HasTable()) subject_.TableStream({step.argument == 0 ? abi::kDLCPU : kNoDevice, 0}, ledger_.table);
        return;
      case Op::kEnd:
      case Op::kCount:
        return;
    }
  }

  void Collect() {
    subject_.Collect();
    if (&consumer_ != &subject_) consumer_.Collect();
  }

  // ---- Imports.

  void Import(int slot, bool bare, int in_place_of) {
    if (offered_[slot]) return;
    const Offered offer = in_place_of > 0 && in_place_of <= kSlots && in_place_of - 1 != slot
                              ? forge_.MakeInPlaceOf(recipe_.offer, slot, in_place_of - 1, ledger_)
                              : forge_.Make(recipe_.offer, slot, ledger_);
    offered_[slot] = true;
    bare_[slot] = bare;
    forge_.SetPhase(slot, 0);
    arrays_[slot] = consumer_.Import(recipe_, slot, offer, bare, ledger_);
    forge_.SetPhase(slot, 1);
    Note(slot, import(slot).import.outcome);
    consumer_.InspectCapsule(slot, ledger_);
  }

  void ImportAgain(int slot) {
    if (!offered_[slot]) return;
    Handle second = consumer_.ImportAgain(recipe_, slot, bare_[slot], ledger_);
    Note(slot, import(slot).again.outcome);
    if (second != nullptr) consumer_.Drop(second);
  }

  void Describe(int slot) {
    if (arrays_[slot] == nullptr) return;
    Description& result = import(slot).result;
    consumer_.Describe(arrays_[slot], result);
    if (!result.valid || !result.has_pointer) return;
    const Description& source = ledger_.source.description;
    import(slot).aliases = from_source_[slot] ? source.valid && source.has_pointer && result.pointer == source.pointer
                                              : forge_.InData(slot, result.pointer);
  }

  /// Expected elements of a slot, in scratch memory. Empty where the offer holds no elements that can be read.
  std::span<const uint8_t> ExpectOffer(int slot) {
    const int64_t item = ItemSize(recipe_.offer.dtype);
    const int64_t count = ElementCount(recipe_.offer.shape, recipe_.offer.dims);
    if (item <= 0 || count > static_cast<int64_t>(kBuffer) / item) return {};
    const std::span<uint8_t> out(SharedScratch().wanted.data(), static_cast<size_t>(count * item));
    ExpectedElements(recipe_.offer, slot, out);
    Overlay(slot, item, count, out);
    return out;
  }

  /// What was written since counts too.
  void Overlay(int slot, int64_t item, int64_t count, std::span<uint8_t> out) const {
    for (int i = 0; i < std::min(written_count_, kSteps); ++i) {
      const Written& written = written_[i];
      if (written.slot != slot || written.index >= count) continue;
      std::memcpy(out.data() + written.index * item, written.bits, static_cast<size_t>(item));
    }
  }

  std::span<const uint8_t> Expect(int slot) { return from_source_[slot] ? ExpectRequest() : ExpectOffer(slot); }

  std::span<const uint8_t> ExpectRequest() {
    const int64_t item = ItemSize(recipe_.request.dtype);
    const int64_t count = ElementCount(recipe_.request.shape, recipe_.request.dims);
    if (item <= 0 || count > static_cast<int64_t>(kBuffer) / item) return {};
    const std::span<uint8_t> out(SharedScratch().wanted.data(), static_cast<size_t>(count * item));
    ExpectedElements(recipe_.request, out);
    Overlay(kSource, item, count, out);
    return out;
  }

  /// The library's own conversion against what the recipe says.
  void ReadValues(Subject& owner, Handle array, ElementReading& reading, std::span<const uint8_t> wanted) {
    const int64_t bytes = owner.Values(array, SharedScratch().got);
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
    const int64_t item = std::max<int64_t>(1, ItemSize(Dtype()));
    dlpack_cts::Compare(wanted.data(), SharedScratch().got.data(), bytes / item, item, reading);
  }

  void ReadSource() {
    if (source_ == nullptr) return;
    ElementReading& reading = ledger_.source.elements;
    const bool was_readable = reading.reading == Reading::kMatches || reading.reading == Reading::kUnreadable;
    ReadValues(subject_, source_, reading, ExpectRequest());
    // What the library could convert a moment ago cannot be a matter of the adapter.
    if (was_readable && reading.reading == Reading::kUnsupported) reading.reading = Reading::kUnreadable;
  }

  abi::DLDataType Dtype() const {
    return recipe_.kind == RecipeKind::kImport ? recipe_.offer.dtype : recipe_.request.dtype;
  }

  /// The elements through the described pointer and strides, without asking the library again.
  void ReadMemory(int slot) {
    ImportLedger& record = import(slot);
    const Description& result = record.result;
    if (!result.valid || !result.has_pointer || result.ndim > kDims) return;
    const std::span<const uint8_t> wanted = Expect(slot);
    const int64_t item = ItemSize(from_source_[slot] ? recipe_.request.dtype : recipe_.offer.dtype);
    int64_t strides[kDims];
    CompactStrides(result.shape, result.ndim, strides);
    for (int d = 0; d < result.ndim; ++d) strides[d] = result.has_strides ? result.byte_strides[d] : strides[d] * item;
    record.memory.reading = ReadStrided(result.pointer, result.shape, strides, result.ndim, item, SharedScratch().got);
    if (record.memory.reading != Reading::kMatches) return;
    const int64_t count = ElementCount(result.shape, result.ndim);
    if (count * item != static_cast<int64_t>(wanted.size())) {
      record.memory.reading = Reading::kWrongCount;
      record.memory.wanted_bits = wanted.size();
      record.memory.got_bits = static_cast<uint64_t>(count * item);
      return;
    }
    dlpack_cts::Compare(wanted.data(), SharedScratch().got.data(), count, item, record.memory);
  }

  void Read(int slot) {
    if (arrays_[slot] == nullptr) return;
    if (!import(slot).result.valid) Describe(slot);
    import(slot).memory = {};
    import(slot).library = {};
    ReadMemory(slot);
    ReadValues(consumer_, arrays_[slot], import(slot).library, Expect(slot));
    ledger_.Add(Seen::kRead, slot, static_cast<int32_t>(import(slot).library.reading));
  }

  void Compute(int slot) {
    if (arrays_[slot] == nullptr) return;
    Handle copy = consumer_.Compute(arrays_[slot]);
    if (copy == nullptr) {
      import(slot).computed.reading = Reading::kUnsupported;
      return;
    }
    ReadValues(consumer_, copy, import(slot).computed, Expect(slot));
    ledger_.Add(Seen::kRead, slot, static_cast<int32_t>(import(slot).computed.reading));
    consumer_.Drop(copy);
  }

  void WriteSource(int slot, int64_t index) {
    if (from_source_[slot]) return WriteShared(slot, index, false);
    const int64_t item = ItemSize(recipe_.offer.dtype);
    if (arrays_[slot] == nullptr || item <= 0 || item > 16 || forge_.Released(slot)) return;
    if (index >= ElementCount(recipe_.offer.shape, recipe_.offer.dims)) return;
    uint8_t before[16] = {};
    uint8_t bits[16];
    forge_.ReadElement(slot, index, before);
    uint64_t salt = 0;
    do {
      forge_.WriteElement(slot, index, ++salt, bits);
    } while (std::memcmp(bits, before, static_cast<size_t>(item)) == 0 && salt < kSalts);
    const int64_t bytes = consumer_.Values(arrays_[slot], SharedScratch().got);
    if (bytes < (index + 1) * item) return;
    const bool seen = std::memcmp(SharedScratch().got.data() + index * item, bits, static_cast<size_t>(item)) == 0;
    import(slot).write_seen = seen ? 1 : 2;
    if (seen) Remember(slot, index, bits, item);
  }

  void WriteArray(int slot, int64_t index) {
    if (from_source_[slot]) return WriteShared(slot, index, true);
    const int64_t item = ItemSize(recipe_.offer.dtype);
    if (arrays_[slot] == nullptr || item <= 0 || item > 16) return;
    if (index >= ElementCount(recipe_.offer.shape, recipe_.offer.dims)) return;
    uint8_t before[16] = {};
    uint8_t bits[16];
    forge_.ReadElement(slot, index, before);
    OtherBits(recipe_.offer.dtype, recipe_.offer.seed, index, before, bits);
    Refusal refusal{};
    forge_.ExpectWrite(slot, index);
    if (!consumer_.Write(arrays_[slot], index, std::span<const uint8_t>(bits, static_cast<size_t>(item)), refusal)) {
      import(slot).array_write = refusal.outcome == Outcome::kRefused ? 3 : 0;
      return;
    }
    if (forge_.Released(slot)) return;
    uint8_t seen[16];
    forge_.ReadElement(slot, index, seen);
    import(slot).array_write = std::memcmp(seen, bits, static_cast<size_t>(item)) == 0 ? 1 : 2;
    Remember(slot, index, bits, item);
  }

  // ---- An array of the one library inside the other.

  void ImportSource(int slot) {
    if (source_ == nullptr || offered_[slot] || arrays_[slot] != nullptr) return;
    from_source_[slot] = true;
    arrays_[slot] = consumer_.ImportForeign(source_, recipe_, import(slot).import);
    Note(slot, import(slot).import.outcome);
  }

  /// One side writes an element, the other one is asked for it.
  void WriteShared(int slot, int64_t index, bool by_consumer) {
    const int64_t item = ItemSize(recipe_.request.dtype);
    if (arrays_[slot] == nullptr || source_ == nullptr || item <= 0 || item > 16) return;
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
    if (!writer.Write(by_consumer ? arrays_[slot] : source_, index, element, refusal)) {
      shown = by_consumer && refusal.outcome == Outcome::kRefused ? 3 : 0;
      return;
    }
    const int64_t bytes = reader.Values(by_consumer ? source_ : arrays_[slot], SharedScratch().got);
    if (bytes < (index + 1) * item) return;
    const bool seen = std::memcmp(SharedScratch().got.data() + index * item, bits, static_cast<size_t>(item)) == 0;
    shown = seen ? 1 : 2;
    if (seen) Remember(kSource, index, bits, item);
  }

  void TakeView(int slot) {
    if (arrays_[slot] == nullptr) return;
    Handle view = consumer_.View(arrays_[slot]);
    if (view == nullptr) {
      import(slot).view.reading = Reading::kUnsupported;
      return;
    }
    consumer_.Drop(arrays_[slot]);
    arrays_[slot] = view;
    ledger_.Add(Seen::kDropped, slot);
    ReadValues(consumer_, view, import(slot).view, Expect(slot));
  }

  void Reexport(int slot, int into) {
    if (arrays_[slot] == nullptr || into < 0 || into >= kSlots || &consumer_ != &subject_) return;
    subject_.Export(arrays_[slot], recipe_, into, ledger_);
    structs_[into] = subject_.ExportedStruct(into);
    Note(into, exported(into).export_call.outcome);
    reexported_from_[into] = slot + 1;
    ReadExport(into);
    exported(into).first_elements = exported(into).elements;
  }

  void DropArray(int slot, bool elsewhere) {
    if (arrays_[slot] == nullptr) return;
    forge_.SetPhase(slot, 2);
    if (elsewhere) {
      consumer_.DropElsewhere(arrays_[slot]);
    } else {
      consumer_.Drop(arrays_[slot]);
    }
    arrays_[slot] = nullptr;
    ledger_.Add(Seen::kDropped, slot);
  }

  void DropCapsule(int slot) {
    if (!offered_[slot] || capsule_dropped_[slot]) return;
    capsule_dropped_[slot] = true;
    consumer_.InspectCapsule(slot, ledger_);
    consumer_.DropCapsule(slot);
  }

  void DropProducer(int slot) {
    if (!offered_[slot] || producer_dropped_[slot]) return;
    producer_dropped_[slot] = true;
    consumer_.DropProducer(slot);
  }

  // ---- Exports.

  void Make() {
    if (source_ != nullptr) return;
    const int64_t item = ItemSize(recipe_.request.dtype);
    int64_t strides[kDims];
    EffectiveStrides(recipe_.request, strides);
    const Span span = ElementSpan(recipe_.request.shape, strides, recipe_.request.dims);
    const int64_t elements = recipe_.request.offset + span.highest + 1;
    const auto bytes = static_cast<size_t>(std::max<int64_t>(0, elements * item));
    if (item <= 0 || bytes > kDataCapacity) return;
    uint8_t* backing = SharedScratch().wanted.data();
    ElementRun(recipe_.request.dtype, recipe_.request.seed, 0, 1, elements, backing);
    source_ = subject_.Make(recipe_.request, std::span<const uint8_t>(backing, bytes), ledger_.source.make);
    Note(0, ledger_.source.make.outcome);
    if (source_ == nullptr) {
      ledger_.unsupported = ledger_.source.make.outcome == Outcome::kUnsupported;
      return;
    }
    subject_.Describe(source_, ledger_.source.description);
    ledger_.source.alive_known = subject_.Watch(source_);
    ledger_.source.references_before = subject_.References(source_);
  }

  void Export(int slot, bool without_max_version) {
    if (source_ == nullptr || HasCapsule(slot)) return;
    if (without_max_version) {
      Recipe plain = recipe_;
      plain.call.max_version = {};
      subject_.Export(source_, plain, slot, ledger_);
    } else {
      subject_.Export(source_, recipe_, slot, ledger_);
    }
    structs_[slot] = subject_.ExportedStruct(slot);
    ExportLedger& record = exported(slot);
    Note(slot, record.export_call.outcome);
    if (record.export_call.outcome != Outcome::kAccepted) {
      ledger_.source.references_after = subject_.References(source_);
      return;
    }
    if (ledger_.source.description.valid && ledger_.source.description.has_pointer) {
      record.has_source_pointer = 1;
      record.source_pointer = ledger_.source.description.pointer;
    }
    for (int other = 0; other < kSlots; ++other) {
      if (other != slot && HasCapsule(other) && !exported(other).deleted &&
          exported(other).struct_address == record.struct_address) {
        record.same_struct = 1;
      }
    }
    ReadExport(slot);
    record.first_elements = record.elements;
  }

  /// The export's struct is there to be used: its capsule is alive, or the tensor was taken from it.
  bool HasCapsule(int slot) {
    return exported(slot).export_call.outcome == Outcome::kAccepted && structs_[slot] != nullptr &&
           (taken_[slot] || !lost_[slot]);
  }

  void LoseCapsule(int slot, bool pending) {
    if (!HasCapsule(slot) || lost_[slot]) return;
    subject_.LoseCapsule(slot, pending, ledger_);
    lost_[slot] = true;
  }

  void Inspect(int slot) {
    if (!HasCapsule(slot) || exported(slot).deleted) return;
    exported(slot).changed_parts |= ChangedSinceExport(structs_[slot], exported(slot));
  }

  void ReadExport(int slot) {
    ExportLedger& record = exported(slot);
    if (!HasCapsule(slot) || record.deleted) return;
    const bool reexport = reexported_from_[slot] != 0;
    const std::span<const uint8_t> wanted = reexport ? ExpectOffer(reexported_from_[slot] - 1) : ExpectRequest();
    record.elements = {};
    record.elements.reading = ReadExported(record, SharedScratch().got);
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
    dlpack_cts::Compare(wanted.data(), SharedScratch().got.data(), count, std::max<int64_t>(1, item), record.elements);
  }

  void WriteExport(int slot, int64_t index) {
    ExportLedger& record = exported(slot);
    if (!HasCapsule(slot) || record.deleted || source_ == nullptr || !record.data_readable) return;
    const int64_t item = ItemSize(record.tensor.dtype);
    if (item <= 0 || item > 16 || index >= ElementCount(record.shape, record.tensor.ndim)) return;
    const std::span<const uint8_t> wanted = ExpectRequest();
    if (static_cast<int64_t>(wanted.size()) < (index + 1) * item) return;
    uint8_t bits[16];
    OtherBits(recipe_.request.dtype, recipe_.request.seed, index, wanted.data() + index * item, bits);
    if (!WriteExported(record, index, bits)) return;
    const int64_t bytes = subject_.Values(source_, SharedScratch().got);
    if (bytes < (index + 1) * item) return;
    const bool seen = std::memcmp(SharedScratch().got.data() + index * item, bits, static_cast<size_t>(item)) == 0;
    record.shares_with_source = seen ? 1 : 2;
    if (seen) Remember(kSource, index, bits, item);
  }

  void DropSource() {
    if (source_ == nullptr) return;
    subject_.Drop(source_);
    source_ = nullptr;
    ledger_.Add(Seen::kDropped, 0);
  }

  void Delete(int slot, bool elsewhere) {
    ExportLedger& record = exported(slot);
    if (!HasCapsule(slot) || !taken_[slot] || record.deleted) return;
    void* managed = structs_[slot];
    const bool versioned = record.versioned != 0;
    record.deleted = 1;
    if (elsewhere) {
      subject_.OnRawThread([managed, versioned] { CallDeleter(managed, versioned); });
    } else {
      CallDeleter(managed, versioned);
    }
    ledger_.Add(Seen::kDropped, slot);
  }

  void DeleteTogether() {
    std::vector<std::function<void()>> deleters;
    for (int slot = 0; slot < kSlots; ++slot) {
      ExportLedger& record = exported(slot);
      if (!HasCapsule(slot) || !taken_[slot] || record.deleted) continue;
      record.deleted = 1;
      deleters.emplace_back(
          [managed = structs_[slot], versioned = record.versioned != 0] { CallDeleter(managed, versioned); });
    }
    subject_.OnRawThread([&deleters] {
      std::vector<std::thread> threads;
      threads.reserve(deleters.size());
      for (const auto& deleter : deleters) threads.emplace_back(deleter);
      for (std::thread& thread : threads) thread.join();
    });
  }

  void UseSource() {
    if (source_ == nullptr) return;
    Handle copy = subject_.Compute(source_);
    if (copy == nullptr) {
      ledger_.source.used.reading = Reading::kUnsupported;
      return;
    }
    ReadValues(subject_, copy, ledger_.source.used, ExpectRequest());
    subject_.Drop(copy);
  }

  // ---- The C exchange API.

  void FindTable() {
    if (source_ == nullptr) return;
    subject_.FindTable(source_, ledger_.table);
    // A second instance of the type has to lead to the same table.
    Handle other = subject_.Compute(source_);
    if (other == nullptr) return;
    subject_.FindTable(other, ledger_.table);
    subject_.Drop(other);
  }

  bool HasTable() {
    if (source_ != nullptr && ledger_.table.looked == 0) subject_.FindTable(source_, ledger_.table);
    return ledger_.table.found != 0;
  }

  /// The engine owns a struct that came without a capsule.
  void Own(int slot, abi::DLManagedTensorVersioned* tensor) {
    ExportLedger& record = exported(slot);
    Note(slot, record.export_call.outcome);
    if (tensor == nullptr) return;
    structs_[slot] = tensor;
    taken_[slot] = lost_[slot] = true;
    RecordExport(tensor, true, record);
    if (ledger_.source.description.valid && ledger_.source.description.has_pointer) {
      record.has_source_pointer = 1;
      record.source_pointer = ledger_.source.description.pointer;
    }
  }

  void TableExport(int slot) {
    if (source_ == nullptr || HasCapsule(slot) || !HasTable()) return;
    Own(slot, subject_.TableExport(source_, ledger_.table, exported(slot).export_call));
    ReadExport(slot);
    exported(slot).first_elements = exported(slot).elements;
  }

  void TableImport(int slot) {
    if (offered_[slot] || arrays_[slot] != nullptr || !HasTable()) return;
    const Offered offer = forge_.Make(recipe_.offer, slot, ledger_);
    if (offer.kind != StructKind::kVersioned) return;
    offered_[slot] = capsule_dropped_[slot] = producer_dropped_[slot] = true;
    ImportLedger& record = import(slot);
    forge_.SetPhase(slot, 0);
    arrays_[slot] =
        subject_.TableImport(static_cast<abi::DLManagedTensorVersioned*>(offer.managed), ledger_.table, record.import);
    forge_.SetPhase(slot, 1);
    Note(slot, record.import.outcome);
    // A callee that refuses may leave the tensor to its caller, or release it.
    record.capsules = arrays_[slot] != nullptr || record.deleter.calls > 0 ? 1 : 0;
  }

  void TableView(int slot) {
    if (source_ == nullptr || HasCapsule(slot) || !HasTable()) return;
    abi::DLManagedTensorVersioned& view = views_[slot];
    view = {};
    view.version = {1, 3};
    if (!subject_.TableView(source_, &view.dl_tensor, ledger_.table, exported(slot).export_call))
      return Own(slot, nullptr);
    Own(slot, &view);
    ReadExport(slot);
    exported(slot).first_elements = exported(slot).elements;
  }

  void TableAllocate(int slot, Prototype kind) {
    ExportLedger& record = exported(slot);
    if (HasCapsule(slot) || !HasTable()) return;
    Own(slot, AllocateByTable(subject_, recipe_.request, kind, ledger_.table, record.export_call));
    if (kind != Prototype::kGood || !HasCapsule(slot) || record.metadata_readable == 0) return;
    const int64_t item = ItemSize(record.tensor.dtype);
    const int64_t count = ElementCount(record.shape, record.tensor.ndim);
    const std::span<const uint8_t> wanted = ExpectRequest();
    if (!(record.tensor.dtype == recipe_.request.dtype) || count * item != static_cast<int64_t>(wanted.size())) return;
    record.shares_with_source = 1;
    for (int64_t i = 0; i < count; ++i) {
      if (!WriteExported(record, i, wanted.data() + i * item)) record.shares_with_source = 2;
    }
    ReadExport(slot);
    record.first_elements = record.elements;
  }

  // ---- The end of a life.

  void DropEverything() {
    for (int slot = 0; slot < kSlots; ++slot) DropSlot(slot);
    DropSource();
    bool settled = true;
    for (int slot = 0; slot < kSlots; ++slot) settled = settled && Settled(slot);
    if (ledger_.source.alive_known && subject_.WatchedIsAlive()) settled = false;
    if (!settled) Collect();
    for (int slot = 0; slot < kSlots; ++slot) {
      if (!offered_[slot]) continue;
      import(slot).released = forge_.Released(slot);
      forge_.CheckUnchanged(slot);
    }
    if (ledger_.source.alive_known) ledger_.source.alive_at_end = subject_.WatchedIsAlive();
    if (ledger_.source.alive_at_end != 0) subject_.WriteOffLeaks();
    forge_.SealOnDelete(false);
    forge_.Reset();
  }

  void DropSlot(int slot) {
    DropArray(slot, false);
    DropProducer(slot);
    DropCapsule(slot);
    if (!HasCapsule(slot)) return;
    if (taken_[slot]) Delete(slot, false);
    LoseCapsule(slot, false);
  }

  /// Nothing shows whether a tensor without a deleter is still held, and a later exchange may lie in its memory.
  bool Settled(int slot) { return !offered_[slot] || import(slot).capsules == 0 || forge_.Released(slot); }

  void Note(int slot, Outcome outcome) {
    ledger_.Add(outcome == Outcome::kAccepted ? Seen::kAccepted : Seen::kRefused, slot);
  }

  static constexpr int kSource = -1;  // the library's own array, where a slot is meant

  struct Written {
    int slot;
    int64_t index;
    uint8_t bits[16];
  };
  void Remember(int slot, int64_t index, const uint8_t* bits, int64_t item) {
    Written& written = written_[written_count_++ % kSteps];
    written.slot = slot;
    written.index = index;
    std::memcpy(written.bits, bits, static_cast<size_t>(item));
  }

  Subject& subject_;   // makes and exports
  Subject& consumer_;  // imports; the same one, but for a pair
  Forge& forge_;
  const Recipe& recipe_;
  Ledger& ledger_;
  Handle arrays_[kSlots] = {};
  Handle source_ = nullptr;
  bool offered_[kSlots] = {};
  bool bare_[kSlots] = {};
  bool capsule_dropped_[kSlots] = {};
  bool producer_dropped_[kSlots] = {};
  bool taken_[kSlots] = {};
  bool lost_[kSlots] = {};
  void* structs_[kSlots] = {};
  bool from_source_[kSlots] = {};
  abi::DLManagedTensorVersioned views_[kSlots] = {};  // around what dltensor_from_py_object filled in
  int reexported_from_[kSlots] = {};
  int written_count_ = 0;
  Written written_[kSteps] = {};
};

}  // namespace

void Engine::Run(const Recipe& recipe, Ledger& ledger) {
  Clear(ledger);
  LifeRun(producer_, consumer_, forge_, recipe, ledger).Run();
}

}  // namespace dlpack_cts
