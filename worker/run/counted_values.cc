// worker/run/counted_values.cc: the kinds of dtypes and the entry points that examples are counted by.
#include "worker/run/counted_values.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>

#include "harness/attribute/properties.h"
#include "harness/recipe/dtypes.h"
#include "harness/recipe/laws.h"
#include "harness/recipe/ops.h"
#include "harness/recipe/packing.h"

namespace dlpack_cts::worker {
namespace {

/// Dtypes that libraries support or lack together.
struct TypeKind {
  std::string_view id;
  std::string_view words;
  bool (*holds)(abi::DLDataType dtype);
};
// A vector of sub-byte elements, such as int4_x2, is of no kind: a library may have integers, but not these vectors.
constexpr TypeKind kTypeKinds[] = {
    {"dtype-kind-int", "the element type is a signed integer of whole bytes",
     [](abi::DLDataType dtype) { return dtype.code == abi::kDLInt && dtype.bits >= 8; }},
    {"dtype-kind-uint", "the element type is an unsigned integer of whole bytes",
     [](abi::DLDataType dtype) { return dtype.code == abi::kDLUInt && dtype.bits >= 8; }},
    {"dtype-kind-float", "the element type is float16 or float64",
     [](abi::DLDataType dtype) { return dtype.code == abi::kDLFloat && dtype.bits != 32; }},
    {"dtype-kind-complex", "the element type is complex",
     [](abi::DLDataType dtype) { return dtype.code == abi::kDLComplex; }},
    {"dtype-kind-float8", "the element type is an 8-bit float",
     [](abi::DLDataType dtype) { return dtype.code >= abi::kDLFloat8_e3m4 && dtype.code <= abi::kDLFloat8_e8m0fnu; }},
    {"dtype-kind-sub-byte", "the element type has less than 8 bits",
     [](abi::DLDataType dtype) { return IsSubByte(dtype); }},
};

/// A function of the library that gets or returns a tensor.
struct Entry {
  std::string_view id;
  std::string_view words;
  Op op;
  bool copy = false;  // called with copy=True
};
constexpr Entry kEntries[] = {
    {"import", "from_dlpack imports an object", Op::kImport},
    {"import-copy", "from_dlpack imports an object with copy=True", Op::kImport, true},
    {"import-capsule", "from_dlpack imports a bare capsule", Op::kImportCapsule},
    {"import-by-table", "from_exchange imports an object", Op::kImportByTable},
    {"peek", "peek reads metadata", Op::kPeek},
    {"table-import", "managed_tensor_to_py_object_no_sync imports", Op::kTableImport},
    {"export", "__dlpack__ exports", Op::kExport},
    {"export-copy", "__dlpack__ exports with copy=True", Op::kExport, true},
    {"reexport", "__dlpack__ exports an imported array", Op::kReexport},
    {"table-export", "managed_tensor_from_py_object_no_sync exports", Op::kTableExport},
    {"table-view", "dltensor_from_py_object_no_sync makes a view", Op::kTableView},
    {"table-allocate", "managed_tensor_allocator allocates", Op::kTableAllocate},
};

bool Uses(const Recipe& recipe, const Entry& entry) {
  return std::ranges::any_of(recipe.life(), [&](const Step& step) {
    return step.op == entry.op && (!entry.copy || recipe.calls[step.call].copy.kind == ArgumentKind::kTrue);
  });
}

template <typename Test>
bool AnyType(const Recipe& recipe, Test test) {
  const bool exports = recipe.kind == RecipeKind::kExport;
  const auto in = [&](const auto* blocks, int count) {
    return std::any_of(blocks, blocks + count, [&](const auto& block) { return test(block.dtype); });
  };
  return exports ? in(recipe.requests, recipe.used.requests) : in(recipe.offers, recipe.used.offers);
}

struct Table {
  std::vector<CountedValue> values;
  size_t plain = 0;
  std::vector<size_t> of_tensors;         // plain values that are counted at each entry point
  std::vector<std::optional<size_t>> at;  // by plain value: its place among them

  Table() {
    for (const Trigger* const trigger : AllTriggers()) values.push_back({trigger->id, trigger->words});
    values.push_back({Scalars().values.front().id, "the tensor has no dimensions"});
    of_tensors.push_back(values.size() - 1);
    for (const TypeKind& kind : kTypeKinds) values.push_back({std::string(kind.id), std::string(kind.words)});
    plain = values.size();
    for (const Property& property : AllProperties()) {
      if (property.id != "dtype" && property.id != "layout" && property.id != "lanes") continue;
      for (const Trigger& value : property.values) of_tensors.push_back(static_cast<size_t>(TriggerIndex(value.id)));
    }
    for (const Entry& entry : kEntries) {
      for (const size_t value : of_tensors) {
        values.push_back(
            {std::string(entry.id) + "/" + values[value].id, std::string(entry.words) + "; " + values[value].words});
      }
    }
    at.resize(plain);
    for (size_t place = 0; place < of_tensors.size(); ++place) at[of_tensors[place]] = place;
  }
};

const Table& TheTable() {
  static const Table table;
  return table;
}

}  // namespace

std::span<const CountedValue> AllValues() { return TheTable().values; }

std::span<const CountedValue> PlainValues() { return AllValues().first(TheTable().plain); }

std::vector<size_t> PlainValuesOf(const Recipe& recipe) {
  std::vector<size_t> values;
  values.reserve(32);
  const size_t triggers = AllTriggers().size();
  const RecipeInUse used(recipe);
  const TriggerSet held = TriggersOf(used);
  for (size_t i = 0; i < triggers; ++i) {
    if (held[i]) values.push_back(i);
  }
  if (Scalars().values.front().Holds(used)) values.push_back(triggers);
  for (size_t i = 0; i < std::size(kTypeKinds); ++i) {
    if (AnyType(recipe, kTypeKinds[i].holds)) values.push_back(triggers + 1 + i);
  }
  return values;
}

std::vector<size_t> AllValuesOf(const Recipe& recipe) {
  const Table& table = TheTable();
  std::vector<size_t> values = PlainValuesOf(recipe);
  const size_t plain = values.size();
  for (size_t entry = 0; entry < std::size(kEntries); ++entry) {
    if (!Uses(recipe, kEntries[entry])) continue;
    const size_t first = table.plain + entry * table.of_tensors.size();
    for (size_t i = 0; i < plain; ++i) {
      if (const std::optional<size_t> place = table.at[values[i]]) values.push_back(first + *place);
    }
  }
  return values;
}

std::vector<std::string> PlainIdsOf(const Recipe& recipe) {
  std::vector<std::string> ids;
  for (const size_t value : PlainValuesOf(recipe)) ids.push_back(PlainValues()[value].id);
  return ids;
}

}  // namespace dlpack_cts::worker
