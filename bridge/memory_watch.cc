// bridge/memory_watch.cc: wraps the allocators of the interpreter.
//
// The limited API does not have these functions: they are looked up at run time. The struct is declared here as CPython
// has it since 3.5.
#include "bridge/memory_watch.h"

#include <Python.h>
#include <dlfcn.h>

#include <array>
#include <cstring>

namespace dlpack_cts {
namespace {

/// PyMemAllocatorEx of CPython.
struct Allocator {
  void* context;
  void* (*malloc)(void* context, size_t size);
  void* (*calloc)(void* context, size_t count, size_t size);
  void* (*realloc)(void* context, void* memory, size_t size);
  void (*free)(void* context, void* memory);
};

/// PYMEM_DOMAIN_MEM and PYMEM_DOMAIN_OBJ. PYMEM_DOMAIN_RAW does not need the GIL.
constexpr std::array<int, 2> kDomains = {1, 2};

using Exchange = void (*)(int domain, Allocator* allocator);
using Current = void* (*)();

template <typename Function>
Function Find(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
}

/// The current thread state: up to CPython 3.11 that of the thread that holds the GIL, since 3.12 the calling thread's
/// own. In both cases NULL means that the caller does not hold the GIL. PyGILState_Check() does not help: it returns 0
/// on a thread that holds the GIL through a thread state of another thread.
Current FindCurrent() {
  const auto current = Find<Current>("_PyThreadState_UncheckedGet");
  return current != nullptr ? current : Find<Current>("PyThreadState_GetUnchecked");
}

Current g_current = nullptr;
std::array<Allocator, kDomains.size()> g_before;
std::array<bool, kDomains.size()> g_in_place;
int g_watches = 0;

thread_local Answer* t_used = nullptr;

void Look() {
  if (t_used != nullptr && g_current() == nullptr) *t_used = Answer::kYes;
}

Allocator& Before(void* context) { return *static_cast<Allocator*>(context); }

void* Malloc(void* context, size_t size) {
  Look();
  return Before(context).malloc(Before(context).context, size);
}

void* Calloc(void* context, size_t count, size_t size) {
  Look();
  return Before(context).calloc(Before(context).context, count, size);
}

void* Realloc(void* context, void* memory, size_t size) {
  Look();
  return Before(context).realloc(Before(context).context, memory, size);
}

void Free(void* context, void* memory) {
  if (memory != nullptr) Look();
  Before(context).free(Before(context).context, memory);
}

/// Interpreters without a GIL have other rules.
bool HasGil() { return std::strstr(Py_GetVersion(), "free-threading") == nullptr; }

}  // namespace

bool StartWatchingMemory() {
  static const auto get = Find<Exchange>("PyMem_GetAllocator");
  static const auto set = Find<Exchange>("PyMem_SetAllocator");
  g_current = FindCurrent();
  if (get == nullptr || set == nullptr || g_current == nullptr || !HasGil()) return false;
  if (g_watches++ > 0) return true;
  for (size_t i = 0; i < kDomains.size(); ++i) {
    if (g_in_place[i]) continue;
    get(kDomains[i], &g_before[i]);
    Allocator watching = {&g_before[i], Malloc, Calloc, Realloc, Free};
    set(kDomains[i], &watching);
    g_in_place[i] = true;
  }
  return true;
}

void StopWatchingMemory() {
  if (--g_watches > 0) return;
  static const auto get = Find<Exchange>("PyMem_GetAllocator");
  static const auto set = Find<Exchange>("PyMem_SetAllocator");
  for (size_t i = 0; i < kDomains.size(); ++i) {
    Allocator now;
    get(kDomains[i], &now);
    // Another wrapper (tracemalloc) was installed meanwhile, and calls this one. So this one stays.
    if (now.malloc != Malloc) continue;
    set(kDomains[i], &g_before[i]);
    g_in_place[i] = false;
  }
}

WatchedThread::WatchedThread(Answer* used) { t_used = used; }
WatchedThread::~WatchedThread() { t_used = nullptr; }

}  // namespace dlpack_cts
