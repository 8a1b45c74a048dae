// suites/interop/arrays.h: the arrays that a producer hands to the consumer of its pair.
#ifndef DLPACK_CTS_SUITES_INTEROP_ARRAYS_H_
#define DLPACK_CTS_SUITES_INTEROP_ARRAYS_H_

#include <string_view>

#include "harness/case/case.h"

namespace dlpack_cts {

/// A case of pairs.
Case OfPairs(Case made);

/// Any array that the producer can make. Negative strides have their own case, because a library that crashes with them
/// would hide everything else.
Recipe AnyArray(Draw& draw);

/// Compact arrays only: in overlapping layouts one write changes several elements.
Recipe CompactArray(Draw& draw);

/// Whether the consumer's array has the shape that the producer's array was made with. A fact that the adapter does not
/// report says nothing.
bool KeepsShape(const Recipe& recipe, const Ledger& ledger, std::string_view message, const Terms& terms,
                Judgement& judgement);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_SUITES_INTEROP_ARRAYS_H_
