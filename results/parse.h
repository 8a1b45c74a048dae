// results/parse.h: parses every JSON text that comes from outside.
#ifndef DLPACK_CTS_RESULTS_PARSE_H_
#define DLPACK_CTS_RESULTS_PARSE_H_

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace dlpack_cts {

/// The deepest nesting that is read. Our own files have less than ten levels; to print or copy a value takes stack for
/// each level.
inline constexpr int kDeepest = 100;

/// False with a phrase in `error` ("is not valid JSON", "is nested more than 100 levels deep") unless the text is one
/// JSON value. `json` is unchanged then. Never throws, and uses no stack for a text that it refuses.
bool ParseJson(std::string_view text, nlohmann::json* json, std::string* error);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_RESULTS_PARSE_H_
