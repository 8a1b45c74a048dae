// harness/attribute/property_rows.h: helpers for the rows of properties.
#ifndef DLPACK_CTS_HARNESS_ATTRIBUTE_PROPERTY_ROWS_H_
#define DLPACK_CTS_HARNESS_ATTRIBUTE_PROPERTY_ROWS_H_

#include <algorithm>
#include <bit>
#include <string>
#include <type_traits>

#include "harness/attribute/properties.h"
#include "harness/recipe/enum_table.h"

namespace dlpack_cts {

/// Adds a trigger for each enumerator that has an id.
template <typename Enum>
void AddValues(const EnumTable<Enum>& table, bool (*holds)(const RecipeInUse&, int), void (*set)(Recipe&, int),
               Property& property) {
  for (const Enum value : table.order()) {
    const Named& named = table[value];
    if (named.id.empty()) continue;
    property.values.push_back(
        {std::string(named.id), std::string(named.statement), holds, set, static_cast<int>(value)});
  }
}

/// Calls `visit` with each of these blocks.
template <typename Blocks, typename Visit>
void ForBlocks(uint32_t bits, Blocks& blocks, Visit visit) {
  for (; bits != 0; bits &= bits - 1) visit(blocks[std::countr_zero(bits)]);
}

/// In place of a block type: both offers and requests.
struct Tensor {};

/// Calls `visit` with each block of that type that the recipe uses.
template <typename Block, typename AnyRecipe, typename Visit>
void ForEach(const RecipeInUse& used, AnyRecipe& recipe, Visit visit) {
  constexpr bool kTensors = std::is_same_v<Block, Tensor>;
  if constexpr (kTensors || std::is_same_v<Block, Offer>) ForBlocks(used.offers, recipe.offers, visit);
  if constexpr (kTensors || std::is_same_v<Block, Request>) ForBlocks(used.requests, recipe.requests, visit);
  if constexpr (std::is_same_v<Block, Call>) std::for_each_n(recipe.calls, recipe.used.calls, visit);
  if constexpr (std::is_same_v<Block, Step>) std::ranges::for_each(recipe.life(), visit);
}

template <typename Block, typename Visit>
void ForEach(Recipe& recipe, Visit visit) {
  ForEach<Block>(RecipeInUse(recipe), recipe, visit);
}

template <typename Block, typename Test>
bool Any(const RecipeInUse& used, Test test) {
  bool any = false;
  ForEach<Block>(used, used.recipe, [&](const auto& block) { any = any || test(block); });
  return any;
}

/// Calls `work` with the block, and with the argument of a value if it takes one.
template <typename Work, typename Block>
auto Do(Block& block, int argument) {
  if constexpr (std::is_invocable_v<Work, Block&, int>) {
    return Work()(block, argument);
  } else {
    return Work()(block);
  }
}

// Functions of a recipe, made of lambdas of a block without captures.

/// Whether a block passes the test.
template <typename Block, typename Test>
constexpr auto Some(Test) {
  return +[](const RecipeInUse& used, int argument) {
    return Any<Block>(used, [&](const auto& block) { return Do<Test>(block, argument); });
  };
}

/// Applies the change to each block.
template <typename Block, typename Change>
constexpr auto Each(Change) {
  return +[](Recipe& recipe, int argument) {
    ForEach<Block>(recipe, [&](auto& block) { Do<Change>(block, argument); });
  };
}

/// The same, to set the default value of a property.
template <typename Block, typename Change>
constexpr auto Plain(Change) {
  return +[](Recipe& recipe) { ForEach<Block>(recipe, Change()); };
}

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_ATTRIBUTE_PROPERTY_ROWS_H_
