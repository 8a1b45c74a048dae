// runner/base/glob.h: patterns of case ids, and the nearest names to one that does not exist.
#ifndef DLPACK_CTS_RUNNER_BASE_GLOB_H_
#define DLPACK_CTS_RUNNER_BASE_GLOB_H_

#include <string>
#include <vector>

namespace dlpack_cts::runner {

/// fnmatch(): * matches across slashes, so that "c-abi/*" is a whole chapter.
bool Matches(const std::string& pattern, const std::string& name);

/// Whether the texts differ at most in upper and lower case.
bool IsSame(const std::string& a, const std::string& b);

/// Whether the part occurs in the text, in any case of letters.
bool HasPart(const std::string& text, const std::string& part);

/// "did you mean a, b or c?", or "" if no name is similar. Upper and lower case are the same.
std::string Nearest(const std::string& name, const std::vector<std::string>& names);

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_BASE_GLOB_H_
