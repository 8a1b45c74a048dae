// fuzz/keep.cc: writes inputs and findings during a campaign.
#include "fuzz/keep.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace dlpack_cts::fuzz {

std::string KeptName(std::string_view kind, std::span<const uint8_t> input) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (const uint8_t byte : input) hash = (hash ^ byte) * 0x100000001b3u;
  return fmt::format("{}-{:016x}", kind, hash);
}

bool WriteWhole(const std::string& path, std::string_view bytes) {
  // Another job may write the same file at the same time.
  const std::string part = fmt::format("{}.{}.part", path, getpid());
  const int file = open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) return false;
  bool good = true;
  while (good && !bytes.empty()) {
    const ssize_t written = write(file, bytes.data(), bytes.size());
    if (written > 0) bytes.remove_prefix(static_cast<size_t>(written));
    good = written > 0 || (written < 0 && errno == EINTR);
  }
  good = close(file) == 0 && good;
  if (good && rename(part.c_str(), path.c_str()) == 0) return true;
  const int reason = errno;
  unlink(part.c_str());
  errno = reason;
  return false;
}

std::string KeepInput(const std::string& folder, std::string_view kind, std::span<const uint8_t> input) {
  std::string path = folder + "/" + KeptName(kind, input);
  const std::string_view bytes(reinterpret_cast<const char*>(input.data()), input.size());
  return WriteWhole(path, bytes) ? path : "";
}

}  // namespace dlpack_cts::fuzz
