// reports/files.h: writes the files of an output folder.
#ifndef DLPACK_CTS_REPORTS_FILES_H_
#define DLPACK_CTS_REPORTS_FILES_H_

#include <string>
#include <utility>
#include <vector>

namespace dlpack_cts {

using OutputFiles = std::vector<std::pair<std::string, std::string>>;  // paths and texts

/// Writes each text to its path below `folder`, in this order; makes missing folders. If one file cannot be written,
/// the others still are; then the first Failure is thrown.
void WriteFiles(const OutputFiles& files, const std::string& folder);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REPORTS_FILES_H_
