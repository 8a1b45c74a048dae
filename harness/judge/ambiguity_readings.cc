// harness/judge/ambiguity_readings.cc: what an exchange shows of each choice that an exchange can show.
#include "harness/judge/ambiguity_readings.h"

#include <algorithm>
#include <cstdint>
#include <span>

#include "harness/judge/freedom_list.h"
#include "harness/recipe/dtypes.h"
#include "harness/recipe/generator.h"
#include "harness/recipe/packing.h"

namespace dlpack_cts {
namespace {

/// An import of the harness's own tensor: the first of a life.
struct Import {
  const Offer& offer;
  const Call& call;
  const ImportLedger& seen;
  bool bare;
};

template <typename Look>
int OfImport(const Recipe& recipe, const Ledger& ledger, Look look) {
  if (recipe.kind != RecipeKind::kImport) return kNoReading;
  for (const Step& step : recipe.life()) {
    if (step.op != Op::kImport && step.op != Op::kImportCapsule) continue;
    const ImportLedger& seen = ledger.imports[step.slot];
    if (!Accepted(seen.import) && !Refused(seen.import)) return kNoReading;
    return look(Import{recipe.offer(step.block), recipe.call(step.call), seen, step.op == Op::kImportCapsule});
  }
  return kNoReading;
}

/// An export of an array that the library made: the first of a life.
struct Export {
  const Request& request;
  const Call& call;
  const ExportLedger& seen;
};

template <typename Look>
int OfExport(const Recipe& recipe, const Ledger& ledger, Look look) {
  if (recipe.kind != RecipeKind::kExport || !Accepted(ledger.sources[0].make)) return kNoReading;
  for (const Step& step : recipe.life()) {
    if (step.op != Op::kExport) continue;
    const ExportLedger& seen = ledger.exports[step.slot];
    if (!Accepted(seen.export_call) && !Refused(seen.export_call)) return kNoReading;
    return look(Export{recipe.request(), recipe.call(step.call), seen});
  }
  return kNoReading;
}

int TakesOrRefuses(const Import& import) { return Accepted(import.seen.import) ? 0 : 1; }
int SharesOrCopies(const Import& import) {
  if (!Accepted(import.seen.import) || import.seen.result.has_pointer == 0) return kNoReading;
  return import.seen.Aliases() ? 0 : import.seen.place.area == Area::kElsewhere ? 1 : kNoReading;
}

/// BufferError, the other class that a text names, or another one.
int ClassOf(const Refusal& refusal, bool other) { return refusal.buffer_error != 0 ? 0 : other ? 1 : 2; }

bool IsNothing(const Argument& argument) {
  return argument.kind == ArgumentKind::kAbsent || argument.kind == ArgumentKind::kNone;
}
bool SameDevice(const Offer& offer) {
  return offer.reported_device.device_type == offer.device.device_type &&
         offer.reported_device.device_id == offer.device.device_id;
}
bool IsVersioned(const Offer& offer) { return offer.kind == StructKind::kVersioned; }
bool IsOnCpu(const Offer& offer) { return offer.device.device_type == abi::kDLCPU; }
bool HasElements(const Offer& offer) { return ElementCount(offer.shape, offer.dims) > 0; }
/// A producer and a tensor that no consumer has a reason to doubt, wherever it lies.
bool IsUsualAnywhere(const Offer& offer) {
  const bool data = offer.placement != Placement::kUnmapped && offer.placement != Placement::kNull;
  return offer.ndim == offer.dims && offer.dims <= kWalkedDims && offer.negative_metadata == 0 &&
         offer.null_shape == 0 && (data || !HasElements(offer)) && DataTypeIndex(offer.dtype) >= 0 &&
         !IsSubByte(offer.dtype) &&  // few libraries have them
         (!IsVersioned(offer) || offer.major == 1) && offer.name == CapsuleName::kOwn &&
         (offer.gives == Gives::kCapsule || offer.gives == Gives::kStored);
}
bool IsUsual(const Offer& offer) { return IsUsualAnywhere(offer) && IsOnCpu(offer) && SameDevice(offer); }

/// The producer had nothing against what it was asked for.
bool WasServed(const Import& import) {
  const auto calls = static_cast<size_t>(std::clamp(import.seen.producer_calls, 0, kProducerCalls));
  return std::none_of(import.seen.calls, import.seen.calls + calls,
                      [](const ProducerCall& call) { return call.raised != 0; });
}

/// Everything else about the call is the default.
bool IsPlain(const Call& call) {
  return IsNothing(call.stream) && IsNothing(call.dl_device) && IsNothing(call.copy) && call.unknown_keyword == 0;
}
bool IsPlain(const Export& exported) { return exported.request.oddity == Oddity::kNone && IsPlain(exported.call); }

bool GaveStruct(const Export& exported) {
  return Accepted(exported.seen.export_call) && exported.seen.struct_address != 0;
}

template <typename Test>
bool AnyStride(const Offer& offer, Test test) {
  if (offer.strides_kind != StridesKind::kExplicit || !HasElements(offer)) return false;
  for (int d = 0; d < offer.dims; ++d) {
    if (offer.shape[d] > 1 && test(offer.strides[d])) return true;
  }
  return false;
}

}  // namespace

int NullStridesSince12(const Recipe& recipe, const Ledger& ledger) {
  return OfImport(recipe, ledger, [](const Import& import) {
    const Offer& offer = import.offer;
    const bool asked = IsUsual(offer) && IsVersioned(offer) && offer.minor >= 2 && offer.ndim > 0 &&
                       offer.strides_kind == StridesKind::kNull;
    return asked ? TakesOrRefuses(import) : kNoReading;
  });
}

int OwnNullStrides(const Recipe& recipe, const Ledger& ledger) {
  return OfExport(recipe, ledger, [](const Export& exported) {
    return GaveStruct(exported) && exported.seen.tensor.ndim > 0 ? exported.seen.null_strides : kNoReading;
  });
}

int PublishedTable(const Recipe&, const Ledger& ledger) {
  const TableLedger& table = ledger.tables[0];
  if (table.looked == 0 || (table.current == Published::kNot && table.older == Published::kNot)) return kNoReading;
  const bool now = table.current == Published::kCapsule;
  const bool before = table.older == Published::kInt;
  if (now && table.older == Published::kNot) return 0;
  if (before && table.current == Published::kNot) return 1;
  return now && before ? 2 : 3;
}

int FailingStatus(const Recipe&, const Ledger& ledger) {
  for (const TableCall& call : ledger.tables[0].calls) {
    if (call.called != 0 && call.status != 0) return call.status == -1 ? 0 : 1;
  }
  return kNoReading;
}

int RefusalOfImpossibleSharing(const Recipe& recipe, const Ledger& ledger) {
  return OfImport(recipe, ledger, [](const Import& import) {
    if (import.call.copy.kind != ArgumentKind::kFalse || !Refused(import.seen.import) || !WasServed(import) ||
        !IsUsual(import.offer) || !IsNothing(import.call.dl_device)) {
      return kNoReading;
    }
    return ClassOf(import.seen.import, import.seen.import.builtin.view() == "ValueError");
  });
}

int RefusalOfADevice(const Recipe& recipe, const Ledger& ledger) {
  return OfImport(recipe, ledger, [](const Import& import) {
    if (IsOnCpu(import.offer) || !Refused(import.seen.import) || !WasServed(import) || !IsUsualAnywhere(import.offer))
      return kNoReading;
    return ClassOf(import.seen.import, import.seen.import.type_error != 0);
  });
}

int DataOfEmptyExports(const Recipe& recipe, const Ledger& ledger) {
  return OfExport(recipe, ledger, [](const Export& exported) {
    if (!GaveStruct(exported) || ElementCount(exported.request.shape, exported.request.dims) != 0) return kNoReading;
    return exported.seen.tensor.data == nullptr ? 0 : 1;
  });
}

int AlignmentOfExports(const Recipe& recipe, const Ledger& ledger) {
  return OfExport(recipe, ledger, [](const Export& exported) {
    const auto address = reinterpret_cast<uintptr_t>(exported.seen.tensor.data);
    if (!GaveStruct(exported) || exported.request.making != Making::kFresh || address == 0) return kNoReading;
    return address % 256 == 0 ? 1 : 0;
  });
}

int StreamThatIsPassed(const Recipe& recipe, const Ledger& ledger) {
  return OfImport(recipe, ledger, [](const Import& import) {
    if (!IsOnCpu(import.offer)) return kNoReading;
    const int calls = std::min(import.seen.producer_calls, kProducerCalls);
    for (const ProducerCall& call : std::span(import.seen.calls, static_cast<size_t>(std::max(calls, 0)))) {
      if (call.is_device != 0) continue;
      return call.stream.kind == ArgumentKind::kAbsent ? 0 : call.stream.kind == ArgumentKind::kNone ? 1 : 2;
    }
    return kNoReading;
  });
}

int MinusOneAsStream(const Recipe& recipe, const Ledger& ledger) {
  return OfExport(recipe, ledger, [](const Export& exported) {
    const Argument& stream = exported.call.stream;
    if (stream.kind != ArgumentKind::kInt || stream.a != -1) return kNoReading;
    return Accepted(exported.seen.export_call) ? 0 : 1;
  });
}

int OtherStreams(const Recipe& recipe, const Ledger& ledger) {
  return OfExport(recipe, ledger, [](const Export& exported) {
    const Argument& stream = exported.call.stream;
    if (stream.kind != ArgumentKind::kInt || stream.a < 1) return kNoReading;
    return Accepted(exported.seen.export_call) ? 0 : 1;
  });
}

int DevicesThatDisagree(const Recipe& recipe, const Ledger& ledger) {
  return OfImport(recipe, ledger, [](const Import& import) {
    const Offer& offer = import.offer;
    return import.bare || SameDevice(offer) ? kNoReading : TakesOrRefuses(import);
  });
}

int MajorZero(const Recipe& recipe, const Ledger& ledger) {
  return OfImport(recipe, ledger, [](const Import& import) {
    return IsVersioned(import.offer) && import.offer.major == 0 ? TakesOrRefuses(import) : kNoReading;
  });
}

int UnknownFlags(const Recipe& recipe, const Ledger& ledger) {
  return OfImport(recipe, ledger, [](const Import& import) {
    const bool asked =
        IsVersioned(import.offer) && IsUsual(import.offer) && (import.offer.flags & ~abi::kPublishedFlags) != 0;
    return asked ? TakesOrRefuses(import) : kNoReading;
  });
}

int MinorThatIsDeclared(const Recipe& recipe, const Ledger& ledger) {
  return OfExport(recipe, ledger, [](const Export& exported) {
    const Argument& asked = exported.call.max_version;
    if (!GaveStruct(exported) || exported.seen.versioned == 0) return kNoReading;
    if (asked.kind != ArgumentKind::kPair || asked.a != 1) return kNoReading;
    return static_cast<int64_t>(exported.seen.version.minor) > asked.b ? 0 : 1;
  });
}

int SixBits(const Recipe& recipe, const Ledger& ledger) {
  const int exported = OfExport(recipe, ledger, [](const Export& out) {
    const bool known = GaveStruct(out) && out.request.dtype.bits == 6 && out.seen.packing != Packing::kNone;
    // One element shows no order.
    const bool several = ElementCount(out.request.shape, out.request.dims) > 1;
    if (!known || !several || out.seen.packing == Packing::kPadded) return kNoReading;
    return out.seen.packing == Packing::kLowFirst ? 0 : 1;
  });
  if (exported != kNoReading) return exported;
  return OfImport(recipe, ledger, [](const Import& in) {
    if (PackedBits(in.offer) != 6 || !Accepted(in.seen.import)) return kNoReading;
    if (ElementCount(in.offer.shape, in.offer.dims) < 2) return kNoReading;
    const Reading reading = in.seen.library.reading;
    return reading == Reading::kMatches ? 0 : reading == Reading::kDiffers ? 1 : kNoReading;
  });
}

int PairsThatShareAByte(const Recipe& recipe, const Ledger& ledger) {
  const auto reading = [](const int64_t* meant, const int64_t* shape, int dims) {
    if (dims < 1 || meant[dims - 1] < 2) return kNoReading;
    return shape[dims - 1] == meant[dims - 1] ? 0 : shape[dims - 1] == (meant[dims - 1] + 1) / 2 ? 1 : kNoReading;
  };
  const int exported = OfExport(recipe, ledger, [&](const Export& out) {
    if (!GaveStruct(out) || PackedBits(out.request.dtype, false) != 4) return kNoReading;
    if (out.seen.tensor.ndim != out.request.dims || out.seen.metadata_readable == 0) return kNoReading;
    return reading(out.request.shape, out.seen.shape, out.request.dims);
  });
  if (exported != kNoReading) return exported;
  return OfImport(recipe, ledger, [&](const Import& in) {
    if (PackedBits(in.offer) != 4 || !Accepted(in.seen.import)) return kNoReading;
    if (in.seen.result.has_shape == 0 || in.seen.result.ndim != in.offer.dims) return kNoReading;
    return reading(in.offer.shape, in.seen.result.shape, in.offer.dims);
  });
}

int PendingExceptions(const Recipe&, const Ledger& ledger) {
  const Survival survived = ledger.exports[0].pending_exception;
  return survived == Survival::kNotRun ? kNoReading : survived == Survival::kSurvived ? 0 : 1;
}

int DestructorOfTaken(const Recipe& recipe, const Ledger& ledger) {
  return OfImport(recipe, ledger, [](const Import& import) {
    const NameSeen name = import.seen.name_after;
    const bool used = name == NameSeen::kUsedLegacy || name == NameSeen::kUsedVersioned;
    if (!used || import.offer.destructor == DestructorKind::kNone) return kNoReading;
    return import.seen.capsule_destructor_changed != 0 ? 1 : 0;
  });
}

int NullDeleter(const Recipe& recipe, const Ledger& ledger) {
  return OfImport(recipe, ledger, [](const Import& import) {
    return IsUsual(import.offer) && import.offer.deleter == DeleterKind::kNull ? TakesOrRefuses(import) : kNoReading;
  });
}

int ReleaseByAFailingTable(const Recipe& recipe, const Ledger& ledger) {
  const TableCall& call = ledger.tables[0].calls[static_cast<size_t>(TableFunction::kToObject)];
  if (call.called == 0 || call.status == 0) return kNoReading;
  for (const Step& step : recipe.life()) {
    if (step.op == Op::kTableImport) return ledger.imports[step.slot].deleter.calls_in_import != 0 ? 1 : 0;
  }
  return kNoReading;
}

int OwnDeviceAsTarget(const Recipe& recipe, const Ledger& ledger) {
  return OfExport(recipe, ledger, [](const Export& exported) {
    const Argument& device = exported.call.dl_device;
    if (device.kind != ArgumentKind::kPair || device.a != abi::kDLCPU || device.b != 0) return kNoReading;
    return Accepted(exported.seen.export_call) ? 0 : 1;
  });
}

int CopyInALegacyStruct(const Recipe& recipe, const Ledger& ledger) {
  return OfExport(recipe, ledger, [](const Export& exported) {
    if (exported.call.copy.kind != ArgumentKind::kTrue || !IsNothing(exported.call.max_version)) return kNoReading;
    return Accepted(exported.seen.export_call) ? 0 : 1;
  });
}

int PlainImports(const Recipe& recipe, const Ledger& ledger) {
  return OfImport(recipe, ledger, [](const Import& import) {
    const bool plain = import.offer.strides_kind != StridesKind::kExplicit && HasElements(import.offer);
    return plain && IsUsual(import.offer) && IsPlain(import.call) ? SharesOrCopies(import) : kNoReading;
  });
}

int StridedImports(const Recipe& recipe, const Ledger& ledger) {
  return OfImport(recipe, ledger, [](const Import& import) {
    const bool strided = AnyStride(import.offer, [](int64_t) { return true; });
    return strided && IsUsual(import.offer) && IsPlain(import.call) ? SharesOrCopies(import) : kNoReading;
  });
}

int ReadOnlyInALegacyStruct(const Recipe& recipe, const Ledger& ledger) {
  return OfExport(recipe, ledger, [](const Export& exported) {
    if (exported.request.read_only == 0 || !IsNothing(exported.call.max_version) || !IsPlain(exported))
      return kNoReading;
    if (Refused(exported.seen.export_call)) return 0;
    if (exported.seen.versioned != 0 || exported.seen.place.area == Area::kUnknown) return kNoReading;
    return exported.seen.IsAtSource() ? 2 : 1;
  });
}

/// Of an extent of 1 in front of others, whose compact stride is more than 1.
int StridesOfUnitExtents(const Recipe& recipe, const Ledger& ledger) {
  return OfExport(recipe, ledger, [](const Export& exported) {
    const Request& request = exported.request;
    if (!GaveStruct(exported) || exported.seen.null_strides != 0 || exported.seen.metadata_readable == 0)
      return kNoReading;
    if (request.strides_kind == StridesKind::kExplicit || request.making != Making::kFresh) return kNoReading;
    int64_t compact = 1;
    int reading = kNoReading;
    for (int d = request.dims - 1; d >= 0; --d) {
      if (request.shape[d] == 0) return kNoReading;
      if (request.shape[d] == 1 && compact > 1) reading = exported.seen.strides[d] == 1 ? 1 : 0;
      compact *= request.shape[d];
    }
    return reading;
  });
}

int NegativeStrides(const Recipe& recipe, const Ledger& ledger) {
  return OfImport(recipe, ledger, [](const Import& import) {
    const bool asked = AnyStride(import.offer, [](int64_t stride) { return stride < 0; });
    return asked && IsUsual(import.offer) ? TakesOrRefuses(import) : kNoReading;
  });
}

int ZeroStrides(const Recipe& recipe, const Ledger& ledger) {
  return OfImport(recipe, ledger, [](const Import& import) {
    const bool asked = AnyStride(import.offer, [](int64_t stride) { return stride == 0; });
    return asked && IsUsual(import.offer) ? TakesOrRefuses(import) : kNoReading;
  });
}

int OffersTheTable(const Recipe&, const Ledger& ledger) {
  const TableLedger& table = ledger.tables[0];
  return table.looked == 0 ? kNoReading : table.found != 0 ? 0 : 1;
}

int LegacyExports(const Recipe& recipe, const Ledger& ledger) {
  return OfExport(recipe, ledger, [](const Export& exported) {
    if (!IsNothing(exported.call.max_version) || exported.request.read_only != 0 || !IsPlain(exported))
      return kNoReading;
    if (Refused(exported.seen.export_call)) return exported.seen.export_call.buffer_error != 0 ? 1 : kNoReading;
    return exported.seen.struct_address == 0 ? kNoReading : exported.seen.versioned != 0 ? 2 : 0;
  });
}

int CallsOfSetError(const Recipe&, const Ledger& ledger) {
  const TableLedger& table = ledger.tables[0];
  const TableCall& call = table.calls[static_cast<size_t>(TableFunction::kAllocator)];
  if (call.called == 0 || call.status == 0) return kNoReading;
  return table.set_errors == 1 ? 0 : table.set_errors == 0 ? 1 : 2;
}

int BareCapsules(const Recipe& recipe, const Ledger& ledger) {
  return OfImport(recipe, ledger, [](const Import& import) {
    return import.bare && IsUsual(import.offer) ? TakesOrRefuses(import) : kNoReading;
  });
}

int AnswerToMaxVersion(const Recipe& recipe, const Ledger& ledger) {
  return OfExport(recipe, ledger, [](const Export& exported) {
    const Argument& asked = exported.call.max_version;
    if (!GaveStruct(exported) || asked.kind != ArgumentKind::kPair || asked.a != 1) return kNoReading;
    return exported.seen.versioned != 0 ? 0 : 1;
  });
}

}  // namespace dlpack_cts
