// fuzz/job_log.cc: follows the output of one job.
#include "fuzz/job_log.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

namespace dlpack_cts::fuzz {
namespace {

constexpr size_t kMostBytes = size_t{16} << 20;  // of one job, because a library may print in every exchange
constexpr size_t kMostAtOnce = size_t{1} << 20;  // so that the other jobs are read too
constexpr size_t kLongestLine = 1000;

}  // namespace

std::string Printable(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) c = '?';
  }
  return out;
}

void JobLog::Follow(int words, int file, bool shows) {
  words_ = words;
  file_ = file;
  shows_ = shows;
  fcntl(words_, F_SETFL, O_NONBLOCK);
}

void JobLog::Read(bool starting) {
  char bytes[16384];
  for (size_t now = 0; words_ >= 0 && now < kMostAtOnce;) {
    const ssize_t got = read(words_, bytes, sizeof(bytes));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return;
    if (got <= 0) {
      close(words_);
      words_ = -1;
      return;
    }
    const auto size = static_cast<size_t>(got);
    now += size;
    const size_t kept = std::min(size, kMostBytes - written_);
    if (kept > 0 && write(file_, bytes, kept) < 0) written_ = kMostBytes;  // if the disk is full, only the log is lost
    written_ = std::min(written_ + kept, kMostBytes);
    if (shows_ && starting) Show({bytes, size});
  }
}

void JobLog::Show(std::string_view bytes) {
  for (const char c : bytes) {
    if (c != '\n') {
      if (line_.size() < kLongestLine) line_ += c;
      continue;
    }
    hints_ = line_.starts_with("dlpack-cts:") || (hints_ && line_.starts_with("  "));
    if (hints_) std::fprintf(stderr, "%s\n", Printable(line_).c_str());
    line_.clear();
  }
}

}  // namespace dlpack_cts::fuzz
