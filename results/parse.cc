// results/parse.cc: checks how deep a text is nested before it is parsed.
#include "results/parse.h"

namespace dlpack_cts {
namespace {

bool IsTooDeep(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      quoted = c != '"';
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kDeepest) return true;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return false;
}

}  // namespace

bool ParseJson(std::string_view text, nlohmann::json* json, std::string* error) {
  if (IsTooDeep(text)) {
    *error = "is nested more than " + std::to_string(kDeepest) + " levels deep";
    return false;
  }
  nlohmann::json parsed = nlohmann::json::parse(text, nullptr, false);
  if (parsed.is_discarded()) {
    *error = "is not valid JSON";
    return false;
  }
  *json = std::move(parsed);
  return true;
}

}  // namespace dlpack_cts
