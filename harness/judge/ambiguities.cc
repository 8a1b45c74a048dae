// harness/judge/ambiguities.cc: one row for each choice that the specification leaves, with what shows a library's.
#include "harness/judge/ambiguities.h"

#include <algorithm>
#include <cstdint>

#include "harness/recipe/dtypes.h"
#include "harness/recipe/layout.h"

namespace dlpack_cts {
namespace {

constexpr int kNone = -1;
constexpr int kWeakRefusal = 1;  // of the readings {takes, refuses}

bool Accepted(const Refusal& answer) { return answer.outcome == Outcome::kAccepted; }
bool Refused(const Refusal& answer) { return answer.outcome == Outcome::kRefused; }

/// An import of the harness's own tensor: the first of a life.
struct Import {
  const Offer& offer;
  const Call& call;
  const ImportLedger& seen;
  bool bare;
};

template <typename Look>
int OfImport(const Recipe& recipe, const Ledger& ledger, Look look) {
  if (recipe.kind != RecipeKind::kImport) return kNone;
  for (const Step& step : recipe.life()) {
    if (step.op != Op::kImport && step.op != Op::kImportCapsule) continue;
    const ImportLedger& seen = ledger.imports[step.slot];
    if (!Accepted(seen.import) && !Refused(seen.import)) return kNone;
    return look(Import{recipe.offer(step.block), recipe.call(step.call), seen, step.op == Op::kImportCapsule});
  }
  return kNone;
}

/// An export of an array that the library made: the first of a life.
struct Export {
  const Request& request;
  const Call& call;
  const ExportLedger& seen;
};

template <typename Look>
int OfExport(const Recipe& recipe, const Ledger& ledger, Look look) {
  if (recipe.kind != RecipeKind::kExport || !Accepted(ledger.sources[0].make)) return kNone;
  for (const Step& step : recipe.life()) {
    if (step.op != Op::kExport) continue;
    const ExportLedger& seen = ledger.exports[step.slot];
    if (!Accepted(seen.export_call) && !Refused(seen.export_call)) return kNone;
    return look(Export{recipe.request(), recipe.call(step.call), seen});
  }
  return kNone;
}

int TakesOrRefuses(const Import& import) { return Accepted(import.seen.import) ? 0 : 1; }
int SharesOrCopies(const Import& import) {
  if (!Accepted(import.seen.import) || import.seen.result.has_pointer == 0) return kNone;
  return import.seen.Aliases() ? 0 : import.seen.place.area == Area::kElsewhere ? 1 : kNone;
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

/// Nothing but what is asked about is peculiar about the call.
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

int NullStridesSince12(const Recipe& recipe, const Ledger& ledger) {
  return OfImport(recipe, ledger, [](const Import& import) {
    const Offer& offer = import.offer;
    const bool asked = IsUsual(offer) && IsVersioned(offer) && offer.minor >= 2 && offer.ndim > 0 &&
                       offer.strides_kind == StridesKind::kNull;
    return asked ? TakesOrRefuses(import) : kNone;
  });
}

int OwnNullStrides(const Recipe& recipe, const Ledger& ledger) {
  return OfExport(recipe, ledger, [](const Export& exported) {
    return GaveStruct(exported) && exported.seen.tensor.ndim > 0 ? exported.seen.null_strides : kNone;
  });
}

int PublishedTable(const Recipe&, const Ledger& ledger) {
  const TableLedger& table = ledger.tables[0];
  if (table.looked == 0 || (table.current == Published::kNot && table.older == Published::kNot)) return kNone;
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
  return kNone;
}

int RefusalOfImpossibleSharing(const Recipe& recipe, const Ledger& ledger) {
  return OfImport(recipe, ledger, [](const Import& import) {
    if (import.call.copy.kind != ArgumentKind::kFalse || !Refused(import.seen.import) || !WasServed(import) ||
        !IsUsual(import.offer) || !IsNothing(import.call.dl_device)) {
      return kNone;
    }
    return ClassOf(import.seen.import, import.seen.import.type.view() == "ValueError");
  });
}

int RefusalOfADevice(const Recipe& recipe, const Ledger& ledger) {
  return OfImport(recipe, ledger, [](const Import& import) {
    if (IsOnCpu(import.offer) || !Refused(import.seen.import) || !WasServed(import) || !IsUsualAnywhere(import.offer))
      return kNone;
    return ClassOf(import.seen.import, import.seen.import.type_error != 0);
  });
}

int DataOfEmptyExports(const Recipe& recipe, const Ledger& ledger) {
  return OfExport(recipe, ledger, [](const Export& exported) {
    if (!GaveStruct(exported) || ElementCount(exported.request.shape, exported.request.dims) != 0) return kNone;
    return exported.seen.tensor.data == nullptr ? 0 : 1;
  });
}

int AlignmentOfExports(const Recipe& recipe, const Ledger& ledger) {
  return OfExport(recipe, ledger, [](const Export& exported) {
    const auto address = reinterpret_cast<uintptr_t>(exported.seen.tensor.data);
    if (!GaveStruct(exported) || exported.request.making != Making::kFresh || address == 0) return kNone;
    return address % 256 == 0 ? 1 : 0;
  });
}

int StreamThatIsPassed(const Recipe& recipe, const Ledger& ledger) {
  return OfImport(recipe, ledger, [](const Import& import) {
    if (!IsOnCpu(import.offer)) return kNone;
    const int calls = std::min(import.seen.producer_calls, kProducerCalls);
    for (const ProducerCall& call : std::span(import.seen.calls, static_cast<size_t>(std::max(calls, 0)))) {
      if (call.is_device != 0) continue;
      return call.stream.kind == ArgumentKind::kAbsent ? 0 : call.stream.kind == ArgumentKind::kNone ? 1 : 2;
    }
    return kNone;
  });
}

int MinusOneAsStream(const Recipe& recipe, const Ledger& ledger) {
  return OfExport(recipe, ledger, [](const Export& exported) {
    const Argument& stream = exported.call.stream;
    if (stream.kind != ArgumentKind::kInt || stream.a != -1) return kNone;
    return Accepted(exported.seen.export_call) ? 0 : 1;
  });
}

int OtherStreams(const Recipe& recipe, const Ledger& ledger) {
  return OfExport(recipe, ledger, [](const Export& exported) {
    const Argument& stream = exported.call.stream;
    if (stream.kind != ArgumentKind::kInt || stream.a < 1) return kNone;
    return Accepted(exported.seen.export_call) ? 0 : 1;
  });
}

int DevicesThatDisagree(const Recipe& recipe, const Ledger& ledger) {
  return OfImport(recipe, ledger, [](const Import& import) {
    const Offer& offer = import.offer;
    return import.bare || SameDevice(offer) ? kNone : TakesOrRefuses(import);
  });
}

int MajorZero(const Recipe& recipe, const Ledger& ledger) {
  return OfImport(recipe, ledger, [](const Import& import) {
    return IsVersioned(import.offer) && import.offer.major == 0 ? TakesOrRefuses(import) : kNone;
  });
}

int UnknownFlags(const Recipe& recipe, const Ledger& ledger) {
  constexpr uint64_t kKnown = abi::kFlagReadOnly | abi::kFlagIsCopied | abi::kFlagSubbytePadded;
  return OfImport(recipe, ledger, [](const Import& import) {
    const bool asked = IsVersioned(import.offer) && IsUsual(import.offer) && (import.offer.flags & ~kKnown) != 0;
    return asked ? TakesOrRefuses(import) : kNone;
  });
}

int MinorThatIsDeclared(const Recipe& recipe, const Ledger& ledger) {
  return OfExport(recipe, ledger, [](const Export& exported) {
    const Argument& asked = exported.call.max_version;
    if (!GaveStruct(exported) || exported.seen.versioned == 0) return kNone;
    if (asked.kind != ArgumentKind::kPair || asked.a != 1) return kNone;
    return static_cast<int64_t>(exported.seen.version.minor) > asked.b ? 0 : 1;
  });
}

int PendingExceptions(const Recipe&, const Ledger& ledger) {
  const uint8_t survived = ledger.exports[0].pending_survived;
  return survived == 0 ? kNone : survived - 1;
}

int DestructorOfTaken(const Recipe& recipe, const Ledger& ledger) {
  return OfImport(recipe, ledger, [](const Import& import) {
    const NameSeen name = import.seen.name_after;
    const bool used = name == NameSeen::kUsedLegacy || name == NameSeen::kUsedVersioned;
    if (!used || import.offer.destructor == DestructorKind::kNone) return kNone;
    return import.seen.capsule_destructor_changed != 0 ? 1 : 0;
  });
}

int NullDeleter(const Recipe& recipe, const Ledger& ledger) {
  return OfImport(recipe, ledger, [](const Import& import) {
    return IsUsual(import.offer) && import.offer.deleter == DeleterKind::kNull ? TakesOrRefuses(import) : kNone;
  });
}

int ReleaseByAFailingTable(const Recipe& recipe, const Ledger& ledger) {
  const TableCall& call = ledger.tables[0].calls[static_cast<size_t>(TableFunction::kToObject)];
  if (call.called == 0 || call.status == 0) return kNone;
  for (const Step& step : recipe.life()) {
    if (step.op == Op::kTableImport) return ledger.imports[step.slot].deleter.calls_in_import != 0 ? 1 : 0;
  }
  return kNone;
}

int OwnDeviceAsTarget(const Recipe& recipe, const Ledger& ledger) {
  return OfExport(recipe, ledger, [](const Export& exported) {
    const Argument& device = exported.call.dl_device;
    if (device.kind != ArgumentKind::kPair || device.a != abi::kDLCPU || device.b != 0) return kNone;
    return Accepted(exported.seen.export_call) ? 0 : 1;
  });
}

int CopyInALegacyStruct(const Recipe& recipe, const Ledger& ledger) {
  return OfExport(recipe, ledger, [](const Export& exported) {
    if (exported.call.copy.kind != ArgumentKind::kTrue || !IsNothing(exported.call.max_version)) return kNone;
    return Accepted(exported.seen.export_call) ? 0 : 1;
  });
}

int PlainImports(const Recipe& recipe, const Ledger& ledger) {
  return OfImport(recipe, ledger, [](const Import& import) {
    const bool plain = import.offer.strides_kind != StridesKind::kExplicit && HasElements(import.offer);
    return plain && IsUsual(import.offer) && IsPlain(import.call) ? SharesOrCopies(import) : kNone;
  });
}

int StridedImports(const Recipe& recipe, const Ledger& ledger) {
  return OfImport(recipe, ledger, [](const Import& import) {
    const bool strided = AnyStride(import.offer, [](int64_t) { return true; });
    return strided && IsUsual(import.offer) && IsPlain(import.call) ? SharesOrCopies(import) : kNone;
  });
}

int ReadOnlyInALegacyStruct(const Recipe& recipe, const Ledger& ledger) {
  return OfExport(recipe, ledger, [](const Export& exported) {
    if (exported.request.read_only == 0 || !IsNothing(exported.call.max_version) || !IsPlain(exported)) return kNone;
    if (Refused(exported.seen.export_call)) return 0;
    if (exported.seen.versioned != 0 || exported.seen.place.area == Area::kUnknown) return kNone;
    return exported.seen.IsAtSource() ? 2 : 1;
  });
}

/// Of an extent of 1 in front of others, whose compact stride is more than 1.
int StridesOfUnitExtents(const Recipe& recipe, const Ledger& ledger) {
  return OfExport(recipe, ledger, [](const Export& exported) {
    const Request& request = exported.request;
    if (!GaveStruct(exported) || exported.seen.null_strides != 0 || exported.seen.metadata_readable == 0) return kNone;
    if (request.strides_kind == StridesKind::kExplicit || request.making != Making::kFresh) return kNone;
    int64_t compact = 1;
    int reading = kNone;
    for (int d = request.dims - 1; d >= 0; --d) {
      if (request.shape[d] == 0) return kNone;
      if (request.shape[d] == 1 && compact > 1) reading = exported.seen.strides[d] == 1 ? 1 : 0;
      compact *= request.shape[d];
    }
    return reading;
  });
}

int NegativeStrides(const Recipe& recipe, const Ledger& ledger) {
  return OfImport(recipe, ledger, [](const Import& import) {
    const bool asked = AnyStride(import.offer, [](int64_t stride) { return stride < 0; });
    return asked && IsUsual(import.offer) ? TakesOrRefuses(import) : kNone;
  });
}

int ZeroStrides(const Recipe& recipe, const Ledger& ledger) {
  return OfImport(recipe, ledger, [](const Import& import) {
    const bool asked = AnyStride(import.offer, [](int64_t stride) { return stride == 0; });
    return asked && IsUsual(import.offer) ? TakesOrRefuses(import) : kNone;
  });
}

int OffersTheTable(const Recipe&, const Ledger& ledger) {
  const TableLedger& table = ledger.tables[0];
  return table.looked == 0 ? kNone : table.found != 0 ? 0 : 1;
}

int LegacyExports(const Recipe& recipe, const Ledger& ledger) {
  return OfExport(recipe, ledger, [](const Export& exported) {
    if (!IsNothing(exported.call.max_version) || exported.request.read_only != 0 || !IsPlain(exported)) return kNone;
    if (Refused(exported.seen.export_call)) return exported.seen.export_call.buffer_error != 0 ? 1 : kNone;
    return exported.seen.struct_address == 0 ? kNone : exported.seen.versioned != 0 ? 2 : 0;
  });
}

int CallsOfSetError(const Recipe&, const Ledger& ledger) {
  const TableLedger& table = ledger.tables[0];
  const TableCall& call = table.calls[static_cast<size_t>(TableFunction::kAllocator)];
  if (call.called == 0 || call.status == 0) return kNone;
  return table.set_errors == 1 ? 0 : table.set_errors == 0 ? 1 : 2;
}

int BareCapsules(const Recipe& recipe, const Ledger& ledger) {
  return OfImport(recipe, ledger, [](const Import& import) {
    return import.bare && IsUsual(import.offer) ? TakesOrRefuses(import) : kNone;
  });
}

int AnswerToMaxVersion(const Recipe& recipe, const Ledger& ledger) {
  return OfExport(recipe, ledger, [](const Export& exported) {
    const Argument& asked = exported.call.max_version;
    if (!GaveStruct(exported) || asked.kind != ArgumentKind::kPair || asked.a != 1) return kNone;
    return exported.seen.versioned != 0 ? 0 : 1;
  });
}

constexpr std::string_view kGpu = "needs an array on a GPU";
constexpr std::string_view kOfTheText = "is about the words of the texts alone: nothing that a library does shows it";

constexpr Ambiguity kAmbiguities[] = {
    {"A-01",
     "C-STRIDES-04",
     "NULL strides that one text forbids since 1.2, of a struct that says 1.2 or later",
     {"takes them", "refuses them"},
     NullStridesSince12,
     kWeakRefusal,
     ""},
    {"A-01",
     "C-STRIDES-01",
     "NULL strides of compact arrays, that the other text still allows",
     {"writes strides", "leaves strides NULL"},
     OwnNullStrides,
     kNone,
     ""},
    {"A-02",
     "XAPI-DISC-02",
     "the name and the form of the attribute that holds the exchange table",
     {"the capsule of 1.3", "the integer of 1.2", "both", "another mix"},
     PublishedTable,
     kNone,
     ""},
    {"A-03",
     "XAPI-RET-01",
     "what a function of the table returns that fails",
     {"-1", "another number"},
     FailingStatus,
     kNone,
     ""},
    {"A-04", "XAPI-VER-05", "the name of the field that leads to an older table", {}, nullptr, kNone, kOfTheText},
    {"A-05", "C-VERSION-08", "what a minor version may change", {}, nullptr, kNone, kOfTheText},
    {"A-06",
     "PY-COPY-07",
     "the exception of from_dlpack where copy=False cannot be had",
     {"BufferError", "ValueError", "another exception"},
     RefusalOfImpossibleSharing,
     kNone,
     ""},
    {"A-07",
     "PY-FROM-09",
     "the exception for a device that the consumer does not know",
     {"BufferError", "TypeError", "another exception"},
     RefusalOfADevice,
     kNone,
     ""},
    {"A-08",
     "C-DATA-04",
     "the data pointer of exports without elements",
     {"NULL", "not NULL"},
     DataOfEmptyExports,
     kNone,
     ""},
    {"A-09",
     "C-DATA-02",
     "the alignment to 256 bytes that one sentence asks for and the next one waives",
     {"aligned to less", "aligned to 256 bytes"},
     AlignmentOfExports,
     kNone,
     ""},
    {"A-10",
     "PY-STREAM-07",
     "what a consumer passes as stream for data on the CPU",
     {"leaves it out", "None", "a number"},
     StreamThatIsPassed,
     kNone,
     ""},
    {"A-11", "PY-STREAM-08", "which streams a producer has to serve", {}, nullptr, kNone, kGpu},
    {"A-12",
     "PY-STREAM-01",
     "stream=-1 for an array on the CPU",
     {"takes it", "refuses it"},
     MinusOneAsStream,
     kNone,
     ""},
    {"A-12",
     "PY-STREAM-01",
     "other streams for an array on the CPU",
     {"takes them", "refuses them"},
     OtherStreams,
     kNone,
     ""},
    {"A-13", "CUDA-STREAM-17", "whether pinned and managed memory has streams", {}, nullptr, kNone, kGpu},
    {"A-14",
     "PY-DEVICE-07",
     "a capsule on another device than __dlpack_device__ says",
     {"takes the tensor", "refuses it"},
     DevicesThatDisagree,
     kWeakRefusal,
     ""},
    {"A-15", "C-DEVICE-03", "the device number of managed memory", {}, nullptr, kNone, kGpu},
    {"A-16",
     "C-VERSION-05",
     "a struct of major version 0, where one compares by != and one by >",
     {"takes it", "refuses it"},
     MajorZero,
     kWeakRefusal,
     ""},
    {"A-17",
     "C-FLAGS-09",
     "flags that no version has defined",
     {"takes the tensor", "refuses it"},
     UnknownFlags,
     kWeakRefusal,
     ""},
    {"A-18",
     "C-VERSION-10",
     "numbers that were added under an old version number",
     {},
     nullptr,
     kNone,
     "needs a library that exports types or devices newer than 1.3"},
    {"A-19",
     "PY-MAXVER-03",
     "the minor version of a struct, where an older one was asked for",
     {"declares its own, which is later", "declares no later one"},
     MinorThatIsDeclared,
     kNone,
     ""},
    {"A-20",
     "C-SUBBYTE-01",
     "the size and the bit order of packed elements",
     {},
     nullptr,
     kNone,
     "needs a library with packed types of less than a byte; the cases of C-SUBBYTE say what it does"},
    {"A-21",
     "C-STRIDES-14",
     "what shape and strides count where elements are vectors or parts of a byte",
     {},
     nullptr,
     kNone,
     "needs a library with such types; the cases of C-SUBBYTE and C-DTYPE say what it does"},
    {"A-22",
     "PY-CAPSULE-13",
     "an exception that is set while a capsule dies",
     {"keeps it", "loses it"},
     PendingExceptions,
     kNone,
     ""},
    {"A-23",
     "PY-CAPSULE-17",
     "the destructor of a capsule that was consumed",
     {"leaves it", "clears it"},
     DestructorOfTaken,
     kNone,
     ""},
    {"A-24", "C-OWN-05", "a tensor without a deleter", {"takes it", "refuses it"}, NullDeleter, kWeakRefusal, ""},
    {"A-25",
     "XAPI-ALLOC-10",
     "whether functions of the table need the interpreter's lock",
     {},
     nullptr,
     kNone,
     "a call without the lock that a library needs ends the process at best"},
    {"A-26",
     "XAPI-TO-05",
     "who releases a tensor that the table could not import",
     {"leaves it to the caller", "releases it"},
     ReleaseByAFailingTable,
     kNone,
     ""},
    {"A-27",
     "XAPI-DLT-05",
     "how long a view of the table may be used by work that is queued",
     {},
     nullptr,
     kNone,
     kGpu},
    {"A-28", "XAPI-STREAM-01", "what a work stream of NULL means", {}, nullptr, kNone, kGpu},
    {"A-29", "PY-MAXVER-12", "words of a draft that never was part of a release", {}, nullptr, kNone, kOfTheText},
    {"A-30",
     "PY-DLDEVICE-04",
     "dl_device=(1, 0) for an array that lies there",
     {"exports it", "refuses it"},
     OwnDeviceAsTarget,
     kWeakRefusal,
     ""},
    {"A-31",
     "PY-COPY-04",
     "copy=True for a legacy struct, which cannot say that it is a copy",
     {"copies all the same", "refuses"},
     CopyInALegacyStruct,
     kWeakRefusal,
     ""},
    {"A-32",
     "PY-FROM-03",
     "copies that the consumer makes of compact tensors",
     {"shares the memory", "copies"},
     PlainImports,
     kNone,
     ""},
    {"A-33",
     "PY-FROM-03",
     "copies that the consumer makes of strided tensors",
     {"shares the memory", "copies"},
     StridedImports,
     kNone,
     ""},
    {"A-34",
     "C-FLAGS-11",
     "read-only arrays in a legacy struct, which cannot say so",
     {"refuses", "copies", "hands them out as if they could be written"},
     ReadOnlyInALegacyStruct,
     kNone,
     ""},
    {"A-35",
     "C-STRIDES-11",
     "the stride of an extent of 1 in front of others",
     {"the compact one", "1"},
     StridesOfUnitExtents,
     kNone,
     ""},
    {"A-36",
     "C-STRIDES-09",
     "negative strides, of which no text speaks",
     {"takes them", "refuses them"},
     NegativeStrides,
     kWeakRefusal,
     ""},
    {"A-36",
     "C-STRIDES-10",
     "strides of zero, of which no text speaks",
     {"takes them", "refuses them"},
     ZeroStrides,
     kWeakRefusal,
     ""},
    {"A-37",
     "PY-DEVICE-02",
     "device types that the array API does not list",
     {},
     nullptr,
     kNone,
     "needs an array on such a device"},
    {"A-38",
     "XAPI-DISC-03",
     "whether a library has to offer the exchange table",
     {"offers it", "does not"},
     OffersTheTable,
     kNone,
     ""},
    {"A-39",
     "XAPI-DISC-05",
     "statically allocated names of a plug-in that is unloaded",
     {},
     nullptr,
     kNone,
     "nothing is unloaded: no interpreter survives that"},
    {"A-40",
     "PY-MAXVER-01",
     "exports without max_version, which may end since March 2025",
     {"a legacy struct", "BufferError", "a versioned struct"},
     LegacyExports,
     kNone,
     ""},
    {"A-41", "C-OWN-03", "one product's notice that its tensors die with their source", {}, nullptr, kNone, kOfTheText},
    {"A-42",
     "XAPI-ALLOC-05",
     "how often a failing allocator calls SetError",
     {"once", "not at all", "more often"},
     CallsOfSetError,
     kNone,
     ""},
    {"A-43",
     "XAPI-USE-02",
     "objects of a subclass, which inherits the table",
     {},
     nullptr,
     kNone,
     "needs a library whose subclasses have tables of their own"},
    {"A-44",
     "PY-CAPSULE-14",
     "a bare capsule as the argument of from_dlpack",
     {"takes it", "refuses it"},
     BareCapsules,
     kWeakRefusal,
     ""},
    {"A-45", "C-FLAGS-07", "READ_ONLY and IS_COPIED together", {}, nullptr, kNone, kOfTheText},
    {"A-46",
     "PY-MAXVER-02",
     "the answer to max_version of major version 1",
     {"a versioned struct", "a legacy struct"},
     AnswerToMaxVersion,
     kNone,
     ""},
    {"A-47", "CUDA-STREAM-20", "who orders queued work before a deleter", {}, nullptr, kNone, kGpu},
    {"A-48",
     "XAPI-STREAM-05",
     "the work stream of a device that the library does not know",
     {},
     nullptr,
     kNone,
     "needs a library with a notion of streams"},
    {"A-49", "C-FLAGS-07", "whether a producer goes on owning a copy that it made", {}, nullptr, kNone, kOfTheText},
    {"A-50", "C-STRIDES-02", "headers that said 1.1 and forbade NULL strides already", {}, nullptr, kNone, kOfTheText},
    {"A-51", "C-LAYOUT-04", "whether the flags belong to the part that never changes", {}, nullptr, kNone, kOfTheText},
};

}  // namespace

std::span<const Ambiguity> Ambiguities() { return kAmbiguities; }

}  // namespace dlpack_cts
