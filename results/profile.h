// results/profile.h: what the probes found out about a library before its first case, as text.
#ifndef DLPACK_CTS_RESULTS_PROFILE_H_
#define DLPACK_CTS_RESULTS_PROFILE_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "results/fields.h"

namespace dlpack_cts {

/// One line of the profile, which the worker writes.
struct ProfileLine {
  static constexpr std::string_view kDefinition = "profile";
  static std::span<const LineField<ProfileLine>> Fields();

  std::string part;   // the heading in reports: "takes", "makes", "ways"
  std::string id;     // "dtypes", "clears-destructors"
  std::string words;  // "all types except bfloat16"
};

/// Lines of one part are next to each other.
using ProfileLines = std::vector<ProfileLine>;

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_RESULTS_PROFILE_H_
