// harness/recipe/codec.cc: recipes as bytes and as JSON; both forms stand on the table of fields.
#include "harness/recipe/codec.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/recipe/fields.h"
#include "harness/recipe/normalize.h"

namespace dlpack_cts {
namespace {

using Json = nlohmann::ordered_json;

std::string Quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

std::string Listed(std::span<const std::string_view> words) {
  std::string text;
  for (std::string_view word : words) text += (text.empty() ? "" : ", ") + std::string(word);
  return text;
}

// ---- Writing.

Json EntryToJson(const Field& field, const void* block, int index) {
  const uint64_t value = ReadField(field, block, index);
  if (value < field.words.size()) return field.words[value];
  if (field.is_signed) return static_cast<int64_t>(value);
  return value;
}

/// Entries of an array that say something: the block's dimensions, and what is not 0 behind them.
int SayingEntries(const Field& field, const Recipe& recipe) {
  const bool offer = field.name.starts_with("offer.");
  const bool strides = field.name.ends_with("strides");
  const StridesKind kind = offer ? recipe.offer.strides_kind : recipe.request.strides_kind;
  int entries = strides && kind != StridesKind::kExplicit ? 0 : offer ? recipe.offer.dims : recipe.request.dims;
  entries = std::min(entries, field.count);
  for (int i = field.count; i > entries; --i) {
    if (ReadField(field, &recipe, i - 1) != 0) return i;
  }
  return entries;
}

/// The object that holds the last part of a dotted name; creates what is missing.
Json& Holder(Json& root, std::string_view name, std::string* last) {
  Json* holder = &root;
  for (size_t dot = name.find('.'); dot != std::string_view::npos; dot = name.find('.')) {
    holder = &(*holder)[std::string(name.substr(0, dot))];
    name.remove_prefix(dot + 1);
  }
  *last = name;
  return *holder;
}

Json StepToJson(const Step& step) {
  Json json = Json::object();
  for (const Field& field : StepFields()) {
    if (json.empty() || ReadField(field, &step) != 0) json[std::string(field.name)] = EntryToJson(field, &step, 0);
  }
  return json;
}

// ---- Reading.

/// Collects the first error; everything after it is ignored.
class Reader {
 public:
  explicit Reader(Recipe& recipe) : recipe_(recipe) {}

  const std::string& error() const { return error_; }

  void ReadRoot(const Json& root) {
    if (!root.is_object()) return Fail("a recipe is a JSON object");
    if (!root.contains("kind")) return Fail("the recipe has no field 'kind'");
    const std::span<const std::string_view> kinds = RecipeKindWords();
    const auto kind =
        root["kind"].is_string() ? std::find(kinds.begin(), kinds.end(), root["kind"].get<std::string>()) : kinds.end();
    if (kind == kinds.end()) return Fail("field 'kind' is one of " + Listed(kinds));
    recipe_ = MakeRecipe(static_cast<RecipeKind>(kind - kinds.begin()));
    for (const auto& [name, value] : root.items()) {
      if (name == "kind") continue;
      if (name == "format") {
        if (value != kRecipeFormat) Fail("field 'format' is " + value.dump() + ", but this program reads format 1");
      } else if (name == "life") {
        ReadLife(value);
      } else {
        ReadMember(name, value);
      }
    }
  }

 private:
  void Fail(std::string sentence) {
    if (error_.empty()) error_ = std::move(sentence);
  }

  /// An object is a block of fields; everything else is a field's value.
  void ReadMember(const std::string& name, const Json& value) {
    if (const Field* field = FindField(name)) return ReadValues(*field, name, value, &recipe_);
    const bool block = std::any_of(Fields().begin(), Fields().end(),
                                   [&](const Field& field) { return field.name.starts_with(name + "."); });
    if (!block) return Fail("a recipe has no field " + Quoted(name));
    if (!value.is_object()) return Fail("field " + Quoted(name) + " is an object");
    for (const auto& [member, inner] : value.items()) ReadMember(name + "." + member, inner);
  }

  void ReadValues(const Field& field, const std::string& name, const Json& value, void* block) {
    if (field.count == 1) return ReadEntry(field, name, value, block, 0);
    if (!value.is_array() || value.size() > static_cast<size_t>(field.count)) {
      return Fail("field " + Quoted(name) + " is an array of at most " + std::to_string(field.count) + " integers");
    }
    for (int i = 0; i < static_cast<int>(value.size()); ++i) {
      ReadEntry(field, name, value[static_cast<size_t>(i)], block, i);
    }
  }

  void ReadEntry(const Field& field, const std::string& name, const Json& value, void* block, int index) {
    if (!field.words.empty()) {
      const auto word = value.is_string() ? std::find(field.words.begin(), field.words.end(), value.get<std::string>())
                                          : field.words.end();
      if (word == field.words.end()) {
        return Fail("field " + Quoted(name) + " does not know " + value.dump() + ", only " + Listed(field.words));
      }
      return WriteField(field, block, index, static_cast<uint64_t>(word - field.words.begin()));
    }
    if (!value.is_number_integer()) return Fail("field " + Quoted(name) + " is an integer, not " + value.dump());
    const bool huge = value.is_number_unsigned() && value.get<uint64_t>() > uint64_t{INT64_MAX};
    const uint64_t bits = huge ? value.get<uint64_t>() : static_cast<uint64_t>(value.get<int64_t>());
    const bool negative = !huge && value.get<int64_t>() < 0;
    WriteField(field, block, index, bits);
    const bool fits = ReadField(field, block, index) == bits && (field.is_signed ? !huge : !negative);
    if (!fits) Fail("field " + Quoted(name) + " cannot hold " + value.dump());
  }

  void ReadLife(const Json& life) {
    if (!life.is_array() || life.size() > kSteps) {
      return Fail("field 'life' is an array of at most " + std::to_string(kSteps) + " steps");
    }
    for (size_t i = 0; i < life.size(); ++i) {
      const std::string name = "life[" + std::to_string(i) + "]";
      if (!life[i].is_object()) return Fail("field " + Quoted(name) + " is an object");
      for (const auto& [member, value] : life[i].items()) ReadStepMember(name + "." + member, member, value, i);
    }
  }

  void ReadStepMember(const std::string& name, const std::string& member, const Json& value, size_t index) {
    for (const Field& field : StepFields()) {
      if (field.name == member) return ReadEntry(field, name, value, &recipe_.life[index], 0);
    }
    Fail("a recipe has no field " + Quoted(name));
  }

  Recipe& recipe_;
  std::string error_;
};

/// The bytes as they are, cut or filled with zeros.
Recipe Raw(std::span<const uint8_t> bytes) {
  Recipe recipe{};
  std::copy_n(bytes.begin(), std::min(bytes.size(), sizeof(recipe)), reinterpret_cast<uint8_t*>(&recipe));
  return recipe;
}

}  // namespace

Recipe DecodeAny(std::span<const uint8_t> bytes) {
  Recipe recipe = Raw(bytes);
  Normalize(recipe);
  return recipe;
}

bool Decode(std::span<const uint8_t> bytes, Recipe* recipe, std::string* error) {
  Recipe read = Raw(bytes);
  if (bytes.size() < sizeof(read.magic) || read.magic != kRecipeMagic) {
    *error = "this is no recipe: the file does not begin with DLPR";
    return false;
  }
  if (bytes.size() >= 6 && read.format != kRecipeFormat) {
    *error = "the recipe has format " + std::to_string(read.format) + ", but this program reads format " +
             std::to_string(kRecipeFormat);
    return false;
  }
  if (bytes.size() != sizeof(read)) {
    *error = "the recipe has " + std::to_string(bytes.size()) + " bytes instead of " + std::to_string(sizeof(read));
    return false;
  }
  Normalize(read);
  *recipe = read;
  return true;
}

std::span<const uint8_t> Encode(const Recipe& recipe) {
  return {reinterpret_cast<const uint8_t*>(&recipe), sizeof(recipe)};
}

std::string ToJson(const Recipe& recipe) {
  const Recipe plain = MakeRecipe(recipe.kind);
  Json root = Json::object();
  root["format"] = recipe.format;
  const auto kind = static_cast<size_t>(recipe.kind);
  root["kind"] = kind < RecipeKindWords().size() ? Json(RecipeKindWords()[kind]) : Json(kind);
  for (const Field& field : Fields()) {
    std::string last;
    if (field.count > 1) {
      const int entries = SayingEntries(field, recipe);
      if (entries == 0) continue;
      Json array = Json::array();
      for (int i = 0; i < entries; ++i) array.push_back(EntryToJson(field, &recipe, i));
      Holder(root, field.name, &last)[last] = std::move(array);
    } else if (ReadField(field, &recipe) != ReadField(field, &plain)) {
      Holder(root, field.name, &last)[last] = EntryToJson(field, &recipe, 0);
    }
  }
  Json life = Json::array();
  for (const Step& step : recipe.life) {
    if (step.op == Op::kEnd) break;
    life.push_back(StepToJson(step));
  }
  root["life"] = std::move(life);
  return root.dump();
}

bool FromJson(std::string_view text, Recipe* recipe, std::string* error) {
  Json root;
  try {
    root = Json::parse(text);
  } catch (const Json::parse_error& bad) {
    *error = "the recipe is no JSON: syntax error at byte " + std::to_string(bad.byte);
    return false;
  }
  Recipe read = MakeRecipe(RecipeKind::kImport);
  Reader reader(read);
  reader.ReadRoot(root);
  if (!reader.error().empty()) {
    *error = reader.error();
    return false;
  }
  Normalize(read);
  *recipe = read;
  return true;
}

}  // namespace dlpack_cts
