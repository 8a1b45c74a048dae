// fuzz/traces.h: tells libFuzzer what an exchange did that no earlier one had done.
#ifndef DLPACK_CTS_FUZZ_TRACES_H_
#define DLPACK_CTS_FUZZ_TRACES_H_

#include "harness/ledger/ledger.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// Most libraries come as binaries without instrumentation. So the ledger stands in for coverage: how the library
/// answered (the exception and its words), beside the kind of offer that it answered to.
void LeaveTraces(const Recipe& recipe, const Ledger& ledger);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_FUZZ_TRACES_H_
