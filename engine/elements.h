// engine/elements.h: the expected elements of the arrays of a life, and the comparison with the real ones.
//
// `may` is the number of bytes that the library may be asked to read, as BytesToRead(), SourceBytes() or BytesOf()
// returned it.
#ifndef DLPACK_CTS_ENGINE_ELEMENTS_H_
#define DLPACK_CTS_ENGINE_ELEMENTS_H_

#include <cstdint>
#include <span>

#include "engine/life_state.h"
#include "subject/exported_tensor.h"
#include "subject/readable.h"

namespace dlpack_cts {

/// The number of an array that the library made. Imported arrays have the number of their slot.
constexpr int OfSource(int source) { return -1 - source; }

/// Whether another element of the offer or request has the same position.
template <typename Block>
bool SharesItsPlace(const Block& block, int64_t index);

/// The strides in bytes of an array that the library made and describes. It may have made another layout than the
/// requested one. False if they are unknown.
bool MadeStrides(const Description& made, const Request& request, int64_t* strides);

class Elements {
 public:
  explicit Elements(LifeState& life) : life_(life) {}

  /// The expected elements of a slot's tensor, or of an array that the library made, in scratch memory. Empty if there
  /// are too many, or they cannot be read.
  std::span<uint8_t> Expect(int slot) {
    return life_.slots[slot].from_source ? ExpectRequest(life_.slots[slot].source) : ExpectOffer(slot);
  }
  std::span<uint8_t> ExpectOffer(int slot) { return ExpectBlock(life_.offer(slot), slot, slot); }
  std::span<uint8_t> ExpectRequest(int source) { return ExpectBlock(life_.request(source), OfSource(source), 0); }
  /// The expected elements in the dtype of the slot's array, because a copy in a narrower dtype has other bits. False
  /// if they are unknown.
  bool ExpectAs(int slot, std::span<const uint8_t>* wanted, int64_t* item);
  /// The elements that the library gets to make the source array. Empty, with a NULL address, if there are too many.
  std::span<const uint8_t> BackingOf(int source);

  /// The number of bytes of elements that may be read (subject/readable.h): of the slot's array, of the source array,
  /// or of an array that is described first.
  int64_t BytesToRead(int slot) const;
  int64_t BytesIn(int slot, Subject& owner, Handle array) const;  // of an array derived from the slot's
  int64_t SourceBytes(int source) const;
  int64_t BytesOf(Subject& owner, Handle array, const Meant& meant) const;
  Meant MeantBy(int slot) const;
  Meant MeantBySource(int source) const;

  /// Reads elements by the library's own conversion, and compares them with the expected ones: those of the slot's
  /// array or an array derived from it, or of the source array or one derived from it.
  void ReadArray(int slot, Handle array, int64_t may, ElementReading& reading);
  void ReadMade(int source, Handle array, int64_t may, ElementReading& reading);
  /// `bytes` as a library's conversion into scratch memory returned it.
  void Compare(int64_t bytes, std::span<const uint8_t> wanted, int64_t item, ElementReading& reading);
  /// Whether element `index` of the array has these bits.
  WriteShown Shows(int memory, Subject& owner, Handle array, int64_t may, int64_t index, std::span<const uint8_t> bits);

  /// Whether the slot's array is in the device memory of its offer, as far as it says.
  bool IsOnDevice(int slot) const;

  /// Element `index` is expected to have these bits from now on. `memory` is a slot, or OfSource().
  void Remember(int memory, int64_t index, std::span<const uint8_t> bits);
  /// From now on the elements of the arrays with that memory, and of their exports, are unknown.
  void ForgetElements(int memory);

 private:
  /// A value that was written to an element, and is expected from then on.
  struct Written {
    int memory;
    int64_t index;
    uint8_t bits[kWidestWritten];
  };

  template <typename Block>  // Offer or Request
  std::span<uint8_t> ExpectBlock(const Block& block, int memory, int slot);
  int64_t BytesIn(int slot, const Description& told) const;
  /// Reads the elements of an array with that memory.
  int64_t Values(int memory, Subject& owner, Handle array, int64_t may);
  /// ForgetElements() for exports only: all exports of that memory, or those that may be copies.
  enum class Which : uint8_t { kAll, kThatMayBeCopies };
  void ForgetElementsOfExports(int memory, Which which);

  LifeState& life_;
  int written_count_ = 0;
  Written written_[kSteps] = {};  // the latest ones; older ones were overwritten
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_ENGINE_ELEMENTS_H_
