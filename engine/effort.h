// engine/effort.h: how often an engine repeats what a single run rarely shows.
#ifndef DLPACK_CTS_ENGINE_EFFORT_H_
#define DLPACK_CTS_ENGINE_EFFORT_H_

#include <cstdint>

namespace dlpack_cts {

enum class Effort : uint8_t {
  kFull,   // enough rounds for races, and enough exports to measure the memory that each one leaks
  kBrief,  // one round of a race, no measurement of the memory that exports leave
  kToken,  // as kBrief, without counts of references and without a fork; for the reference, which does not leak, and
           // whose deleters return always return
};

/// After this many waits without success, a missing release counts as a leak: at first, and after one late release.
inline constexpr int kNeverLate = 2;
inline constexpr int kOnceLate = 50;

/// What a library takes too long for is not waited for again.
struct Patience {
  // Counted separately for imported tensors and exported arrays: a library may leak one kind and release the other.
  int tensors = kNeverLate;
  int arrays = kNeverLate;
  double measuring = 2;     // seconds for one memory measurement; a race begins no round after a quarter of that time
  bool may_measure = true;  // no measurement took longer
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_ENGINE_EFFORT_H_
