// base/paths.h: the functions of std::filesystem that throw, here with a Failure that says what to do.
//
// Other code calls std::filesystem only with a std::error_code (tests/tree/check_paths.py).
#ifndef DLPACK_CTS_BASE_PATHS_H_
#define DLPACK_CTS_BASE_PATHS_H_

#include <exception>
#include <string>
#include <vector>

#include "base/failure.h"

namespace dlpack_cts {

/// False if there is nothing at that path. Throws Failure if that cannot be found out: a loop of links, a long name.
bool Exists(const std::string& path);
bool IsFolder(const std::string& path);

/// Throws Failure for an empty path.
std::string Absolute(const std::string& path);

/// Without links, as far as the path exists. The path itself if its links cannot be followed.
std::string Resolved(const std::string& path);

/// The paths of what is in the folder, sorted, as far as the folder can be read.
std::vector<std::string> EntriesOf(const std::string& folder);

/// For an exception that no other code has handled: a path that cannot be used, or a bug in dlpack-cts.
Failure Unforeseen(const std::exception& exception);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_BASE_PATHS_H_
