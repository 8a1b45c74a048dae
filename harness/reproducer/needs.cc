// harness/reproducer/needs.cc: reads off the finding what its script has to do.
#include "harness/reproducer/needs.h"

#include <algorithm>
#include <array>

#include "harness/forge/layout.h"
#include "harness/ledger/facts.h"
#include "harness/recipe/elements.h"
#include "harness/recipe/fields.h"
#include "harness/recipe/normalize.h"
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

/// backed: the offer has elements that can be read. filled: it declares more dimensions than it means.
void AddOffer(const Offer& offer, Needs& needs) {
  AddFields("offer.", OfferFields(), &offer, needs);
  int64_t strides[kDims];
  EffectiveStrides(offer, strides);
  constexpr std::array kNowhere = {Placement::kUnmapped, Placement::kDevice, Placement::kNull,
                                   Placement::kForeignHandle};
  const bool placed = std::find(kNowhere.begin(), kNowhere.end(), offer.placement) == kNowhere.end();
  if (placed && forge::ReachOf(offer, strides).backed) needs.tags.insert("backed");
  if (!(offer.keywords == kIgnoresKeywords)) needs.tags.insert("picky");
  if (PackedBits(offer) != 0) needs.tags.insert("packed");
}

/// narrowing: libraries that have no 64-bit types may hold a copy in a narrower one.
/// sub-byte: elements, or lanes, of less than a byte; packed: several elements to a byte. vectors: more than one lane;
/// packed-lanes: of less than a byte.
void AddDtype(abi::DLDataType dtype, Needs& needs) {
  if (IsSubByte(dtype) || HasPackedLanes(dtype)) needs.tags.insert("sub-byte");
  if (dtype.lanes > 1) needs.tags.insert("vectors");
  if (HasPackedLanes(dtype)) needs.tags.insert("packed-lanes");
  if (dtype.bits > 32) needs.tags.insert("narrowing");
}

/// offers, exports: the life has some. slots: more than one offer. in-place: one lies where another one lay.
/// raw-thread: a deleter runs on a thread that Python never saw.
void AddLife(std::span<const Step> life, Needs& needs) {
  int offers = 0;
  int several_exports = 0;
  for (const Step& step : life) {
    needs.tags.insert("step." + std::string(ToText(step.op)));
    const bool imports = step.op == Op::kImport || step.op == Op::kImportCapsule;
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

/// The adapter's from_dlpack has to be told type and rank; where it is not defined in adapter.py, it may have to be.
bool TakesType(const ReproducerInput& input) {
  const size_t at = input.adapter.find("def from_dlpack(");
  if (at == std::string::npos) return input.adapter.find("ndim") != std::string::npos || !input.modules.empty();
  return input.adapter.substr(at, input.adapter.find("):", at) - at).find("ndim") != std::string::npos;
}

/// told: what the library says of its array matters.
void AddReadings(const ReproducerInput& input, Needs& needs) {
  constexpr std::string_view kTold[] = {"import.dtype",    "import.ndim",   "import.shape",  "import.strides",
                                        "import.writable", "import.device", "import.memory", "import.has_pointer",
                                        "import.place",    "import.aliases"};
  for (const std::string_view fact : kTold) {
    if (HasTagFrom(needs, fact)) needs.tags.insert("told");
  }
  // What a run came to see was accepted before.
  if (!needs.fact.empty() && needs.tags.contains("import.library") + needs.tags.contains("import.memory") > 0 &&
      !needs.tags.contains("slots") && !input.every_fact) {
    needs.tags.insert("accepted");
  }
  const bool reads = std::any_of(std::begin(kReadings), std::end(kReadings),
                                 [&needs](std::string_view fact) { return HasTagFrom(needs, fact); });
  if (reads && (needs.tags.contains("narrowing") || needs.tags.contains("packed-lanes"))) needs.tags.insert("told");
}

/// capsule: what the library did to ours is looked at. releases: it matters when the deleter of ours is called.
void AddReleases(Needs& needs) {
  for (const std::string_view part : {"import.name_after", "import.capsule_", "import.used_name"}) {
    if (HasTagFrom(needs, part)) needs.tags.insert("capsule");
  }
  constexpr std::string_view kReasons[] = {
      "import.deleter",    "import.released",   "import.changed",   "import.capsule_dest",    "offer.seal_on_delete",
      "step.import-again", "step.write-source", "step.write-array", "offer.deleter.reenters", "offer.deleter.meets"};
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
  if (life.size() > 1) needs.tags.insert("several-steps");
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
  if (used.to_its_end || HasTagFrom(needs, "export.") || HasTagFrom(needs, "step.write-export") ||
      HasTagFrom(needs, "step.export-often")) {
    needs.tags.insert("watched");
  }
  if (HasTagFrom(needs, "import.call")) needs.tags.insert("picky");  // the producer notes how it is called
  AddReleases(needs);
  if (needs.fact.empty() && !input.every_fact) needs.tags.insert("death");
  AddReadings(input, needs);
  const bool writes = needs.tags.contains("step.write-source") || needs.tags.contains("step.write-array");
  const bool packed = needs.tags.contains("packed");
  if (packed || writes || !needs.tags.contains("backed"))
    needs.tags.insert(packed ? "written.packed" : "written.whole");
  if (!input.environment.empty()) needs.tags.insert("environment");
  if (!input.modules.empty()) needs.tags.insert("modules");
  if (TakesType(input)) needs.tags.insert("adapter.ndim");
  return needs;
}

}  // namespace dlpack_cts
