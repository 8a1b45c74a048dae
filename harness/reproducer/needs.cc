// harness/reproducer/needs.cc: finds out which parts of the prelude the script of a finding needs.
#include "harness/reproducer/needs.h"

#include <algorithm>
#include <array>

#include "harness/forge/layout.h"
#include "harness/ledger/facts.h"
#include "harness/recipe/elements.h"
#include "harness/recipe/fields.h"
#include "harness/recipe/life.h"
#include "harness/recipe/packing.h"
#include "harness/reproducer/python.h"
#include "harness/reproducer/watched.h"

namespace dlpack_cts {
namespace {

void AddFields(const std::string& prefix, std::span<const Field> fields, const void* block, Needs& needs) {
  for (const Field& field : fields) {
    const uint64_t value = ReadField(field, block);
    if (!field.words.empty()) {
      needs.tags.insert(prefix + std::string(field.name) + "." + std::string(field.words[value]));
    } else if (field.count == 1 && value != 0) {
      needs.tags.insert(prefix + std::string(field.name));
    }
  }
}

/// backed: the offer has readable elements. hands-out: __dlpack__ returns a capsule.
void AddOffer(const Offer& offer, Needs& needs) {
  AddFields("offer.", OfferFields(), &offer, needs);
  const bool misnames = MisnamesDevice(offer.gives);
  const bool hands_out = GivesCapsules(offer.gives) || offer.gives == Gives::kStored;
  if (hands_out || offer.gives == Gives::kNoDevice || misnames) needs.tags.insert("hands-out");
  const bool other_class = offer.gives == Gives::kEnumForDevice || offer.gives == Gives::kSubclassForDevice ||
                           offer.gives == Gives::kIndexForDevice;
  if (offer.gives != Gives::kNoDevice && !misnames && !other_class) needs.tags.insert("names-device");
  int64_t strides[kDims];
  EffectiveStrides(offer, strides);
  constexpr std::array kNowhere = {Placement::kUnmapped, Placement::kDevice, Placement::kNull,
                                   Placement::kForeignHandle};
  const bool placed = std::find(kNowhere.begin(), kNowhere.end(), offer.placement) == kNowhere.end();
  if (placed && forge::ReachOf(offer, strides).backed) needs.tags.insert("backed");
  if (!(offer.keywords == kIgnoresKeywords)) needs.tags.insert("picky");
  if (PackedBits(offer) != 0) needs.tags.insert("packed");
}

/// narrowing: a library without 64-bit dtypes may hold a narrower copy. sub-byte: elements or lanes of fewer than 8
/// bits. vectors: more than one lane. packed-lanes: lanes of fewer than 8 bits.
void AddDtype(abi::DLDataType dtype, Needs& needs) {
  if (IsSubByte(dtype) || HasPackedLanes(dtype)) needs.tags.insert("sub-byte");
  if (dtype.lanes > 1) needs.tags.insert("vectors");
  if (HasPackedLanes(dtype)) needs.tags.insert("packed-lanes");
  if (dtype.bits > 32) needs.tags.insert("narrowing");
}

/// offers, exports: there is at least one. slots: more than one offer. in-place: an offer overwrites an earlier one.
/// raw-thread: a deleter runs on a thread that Python did not make.
void AddLife(std::span<const Step> life, Needs& needs) {
  int offers = 0;
  int several_exports = 0;
  for (const Step& step : life) {
    needs.tags.insert("step." + std::string(ToText(step.op)));
    const bool imports = ImportsOffer(step.op);
    offers += imports || step.op == Op::kTableImport;
    if (imports && OtherSlot(step) >= 0 && OtherSlot(step) != step.slot) needs.tags.insert("in-place");
    const bool exports = step.op == Op::kExport || step.op == Op::kReexport || step.op == Op::kTableExport;
    if (exports) needs.tags.insert("exports");
    several_exports += exports;
    if (step.op == Op::kDelete && (step.lane != 0 || step.context == Context::kRawThread)) {
      needs.tags.insert("raw-thread");
    }
  }
  if (offers > 0) needs.tags.insert("offers");
  if (offers > 1) needs.tags.insert("slots");
  if (several_exports > 1) needs.tags.insert("several-exports");
}

bool HasTagFrom(const Needs& needs, std::string_view start) {
  const auto tag = needs.tags.lower_bound(std::string(start));
  return tag != needs.tags.end() && tag->starts_with(start);
}

constexpr std::string_view kReadings[] = {"import.memory",   "import.library",        "import.computed",
                                          "import.view",     "source.elements",       "source.used",
                                          "export.elements", "export.first_elements", "export.packing"};

/// Whether the adapter's from_dlpack has the parameters dtype and ndim. If adapter.py does not define it, it may have
/// them.
bool TakesType(const ReproducerInput& input) {
  const size_t at = input.adapter.find("def from_dlpack(");
  if (at == std::string::npos) return input.adapter.find("ndim") != std::string::npos || !input.modules.empty();
  return input.adapter.substr(at, input.adapter.find("):", at) - at).find("ndim") != std::string::npos;
}

/// described: the library's description of its array matters.
void AddReadings(Needs& needs) {
  constexpr std::string_view kDescribed[] = {"import.dtype",    "import.ndim",   "import.shape",  "import.strides",
                                             "import.writable", "import.device", "import.memory", "import.has_pointer",
                                             "import.place",    "import.aliases"};
  for (const std::string_view fact : kDescribed) {
    if (HasTagFrom(needs, fact)) needs.tags.insert("described");
  }
  const bool reads = std::any_of(std::begin(kReadings), std::end(kReadings),
                                 [&needs](std::string_view fact) { return HasTagFrom(needs, fact); });
  if (reads && (needs.tags.contains("narrowing") || needs.tags.contains("packed-lanes")))
    needs.tags.insert("described");
}

bool IsOneOf(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

bool HasTagFromAny(const Needs& needs, std::initializer_list<std::string_view> starts) {
  return std::any_of(starts.begin(), starts.end(),
                     [&needs](std::string_view start) { return HasTagFrom(needs, start); });
}

/// The array has elements, and they are on the host.
bool IsPlain(const ReproducerInput& input, const Needs& needs) {
  const Recipe& recipe = input.recipe;
  const auto on_host = [](const abi::DLDevice& device) { return device.device_type == abi::kDLCPU; };
  if (python::Offers(recipe) && (!needs.tags.contains("backed") || !on_host(recipe.offer().device))) return false;
  if (!python::Requests(recipe)) return true;
  return ElementCount(recipe.request().shape, recipe.request().dims) > 0 && on_host(recipe.request().device);
}

/// take.: whether the import may be refused, and whether it has the parameters dtype and ndim. If the run saw no
/// refusal, the script does not catch one, and a refusal ends it. caught: the result of a checked import is kept.
void AddTake(const ReproducerInput& input, const std::string& fact, Needs& needs) {
  const std::vector<std::string> death = CrashOf(input);
  const bool seen_after = IsOneOf(fact, {"import.library", "import.memory"});
  const bool leaves = std::find(death.begin(), death.end(), "exit 1") != death.end();
  const bool how_it_ended =
      IsOneOf(fact, {"import.outcome", "import.exception", "import.message"}) || fact.starts_with("import.is_");
  const bool granted = !input.every_fact && !needs.tags.contains("slots") && !leaves &&
                       (seen_after || (!input.refused && !how_it_ended));
  const bool typed = TakesType(input);
  if (typed) needs.tags.insert("adapter.ndim");
  if (!granted && needs.tags.contains("several-steps")) needs.tags.insert("caught");
  needs.tags.insert(std::string("take.") + (granted ? "granted" : "checked") + (typed ? "-typed" : ""));
}

/// destructor: the destructor of offered capsules releases the tensor. idle-destructor: it never did, because the
/// library consumed the capsule.
void AddDestructor(const ReproducerInput& input, Needs& needs) {
  const bool none = needs.tags.contains("offer.destructor.none");
  const bool idle = !input.every_fact && HasTagFrom(needs, "take.granted") && !input.by_destructor && !input.refused &&
                    !HasTagFromAny(needs, {"step.import-again", "capsule"});
  if (needs.tags.contains("releases") && !idle && !none) needs.tags.insert("destructor");
  if (!needs.tags.contains("destructor") && !none) needs.tags.insert("idle-destructor");
}

/// plain-read: the run compared as many elements as there should be, so the script reads them without a check. If their
/// number is wrong, the array may have none, and must not be asked for any. types: the array's elements may have
/// another size than the offered or requested ones. sized: the number of elements is checked before they are read.
/// outcomes: the script reads later how calls ended. source-described: the library's description of the array that it
/// made matters.
void AddElements(const ReproducerInput& input, const std::string& fact, Needs& needs) {
  const bool compared = input.got.starts_with("differs");
  const bool narrows = needs.tags.contains("narrowing") || needs.tags.contains("sub-byte");
  if (!input.every_fact && compared && fact == "import.library" && !needs.tags.contains("step.make") && !narrows &&
      IsPlain(input, needs) && !HasTagFromAny(needs, {"step.compute", "step.write", "step.use-source"})) {
    needs.tags.insert("plain-read");
  }
  const bool dies = !input.every_fact && fact.empty();
  if (!IsPlain(input, needs) || HasTagFrom(needs, "step.write") || !(dies || needs.tags.contains("plain-read"))) {
    needs.tags.insert("sized");
  }
  if (input.every_fact || narrows || IsOneOf(fact, {"import.dtype", "source.dtype"}) ||
      HasTagFrom(needs, "step.write") || !IsPlain(input, needs)) {
    needs.tags.insert("types");
  }
  if (HasTagFromAny(needs, {"import.outcome", "import.again", "export.outcome", "source.make", "source.change",
                            "source.device_", "source.reported", "source.references"})) {
    needs.tags.insert("outcomes");
  }
  const bool odd = python::Requests(input.recipe) && input.recipe.request().oddity != Oddity::kNone;
  const bool asks = fact.starts_with("source.") && !fact.starts_with("source.device_");
  if (input.every_fact || fact.empty() || odd || asks || needs.tags.contains("narrowing") ||
      HasTagFromAny(needs, {"import.place", "import.aliases", "export.place", "export.points"})) {
    needs.tags.insert("source-described");
  }
}

/// made, taken-for-granted: the run recorded the fact, so make and export succeeded; a failure ends the script.
/// export-ends: exports are consumed, deleted or lost. extents: the script reads shape and strides of an export. noted:
/// the fact is a field of the struct. each-slot: at the end the objects are dropped tensor by tensor.
void AddExports(const ReproducerInput& input, const std::string& fact, Needs& needs) {
  const bool one_fact = !input.every_fact && !fact.empty();
  const bool ends = needs.tags.contains("finish") || needs.tags.contains("several-exports") ||
                    HasTagFromAny(needs, {"step.take-capsule", "step.delete", "step.lose", "step.export-often",
                                          "step.count-exports"});
  if (one_fact && !fact.starts_with("source.make") && !needs.tags.contains("finish") &&
      !HasTagFromAny(needs, {"step.drop-source", "step.export-often", "step.count-exports"})) {
    needs.tags.insert("made");
  }
  const bool how_it_ended =
      IsOneOf(fact, {"export.outcome", "export.exception", "export.message"}) || fact.starts_with("export.is_");
  if (one_fact && fact.starts_with("export.") && !how_it_ended && !needs.tags.contains("several-exports") &&
      !HasTagFromAny(needs, {"step.export-often", "step.count-exports"})) {
    needs.tags.insert("taken-for-granted");
  }
  if (input.every_fact || ends || fact == "export.same_struct") needs.tags.insert("export-ends");
  const bool of_capsule = how_it_ended || IsOneOf(fact, {"export.name", "export.has_destructor"});
  if (needs.tags.contains("export-ends") || (HasTagFrom(needs, "export.") && !of_capsule) ||
      HasTagFrom(needs, "step.write-export")) {
    needs.tags.insert("watched");
  }
  if (HasTagFromAny(needs, {"export.versioned", "export.has_deleter", "export.null_", "export.device", "export.ndim",
                            "export.dtype", "export.shape", "export.strides", "export.byte_offset", "export.alignment",
                            "export.data_alignment", "export.metadata", "export.deleted", "export.changed",
                            "export.version", "export.flags", "export.place", "export.points"})) {
    needs.tags.insert("noted");
  }
  if (HasTagFromAny(needs, {"export.shape", "export.strides", "export.metadata", "export.elements", "export.first",
                            "export.data_readable", "export.packing", "export.changed", "export.write",
                            "step.read-export", "step.inspect", "step.write-export"})) {
    needs.tags.insert("extents");
  }
  const bool when = fact.starts_with("import.deleter.") && fact != "import.deleter.calls";
  if (input.every_fact || when || needs.tags.contains("exports") || needs.tags.contains("slots") ||
      needs.tags.contains("capsule") || !needs.tags.contains("offers")) {
    needs.tags.insert("each-slot");
  }
}

/// capsule: the offered capsule is inspected. releases: the time of the deleter call matters.
void AddReleases(Needs& needs) {
  for (const std::string_view part : {"import.name_after", "import.capsule_", "import.used_name"}) {
    if (HasTagFrom(needs, part)) needs.tags.insert("capsule");
  }
  constexpr std::string_view kReasons[] = {"import.deleter",      "import.released",      "import.changed",
                                           "import.capsule_dest", "offer.seal_on_delete", "step.import-again",
                                           "step.write-source",   "step.write-array",     "offer.deleter.reenters",
                                           "offer.deleter.meets", "offer.deleter.drops",  "step.count-imports"};
  for (const std::string_view reason : kReasons) {
    if (HasTagFrom(needs, reason)) needs.tags.insert("releases");
  }
}

}  // namespace

Needs NeedsOf(const ReproducerInput& input) {
  Needs needs;
  needs.fact = WatchedFact(input);
  needs.every_fact = input.every_fact;
  const Recipe& recipe = input.recipe;
  const Life used = LifeOf(input);
  const std::span<const Step> life = used.steps;
  AddLife(life, needs);
  if (used.to_its_end) needs.tags.insert("finish");
  if (life.size() > 1 || used.to_its_end) needs.tags.insert("several-steps");
  if (python::Offers(recipe)) {
    AddOffer(recipe.offer(), needs);
    AddDtype(recipe.offer().dtype, needs);
  }
  if (python::Requests(recipe)) {
    AddFields("request.", RequestFields(), &recipe.request(), needs);
    AddDtype(recipe.request().dtype, needs);
  }
  if (!needs.fact.empty()) needs.tags.insert(PlainKey(needs.fact));
  if (input.every_fact) {
    needs.tags.insert("every-fact");
    for (const std::string& key : FactKeys()) needs.tags.insert(PlainKey(key));
  }
  if (HasTagFrom(needs, "import.call")) needs.tags.insert("picky");  // the producer records its calls
  AddReleases(needs);
  if (needs.fact.empty() && !input.every_fact) needs.tags.insert("death");
  AddReadings(needs);
  const std::string fact = input.every_fact ? "" : PlainKey(needs.fact);
  AddTake(input, fact, needs);
  AddDestructor(input, needs);
  AddElements(input, fact, needs);
  AddExports(input, fact, needs);
  const bool writes = needs.tags.contains("step.write-source") || needs.tags.contains("step.write-array");
  const bool packed = needs.tags.contains("packed");
  if (packed || writes || !needs.tags.contains("backed"))
    needs.tags.insert(packed ? "written.packed" : "written.whole");
  if (!input.environment.empty()) needs.tags.insert("environment");
  if (!input.modules.empty()) needs.tags.insert("modules");
  if (input.adapter.find("release") != std::string::npos || !input.modules.empty()) {
    needs.tags.insert("adapter.release");
  }
  if (needs.tags.contains("adapter.release") || needs.tags.contains("step.collect") ||
      HasTagFromAny(needs, {"step.export-often", "step.count-"}) || input.every_fact) {
    needs.tags.insert("collects");
  }
  if (input.adapter.find("__file__") != std::string::npos) needs.tags.insert("adapter.file");
  return needs;
}

}  // namespace dlpack_cts
