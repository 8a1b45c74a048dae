// adapters/reference/counter.h: what the reference counts and remembers between exchanges.
#ifndef DLPACK_CTS_ADAPTERS_REFERENCE_COUNTER_H_
#define DLPACK_CTS_ADAPTERS_REFERENCE_COUNTER_H_

#include <cstdint>

namespace dlpack_cts {

/// Imports and exports since the behaviour was set; an exchange is counted once, at its begin.
uint32_t ExchangeNumber();
void CountExchange();

/// Forgets what changed behaviours remember.
void ForgetImports();
void ForgetExports();

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_ADAPTERS_REFERENCE_COUNTER_H_
