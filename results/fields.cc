// results/fields.cc: reads the fields of one JSON object strictly.
#include "results/fields.h"

#include <algorithm>

namespace dlpack_cts {
namespace {

std::string Kind(const nlohmann::json& value) {
  if (value.is_null()) return "null";
  return (value.is_structured() ? "an " : "a ") + std::string(value.type_name());
}

}  // namespace

Fields::Fields(const nlohmann::json& json) : json_(json) {
  if (!json.is_object()) error_ = "expected a JSON object, got " + Kind(json);
}

void Fields::Wrong(const char* name, const std::string& what) {
  if (error_.empty()) error_ = "field \"" + std::string(name) + "\": " + what;
}

const nlohmann::json* Fields::Find(const char* name) {
  if (!error_.empty()) return nullptr;
  seen_.insert(name);
  const auto found = json_.find(name);
  if (found == json_.end()) {
    Wrong(name, "is missing");
    return nullptr;
  }
  return &*found;
}

void Fields::Read(const char* name, std::string* text) {
  const nlohmann::json* value = Find(name);
  if (value == nullptr) return;
  if (!value->is_string()) return Wrong(name, "expected a string, got " + Kind(*value));
  *text = value->get<std::string>();
}

void Fields::Read(const char* name, bool* flag) {
  const nlohmann::json* value = Find(name);
  if (value == nullptr) return;
  if (!value->is_boolean()) return Wrong(name, "expected true or false, got " + Kind(*value));
  *flag = value->get<bool>();
}

void Fields::Read(const char* name, double* number) {
  const nlohmann::json* value = Find(name);
  if (value == nullptr) return;
  if (!value->is_number()) return Wrong(name, "expected a number, got " + Kind(*value));
  *number = value->get<double>();
}

void Fields::Read(const char* name, uint64_t* number) {
  const nlohmann::json* value = Find(name);
  if (value == nullptr) return;
  // A value that a program set may be signed in memory, a parsed one is unsigned. Both are valid.
  const bool valid = value->is_number_unsigned() || (value->is_number_integer() && value->get<int64_t>() >= 0);
  if (!valid) return Wrong(name, "expected a whole number that is not negative, got " + value->dump());
  *number = value->get<uint64_t>();
}

void Fields::Read(const char* name, int64_t* number) {
  uint64_t value = 0;
  Read(name, &value);
  if (value > static_cast<uint64_t>(INT64_MAX)) return Wrong(name, "the number is too large");
  if (error_.empty()) *number = static_cast<int64_t>(value);
}

void Fields::Read(const char* name, std::vector<std::string>* texts) {
  const nlohmann::json* value = Find(name);
  if (value == nullptr) return;
  if (!value->is_array()) return Wrong(name, "expected an array of strings, got " + Kind(*value));
  for (const nlohmann::json& item : *value) {
    if (!item.is_string()) return Wrong(name, "expected an array of strings, but it holds " + Kind(item));
  }
  *texts = value->get<std::vector<std::string>>();
}

void Fields::ReadOptionalArray(const char* name, nlohmann::json* array) {
  if (json_.contains(name)) ReadArray(name, array);
}

void Fields::ReadArray(const char* name, nlohmann::json* array) {
  const nlohmann::json* value = Find(name);
  if (value == nullptr) return;
  if (!value->is_array()) return Wrong(name, "expected an array of objects, got " + Kind(*value));
  for (const nlohmann::json& item : *value) {
    if (!item.is_object()) return Wrong(name, "expected an array of objects, but it holds " + Kind(item));
  }
  *array = *value;
}

void Fields::ReadOptionalNumbers(const char* name, nlohmann::json* numbers) {
  if (!json_.contains(name)) return;
  const nlohmann::json* value = Find(name);
  if (value == nullptr) return;
  const bool fits = value->is_array() && std::all_of(value->begin(), value->end(), [](const nlohmann::json& item) {
                      return item.is_number_unsigned();
                    });
  if (!fits) return Wrong(name, "expected an array of whole numbers that are not negative");
  *numbers = *value;
}

void Fields::ReadObject(const char* name, nlohmann::json* object) {
  const nlohmann::json* value = Find(name);
  if (value == nullptr) return;
  if (!value->is_object()) return Wrong(name, "expected an object, got " + Kind(*value));
  *object = *value;
}

void Fields::ReadObjectOrNull(const char* name, nlohmann::json* object) {
  const nlohmann::json* value = Find(name);
  if (value == nullptr) return;
  if (!value->is_object() && !value->is_null()) {
    return Wrong(name, "expected an object or null, got " + Kind(*value));
  }
  *object = *value;
}

void Fields::ReadTextOrNull(const char* name, std::string* text) {
  const nlohmann::json* value = Find(name);
  if (value == nullptr) return;
  if (value->is_null()) return text->clear();
  if (!value->is_string()) return Wrong(name, "expected a string or null, got " + Kind(*value));
  *text = value->get<std::string>();
}

void Fields::ReadOptional(const char* name, std::string* text) {
  if (error_.empty() && json_.contains(name)) Read(name, text);
}

void Fields::ReadOptional(const char* name, std::vector<std::string>* texts) {
  if (error_.empty() && json_.contains(name)) Read(name, texts);
}

void Fields::ReadOptional(const char* name, Words* words) {
  if (!error_.empty() || !json_.contains(name)) return;
  std::string wrong;
  if (!FromJson(*Find(name), words, &wrong)) Wrong(name, wrong);
}

void Fields::ReadOptional(const char* name, ProfileLines* lines) {
  if (!error_.empty() || !json_.contains(name)) return;
  std::string wrong;
  if (!FromJson(*Find(name), lines, &wrong)) Wrong(name, wrong);
}

void Fields::NotAmong(const char* name, const std::string& read, const std::vector<std::string_view>& words) {
  std::string all;
  for (const std::string_view word : words) all += (all.empty() ? "" : ", ") + std::string(word);
  Wrong(name, "\"" + read + "\" is not one of " + all);
}

void Fields::Expect(const char* name, std::string_view word) {
  std::string read;
  Read(name, &read);
  if (error_.empty() && read != word) Wrong(name, "\"" + read + "\" is not \"" + std::string(word) + "\"");
}

bool Fields::Finish(std::string* error) {
  if (error_.empty()) {
    for (const auto& [name, value] : json_.items()) {
      if (!seen_.contains(name)) {
        Wrong(name.c_str(), "is not a known field");
        break;
      }
    }
  }
  if (error_.empty()) return true;
  if (error != nullptr) *error = error_;
  return false;
}

}  // namespace dlpack_cts
