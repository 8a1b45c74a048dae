// harness/oracle/oracle.cc: expected elements, allowed results, and memory safety.
#include "harness/oracle/oracle.h"

#include <algorithm>

#include "harness/recipe/elements.h"
#include "harness/recipe/laws.h"
#include "harness/recipe/life.h"
#include "harness/recipe/ops.h"

namespace dlpack_cts {
namespace {

/// Writes the elements in row-major order. Element 0 has position `first` in the store.
void WriteElements(abi::DLDataType dtype, uint64_t seed, const int64_t* shape, const int64_t* strides, int dims,
                   uint64_t first, std::span<uint8_t> out) {
  const int64_t item = ItemSize(dtype);
  if (item <= 0) return;
  const int64_t count = std::min(ElementCount(shape, dims), static_cast<int64_t>(out.size()) / item);
  if (count <= 0) return;
  // Dimensions that one stride continues form one run: a compact tensor is a single run.
  int outer = dims;
  int64_t run = 1;
  int64_t step = 1;
  while (outer > 0 &&
         (run == 1 || shape[outer - 1] == 1 ||
          static_cast<uint64_t>(strides[outer - 1]) == static_cast<uint64_t>(run) * static_cast<uint64_t>(step))) {
    --outer;
    if (run == 1 && shape[outer] != 1) step = strides[outer];
    run *= shape[outer];
  }
  int64_t index[kDims] = {};
  uint64_t position = first;  // unsigned, because invalid strides wrap around
  uint8_t* bytes = out.data();
  for (int64_t done = 0; done < count;) {
    const int64_t now = std::min(run, count - done);
    ElementRun(dtype, seed, static_cast<int64_t>(position), step, now, bytes);
    bytes += now * item;
    done += now;
    for (int d = outer - 1; d >= 0; --d) {
      if (++index[d] < shape[d]) {
        position += static_cast<uint64_t>(strides[d]);
        break;
      }
      position -= static_cast<uint64_t>(shape[d] - 1) * static_cast<uint64_t>(strides[d]);
      index[d] = 0;
    }
  }
}

/// Whether the producer refers to the imported array. An array may keep its producer, and both live for ever then,
/// unless the garbage collector sees the cycle. A case judges that.
bool IsKeptAlive(const Recipe& recipe, int slot) {
  const Step* const step = ImportOf(recipe, slot);
  return step != nullptr && recipe.offer(step->block).gives == Gives::kKeepsArray;
}

}  // namespace

bool SomebodyHadToRelease(const Offer& offer, const ImportLedger& record) {
  if (record.capsules == 0 || offer.kind == StructKind::kView) return false;
  if (offer.deleter == DeleterKind::kNull || offer.name != CapsuleName::kOwn) return false;
  if (offer.destructor == DestructorKind::kReleases) return true;
  const auto consumed = [](NameSeen name) { return name == NameSeen::kUsedLegacy || name == NameSeen::kUsedVersioned; };
  return consumed(record.name_after) || consumed(record.name_after_again);
}

void ExpectedElements(const Offer& offer, int slot, std::span<uint8_t> out) {
  int64_t strides[kDims];
  EffectiveStrides(offer, strides);
  const uint64_t first = uint64_t{0} - static_cast<uint64_t>(ElementSpan(offer.shape, strides, offer.dims).lowest);
  WriteElements(offer.dtype, SlotSeed(offer.seed, slot), offer.shape, strides, offer.dims, first, out);
}

void ExpectedElements(const Request& request, std::span<uint8_t> out) {
  int64_t strides[kDims];
  EffectiveStrides(request, strides);
  WriteElements(request.dtype, request.seed, request.shape, strides, request.dims,
                static_cast<uint64_t>(request.offset), out);
}

Allowed AllowedFor(const Recipe& recipe) {
  if (recipe.kind != RecipeKind::kImport) return Allowed::kAcceptOrRefuse;
  const uint32_t laws = BrokenLaws(recipe.offer());
  // Fields after the stable prefix of another major version must not be read, so they cannot be invalid.
  if ((laws & (kLawMajor | kLawName)) != 0) return Allowed::kMustRefuse;
  if ((laws & kHostileLaws) != 0) return Allowed::kAnything;
  const Gives gives = recipe.offer().gives;
  // A consumer that does not call __dlpack_device__ is not affected if it raises or returns something else.
  const bool capsule =
      GivesCapsules(gives) || gives == Gives::kStored || gives == Gives::kNoDevice || MisnamesDevice(gives);
  if (!capsule) return Allowed::kMustRefuse;
  return Allowed::kAcceptOrRefuse;
}

Safety SafetyOf(const Recipe& recipe, const Ledger& ledger) {
  Safety safety;
  safety.unsafe = ledger.fault_count > 0;
  if (recipe.kind != RecipeKind::kImport) return safety;
  for (int slot = 0; slot < kSlots; ++slot) {
    const ImportLedger& record = ledger.imports[slot];
    if (!IsKeptAlive(recipe, slot) && record.released == 0 && record.deleter.calls == 0 &&
        SomebodyHadToRelease(recipe.offer(), record)) {
      safety.leak = true;
    }
  }
  return safety;
}

std::string_view Contradiction(const Recipe& recipe, const Ledger& reference) {
  if (AllowedFor(recipe) == Allowed::kAnything) return "";
  const Safety safety = SafetyOf(recipe, reference);
  if (safety.unsafe) return "the reference accessed forbidden memory";
  if (safety.leak) return "the reference never released a tensor";
  // The written element may have several indices.
  const auto writes = [](const Step& step) { return HasTrait(step.op, OpTrait::kWrites); };
  if (std::any_of(recipe.steps, recipe.steps + recipe.used.steps, writes)) return "";
  const auto differs = [](const ElementReading& reading) { return reading.reading == Reading::kDiffers; };
  const bool wrong = std::any_of(
      std::begin(reference.imports), std::end(reference.imports),
      [&](const ImportLedger& one) { return differs(one.memory) || differs(one.library) || differs(one.computed); });
  return wrong ? "the reference reads other elements than the oracle expects" : "";
}

}  // namespace dlpack_cts
