// results/parse.cc: checks how deep a text is nested before it is parsed.
#include "results/parse.h"

#include <string>

#include "base/failure.h"

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

nlohmann::json ParseJson(std::string_view text) {
  if (IsTooDeep(text)) throw Failure("is nested more than " + std::to_string(kDeepest) + " levels deep");
  nlohmann::json parsed = nlohmann::json::parse(text, nullptr, false);
  if (parsed.is_discarded()) throw Failure("is not valid JSON");
  return parsed;
}

}  // namespace dlpack_cts
