// runner/run/history_files.h: the folder of histories, one file for each library.
#ifndef DLPACK_CTS_RUNNER_RUN_HISTORY_FILES_H_
#define DLPACK_CTS_RUNNER_RUN_HISTORY_FILES_H_

#include <optional>
#include <string>

#include "base/paths.h"
#include "reports/site/history.h"
#include "runner/base/places.h"

namespace dlpack_cts::runner {

/// "numpy.ndjson".
inline std::string HistoryFile(const std::string& library) { return PlainName(library) + ".ndjson"; }

/// Nothing if the folder has none of that library. Throws the Failure of a file that is not valid.
inline std::optional<History> HistoryIn(const std::string& folder, const std::string& library) {
  const std::string path = folder + "/" + HistoryFile(library);
  if (!Exists(path)) return std::nullopt;
  return ReadHistory(path);
}

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_RUN_HISTORY_FILES_H_
