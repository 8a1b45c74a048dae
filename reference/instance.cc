// reference/instance.cc: instances of the reference, and the acting instance of each thread.
#include "reference/instance.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "reference/array.h"
#include "reference/export_block.h"

namespace dlpack_cts {
namespace {

thread_local Reference* t_acting = nullptr;

}  // namespace

bool Meeting::Enter() {
  constexpr auto kMoment = std::chrono::milliseconds(2);
  const auto latest = std::chrono::steady_clock::now() + kMoment;
  ++inside_;
  if (std::this_thread::get_id() == home_) return HasOthers();
  while (!HasOthers() && std::chrono::steady_clock::now() < latest) std::this_thread::yield();
  return HasOthers();
}

Reference::Reference() = default;
Reference::~Reference() { Flush(); }

void Reference::Reset() {
  Flush();
  import_ending = 0;
  export_ending = 0;
  remembered_struct = nullptr;
  remembered_elements.reset();
  latest_export = nullptr;
  exchanges = 0;
  behaviour = CorrectBehaviour();
}

void Reference::Flush() {
  std::vector<std::thread> joined;
  std::vector<Deferred> released;
  std::vector<ExportBlock*> finished;
  {
    const std::lock_guard lock(mutex);
    joined.swap(threads);
    released.swap(deferred);
    finished.swap(deleted);
  }
  for (std::thread& thread : joined) thread.join();
  const Acting acting(*this);
  for (const Deferred& tensor : released) ReleaseManaged(tensor.versioned, tensor.managed);
  for (ExportBlock* const exported : finished) FinishExport(exported);
}

Acting::Acting(Reference& instance) : before_(std::exchange(t_acting, &instance)) {}
Acting::~Acting() { t_acting = before_; }

Reference& Acting::Now() {
  if (t_acting != nullptr) return *t_acting;
  std::fputs("dlpack-cts: internal error: the reference runs without an instance\n", stderr);
  std::abort();
}

}  // namespace dlpack_cts
