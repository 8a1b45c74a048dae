// worker/process/crash_record.cc: maps the crash record.
#include "worker/process/crash_record.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

#include "base/failure.h"
#include "base/shortage.h"

namespace dlpack_cts::worker {
namespace {

constexpr uint32_t kVersion = 3;
constexpr uint64_t kMark = 0x6B72614D64726F42;  // "BordMark" in memory order
constexpr char kFreeSpace[] = "free some space in the folder for temporary files";
constexpr size_t kPage = 4096;
constexpr size_t kPages = (sizeof(CrashRecord) + kPage - 1) / kPage;

}  // namespace

CrashRecord& MapCrashRecord(const std::string& path) {
  int fd = -1;
  int flags = MAP_SHARED | MAP_ANONYMOUS;
  if (!path.empty()) {
    fd = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    const int failed = fd < 0 ? errno : posix_fallocate(fd, 0, sizeof(CrashRecord));
    if (failed != 0) {
      if (fd >= 0) close(fd);
      throw Failure(
          std::string("the crash record cannot be created in the folder for temporary files: ") + std::strerror(failed),
          kFreeSpace);
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
    throw Shortage("the crash record cannot be mapped into memory", errno);
  }
  auto& crash_record = *static_cast<CrashRecord*>(memory);
  Clear(crash_record);
  return crash_record;
}

bool IsIntact(const CrashRecord& crash_record) {
  return std::memcmp(crash_record.head.magic, "DLBD", 4) == 0 && crash_record.head.version == kVersion &&
         crash_record.mark_behind_head == kMark && crash_record.mark_behind_profile == kMark &&
         crash_record.mark_behind_recipe == kMark && crash_record.mark_behind_ledger == kMark &&
         crash_record.mark_behind_reference == kMark;
}

void Clear(CrashRecord& crash_record) {
  std::memset(static_cast<void*>(&crash_record), 0, sizeof(crash_record));
  std::memcpy(crash_record.head.magic, "DLBD", 4);
  crash_record.head.version = kVersion;
  crash_record.head.case_index = -1;
  crash_record.head.mutant_index = -1;
  crash_record.example = -1;
  crash_record.mark_behind_head = crash_record.mark_behind_profile = crash_record.mark_behind_recipe =
      crash_record.mark_behind_ledger = crash_record.mark_behind_reference = kMark;
}

std::unique_ptr<CrashRecord> ReadCrashRecord(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  auto crash_record = std::make_unique<CrashRecord>();
  file.read(reinterpret_cast<char*>(crash_record.get()), sizeof(CrashRecord));
  if (file.gcount() != sizeof(CrashRecord) || !IsIntact(*crash_record)) return nullptr;
  crash_record->head.case_id[sizeof(crash_record->head.case_id) - 1] = '\0';
  crash_record->complaint[sizeof(crash_record->complaint) - 1] = '\0';
  crash_record->thrown[sizeof(crash_record->thrown) - 1] = '\0';
  return crash_record;
}

void ResumeFrom(const CrashRecord& left, CrashRecord& crash_record) {
  crash_record.profile = left.profile;
  crash_record.probed = left.probed;
  crash_record.probe = std::max(0, left.probe);
}

void SetDoing(CrashRecord& crash_record, const char* what) {
  std::snprintf(crash_record.head.doing, sizeof(crash_record.head.doing), "%s", what);
}

}  // namespace dlpack_cts::worker
