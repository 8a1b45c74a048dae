// results/parse.h: parses every JSON text that comes from outside.
#ifndef DLPACK_CTS_RESULTS_PARSE_H_
#define DLPACK_CTS_RESULTS_PARSE_H_

#include <nlohmann/json.hpp>
#include <string_view>

namespace dlpack_cts {

/// The deepest nesting that is read. Our own files have less than ten levels; to print or copy a value takes stack for
/// each level.
inline constexpr int kDeepest = 100;

/// The text must be one JSON value. Else throws a Failure with a phrase ("is not valid JSON", "is nested more than 100
/// levels deep"). Uses no stack for a text that it refuses.
nlohmann::json ParseJson(std::string_view text);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_RESULTS_PARSE_H_
