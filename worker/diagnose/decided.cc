// worker/diagnose/decided.cc: recognises wrong units, lost offsets and signs, cut copies and others by their values.
#include "worker/diagnose/decided.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "harness/case/table_results.h"
#include "harness/ledger/ledger.h"
#include "harness/recipe/dtypes.h"
#include "harness/recipe/elements.h"
#include "harness/recipe/life.h"

namespace dlpack_cts::worker {
namespace {

/// Whether the array has a dtype of the same width with another code, and shares the memory. bool does not count.
bool Reinterprets(const ImportLedger& subject, const ImportLedger& reference) {
  const abi::DLDataType got = subject.result.dtype;
  const abi::DLDataType right = reference.result.dtype;
  return subject.result.known_dtype != 0 && reference.result.known_dtype != 0 && subject.Aliases() &&
         got.bits == right.bits && got.lanes == right.lanes && got.code != right.code && got.code != abi::kDLBool &&
         right.code != abi::kDLBool;
}

/// Whether the strides of an export are those of the reference in bytes instead of elements.
bool CountsBytes(const ExportLedger& subject, const ExportLedger& reference) {
  const int dims = subject.tensor.ndim;
  const int64_t item = ItemSize(reference.tensor.dtype);
  const bool known = subject.metadata_readable != 0 && reference.metadata_readable != 0 && subject.null_strides == 0 &&
                     reference.null_strides == 0 && dims == reference.tensor.ndim && dims > 0 && dims <= kDims;
  if (!known || item < 2) return false;
  bool differs = false;
  for (int d = 0; d < dims; ++d) {
    if (reference.shape[d] < 2) continue;
    if (subject.strides[d] != reference.strides[d] * item) return false;
    differs = differs || reference.strides[d] != 0;
  }
  return differs;
}

/// Whether strides of an export have the right sizes, and some that must be negative are positive. Element 0 is the
/// last one in memory there, so the tensor reaches beyond the memory of the array.
bool LosesSigns(const ExportLedger& subject, const ExportLedger& reference) {
  const int dims = subject.tensor.ndim;
  const bool known = subject.null_strides == 0 && reference.null_strides == 0 && dims == reference.tensor.ndim &&
                     dims > 0 && dims <= kDims && subject.IsAtSource();
  if (!known) return false;
  bool lost = false;
  for (int d = 0; d < dims; ++d) {
    if (reference.shape[d] < 2 || subject.strides[d] == reference.strides[d]) continue;
    if (reference.strides[d] >= 0 || subject.strides[d] != -reference.strides[d]) return false;
    lost = true;
  }
  return lost;
}

/// Whether the exchange table exported into the slot, and the address is wrong by the distance at which the array
/// begins in its memory.
bool TableLosesOffset(const Exchange& exchange, int slot) {
  const Recipe& recipe = exchange.recipe;
  const Step* const step = FindStep(recipe, [slot](const Step& one) {
    return one.slot == slot && (one.op == Op::kTableExport || one.op == Op::kTableView);
  });
  if (step == nullptr) return false;
  const int source = std::max(OtherSlot(*step), 0);
  const Step* const make =
      FindStep(recipe, [source](const Step& one) { return one.op == Op::kMake && one.slot == source; });
  const Request& request = recipe.request(make == nullptr ? 0 : make->block);
  const ExportLedger& exported = exchange.subject.exports[slot];
  const Description& array = exchange.subject.sources[source].description;
  const int64_t distance = request.making == Making::kView ? request.offset * ItemBits(request.dtype) / 8 : 0;
  const uint64_t first = reinterpret_cast<uint64_t>(exported.tensor.data) + exported.tensor.byte_offset;
  const bool known = exported.struct_address != 0 && array.valid != 0 && array.has_pointer != 0;
  return known && distance != 0 && std::abs(static_cast<int64_t>(first - array.pointer)) == distance;
}

/// Whether the array has strides of the tensor that were not multiplied by the item size. Compact strides do not count:
/// a library that ignores strides has them too.
bool TakesBytes(const Description& subject, const Description& reference, int64_t item) {
  const int dims = subject.ndim;
  const bool known = subject.has_strides != 0 && reference.has_strides != 0 && dims == reference.ndim && dims <= kDims;
  if (!known || item < 2 || AreCompact(reference.shape, dims, subject.byte_strides, item)) return false;
  bool differs = false;
  for (int d = 0; d < dims; ++d) {
    if (reference.shape[d] < 2 || subject.byte_strides[d] == reference.byte_strides[d]) continue;
    if (subject.byte_strides[d] * item != reference.byte_strides[d]) return false;
    differs = true;
  }
  return differs;
}

/// Whether the first wrong element is what lies at its distance from element 0 in bytes instead of elements.
bool ReadsBytes(const Offer& offer, const ElementReading& reading) {
  const int64_t item = ItemSize(offer.dtype);
  const bool whole = offer.dtype.lanes == 1 && offer.dtype.bits % 8 == 0 && item >= 2 && item <= 16;
  if (reading.reading != Reading::kDiffers || !whole || offer.strides_kind == StridesKind::kNull) return false;
  int64_t strides[kDims];
  EffectiveStrides(offer, strides);
  int64_t rest = reading.first_difference;
  int64_t distance = 0;
  for (int d = offer.dims - 1; d >= 0; --d) {
    if (strides[d] < 0 || offer.shape[d] < 1) return false;
    distance += rest % offer.shape[d] * strides[d];
    rest /= offer.shape[d];
  }
  // It may reach from one element of the store into the next one.
  uint8_t store[32] = {};
  ElementBits(offer.dtype, offer.seed, distance / item, store);
  ElementBits(offer.dtype, offer.seed, distance / item + 1, store + item);
  const auto size = static_cast<size_t>(std::min<int64_t>(item, sizeof(uint64_t)));
  return distance > 0 && std::memcmp(store + distance % item, &reading.got_bits, size) == 0;
}

bool AsksForCopy(const Recipe& recipe) { return recipe.call().copy.kind == ArgumentKind::kTrue; }

/// Whether elements are wrong from a later one on, and the first wrong one is not another of the `count` elements: a
/// copy in another order has these. bool elements may be wrong because a copy writes 0 and 1.
bool EndsEarly(abi::DLDataType dtype, uint64_t seed, int64_t count, const ElementReading& reading) {
  constexpr int64_t kMost = 4096;
  const int64_t item = ItemSize(dtype);
  const bool whole = dtype.lanes == 1 && dtype.bits % 8 == 0 && item <= 16 && dtype.code != abi::kDLBool;
  if (!whole || reading.reading != Reading::kDiffers || reading.first_difference <= 0 || count > kMost) return false;
  for (int64_t i = 0; i < count; ++i) {
    uint8_t element[16] = {};
    ElementBits(dtype, seed, i, element);
    const auto size = static_cast<size_t>(std::min<int64_t>(item, sizeof(uint64_t)));
    if (std::memcmp(element, &reading.got_bits, size) == 0) return false;
  }
  return true;
}

/// Whether a copy of a row-major array is row-major, and only its first elements are right.
bool ExportEndsEarly(const Recipe& recipe, const ExportLedger& exported) {
  const Request& request = recipe.request();
  const int dims = exported.tensor.ndim;
  const bool plain = recipe.kind == RecipeKind::kExport && AsksForCopy(recipe) &&
                     request.strides_kind == StridesKind::kCompact && request.oddity == Oddity::kNone;
  if (!plain || exported.null_strides != 0 || dims != request.dims || dims > kDims) return false;
  return AreCompact(exported.shape, dims, exported.strides, 1) &&
         EndsEarly(exported.tensor.dtype, request.seed, request.offset + ElementCount(exported.shape, dims),
                   exported.first_elements);
}

bool ImportEndsEarly(const Recipe& recipe, const ImportLedger& import, const ElementReading& reading) {
  const Description& result = import.result;
  const int64_t item = ItemSize(recipe.offer().dtype);
  const bool plain = AsksForCopy(recipe) && recipe.offer().strides_kind != StridesKind::kExplicit && !import.Aliases();
  if (!plain || result.has_strides == 0 || result.ndim != recipe.offer().dims || result.ndim > kDims) return false;
  return AreCompact(result.shape, result.ndim, result.byte_strides, item) &&
         EndsEarly(recipe.offer().dtype, recipe.offer().seed, ElementCount(result.shape, result.ndim), reading);
}

std::string_view DecidedByExport(const FactRow& row, Family family, const Exchange& exchange) {
  const ExportLedger& subject = exchange.subject.exports[row.slot];
  const ExportLedger& reference = exchange.reference.exports[row.slot];
  if (CountsBytes(subject, reference)) return "C-STRIDES-05";
  if (LosesSigns(subject, reference)) return "C-DATA-10";
  if (family == Family::kPlace && TableLosesOffset(exchange, row.slot)) return "XAPI-USE-04";
  const bool cut = family == Family::kPlace && row.type == FactType::kReading;
  return cut && ExportEndsEarly(exchange.recipe, subject) ? "C-DATA-13" : "";
}

std::string_view DecidedByImport(const FactRow& row, Family family, const Exchange& exchange) {
  const Recipe& recipe = exchange.recipe;
  const ImportLedger& subject = exchange.subject.imports[row.slot];
  const ImportLedger& reference = exchange.reference.imports[row.slot];
  if (family == Family::kStrides) {
    return TakesBytes(subject.result, reference.result, ItemSize(recipe.offer().dtype)) ? "C-STRIDES-05" : "";
  }
  const ElementReading* const reading = row.pattern == "importS.memory"    ? &subject.memory
                                        : row.pattern == "importS.library" ? &subject.library
                                                                           : nullptr;
  if (reading == nullptr || row.slot != 0) return "";
  if (ReadsBytes(recipe.offer(), *reading)) return "C-STRIDES-05";
  return ImportEndsEarly(recipe, subject, *reading) ? "C-DATA-13" : "";
}

/// Whether an export with copy=False shares the memory of the array, and is flagged as a copy only by mistake.
bool SharesAsCopy(const Exchange& exchange, int slot) {
  const ExportLedger& subject = exchange.subject.exports[slot];
  const Step* const step =
      FindStep(exchange.recipe, [slot](const Step& one) { return one.slot == slot && one.op == Op::kExport; });
  return step != nullptr && exchange.recipe.call(step->call).copy.kind == ArgumentKind::kFalse &&
         (subject.flags & abi::kFlagIsCopied) != 0 && subject.IsAtSource();
}

std::string_view DecidedByTable(const FactRow& row, const TableLedger& table) {
  // The memory of the table was valid as long as its capsule was held, so only its lifetime is wrong.
  if (row.pattern == "tableS.found") return table.changed != 0 ? "XAPI-DISC-05" : "";
  const TableCall& allocation = table.calls[static_cast<size_t>(TableFunction::kAllocator)];
  if (row.pattern == "tableS.set_errors") {
    const bool hidden = table.set_errors > 0 && allocation.status == 0 && allocation.out_written == 0;
    return hidden ? "XAPI-ALLOC-08" : "";
  }
  const bool of_call = row.pattern.ends_with(".exception") || row.pattern.ends_with(".out_written");
  return of_call && HidesFailure(table.calls[row.index]) ? "XAPI-RET-01" : "";
}

/// Whether an exported struct has no deleter, although that of the reference has one. A view has none in both.
bool LacksDeleter(const Ledger& subject, const Ledger& reference) {
  for (int slot = 0; slot < kSlots; ++slot) {
    const ExportLedger& one = subject.exports[slot];
    if (one.struct_address != 0 && one.has_deleter == 0 && reference.exports[slot].has_deleter != 0) return true;
  }
  return false;
}

}  // namespace

std::string_view DecidedBy(const FactRow& row, Family family, const Exchange& exchange) {
  const bool import = exchange.recipe.kind == RecipeKind::kImport;
  // Without a deleter the array stays.
  if (row.pattern == "sourceS.alive_at_end" && LacksDeleter(exchange.subject, exchange.reference)) return "C-OWN-20";
  if (import && row.pattern == "importS.dtype") {
    const bool same_width = Reinterprets(exchange.subject.imports[row.slot], exchange.reference.imports[row.slot]);
    return same_width ? "C-DTYPE-13" : "";
  }
  if (family == Family::kTable && row.block == Block::kTable) {
    return DecidedByTable(row, exchange.subject.tables[row.slot]);
  }
  if (row.pattern == "exportS.flags") return SharesAsCopy(exchange, row.slot) ? "C-FLAGS-06" : "";
  if (family != Family::kPlace && family != Family::kStrides) return "";
  if (row.pattern.starts_with("exportS.")) return DecidedByExport(row, family, exchange);
  return import && row.pattern.starts_with("importS.") ? DecidedByImport(row, family, exchange) : "";
}

}  // namespace dlpack_cts::worker
