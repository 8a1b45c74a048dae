// results/parse.h: the one way in which text from elsewhere becomes JSON.
#ifndef DLPACK_CTS_RESULTS_PARSE_H_
#define DLPACK_CTS_RESULTS_PARSE_H_

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace dlpack_cts {

/// Levels of nesting that are read. What we write ourselves has less than ten; printing and copying a value takes stack
/// for each.
inline constexpr int kDeepest = 100;

/// False with a phrase in `error` ("is no JSON", "is nested more than 100 levels deep") for anything else than one JSON
/// value. Never throws; takes no stack for what it refuses. `json` is untouched then.
bool ParseJson(std::string_view text, nlohmann::json* json, std::string* error);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_RESULTS_PARSE_H_
