// harness/judge/coordinates_table.cc: what is peculiar about the C exchange table on the producer's type.
#include "harness/judge/coordinate_list.h"

namespace dlpack_cts {
namespace {

constexpr abi::DLPackVersion kPlainVersion = {1, 3};

bool HasTable(const Recipe& recipe) { return recipe.table.attribute != TableAttribute::kNone; }

bool HasAttribute(const Recipe& recipe, int attribute) { return static_cast<int>(recipe.table.attribute) == attribute; }

void SetAttribute(Recipe& recipe, int attribute) {
  if (!HasTable(recipe)) recipe.table.version = kPlainVersion;
  recipe.table.attribute = static_cast<TableAttribute>(attribute);
}

bool HasMinor(const Recipe& recipe, int) {
  return HasTable(recipe) && recipe.table.version.minor > kPlainVersion.minor;
}
bool HasMajor(const Recipe& recipe, int) { return HasTable(recipe) && recipe.table.version.major != 1; }

constexpr uint8_t Bit(TableFunction function) { return static_cast<uint8_t>(1u << static_cast<int>(function)); }

bool HasNull(const Recipe& recipe, int) { return HasTable(recipe) && recipe.table.null_slots != 0; }
bool Fails(const Recipe& recipe, int bit) { return HasTable(recipe) && (recipe.table.failing_slots & bit) != 0; }

void SetFailing(Recipe& recipe, int bit) {
  recipe.table.null_slots = 0;
  recipe.table.failing_slots = HasTable(recipe) ? static_cast<uint8_t>(bit) : uint8_t{0};
}

}  // namespace

std::vector<Coordinate> TableCoordinates() {
  return {
      {"table",
       [](Recipe& recipe) { recipe.table = {}; },
       {{"table", "a type with an exchange table", HasAttribute, SetAttribute,
         static_cast<int>(TableAttribute::kCapsule)},
        {"misnamed-table", "an exchange table in a capsule of another name", HasAttribute, SetAttribute,
         static_cast<int>(TableAttribute::kMisnamed)},
        {"table-no-capsule", "an attribute that is no capsule in the place of an exchange table", HasAttribute,
         SetAttribute, static_cast<int>(TableAttribute::kNoCapsule)}}},
      {"table-version",
       [](Recipe& recipe) {
         if (HasTable(recipe)) recipe.table.version = kPlainVersion;
       },
       {{"table-minor-undefined", "an exchange table of an undefined minor version", HasMinor,
         [](Recipe& recipe, int) {
           if (HasTable(recipe)) recipe.table.version = {1, 99};
         }},
        {"table-major-other", "an exchange table of another major version", HasMajor,
         [](Recipe& recipe, int) {
           if (HasTable(recipe)) recipe.table.version = {2, 0};
         }}}},
      {"table-functions",
       [](Recipe& recipe) { recipe.table.null_slots = recipe.table.failing_slots = 0; },
       {{"table-without-view", "an exchange table whose dltensor_from_py_object_no_sync is NULL", HasNull,
         [](Recipe& recipe, int) {
           recipe.table.null_slots = HasTable(recipe) ? Bit(TableFunction::kView) : uint8_t{0};
           recipe.table.failing_slots = 0;
         }},
        {"table-fails", "an exchange table whose managed_tensor_from_py_object_no_sync fails", Fails, SetFailing,
         Bit(TableFunction::kFromObject)},
        {"table-view-fails", "an exchange table whose dltensor_from_py_object_no_sync fails", Fails, SetFailing,
         Bit(TableFunction::kView)}}},
  };
}

}  // namespace dlpack_cts
