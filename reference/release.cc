// reference/release.cc: how an imported tensor is released, at once or later.
#include <mutex>
#include <utility>
#include <vector>

#include "base/shortage.h"
#include "reference/array.h"

namespace dlpack_cts {
namespace {

template <typename Managed>
void CallDeleter(Managed* managed, bool calls_null) {
  if (managed->deleter != nullptr || calls_null) managed->deleter(managed);
}

thread_local int t_deleting = 0;  // deleters that run on this thread
thread_local int t_shut_out = 0;  // deleters that run on this thread and refuse imports meanwhile
thread_local int t_came_in = 0;   // imports while a deleter runs on this thread

/// Tensors whose release waits for the deleter that runs on this thread.
std::vector<std::pair<bool, void*>>& Waiting() {
  thread_local std::vector<std::pair<bool, void*>> waiting;
  return waiting;
}

/// What mutants do while a deleter runs, though the deleter may call the library.
class WhileDeleting {
 public:
  WhileDeleting(const Owning& owning, bool versioned, const void* managed) {
    ++t_deleting;
    if (owning.locks_deleters.never() && owning.shuts_out_deleters.never()) return;
    const Occasion occasion = OccasionOf(versioned, managed, -1);
    if (Holds(owning.locks_deleters, occasion)) lock_ = std::unique_lock(Acting::Now().gate);
    shuts_ = Holds(owning.shuts_out_deleters, occasion) ? 1 : 0;
    t_shut_out += shuts_;
  }
  ~WhileDeleting() {
    if (--t_deleting == 0) t_came_in = 0;
    t_shut_out -= shuts_;
  }
  WhileDeleting(const WhileDeleting&) = delete;
  WhileDeleting& operator=(const WhileDeleting&) = delete;

 private:
  std::unique_lock<std::recursive_mutex> lock_;
  int shuts_ = 0;
};

}  // namespace

bool MayComeIn() {
  if (t_deleting > 0) ++t_came_in;
  const Owning& owning = ActiveBehaviour().owning;
  if (!owning.locks_deleters.never()) {
    const std::lock_guard wait(Acting::Now().gate);
  }
  return t_shut_out == 0;
}

bool IsDeleting() { return t_deleting > 0; }

void ReleaseManaged(bool versioned, void* managed) {
  const Owning& owning = ActiveBehaviour().owning;
  const bool calls_null = Holds(owning.calls_null_deleter, Occasion{.versioned = versioned});
  // A tensor that was imported in the same deleter is not meant.
  const bool inner = t_deleting > 0 && t_came_in == 0;
  int calls = 1;
  if (inner) {
    const Occasion occasion = OccasionOf(versioned, managed, -1);
    Acting::Now().import_ending |= kEndsDropping;
    if (Holds(owning.leaks_in_deleters, occasion)) return;
    if (Holds(owning.waits_for_deleters, occasion)) return Waiting().emplace_back(versioned, managed), void();
    if (Holds(owning.twice_in_deleters, occasion)) calls = 2;
  }
  {
    const WhileDeleting deleting(owning, versioned, managed);
    for (; calls > 0; --calls) {
      if (versioned) {
        CallDeleter(static_cast<abi::DLManagedTensorVersioned*>(managed), calls_null);
      } else {
        CallDeleter(static_cast<abi::DLManagedTensor*>(managed), calls_null);
      }
    }
  }
  if (t_deleting > 0) return;
  for (const auto& [of_version, waiting] : std::exchange(Waiting(), {})) ReleaseManaged(of_version, waiting);
}

void ReleaseWhen(Release when, bool versioned, void* managed) {
  Reference& library = Acting::Now();
  switch (when) {
    case Release::kNow:
      return ReleaseManaged(versioned, managed);
    case Release::kOtherThread: {
      const std::lock_guard lock(library.mutex);
      library.threads.push_back(NeedThread([&library, versioned, managed] {
        const Acting acting(library);
        ReleaseManaged(versioned, managed);
      }));
      return;
    }
    case Release::kCollect: {
      const std::lock_guard lock(library.mutex);
      library.deferred.push_back({versioned, managed});
      return;
    }
  }
}

}  // namespace dlpack_cts
