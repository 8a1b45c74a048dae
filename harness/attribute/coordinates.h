// harness/attribute/coordinates.h: the properties of an exchange, each with a default value.
//
// A property (Coordinate) has values, the simplest first. Every value but the default may be the trigger of a failure.
// The non-default values of a reduced recipe (reduce.h) are the triggers of its failure. Each value can
// be given to a recipe, so that reducing goes from one canonical value to another and always ends in the same example.
#ifndef DLPACK_CTS_HARNESS_ATTRIBUTE_COORDINATES_H_
#define DLPACK_CTS_HARNESS_ATTRIBUTE_COORDINATES_H_

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// A value of a property that is not the default.
struct Peculiarity {
  std::string id;     // "byte-offset": unique
  std::string words;  // "dl_tensor.byte_offset is not 0": a statement about the exchange
  bool (*holds)(const Recipe& recipe, int argument);
  void (*set)(Recipe& recipe, int argument);  // NULL: it has no canonical value
  int argument = 0;                           // of both: an index, where many values are alike
  bool wild = false;                          // reducing does not try it in the place of another value

  bool Holds(const Recipe& recipe) const { return holds(recipe, argument); }
};

struct Coordinate {
  std::string id;                             // "byte-offset"
  std::function<void(Recipe& recipe)> plain;  // gives it the default value; empty if nothing can
  std::vector<Peculiarity> values;            // simpler ones first; several may hold together
};

/// Groups of properties, in the order in which reducing tries them.
enum class CoordinateGroup : uint8_t { kLife, kCall, kTable, kOffer, kRequest, kTensor, kCount };

/// Declares the properties of a group, once, in the file that has them.
struct RegisterCoordinates {
  RegisterCoordinates(CoordinateGroup group, std::vector<Coordinate> (*list)());
};

/// All properties, in the order in which reducing tries them.
std::span<const Coordinate> Coordinates();

/// No dimensions: the default layout, so not a trigger of an exchange. It is a trigger of a cause that no tensor with
/// dimensions shows.
const Coordinate& Scalars();
inline constexpr char kScalar[] = "scalar";  // the id of its only value

/// Gives each tensor one dimension, and leaves all else as it is.
void GiveDimension(Recipe& recipe);

inline constexpr size_t kPeculiarities = 320;

/// A set of non-default values; a bit is an index into the list of all of them.
using PeculiaritySet = std::bitset<kPeculiarities>;

/// All of them, the simpler ones first.
std::span<const Peculiarity* const> Peculiarities();

/// Index of the value with that id, or -1.
int PeculiarityIndex(std::string_view id);

/// The non-default values of the recipe.
PeculiaritySet PeculiaritiesOf(const Recipe& recipe);

/// Their ids, in order.
std::vector<std::string> IdsOf(const PeculiaritySet& set);

inline bool IsWithin(const PeculiaritySet& part, const PeculiaritySet& whole) { return (part & ~whole).none(); }

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_ATTRIBUTE_COORDINATES_H_
