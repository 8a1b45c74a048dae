// worker/board.cc: maps the board.
#include "worker/board.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <fstream>

namespace dlpack_cts {

Board* MapBoard(const std::string& path, std::string* error) {
  int fd = -1;
  int flags = MAP_SHARED | MAP_ANONYMOUS;
  if (!path.empty()) {
    fd = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    const int failed = fd < 0 ? errno : posix_fallocate(fd, 0, sizeof(Board));
    if (failed != 0) {
      *error = "the board file " + path + " cannot be made: " + std::strerror(failed);
      if (fd >= 0) close(fd);
      return nullptr;
    }
    flags = MAP_SHARED;
  }
  void* memory = mmap(nullptr, sizeof(Board), PROT_READ | PROT_WRITE, flags, fd, 0);
  if (fd >= 0) close(fd);
  if (memory == MAP_FAILED) {
    *error = std::string("the board cannot be mapped: ") + std::strerror(errno);
    return nullptr;
  }
  auto* board = static_cast<Board*>(memory);
  *board = Board{};
  std::memcpy(board->magic, "DLBD", 4);
  board->version = 1;
  board->case_index = -1;
  board->mutant_index = -1;
  return board;
}

bool ReadBoard(const std::string& path, Board* board) {
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(board), sizeof(Board));
  return file.gcount() == sizeof(Board) && std::memcmp(board->magic, "DLBD", 4) == 0;
}

void ResumeFrom(const Board& left, Board* board) {
  board->profile = left.profile;
  board->probed = left.probed;
  board->probe = left.probed != 0 ? 0 : left.probe + 1;
}

double Now() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace dlpack_cts
