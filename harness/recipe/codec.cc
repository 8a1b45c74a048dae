// harness/recipe/codec.cc: recipes as bytes and as JSON. The JSON form uses the tables of fields.
#include "harness/recipe/codec.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/failure.h"
#include "base/text.h"
#include "harness/recipe/fields.h"
#include "harness/recipe/normalize.h"

namespace dlpack_cts {
namespace {

using Json = nlohmann::ordered_json;

std::string Quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

std::string Element(std::string_view array, size_t index) {
  return std::string(array) + "[" + std::to_string(index) + "]";
}

const uint8_t* BlockAt(const Recipe& recipe, const BlockType& type, size_t index) {
  return reinterpret_cast<const uint8_t*>(&recipe) + type.offset + index * type.size;
}
uint8_t* BlockAt(Recipe& recipe, const BlockType& type, size_t index) {
  return reinterpret_cast<uint8_t*>(&recipe) + type.offset + index * type.size;
}
uint8_t& UsedOf(Recipe& recipe, const BlockType& type) { return reinterpret_cast<uint8_t*>(&recipe)[type.used]; }

/// The only default step is the empty one.
constexpr size_t kLife = 3;  // index into BlockTypes()

// ---- Writing.

Json EntryToJson(const Field& field, const void* block, int index) {
  const uint64_t value = ReadField(field, block, index);
  if (value < field.words.size()) return field.words[value];
  if (field.is_signed) return static_cast<int64_t>(value);
  return value;
}

/// The number of entries to write: one for each dimension, and later ones that are not 0.
int SayingEntries(const Field& field, const void* block, int dims, StridesKind kind) {
  int entries = field.name == "strides" && kind != StridesKind::kExplicit ? 0 : std::min(dims, field.count);
  for (int i = field.count; i > entries; --i) {
    if (ReadField(field, block, i - 1) != 0) return i;
  }
  return entries;
}

/// The object that contains the last part of a dotted name. Creates missing objects.
Json& Holder(Json& root, std::string_view name, std::string* last) {
  Json* holder = &root;
  for (size_t dot = name.find('.'); dot != std::string_view::npos; dot = name.find('.')) {
    holder = &(*holder)[std::string(name.substr(0, dot))];
    name.remove_prefix(dot + 1);
  }
  *last = name;
  return *holder;
}

/// The fields that differ from `plain`. Arrays have as many entries as the block has dimensions.
Json BlockToJson(std::span<const Field> fields, const void* block, const void* plain, int dims, StridesKind kind) {
  Json json = Json::object();
  for (const Field& field : fields) {
    std::string last;
    if (field.count > 1) {
      const int entries = SayingEntries(field, block, dims, kind);
      if (entries == 0) continue;
      Json array = Json::array();
      for (int i = 0; i < entries; ++i) array.push_back(EntryToJson(field, block, i));
      Holder(json, field.name, &last)[last] = std::move(array);
    } else if (ReadField(field, block) != ReadField(field, plain)) {
      Holder(json, field.name, &last)[last] = EntryToJson(field, block, 0);
    }
  }
  return json;
}

template <typename Tensor>
Json TensorsToJson(std::span<const Field> fields, const Tensor* blocks, uint8_t used, const Tensor& plain) {
  Json array = Json::array();
  for (int i = 0; i < used; ++i) {
    array.push_back(BlockToJson(fields, &blocks[i], &plain, blocks[i].dims, blocks[i].strides_kind));
  }
  return array;
}

template <typename Block>
Json BlocksToJson(std::span<const Field> fields, const Block* blocks, uint8_t used) {
  const Block plain{};
  Json array = Json::array();
  for (int i = 0; i < used; ++i) array.push_back(BlockToJson(fields, &blocks[i], &plain, 0, StridesKind::kNull));
  return array;
}

/// A single default block is left out.
void AddBlocks(Json& root, const char* name, Json blocks) {
  if (blocks.size() > 1 || !blocks.front().empty()) root[name] = std::move(blocks);
}

// ---- Reading.

class Reader {
 public:
  explicit Reader(Recipe& recipe) : recipe_(recipe) {}

  void ReadRoot(const Json& root) {
    if (!root.is_object()) throw Failure("a recipe must be a JSON object");
    if (!root.contains("kind")) throw Failure("the recipe has no field 'kind'");
    const std::span<const std::string_view> kinds = RecipeKindWords();
    const auto kind =
        root["kind"].is_string() ? std::find(kinds.begin(), kinds.end(), root["kind"].get<std::string>()) : kinds.end();
    if (kind == kinds.end()) throw Failure("field 'kind' must be one of " + Joined(kinds, ", "));
    recipe_ = MakeRecipe(static_cast<RecipeKind>(kind - kinds.begin()));
    const Json format = root.value("format", Json(kRecipeFormat));
    if (format != kRecipeFormat) {
      throw Failure("field 'format' is " + format.dump() + ", but this program reads format " +
                    std::to_string(kRecipeFormat));
    }
    for (const auto& [name, value] : root.items()) {
      if (name == "kind" || name == "format") continue;
      if (!ReadMember(name, value)) throw Failure("a recipe has no field " + Quoted(name));
    }
  }

 private:
  bool ReadMember(const std::string& name, const Json& value) {
    if (name == "rounds") {
      if (!value.is_number_unsigned() || value.get<uint64_t>() > kRounds)
        throw Failure("field 'rounds' cannot hold " + value.dump());
      else
        recipe_.rounds = value.get<uint16_t>();
      return true;
    }
    if (name == "table") {
      ReadBlock("table", TableFields(), value, &recipe_.table);
      return true;
    }
    for (const BlockType& type : BlockTypes()) {
      if (type.name != name) continue;
      ReadBlocks(type, value);
      return true;
    }
    return false;
  }

  void ReadBlocks(const BlockType& type, const Json& value) {
    const bool life = &type == &BlockTypes()[kLife];
    if (!value.is_array() || value.size() > static_cast<size_t>(type.most) || (value.empty() && !life)) {
      throw Failure("field " + Quoted(type.name) + " must be an array of at most " + std::to_string(type.most) +
                    (life ? " steps" : " blocks"));
    }
    const Recipe plain = MakeRecipe(recipe_.kind);
    const Step nothing;
    for (size_t i = 0; i < value.size(); ++i) {
      const void* from = life ? static_cast<const void*>(&nothing) : BlockAt(plain, type, 0);
      std::memcpy(BlockAt(recipe_, type, i), from, type.size);
      ReadBlock(Element(type.name, i), type.fields, value[i], BlockAt(recipe_, type, i));
    }
    UsedOf(recipe_, type) = static_cast<uint8_t>(value.size());
  }

  void ReadBlock(const std::string& name, std::span<const Field> fields, const Json& value, void* block) {
    if (!value.is_object()) throw Failure("field " + Quoted(name) + " must be an object");
    for (const auto& [member, inner] : value.items()) ReadNamed(name, fields, member, inner, block);
  }

  /// An object is a group of fields. Everything else is the value of a field.
  void ReadNamed(const std::string& block_name, std::span<const Field> fields, const std::string& name,
                 const Json& value, void* block) {
    const std::string full = block_name + "." + name;
    if (const Field* field = FindField(fields, name)) return ReadValues(*field, full, value, block);
    const bool group = std::any_of(fields.begin(), fields.end(),
                                   [&](const Field& field) { return field.name.starts_with(name + "."); });
    if (!group) throw Failure("a recipe has no field " + Quoted(full));
    if (!value.is_object()) throw Failure("field " + Quoted(full) + " must be an object");
    for (const auto& [member, inner] : value.items()) ReadNamed(block_name, fields, name + "." + member, inner, block);
  }

  void ReadValues(const Field& field, const std::string& name, const Json& value, void* block) {
    if (field.count == 1) return ReadEntry(field, name, value, block, 0);
    if (!value.is_array() || value.size() > static_cast<size_t>(field.count)) {
      throw Failure("field " + Quoted(name) + " must be an array of at most " + std::to_string(field.count) +
                    " integers");
    }
    for (int i = 0; i < static_cast<int>(value.size()); ++i) {
      ReadEntry(field, name, value[static_cast<size_t>(i)], block, i);
    }
  }

  /// The index of the word.
  size_t ReadWord(std::span<const std::string_view> words, const std::string& name, const Json& value) {
    const auto word = value.is_string() ? std::find(words.begin(), words.end(), value.get<std::string>()) : words.end();
    if (word != words.end()) return static_cast<size_t>(word - words.begin());
    throw Failure("field " + Quoted(name) + " is " + value.dump() + " instead of one of " + Joined(words, ", "));
  }

  void ReadEntry(const Field& field, const std::string& name, const Json& value, void* block, int index) {
    if (!field.words.empty()) return WriteField(field, block, index, ReadWord(field.words, name, value));
    if (!value.is_number_integer()) throw Failure("field " + Quoted(name) + " must be an integer, not " + value.dump());
    const bool huge = value.is_number_unsigned() && value.get<uint64_t>() > uint64_t{INT64_MAX};
    const uint64_t bits = huge ? value.get<uint64_t>() : static_cast<uint64_t>(value.get<int64_t>());
    const bool negative = !huge && value.get<int64_t>() < 0;
    WriteField(field, block, index, bits);
    const bool fits = ReadField(field, block, index) == bits && (field.is_signed ? !huge : !negative);
    if (!fits) throw Failure("field " + Quoted(name) + " cannot hold " + value.dump());
  }

  Recipe& recipe_;
};

// ---- Bytes: the head of the header, the rest of the forged table, and the used part of each used block.

constexpr size_t kHead = offsetof(Recipe, table) + offsetof(ForgedTable, version);

/// The size of a tensor block without its arrays.
template <typename Tensor>
constexpr size_t kFixed = offsetof(Tensor, shape);

/// Calls `pass` with each piece of a recipe's bytes, always in the same order. Pieces that depend on a count or a
/// number of dimensions follow it, so that a reader has already read it.
template <typename RecipeType, typename Pass>
void WalkBytes(RecipeType& recipe, Pass pass) {
  const auto tensors = [&](auto* blocks, int used) {
    for (int i = 0; i < used; ++i) {
      auto& block = blocks[i];
      using Tensor = std::remove_cvref_t<decltype(block)>;
      pass(&block, kFixed<Tensor>);
      const size_t dims = block.dims % (kDims + 1) * sizeof(int64_t);
      pass(block.shape, dims);
      const bool strides = static_cast<uint8_t>(block.strides_kind) % 3 == static_cast<uint8_t>(StridesKind::kExplicit);
      if (strides) pass(block.strides, dims);
    }
  };
  if (recipe.table.attribute != TableAttribute::kNone) {
    pass(&recipe.table.version, sizeof(recipe.table.version));
    pass(recipe.table.chain, recipe.table.chain_length * sizeof(abi::DLPackVersion));
  }
  tensors(recipe.offers, recipe.used.offers);
  tensors(recipe.requests, recipe.used.requests);
  pass(recipe.calls, recipe.used.calls * sizeof(Call));
  pass(recipe.steps, recipe.used.steps * sizeof(Step));
}

}  // namespace

Recipe DecodeAny(std::span<const uint8_t> bytes) {
  Recipe recipe;
  size_t at = 0;
  const auto take = [&](void* into, size_t size) {
    const size_t there = std::min(size, bytes.size() - std::min(at, bytes.size()));
    if (there > 0) std::memcpy(into, bytes.data() + at, there);
    std::memset(static_cast<uint8_t*>(into) + there, 0, size - there);
    at += size;
  };
  std::memset(static_cast<void*>(&recipe), 0, sizeof(Recipe));
  take(&recipe, kHead);
  NormalizeHeader(recipe);
  WalkBytes(recipe, take);
  Normalize(recipe);
  return recipe;
}

std::vector<uint8_t> Encode(const Recipe& recipe) {
  std::vector<uint8_t> bytes;
  const auto put = [&bytes](const void* from, size_t size) {
    const auto* first = static_cast<const uint8_t*>(from);
    bytes.insert(bytes.end(), first, first + size);
  };
  put(&recipe, kHead);
  WalkBytes(recipe, put);
  return bytes;
}

std::string ToJson(const Recipe& recipe) {
  const Recipe plain = MakeRecipe(recipe.kind);
  Json root = Json::object();
  root["format"] = recipe.format;
  const auto kind = static_cast<size_t>(recipe.kind);
  root["kind"] = kind < RecipeKindWords().size() ? Json(RecipeKindWords()[kind]) : Json(kind);
  if (recipe.rounds != 1) root["rounds"] = recipe.rounds;
  Json table = BlockToJson(TableFields(), &recipe.table, &plain.table, 0, StridesKind::kNull);
  if (!table.empty()) root["table"] = std::move(table);
  AddBlocks(root, "offers", TensorsToJson(OfferFields(), recipe.offers, recipe.used.offers, plain.offer()));
  AddBlocks(root, "requests", TensorsToJson(RequestFields(), recipe.requests, recipe.used.requests, plain.request()));
  AddBlocks(root, "calls", BlocksToJson(CallFields(), recipe.calls, recipe.used.calls));
  root["life"] = BlocksToJson(StepFields(), recipe.steps, recipe.used.steps);
  return root.dump();
}

Recipe RecipeFromJson(std::string_view text) {
  Json root;
  try {
    root = Json::parse(text);
  } catch (const Json::parse_error& bad) {
    throw Failure("the recipe is not JSON: syntax error at byte " + std::to_string(bad.byte));
  }
  Recipe recipe = MakeRecipe(RecipeKind::kImport);
  Reader(recipe).ReadRoot(root);
  Normalize(recipe);
  return recipe;
}

}  // namespace dlpack_cts
