// base/version.h: conditions on version numbers, such as ">=2.0,<3".
#ifndef DLPACK_CTS_BASE_VERSION_H_
#define DLPACK_CTS_BASE_VERSION_H_

#include <string>

namespace dlpack_cts {

/// Whether the version satisfies every comma-separated condition (==, !=, <, <=, >, >=). Compares numeric parts.
bool VersionMatches(const std::string& conditions, const std::string& version);

/// The part of the text that is not such a condition, or "".
std::string WrongCondition(const std::string& conditions);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_BASE_VERSION_H_
