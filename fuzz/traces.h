// fuzz/traces.h: tells libFuzzer what an exchange did that no earlier one had done.
//
// Most libraries come as binaries without instrumentation. So the ledger stands in for coverage: how the library
// answered (the exception and its words), beside the kind of exchange that it answered to.
#ifndef DLPACK_CTS_FUZZ_TRACES_H_
#define DLPACK_CTS_FUZZ_TRACES_H_

#include <cstdint>
#include <string_view>

namespace dlpack_cts {

/// Leaves a trace of these numbers together; `a` tells one sort of trace from the others.
void Mark(uint64_t a, uint64_t b, uint64_t c = 0);

/// A message as a number for Mark. Digits in it vary with the recipe and say nothing new.
uint64_t WordsOf(std::string_view text);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_FUZZ_TRACES_H_
