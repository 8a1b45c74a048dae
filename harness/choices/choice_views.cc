// harness/choices/choice_views.cc: views of an exchange, for the rows of the table of choices.
#include "harness/choices/choice_views.h"

#include <algorithm>

#include "harness/recipe/dtypes.h"
#include "harness/recipe/generator.h"
#include "harness/recipe/life.h"
#include "harness/recipe/ops.h"
#include "harness/recipe/packing.h"

namespace dlpack_cts {
namespace {

/// Whether every argument except max_version has its default.
bool IsPlainCall(const Call& call) {
  return IsNothing(call.stream) && IsNothing(call.dl_device) && IsNothing(call.copy) && call.unknown_keyword == 0;
}

}  // namespace

bool HasNoElements(const int64_t* shape, int64_t ndim) {
  return std::count(shape, shape + std::clamp<int64_t>(ndim, 0, kDims), 0) != 0;
}

bool SameMeaning(const int64_t* shape, const int64_t* a, const int64_t* b, int64_t ndim) {
  const int64_t dims = std::clamp<int64_t>(ndim, 0, kDims);
  if (HasNoElements(shape, ndim)) return true;
  for (int64_t d = 0; d < dims; ++d) {
    if (shape[d] > 1 && a[d] != b[d]) return false;
  }
  return true;
}

std::optional<abi::DLDevice> DeviceOfArray(const Exchange& exchange, int source) {
  const int32_t made = exchange.profile.made_device.device_type;
  if (source < 0 || !IsElsewhere({made, 0}) || !Accepted(exchange.subject.sources[source].make)) return {};
  const Description& array = exchange.subject.sources[source].description;
  const bool told = array.valid != 0 && array.has_device != 0;
  const abi::DLDevice device = told ? array.device : exchange.profile.made_device;
  return IsElsewhere({device.device_type, 0}) ? std::optional(device) : std::nullopt;
}

bool AsksForCopy(const Recipe& recipe, int slot, ArgumentKind kind) {
  return HasStep(recipe, [&](const Step& step) {
    return step.slot == slot && HasTrait(step.op, OpTrait::kPassesKeywords) && recipe.call(step.call).copy.kind == kind;
  });
}

const Step* ExchangeStep(const Recipe& recipe) {
  const bool import = recipe.kind == RecipeKind::kImport;
  return FindStep(recipe, [&](const Step& step) { return import ? ImportsOffer(step.op) : step.op == Op::kExport; });
}

std::optional<ImportedOffer> ImportedOffer::In(const Exchange& exchange, int /*slot*/) {
  const Recipe& recipe = exchange.recipe;
  const Step* const step = recipe.kind == RecipeKind::kImport ? ExchangeStep(recipe) : nullptr;
  if (step == nullptr) return std::nullopt;
  const ImportLedger& seen = exchange.subject.imports[step->slot];
  if (!Accepted(seen.import) && !Refused(seen.import)) return std::nullopt;
  return ImportedOffer{recipe.offer(step->block), recipe.call(step->call), seen, step->op == Op::kImportCapsule};
}

bool ImportedOffer::HasElements() const { return ElementCount(offer.shape, offer.dims) > 0; }

bool ImportedOffer::SameDevice() const {
  return offer.reported_device.device_type == offer.device.device_type &&
         offer.reported_device.device_id == offer.device.device_id;
}

bool ImportedOffer::IsUsualAnywhere() const {
  const bool data = offer.placement != Placement::kUnmapped && offer.placement != Placement::kNull;
  return offer.ndim == offer.dims && offer.dims <= kWalkedDims && offer.negative_metadata == 0 &&
         offer.null_shape == 0 && (data || !HasElements()) && DataTypeIndex(offer.dtype) >= 0 &&
         !IsSubByte(offer.dtype) &&  // few libraries support them
         (!IsVersioned() || offer.major == 1) && offer.name == CapsuleName::kOwn &&
         (offer.gives == Gives::kCapsule || offer.gives == Gives::kStored);
}

bool ImportedOffer::WasServed() const {
  return std::none_of(seen.calls, seen.calls + std::clamp(seen.producer_calls, 0, kProducerCalls),
                      [](const ProducerCall& one) { return one.raised != 0; });
}

bool ImportedOffer::IsPlain() const { return IsPlainCall(call); }

bool ImportedOffer::HasStride(bool (*test)(int64_t stride)) const {
  if (offer.strides_kind != StridesKind::kExplicit || !HasElements()) return false;
  for (int d = 0; d < offer.dims; ++d) {
    if (offer.shape[d] > 1 && test(offer.strides[d])) return true;
  }
  return false;
}

std::optional<Made> Made::In(const Exchange& exchange, int /*slot*/) {
  const Recipe& recipe = exchange.recipe;
  const Step* const step = recipe.kind == RecipeKind::kExport ? ExchangeStep(recipe) : nullptr;
  if (step == nullptr || !Accepted(exchange.subject.sources[0].make)) return std::nullopt;
  const ExportLedger& seen = exchange.subject.exports[step->slot];
  if (!Accepted(seen.export_call) && !Refused(seen.export_call)) return std::nullopt;
  return Made{recipe.request(), recipe.call(step->call), seen, exchange.subject.sources[0].description};
}

bool Made::IsPlain() const { return request.oddity == Oddity::kNone && IsPlainCall(call); }

}  // namespace dlpack_cts
