// engine/elements.h: which elements the arrays of a life have by its recipe, and which ones they show.
//
// `may` is a number of bytes that the library may be asked for, as BytesToRead(), SourceBytes() or BytesOf() gave it.
#ifndef DLPACK_CTS_ENGINE_ELEMENTS_H_
#define DLPACK_CTS_ENGINE_ELEMENTS_H_

#include <cstdint>
#include <span>

#include "engine/life_state.h"
#include "subject/exported_tensor.h"
#include "subject/readable.h"

namespace dlpack_cts {

/// The number of an array that the library made, where others are numbered by slot.
constexpr int OfSource(int source) { return -1 - source; }

/// True when another element of the offer lies where that one does.
bool SharesItsPlace(const Offer& offer, int64_t index);

class Elements {
 public:
  explicit Elements(LifeState& life) : life_(life) {}

  /// Expected elements, in scratch memory: of the slot's tensor, and of an array that the library made. Empty where
  /// they are too many, or hold none that can be read.
  std::span<uint8_t> Expect(int slot) {
    return life_.slots[slot].from_source ? ExpectRequest(life_.slots[slot].source) : ExpectOffer(slot);
  }
  std::span<uint8_t> ExpectOffer(int slot) { return ExpectBlock(life_.offer(slot), slot, slot); }
  std::span<uint8_t> ExpectRequest(int source) { return ExpectBlock(life_.request(source), OfSource(source), 0); }
  /// The expected elements in the type of the slot's array: a copy in a narrower type has other bits. False if they are
  /// unknown.
  bool ExpectAs(int slot, std::span<const uint8_t>* wanted, int64_t* item);
  /// The elements that the library is given to make the source of; empty, with no address, where they are too many.
  std::span<const uint8_t> BackingOf(int source);

  /// Bytes of elements that the library may be asked for (readable.h): of the slot's array, of the source, and of an
  /// array that has to be described first.
  int64_t BytesToRead(int slot) const;
  int64_t SourceBytes(int source) const;
  int64_t BytesOf(Subject& owner, Handle array, const Meant& meant) const;
  Meant MeantBy(int slot) const;
  Meant MeantBySource(int source) const;

  /// The library's own conversion against what the recipe says: of the slot's array or what was derived from it, and of
  /// the source or what was derived from that.
  void ReadArray(int slot, Handle array, int64_t may, ElementReading& reading);
  void ReadMade(int source, Handle array, int64_t may, ElementReading& reading);
  /// `bytes` as a library's conversion into scratch memory returned it.
  void Compare(int64_t bytes, std::span<const uint8_t> wanted, int64_t item, ElementReading& reading);
  /// Whether that element of the array has these bits.
  WriteShown Shows(Subject& owner, Handle array, int64_t may, int64_t index, std::span<const uint8_t> bits);

  /// The element has these bits from now on. `memory` is a slot, or OfSource().
  void Remember(int memory, int64_t index, std::span<const uint8_t> bits);
  /// From now on the elements of the array with that memory, and of its exports, are unknown.
  void Muddle(int memory);

 private:
  /// A value that was written to an element, and is expected from then on.
  struct Written {
    int memory;
    int64_t index;
    uint8_t bits[kWidestWritten];
  };

  template <typename Block>  // Offer or Request
  std::span<uint8_t> ExpectBlock(const Block& block, int memory, int slot);
  int64_t Values(Subject& owner, Handle array, int64_t may) {
    return may > 0 ? owner.Values(array, life_.scratch.got) : may;
  }
  /// The same for exports only: all of them, or those outside of that memory.
  enum class Which : uint8_t { kAll, kThatMayBeCopies };
  void MuddleExports(int memory, Which which);

  LifeState& life_;
  int written_count_ = 0;
  Written written_[kSteps] = {};  // the latest; older ones were overwritten
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_ENGINE_ELEMENTS_H_
