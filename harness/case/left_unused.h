// harness/case/left_unused.h: whether a consumer that copied left the capsule of the tensor to its destructor.
#ifndef DLPACK_CTS_HARNESS_CASE_LEFT_UNUSED_H_
#define DLPACK_CTS_HARNESS_CASE_LEFT_UNUSED_H_

#include "harness/ledger/ledger.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// Whether the capsule stayed as it was, and releases the tensor, because the consumer copied it. An import without
/// elements does not show whether it is a copy, and counts as one.
bool LeftUnused(const Offer& offer, const ImportLedger& import);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_CASE_LEFT_UNUSED_H_
