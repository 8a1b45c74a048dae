// harness/judge/way.h: the freedoms that a library uses always or never, as data.
//
// Where every plain exchange before the first case showed such a way, the library's users rely on it, as on a rule. An
// exchange in which it goes the reference's way deviates from its own, and is noted. Nothing is here that depends on
// size, alignment, element type or layout in libraries that we know (strides left out where they are compact), on what
// an adapter can tell of an array (addresses), or that one probe alone can show (arrays without dimensions).
#ifndef DLPACK_CTS_HARNESS_JUDGE_WAY_H_
#define DLPACK_CTS_HARNESS_JUDGE_WAY_H_

#include <span>
#include <string_view>

#include "harness/judge/freedom.h"
#include "harness/judge/attribution.h"

namespace dlpack_cts {

struct Way {
  std::string_view freedom;  // its id
  Side side;
  std::string_view fact;                               // "importS.aliases": tells that it was left
  std::string_view wanted;                             // that fact in its own way
  bool (*leaves)(const Exchange& exchange, int slot);  // the slot could show it, and shows the reference's
};

std::span<const Way> Ways();

/// NULL for an unknown id.
const Way* WayOf(std::string_view freedom);

/// The row of the way's fact in that slot.
int RowOf(const Way& way, int slot);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_JUDGE_WAY_H_
