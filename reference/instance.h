// reference/instance.h: an instance of the reference: one library with its behaviour, counters and memory of earlier
// exchanges.
//
// A correct reference and any number of mutants exist in one process. Arrays, exports and imported tensors belong to
// the instance that made them: its behaviour decides how they are released, on whatever thread. An instance must
// outlive them.
#ifndef DLPACK_CTS_REFERENCE_INSTANCE_H_
#define DLPACK_CTS_REFERENCE_INSTANCE_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "reference/behaviour.h"

namespace dlpack_cts {

struct Array;
struct ExportBlock;
class Owner;

/// Lets threads meet that call the same function at the same time. Only defects that show in a race need it.
class Meeting {
 public:
  /// Waits 2 ms for another thread; the thread that made this object does not wait. True if another thread is inside.
  /// Each Enter() is followed by a Leave().
  bool Enter();
  void Leave() { --inside_; }
  bool HasOthers() const { return inside_ > 1; }

 private:
  std::atomic<int> inside_{0};
  std::thread::id home_ = std::this_thread::get_id();
};

struct Reference {
  Reference();
  ~Reference();
  Reference(const Reference&) = delete;
  Reference& operator=(const Reference&) = delete;

  /// Restores the correct behaviour, runs deferred releases and forgets earlier exchanges.
  void Reset();
  /// Runs the deferred releases.
  void Flush();

  Behaviour behaviour = CorrectBehaviour();
  /// Host memory stands for the memory of CUDA device 0 in this exchange (Engine::StandInForDevices()).
  bool stands_in_for_cuda = false;
  bool IsAtHome(abi::DLDevice device) const {
    return stands_in_for_cuda && device.device_type == abi::kDLCUDA && device.device_id == 0;
  }
  /// Imports and exports since the last Reset(). An exchange is counted once, when it starts.
  std::atomic<uint32_t> exchanges{0};
  std::atomic<int64_t> live_exports{0};  // not yet released
  std::atomic<int64_t> live_imports{0};  // imported tensors, not yet released
  std::atomic<int64_t> live_blocks{0};   // blocks of element memory

  // Used by changed behaviours only.
  std::atomic<ExportBlock*> latest_export{nullptr};  // NULL after it is released
  uint32_t import_ending = 0;                        // bits of Ending: of the latest import
  uint32_t export_ending = 0;                        // of the latest export
  int importing_depth = 0;                           // imports that run now
  bool imported_within = false;                      // an import ran inside the import that runs now
  std::weak_ptr<Owner> latest_owner = {};            // of the latest import that shares its tensor
  const void* remembered_struct = nullptr;           // address of the struct of the latest import
  std::unique_ptr<Array> remembered_elements;

  /// A release that a variant defers to another thread or to the next Flush().
  struct Deferred {
    bool versioned;
    void* managed;
  };
  std::mutex mutex;
  std::recursive_mutex gate;
  Meeting exporting;
  Meeting importing;
  Meeting deleting;
  std::vector<std::thread> threads;
  std::vector<Deferred> deferred;
  std::vector<ExportBlock*> deleted;  // deleted, but what they hold is released at the next Flush()
};

/// While it exists, code of the reference on this thread acts for `instance`. Every function of the Python type and the
/// plug-in, every deleter and every release starts with one. They nest, because libraries call each other.
class Acting {
 public:
  explicit Acting(Reference& instance);
  ~Acting();
  Acting(const Acting&) = delete;
  Acting& operator=(const Acting&) = delete;

  /// The acting instance of this thread. Aborts if there is no Acting, which is a bug in the reference.
  static Reference& Now();

 private:
  Reference* before_;
};

/// The behaviour of the acting instance.
inline const Behaviour& ActiveBehaviour() { return Acting::Now().behaviour; }

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REFERENCE_INSTANCE_H_
