// runner/verdict/accused.h: which library of a pair has the defect of a cause.
#ifndef DLPACK_CTS_RUNNER_VERDICT_ACCUSED_H_
#define DLPACK_CTS_RUNNER_VERDICT_ACCUSED_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/cause.h"

namespace dlpack_cts::runner {

/// What a library does in a pair.
enum class PairRole : uint8_t { kProducer, kConsumer };

/// The library that shows the cause of a pair with the reference as partner too. Nothing if neither does, and if the
/// cause is not tried with the reference: it does not occur every time, or only after other exchanges.
inline std::optional<PairRole> AccusedIn(const Cause& cause) {
  const bool together = cause.triggers == std::vector<std::string>{"only-together"};
  if (together || cause.limitation || cause.at_times || cause.id == kEarlierExchanges) return std::nullopt;
  return cause.side == Side::kExport ? PairRole::kProducer : PairRole::kConsumer;
}

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_VERDICT_ACCUSED_H_
