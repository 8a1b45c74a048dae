// reports/files.h: writes the files of an output folder.
#ifndef DLPACK_CTS_REPORTS_FILES_H_
#define DLPACK_CTS_REPORTS_FILES_H_

#include <map>
#include <string>

namespace dlpack_cts {

/// Writes each text to its path below `folder`; makes missing folders. If one file cannot be written, the others still
/// are; then the first Failure is thrown.
void WriteFiles(const std::map<std::string, std::string>& files, const std::string& folder);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REPORTS_FILES_H_
