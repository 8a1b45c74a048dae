// harness/judge/freedoms_export.cc: choices in which a producer may differ from the reference.
#include <algorithm>
#include <utility>

#include "harness/judge/freedom_list.h"
#include "harness/recipe/packing.h"

namespace dlpack_cts {
namespace {

const ExportLedger& Of(const Exchange& x, int slot) { return x.subject.exports[slot]; }
const ExportLedger& Ours(const Exchange& x, int slot) { return x.reference.exports[slot]; }

bool Both(const Exchange& x, int slot) { return Of(x, slot).struct_address != 0 && Ours(x, slot).struct_address != 0; }

/// The step that exported into the slot; NULL where the export is one of an imported array.
const Step* StepOf(const Exchange& x, int slot) {
  for (const Step& step : x.recipe.life()) {
    if (step.slot != slot) continue;
    if (step.op == Op::kExport || step.op == Op::kTableExport || step.op == Op::kTableView) return &step;
  }
  return nullptr;
}

/// The source that the slot's export was made of.
int SourceOf(const Exchange& x, int slot) {
  const Step* const step = StepOf(x, slot);
  return step == nullptr ? 0 : std::max(OtherSlot(*step), 0);
}

/// The arguments that the slot's export was asked with.
const Call& CallOf(const Exchange& x, int slot) {
  const Step* const step = StepOf(x, slot);
  return x.recipe.call(step == nullptr ? 0 : step->call);
}

bool NoElements(const Exchange& x, int slot) { return HasNoElements(Ours(x, slot).shape, Ours(x, slot).tensor.ndim); }

/// Strides of the struct, with NULL for what it means.
void StridesOf(const ExportLedger& exported, int64_t* strides) {
  const int dims = std::clamp(exported.tensor.ndim, 0, kDims);
  if (exported.null_strides != 0) {
    CompactStrides(exported.shape, dims, strides);
  } else {
    std::copy_n(exported.strides, dims, strides);
  }
}

bool SameLayout(const Exchange& x, int slot) {
  const ExportLedger& subject = Of(x, slot);
  const ExportLedger& ours = Ours(x, slot);
  if (subject.tensor.ndim != ours.tensor.ndim) return false;
  int64_t a[kDims];
  int64_t b[kDims];
  StridesOf(subject, a);
  StridesOf(ours, b);
  return SameMeaning(ours.shape, a, b, ours.tensor.ndim);
}

bool GivesLegacy(const Exchange& x, int slot) {
  if (!Both(x, slot) || Ours(x, slot).versioned == 0) return false;
  return Of(x, slot).versioned == 0;
}

/// What it answers to a max_version is judged by the cases about max_version. None asks for no version.
bool GivesVersioned(const Exchange& x, int slot) {
  const ArgumentKind asked = CallOf(x, slot).max_version.kind;
  return Both(x, slot) && Ours(x, slot).versioned == 0 && Of(x, slot).versioned != 0 &&
         asked != ArgumentKind::kAbsent && asked != ArgumentKind::kNone;
}

/// The major version that was asked for, with an older minor.
bool AsksForAnOlderMinor(const Exchange& x, int slot) {
  const Argument& asked = CallOf(x, slot).max_version;
  return Both(x, slot) && Ours(x, slot).versioned != 0 && asked.kind == ArgumentKind::kPair && asked.a == 1 &&
         std::cmp_less(asked.b, Ours(x, slot).version.minor);
}

bool CapsTheMinor(const Exchange& x, int slot) {
  if (!AsksForAnOlderMinor(x, slot)) return false;
  const abi::DLPackVersion version = Of(x, slot).version;
  return Of(x, slot).versioned != 0 && version.major == 1 &&
         std::cmp_less_equal(version.minor, CallOf(x, slot).max_version.b);
}

bool ComparesTheWholeVersion(const Exchange& x, int slot) {
  if (!AsksForAnOlderMinor(x, slot)) return false;
  return Of(x, slot).versioned == 0;
}

/// A consumer of a later version has to be ready for any older struct.
bool GivesLaterMajorsLegacy(const Exchange& x, int slot) {
  const Argument& asked = CallOf(x, slot).max_version;
  return GivesLegacy(x, slot) && asked.kind == ArgumentKind::kPair && asked.a > 1;
}

bool DeclaresAnotherMinor(const Exchange& x, int slot) {
  if (!Both(x, slot) || Of(x, slot).versioned == 0 || Ours(x, slot).versioned == 0) return false;
  return Of(x, slot).version.major == 1 && Of(x, slot).version.minor != Ours(x, slot).version.minor;
}

/// The slot holds what the table's allocator gave.
bool HasStep(const Exchange& x, Op op, int slot) {
  const std::span<const Step> life = x.recipe.life();
  return std::any_of(life.begin(), life.end(), [&](const Step& step) { return step.op == op && step.slot == slot; });
}

bool IsAllocated(const Exchange& x, int slot) { return HasStep(x, Op::kTableAllocate, slot); }

/// The exchange table has no word for copy=False.
bool ForbidsCopies(const Exchange& x, int slot) {
  return CallOf(x, slot).copy.kind == ArgumentKind::kFalse && !HasStep(x, Op::kTableExport, slot);
}

bool LaysOutWhatItAllocates(const Exchange& x, int slot) { return Both(x, slot) && IsAllocated(x, slot); }

/// Pointers for no dimensions mean nothing.
bool HasPointersForScalars(const Exchange& x, int slot) {
  return Both(x, slot) && Of(x, slot).tensor.ndim == 0 && Ours(x, slot).tensor.ndim == 0;
}

bool HasIdleStrides(const Exchange& x, int slot) {
  return Both(x, slot) && Of(x, slot).null_strides == 0 && SameLayout(x, slot);
}

bool WritesTheOffset(const Exchange& x, int slot) {
  return Both(x, slot) && Of(x, slot).place.area == Ours(x, slot).place.area &&
         Of(x, slot).place.offset == Ours(x, slot).place.offset;
}

bool PlacesNothingAnywhere(const Exchange& x, int slot) { return Both(x, slot) && NoElements(x, slot); }

bool Elsewhere(const ExportLedger& exported) {
  return exported.place.area == Area::kElsewhere || exported.place.area == Area::kUnknown;
}

/// IS_SUBBYTE_TYPE_PADDED of elements that are not.
bool LiesOfPadding(const ExportLedger& exported) {
  const bool padded = IsSubByte(exported.tensor.dtype) && exported.packing != Packing::kLowFirst;
  return exported.versioned != 0 && (exported.flags & abi::kFlagSubbytePadded) != 0 && !padded;
}

/// A legacy struct has no flag for it.
bool SaysSo(const ExportLedger& copy) {
  return copy.versioned == 0 || ((copy.flags & abi::kFlagIsCopied) != 0 && !LiesOfPadding(copy));
}

/// A copy; a versioned struct says so.
bool Copies(const Exchange& x, int slot) {
  const ExportLedger& subject = Of(x, slot);
  if (!Both(x, slot)) return false;
  if (ForbidsCopies(x, slot)) return false;
  return (Elsewhere(subject) || NoElements(x, slot)) && SaysSo(subject);
}

/// An unflagged or unwanted copy: its place is the deviation, not its layout.
bool CopiesWrongly(const Exchange& x, int slot) {
  const ExportLedger& subject = Of(x, slot);
  if (!Both(x, slot) || !Ours(x, slot).IsAtSource() || subject.place.area != Area::kElsewhere) return false;
  const Reading reading = subject.first_elements.reading;
  return reading == Reading::kMatches || reading == Reading::kNotRead;
}

/// A copy that both made may lie anywhere, in any layout, and be read-only.
bool CopiesToo(const Exchange& x, int slot) {
  const ExportLedger& subject = Of(x, slot);
  return Both(x, slot) && !Ours(x, slot).IsAtSource() && Elsewhere(subject) && SaysSo(subject);
}

bool LeavesCompactStridesOut(const Exchange& x, int slot) {
  const ExportLedger& subject = Of(x, slot);
  if (!Both(x, slot) || subject.tensor.ndim == 0) return false;
  const bool old = subject.versioned == 0 || (subject.version.major == 1 && subject.version.minor < 2);
  return subject.null_strides != 0 && old && (SameLayout(x, slot) || CopiesToo(x, slot));
}

/// If no address was described, the address of the array's element 0 is unknown.
bool SaysNoAddress(const Exchange& x, int slot) { return Both(x, slot) && Of(x, slot).place.area == Area::kUnknown; }

/// The slot of the imported array that is exported again into that slot; -1 where it was made.
int ImportOf(const Exchange& x, int slot) {
  for (const Step& step : x.recipe.life()) {
    if (step.op == Op::kReexport && OtherSlot(step) == slot) return step.slot;
  }
  return -1;
}

/// The import made an array of its own of the tensor: the export is of that.
bool ReexportsItsOwnArray(const Exchange& x, int slot) {
  const int from = ImportOf(x, slot);
  const ExportLedger& subject = Of(x, slot);
  if (!Both(x, slot) || from < 0) return false;
  const Description& imported = x.subject.imports[from].result;
  if (imported.valid == 0) {
    if (Elsewhere(subject)) return true;
    const int ones = std::clamp(subject.tensor.ndim, 0, kDims);
    return Ours(x, slot).tensor.ndim == 0 && std::count(subject.shape, subject.shape + ones, 1) == ones;
  }
  if (imported.has_shape == 0 || imported.ndim != subject.tensor.ndim) return false;
  const int dims = std::clamp(imported.ndim, 0, kDims);
  if (!std::equal(subject.shape, subject.shape + dims, imported.shape)) return false;
  if (subject.null_strides != 0 && subject.tensor.ndim > 0) return false;
  if (imported.has_strides == 0) return true;
  const int64_t item = ItemSize(subject.tensor.dtype);
  int64_t strides[kDims];
  StridesOf(subject, strides);
  for (int d = 0; d < dims; ++d) strides[d] *= item;
  return SameMeaning(subject.shape, strides, imported.byte_strides, imported.ndim);
}

/// The array reports the narrower type, and it is exported as that type.
bool ReexportsWhatItNarrowed(const Exchange& x, int slot) {
  const int from = ImportOf(x, slot);
  if (!Both(x, slot) || from < 0 || !x.profile.Says(Trait::kNarrows)) return false;
  const abi::DLDataType subject = Of(x, slot).tensor.dtype;
  const abi::DLDataType ours = Ours(x, slot).tensor.dtype;
  return subject.code == ours.code && subject.bits < ours.bits && subject.lanes == ours.lanes;
}

/// Memory of its own is as writable, and as much of a copy, as the library likes.
bool ReexportsItsOwnMemory(const Exchange& x, int slot) {
  const int from = ImportOf(x, slot);
  if (!Both(x, slot) || from < 0) return false;
  const ImportLedger& imported = x.subject.imports[from];
  const bool own = imported.result.has_pointer != 0 && imported.place.area == Area::kElsewhere;
  return own || (imported.result.valid == 0 && Elsewhere(Of(x, slot)));
}

/// What is imported as read-only is exported as read-only.
bool ReexportsReadOnly(const Exchange& x, int slot) {
  const int from = ImportOf(x, slot);
  if (!Both(x, slot) || from < 0) return false;
  if (NoElements(x, slot)) return true;
  const bool says_so = (Of(x, slot).flags & abi::kFlagReadOnly) != 0;
  const Description& imported = x.subject.imports[from].result;
  return says_so && (imported.valid == 0 || imported.writable != Answer::kYes);
}

/// Without the concept of read-only memory the flag of what was imported is forgotten.
bool ForgetsReadOnly(const Exchange& x, int slot) {
  return Both(x, slot) && ImportOf(x, slot) >= 0 && !x.profile.Claims(Claim::kReadOnly) &&
         (Of(x, slot).flags ^ Ours(x, slot).flags) == abi::kFlagReadOnly;
}

/// An array that is not a plain buffer: the library decides what its elements are, as long as it is not
/// exported.
bool HasOddArrays(const Exchange& x, int slot) {
  return x.recipe.kind == RecipeKind::kExport && slot < x.recipe.used.requests &&
         std::any_of(
             x.recipe.requests, x.recipe.requests + x.recipe.used.requests,
             [](const Request& request) { return request.oddity != Oddity::kNone; });
}

/// Under either name, or both.
bool HasTableOfTheSameMajor(const Exchange& x, int slot) {
  return x.subject.tables[slot].version.major == x.reference.tables[slot].version.major;
}

bool BothReportFailure(const Exchange& x, int slot) {
  return x.subject.tables[slot].set_errors > 0 && x.reference.tables[slot].set_errors > 0;
}

bool LeavesOutViews(const Exchange& x, int slot) {
  return x.subject.tables[slot].null_slots == 1u << static_cast<int>(TableFunction::kView);
}

bool PublishesInItsOwnWay(const Exchange& x, int slot) {
  const TableLedger& subject = x.subject.tables[slot];
  return subject.found != 0 && (subject.current == Published::kCapsule || subject.older == Published::kInt ||
                                subject.older == Published::kCapsule);
}

/// The struct of a read-only array.
bool HasReadOnlyArrays(const Exchange& x, int slot) {
  const int source = SourceOf(x, slot);
  const Answer subject = x.subject.sources[source].description.writable;
  const Answer ours = x.reference.sources[source].description.writable;
  if (!Both(x, slot) || subject == Answer::kUnknown || ours == Answer::kUnknown) return false;
  return subject != ours;
}

/// What the library made is laid out otherwise already, and its export says so.
bool ExportsItsOwnLayout(const Exchange& x, int slot) {
  const Description& source = x.subject.sources[SourceOf(x, slot)].description;
  const ExportLedger& subject = Of(x, slot);
  if (!Both(x, slot) || source.valid == 0 || source.has_strides == 0 || source.ndim != subject.tensor.ndim) {
    return false;
  }
  const int64_t item = ItemSize(subject.tensor.dtype);
  int64_t strides[kDims];
  StridesOf(subject, strides);
  for (int d = 0; d < std::clamp(source.ndim, 0, kDims); ++d) strides[d] *= item;
  return SameMeaning(subject.shape, strides, source.byte_strides, source.ndim);
}

bool MakesAnotherLayout(const Exchange& x, int slot) {
  const Description& subject = x.subject.sources[slot].description;
  const Description& ours = x.reference.sources[slot].description;
  return subject.valid != 0 && ours.valid != 0;
}

bool StoresNamesElsewhere(const Exchange& x, int slot) {
  if (!Both(x, slot)) return false;
  return Of(x, slot).name_storage == NameStorage::kOther;
}

bool BothRefuse(const Exchange& x, int slot) {
  return Refused(Of(x, slot).export_call) && Refused(Ours(x, slot).export_call);
}

bool BothSourcesRefuse(const Exchange& x, int slot) {
  const SourceLedger& subject = x.subject.sources[slot];
  const SourceLedger& ours = x.reference.sources[slot];
  const auto answered = [](const Refusal& a, const Refusal& b) {
    return !Accepted(a) && !Accepted(b) && a.outcome != Outcome::kNotRun && b.outcome != Outcome::kNotRun;
  };
  return answered(subject.make, ours.make) || answered(subject.change, ours.change) ||
         answered(subject.device_call, ours.device_call);
}

/// The same BufferError that its export raises, or would; an array that was exported has a device.
bool HasNoDevice(const Exchange& x, int slot) {
  const Refusal& answer = x.subject.sources[slot].device_call;
  if (!Refused(answer) || answer.buffer_error == 0) return false;
  for (int exported = 0; exported < kSlots; ++exported) {
    if (SourceOf(x, exported) == slot && Of(x, exported).struct_address != 0) return false;
  }
  return true;
}

bool HasNoMethods(const Exchange& x, int) {
  return x.profile.Says(Trait::kCapsulesOnly) || !x.profile.Claims(Claim::kPython);
}

/// An export that succeeds may hold the array, or its memory alone.
bool HoldsWhatItExported(const Exchange& x, int) {
  return std::any_of(x.reference.exports.begin(), x.reference.exports.end(),
                     [](const ExportLedger& exported) { return Accepted(exported.export_call); });
}

/// Metadata of a living array is the library's own; exports of it may not follow.
bool ChangesInItsOwnWay(const Exchange& x, int slot) {
  return x.reference.sources[slot].change.outcome != Outcome::kNotRun;
}

/// An array whose shape only the library knows.
bool IsExportedBehindAChange(const Exchange& x, int slot) {
  bool changed = false;
  bool behind = false;  // the last export of the slot
  for (const Step& step : x.recipe.life()) {
    changed = changed || step.op == Op::kChangeMetadata;
    if (step.op == Op::kExport && step.slot == slot) behind = changed;
  }
  return behind;
}

/// A byte for each element smaller than a byte, with the flag: no text defines where the value is in that byte.
bool PadsAndSaysSo(const Exchange& x, int slot) {
  const ExportLedger& subject = Of(x, slot);
  if (!Both(x, slot) || subject.versioned == 0 || !IsSubByte(subject.tensor.dtype)) return false;
  const bool says_so = (subject.flags & abi::kFlagSubbytePadded) != 0 && (subject.flags & ~abi::kPublishedFlags) == 0;
  return says_so && !LiesOfPadding(subject);
}

/// How elements of 6 bits share bytes is not said.
bool PacksSixBits(const Exchange& x, int slot) {
  return Both(x, slot) && Of(x, slot).tensor.dtype.bits == 6 && Ours(x, slot).tensor.dtype.bits == 6;
}

/// The elements of an import that counts two of them as one.
bool ReexportsPairs(const Exchange& x, int slot) {
  const int from = ImportOf(x, slot);
  if (from < 0 || !Both(x, slot) || !IsSubByte(Ours(x, slot).tensor.dtype)) return false;
  const Description& subject = x.subject.imports[from].result;
  const Description& ours = x.reference.imports[from].result;
  if (subject.has_shape == 0 || subject.ndim != ours.ndim || ours.ndim < 1 || ours.ndim > kDims) return false;
  return subject.shape[ours.ndim - 1] == (ours.shape[ours.ndim - 1] + 1) / 2;
}

/// Vectors of two elements that share a byte.
bool ExportsPairs(const Exchange& x, int slot) {
  const abi::DLDataType subject = Of(x, slot).tensor.dtype;
  const abi::DLDataType ours = Ours(x, slot).tensor.dtype;
  return Both(x, slot) && subject.lanes == 2 && ours.lanes == 1 && subject.code == ours.code && subject.bits == 4 &&
         ours.bits == 4;
}

/// A producer that declares a later minor version may set bits that it defines.
bool SetsLaterFlags(const Exchange& x, int slot) {
  const abi::DLPackVersion version = Of(x, slot).version;
  const bool later = version.major == 1 && version.minor > kNewestVersion.b;
  return later && ((Of(x, slot).flags ^ Ours(x, slot).flags) & abi::kPublishedFlags) == 0;
}

/// A deleter that does not return in a copy of the process shows nothing about the contexts that use such a copy.
bool LivesInOneProcess(const Exchange& x, int slot) { return Of(x, slot).survives_fork == Answer::kNo; }

/// Where the reference, which has no devices, is on the CPU.
bool LiesOnCuda(const Exchange& x, int slot) {
  const auto is_of_cuda = [](abi::DLDevice device) {
    return device.device_type == abi::kDLCUDA || device.device_type == abi::kDLCUDAHost ||
           device.device_type == abi::kDLCUDAManaged;
  };
  const Description& array = x.subject.sources[slot].description;
  const bool is_there = array.valid != 0 && array.has_device != 0 && is_of_cuda(array.device);
  return x.profile.Claims(Claim::kCuda) && (is_there || is_of_cuda(Of(x, slot).tensor.device));
}

/// -1 asks for no order; the functions of the table keep none. Any other export may wait for the device, and a copy may
/// allocate memory there.
bool MayEndCaptures(const Exchange& x, int slot) {
  const Step* const step = StepOf(x, slot);
  const Argument& stream = CallOf(x, slot).stream;
  const bool ordered =
      step != nullptr && step->op == Op::kExport && !(stream.kind == ArgumentKind::kInt && stream.a == -1);
  return ordered || (Of(x, slot).flags & abi::kFlagIsCopied) != 0;
}

/// Such an array is never written, so what was converted of it may be cached. Its readings do not show whether exports
/// share its memory, and what they hold after a write is not known.
bool KeepsWhatItConverted(const Exchange& x, int slot) {
  const std::span<const Step> life = x.recipe.life();
  const bool written =
      std::any_of(life.begin(), life.end(), [](const Step& step) { return step.op == Op::kWriteExport; });
  return written && Both(x, slot) && x.profile.Says(Trait::kImmutable);
}

constexpr Freedom kFreedoms[] = {
    {"keeps-what-it-converted", false, "C-OWN-16", "caches the converted elements of an immutable array",
     "exportS.write_export exportS.elements exportS.elements.* exportS.first_elements exportS.first_elements.* "
     "exportS.packing",
     KeepsWhatItConverted},
    {"pads-small-elements", false, "C-SUBBYTE-06",
     "stores elements smaller than a byte in one byte each, and sets IS_SUBBYTE_TYPE_PADDED",
     "exportS.flags exportS.packing exportS.elements exportS.elements.* exportS.first_elements "
     "exportS.first_elements.* exportS.write_export",
     PadsAndSaysSo},
    {"packs-six-bits-otherwise", false, "C-SUBBYTE-05", "packs 6-bit elements in its own layout",
     "exportS.packing exportS.elements exportS.elements.* exportS.first_elements exportS.first_elements.* "
     "exportS.write_export",
     PacksSixBits},
    {"reexports-pairs", false, "C-SUBBYTE-10", "re-exports pairs of small elements that it counts as one",
     "exportS.shape exportS.strides exportS.packing exportS.elements exportS.elements.* exportS.first_elements "
     "exportS.first_elements.*",
     ReexportsPairs},
    {"exports-pairs", false, "C-SUBBYTE-10", "exports pairs of 4-bit elements as one element of 2 lanes",
     "exportS.dtype exportS.shape exportS.strides exportS.packing exportS.elements exportS.elements.* "
     "exportS.first_elements exportS.first_elements.* exportS.write_export",
     ExportsPairs},
    {"gives-legacy-structs", true, "PY-MAXVER-13", "exports legacy structs where versioned ones are requested",
     "exportS.name exportS.versioned exportS.version exportS.flags", GivesLegacy},
    {"gives-versioned-structs", false, "PY-MAXVER-04", "answers another max_version with a versioned struct",
     "exportS.name exportS.versioned exportS.version exportS.flags", GivesVersioned},
    {"caps-the-minor", false, "PY-MAXVER-05", "does not declare a later minor version than the requested one",
     "exportS.version", CapsTheMinor},
    {"compares-the-whole-version", false, "PY-MAXVER-04",
     "exports legacy structs to consumers of an older minor version",
     "exportS.name exportS.versioned exportS.version exportS.flags", ComparesTheWholeVersion},
    {"gives-later-majors-legacy-structs", false, "PY-MAXVER-02",
     "exports legacy structs to consumers of a later major version",
     "exportS.name exportS.versioned exportS.version exportS.flags", GivesLaterMajorsLegacy},
    {"declares-another-minor", true, "C-VERSION-07", "exports another minor version of 1", "exportS.version",
     DeclaresAnotherMinor},
    {"sets-later-flags", false, "C-FLAGS-01", "sets flags of a later minor version that it declares", "exportS.flags",
     SetsLaterFlags},
    {"leaves-compact-strides-out", true, "C-STRIDES-01", "exports NULL strides of compact arrays before version 1.2",
     "exportS.null_strides exportS.strides", LeavesCompactStridesOut},
    {"has-pointers-for-scalars", false, "C-SHAPE-02", "exports any shape and strides pointers for 0 dimensions",
     "exportS.null_shape exportS.null_strides exportS.shape exportS.strides", HasPointersForScalars},
    {"exports-idle-strides", false, "C-STRIDES-11", "exports any stride for extents of 0 or 1", "exportS.strides",
     HasIdleStrides},
    {"writes-the-offset", false, "C-DATA-14", "splits an address between data and byte_offset in its own way",
     "exportS.byte_offset exportS.null_data", WritesTheOffset},
    {"exports-nothing-anywhere", false, "C-DATA-07", "exports any address and strides for an array without elements",
     "exportS.byte_offset exportS.null_data exportS.place exportS.points_at_source exportS.strides",
     PlacesNothingAnywhere},
    {"lays-out-what-it-allocates", false, "XAPI-ALLOC-10", "chooses the layout of what its allocator returns",
     "exportS.strides exportS.byte_offset exportS.place", LaysOutWhatItAllocates},
    {"exports-copies", false, "C-FLAGS-05",
     "exports copies, with IS_COPIED in versioned structs, unless copy=False was passed",
     "exportS.place exportS.points_at_source exportS.byte_offset exportS.null_data exportS.strides exportS.flags "
     "exportS.write_export",
     Copies},
    {"lays-out-wrong-copies", false, "C-FLAGS-05", "chooses the layout of a copy that is unflagged or not allowed",
     "exportS.byte_offset exportS.null_data exportS.strides exportS.flags", CopiesWrongly},
    {"exports-copies-in-its-own-way", false, "C-FLAGS-07",
     "chooses the layout of an exported copy, and whether it is read-only",
     "exportS.place exportS.byte_offset exportS.null_data exportS.strides exportS.flags", CopiesToo},
    {"describes-no-address", false, "C-DATA-14", "does not report the address of its own arrays",
     "exportS.place exportS.points_at_source exportS.byte_offset exportS.null_data", SaysNoAddress},
    {"has-read-only-arrays", true, "C-FLAGS-03", "makes read-only arrays, and sets READ_ONLY in their structs",
     "exportS.flags exportS.write_export", HasReadOnlyArrays},
    {"reexports-its-own-array", false, "C-OWN-18", "re-exports the array that it made of an imported tensor",
     "exportS.null_shape exportS.null_strides exportS.ndim exportS.shape exportS.strides exportS.byte_offset",
     ReexportsItsOwnArray},
    {"reexports-what-it-narrowed", false, "C-DTYPE-14",
     "re-exports the narrower dtype that it made of an imported tensor", "exportS.dtype", ReexportsWhatItNarrowed},
    {"reexports-its-own-memory", false, "C-FLAGS-12", "re-exports a copy that it made of an imported tensor",
     "exportS.flags exportS.write_export exportS.place exportS.points_at_source exportS.byte_offset",
     ReexportsItsOwnMemory},
    {"reexports-read-only", false, "C-FLAGS-03", "re-exports as read-only what it imported as read-only",
     "exportS.flags exportS.write_export", ReexportsReadOnly},
    {"forgets-read-only", false, "C-FLAGS-12",
     "re-exports read-only tensors as writable, because it has no read-only arrays",
     "exportS.flags exportS.write_export", ForgetsReadOnly},
    {"has-odd-arrays", false, "C-LAYOUT-08", "reads and describes arrays that are not plain buffers in its own way",
     "sourceS.elements sourceS.elements.* sourceS.used sourceS.used.* sourceS.device_call sourceS.device_call.* "
     "sourceS.dtype sourceS.dtype_name sourceS.strides sourceS.device sourceS.reported_device",
     HasOddArrays},
    {"publishes-in-its-own-way", false, "XAPI-DISC-02",
     "publishes its table under the attribute name of 1.2, of 1.3, or both", "tableS.current tableS.older",
     PublishesInItsOwnWay},
    {"has-a-table-of-another-minor", false, "XAPI-VER-06", "has another minor version in its table", "tableS.version",
     HasTableOfTheSameMajor},
    {"has-older-tables", false, "XAPI-VER-03", "has more or fewer tables in the chain of prev_api",
     "tableS.chain_length", Always},
    {"leaves-out-views", false, "XAPI-TAB-04", "has a NULL dltensor_from_py_object_no_sync",
     "tableS.null_slots tableS.view.*", LeavesOutViews},
    {"answers-for-undefined-streams", false, "XAPI-RET-01", "returns a stream for an undefined device, or fails",
     "tableS.stream.status tableS.stream.exception tableS.stream.out_written", Always},
    {"names-errors-as-it-likes", false, "XAPI-ALLOC-06", "passes another kind of error to SetError",
     "tableS.error_kind", Always},
    {"reports-a-failure-more-than-once", false, "XAPI-ALLOC-05", "calls SetError more than once for one failure",
     "tableS.set_errors", BothReportFailure},
    {"leaves-out-alone-when-it-fails", false, "XAPI-RET-04", "writes its out parameter when it fails, or does not",
     "tableS.from_object.* tableS.to_object.* tableS.allocator.* tableS.view.*", BothRefuse},
    {"makes-arrays-as-it-likes", false, "C-STRIDES-02", "chooses the layout of the arrays that it makes",
     "sourceS.strides sourceS.writable sourceS.has_pointer sourceS.dtype_name", MakesAnotherLayout},
    {"exports-its-own-layout", false, "C-STRIDES-02", "exports the layout that its array has", "exportS.strides",
     ExportsItsOwnLayout},
    {"stores-capsule-names-elsewhere", true, "PY-CAPSULE-08", "stores capsule names in non-static memory",
     "exportS.name_storage", StoresNamesElsewhere},
    {"refuses-exports-with-what-it-likes", false, "PY-DLPACK-04", "refuses with another exception",
     "exportS.exception exportS.is_buffer_error exportS.is_type_error", BothRefuse},
    {"refuses-requests-with-what-it-likes", false, "PY-DLDEVICE-01",
     "raises another exception for a request that it cannot satisfy",
     "sourceS.make.* sourceS.change.* sourceS.device_call.*", BothSourcesRefuse},
    {"changes-in-its-own-way", false, "C-SHAPE-06", "changes its own arrays in place in its own way",
     "sourceS.change sourceS.change.* sourceS.elements sourceS.elements.* sourceS.used sourceS.used.*",
     ChangesInItsOwnWay},
    {"exports-what-it-changed", false, "C-SHAPE-06", "exports an array that was changed in place as it is then",
     "exportS.outcome exportS.exception exportS.is_buffer_error exportS.is_type_error exportS.ndim exportS.shape "
     "exportS.strides exportS.null_shape exportS.null_strides exportS.null_data exportS.data_readable exportS.elements "
     "exportS.elements.* exportS.first_elements exportS.first_elements.* exportS.place exportS.points_at_source "
     "exportS.alignment exportS.byte_offset exportS.write_export exportS.flags",
     IsExportedBehindAChange},
    {"counts-references-in-its-own-way", false, "C-OWN-10", "keeps references to an array between two calls",
     "sourceS.references_gained", HoldsWhatItExported},
    {"lives-in-one-process", false, "PY-THREAD-03", "has deleters that do not return in a forked child",
     "exportS.survives_*", LivesInOneProcess},
    {"lives-in-one-interpreter", false, "PY-THREAD-03", "has deleters that do not return when a subinterpreter ends",
     "exportS.survives_other", Always},
    {"makes-arrays-on-cuda", false, "C-DEVICE-12", "makes its arrays on a CUDA device",
     "exportS.device exportS.cuda_memory exportS.cuda_device exportS.data_readable exportS.elements exportS.elements.* "
     "exportS.first_elements exportS.first_elements.* exportS.write_export sourceS.device sourceS.reported_device "
     "sourceS.elements sourceS.elements.* sourceS.used sourceS.used.*",
     LiesOnCuda},
    {"ends-captures", false, "CUDA-STREAM-14", "ends a CUDA stream capture in an export that is ordered or a copy",
     "exportS.cuda_keeps_capture", MayEndCaptures},
    {"has-no-device-without-an-export", false, "PY-DEVICE-01",
     "raises BufferError from __dlpack_device__ of an array that it does not export",
     "sourceS.device_call sourceS.device_call.*", HasNoDevice},
    {"has-no-methods", false, "PY-DLPACK-09", "exports with functions instead of methods",
     "sourceS.device_call sourceS.device_call.*", HasNoMethods},
};

}  // namespace

std::span<const Freedom> ExportFreedoms() { return kFreedoms; }

}  // namespace dlpack_cts
