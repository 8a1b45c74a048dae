// runner/base/places.h: finds the data, the worker and the cache of the program, in any working directory.
#ifndef DLPACK_CTS_RUNNER_BASE_PLACES_H_
#define DLPACK_CTS_RUNNER_BASE_PLACES_H_

#include <string>
#include <vector>

namespace dlpack_cts::runner {

/// Folder of the running program.
std::string ProgramFolder();
/// Folder of rules/ and adapters/: ../share/dlpack-cts from the program if installed, else the source tree, to which
/// dlpack-cts-data in the build folder is a link.
std::string DataFolder();
/// A program of the same build ("dlpack-cts-worker"); throws Failure if it is missing.
std::string Sibling(const std::string& name);
/// Throws Failure if the path of `what` ("the folder of the adapter") is not UTF-8, because JSON will contain it.
void RequireUtf8(const std::string& what, const std::string& path);
/// The text as a file name: letters, digits, dots, hyphens, underscores and pluses stay, other characters become
/// underscores. The name does not begin with a dot, is not empty, and is not long.
std::string PlainName(const std::string& text);
/// `name`, with a number appended if the name is taken.
std::string UnusedName(const std::string& name, const std::vector<std::string>& taken);
/// $DLPACK_CTS_CACHE, or dlpack-cts/ in the user's cache folder.
std::string CacheFolder();

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_BASE_PLACES_H_
