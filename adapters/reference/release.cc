// adapters/reference/release.cc: how an imported tensor is given back, at once or later.
#include <mutex>
#include <thread>

#include "adapters/reference/array.h"

namespace dlpack_cts {
namespace {

template <typename Managed>
void CallDeleter(Managed* managed, bool calls_null) {
  if (managed->deleter != nullptr || calls_null) managed->deleter(managed);
}

}  // namespace

void ReleaseManaged(bool versioned, void* managed) {
  const bool calls_null = Holds(ActiveBehaviour().owning.calls_null_deleter, Occasion{.versioned = versioned});
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
      library.threads.emplace_back([&library, versioned, managed] {
        const Acting acting(library);
        ReleaseManaged(versioned, managed);
      });
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
