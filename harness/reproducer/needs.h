// harness/reproducer/needs.h: which parts of the prelude a finding needs.
#ifndef DLPACK_CTS_HARNESS_REPRODUCER_NEEDS_H_
#define DLPACK_CTS_HARNESS_REPRODUCER_NEEDS_H_

#include "harness/reproducer/reproducer.h"
#include "harness/reproducer/select.h"

namespace dlpack_cts {

/// All of Needs except `code`. The tags are
///  - `offer.FIELD.WORD`, `request.FIELD.WORD` of the blocks in use; a number that is not 0 is `offer.FIELD`;
///  - `step.OPERATION` of every step;
///  - the fact without numbers, such as `import.deleter.calls`;
///  - those that the comments of needs.cc explain.
Needs NeedsOf(const ReproducerInput& input);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_REPRODUCER_NEEDS_H_
