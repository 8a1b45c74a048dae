// harness/attribute/properties_table.cc: properties of the exchange table on the producer's type.
#include <algorithm>

#include "harness/attribute/property_rows.h"
#include "harness/recipe/names.h"

namespace dlpack_cts {
namespace {

constexpr abi::DLPackVersion kPlainVersion = {1, 3};

bool HasTable(const Recipe& recipe) { return recipe.table.attribute != TableAttribute::kNone; }

bool HasAttribute(const RecipeInUse& used, int attribute) {
  return static_cast<int>(used.recipe.table.attribute) == attribute;
}

void SetAttribute(Recipe& recipe, int attribute) {
  if (!HasTable(recipe)) recipe.table.version = kPlainVersion;
  recipe.table.attribute = static_cast<TableAttribute>(attribute);
}

bool HasMinor(const RecipeInUse& used, int) {
  return HasTable(used.recipe) && used.recipe.table.version.minor > kPlainVersion.minor;
}
bool HasMajor(const RecipeInUse& used, int) { return HasTable(used.recipe) && used.recipe.table.version.major != 1; }

constexpr uint8_t Bit(TableFunction function) { return static_cast<uint8_t>(1u << static_cast<int>(function)); }

bool HasNull(const RecipeInUse& used, int) { return HasTable(used.recipe) && used.recipe.table.null_slots != 0; }
bool Fails(const RecipeInUse& used, int bit) {
  return HasTable(used.recipe) && (used.recipe.table.failing_slots & bit) != 0;
}

bool IsSilent(const RecipeInUse& used, int bit) {
  return HasTable(used.recipe) && (used.recipe.table.silent_slots & bit) != 0;
}
bool IsEmptyHanded(const RecipeInUse& used, int bit) {
  return HasTable(used.recipe) && (used.recipe.table.empty_slots & bit) != 0;
}
bool Moves(const RecipeInUse& used, int) { return HasTable(used.recipe) && used.recipe.table.moves != 0; }

/// The recipe's table. Adds a default one if it has no table.
ForgedTable& TableOf(Recipe& recipe) {
  if (!HasTable(recipe)) SetAttribute(recipe, static_cast<int>(TableAttribute::kCapsule));
  return recipe.table;
}

void SetVersion(Recipe& recipe, int major) {
  TableOf(recipe).version = {static_cast<uint32_t>(major), major == 1 ? 99u : 0u};
}
constexpr uint8_t kTaking = Bit(TableFunction::kFromObject) | Bit(TableFunction::kView);

void ClearTaking(Recipe& recipe) {
  recipe.table.null_slots = 0;
  recipe.table.silent_slots = 0;
  recipe.table.empty_slots = 0;
  recipe.table.failing_slots = static_cast<uint8_t>(recipe.table.failing_slots & ~kTaking);
}
void SetSilent(Recipe& recipe, int bit) {
  ClearTaking(recipe);
  TableOf(recipe).silent_slots = static_cast<uint8_t>(bit);
}
void SetEmptyHanded(Recipe& recipe, int bit) {
  ClearTaking(recipe);
  TableOf(recipe).empty_slots = static_cast<uint8_t>(bit);
}
void SetMoves(Recipe& recipe, int) { TableOf(recipe).moves = 1; }
void SetTaking(Recipe& recipe, int bit) {
  ClearTaking(recipe);
  TableOf(recipe).failing_slots = static_cast<uint8_t>(recipe.table.failing_slots | bit);
}
void SetFailing(Recipe& recipe, int bit) {
  TableOf(recipe).failing_slots = static_cast<uint8_t>(recipe.table.failing_slots | bit);
}
template <TableFunction kFunction>
void ClearFailing(Recipe& recipe) {
  recipe.table.failing_slots = static_cast<uint8_t>(recipe.table.failing_slots & ~Bit(kFunction));
}
void SetNull(Recipe& recipe, int bit) {
  ClearTaking(recipe);
  TableOf(recipe).null_slots = static_cast<uint8_t>(bit);
}

bool HasChain(const RecipeInUse& used, int) { return HasTable(used.recipe) && used.recipe.table.chain_length != 0; }
/// A table that can be used, between two that cannot.
void SetChain(Recipe& recipe, int) {
  constexpr abi::DLPackVersion kChain[] = {{3, 0}, {1, 3}, {0, 9}};
  TableOf(recipe).chain_length = 3;
  std::copy_n(kChain, 3, recipe.table.chain);
}

Property AttributeProperty() {
  Property property{"table", [](Recipe& recipe) { recipe.table = {}; }, {}};
  AddValues(kTableAttributes, HasAttribute, SetAttribute, property);
  return property;
}

std::vector<Property> TableProperties() {
  return {
      AttributeProperty(),
      {"table-version",
       [](Recipe& recipe) {
         if (HasTable(recipe)) recipe.table.version = kPlainVersion;
       },
       {{"table-minor-undefined", "the C exchange table declares an undefined minor version", HasMinor, SetVersion, 1},
        {"table-major-other", "the C exchange table declares a major version other than 1", HasMajor, SetVersion, 2}}},
      {"table-chain",
       [](Recipe& recipe) {
         recipe.table.chain_length = 0;
         std::fill_n(recipe.table.chain, ForgedTable::kChain, abi::DLPackVersion{});
       },
       {{"table-chain", "prev_api of the C exchange table leads to further tables", HasChain, SetChain, 0}}},
      {"table-functions",
       ClearTaking,
       {{"table-without-view", "dltensor_from_py_object_no_sync of the C exchange table is NULL", HasNull, SetNull,
         Bit(TableFunction::kView)},
        {"table-fails", "managed_tensor_from_py_object_no_sync of the C exchange table fails", Fails, SetTaking,
         Bit(TableFunction::kFromObject)},
        {"table-view-fails", "dltensor_from_py_object_no_sync of the C exchange table fails", Fails, SetTaking,
         Bit(TableFunction::kView)},
        {"table-fails-silently",
         "managed_tensor_from_py_object_no_sync of the C exchange table fails without an exception", IsSilent,
         SetSilent, Bit(TableFunction::kFromObject)},
        {"table-view-fails-silently",
         "dltensor_from_py_object_no_sync of the C exchange table fails without an exception", IsSilent, SetSilent,
         Bit(TableFunction::kView)},
        {"table-gives-nothing",
         "managed_tensor_from_py_object_no_sync of the C exchange table returns 0 and a NULL tensor", IsEmptyHanded,
         SetEmptyHanded, Bit(TableFunction::kFromObject)},
        {"table-view-of-nothing",
         "dltensor_from_py_object_no_sync of the C exchange table returns 0 and a DLTensor of zeros", IsEmptyHanded,
         SetEmptyHanded, Bit(TableFunction::kView)},
        {"table-allocates-nothing", "managed_tensor_allocator of the C exchange table returns 0 and a NULL tensor",
         IsEmptyHanded, SetEmptyHanded, Bit(TableFunction::kAllocator)}}},
      {"table-moves",
       [](Recipe& recipe) { recipe.table.moves = 0; },
       {{"table-moves", "the address of the C exchange table changes between lookups", Moves, SetMoves, 0}}},
      {"table-stream",
       ClearFailing<TableFunction::kStream>,
       {{"table-stream-fails", "current_work_stream of the C exchange table fails", Fails, SetFailing,
         Bit(TableFunction::kStream)}}},
      {"table-allocator",
       ClearFailing<TableFunction::kAllocator>,
       {{"table-allocator-fails",
         "managed_tensor_allocator of the C exchange table reports its failure without the GIL", Fails, SetFailing,
         Bit(TableFunction::kAllocator)}}},
  };
}

const RegisterProperties kTable(PropertyGroup::kTable, TableProperties);

}  // namespace

}  // namespace dlpack_cts
