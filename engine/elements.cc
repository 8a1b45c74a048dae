// engine/elements.cc: computes expected elements, including later writes, and reads the elements of libraries.
#include "engine/elements.h"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <vector>

#include "harness/oracle/narrow.h"
#include "harness/oracle/oracle.h"
#include "harness/recipe/dtypes.h"
#include "harness/recipe/elements.h"
#include "harness/recipe/packing.h"

namespace dlpack_cts {
namespace {

/// The position of element `index` relative to the first one, in elements.
template <typename Block>
int64_t OffsetOf(const Block& block, const int64_t* strides, int64_t index) {
  int64_t offset = 0;
  for (int d = block.dims - 1; d >= 0; index /= block.shape[d--]) offset += index % block.shape[d] * strides[d];
  return offset;
}

/// Calls `work` with the index of every other element at the same position.
template <typename Block, typename Work>
void ForEachSharing(const Block& block, const int64_t* strides, int64_t index, const Work& work) {
  if (block.strides_kind != StridesKind::kExplicit) return;
  const int64_t offset = OffsetOf(block, strides, index);
  const int64_t count = ElementCount(block.shape, block.dims);
  for (int64_t other = 0; other < count; ++other) {
    if (other != index && OffsetOf(block, strides, other) == offset) work(other);
  }
}

/// Whether the array has each lane of a sub-byte vector as an element of its own.
bool SplitsLanes(abi::DLDataType offered, const Description& result, std::span<const uint8_t> elements) {
  if (!HasPackedLanes(offered) || result.known_dtype == 0 || result.has_shape == 0 || result.ndim > kDims) return false;
  const auto vectors = static_cast<int64_t>(elements.size()) / ItemSize(offered);
  return result.dtype == abi::DLDataType{offered.code, offered.bits, 1} &&
         ElementCount(result.shape, result.ndim) == vectors * offered.lanes;
}

}  // namespace

template <typename Block>
bool SharesItsPlace(const Block& block, int64_t index) {
  bool shares = false;
  int64_t strides[kDims];
  EffectiveStrides(block, strides);
  ForEachSharing(block, strides, index, [&](int64_t) { shares = true; });
  return shares;
}
template bool SharesItsPlace(const Offer&, int64_t);
template bool SharesItsPlace(const Request&, int64_t);

bool MadeStrides(const Description& made, const Request& request, int64_t* strides) {
  if (made.has_shape == 0 || made.has_strides == 0 || made.ndim != request.dims) return false;
  if (!std::equal(request.shape, request.shape + request.dims, made.shape)) return false;
  std::copy_n(made.byte_strides, request.dims, strides);
  return true;
}

/// Later writes count too, for every element at the written position.
template <typename Block>
std::span<uint8_t> Elements::ExpectBlock(const Block& block, int memory, int slot) {
  const int64_t item = ItemSize(block.dtype);
  const int64_t count = ElementCount(block.shape, block.dims);
  if (item <= 0 || count > static_cast<int64_t>(life_.scratch.wanted.size()) / item) return {};
  const std::span<uint8_t> out = life_.scratch.wanted.first(static_cast<size_t>(count * item));
  int64_t effective[kDims];
  EffectiveStrides(block, effective);
  const int64_t* strides = effective;
  if constexpr (std::is_same_v<Block, Offer>) {
    ExpectedElements(block, slot, out);
  } else {
    ExpectedElements(block, out);
    // An array that shares positions in an unknown way has no expected elements after a write (Remember).
    const LifeState::Source& source = life_.sources[OfSource(memory)];
    if (source.strides_known) strides = source.strides;
  }
  for (int i = std::max(0, written_count_ - kSteps); i < written_count_; ++i) {
    const Written& written = written_[i % kSteps];
    if (written.memory != memory || written.index >= count) continue;
    const auto put = [&](int64_t index) {
      std::memcpy(out.data() + index * item, written.bits, static_cast<size_t>(item));
    };
    put(written.index);
    ForEachSharing(block, strides, written.index, put);
  }
  return out;
}
template std::span<uint8_t> Elements::ExpectBlock(const Offer&, int, int);
template std::span<uint8_t> Elements::ExpectBlock(const Request&, int, int);

bool Elements::ExpectAs(int slot, std::span<const uint8_t>* wanted, int64_t* item) {
  const LifeState::Slot& held = life_.slots[slot];
  if (held.elements_unknown || (held.from_source && life_.sources[held.source].elements_unknown)) return false;
  const Description& result = life_.import(slot).result;
  const abi::DLDataType offered = life_.DtypeOf(slot);
  const std::span<uint8_t> elements = Expect(slot);
  *wanted = elements;
  *item = ItemSize(offered);
  if (SplitsLanes(offered, result, elements)) {
    const std::vector<uint8_t> vectors(elements.begin(), elements.end());
    const size_t lanes = vectors.size() / static_cast<size_t>(*item) * offered.lanes;
    if (lanes > life_.scratch.wanted.size()) return false;
    SplitLanes(offered, vectors, life_.scratch.wanted.first(lanes));
    *wanted = life_.scratch.wanted.first(lanes);
    *item = 1;
    return true;
  }
  // If the array shares the memory, a narrower dtype is not a conversion, and the bits are those of the offer.
  const bool narrower = result.known_dtype != 0 && IsNarrower(result.dtype, offered) && !life_.import(slot).Aliases();
  if (!narrower) return true;
  if (!NarrowElements(offered, result.dtype, elements)) return false;
  const size_t count = elements.size() / static_cast<size_t>(*item);
  *item = ItemSize(result.dtype);
  *wanted = elements.first(count * static_cast<size_t>(*item));
  return true;
}

std::span<const uint8_t> Elements::BackingOf(int source) {
  const Request& asked = life_.request(source);
  const int64_t item = ItemSize(asked.dtype);
  int64_t strides[kDims];
  EffectiveStrides(asked, strides);
  const Span span = ElementSpan(asked.shape, strides, asked.dims);
  const int64_t elements = asked.offset + span.highest + 1;
  const auto bytes = static_cast<size_t>(std::max<int64_t>(0, elements * item));
  if (item <= 0 || bytes > life_.scratch.wanted.size()) return {};
  ElementRun(asked.dtype, asked.seed, 0, 1, elements, life_.scratch.wanted.data());
  return life_.scratch.wanted.first(bytes);
}

Meant Elements::MeantBySource(int source) const {
  const Request& asked = life_.request(source);
  return {asked.device, asked.dtype, ElementCount(asked.shape, asked.dims)};
}

Meant Elements::MeantBy(int slot) const {
  if (life_.slots[slot].from_source) return MeantBySource(life_.slots[slot].source);
  const Offer& offer = life_.offer(slot);
  return {offer.device, offer.dtype, ElementCount(offer.shape, offer.dims)};
}

int64_t Elements::BytesToRead(int slot) const {
  const LifeState::Slot& held = life_.slots[slot];
  if (held.view) return BytesIn(slot, *held.owner, held.array);
  return BytesIn(slot, life_.seen().imports[slot].result);
}

bool Elements::IsOnDevice(int slot) const {
  const Description& told = life_.seen().imports[slot].result;
  const bool elsewhere = told.valid != 0 && told.has_device != 0 && OnHost(told.device);
  return life_.forge.IsOnDevice(slot) && !life_.slots[slot].from_source && !elsewhere;
}

/// fetch() reads an array on a device, so its elements count as if they were in host memory.
int64_t Elements::BytesIn(int slot, const Description& told) const {
  Meant meant = MeantBy(slot);
  if (!IsOnDevice(slot)) return dlpack_cts::BytesToRead(told, meant, life_.scratch.got.size());
  Description here = told;
  here.has_device = 0;
  meant.device = {abi::kDLCPU, 0};
  return dlpack_cts::BytesToRead(here, meant, life_.scratch.got.size());
}

int64_t Elements::BytesIn(int slot, Subject& owner, Handle array) const {
  Description told{};
  owner.Describe(array, told);
  return BytesIn(slot, told);
}

int64_t Elements::Values(int memory, Subject& owner, Handle array, int64_t may) {
  if (may <= 0) return may;
  if (memory < 0 || !IsOnDevice(memory) || life_.forge.StandsIn()) return owner.Values(array, life_.scratch.got);
  DeviceArrays* const device = owner.device();
  if (device == nullptr || life_.driver == nullptr) return -1;
  const CudaDriver::OnDevice there(*life_.driver, life_.offer(memory).device.device_id);
  return device->Fetch(array, life_.scratch.got);
}

int64_t Elements::SourceBytes(int source) const {
  const LifeState::Source& made = life_.sources[source];
  const Description& described = life_.seen().sources[source].description;
  // An array with an Oddity and without an address is not dense. How the library computes with it does not concern
  // DLPack.
  if (life_.request(source).oddity != Oddity::kNone && described.has_pointer == 0) return -1;
  if (made.changed) return BytesOf(*made.owner, made.array, MeantBySource(source));
  return dlpack_cts::BytesToRead(described, MeantBySource(source), life_.scratch.got.size());
}

int64_t Elements::BytesOf(Subject& owner, Handle array, const Meant& meant) const {
  Description told{};
  owner.Describe(array, told);
  return dlpack_cts::BytesToRead(told, meant, life_.scratch.got.size());
}

void Elements::Compare(int64_t bytes, std::span<const uint8_t> wanted, int64_t item, ElementReading& reading) {
  if (bytes >= 0) return CompareElements(wanted, life_.scratch.got.data(), bytes, std::max<int64_t>(1, item), reading);
  reading.reading = Reading::kUnsupported;
  reading.raised = bytes == Subject::kRaised ? 1 : 0;
}

void Elements::ReadArray(int slot, Handle array, int64_t may, ElementReading& reading) {
  std::span<const uint8_t> wanted;
  int64_t item = 0;
  if (ExpectAs(slot, &wanted, &item)) {
    return Compare(Values(slot, *life_.slots[slot].owner, array, may), wanted, item, reading);
  }
  reading.reading = Reading::kUnsupported;
}

void Elements::ReadMade(int source, Handle array, int64_t may, ElementReading& reading) {
  const std::span<const uint8_t> wanted = ExpectRequest(source);
  Compare(Values(OfSource(source), *life_.sources[source].owner, array, may), wanted,
          ItemSize(life_.request(source).dtype), reading);
}

WriteShown Elements::Shows(int memory, Subject& owner, Handle array, int64_t may, int64_t index,
                           std::span<const uint8_t> bits) {
  const int64_t bytes = Values(memory, owner, array, may);
  const auto item = static_cast<int64_t>(bits.size());
  if (bytes < (index + 1) * item || bytes > static_cast<int64_t>(life_.scratch.got.size())) return WriteShown::kNotRun;
  const bool same = std::memcmp(life_.scratch.got.data() + index * item, bits.data(), bits.size()) == 0;
  return same ? WriteShown::kShown : WriteShown::kNotShown;
}

void Elements::Remember(int memory, int64_t index, std::span<const uint8_t> bits) {
  Written& written = written_[written_count_++ % kSteps];
  written.memory = memory;
  written.index = index;
  std::memcpy(written.bits, bits.data(), bits.size());
  // The array may have been made without the shared positions that were requested.
  const bool unknown = memory < 0 && !life_.sources[OfSource(memory)].strides_known &&
                       SharesItsPlace(life_.request(OfSource(memory)), index);
  if (unknown) return ForgetElements(memory);
  ForgetElementsOfExports(memory, Which::kThatMayBeCopies);
}

void Elements::ForgetElements(int memory) {
  (memory < 0 ? life_.sources[OfSource(memory)].elements_unknown : life_.slots[memory].elements_unknown) = true;
  ForgetElementsOfExports(memory, Which::kAll);
}

void Elements::ForgetElementsOfExports(int memory, Which which) {
  for (int slot = 0; slot < kSlots; ++slot) {
    LifeState::Exported& out = life_.slots[slot].out;
    const int of = out.reexported_from != 0 ? out.reexported_from - 1 : OfSource(out.source);
    if (out.managed == nullptr || of != memory) continue;
    out.elements_unknown =
        out.elements_unknown || which == Which::kAll || life_.seen().exports[slot].place.area != Area::kData;
  }
}

}  // namespace dlpack_cts
