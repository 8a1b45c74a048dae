// harness/reproducer/watched.h: the fact that a script checks, and the steps up to it.
#ifndef DLPACK_CTS_HARNESS_REPRODUCER_WATCHED_H_
#define DLPACK_CTS_HARNESS_REPRODUCER_WATCHED_H_

#include <span>
#include <string>
#include <vector>

#include "harness/reproducer/reproducer.h"

namespace dlpack_cts {

/// The key of a fact without the numbers of slots and calls.
std::string PlainKey(std::string fact);

/// How the exchange ends in the script: names of signals, `exit N`, `timeout`; empty if it ends normally. A run records
/// an access to forbidden memory and continues; in the script the access ends the exchange.
std::vector<std::string> CrashOf(const ReproducerInput& input);

/// The fact that a script checks; empty for a crash. The name of an exception does not show whether it is a
/// BufferError.
std::string WatchedFact(const ReproducerInput& input);

/// The steps up to the last one that may record the watched fact. `to_its_end`: it may also be recorded when all
/// objects are dropped.
struct Life {
  std::span<const Step> steps;
  bool to_its_end;
};
Life LifeOf(const ReproducerInput& input);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_REPRODUCER_WATCHED_H_
