// fuzz/traces.h: reports to libFuzzer what an exchange did that no earlier exchange had done.
//
// Most libraries are binaries without instrumentation. So the ledger replaces coverage: the answer of the library (the
// exception and its text), together with the kind of exchange.
#ifndef DLPACK_CTS_FUZZ_TRACES_H_
#define DLPACK_CTS_FUZZ_TRACES_H_

#include <cstdint>
#include <string_view>

namespace dlpack_cts::fuzz {

/// Marks this combination of numbers as seen; `a` is the kind of the mark.
void Mark(uint64_t a, uint64_t b, uint64_t c = 0);

/// A message as a number for Mark(). Digits are ignored, because they vary with the recipe.
uint64_t WordsOf(std::string_view text);

}  // namespace dlpack_cts::fuzz

#endif  // DLPACK_CTS_FUZZ_TRACES_H_
