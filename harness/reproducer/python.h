// harness/reproducer/python.h: writes recipes as Python text.
#ifndef DLPACK_CTS_HARNESS_REPRODUCER_PYTHON_H_
#define DLPACK_CTS_HARNESS_REPRODUCER_PYTHON_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "harness/recipe/recipe.h"

namespace dlpack_cts::python {

/// A bytes object, in lines of hexadecimal digits.
std::string Bytes(std::span<const uint8_t> bytes);

/// `dict(...)` of every field in one block of the recipe and of what follows from them, such as the strides that count
/// where the recipe says compact.
std::string Block(const Offer& offer);
std::string Block(const Request& request);
std::string Block(const Call& call);

/// True when the life has a step that uses the block.
bool Offers(const Recipe& recipe);
bool Requests(const Recipe& recipe);

/// The elements of every offer in the life, by slot, from the lowest to the highest that shape and strides reach.
std::string Elements(const Recipe& recipe);

/// The name of those arguments in a script: CALL, CALL_1 ...
std::string CallName(int call);

/// The body of a function that takes the steps one after the other.
std::string Steps(const Recipe& recipe);

}  // namespace dlpack_cts::python

#endif  // DLPACK_CTS_HARNESS_REPRODUCER_PYTHON_H_
