// fuzz/targets/import.cc: the target `import`: a library imports tensors of many kinds.
#include <utility>

#include "fuzz/targets/fold.h"
#include "fuzz/targets/import_families.h"
#include "fuzz/targets/targets.h"
#include "fuzz/traces.h"
#include "harness/recipe/dtypes.h"
#include "harness/recipe/laws.h"

namespace dlpack_cts::fuzz {
namespace {

// ---- Changes.

void ChangeType(Recipe& recipe, Random& random) {
  const auto types = WholeByteTypes();
  recipe.offer().dtype = types[random.Below(types.size())].dtype;
}

void ChangeDims(Recipe& recipe, Random& random) {
  Offer& offer = recipe.offer();
  if (offer.dims > 0 && random.OneIn(2)) {
    --offer.dims;
  } else if (offer.dims < kDims) {
    offer.shape[offer.dims] = random.Between(0, 4);
    offer.strides[offer.dims] = random.Between(-3, 12);
    ++offer.dims;
  }
  offer.ndim = offer.dims;
}

void ChangeStrides(Recipe& recipe, Random& random) {
  Offer& offer = recipe.offer();
  if (offer.strides_kind != StridesKind::kExplicit) CompactStrides(offer.shape, offer.dims, offer.strides);
  offer.strides_kind = StridesKind::kExplicit;
  if (offer.dims == 0) return;
  int64_t& stride = offer.strides[random.Below(offer.dims)];
  switch (random.Below(4)) {
    case 0:
      stride = 0;
      return;
    case 1:
      stride = static_cast<int64_t>(static_cast<uint64_t>(stride) * 2);  // may wrap around
      return;
    case 2:
      stride = static_cast<int64_t>(0 - static_cast<uint64_t>(stride));
      return;
    default:
      std::swap(stride, offer.strides[random.Below(offer.dims)]);
  }
}

void ChangeOffset(Recipe& recipe, Random& random) {
  const int64_t item = std::max<int64_t>(1, ItemSize(recipe.offer().dtype));
  recipe.offer().byte_offset = static_cast<uint64_t>(item * random.Between(0, 12));
}

void ChangeLife(Recipe& recipe, Random& random) {
  constexpr Op kOps[] = {Op::kDescribe,    Op::kRead,         Op::kCompute, Op::kTakeView, Op::kDropArray,
                         Op::kDropCapsule, Op::kDropProducer, Op::kCollect, Op::kDropArray};
  if (random.OneIn(3)) return SetPlainLife(recipe);
  SetLife(recipe, {Op::kImport});
  const uint64_t steps = 2 + random.Below(8);
  for (uint64_t i = 0; i < steps; ++i) {
    const uint64_t which = random.Below(std::size(kOps));
    const bool elsewhere = which + 1 == std::size(kOps);  // FoldImport() sets the barriers
    AddStep(recipe, {.op = kOps[which], .lane = elsewhere ? uint8_t{1} : uint8_t{0}});
  }
}

void Change(Recipe& recipe, Random& random) {
  constexpr void (*kChanges[])(Recipe&, Random&) = {ChangeType, ChangeDims, ChangeStrides, ChangeOffset, ChangeLife};
  kChanges[random.Below(std::size(kChanges))](recipe, random);
}

// ---- Questions.

/// Laws that may be violated while an accepted tensor still has the shape, type and elements of the offer.
constexpr uint32_t kHarmless =
    kLawFlags | kLawAlignment | kLawRelease | kLawManners | kLawFar | kLawHuge | kLawWithheld;

const Offer& OfferOf(const Exchange& e) { return e.recipe.offer(); }

bool IsPlain(const Exchange& e) { return e.accepted && (e.laws & ~kHarmless) == 0; }

bool IsLawful(const Exchange& e) { return (e.laws & kHostileLaws) == 0 || (e.laws & kLawMajor) != 0; }

/// Whether the consumer or the capsule destructor must release the tensor.
bool IsOwned(const Exchange& e) {
  return OfferOf(e).destructor == DestructorKind::kReleases && OfferOf(e).name == CapsuleName::kOwn;
}

/// Whether the consumer took ownership of the capsule. A copy need not do so; the address of its elements shows that it
/// is one.
bool Took(const Exchange& e) { return IsPlain(e) && IsOwned(e) && e.ledger.imports[0].result.valid != 0; }

constexpr Question kQuestions[] = {
    {"c-abi/version/foreign-major-is-refused",
     [](const Exchange& e) { return e.accepted && (e.laws & kLawMajor) != 0 && OfferOf(e).major > 1; }},
    {"c-abi/device/extension-device-is-not-host-memory",
     [](const Exchange& e) { return e.accepted && OfferOf(e).device.device_type == abi::kDLExtDev; }},
    {"c-abi/device/unsupported-device-is-refused-and-released",
     [](const Exchange& e) {
       const int32_t type = OfferOf(e).device.device_type;
       return IsLawful(e) && e.accepted && type != abi::kDLExtDev && !IsHostMemory(type) &&
              OfferOf(e).gives != Gives::kKeepsArray && IsOwned(e);
     }},
    {"c-abi/dtype/impossible-types-are-not-reinterpreted",
     [](const Exchange& e) {
       const bool one_lane = OfferOf(e).dtype.lanes == 1;
       return IsLawful(e) && IsOwned(e) && one_lane && (e.laws & kLawDtype) != 0 && (e.laws & kLawMajor) == 0;
     }},
    {"c-abi/dtype/lanes-are-not-dropped",
     [](const Exchange& e) {
       return e.accepted && OfferOf(e).dtype.lanes > 1 && OfferOf(e).dims == 1 &&
              (e.laws & ~(kHarmless | kLawDtype)) == 0;
     }},
    {"c-abi/data/byte-offset-is-added",
     [](const Exchange& e) {
       return IsPlain(e) && OfferOf(e).byte_offset != 0 && OfferOf(e).placement != Placement::kFarOffset;
     }},
    {"c-abi/data/byte-offset-has-64-bits",
     [](const Exchange& e) { return IsPlain(e) && OfferOf(e).placement == Placement::kFarOffset; }},
    {"c-abi/strides/null-means-row-major",
     [](const Exchange& e) { return IsPlain(e) && OfferOf(e).strides_kind == StridesKind::kNull; }},
    {"c-abi/strides/any-layout-is-honoured", [](const Exchange& e) { return IsPlain(e); }},
    {"c-abi/dtype/imported-type-is-the-tensors", [](const Exchange& e) { return IsPlain(e); }},
    {"c-abi/flags/read-only-is-kept",
     [](const Exchange& e) { return IsPlain(e) && (OfferOf(e).flags & abi::kFlagReadOnly) != 0; }},
    {"c-abi/own/tensor-is-not-released-while-in-use", [](const Exchange& e) { return IsPlain(e); }},
    {"c-abi/data/import-writes-nothing", [](const Exchange& e) { return IsLawful(e); }},
    {"c-abi/shape/consumer-writes-no-metadata", [](const Exchange& e) { return IsLawful(e); }},
    {"c-abi/own/deleter-gets-the-original-struct", [](const Exchange& e) { return IsLawful(e); }},
    {"c-abi/own/refused-tensor-is-released-once", [](const Exchange& e) { return IsLawful(e) && e.refused; }},
    {"c-abi/own/tensor-is-released-once",
     [](const Exchange& e) {
       // A producer that refers to the array lives as long as an array that keeps its producer.
       return IsLawful(e) && e.accepted && IsOwned(e) && OfferOf(e).gives != Gives::kKeepsArray;
     }},
    {"python/capsule/legacy-capsule-is-marked-used",
     [](const Exchange& e) { return Took(e) && OfferOf(e).kind == StructKind::kLegacy; }},
    {"python/capsule/versioned-capsule-is-marked-used",
     [](const Exchange& e) { return Took(e) && OfferOf(e).kind == StructKind::kVersioned; }},
};

// ---- Traces and seeds.

void Trace(const Recipe& recipe, const Ledger& ledger) {
  const Offer& offer = recipe.offer();
  const ImportLedger& import = ledger.imports[0];
  const auto outcome = static_cast<uint64_t>(import.import.outcome);
  if (import.import.outcome == Outcome::kRefused) {
    Mark(1, WordsOf(import.import.type.view()), WordsOf(import.import.message.view()));
  }
  Mark(2, outcome << 8 | import.Aliases(), static_cast<uint64_t>(offer.kind) << 8 | offer.dims);
  Mark(3, outcome, static_cast<uint64_t>(offer.dtype.code) << 24 | offer.dtype.bits);
  Mark(4, outcome << 8 | static_cast<uint64_t>(offer.strides_kind), BrokenLaws(offer));
  Mark(5, outcome,
       static_cast<uint64_t>(offer.placement) << 8 | static_cast<uint64_t>(offer.keywords.max_version) << 4 |
           static_cast<uint64_t>(offer.gives));
  Mark(6, static_cast<uint64_t>(import.library.reading), static_cast<uint64_t>(import.memory.reading));
  Mark(7, import.deleter.calls_in_import > 0, import.deleter.calls_while_alive > 0);
  Mark(8, static_cast<uint64_t>(import.name_after), import.changed_parts);
}

constexpr auto kFamilies = WithImportFamilies({
    {"read-only", Tier::kLegal, [](const Recipe& r) { return r.offer().placement == Placement::kReadOnlyPage; }},
    {"foreign-type", Tier::kEdge, [](const Recipe& r) { return Breaks(r, kLawDtype) && r.offer().dtype.lanes == 1; }},
    {"lanes", Tier::kEdge, [](const Recipe& r) { return r.offer().dtype.lanes > 1; }},
    {"capsule-name", Tier::kEdge, [](const Recipe& r) { return Breaks(r, kLawName); }},
});

constexpr std::string_view kFields[] = {"offer.", "call.copy"};

}  // namespace

constinit const Target kImportTarget = {
    .name = "import",
    .what = "the library imports tensors of many kinds with its from_dlpack",
    .role = "consumer",
    .fields = kFields,
    .draw = DrawImport,
    .change = Change,
    .fold = FoldImport,
    .trace = Trace,
    .questions = kQuestions,
    .families = kFamilies,
};

}  // namespace dlpack_cts::fuzz
