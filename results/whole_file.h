// results/whole_file.h: the one way in which files of users are read whole, and ours are written below a folder of
// theirs.
#ifndef DLPACK_CTS_RESULTS_WHOLE_FILE_H_
#define DLPACK_CTS_RESULTS_WHOLE_FILE_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace dlpack_cts {

/// Reads all of `path`, at most `most` bytes. False with "PATH: cannot be read: REASON" in `error` for what cannot be
/// read, is larger, or was given up at a signal.
bool ReadWholeFile(const std::string& path, size_t most, std::string* text, std::string* error);

/// Writes a file of its own beside `path` and renames it: the whole text lies there, or what lay there before. A link
/// or a pipe of that name is replaced, and what it leads to is not touched. 0, or the errno of what failed.
int WriteWholeFile(const std::string& path, std::string_view text);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_RESULTS_WHOLE_FILE_H_
