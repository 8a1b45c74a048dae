// reports/example.cc: a recipe as people read it.
#include "reports/example.h"

#include <fmt/format.h>

#include <algorithm>

namespace dlpack_cts {
namespace {

std::string Dump(const nlohmann::json& value) {
  return value.is_string() ? value.get<std::string>()
                           : value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

bool IsFlat(const nlohmann::json& value) {
  if (!value.is_array()) return !value.is_object() || value.empty();
  return std::none_of(value.begin(), value.end(), [](const nlohmann::json& item) { return item.is_structured(); });
}

void AddRows(const std::string& name, const nlohmann::json& value,
             std::vector<std::pair<std::string, std::string>>& rows) {
  if (IsFlat(value)) {
    rows.emplace_back(name, Dump(value));
    return;
  }
  size_t index = 0;
  for (const auto& [key, item] : value.items()) {
    const std::string part =
        value.is_array() ? fmt::format("[{}]", index++) : fmt::format("{}{}", name.empty() ? "" : ".", key);
    AddRows(name + part, item, rows);
  }
}

}  // namespace

std::vector<std::pair<std::string, std::string>> FlatRows(const nlohmann::json& value) {
  std::vector<std::pair<std::string, std::string>> rows;
  if (!value.is_null() && !value.empty()) AddRows("", value, rows);
  return rows;
}

std::string ExampleText(const nlohmann::json& recipe) {
  if (!recipe.is_object() || recipe.empty()) return "";
  nlohmann::json set = recipe;
  for (const char* told : {"format", "kind", "life"}) set.erase(told);
  const auto kind = recipe.find("kind");
  std::string text = kind == recipe.end() ? "" : Dump(*kind);
  for (const auto& [name, value] : FlatRows(set))
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, value);
  const auto life = recipe.find("life");
  if (life == recipe.end() || !life->is_array()) return text;
  std::string_view before = "; ";
  for (const nlohmann::json& step : *life) {
    const auto op = step.is_object() ? step.find("op") : step.end();
    if (op == step.end()) continue;
    text += std::string(before) + Dump(*op);
    before = ", ";
  }
  return text;
}

}  // namespace dlpack_cts
