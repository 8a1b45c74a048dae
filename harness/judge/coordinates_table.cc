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

/// What is said of a table needs one.
ForgedTable& TableOf(Recipe& recipe) {
  if (!HasTable(recipe)) SetAttribute(recipe, static_cast<int>(TableAttribute::kCapsule));
  return recipe.table;
}

void SetVersion(Recipe& recipe, int major) {
  TableOf(recipe).version = {static_cast<uint32_t>(major), major == 1 ? 99u : 0u};
}
void SetFailing(Recipe& recipe, int bit) {
  TableOf(recipe).null_slots = 0;
  recipe.table.failing_slots = static_cast<uint8_t>(bit);
}
void SetNull(Recipe& recipe, int bit) {
  TableOf(recipe).null_slots = static_cast<uint8_t>(bit);
  recipe.table.failing_slots = 0;
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
         SetAttribute, static_cast<int>(TableAttribute::kNoCapsule)},
        {"table-on-object", "an exchange table on the object and not on its type", HasAttribute, SetAttribute,
         static_cast<int>(TableAttribute::kOnObject)}}},
      {"table-version",
       [](Recipe& recipe) {
         if (HasTable(recipe)) recipe.table.version = kPlainVersion;
       },
       {{"table-minor-undefined", "an exchange table of an undefined minor version", HasMinor, SetVersion, 1},
        {"table-major-other", "an exchange table of another major version", HasMajor, SetVersion, 2}}},
      {"table-functions",
       [](Recipe& recipe) { recipe.table.null_slots = recipe.table.failing_slots = 0; },
       {{"table-without-view", "an exchange table whose dltensor_from_py_object_no_sync is NULL", HasNull, SetNull,
         Bit(TableFunction::kView)},
        {"table-fails", "an exchange table whose managed_tensor_from_py_object_no_sync fails", Fails, SetFailing,
         Bit(TableFunction::kFromObject)},
        {"table-view-fails", "an exchange table whose dltensor_from_py_object_no_sync fails", Fails, SetFailing,
         Bit(TableFunction::kView)}}},
  };
}

}  // namespace dlpack_cts
