// reference/instance.h: one library made of the reference: its behaviour, and what it counts and remembers.
//
// A correct reference and any number of its mutants live side by side in a process. Arrays, exports and imported
// tensors belong to the instance that made them: whoever releases them, and when, the behaviour of that instance
// decides. An instance has to outlive them.
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

/// Where threads meet that are in the same function at once: what only defects need that show in a race.
class Meeting {
 public:
  /// Comes in, and waits for a moment for somebody else to do so; the thread that made this does not wait. True when
  /// there is somebody.
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

  /// Makes it correct again, and forgets what it counted, deferred and remembered.
  void Reset();
  /// Runs the releases that were deferred.
  void Flush();

  Behaviour behaviour = CorrectBehaviour();
  /// Imports and exports since the last Reset(); an exchange is counted once, at its begin.
  std::atomic<uint32_t> exchanges{0};
  std::atomic<int64_t> live_exports{0};  // made and not yet released
  std::atomic<int64_t> live_blocks{0};   // of element memory

  // What only changed behaviours look at.
  std::atomic<ExportBlock*> latest_export{nullptr};  // that is still alive
  const void* remembered_struct = nullptr;           // of the latest import
  std::unique_ptr<Array> remembered_elements;

  /// Releases that variants put off to another thread or to the next Flush().
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
  std::vector<ExportBlock*> deleted;  // what they hold is let go then
};

/// While one lives, code of the reference on this thread acts for `instance`. Each function of both faces, each deleter
/// and each release begins with one; they nest, since libraries call each other.
class Acting {
 public:
  explicit Acting(Reference& instance);
  ~Acting();
  Acting(const Acting&) = delete;
  Acting& operator=(const Acting&) = delete;

  /// The instance that acts on this thread. Aborts where none does: somebody forgot to say who.
  static Reference& Now();

 private:
  Reference* before_;
};

/// The behaviour of the instance that acts.
inline const Behaviour& ActiveBehaviour() { return Acting::Now().behaviour; }

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REFERENCE_INSTANCE_H_
