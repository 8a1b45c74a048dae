// harness/choices/choices_import.cc: choices in which a consumer may differ from the reference.
#include <algorithm>

#include "harness/choices/choice_views.h"
#include "harness/recipe/life.h"
#include "harness/recipe/ops.h"
#include "harness/recipe/packing.h"

namespace dlpack_cts {
namespace {

/// A slot into which both libraries imported.
struct Imported {
  static std::optional<Imported> In(const Exchange& x, int slot) {
    return Imported{x,
                    slot,
                    x.subject.imports[slot],
                    x.reference.imports[slot],
                    x.subject.imports[slot].result,
                    x.reference.imports[slot].result};
  }

  bool BothAccept() const { return Accepted(subject.import) && Accepted(ours.import); }
  bool BothRefuse() const { return Refused(subject.import) && Refused(ours.import); }
  bool NoElements() const { return HasNoElements(our_result.shape, our_result.ndim); }

  template <typename... Areas>
  bool LiesIn(Areas... areas) const {
    return ((subject.place.area == areas) || ...);
  }

  /// The offer of the slot, or NULL if the array has another origin.
  const Offer* OfferOf() const {
    if (x.recipe.kind != RecipeKind::kImport) return nullptr;
    for (const Step& step : x.recipe.life()) {
      if (step.slot == slot && HasTrait(step.op, OpTrait::kTakesOffer)) return &x.recipe.offer(step.block);
    }
    return nullptr;
  }
  bool IsSubByteOffer() const {
    const Offer* const offer = OfferOf();
    return offer != nullptr && IsSubByte(offer->dtype) && BothAccept();
  }

  template <typename Test>
  bool OfEachCall(const Test& test) const {
    return std::all_of(subject.calls, subject.calls + std::min(subject.producer_calls, kProducerCalls), test);
  }

  /// The producer's type has an exchange table. Consumers that use it and consumers that call the producer see
  /// different things.
  bool HasATable() const { return x.recipe.table.attribute != TableAttribute::kNone; }

  const Exchange& x;
  int slot;
  const ImportLedger& subject;
  const ImportLedger& ours;
  const Description& result;
  const Description& our_result;
};

bool IsNothingOrPair(const Argument& argument) { return IsNothing(argument) || argument.kind == ArgumentKind::kPair; }

// The order and number of calls are up to the consumer, so the calls of two consumers cannot be compared one by one.
// Each argument must be allowed, whichever call it is in.
constexpr auto kNamesProperKeywords = [](const Imported& i) {
  return i.OfEachCall([](const ProducerCall& call) { return call.unknown_keyword == 0; });
};
constexpr auto kPassesByName = [](const Imported& i) {
  return i.OfEachCall([](const ProducerCall& call) { return call.positional == 0; });
};
constexpr auto kAsksForPairs = [](const Imported& i) {
  return i.OfEachCall([](const ProducerCall& call) { return IsNothingOrPair(call.max_version); });
};
constexpr auto kAsksForDevicePairs = [](const Imported& i) {
  return i.OfEachCall([](const ProducerCall& call) { return IsNothingOrPair(call.dl_device); });
};
constexpr auto kAsksForNoStreamOfTheHost = [](const Imported& i) {
  const Offer* const offer = i.OfferOf();
  if (offer == nullptr || offer->reported_device.device_type != abi::kDLCPU) return true;
  return i.OfEachCall([](const ProducerCall& call) { return IsNothing(call.stream); });
};
constexpr auto kAsksProperly = [](const Imported& i) {
  return kNamesProperKeywords(i) && kPassesByName(i) && kAsksForPairs(i) && kAsksForDevicePairs(i) &&
         kAsksForNoStreamOfTheHost(i);
};

/// The step that imports an offer into the slot, as the probes do. NULL for imports on another way, such as the
/// exchange table, which may have other habits.
const Step* ProbedStep(const Imported& i) {
  const Profile& profile = i.x.profile;
  if (i.x.recipe.kind != RecipeKind::kImport) return nullptr;
  const bool bare = profile.Says(Trait::kCapsulesOnly) || profile.bare_legacy != 0 || profile.bare_versioned != 0;
  return FindStep(i.x.recipe, [&](const Step& step) {
    return step.slot == i.slot && (step.op == Op::kImport || (bare && step.op == Op::kImportCapsule));
  });
}

/// Both imported a tensor with elements, and copy= was not given. Large tensors are left out, because the probes use
/// none.
constexpr auto kTookPlainly = [](const Imported& i) {
  const Step* const step = ProbedStep(i);
  return step != nullptr && i.x.recipe.offer(step->block).large == 0 && i.BothAccept() && !i.NoElements() &&
         !AsksForCopy(i.x.recipe, i.slot, ArgumentKind::kFalse) &&
         !AsksForCopy(i.x.recipe, i.slot, ArgumentKind::kTrue);
};
constexpr auto kTookCapsule = [](const Imported& i) { return kTookPlainly(i) && IsUsed(i.subject.name_after); };

/// Whether both may have consumed a capsule of the exchange: a second import can be accepted after a refused one, for
/// example by from_dlpack after from_exchange.
bool BothTakeCapsules(const Imported& i) {
  const auto again = [](const ImportLedger& import) { return import.again.outcome == Outcome::kAccepted; };
  return i.BothAccept() || (again(i.subject) && again(i.ours));
}

/// A tensor without elements needs no address.
constexpr auto kSaysNoAddress = [](const Imported& i) {
  return i.BothAccept() && i.result.valid != 0 && i.result.has_pointer == 0 && !i.NoElements();
};

constexpr Choice kChoices[] = {
    // The producer only lent a DLTensor, and the consumer copied it: no tensor has to be released.
    May("copies-from-views", "XAPI-DLT-01",
        "copies from a view that the exchange table returned, without a managed tensor",
        "importS.deleter.calls importS.deleter.in_import importS.deleter.while_alive importS.released importS.place "
        "importS.aliases importS.strides importS.write_source importS.write_array importS.writable",
        [](const Imported& i) {
          const auto gave = [&](TableFunction function) {
            const TableUse& table = i.subject.table;
            return ((table.called & ~table.failed) >> static_cast<int>(function) & 1) != 0;
          };
          return i.HasATable() && i.BothAccept() && i.subject.capsules == 0 && gave(TableFunction::kView) &&
                 !gave(TableFunction::kFromObject) && (i.LiesIn(Area::kElsewhere, Area::kUnknown) || i.NoElements());
        }),
    May("peeks-at-a-tensor", "XAPI-DLT-03",
        "reads metadata from a managed tensor, which it releases, and not from a view",
        "importS.deleter.calls importS.deleter.in_import importS.deleter.while_alive importS.released importS.capsules",
        [](const Imported& i) {
          return HasStep(i.x.recipe, Op::kPeek) && i.subject.deleter.calls == i.subject.capsules;
        }),
    May("uses-tables-in-its-own-way", "XAPI-DISC-09", "looks up an exchange table and calls its functions, or does not",
        "importS.table.looked importS.table.called importS.table.failed importS.table.pending",
        [](const Imported& i) { return i.HasATable(); }),
    // The tensor came without a capsule, or with one.
    May("goes-by-table-or-method", "XAPI-DISC-09", "imports a tensor through its exchange table, or through __dlpack__",
        "importS.calls importS.callC.* importS.capsules importS.name_before importS.name_after "
        "importS.name_after_again importS.used_name_storage importS.capsule_destructor_changed "
        "importS.deleter.from_destructor",
        [](const Imported& i) {
          return i.HasATable() &&
                 (i.subject.name_before == NameSeen::kNotSeen || i.ours.name_before == NameSeen::kNotSeen);
        }),
    // A library may import its own arrays without DLPack. A defect of one role shows in exchanges with the harness too,
    // where it is attributed to one side.
    May("takes-its-own-arrays", "PY-FROM-07", "imports its own arrays in another way than through DLPack",
        "importS.place importS.aliases importS.has_pointer importS.strides importS.ndim importS.shape importS.dtype "
        "importS.dtype_name importS.device importS.writable importS.write_source importS.write_array importS.memory "
        "importS.memory.* importS.library importS.library.* importS.computed importS.computed.* importS.exception "
        "importS.is_buffer_error importS.is_type_error sourceS.alive_at_end",
        [](const Exchange& x, int slot) {
          return x.profile.is_pair == 0 && HasStep(x.recipe, [&](const Step& step) {
                   return step.op == Op::kImportSource && (step.slot == slot || std::max(OtherSlot(step), 0) == slot);
                 });
        }),
    May("asks-in-its-own-way", "PY-MAXVER-06", "makes other calls to the producer, or in another order",
        "importS.calls importS.callC.method importS.callC.raised importS.callC.copy", kAlways),
    May("asks-for-another-version", "PY-MAXVER-06", "passes another max_version, or none", "importS.callC.max_version",
        kAsksForPairs),
    May("asks-for-a-device", "PY-DLDEVICE-11", "passes dl_device, or does not", "importS.callC.dl_device",
        kAsksForDevicePairs),
    May("names-a-stream", "PY-STREAM-01", "passes a stream to a producer on a device, or does not",
        "importS.callC.stream", kAsksForNoStreamOfTheHost),
    May("names-other-keywords", "PY-DLPACK-01", "passes other keywords, or leaves them out", "importS.callC.keywords",
        kNamesProperKeywords),
    May("passes-other-things-by-name", "PY-DLPACK-01", "passes keyword arguments that the reference does not pass",
        "importS.callC.positional", kPassesByName),
    May("asks-properly", "PY-MAXVER-06",
        "receives other capsules, because it calls the producer with other valid arguments",
        "importS.capsules importS.callC.cuda_stream_device", kAsksProperly),
    // The consumer passed another max_version, and got another struct.
    May("gets-another-struct", "PY-MAXVER-13", "receives a legacy struct where the reference asked for a versioned one",
        "importS.name_before importS.name_after importS.name_after_again importS.callC.* importS.writable "
        "importS.write_array",
        [](const Imported& i) {
          const NameSeen name = i.subject.name_before;
          return name != i.ours.name_before && (name == NameSeen::kLegacy || name == NameSeen::kVersioned) &&
                 (i.subject.name_after == name || IsUsed(i.subject.name_after)) && kAsksProperly(i);
        }),
    May("gets-more-capsules", "PY-CAPSULE-04", "asks for more or fewer capsules",
        "importS.capsules importS.calls importS.callC.* importS.deleter.from_destructor",
        [](const Imported& i) {
          return i.subject.capsules != i.ours.capsules && i.subject.capsules > 0 && kAsksProperly(i);
        }),
    // Each capsule must be released, however many there are.
    May("releases-each-capsule", "C-OWN-02", "releases each capsule once, of more or fewer capsules",
        "importS.deleter.calls",
        [](const Imported& i) {
          return i.subject.capsules != i.ours.capsules && i.subject.deleter.calls == i.subject.capsules &&
                 i.ours.deleter.calls == i.ours.capsules;
        }),
    May("copies-imports", "C-OWN-03", "copies what it imports, unless copy=False was passed",
        "importS.place importS.aliases importS.strides importS.write_source importS.write_array importS.writable "
        "importS.deleter.in_import importS.deleter.while_alive",
        [](const Imported& i) {
          if (!i.ours.Aliases()) return kNoReading;
          if (i.subject.Aliases()) return 0;
          // The producer of a pair may not report its address.
          if (i.x.profile.is_pair != 0 && i.x.profile.Says(Trait::kCopies) && i.LiesIn(Area::kUnknown)) return 1;
          return i.result.has_pointer != 0 && i.LiesIn(Area::kElsewhere, Area::kNull) ? 1 : kNoReading;
        },
        {.legal =
             [](const Imported& i) { return i.BothAccept() && !AsksForCopy(i.x.recipe, i.slot, ArgumentKind::kFalse); },
         .habit = {"importS.aliases", "0, as in every default exchange", kTookPlainly}}),
    // The address of a copy, and when its source is released, are free.
    May("copies-to-its-own-memory", "C-FLAGS-06", "chooses the layout of a copy",
        "importS.place importS.strides importS.writable importS.deleter.in_import importS.deleter.while_alive",
        [](const Imported& i) { return i.BothAccept() && !i.ours.Aliases() && !i.subject.Aliases(); }),
    // A consumer that requested a copy from the producer need not copy again.
    May("leaves-copies-to-the-producer", "PY-COPY-08", "passes copy=True to the producer and does not copy again",
        "importS.place importS.aliases importS.strides importS.write_source importS.write_array importS.writable "
        "importS.deleter.in_import importS.deleter.while_alive",
        [](const Imported& i) {
          return i.BothAccept() && !i.OfEachCall([](const ProducerCall& call) {
            return call.copy.kind != ArgumentKind::kTrue || call.raised != 0;
          });
        }),
    // Such an array is never written, so its elements may be cached after a read.
    May("keeps-what-it-read", "C-OWN-16", "caches the converted elements of an immutable array", "importS.write_source",
        [](const Imported& i) { return i.BothAccept() && i.x.profile.Says(Trait::kImmutable); }),
    // The described address is that of memory that was released.
    May("ends-views-at-a-close", "C-OWN-03", "raises when an array is read after it, or a view of it, was closed",
        "importS.memory importS.memory.*",
        [](const Imported& i) { return i.subject.closed == Outcome::kAccepted && i.subject.library.raised != 0; }),
    MayAlways("says-no-address", "C-DATA-01", "does not report the address of its arrays",
              "importS.has_pointer importS.place importS.aliases importS.memory importS.memory.*", kSaysNoAddress),
    // The layout is that of a copy, at an address that the library does not report.
    May("lies-compactly-somewhere", "C-OWN-03", "does not report the address of its array, which may be a compact copy",
        "importS.strides importS.write_source importS.write_array importS.writable",
        [](const Imported& i) {
          const int64_t item = ItemSize(i.result.dtype);
          if (!kSaysNoAddress(i) || item <= 0 || i.result.ndim < 0 || i.result.ndim > kDims) return false;
          int64_t strides[kDims];
          CompactStrides(i.result.shape, i.result.ndim, strides);
          for (int d = 0; d < i.result.ndim; ++d) strides[d] *= item;
          return i.result.has_strides == 0 ||
                 SameMeaning(i.result.shape, i.result.byte_strides, strides, i.result.ndim);
        }),
    May("places-nothing-anywhere", "C-DATA-07", "reports any address and strides for a tensor without elements",
        "importS.place importS.aliases importS.has_pointer importS.strides importS.memory importS.memory.* "
        "importS.deleter.in_import importS.deleter.while_alive importS.writable",
        [](const Imported& i) { return i.BothAccept() && i.NoElements(); }),
    May("has-idle-strides", "C-STRIDES-11", "reports any stride for extents of 0 or 1", "importS.strides",
        [](const Imported& i) {
          return i.BothAccept() && i.result.ndim == i.our_result.ndim &&
                 SameMeaning(i.our_result.shape, i.result.byte_strides, i.our_result.byte_strides, i.our_result.ndim);
        }),
    May("turns-lanes-into-a-dimension", "C-DTYPE-07", "imports lanes as a trailing dimension",
        "importS.dtype importS.dtype_name importS.ndim importS.shape importS.strides",
        [](const Imported& i) {
          const Offer* const offer = i.OfferOf();
          return offer != nullptr && offer->dtype.lanes > 1;
        }),
    // One element, in the smallest number of dimensions that the library supports.
    MayAlways("adds-a-dimension-to-scalars", "C-SHAPE-02",
              "imports 0-dimensional tensors with dimensions of one element",
              "importS.ndim importS.shape importS.strides",
              [](const Imported& i) {
                const int dims = std::clamp(i.result.ndim, 0, kDims);
                return i.BothAccept() && i.our_result.ndim == 0 && i.result.valid != 0 && dims > 0 &&
                       std::count(i.result.shape, i.result.shape + dims, 1) == dims;
              }),
    // No text defines the size of the padding and the place of the value in a padded element, nor how 6-bit elements
    // share bytes.
    May("reads-small-elements-otherwise", "C-SUBBYTE-07",
        "reads padded elements smaller than a byte, and 6-bit elements, in its own layout",
        "importS.library importS.library.* importS.computed importS.computed.* importS.view importS.view.* "
        "importS.write_source importS.write_array",
        [](const Imported& i) {
          return i.IsSubByteOffer() && (PackedBits(*i.OfferOf()) == 0 || 8 % PackedBits(*i.OfferOf()) != 0);
        }),
    // Strides in bytes have no meaning for elements that share bytes.
    May("describes-packed-strides", "C-SUBBYTE-10", "reports any strides for elements smaller than a byte",
        "importS.strides", [](const Imported& i) { return i.IsSubByteOffer(); }),
    // The shape counts two elements as one.
    May("counts-pairs", "C-SUBBYTE-10", "counts two elements smaller than a byte as one",
        "importS.shape importS.strides importS.library importS.library.* importS.computed importS.computed.* "
        "importS.view importS.view.* importS.write_source importS.write_array",
        [](const Imported& i) {
          const int dims = i.our_result.ndim;
          return i.IsSubByteOffer() && i.result.has_shape != 0 && i.result.ndim == dims && dims >= 1 && dims <= kDims &&
                 std::equal(i.result.shape, i.result.shape + dims - 1, i.our_result.shape) &&
                 CountsPairs(i.result.shape, i.our_result.shape, dims);
        }),
    May("narrows-types", "C-DTYPE-14",
        "converts dtypes that it lacks to narrower ones, as library.toml or a Python warning says",
        "importS.dtype importS.dtype_name importS.strides importS.memory importS.memory.* importS.library "
        "importS.library.* importS.computed importS.computed.* importS.view importS.view.*",
        [](const Imported& i) {
          return i.BothAccept() && (i.x.profile.Says(Trait::kNarrows) || i.subject.warned != 0) &&
                 i.result.dtype.code == i.our_result.dtype.code && i.result.dtype.bits < i.our_result.dtype.bits;
        }),
    MayAlways("imports-read-only", "C-FLAGS-03", "imports tensors as read-only", "importS.writable importS.write_array",
              [](const Imported& i) {
                const bool known = i.result.writable != Answer::kUnknown;
                if (!i.BothAccept() || i.our_result.writable != Answer::kYes || !known) return kNoReading;
                return i.result.writable == Answer::kNo ? 1 : 0;
              },
              {.habit = {"importS.writable", "0, as in every default exchange", kTookPlainly}}),
    // Without READ_ONLY, in a legacy struct or in a copy, an array may be writable.
    May("owns-or-misses-the-flag", "C-FLAGS-02", "imports a copy, or a struct without READ_ONLY, as writable",
        "importS.writable importS.write_array",
        [](const Imported& i) {
          const bool copied = i.result.has_pointer != 0 && i.LiesIn(Area::kElsewhere);
          return i.BothAccept() && (i.subject.name_before != i.ours.name_before || copied);
        }),
    // A library without read-only arrays ignores the flag.
    May("has-no-read-only-arrays", "C-FLAGS-04", "has no read-only arrays and ignores READ_ONLY",
        "importS.writable importS.write_array",
        [](const Imported& i) { return i.BothAccept() && !i.x.profile.Claims(Claim::kReadOnly); }),
    // A library may refuse to write, if the memory stays unchanged then.
    May("does-not-write", "C-FLAGS-03", "does not write to an imported array", "importS.write_array",
        [](const Imported& i) { return i.BothAccept() && i.subject.write_array != WriteShown::kShown; }),
    May("raises-what-it-likes", "C-OWN-15", "refuses with another exception",
        "importS.exception importS.is_buffer_error importS.is_type_error importS.deleter.with_pending_exception "
        "importS.deleter.in_import importS.deleter.from_destructor importS.deleter.while_alive",
        [](const Imported& i) { return i.BothRefuse(); }),
    May("refuses-before-it-asks", "PY-DEVICE-05", "refuses before it asks for a capsule",
        "importS.name_before importS.name_after importS.capsules importS.deleter.calls importS.released",
        [](const Imported& i) { return i.BothRefuse() && (i.subject.capsules == 0 || i.ours.capsules == 0); }),
    May("consumes-what-it-refuses", "PY-CAPSULE-06",
        "consumes capsules that it refuses, or leaves them to the producer",
        "importS.name_after importS.name_after_again importS.used_name_storage importS.deleter.from_destructor "
        "importS.capsule_destructor_changed",
        [](const Imported& i) {
          return i.BothRefuse() && i.subject.name_before != NameSeen::kNotSeen &&
                 IsUsed(i.subject.name_after) != IsUsed(i.ours.name_after);
        }),
    MayAlways(
        "clears-destructors", "PY-CAPSULE-17", "clears the destructor of capsules that it consumed",
        "importS.capsule_destructor_changed",
        [](const Imported& i) { return i.subject.capsule_destructor_changed != 0; },
        {.legal = [](const Imported& i) { return BothTakeCapsules(i) && i.subject.name_before != NameSeen::kNotSeen; },
         .habit = {"importS.capsule_destructor_changed", "1, as in every default exchange",
                   [](const Imported& i) {
                     return kTookCapsule(i) &&
                            i.x.recipe.offer(ProbedStep(i)->block).destructor == DestructorKind::kReleases;
                   }},
         .question = {.number = "A-23",
                      .text = "the destructor of a consumed capsule",
                      .readings = {"leaves it", "clears it"},
                      .asked =
                          [](const ImportedOffer& i) {
                            return IsUsed(i.seen.name_after) && i.offer.destructor != DestructorKind::kNone;
                          }}}),
    MayAlways(
        "stores-names-elsewhere", "PY-CAPSULE-08", "stores the used name of capsules in non-static memory",
        "importS.used_name_storage",
        [](const Imported& i) { return BothTakeCapsules(i) ? ReadingOf(i.subject.used_name_storage) : kNoReading; },
        {.habit = {"importS.used_name_storage", "non-static memory, as in every default exchange", kTookCapsule}}),
    May("borrows-capsules", "PY-CAPSULE-14", "keeps the capsule unconsumed as long as its array",
        "importS.name_after importS.name_after_again importS.used_name_storage importS.deleter.from_destructor "
        "importS.again importS.again.*",
        [](const Imported& i) {
          return i.x.profile.Says(Trait::kBorrows) && i.BothAccept() && !IsUsed(i.subject.name_after);
        }),
    // Each capsule is released once, whatever the second import did.
    May("answers-a-second-import", "PY-CAPSULE-10", "accepts or refuses a second import in its own way",
        "importS.again importS.again.* importS.name_after_again importS.deleter.in_import "
        "importS.deleter.from_destructor",
        [](const Imported& i) {
          return i.ours.again.outcome != Outcome::kNotRun || i.subject.again.outcome != Outcome::kNotRun;
        }),
    // Until from_dlpack returns, a tensor that was refused, copied or is superfluous is not used.
    May("releases-what-it-does-not-use", "C-OWN-03", "immediately releases what it does not use",
        "importS.deleter.in_import importS.deleter.while_alive importS.deleter.from_destructor",
        [](const Imported& i) {
          const DeleterLedger& deleter = i.subject.deleter;
          const int spare = i.subject.capsules - (i.subject.again.outcome != Outcome::kNotRun ? 0 : 1);
          return Refused(i.subject.import) || i.LiesIn(Area::kElsewhere, Area::kNull, Area::kUnknown) ||
                 i.NoElements() || deleter.calls_in_import + deleter.calls_while_alive <= spare;
        }),
    // The harness drops the array with a pending exception. A deleter may run then or at another time.
    May("releases-under-a-pending-exception", "C-OWN-03",
        "calls deleters before or after a step with an exception pending", "importS.deleter.with_pending_exception",
        [](const Exchange& x, int) {
          return HasStep(x.recipe, [](const Step& step) { return step.context == Context::kPendingException; });
        }),
    May("releases-from-anywhere", "C-OWN-12", "calls deleters on any thread, with or without the GIL",
        "importS.deleter.without_gil deleterD.* deleters", kAlways),
    May("imports-where-an-array-is", "C-DEVICE-15",
        "imports an array on another device than the CPU as one of that device", "importS.device",
        [](const Imported& i) {
          const Step* const step =
              FindStep(i.x.recipe, [&](const Step& one) { return one.op == Op::kImportSource && one.slot == i.slot; });
          return step != nullptr && i.result.valid != 0 && i.result.has_device != 0 &&
                 DeviceOfArray(i.x, std::max(OtherSlot(*step), 0)) == i.result.device;
        }),
};

const RegisterChoices kImports(ChoiceList::kImport, kChoices);

}  // namespace
}  // namespace dlpack_cts
