// fuzz/targets/export.cc: the target `export`: a library makes arrays of many kinds and exports them with __dlpack__.
#include <iterator>

#include "fuzz/targets/fold.h"
#include "fuzz/targets/targets.h"
#include "fuzz/traces.h"
#include "harness/recipe/dtypes.h"
#include "harness/recipe/laws.h"

namespace dlpack_cts::fuzz {
namespace {

// ---- Changes.

void ChangeType(Recipe& recipe, Random& random) {
  const auto types = WholeByteTypes();
  recipe.request().dtype = types[random.Below(types.size())].dtype;
}

void ChangeDims(Recipe& recipe, Random& random) {
  Request& request = recipe.request();
  if (request.dims > 0 && random.OneIn(2)) {
    --request.dims;
  } else if (request.dims < kDims) {
    request.shape[request.dims] = random.Between(0, 4);
    request.strides[request.dims] = random.Between(-3, 12);
    ++request.dims;
  }
}

void ChangeView(Recipe& recipe, Random& random) {
  Request& request = recipe.request();
  if (request.strides_kind != StridesKind::kExplicit) CompactStrides(request.shape, request.dims, request.strides);
  request.strides_kind = StridesKind::kExplicit;
  request.making = Making::kView;
  request.offset += random.Between(0, 4);
  if (request.dims == 0) return;
  constexpr uint64_t kFactors[] = {0, 1, 2, ~uint64_t{0}};
  int64_t& stride = request.strides[random.Below(request.dims)];
  stride = static_cast<int64_t>(static_cast<uint64_t>(stride) * kFactors[random.Below(std::size(kFactors))]);
}

/// Arguments that callers pass, and sometimes an unusual one.
void ChangeArgument(Recipe& recipe, Random& random) {
  Argument* const arguments[] = {&recipe.call().max_version, &recipe.call().dl_device, &recipe.call().copy,
                                 &recipe.call().stream};
  Argument& argument = *arguments[random.Below(std::size(arguments))];
  constexpr ArgumentKind kUsual[] = {ArgumentKind::kAbsent, ArgumentKind::kNone, ArgumentKind::kPair,
                                     ArgumentKind::kTrue, ArgumentKind::kFalse};
  constexpr uint64_t kKinds = static_cast<uint64_t>(ArgumentKind::kIndexInt) + 1;
  argument.kind =
      random.OneIn(8) ? static_cast<ArgumentKind>(random.Below(kKinds)) : kUsual[random.Below(std::size(kUsual))];
  argument.a = 1;
  argument.b = random.Between(0, 3);
}

void ChangeLife(Recipe& recipe, Random& random) {
  constexpr Op kOps[] = {Op::kExport,      Op::kAskDevice,   Op::kInspect,     Op::kReadExport, Op::kReadExport,
                         Op::kTakeCapsule, Op::kTakeCapsule, Op::kLoseCapsule, Op::kDelete,     Op::kDelete,
                         Op::kReadSource,  Op::kUseSource,   Op::kDropSource,  Op::kCollect};
  if (random.OneIn(3)) return SetPlainLife(recipe);
  SetLife(recipe, {Op::kMake, Op::kExport});
  const uint64_t steps = 2 + random.Below(kSteps - 3);
  for (uint64_t i = 0; i < steps; ++i) {
    const int slot = random.OneIn(2) ? 0 : static_cast<int>(random.Below(3));
    // FoldExport() keeps only the fields that the operation uses.
    AddStep(recipe, {.op = kOps[random.Below(std::size(kOps))],
                     .slot = static_cast<uint8_t>(slot),
                     .call = static_cast<uint8_t>(random.Below(2)),
                     .lane = static_cast<uint8_t>(random.Below(2)),
                     .context = random.OneIn(2)   ? Context::kUsual
                                : random.OneIn(2) ? Context::kRawThread
                                                  : Context::kPendingException});
  }
}

void Change(Recipe& recipe, Random& random) {
  constexpr void (*kChanges[])(Recipe&, Random&) = {ChangeType, ChangeDims, ChangeView, ChangeArgument, ChangeLife};
  kChanges[random.Below(std::size(kChanges))](recipe, random);
}

// ---- Questions.

/// An array whose elements are those of the request.
bool HasPlainElements(const Exchange& e) {
  const Oddity oddity = e.recipe.request().oddity;
  return e.accepted && (oddity == Oddity::kNone || oddity == Oddity::kSubclass);
}

/// A legacy struct cannot flag a copy, so a copy may have the byte strides of the source.
bool HasOtherElements(const Exchange& e) {
  const Reading reading = e.ledger.exports[0].first_elements.reading;
  return HasPlainElements(e) && (reading == Reading::kDiffers || reading == Reading::kUnreadable);
}

bool IsOfCode(const Exchange& e, int code) { return HasPlainElements(e) && e.recipe.request().dtype.code == code; }

bool AsksForCopy(const Exchange& e) { return e.recipe.call().copy.kind == ArgumentKind::kTrue; }

bool AsksForVersionOne(const Exchange& e) {
  const Argument& version = e.recipe.call().max_version;
  return version.kind == ArgumentKind::kPair && version.a == 1;
}

constexpr Question kQuestions[] = {
    {"python/capsule/unversioned-export-is-named-dltensor", [](const Exchange& e) { return e.accepted; }},
    {"python/capsule/name-tells-the-struct", [](const Exchange& e) { return e.accepted; }},
    {"python/capsule/each-call-gives-a-new-capsule", [](const Exchange& e) { return e.accepted; }},
    {"c-abi/version/exported-major-is-one", [](const Exchange& e) { return e.accepted && AsksForVersionOne(e); }},
    {"c-abi/device/exported-type-is-published", [](const Exchange& e) { return e.accepted; }},
    {"c-abi/device/exported-cpu-id-is-zero", [](const Exchange& e) { return e.accepted; }},
    {"c-abi/shape/exported-ndim-is-the-arrays", [](const Exchange& e) { return e.accepted; }},
    {"c-abi/shape/exported-shape-is-readable", [](const Exchange& e) { return e.accepted; }},
    {"c-abi/shape/exported-extents-are-not-negative", [](const Exchange& e) { return e.accepted; }},
    {"c-abi/strides/strides-are-given-since-1.2", [](const Exchange& e) { return e.accepted; }},
    {"c-abi/strides/exported-strides-are-readable", [](const Exchange& e) { return e.accepted; }},
    {"c-abi/dtype/exported-bool-is-code-six", [](const Exchange& e) { return IsOfCode(e, abi::kDLBool); }},
    {"c-abi/dtype/exported-bfloat16-is-code-four", [](const Exchange& e) { return IsOfCode(e, abi::kDLBfloat); }},
    {"c-abi/dtype/exported-fp8-kinds-have-their-codes",
     [](const Exchange& e) {
       const int code = e.recipe.request().dtype.code;
       return HasPlainElements(e) && code >= abi::kDLFloat8_e3m4 && code <= abi::kDLFloat8_e8m0fnu;
     }},
    {"c-abi/dtype/exported-scalars-have-their-width",
     [](const Exchange& e) {
       return IsOfCode(e, abi::kDLInt) || IsOfCode(e, abi::kDLUInt) || IsOfCode(e, abi::kDLFloat);
     }},
    {"c-abi/flags/read-only-array-is-flagged", [](const Exchange& e) { return e.accepted; }},
    {"c-abi/flags/copy-is-flagged", [](const Exchange& e) { return HasPlainElements(e) && AsksForCopy(e); }},
    {"c-abi/data/exported-elements-have-an-address", [](const Exchange& e) { return e.accepted; }},
    {"c-abi/data/exported-elements-can-be-read", [](const Exchange& e) { return e.accepted; }},
    {"c-abi/strides/null-strides-are-only-for-row-major-data", HasPlainElements},
    {"c-abi/strides/exported-strides-count-elements", HasOtherElements},
    {"c-abi/data/exported-address-is-element-zero",
     [](const Exchange& e) { return HasPlainElements(e) && !AsksForCopy(e); }},
    {"c-abi/dtype/exported-complex-is-one-element", [](const Exchange& e) { return IsOfCode(e, abi::kDLComplex); }},
    {"c-abi/data/exported-memory-outlives-the-source",
     [](const Exchange& e) {
       return HasPlainElements(e) && e.ledger.exports[0].first_elements.reading == Reading::kMatches;
     }},
    {"c-abi/data/exported-elements-are-the-arrays", HasPlainElements},
    {"c-abi/own/struct-stays-until-the-deleter", [](const Exchange& e) { return e.accepted; }},
    {"python/dlpack/exporting-leaves-the-array-alone", HasPlainElements},
    {"c-abi/own/deleter-releases-the-source", [](const Exchange& e) { return e.accepted; }},
};

// ---- Traces and seeds.

void Trace(const Recipe& recipe, const Ledger& ledger) {
  const Request& request = recipe.request();
  const ExportLedger& exported = ledger.exports[0];
  const auto outcome = static_cast<uint64_t>(exported.export_call.outcome);
  const auto made = static_cast<uint64_t>(ledger.sources[0].make.outcome);
  for (const Refusal* refusal : {&ledger.sources[0].make, &exported.export_call}) {
    if (refusal->outcome == Outcome::kRefused) Mark(1, WordsOf(refusal->type.view()), WordsOf(refusal->message.view()));
  }
  const uint64_t answer = made << 16 | outcome << 8;
  Mark(2, answer | exported.versioned, static_cast<uint64_t>(exported.name) << 8 | request.dims);
  Mark(3, answer, static_cast<uint64_t>(request.dtype.code) << 24 | request.dtype.bits);
  Mark(4, answer | static_cast<uint64_t>(request.strides_kind),
       static_cast<uint64_t>(request.making) << 16 | static_cast<uint64_t>(request.oddity) << 8 | request.read_only);
  Mark(5, answer | static_cast<uint64_t>(recipe.call().max_version.kind),
       static_cast<uint64_t>(recipe.call().copy.kind));
  Mark(6, answer | static_cast<uint64_t>(recipe.call().dl_device.kind),
       static_cast<uint64_t>(recipe.call().stream.kind));
  Mark(7, exported.flags, exported.null_strides);
  Mark(8, static_cast<uint64_t>(exported.elements.reading), static_cast<uint64_t>(ledger.sources[0].elements.reading));
  Mark(9, exported.deleted, static_cast<uint64_t>(ledger.exports[1].export_call.outcome) << 8 | exported.changed_parts);
}

constexpr Family kFamilies[] = {
    {"fresh", Tier::kLegal,
     [](const Recipe& r) { return r.request().making == Making::kFresh && r.request().dims == 2; }},
    {"view", Tier::kLegal,
     [](const Recipe& r) { return r.request().strides_kind == StridesKind::kExplicit && r.request().dims > 1; }},
    {"scalar", Tier::kLegal, [](const Recipe& r) { return r.request().dims == 0; }},
    {"empty", Tier::kLegal, [](const Recipe& r) { return IsEmpty(r.request()); }},
    {"read-only", Tier::kLegal, [](const Recipe& r) { return r.request().read_only != 0; }},
    {"legacy", Tier::kLegal, [](const Recipe& r) { return r.call().max_version.kind != ArgumentKind::kPair; }},
    {"versioned", Tier::kLegal, [](const Recipe& r) { return r.call().max_version.kind == ArgumentKind::kPair; }},
    {"copy", Tier::kEdge, [](const Recipe& r) { return r.call().copy.kind == ArgumentKind::kTrue; }},
    {"foreign-device", Tier::kEdge,
     [](const Recipe& r) {
       return r.call().dl_device.kind == ArgumentKind::kPair && r.call().dl_device.a != abi::kDLCPU;
     }},
    {"odd-max-version", Tier::kEdge,
     [](const Recipe& r) {
       const ArgumentKind kind = r.call().max_version.kind;
       return kind != ArgumentKind::kAbsent && kind != ArgumentKind::kNone && kind != ArgumentKind::kPair;
     }},
    {"unknown-keyword", Tier::kEdge, [](const Recipe& r) { return r.call().unknown_keyword != 0; }},
};

constexpr std::string_view kFields[] = {"request.", "call."};

}  // namespace

const Target kExportTarget = {
    .name = "export",
    .what = "the library exports arrays of many kinds with varying arguments of __dlpack__",
    .role = "producer",
    .fields = kFields,
    .draw = DrawExport,
    .change = Change,
    .fold = FoldExport,
    .trace = Trace,
    .questions = kQuestions,
    .families = kFamilies,
};

}  // namespace dlpack_cts::fuzz
