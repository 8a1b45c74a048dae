// harness/reproducer/python.h: writes recipes as Python text.
#ifndef DLPACK_CTS_HARNESS_REPRODUCER_PYTHON_H_
#define DLPACK_CTS_HARNESS_REPRODUCER_PYTHON_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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

/// The memory of the elements: 20 pages between inaccessible pages, the first of which has an odd number.
struct Place {
  uint64_t room;   // bytes from element 0 to the end of the pages; to their start if the tensor lies there
  uint64_t below;  // bytes of elements before element 0
  uint64_t canary_front;
  uint64_t canary_behind;
};
Place PlaceOf(const Offer& offer);

/// Lists of the extents and strides in memory.
std::string ShapeOf(const Offer& offer);
std::string StridesOf(const Offer& offer);

/// The name of an offered capsule: a bytes literal, or None.
std::string CapsuleNameOf(const Offer& offer);

/// The memory from the lowest to the highest element; empty if it is not backed.
std::vector<uint8_t> Memory(const Offer& offer, int slot);

/// The elements in row-major order.
std::vector<uint8_t> Right(const Offer& offer, int slot);
std::vector<uint8_t> Right(const Request& request);

/// TYPES, which the prelude reads: the dtypes by name.
std::string Types();

/// ELEMENTS: the memory of every offer, by slot, from the lowest to the highest element. RIGHT: the expected elements
/// of an array, in row-major order.
std::string Elements(const Recipe& recipe, bool right);

/// The keywords of a call, each after a comma: those of from_dlpack, or those of __dlpack__.
std::string Keywords(const Call& call, bool from_dlpack);

/// The body of a function that runs these steps in order. Without `looks`, steps that only read an export are left out.
std::string Steps(const Recipe& recipe, std::span<const Step> life, bool looks);

}  // namespace dlpack_cts::python

#endif  // DLPACK_CTS_HARNESS_REPRODUCER_PYTHON_H_
