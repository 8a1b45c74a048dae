// results/fields.cc: reads the values of fields strictly.
#include "results/fields.h"

#include <climits>

#include "base/text.h"

namespace dlpack_cts {
namespace {

std::string Kind(const nlohmann::json& value) {
  if (value.is_null()) return "null";
  return (value.is_structured() ? "an " : "a ") + std::string(value.type_name());
}

[[noreturn]] void Expected(const std::string& what, const nlohmann::json& got) {
  throw Failure("expected " + what + ", got " + Kind(got));
}

}  // namespace

FieldReader::FieldReader(const nlohmann::json& object) : object_(object) {
  if (!object.is_object()) Expected("a JSON object", object);
}

const nlohmann::json* FieldReader::Find(std::string_view name) {
  known_.insert(name);
  const auto found = object_.find(name);
  return found == object_.end() ? nullptr : &*found;
}

void FieldReader::Expect(std::string_view name, std::string_view word) {
  const nlohmann::json* const value = Find(name);
  const bool fits = value != nullptr && *value == word;
  const std::string got = value == nullptr ? "is missing" : value->dump() + " is not \"" + std::string(word) + "\"";
  if (!fits) throw Failure("field \"" + std::string(name) + "\": " + got);
}

void FieldReader::Finish() const {
  for (const auto& [name, value] : object_.items()) {
    if (!known_.contains(name)) throw Failure("field \"" + name + "\": is not a known field");
  }
}

void ReadValue(const nlohmann::json& json, std::string* text) {
  if (!json.is_string()) Expected("a string", json);
  *text = json.get<std::string>();
}

void ReadValue(const nlohmann::json& json, bool* flag) {
  if (!json.is_boolean()) Expected("true or false", json);
  *flag = json.get<bool>();
}

void ReadValue(const nlohmann::json& json, double* number) {
  if (!json.is_number()) Expected("a number", json);
  *number = json.get<double>();
  if (*number < 0) throw Failure("expected a number that is not negative, got " + json.dump());
}

void ReadValue(const nlohmann::json& json, uint64_t* number) {
  // A value that a program set may be signed in memory, a parsed one is unsigned. Both are valid.
  const bool valid = json.is_number_unsigned() || (json.is_number_integer() && json.get<int64_t>() >= 0);
  if (!valid) throw Failure("expected a whole number that is not negative, got " + json.dump());
  *number = json.get<uint64_t>();
}

void ReadValue(const nlohmann::json& json, int64_t* number) {
  uint64_t value = 0;
  ReadValue(json, &value);
  if (value > static_cast<uint64_t>(INT64_MAX)) throw Failure("the number is too large");
  *number = static_cast<int64_t>(value);
}

void ReadValue(const nlohmann::json& json, int* number) {
  uint64_t value = 0;
  ReadValue(json, &value);
  if (value > static_cast<uint64_t>(INT_MAX)) throw Failure("the number is too large");
  *number = static_cast<int>(value);
}

void ReadValue(const nlohmann::json& json, std::vector<std::string>* texts) {
  if (!json.is_array()) Expected("an array of strings", json);
  for (const nlohmann::json& item : json) {
    if (!item.is_string()) throw Failure("expected an array of strings, but it holds " + Kind(item));
  }
  *texts = json.get<std::vector<std::string>>();
}

void ReadValue(const nlohmann::json& json, std::vector<unsigned>* numbers) {
  const bool fits = json.is_array() && std::all_of(json.begin(), json.end(), [](const nlohmann::json& item) {
                      return item.is_number_unsigned() && item.get<uint64_t>() <= UINT32_MAX;
                    });
  if (!fits) throw Failure("expected an array of whole numbers that are not negative");
  *numbers = json.get<std::vector<unsigned>>();
}

void RequireObjects(const nlohmann::json& json) {
  if (!json.is_array()) Expected("an array of objects", json);
  for (const nlohmann::json& item : json) {
    if (!item.is_object()) throw Failure("expected an array of objects, but it holds " + Kind(item));
  }
}

void NotAmong(std::string_view word, std::span<const std::string_view> words) {
  throw Failure("\"" + std::string(word) + "\" is not one of " + Joined(words, ", "));
}

void TextOrNull::Read(const nlohmann::json& json, std::string* text) {
  if (json.is_null()) return text->clear();
  if (!json.is_string()) Expected("a string or null", json);
  *text = json.get<std::string>();
}

void AnyObject::Read(const nlohmann::json& json, nlohmann::json* object) {
  if (!json.is_object()) Expected("an object", json);
  *object = json;
}

void ObjectOrNull::Read(const nlohmann::json& json, nlohmann::json* object) {
  if (!json.is_object() && !json.is_null()) Expected("an object or null", json);
  *object = json;
}

}  // namespace dlpack_cts
