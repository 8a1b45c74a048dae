// runner/session/work_folder.cc: makes locked temporary folders, and removes those of drivers that were killed.
#include "runner/session/work_folder.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/failure.h"
#include "base/paths.h"
#include "runner/base/places.h"

namespace dlpack_cts::runner {
namespace fs = std::filesystem;
namespace {

constexpr char kPrefix[] = "dlpack-cts-work-";
constexpr size_t kRandom = 6;

std::string Parent() {
  const char* named = std::getenv("TMPDIR");
  std::string parent = named != nullptr && *named != '\0' ? Absolute(named) : "/tmp";
  RequireUtf8("the folder for temporary files", parent);
  return parent;
}

/// Locks the folder if it is ours and not locked. Returns a descriptor that holds the lock, or -1.
int LockOf(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return -1;
  struct stat seen{};
  if (fstat(fd, &seen) == 0 && seen.st_uid == geteuid() && flock(fd, LOCK_EX | LOCK_NB) == 0) return fd;
  close(fd);
  return -1;
}

/// The kernel unlocks a folder when its driver ends.
void RemoveAbandoned(const std::string& parent) {
  for (const std::string& path : EntriesOf(parent)) {
    const std::string name = fs::path(path).filename();
    if (!name.starts_with(kPrefix) || name.size() != sizeof(kPrefix) - 1 + kRandom) continue;
    const int lock = LockOf(path);
    if (lock < 0) continue;
    std::error_code ignored;
    fs::remove_all(path, ignored);
    close(lock);
  }
}

std::string Make(int* lock) {
  const std::string parent = Parent();
  [[maybe_unused]] static const bool once = (RemoveAbandoned(parent), true);
  for (;;) {
    std::string path = parent + "/" + kPrefix + std::string(kRandom, 'X');
    if (mkdtemp(path.data()) == nullptr) {
      throw Failure("a temporary folder cannot be created in " + parent + ": " + std::strerror(errno),
                    "free some space, or set TMPDIR to a writable folder");
    }
    *lock = LockOf(path);
    struct stat seen{};
    const bool taken = *lock < 0 && (errno == EWOULDBLOCK || errno == ENOENT);
    const bool removed = *lock >= 0 && fstat(*lock, &seen) == 0 && seen.st_nlink == 0;
    // Without locks, as on some network file systems, no run removes the folder of another one.
    if (!taken && !removed) return path;
    // Another run has just taken it for an abandoned one.
    if (*lock >= 0) close(*lock);
  }
}

}  // namespace

WorkFolder::WorkFolder() : path_(Make(&lock_)), at_risk_(path_) {}

WorkFolder::~WorkFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  if (lock_ >= 0) close(lock_);
}

void WorkFolder::Restore() {
  if (mkdir(path_.c_str(), 0700) != 0) return;
  if (lock_ >= 0) close(lock_);
  lock_ = LockOf(path_);
}

}  // namespace dlpack_cts::runner
