// harness/reproducer/python.h: writes recipes as Python text.
#ifndef DLPACK_CTS_HARNESS_REPRODUCER_PYTHON_H_
#define DLPACK_CTS_HARNESS_REPRODUCER_PYTHON_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "harness/recipe/recipe.h"

namespace dlpack_cts::python {

/// A bytes object, as lines of hexadecimal digits.
std::string Bytes(std::span<const uint8_t> bytes);

/// Whether a step uses an offer (or a request).
bool Offers(const Recipe& recipe);
bool Requests(const Recipe& recipe);

/// `types.SimpleNamespace(...)` of the parts of a block that the code names: its fields, and derived values, such as
/// the real strides if the recipe says compact.
std::string Block(const Offer& offer, std::string_view code);
std::string Block(const Request& request, std::string_view code);

/// TYPES, which the prelude reads: the dtypes by name.
std::string Types();

/// ELEMENTS: the memory of every offer, by slot, from the lowest to the highest element. RIGHT: the expected elements
/// of an array, in row-major order.
std::string Elements(const Recipe& recipe, bool right);

/// The body of a function that runs these steps in order. Without `looks`, steps that only read an export are left out.
std::string Steps(const Recipe& recipe, std::span<const Step> life, bool looks);

}  // namespace dlpack_cts::python

#endif  // DLPACK_CTS_HARNESS_REPRODUCER_PYTHON_H_
