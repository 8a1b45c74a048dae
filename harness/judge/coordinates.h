// harness/judge/coordinates.h: the coordinates of an exchange: in which ways a recipe may be peculiar, and what is
// plain.
//
// A coordinate has values, the plainest first. Every value but the plainest is a *peculiarity*. The set of a recipe's
// peculiarities is what a failing exchange is about, once it has been reduced (reduce.h); each value can be given to a
// recipe, so that reducing goes from canonical value to canonical value, and every way there ends in the same example.
#ifndef DLPACK_CTS_HARNESS_JUDGE_COORDINATES_H_
#define DLPACK_CTS_HARNESS_JUDGE_COORDINATES_H_

#include <bitset>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// A value of a coordinate that is not the plainest one.
struct Peculiarity {
  std::string id;     // "byte-offset": unique
  std::string words;  // "a byte_offset"
  bool (*holds)(const Recipe& recipe, int argument);
  void (*set)(Recipe& recipe, int argument);  // NULL: it has no canonical value
  int argument = 0;                           // of both: an index, where many values are alike
  bool wild = false;                          // reducing does not try it in the place of another value

  bool Holds(const Recipe& recipe) const { return holds(recipe, argument); }
};

struct Coordinate {
  std::string id;                             // "byte-offset"
  std::function<void(Recipe& recipe)> plain;  // gives it the plainest value; empty where nothing can
  std::vector<Peculiarity> values;            // plainer ones first; several may hold together
};

/// All coordinates, in the order in which reducing tries them.
std::span<const Coordinate> Coordinates();

/// No dimensions: the plainest layout, and so no peculiarity of an exchange. It is one of a cause that no tensor with
/// dimensions shows.
const Coordinate& Scalars();
inline constexpr char kScalar[] = "scalar";  // the id of its only value

/// Gives each tensor one dimension, and leaves all else as it is.
void GiveDimension(Recipe& recipe);

inline constexpr size_t kPeculiarities = 320;

/// A set of peculiarities; a bit is an index into Peculiarities().
using PeculiaritySet = std::bitset<kPeculiarities>;

/// All of them, the plainer ones first.
std::span<const Peculiarity* const> Peculiarities();

/// Index of the peculiarity with that id; -1 for none.
int PeculiarityIndex(std::string_view id);

/// What is peculiar about the recipe.
PeculiaritySet PeculiaritiesOf(const Recipe& recipe);

/// Their ids, in order.
std::vector<std::string> IdsOf(const PeculiaritySet& set);

inline bool IsWithin(const PeculiaritySet& part, const PeculiaritySet& whole) { return (part & ~whole).none(); }

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_JUDGE_COORDINATES_H_
