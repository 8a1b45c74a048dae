// worker/property.h: the one place that uses rapidcheck.
#ifndef DLPACK_CTS_WORKER_PROPERTY_H_
#define DLPACK_CTS_WORKER_PROPERTY_H_

#include <cstdint>
#include <functional>

#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// Checks `holds` on `examples` recipes. rapidcheck hands `draw` a 64-bit seed and an index per example, and takes its
/// shrinks from our shrinker. Returns false when an example did not hold; `holds` has then seen the smallest one last
/// among those for which it returned false.
bool CheckProperty(uint64_t seed, int examples, const std::function<Recipe(uint64_t seed, int index)>& draw,
                   const std::function<bool(const Recipe&)>& holds);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_WORKER_PROPERTY_H_
