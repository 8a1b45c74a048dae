// harness/attribute/properties.h: the properties of an exchange, each with a default value.
//
// A property (Property) has values, the simplest first. Every value except the default may be the trigger of a
// failure. The non-default values of a minimised recipe (harness/minimise/minimise.h) are the triggers of its failure.
// A recipe can be given each value in one canonical form, so minimising always ends in the same example.
#ifndef DLPACK_CTS_HARNESS_ATTRIBUTE_PROPERTIES_H_
#define DLPACK_CTS_HARNESS_ATTRIBUTE_PROPERTIES_H_

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/recipe/in_use.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// A non-default value of a property.
struct Trigger {
  std::string id;     // "byte-offset": unique
  std::string words;  // "dl_tensor.byte_offset is not 0": a statement about the exchange
  bool (*holds)(const RecipeInUse& used, int argument);
  void (*set)(Recipe& recipe, int argument);  // gives the recipe this value; NULL: the value has no canonical form
  int argument = 0;                           // passed to `holds` and `set`: an index, if many values are alike
  bool wild = false;                          // minimising does not try it instead of another value

  bool Holds(const RecipeInUse& used) const { return holds(used, argument); }
  bool Holds(const Recipe& recipe) const { return Holds(RecipeInUse(recipe)); }
};

struct Property {
  std::string id;                             // "byte-offset"
  std::function<void(Recipe& recipe)> plain;  // sets the default value; empty if that is impossible
  std::vector<Trigger> values;                // simpler ones first; a recipe may have several of them
};

/// Groups of properties, in the order in which minimising tries them.
enum class PropertyGroup : uint8_t { kLife, kCall, kTable, kOffer, kRequest, kTensor, kCount };

/// Declares the properties of a group, once, in the file that has them.
struct RegisterProperties {
  RegisterProperties(PropertyGroup group, std::vector<Property> (*list)());
};

/// All properties, in the order in which minimising tries them.
std::span<const Property> AllProperties();

/// Default values are not triggers of an exchange. These two are triggers of a cause that does not appear with another
/// value. Tensors with ndim 0:
const Property& Scalars();
inline constexpr char kScalar[] = "scalar";  // the id of its only value
/// Versioned structs, if a crash does not appear with legacy ones:
const Property& VersionedStructs();
inline constexpr char kVersioned[] = "versioned";

/// Those two.
std::span<const Property* const> DefaultProperties();

/// Gives each tensor one dimension, and changes nothing else.
void GiveDimension(Recipe& recipe);

inline constexpr size_t kMostTriggers = 384;

/// A set of non-default values. A bit is an index into the list below.
using TriggerSet = std::bitset<kMostTriggers>;

/// All non-default values, the simpler ones first.
std::span<const Trigger* const> AllTriggers();

/// The index of the value with that id, or -1.
int TriggerIndex(std::string_view id);

/// The non-default values of the recipe.
TriggerSet TriggersOf(const RecipeInUse& used);
inline TriggerSet TriggersOf(const Recipe& recipe) { return TriggersOf(RecipeInUse(recipe)); }

/// Their ids, in the order of that list.
std::vector<std::string> IdsOf(const TriggerSet& set);

inline bool IsWithin(const TriggerSet& part, const TriggerSet& whole) { return (part & ~whole).none(); }

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_ATTRIBUTE_PROPERTIES_H_
