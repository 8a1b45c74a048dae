// results/whole_file.cc: reads files with a size limit, and replaces files atomically.
#include "results/whole_file.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <set>
#include <utility>

#include "base/failure.h"
#include "base/paths.h"

namespace dlpack_cts {
namespace {

constexpr size_t kPiece = 1 << 16;
constexpr int kLookMilliseconds = 100;

std::atomic<bool (*)()> g_interrupted{nullptr};

/// Waits until there is something to read. Throws Failure after an interrupt.
void AwaitData(int fd) {
  pollfd waiting{fd, POLLIN, 0};
  for (;;) {
    bool (*const interrupted)() = g_interrupted.load();
    if (interrupted != nullptr && interrupted()) throw Failure("interrupted", "", kInterrupted);
    if (poll(&waiting, 1, kLookMilliseconds) > 0) return;
  }
}

/// Closes a descriptor.
struct Closing {
  int fd;
  ~Closing() {
    if (fd >= 0) close(fd);
  }
};

/// Once for each folder: removes the files of programs that were killed while they wrote into it.
void RemoveAbandoned(const std::filesystem::path& folder) {
  static std::mutex mutex;
  static std::set<std::filesystem::path> done;
  const std::lock_guard<std::mutex> lock(mutex);
  if (!done.insert(folder).second) return;
  for (const std::string& entry : EntriesOf(folder)) {
    int process = 0;
    int count = 0;
    char more = 0;
    const std::string name = std::filesystem::path(entry).filename();
    const int read = std::sscanf(name.c_str(), ".dlpack-cts-%d-%d%c", &process, &count, &more);
    if (read == 2 && kill(process, 0) != 0 && errno == ESRCH) unlink(entry.c_str());
  }
}

/// Opens a new file in the same folder, or returns -1 with errno. mkstemp() would leave the file with mode 0600.
int OpenBeside(const std::string& path, std::string* name) {
  static std::atomic<int> number{0};
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  RemoveAbandoned(folder.empty() ? "." : folder);
  for (;;) {
    const std::string own = ".dlpack-cts-" + std::to_string(getpid()) + "-" + std::to_string(++number);
    *name = (folder / own).string();
    const int fd = open(name->c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0 || errno != EEXIST) return fd;
  }
}

/// 0, or an errno.
int WriteAll(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = write(fd, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n < 0 ? errno : EIO;
    text.remove_prefix(static_cast<size_t>(n));
  }
  return 0;
}

}  // namespace

void EndReadsIf(bool (*interrupted)()) { g_interrupted = interrupted; }

std::string ReadWholeFile(const std::string& path, size_t most) {
  std::string text;
  // A pipe without a writer would block open().
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  const Closing closing{fd};
  int reason = fd < 0 ? errno : 0;
  while (reason == 0 && text.size() <= most) {
    AwaitData(fd);
    const size_t before = text.size();
    const size_t piece = std::min(kPiece, most + 1 - before);
    text.resize(before + piece);
    const ssize_t n = read(fd, text.data() + before, piece);
    if (n < 0 && errno != EINTR && errno != EAGAIN) reason = errno;
    text.resize(before + (n > 0 ? static_cast<size_t>(n) : 0));
    if (n == 0) break;
  }
  if (reason == 0 && text.size() <= most) return text;
  throw Failure(path + ": cannot be read: " +
                (reason != 0 ? std::strerror(reason) : "it is larger than " + std::to_string(most >> 20) + " MB"));
}

int WriteWholeFile(const std::string& path, std::string_view text) {
  std::string own;
  const int fd = OpenBeside(path, &own);
  if (fd < 0) return errno;
  int reason = WriteAll(fd, text);
  if (reason == 0 && fdatasync(fd) != 0) reason = errno;  // after a power cut the file must not be empty
  if (close(fd) != 0 && reason == 0) reason = errno;      // a full disk may show only now
  if (reason == 0 && std::rename(own.c_str(), path.c_str()) != 0) reason = errno;
  if (reason != 0) unlink(own.c_str());
  return reason;
}

GrowingFile::~GrowingFile() {
  if (fd_ >= 0) close(fd_);
}

bool GrowingFile::Begin(const std::string& path, std::string_view line) {
  std::string own;
  fd_ = OpenBeside(path, &own);
  if (fd_ < 0) return false;
  start_ = std::chrono::steady_clock::now();
  size_ = static_cast<off_t>(line.size());
  if (WriteAll(fd_, line) == 0 && std::rename(own.c_str(), path.c_str()) == 0) return true;
  unlink(own.c_str());
  close(std::exchange(fd_, -1));
  return false;
}

void GrowingFile::Append(std::string_view line) {
  if (WriteAll(fd_, line) == 0) {
    size_ += static_cast<off_t>(line.size());
    return Sync();
  }
  // Part of the line may be in the file.
  if (ftruncate(fd_, size_) == 0) lseek(fd_, size_, SEEK_SET);
}

/// For a power cut. On a slow disk only some of the lines are synchronised, so that the run takes at most 5 % longer.
void GrowingFile::Sync() {
  const auto before = std::chrono::steady_clock::now();
  if (synced_ * 20 > before - start_) return;
  fdatasync(fd_);
  synced_ += std::chrono::steady_clock::now() - before;
}

}  // namespace dlpack_cts
