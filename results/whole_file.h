// results/whole_file.h: reads whole files of users, and writes our files into their folders.
#ifndef DLPACK_CTS_RESULTS_WHOLE_FILE_H_
#define DLPACK_CTS_RESULTS_WHOLE_FILE_H_

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace dlpack_cts {

/// From now on reads end when this returns true. A pipe may be read for ever, and a signal may reach another thread.
void EndReadsIf(bool (*interrupted)());

/// Reads all of `path`, at most `most` bytes. Throws the Failure "PATH: cannot be read: REASON" if it cannot be read or
/// is larger, and "interrupted" (kInterrupted) after an interrupt.
std::string ReadWholeFile(const std::string& path, size_t most);

/// Writes a new file in the same folder and renames it to `path`: the file holds either the whole text or its old
/// content. A link or a pipe of that name is replaced, and its target is not changed. 0, or the errno: each caller has
/// its own words for it.
int WriteWholeFile(const std::string& path, std::string_view text);

/// A file that grows line by line. If the program is killed or the disk is full, the earlier lines stay.
class GrowingFile {
 public:
  GrowingFile() = default;
  ~GrowingFile();
  GrowingFile(const GrowingFile&) = delete;
  GrowingFile& operator=(const GrowingFile&) = delete;

  /// Writes a new file with that line in the same folder and renames it to `path`. False if that fails; it may be tried
  /// again.
  bool Begin(const std::string& path, std::string_view line);
  bool begun() const { return fd_ >= 0; }

  /// Appends a line with its newline, or nothing if that fails.
  void Append(std::string_view line);

 private:
  void Sync();

  int fd_ = -1;
  off_t size_ = 0;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::duration synced_{};  // time that Sync() has taken
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_RESULTS_WHOLE_FILE_H_
