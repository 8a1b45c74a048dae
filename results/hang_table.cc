// results/hang_table.cc: maps the table of hangs.
#include "results/hang_table.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace dlpack_cts {
namespace {

HangTable* Map(int fd) {
  const int flags = fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;
  void* const memory = mmap(nullptr, sizeof(HangTable), PROT_READ | PROT_WRITE, flags, fd, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<HangTable*>(memory);
}

}  // namespace

HangMemory::HangMemory() : fd_(memfd_create("hangs", MFD_CLOEXEC)) {
  if (fd_ >= 0 && ftruncate(fd_, sizeof(HangTable)) == 0) table_ = Map(fd_);
}

HangMemory::~HangMemory() {
  if (table_ != nullptr) munmap(table_, sizeof(HangTable));
  if (fd_ >= 0) close(fd_);
}

std::string HangMemory::path() const {
  return table_ == nullptr ? "" : "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(fd_);
}

HangTable* MapHangTable(const std::string& path) {
  const int fd = path.empty() ? -1 : open(path.c_str(), O_RDWR | O_CLOEXEC);
  HangTable* table = Map(fd);
  if (fd >= 0) close(fd);
  if (table == nullptr) table = Map(-1);
  // The library runs in the children.
  if (table != nullptr) madvise(table, sizeof(HangTable), MADV_DONTFORK);
  return table;
}

}  // namespace dlpack_cts
