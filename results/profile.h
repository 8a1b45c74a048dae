// results/profile.h: what the probes found out about a library before its first case, as text.
#ifndef DLPACK_CTS_RESULTS_PROFILE_H_
#define DLPACK_CTS_RESULTS_PROFILE_H_

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace dlpack_cts {

/// Made by the worker, which knows what a library can do.
struct ProfileLine {
  std::string part;   // under which heading it is read: "takes", "makes", "ways"
  std::string id;     // "dtypes", "clears-destructors"; stable
  std::string words;  // "all types except bfloat16"
};

/// Lines of one part stand together.
using ProfileLines = std::vector<ProfileLine>;

nlohmann::json ToJson(const ProfileLines& lines);

/// Strict: an array of objects with exactly these three strings.
bool FromJson(const nlohmann::json& json, ProfileLines* lines, std::string* error);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_RESULTS_PROFILE_H_
