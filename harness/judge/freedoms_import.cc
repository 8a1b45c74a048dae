// harness/judge/freedoms_import.cc: choices in which a consumer may differ from the reference.
#include <algorithm>

#include "harness/judge/freedom_list.h"
#include "harness/recipe/laws.h"
#include "harness/recipe/ops.h"
#include "harness/recipe/packing.h"

namespace dlpack_cts {
namespace {

const ImportLedger& Of(const Exchange& x, int slot) { return x.subject.imports[slot]; }
const ImportLedger& Ours(const Exchange& x, int slot) { return x.reference.imports[slot]; }

bool BothAccept(const Exchange& x, int slot) { return Accepted(Of(x, slot).import) && Accepted(Ours(x, slot).import); }
bool BothRefuse(const Exchange& x, int slot) { return Refused(Of(x, slot).import) && Refused(Ours(x, slot).import); }

/// The offer of the slot, or NULL where the array came from elsewhere.
const Offer* OfferOf(const Exchange& x, int slot) {
  if (x.recipe.kind != RecipeKind::kImport) return nullptr;
  for (const Step& step : x.recipe.life()) {
    if (step.slot == slot && UsesOffer(step.op)) {
      return &x.recipe.offer(step.block);
    }
  }
  return nullptr;
}

bool NoElements(const Exchange& x, int slot) {
  return HasNoElements(Ours(x, slot).result.shape, Ours(x, slot).result.ndim);
}

bool HasLanes(const Exchange& x, int slot) {
  const Offer* const offer = OfferOf(x, slot);
  return offer != nullptr && offer->dtype.lanes > 1;
}

bool Used(NameSeen name) { return name == NameSeen::kUsedLegacy || name == NameSeen::kUsedVersioned; }

bool IsNothingOrPair(const Argument& argument) {
  return argument.kind == ArgumentKind::kAbsent || argument.kind == ArgumentKind::kNone ||
         argument.kind == ArgumentKind::kPair;
}

/// What is passed for data that no stream writes.
bool IsNoStream(const Argument& stream) {
  return stream.kind == ArgumentKind::kAbsent || stream.kind == ArgumentKind::kNone;
}

template <typename Holds>
bool OfEachCall(const ImportLedger& import, const Holds& holds) {
  return std::all_of(import.calls, import.calls + std::min(import.producer_calls, kProducerCalls), holds);
}

// Which question comes first, and how many there are, is the consumer's own business, so that the questions of two
// consumers cannot be compared one by one: each argument has to be what may be said at all, in whichever of them it is.
bool NamesProperKeywords(const Exchange& x, int slot) {
  return OfEachCall(Of(x, slot), [](const ProducerCall& call) { return call.unknown_keyword == 0; });
}

bool PassesByName(const Exchange& x, int slot) {
  return OfEachCall(Of(x, slot), [](const ProducerCall& call) { return call.positional == 0; });
}

bool AsksForPairs(const Exchange& x, int slot) {
  return OfEachCall(Of(x, slot), [](const ProducerCall& call) { return IsNothingOrPair(call.max_version); });
}

bool AsksForDevicePairs(const Exchange& x, int slot) {
  return OfEachCall(Of(x, slot), [](const ProducerCall& call) { return IsNothingOrPair(call.dl_device); });
}

bool AsksForNoStreamOfTheHost(const Exchange& x, int slot) {
  const Offer* const offer = OfferOf(x, slot);
  if (offer == nullptr || offer->reported_device.device_type != abi::kDLCPU) return true;
  return OfEachCall(Of(x, slot), [](const ProducerCall& call) { return IsNoStream(call.stream); });
}

bool AsksProperly(const Exchange& x, int slot) {
  return NamesProperKeywords(x, slot) && PassesByName(x, slot) && AsksForPairs(x, slot) &&
         AsksForDevicePairs(x, slot) && AsksForNoStreamOfTheHost(x, slot);
}

/// Another struct came, since the producer was asked otherwise.
bool GetsAnotherStruct(const Exchange& x, int slot) {
  const NameSeen name = Of(x, slot).name_before;
  const NameSeen ours = Ours(x, slot).name_before;
  if (name == ours) return false;
  const bool known = name == NameSeen::kLegacy || name == NameSeen::kVersioned;
  const bool after_fits = Of(x, slot).name_after == name || Used(Of(x, slot).name_after);
  return known && after_fits && AsksProperly(x, slot);
}

bool GetsMoreCapsules(const Exchange& x, int slot) {
  return Of(x, slot).capsules != Ours(x, slot).capsules && Of(x, slot).capsules > 0 && AsksProperly(x, slot);
}

bool Copies(const Exchange& x, int slot) {
  if (!BothAccept(x, slot)) return false;
  if (!Ours(x, slot).Aliases() || Of(x, slot).result.has_pointer == 0) return false;
  if (AsksForCopy(x.recipe, ArgumentKind::kFalse)) return false;
  return Of(x, slot).place.area == Area::kElsewhere || Of(x, slot).place.area == Area::kNull;
}

/// A consumer that asked the producer for a copy, and got a tensor, need not copy again.
bool LeavesCopiesToTheProducer(const Exchange& x, int slot) {
  const ImportLedger& subject = Of(x, slot);
  const int calls = std::min(subject.producer_calls, kProducerCalls);
  const bool asked = std::any_of(subject.calls, subject.calls + calls, [](const ProducerCall& call) {
    return call.copy.kind == ArgumentKind::kTrue && call.raised == 0;
  });
  return BothAccept(x, slot) && asked;
}

/// A copy that both made: its place, and when its source is released, are free.
bool CopiesToo(const Exchange& x, int slot) {
  return BothAccept(x, slot) && !Ours(x, slot).Aliases() && !Of(x, slot).Aliases();
}

/// What has no elements needs no address.
bool SaysNoAddress(const Exchange& x, int slot) {
  return BothAccept(x, slot) && Of(x, slot).result.valid != 0 && Of(x, slot).result.has_pointer == 0 &&
         !NoElements(x, slot);
}

/// Such an array is never written, so what was read of it may be cached.
bool KeepsWhatItRead(const Exchange& x, int slot) { return BothAccept(x, slot) && x.profile.Says(Trait::kImmutable); }

/// Laid out as copies are, at an address that the library does not report.
bool MayBeACopy(const Exchange& x, int slot) {
  const Description& result = Of(x, slot).result;
  const int64_t item = ItemSize(result.dtype);
  if (!SaysNoAddress(x, slot) || item <= 0 || result.ndim < 0 || result.ndim > kDims) return false;
  int64_t strides[kDims];
  CompactStrides(result.shape, result.ndim, strides);
  for (int d = 0; d < result.ndim; ++d) strides[d] *= item;
  return result.has_strides == 0 || SameMeaning(result.shape, result.byte_strides, strides, result.ndim);
}

/// If the flag says that elements are padded, no text defines the size of the padding and the place of the value; nor
/// how elements of 6 bits share bytes.
bool ReadsSubBytesOtherwise(const Exchange& x, int slot) {
  const Offer* const offer = OfferOf(x, slot);
  if (offer == nullptr || !IsSubByte(offer->dtype) || !BothAccept(x, slot)) return false;
  return PackedBits(*offer) == 0 || 8 % PackedBits(*offer) != 0;
}

/// Strides in bytes say nothing of elements that share them.
bool DescribesPackedStrides(const Exchange& x, int slot) {
  const Offer* const offer = OfferOf(x, slot);
  return offer != nullptr && IsSubByte(offer->dtype) && BothAccept(x, slot);
}

/// Shape in containers of two elements.
bool CountsPairs(const Exchange& x, int slot) {
  const Offer* const offer = OfferOf(x, slot);
  const Description& subject = Of(x, slot).result;
  const Description& ours = Ours(x, slot).result;
  if (!BothAccept(x, slot) || offer == nullptr || !IsSubByte(offer->dtype) || subject.has_shape == 0) return false;
  if (subject.ndim != ours.ndim || ours.ndim < 1 || ours.ndim > kDims) return false;
  const int last = ours.ndim - 1;
  return std::equal(ours.shape, ours.shape + last, subject.shape) && subject.shape[last] == (ours.shape[last] + 1) / 2;
}

bool PlacesNothingAnywhere(const Exchange& x, int slot) { return BothAccept(x, slot) && NoElements(x, slot); }

bool HasIdleStrides(const Exchange& x, int slot) {
  const Description& subject = Of(x, slot).result;
  const Description& ours = Ours(x, slot).result;
  if (!BothAccept(x, slot) || subject.ndim != ours.ndim) return false;
  return SameMeaning(ours.shape, subject.byte_strides, ours.byte_strides, ours.ndim);
}

bool TurnsLanesIntoADimension(const Exchange& x, int slot) { return HasLanes(x, slot); }

/// One element, in as many dimensions as the library's arrays have.
bool AddsADimensionToScalars(const Exchange& x, int slot) {
  const Description& subject = Of(x, slot).result;
  if (!BothAccept(x, slot) || Ours(x, slot).result.ndim != 0 || subject.valid == 0) return false;
  const int dims = std::clamp(subject.ndim, 0, kDims);
  return dims > 0 && std::count(subject.shape, subject.shape + dims, 1) == dims;
}

bool Narrows(const Exchange& x, int slot) {
  const Description& subject = Of(x, slot).result;
  const Description& ours = Ours(x, slot).result;
  if (!BothAccept(x, slot) || !x.profile.Says(Trait::kNarrows)) return false;
  return subject.dtype.code == ours.dtype.code && subject.dtype.bits < ours.dtype.bits;
}

bool ImportsReadOnly(const Exchange& x, int slot) {
  if (!BothAccept(x, slot) || Ours(x, slot).result.writable != Answer::kYes) return false;
  return Of(x, slot).result.writable == Answer::kNo;
}

/// Without its flag, in a legacy struct or in memory of its own, an array is as writable as any other.
bool OwnsOrMissesTheFlag(const Exchange& x, int slot) {
  const bool legacy = Of(x, slot).name_before != Ours(x, slot).name_before;
  const bool copied = Of(x, slot).result.has_pointer != 0 && Of(x, slot).place.area == Area::kElsewhere;
  return BothAccept(x, slot) && (legacy || copied);
}

/// Without read-only arrays the flag says nothing to a library.
bool HasNoReadOnlyArrays(const Exchange& x, int slot) {
  return BothAccept(x, slot) && !x.profile.Claims(Claim::kReadOnly);
}

/// Writing is the library's own business, as long as what is refused leaves the memory alone.
bool DoesNotWrite(const Exchange& x, int slot) {
  return BothAccept(x, slot) && Of(x, slot).write_array != WriteShown::kShown;
}

bool Refuses(const Exchange& x, int slot) { return BothRefuse(x, slot); }

/// What one of both refused without asking for a capsule.
bool RefusesBeforeItAsks(const Exchange& x, int slot) {
  return BothRefuse(x, slot) && (Of(x, slot).capsules == 0 || Ours(x, slot).capsules == 0);
}

bool ConsumesRefused(const Exchange& x, int slot) {
  if (!BothRefuse(x, slot)) return false;
  if (Of(x, slot).name_before == NameSeen::kNotSeen) return false;
  return Used(Of(x, slot).name_after) != Used(Ours(x, slot).name_after);
}

bool ClearsDestructors(const Exchange& x, int slot) {
  if (!BothAccept(x, slot) || Of(x, slot).name_before == NameSeen::kNotSeen) return false;
  return Of(x, slot).capsule_destructor_changed != 0;
}

bool StoresNamesElsewhere(const Exchange& x, int slot) {
  if (!BothAccept(x, slot)) return false;
  return Of(x, slot).used_name_storage == NameStorage::kOther;
}

bool Borrows(const Exchange& x, int slot) {
  return x.profile.Says(Trait::kBorrows) && BothAccept(x, slot) && !Used(Of(x, slot).name_after);
}

/// Each capsule is released once, whatever the second attempt gave.
bool AnswersASecondImport(const Exchange& x, int slot) {
  return Ours(x, slot).again.outcome != Outcome::kNotRun || Of(x, slot).again.outcome != Outcome::kNotRun;
}

/// A capsule more is released once more.
bool ReleasesEachCapsule(const Exchange& x, int slot) {
  const ImportLedger& subject = Of(x, slot);
  const ImportLedger& ours = Ours(x, slot);
  return subject.capsules != ours.capsules && subject.deleter.calls == subject.capsules &&
         ours.deleter.calls == ours.capsules;
}

/// Before from_dlpack returns nothing is used of a tensor that was refused, copied, or that is one too many.
bool ReleasesWhatItDoesNotUse(const Exchange& x, int slot) {
  const ImportLedger& subject = Of(x, slot);
  if (Refused(subject.import)) return true;
  const bool again = subject.again.outcome != Outcome::kNotRun;
  const bool own_memory = subject.place.area == Area::kElsewhere || subject.place.area == Area::kNull ||
                          subject.place.area == Area::kUnknown || NoElements(x, slot);
  const int spare = subject.capsules - 1 + (again ? 1 : 0);
  return own_memory || subject.deleter.calls_in_import + subject.deleter.calls_while_alive <= spare;
}

/// The harness itself has an exception pending while it lets something go, and a deleter may run then or at another
/// time.
bool ReleasesUnderAPendingException(const Exchange& x, int) {
  return std::any_of(x.recipe.life().begin(), x.recipe.life().end(),
                     [](const Step& step) { return step.context == Context::kPendingException; });
}

/// An array of the library itself, which it knows how to take in other ways than by DLPack: what is wrong with a role
/// shows in exchanges with the harness too, and there it is attributed to one side.
bool IsItsOwn(const Exchange& x, int slot) {
  if (x.profile.is_pair != 0) return false;
  return std::any_of(x.recipe.life().begin(), x.recipe.life().end(), [&](const Step& step) {
    return step.op == Op::kImportSource && (step.slot == slot || std::max(OtherSlot(step), 0) == slot);
  });
}

/// A consumer that uses the table of the producer's type, and one that calls the producer, see different things.
bool HasATable(const Exchange& x, int) { return x.recipe.table.attribute != TableAttribute::kNone; }

/// A tensor came without a capsule, or with one.
bool GoesAnotherWay(const Exchange& x, int slot) {
  return HasATable(x, slot) &&
         (Of(x, slot).name_before == NameSeen::kNotSeen || Ours(x, slot).name_before == NameSeen::kNotSeen);
}

/// The producer lent a view alone, and what was made of it is a copy: there is no tensor to be released.
bool CopiesFromAView(const Exchange& x, int slot) {
  if (!HasATable(x, slot) || !BothAccept(x, slot) || Of(x, slot).capsules != 0) return false;
  const auto gave = [&](TableFunction function) {
    const TableUse& table = Of(x, slot).table;
    return ((table.called & ~table.failed) >> static_cast<int>(function) & 1) != 0;
  };
  const Area area = Of(x, slot).place.area;
  const bool own_memory = area == Area::kElsewhere || area == Area::kUnknown || NoElements(x, slot);
  return gave(TableFunction::kView) && !gave(TableFunction::kFromObject) && own_memory;
}

constexpr Freedom kFreedoms[] = {
    {"copies-from-views", false, "XAPI-DLT-01",
     "copies from a view that the exchange table returned, without a managed tensor",
     "importS.deleter.calls importS.deleter.in_import importS.deleter.while_alive importS.released importS.place "
     "importS.aliases importS.strides importS.write_source importS.write_array importS.writable",
     CopiesFromAView},
    {"uses-tables-in-its-own-way", false, "XAPI-DISC-09",
     "looks up an exchange table and calls its functions, or does not",
     "importS.table.looked importS.table.called importS.table.failed importS.table.pending", HasATable},
    {"goes-by-table-or-method", false, "XAPI-DISC-09",
     "imports a tensor through its exchange table, or through __dlpack__",
     "importS.calls importS.callC.* importS.capsules importS.name_before importS.name_after importS.name_after_again "
     "importS.used_name_storage importS.capsule_destructor_changed importS.deleter.from_destructor",
     GoesAnotherWay},
    {"takes-its-own-arrays", false, "PY-FROM-07", "imports its own arrays in another way than through DLPack",
     "importS.place importS.aliases importS.has_pointer importS.strides importS.ndim importS.shape importS.dtype "
     "importS.dtype_name importS.device importS.writable importS.write_source importS.write_array importS.memory "
     "importS.memory.* importS.library importS.library.* importS.computed importS.computed.* importS.exception "
     "importS.is_buffer_error importS.is_type_error sourceS.alive_at_end",
     IsItsOwn},
    {"asks-in-its-own-way", false, "PY-MAXVER-06", "makes other calls to the producer, or in another order",
     "importS.calls importS.callC.method importS.callC.raised importS.callC.copy", Always},
    {"asks-for-another-version", false, "PY-MAXVER-06", "passes another max_version, or none",
     "importS.callC.max_version", AsksForPairs},
    {"asks-for-a-device", false, "PY-DLDEVICE-11", "passes dl_device, or does not", "importS.callC.dl_device",
     AsksForDevicePairs},
    {"names-a-stream", false, "PY-STREAM-01", "passes a stream to a producer on a device, or does not",
     "importS.callC.stream", AsksForNoStreamOfTheHost},
    {"names-other-keywords", false, "PY-DLPACK-01", "passes other keywords, or leaves them out",
     "importS.callC.keywords", NamesProperKeywords},
    {"passes-other-things-by-name", false, "PY-DLPACK-01", "passes keyword arguments that the reference does not pass",
     "importS.callC.positional", PassesByName},
    {"asks-properly", false, "PY-MAXVER-06",
     "receives other capsules, because it calls the producer with other valid arguments",
     "importS.capsules importS.callC.cuda_stream_device", AsksProperly},
    {"gets-another-struct", false, "PY-MAXVER-13",
     "receives a legacy struct where the reference asked for a versioned one",
     "importS.name_before importS.name_after importS.name_after_again importS.callC.* importS.writable "
     "importS.write_array",
     GetsAnotherStruct},
    {"gets-more-capsules", false, "PY-CAPSULE-04", "asks for more or fewer capsules",
     "importS.capsules importS.calls importS.callC.* importS.deleter.from_destructor", GetsMoreCapsules},
    {"releases-each-capsule", false, "C-OWN-02", "releases each capsule once, of more or fewer capsules",
     "importS.deleter.calls", ReleasesEachCapsule},
    {"copies-imports", false, "C-OWN-03", "copies what it imports, unless copy=False was passed",
     "importS.place importS.aliases importS.strides importS.write_source importS.write_array importS.writable "
     "importS.deleter.in_import importS.deleter.while_alive",
     Copies},
    {"copies-to-its-own-memory", false, "C-FLAGS-06", "chooses the layout of a copy",
     "importS.place importS.strides importS.writable importS.deleter.in_import importS.deleter.while_alive", CopiesToo},
    {"leaves-copies-to-the-producer", false, "PY-COPY-08", "passes copy=True to the producer and does not copy again",
     "importS.place importS.aliases importS.strides importS.write_source importS.write_array importS.writable "
     "importS.deleter.in_import importS.deleter.while_alive",
     LeavesCopiesToTheProducer},
    {"keeps-what-it-read", false, "C-OWN-16", "caches the converted elements of an immutable array",
     "importS.write_source", KeepsWhatItRead},
    {"says-no-address", true, "C-DATA-01", "does not report the address of its arrays",
     "importS.has_pointer importS.place importS.aliases importS.memory importS.memory.*", SaysNoAddress},
    {"lies-compactly-somewhere", false, "C-OWN-03",
     "does not report the address of its array, which may be a compact copy",
     "importS.strides importS.write_source importS.write_array importS.writable", MayBeACopy},
    {"places-nothing-anywhere", false, "C-DATA-07", "reports any address and strides for a tensor without elements",
     "importS.place importS.aliases importS.has_pointer importS.strides importS.memory importS.memory.* "
     "importS.deleter.in_import importS.deleter.while_alive importS.writable",
     PlacesNothingAnywhere},
    {"has-idle-strides", false, "C-STRIDES-11", "reports any stride for extents of 0 or 1", "importS.strides",
     HasIdleStrides},
    {"turns-lanes-into-a-dimension", false, "C-DTYPE-07", "imports lanes as a trailing dimension",
     "importS.dtype importS.dtype_name importS.ndim importS.shape importS.strides", TurnsLanesIntoADimension},
    {"adds-a-dimension-to-scalars", true, "C-SHAPE-02", "imports 0-dimensional tensors with dimensions of one element",
     "importS.ndim importS.shape importS.strides", AddsADimensionToScalars},
    {"reads-small-elements-otherwise", false, "C-SUBBYTE-07",
     "reads padded elements smaller than a byte, and 6-bit elements, in its own layout",
     "importS.library importS.library.* importS.computed importS.computed.* importS.view importS.view.* "
     "importS.write_source importS.write_array",
     ReadsSubBytesOtherwise},
    {"describes-packed-strides", false, "C-SUBBYTE-10", "reports any strides for elements smaller than a byte",
     "importS.strides", DescribesPackedStrides},
    {"counts-pairs", false, "C-SUBBYTE-10", "counts two elements smaller than a byte as one",
     "importS.shape importS.strides importS.library importS.library.* importS.computed importS.computed.* importS.view "
     "importS.view.* importS.write_source importS.write_array",
     CountsPairs},
    {"narrows-types", false, "C-DTYPE-14", "converts dtypes that it lacks to narrower ones, as library.toml declares",
     "importS.dtype importS.dtype_name importS.strides importS.memory importS.memory.* importS.library "
     "importS.library.* importS.computed importS.computed.* importS.view importS.view.*",
     Narrows},
    {"imports-read-only", true, "C-FLAGS-03", "imports tensors as read-only", "importS.writable importS.write_array",
     ImportsReadOnly},
    {"owns-or-misses-the-flag", false, "C-FLAGS-02", "imports a copy, or a struct without READ_ONLY, as writable",
     "importS.writable importS.write_array", OwnsOrMissesTheFlag},
    {"has-no-read-only-arrays", false, "C-FLAGS-04", "has no read-only arrays and ignores READ_ONLY",
     "importS.writable importS.write_array", HasNoReadOnlyArrays},
    {"does-not-write", false, "C-FLAGS-03", "does not write to an imported array", "importS.write_array", DoesNotWrite},
    {"raises-what-it-likes", false, "C-OWN-15", "refuses with another exception",
     "importS.exception importS.is_buffer_error importS.is_type_error importS.deleter.with_pending_exception "
     "importS.deleter.in_import importS.deleter.from_destructor importS.deleter.while_alive",
     Refuses},
    {"refuses-before-it-asks", false, "PY-DEVICE-05", "refuses before it asks for a capsule",
     "importS.name_before importS.name_after importS.capsules importS.deleter.calls importS.released",
     RefusesBeforeItAsks},
    {"consumes-what-it-refuses", false, "PY-CAPSULE-06",
     "consumes capsules that it refuses, or leaves them to the producer",
     "importS.name_after importS.name_after_again importS.used_name_storage importS.deleter.from_destructor "
     "importS.capsule_destructor_changed",
     ConsumesRefused},
    {"clears-destructors", true, "PY-CAPSULE-17", "clears the destructor of capsules that it consumed",
     "importS.capsule_destructor_changed", ClearsDestructors},
    {"stores-names-elsewhere", true, "PY-CAPSULE-08", "stores the used name of capsules in non-static memory",
     "importS.used_name_storage", StoresNamesElsewhere},
    {"borrows-capsules", false, "PY-CAPSULE-14", "keeps the capsule unconsumed as long as its array",
     "importS.name_after importS.name_after_again importS.used_name_storage importS.deleter.from_destructor "
     "importS.again importS.again.*",
     Borrows},
    {"answers-a-second-import", false, "PY-CAPSULE-10", "accepts or refuses a second import in its own way",
     "importS.again importS.again.* importS.name_after_again importS.deleter.in_import importS.deleter.from_destructor",
     AnswersASecondImport},
    {"releases-what-it-does-not-use", false, "C-OWN-03", "immediately releases what it does not use",
     "importS.deleter.in_import importS.deleter.while_alive importS.deleter.from_destructor", ReleasesWhatItDoesNotUse},
    {"releases-under-a-pending-exception", false, "C-OWN-03",
     "calls deleters before or after a step with an exception pending", "importS.deleter.with_pending_exception",
     ReleasesUnderAPendingException},
    {"releases-from-anywhere", false, "C-OWN-12", "calls deleters on any thread, with or without the GIL",
     "importS.deleter.without_gil deleterD.* deleters", Always},
};

}  // namespace

std::span<const Freedom> ImportFreedoms() { return kFreedoms; }

}  // namespace dlpack_cts
