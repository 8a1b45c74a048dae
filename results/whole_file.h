// results/whole_file.h: reads whole files of users, and writes our files into their folders.
#ifndef DLPACK_CTS_RESULTS_WHOLE_FILE_H_
#define DLPACK_CTS_RESULTS_WHOLE_FILE_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace dlpack_cts {

/// Reads all of `path`, at most `most` bytes. Throws the Failure "PATH: cannot be read: REASON" if it cannot be read,
/// is larger, or a signal interrupted it.
std::string ReadWholeFile(const std::string& path, size_t most);

/// Writes a new file in the same folder and renames it to `path`: the file holds either the whole text or its old
/// content. A link or a pipe of that name is replaced, and its target is not changed. 0, or the errno: each caller has
/// its own words for it.
int WriteWholeFile(const std::string& path, std::string_view text);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_RESULTS_WHOLE_FILE_H_
