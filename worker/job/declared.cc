// worker/job/declared.cc: reads the table [profile] of library.toml.
#include "worker/job/declared.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "base/failure.h"
#include "base/version.h"
#include "harness/case/claims.h"
#include "harness/recipe/dtypes.h"
#include "harness/recipe/generator.h"
#include "harness/recipe/layout.h"

namespace dlpack_cts::worker {
namespace {

using nlohmann::json;

constexpr int64_t kMostAligned = 12;  // log2 of a page

Failure Wrong(const std::string& what, std::string hint) {
  return Failure("library.toml: [profile] " + what, std::move(hint));
}

/// One bit for each item of the list, as `bit_of` numbers it.
template <typename BitOf>
uint64_t MaskOf(const std::string& key, const json& list, const BitOf& bit_of) {
  if (!list.is_array()) throw Wrong(key + ": " + list.dump() + " is not a list", "write " + key + " = [...]");
  uint64_t mask = 0;
  for (const json& item : list) mask |= uint64_t{1} << bit_of(item);
  return mask;
}

/// The bit of a number from 0 to `most`.
auto UpTo(const std::string& key, int64_t most, const std::string& hint) {
  return [=](const json& item) {
    if (!item.is_number_integer() || item < 0 || item > most) {
      throw Wrong(key + ": " + item.dump() + " is not between 0 and " + std::to_string(most), hint);
    }
    return item.get<int>();
  };
}

uint32_t LayoutsOf(const std::string& key, const json& list) {
  static constexpr std::string_view kNames[kLayouts] = {"compact",  "permuted",  "fortran",     "stepped",
                                                        "negative", "broadcast", "overlapping", "mixed"};
  return static_cast<uint32_t>(MaskOf(key, list, [&](const json& item) {
    const auto* const found =
        std::find(std::begin(kNames), std::end(kNames), item.is_string() ? item.get<std::string>() : "");
    if (found == std::end(kNames)) {
      throw Wrong(key + ": there is no layout " + item.dump(),
                  "the layouts are compact, permuted, fortran, stepped, negative, broadcast, overlapping, mixed");
    }
    return found - std::begin(kNames);
  }));
}

uint64_t TypesOf(const std::string& key, const json& list) {
  return MaskOf(key, list, [&](const json& item) {
    const int index = item.is_string() ? DataTypeIndex(std::string_view(item.get_ref<const std::string&>())) : -1;
    if (index >= 0) return index;
    std::string names;
    for (const NamedDataType& type : DataTypes()) names += (names.empty() ? "" : ", ") + std::string(type.name);
    throw Wrong(key + ": there is no type " + item.dump(), "the types are " + names);
  });
}

int32_t AlignmentOf(const json& value) {
  const int64_t bytes = value.is_number_integer() ? value.get<int64_t>() : 0;
  int32_t log2 = 0;
  while (log2 < kMostAligned && (int64_t{1} << log2) < bytes) ++log2;
  if ((int64_t{1} << log2) != bytes) {
    throw Wrong("alignment: " + value.dump() + " is not a power of two up to 4096", "write bytes: alignment = 64");
  }
  return log2;
}

void ReadField(const std::string& key, const json& value, Declared& declared) {
  if (const std::optional<Trait> trait = TraitFromText(key)) {
    if (!value.is_boolean()) throw Wrong(key + " is neither true nor false", "write " + key + " = true");
    const uint32_t bit = 1u << static_cast<uint32_t>(*trait);
    declared.traits = value.get<bool>() ? declared.traits | bit : declared.traits & ~bit;
  } else if (key == "ranks") {
    const auto bit = UpTo(key, kWalkedDims, "write numbers of dimensions: ranks = [1, 2, 3]");
    declared.ranks = static_cast<uint32_t>(MaskOf(key, value, bit));
  } else if (key == "layouts") {
    declared.imported_layouts = declared.made_layouts = LayoutsOf(key, value);
  } else if (key == "imported_layouts") {
    declared.imported_layouts = LayoutsOf(key, value);
  } else if (key == "made_layouts") {
    declared.made_layouts = LayoutsOf(key, value);
  } else if (key == "last_extents") {
    const auto bit = UpTo(key, Declared::kLargestExtent, "write extents of the last dimension: last_extents = [1, 3]");
    declared.last_extents = MaskOf(key, value, bit);
  } else if (key == "element_types") {
    declared.element_types = TypesOf(key, value);
  } else if (key == "alignment") {
    declared.alignment_log2 = AlignmentOf(value);
  } else {
    std::string names;
    for (uint32_t i = 0; i < static_cast<uint32_t>(Trait::kCount); ++i) {
      names += std::string(ToText(static_cast<Trait>(i))) + ", ";
    }
    throw Wrong("has the unknown field \"" + key + "\"",
                "the fields are " + names +
                    "ranks, layouts, imported_layouts, made_layouts, last_extents, element_types, alignment, when");
  }
}

/// The condition of a [[profile.when]] block.
std::string ConditionOf(const json& block) {
  const json condition = block.is_object() && block.contains("version") ? block["version"] : json();
  const std::string hint = "begin each [[profile.when]] block with a condition: version = \">=2.0,<3\"";
  if (!condition.is_string()) throw Wrong("when: a block has no version", hint);
  const std::string text = condition.get<std::string>();
  const std::string wrong = text.empty() ? text : WrongCondition(text);
  if (text.empty() || !wrong.empty()) throw Wrong("when: version " + condition.dump() + " is not a condition", hint);
  return text;
}

}  // namespace

Declared DeclaredOf(const json& profile, const std::string& version) {
  Declared declared{};
  for (const auto& [key, value] : profile.items()) {
    if (key != "when") ReadField(key, value, declared);
  }
  const json blocks = profile.value("when", json::array());
  if (!blocks.is_array()) throw Wrong("when is not a list of blocks", "begin each block with [[profile.when]]");
  for (const json& block : blocks) {
    const bool matches = VersionMatches(ConditionOf(block), version);
    Declared changed = declared;
    for (const auto& [key, value] : block.items()) {
      if (key != "version") ReadField(key, value, changed);
    }
    if (matches) declared = changed;
  }
  return declared;
}

}  // namespace dlpack_cts::worker
