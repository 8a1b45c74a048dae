// adapters/interface/effort.h: how often an engine does what one look at shows little of.
#ifndef DLPACK_CTS_ADAPTERS_INTERFACE_EFFORT_H_
#define DLPACK_CTS_ADAPTERS_INTERFACE_EFFORT_H_

#include <cstdint>

namespace dlpack_cts {

enum class Effort : uint8_t {
  kFull,   // races in as many rounds as lose one; memory counted over as many exports as show what each of them keeps
  kBrief,  // one round of a race
  kToken,  // besides, no memory is counted, and no copy of the process made: of a reference, which keeps none, and
           // whose deleters come back wherever they are called
};

/// How often a late release is waited for in vain, before it is taken for none: at first, and of who was late once.
inline constexpr int kNeverLate = 2;
inline constexpr int kOnceLate = 50;

/// The same of tensors that were imported, and of arrays that were exported: who keeps the one may release the other.
struct Patience {
  int tensors = kNeverLate;
  int arrays = kNeverLate;
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_ADAPTERS_INTERFACE_EFFORT_H_
