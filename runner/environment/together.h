// runner/environment/together.h: which libraries share one Python environment, so that each pair of them has one.
#ifndef DLPACK_CTS_RUNNER_ENVIRONMENT_TOGETHER_H_
#define DLPACK_CTS_RUNNER_ENVIRONMENT_TOGETHER_H_

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "runner/environment/library.h"

namespace dlpack_cts::runner {

/// Where one pair runs.
struct PairPlace {
  size_t environment = 0;  // index in PairEnvironments::environments
  std::string reason;      // why the two cannot be installed together; empty if they can
};

struct PairEnvironments {
  std::vector<Library> environments;  // each is one library with the requirements of all its members
  std::map<std::pair<std::string, std::string>, PairPlace> places;  // by the names of two libraries, in both orders

  const PairPlace& Of(const Library& first, const Library& second) const;
};

/// Why requirements cannot be installed together; empty if they can.
using Together = std::function<std::string(const Library& all)>;

/// As few environments as are found without trying every combination: each one takes all libraries that fit. `together`
/// is asked only for libraries whose pins and versions of Python do not conflict. Libraries have different names.
PairEnvironments PlanEnvironments(const std::vector<Library>& libraries, const Together& together);

/// What pip answers, in one sentence. Nothing is installed. The answer is kept in the cache. Throws Failure if pip
/// cannot be asked.
std::string WhyNotTogether(const Library& all);

/// The library whose environment has the packages of both. Throws Failure if they cannot be installed together.
Library HomeOf(const Library& first, const Library& second);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_ENVIRONMENT_TOGETHER_H_
