// harness/reproducer/watched.h: what a script looks at, and the steps that lead to it.
#ifndef DLPACK_CTS_HARNESS_REPRODUCER_WATCHED_H_
#define DLPACK_CTS_HARNESS_REPRODUCER_WATCHED_H_

#include <span>
#include <string>
#include <vector>

#include "harness/reproducer/reproducer.h"

namespace dlpack_cts {

/// The key of a fact without the numbers of slots and calls.
std::string PlainKey(std::string fact);

/// How the exchange ends, as the script sees it: names of signals, `exit N`, `timeout`; empty where it comes to its
/// end. A run notes a touch of forbidden memory and lets it pass; in the script that ends the exchange.
std::vector<std::string> DeathOf(const ReproducerInput& input);

/// The fact that a script looks at; empty for a death. Whether an exception is a BufferError is not told by its name.
std::string WatchedFact(const ReproducerInput& input);

/// The steps up to the last one that may note the watched fact. To its end: when everything is dropped it may still
/// be noted.
struct Life {
  std::span<const Step> steps;
  bool to_its_end;
};
Life LifeOf(const ReproducerInput& input);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_REPRODUCER_WATCHED_H_
