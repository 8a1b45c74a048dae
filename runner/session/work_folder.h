// runner/session/work_folder.h: the temporary folder of a worker's job file and crash record.
#ifndef DLPACK_CTS_RUNNER_SESSION_WORK_FOLDER_H_
#define DLPACK_CTS_RUNNER_SESSION_WORK_FOLDER_H_

#include <string>

#include "runner/base/interrupt.h"

namespace dlpack_cts::runner {

/// A new folder in $TMPDIR, which the destructor removes. It is locked while it exists, so that a later run can see
/// whether its driver was killed: the first object of a process removes such folders.
class WorkFolder {
 public:
  /// Throws Failure if the folder cannot be made.
  WorkFolder();
  ~WorkFolder();
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  const std::string& path() const { return path_; }
  /// Makes it again if the library has removed it.
  void Restore();

 private:
  int lock_ = -1;
  std::string path_;
  FolderAtRisk at_risk_;
};

}  // namespace dlpack_cts::runner

#endif  // DLPACK_CTS_RUNNER_SESSION_WORK_FOLDER_H_
