// worker/process/foreign_copy.cc: the handler that runs at every fork.
#include "worker/process/foreign_copy.h"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

namespace dlpack_cts::worker {
namespace {

CrashRecord* g_crash_record = nullptr;
bool g_announced = false;
bool g_is_copy = false;

void InChild() {
  if (g_announced) return;
  g_is_copy = true;
  void* const own =
      mmap(g_crash_record, sizeof(CrashRecord), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  if (own == MAP_FAILED) _exit(1);  // otherwise the forked process would overwrite the crash record
}

}  // namespace

void WatchForks(CrashRecord& crash_record) {
  g_crash_record = &crash_record;
  static const int installed = pthread_atfork(nullptr, nullptr, &InChild);
  static_cast<void>(installed);
}

void AnnounceFork(bool announced) { g_announced = announced; }

void LeaveIfForeignCopy() {
  if (g_is_copy) _exit(0);
}

}  // namespace dlpack_cts::worker
