// worker/listing.h: lists of cases, mutants and tables, which need no library (docs/processes.md).
#ifndef DLPACK_CTS_WORKER_LISTING_H_
#define DLPACK_CTS_WORKER_LISTING_H_

#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

namespace dlpack_cts::worker {

/// An array with one object for each row of the list "cases", "mutants", "freedoms", "choices", "homes",
/// "coordinates", "values" or "limits". Empty if there is no list of that name.
std::optional<nlohmann::json> ListOf(std::string_view name);

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_LISTING_H_
