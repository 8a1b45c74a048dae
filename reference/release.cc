// reference/release.cc: how an imported tensor is released, at once or later.
#include <mutex>

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
    --t_deleting;
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
  const WhileDeleting deleting(owning, versioned, managed);
  if (versioned) {
    CallDeleter(static_cast<abi::DLManagedTensorVersioned*>(managed), calls_null);
  } else {
    CallDeleter(static_cast<abi::DLManagedTensor*>(managed), calls_null);
  }
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
