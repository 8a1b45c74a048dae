// worker/process/board.cc: maps the crash record.
#include "worker/process/board.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

namespace dlpack_cts::worker {
namespace {

constexpr uint32_t kVersion = 3;
constexpr uint64_t kMark = 0x6B72614D64726F42;  // "BordMark" in memory order
constexpr size_t kPage = 4096;
constexpr size_t kPages = (sizeof(Board) + kPage - 1) / kPage;

}  // namespace

Board* MapBoard(const std::string& path, std::string* error) {
  int fd = -1;
  int flags = MAP_SHARED | MAP_ANONYMOUS;
  if (!path.empty()) {
    fd = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    const int failed = fd < 0 ? errno : posix_fallocate(fd, 0, sizeof(Board));
    if (failed != 0) {
      *error = "the crash record " + path + " cannot be created: " + std::strerror(failed);
      if (fd >= 0) close(fd);
      return nullptr;
    }
    flags = MAP_SHARED;
  }
  // The inaccessible pages around it catch writes past the end of other memory.
  void* room = mmap(nullptr, (kPages + 2) * kPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  void* memory = room == MAP_FAILED ? MAP_FAILED
                                    : mmap(static_cast<char*>(room) + kPage, kPages * kPage, PROT_READ | PROT_WRITE,
                                           flags | MAP_FIXED, fd, 0);
  if (fd >= 0) close(fd);
  if (memory == MAP_FAILED) {
    *error = std::string("the crash record cannot be mapped into memory: ") + std::strerror(errno);
    return nullptr;
  }
  auto* board = static_cast<Board*>(memory);
  Clear(*board);
  return board;
}

bool IsIntact(const Board& board) {
  return std::memcmp(board.head.magic, "DLBD", 4) == 0 && board.head.version == kVersion &&
         board.mark_behind_head == kMark && board.mark_behind_profile == kMark && board.mark_behind_recipe == kMark &&
         board.mark_behind_ledger == kMark && board.mark_behind_reference == kMark;
}

void Clear(Board& board) {
  std::memset(static_cast<void*>(&board), 0, sizeof(board));
  std::memcpy(board.head.magic, "DLBD", 4);
  board.head.version = kVersion;
  board.head.case_index = -1;
  board.head.mutant_index = -1;
  board.example = -1;
  board.mark_behind_head = board.mark_behind_profile = board.mark_behind_recipe = board.mark_behind_ledger =
      board.mark_behind_reference = kMark;
}

bool ReadBoard(const std::string& path, Board* board) {
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(board), sizeof(Board));
  if (file.gcount() != sizeof(Board) || !IsIntact(*board)) return false;
  board->head.case_id[sizeof(board->head.case_id) - 1] = '\0';
  board->complaint[sizeof(board->complaint) - 1] = '\0';
  board->thrown[sizeof(board->thrown) - 1] = '\0';
  return true;
}

void ResumeFrom(const Board& left, Board* board) {
  board->profile = left.profile;
  board->probed = left.probed;
  board->probe = std::max(0, left.probe);
}

void SetDoing(Board& board, const char* what) { std::snprintf(board.head.doing, sizeof(board.head.doing), "%s", what); }

}  // namespace dlpack_cts::worker
