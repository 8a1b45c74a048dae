// reference/ring.h: memory that mutants use in turn for things that each need memory of their own.
#ifndef DLPACK_CTS_REFERENCE_RING_H_
#define DLPACK_CTS_REFERENCE_RING_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace dlpack_cts {

/// The next of `ring` places for that type, on this thread. `ring` is at least 1.
template <typename Place>
Place& NextInRing(uint32_t ring) {
  constexpr size_t kMost = 512;
  static thread_local std::vector<Place> places;
  static thread_local size_t next = 0;
  const size_t count = std::min<size_t>(ring, kMost);
  if (places.empty()) places.resize(kMost);
  return places[next++ % count];
}

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REFERENCE_RING_H_
