// reports/example.h: a recipe as people read it: value by value, and in one line.
#ifndef DLPACK_CTS_REPORTS_EXAMPLE_H_
#define DLPACK_CTS_REPORTS_EXAMPLE_H_

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace dlpack_cts {

/// Every value of a JSON tree by its place: {"offers[0].shape", "[2,3]"}. Takes any JSON; nothing for null.
std::vector<std::pair<std::string, std::string>> FlatRows(const nlohmann::json& value);

/// "import, offers[0].major = 0; import, describe, drop-array": what the recipe sets, then its steps; "" for none.
std::string ExampleText(const nlohmann::json& recipe);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REPORTS_EXAMPLE_H_
