// worker/run/counted_values.h: the values of properties by which the examples of cases are counted.
#ifndef DLPACK_CTS_WORKER_RUN_COUNTED_VALUES_H_
#define DLPACK_CTS_WORKER_RUN_COUNTED_VALUES_H_

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "harness/recipe/recipe.h"

namespace dlpack_cts::worker {

struct CountedValue {
  std::string id;     // "scalar"; "table-view/scalar" at an entry point
  std::string words;  // "the tensor has no dimensions": a statement about the exchange
};

/// The triggers (harness/attribute/properties.h), tensors without dimensions, and kinds of dtypes: one dtype alone is
/// drawn seldom. No default value is among them.
std::span<const CountedValue> PlainValues();

/// The plain values, then each dtype and each layout at each entry point.
std::span<const CountedValue> AllValues();

/// The plain values of the recipe, as indices into the list.
std::vector<size_t> PlainValuesOf(const Recipe& recipe);

/// The same with the values at entry points.
std::vector<size_t> AllValuesOf(const Recipe& recipe);

/// The ids of its plain values.
std::vector<std::string> PlainIdsOf(const Recipe& recipe);

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_RUN_COUNTED_VALUES_H_
