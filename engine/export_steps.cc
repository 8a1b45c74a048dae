// engine/export_steps.cc: makes arrays, exports them, and reads, writes and deletes the exports.
#include "engine/steps.h"

#include <algorithm>
#include <utility>

#include "engine/closing.h"
#include "harness/recipe/dtypes.h"
#include "harness/recipe/elements.h"
#include "harness/recipe/packing.h"
#include "subject/exported_tensor.h"

namespace dlpack_cts {
namespace {

/// Whether the struct describes the same array as the library does. A copy may have other strides.
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

/// Whether the array has elements, and the byte at `offset` lies between the first and the last of them.
bool ReachesOffset(const Description& array, int64_t offset) {
  const int64_t item = array.known_dtype ? ItemSize(array.dtype) : 0;
  // A description does not say whether elements are packed, so count only the bytes that packed ones would take.
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

/// The parts of the description that differ, without those that one of the two lacks. Strides of dimensions that have
/// at most one element, or of empty arrays, mean nothing.
uint32_t ChangedParts(const Description& before, const Description& now) {
  uint32_t parts = 0;
  const auto add = [&parts](bool differs, uint32_t part) { parts |= differs ? part : 0; };
  add(before.writable != Answer::kUnknown && now.writable != Answer::kUnknown && before.writable != now.writable,
      kPartFlags);
  add(before.known_dtype != 0 && now.known_dtype != 0 && !(before.dtype == now.dtype), kPartDtype);
  add(before.has_device != 0 && now.has_device != 0 && !(before.device == now.device), kPartDevice);
  if (before.has_shape == 0 || now.has_shape == 0 || before.ndim > kDims || now.ndim > kDims) return parts;
  add(before.ndim != now.ndim, kPartNdim);
  if (before.ndim != now.ndim) return parts;
  add(!std::equal(now.shape, now.shape + now.ndim, before.shape), kPartShape);
  const bool placed = before.has_strides != 0 && now.has_strides != 0 && ElementCount(now.shape, now.ndim) > 0;
  for (int d = 0; placed && d < now.ndim; ++d) {
    add(now.shape[d] > 1 && before.byte_strides[d] != now.byte_strides[d], kPartStrides);
  }
  return parts;
}

/// The fact that records how the deleter ended in a fork with that context.
Answer& SurvivalOf(ExportLedger& record, Context context) {
  return context == Context::kForkedChild      ? record.survives_fork
         : context == Context::kAtExit         ? record.survives_exit
         : context == Context::kSubinterpreter ? record.survives_other
                                               : record.survives_end;
}

}  // namespace

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

void ExportSteps::Make(const Step& step) {
  const int slot = step.slot;
  LifeState::Source& source = life_.sources[slot];
  if (source.array != nullptr) return;
  source = {};
  source.request = step.block;
  Subject& producer = life_.ProducerOf(step);
  source.owner = &producer;
  const std::span<const uint8_t> backing = elements_.BackingOf(slot);
  if (backing.data() == nullptr) return;
  SourceLedger& record = life_.ledger.sources[slot];
  source.array = producer.exporter().Make(life_.request(slot), backing, record.make);
  life_.Note(slot, record.make.outcome);
  if (source.array == nullptr) {
    life_.ledger.unsupported = record.make.outcome == Outcome::kUnsupported;
    return;
  }
  for (int views = 0; views < step.argument; ++views) {
    Handle view = producer.Derive(Hook::kView, source.array);
    producer.Drop(std::exchange(source.array, view));
    if (view != nullptr) continue;
    record.make.outcome = Outcome::kUnsupported;
    life_.ledger.unsupported = true;
    return;
  }
  producer.Describe(source.array, record.description);
  source.strides_known = MadeStrides(record.description, life_.request(slot), source.strides);
  record.alive_known = producer.exporter().Watch(source.array, slot);
}

void ExportSteps::AskDevice(const Step& step) {
  const int from = LifeState::SourceOf(step);
  const LifeState::Source& source = life_.sources[from];
  if (source.array != nullptr) source.owner->exporter().AskDevice(source.array, life_.ledger.sources[from]);
}

void ExportSteps::ChangeMetadata(const Step& step) {
  const int from = LifeState::SourceOf(step);
  LifeState::Source& source = life_.sources[from];
  if (source.array == nullptr) return;
  source.owner->ChangeMetadata(source.array, step.argument, life_.ledger.sources[from].change);
  source.changed = true;
}

void ExportSteps::ReadSource(const Step& step) {
  const int from = LifeState::SourceOf(step);
  const LifeState::Source& source = life_.sources[from];
  if (source.array == nullptr || source.elements_unknown) return;
  ElementReading& reading = life_.ledger.sources[from].elements;
  const bool was_readable = reading.reading == Reading::kMatches || reading.reading == Reading::kUnreadable;
  elements_.ReadMade(from, source.array, elements_.SourceBytes(from), reading);
  // The library converted the array before the export. So the adapter supports it, and the export made it unreadable.
  if (was_readable && reading.reading == Reading::kUnsupported) reading.reading = Reading::kUnreadable;
}

void ExportSteps::UseSource(const Step& step) {
  const int from = LifeState::SourceOf(step);
  const LifeState::Source& source = life_.sources[from];
  if (source.array == nullptr) return;
  Subject& owner = *source.owner;
  ElementReading& used = life_.ledger.sources[from].used;
  const bool known = elements_.SourceBytes(from) > 0 && !source.elements_unknown;
  Handle copy = known ? owner.Derive(Hook::kCompute, source.array) : nullptr;
  if (copy == nullptr) {
    used.reading = Reading::kUnsupported;
    return;
  }
  elements_.ReadMade(from, copy, elements_.BytesOf(owner, copy, elements_.MeantBySource(from)), used);
  owner.Drop(copy);
}

void ExportSteps::DescribeSource(const Step& step) {
  const int from = LifeState::SourceOf(step);
  const LifeState::Source& source = life_.sources[from];
  if (source.array == nullptr) return;
  SourceLedger& record = life_.ledger.sources[from];
  Description now{};
  source.owner->Describe(source.array, now);
  record.changed_parts = ChangedParts(record.description, now);
  record.description = now;
}

void ExportSteps::WriteMade(const Step& step) {
  const int from = LifeState::SourceOf(step);
  const LifeState::Source& source = life_.sources[from];
  const Request& made = life_.request(from);
  const int64_t item = ItemSize(made.dtype);
  const int64_t index = step.argument;
  if (source.array == nullptr || source.changed || source.elements_unknown || item <= 0 || item > kWidestWritten) {
    return;
  }
  const int64_t may = elements_.SourceBytes(from);
  const std::span<const uint8_t> wanted = elements_.ExpectRequest(from);
  if (may < (index + 1) * item || static_cast<int64_t>(wanted.size()) < (index + 1) * item) return;
  uint8_t written[kWidestWritten];
  const std::span<const uint8_t> bits(written, static_cast<size_t>(item));
  OtherBits(made.dtype, made.seed, index, wanted.data() + index * item, written);
  SourceLedger& record = life_.ledger.sources[from];
  Refusal refusal{};
  if (!source.owner->Write(source.array, index, bits, refusal)) {
    record.write = refusal.outcome == Outcome::kRefused ? WriteShown::kRefused : WriteShown::kNotRun;
  } else {
    record.write = elements_.Shows(OfSource(from), *source.owner, source.array, may, index, bits);
    if (record.write == WriteShown::kShown) elements_.Remember(OfSource(from), index, bits);
    if (record.write != WriteShown::kShown) elements_.ForgetElements(OfSource(from));
  }
  if (record.first_write == WriteShown::kNotRun) record.first_write = record.write;
}

void ExportSteps::CloseSource(const Step& step) {
  const int from = LifeState::SourceOf(step);
  LifeState::Source& source = life_.sources[from];
  if (source.array == nullptr) return;
  life_.ledger.sources[from].closed = Close(*source.owner, ClosingOf(step), source.array,
                                            [&](const auto& work) { lanes_.Call(*source.owner, step, work); });
  life_.ledger.Add(Seen::kDropped, from);
}

void ExportSteps::DropSource(const Step& step) {
  const int source = LifeState::SourceOf(step);
  Handle array = std::exchange(life_.sources[source].array, nullptr);
  if (array == nullptr) return;
  Subject& owner = *life_.sources[source].owner;
  owner.Drop(array);
  life_.ledger.Add(Seen::kDropped, source);
  SourceLedger& record = life_.ledger.sources[source];
  for (int slot = 0; record.alive_known && slot < kSlots; ++slot) {
    const bool idle = life_.slots[slot].calls == 0 && life_.slots[slot].out.source == source;
    if (!idle || !life_.HasExport(slot)) continue;
    record.outlived = owner.exporter().WatchedIsAlive(source) ? Answer::kYes : Answer::kNo;
    return;
  }
}

bool ExportSteps::Begin(int slot) {
  LifeState::Exported& out = life_.slots[slot].out;
  const bool over = out.lost && life_.exported(slot).deleted;
  if (life_.HasCapsule(slot) && !over) return false;
  out = {};
  life_.exported(slot) = {};
  return true;
}

void ExportSteps::Export(const Step& step) {
  const int slot = step.slot;
  const int from = LifeState::SourceOf(step);
  const LifeState::Source& source = life_.sources[from];
  if (source.array == nullptr || !Begin(slot)) return;
  Subject& owner = *source.owner;
  LifeState::Exported& out = life_.slots[slot].out;
  out.owner = &owner;
  out.source = from;
  out.elements_unknown = source.changed;  // its elements changed, or their order
  // Of this export alone: an import of the array, or a cache, may keep references of its own.
  const int64_t references = owner.References(source.array);
  const auto work = [&] { owner.exporter().Export(source.array, cuda_.CallOf(step), slot, life_.ledger); };
  const Forge::Looking looking;  // the subject renews it when the library has exported
  lanes_.Call(owner, step, work);
  out.managed = owner.exporter().ExportedStruct(slot);
  ExportLedger& record = life_.exported(slot);
  life_.Note(slot, record.export_call.outcome);
  if (record.export_call.outcome != Outcome::kAccepted) {
    life_.ledger.sources[from].references_gained += owner.References(source.array) - references;
    return;
  }
  Locate(slot);
  NoteSharedStruct(slot);
  ReadFirst(slot);
  if (source.changed && life_.seen().sources[from].change.outcome == Outcome::kAccepted) {
    Description now{};
    owner.Describe(source.array, now);
    Forge::Looking::Renew();
    record.follows_change = Follows(now, record);
  }
}

void ExportSteps::NoteSharedStruct(int slot) {
  ExportLedger& record = life_.exported(slot);
  for (int other = 0; other < kSlots; ++other) {
    // Another lane that is in a call writes its own record.
    if (other != slot && life_.slots[other].calls == 0 && life_.HasExport(other) &&
        life_.exported(other).struct_address == record.struct_address) {
      record.same_struct = 1;
    }
  }
}

void ExportSteps::Locate(int slot) {
  ExportLedger& record = life_.exported(slot);
  if (record.struct_address == 0) return;
  const uint64_t first = reinterpret_cast<uint64_t>(record.tensor.data) + record.tensor.byte_offset;
  const LifeState::Exported& out = life_.slots[slot].out;
  record.place = out.reexported_from != 0 ? life_.forge.Locate(out.reexported_from - 1, first)
                                          : LocateIn(life_.seen().sources[out.source].description, first);
  cuda_.AskOfExport(slot);
}

void ExportSteps::ReadFirst(int slot) {
  ReadExport(slot);
  life_.exported(slot).first_elements = life_.exported(slot).elements;
}

void ExportSteps::Inspect(int slot) {
  if (!life_.HasExport(slot)) return;
  // Where host memory stands for a device, the ledger has the device that the struct does not have.
  const uint32_t compared = life_.forge.StandsIn() ? ~uint32_t{kPartDevice} : ~uint32_t{0};
  life_.exported(slot).changed_parts |=
      ChangedSinceExport(life_.slots[slot].out.managed, life_.exported(slot)) & compared;
}

void ExportSteps::ReadExportOn(const Step& step) {
  ReadExport(step.slot);
  if (step.stream != 0 && life_.HasExport(step.slot)) cuda_.ReadByKernel(step);
}

void ExportSteps::ReadExport(int slot) {
  if (!life_.HasExport(slot)) return;
  ExportLedger& record = life_.exported(slot);
  const LifeState::Exported& out = life_.slots[slot].out;
  record.elements = {};
  record.elements.reading = ReadExported(record, life_.scratch.got);
  record.data_readable = record.elements.reading == Reading::kMatches;
  if (record.elements.reading != Reading::kMatches) return;
  std::span<const uint8_t> wanted;
  bool known = !out.elements_unknown;
  if (int64_t item = 0; out.reexported_from != 0) {
    const int from = out.reexported_from - 1;
    // An import that was not described may have been narrowed.
    const bool narrowed = !life_.import(from).result.valid && IsNarrower(record.tensor.dtype, life_.DtypeOf(from));
    known = known && !narrowed && elements_.ExpectAs(from, &wanted, &item);
  } else {
    known = known && !life_.sources[out.source].elements_unknown;
    wanted = elements_.ExpectRequest(out.source);
  }
  if (!known) {
    record.elements.reading = Reading::kUnsupported;
    return;
  }
  const int64_t item = ItemSize(record.tensor.dtype);
  const int64_t bytes = ElementCount(record.shape, record.tensor.ndim) * item;
  elements_.Compare(bytes, wanted, item, record.elements);
  if (record.elements.reading == Reading::kWrongCount) return;
  record.packing = PackingOf(record, wanted, life_.scratch.got);
  if (record.elements.reading != Reading::kDiffers || !WasMadeSo(slot)) return;
  record.elements.reading = Reading::kUnsupported;
  elements_.ForgetElements(OfSource(out.source));
}

/// Whether the library itself reads the exported value in its odd array, which was then not made as requested.
bool ExportSteps::WasMadeSo(int slot) {
  const LifeState::Exported& out = life_.slots[slot].out;
  const LifeState::Source& source = life_.sources[out.source];
  if (out.reexported_from != 0 || source.array == nullptr) return false;
  if (life_.request(out.source).oddity == Oddity::kNone) return false;
  const ElementReading& exported = life_.exported(slot).elements;
  ElementReading made{};
  elements_.ReadMade(out.source, source.array, elements_.SourceBytes(out.source), made);
  return made.reading == Reading::kDiffers && made.first_difference == exported.first_difference &&
         made.got_bits == exported.got_bits;
}

void ExportSteps::WriteExport(const Step& step) {
  const int slot = step.slot;
  const int64_t index = step.argument;
  ExportLedger& record = life_.exported(slot);
  const int from = life_.slots[slot].out.source;
  const LifeState::Source& source = life_.sources[from];
  if (!life_.HasExport(slot) || source.array == nullptr || !record.data_readable) return;
  // After an in-place change it is unknown whether the export has the old or the new shape.
  if (source.changed) return;
  const int64_t item = ItemSize(record.tensor.dtype);
  if (item <= 0 || item > kWidestWritten || index >= ElementCount(record.shape, record.tensor.ndim)) return;
  const std::span<const uint8_t> wanted = elements_.ExpectRequest(from);
  if (static_cast<int64_t>(wanted.size()) < (index + 1) * item) return;
  // If the struct describes other elements, their memory may belong to something else.
  const Reading elements = record.elements.reading;
  if (elements == Reading::kDiffers || elements == Reading::kWrongCount) return;
  uint8_t written[kWidestWritten];
  const std::span<const uint8_t> bits(written, static_cast<size_t>(item));
  const Request& made = life_.request(from);
  OtherBits(made.dtype, made.seed, index, wanted.data() + index * item, written);
  if (!WriteExported(record, index, written)) return;
  const WriteShown shown =
      elements_.Shows(OfSource(from), *source.owner, source.array, elements_.SourceBytes(from), index, bits);
  if (shown != WriteShown::kNotRun) record.write_export = shown;
  if (shown == WriteShown::kShown) elements_.Remember(OfSource(from), index, bits);
  if (shown == WriteShown::kNotRun) elements_.ForgetElements(OfSource(from));
  if (shown == WriteShown::kNotShown) life_.slots[slot].out.elements_unknown = true;
}

void ExportSteps::TakeCapsule(int slot) {
  LifeState::Exported& out = life_.slots[slot].out;
  if (!life_.HasCapsule(slot) || out.lost || out.taken) return;
  out.owner->exporter().TakeCapsule(slot);
  out.taken = true;
}

void ExportSteps::Delete(const Step& step) {
  const int slot = step.slot;
  const LifeState::Exported& out = life_.slots[slot].out;
  if (!life_.HasExport(slot) || !out.taken) return;
  ExportLedger& record = life_.exported(slot);
  const bool versioned = record.versioned != 0;
  void* const managed = out.managed;
  if (EndsProcess(step.context)) return DeleteInCopy(step, managed, versioned);
  Subject& owner = *out.owner;
  record.deleted = 1;
  // In other contexts the GIL is not held, or an exception was pending before.
  const bool asks = !life_.lanes && step.context == Context::kUsual;
  const auto work = [&] {
    CallDeleter(managed, versioned);
    if (asks) record.left_exception = owner.runtime().ForgetException();
  };
  const auto watched = [&] {
    if (step.context != Context::kRawThread) return work();
    owner.runtime().WatchUnlocked(work, &record.frees_without_gil);
  };
  lanes_.Call(owner, step, watched, false);
  life_.ledger.Add(Seen::kDropped, slot);
}

/// The deleter runs in a fork with one thread. The tensor stays alive in this process.
void ExportSteps::DeleteInCopy(const Step& step, void* managed, bool versioned) {
  if (life_.lanes) return;
  Runtime& runtime = life_.slots[step.slot].out.owner->runtime();
  SurvivalOf(life_.exported(step.slot), step.context) =
      life_.effort == Effort::kToken ? Answer::kYes
                                     : runtime.InCopy(step.context, [&] { CallDeleter(managed, versioned); });
}

void ExportSteps::LoseCapsule(const Step& step) {
  const int slot = step.slot;
  LifeState::Exported& out = life_.slots[slot].out;
  if (!life_.HasCapsule(slot) || out.lost) return;
  out.lost = true;
  Subject& owner = *out.owner;
  lanes_.Call(owner, step, [&] { owner.exporter().LoseCapsule(slot); });
}

void ExportSteps::End(int slot) {
  const auto number = static_cast<uint8_t>(slot);
  if (life_.slots[slot].out.taken) Delete({.op = Op::kDelete, .slot = number});
  LoseCapsule({.op = Op::kLoseCapsule, .slot = number});
}

}  // namespace dlpack_cts
