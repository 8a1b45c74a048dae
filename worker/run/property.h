// worker/run/property.h: the one place that uses rapidcheck.
#ifndef DLPACK_CTS_WORKER_RUN_PROPERTY_H_
#define DLPACK_CTS_WORKER_RUN_PROPERTY_H_

#include <cstdint>
#include <functional>

#include "harness/recipe/recipe.h"

namespace dlpack_cts::worker {

/// Checks `holds` on up to `examples` recipes and stops at the first that does not hold: false. rapidcheck passes
/// `draw` a 64-bit seed and an index per example. It does not shrink: shrink_loop.h does, for crashes too.
bool CheckProperty(uint64_t seed, int examples, const std::function<Recipe(uint64_t seed, int index)>& draw,
                   const std::function<bool(const Recipe&)>& holds);

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_RUN_PROPERTY_H_
