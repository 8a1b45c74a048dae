// harness/forge/state.h: what the forge remembers of its slots; only for its own files.
#ifndef DLPACK_CTS_HARNESS_FORGE_STATE_H_
#define DLPACK_CTS_HARNESS_FORGE_STATE_H_

#include <atomic>
#include <cstdint>

#include "harness/forge/arena.h"
#include "harness/forge/forge.h"
#include "harness/forge/layout.h"

namespace dlpack_cts::forge {

inline constexpr int kMetadataEntries = static_cast<int>(kMetadataBytes / sizeof(int64_t));
inline constexpr size_t kMaxStruct = sizeof(abi::DLManagedTensorVersioned);
inline constexpr uint8_t kCanary = 0xC5;

/// Identity of the calling thread; usable in a signal handler.
const void* ThisThread();

/// A lock for a few instructions. Its holder may fault inside it, so the fault handler asks before it waits.
class SpinLock {
 public:
  void Lock();
  void Unlock() { holder_.store(nullptr, std::memory_order_release); }
  bool MineAlready() const { return holder_.load(std::memory_order_relaxed) == ThisThread(); }

 private:
  std::atomic<const void*> holder_{nullptr};
};

class Locked {
 public:
  explicit Locked(SpinLock& lock) : lock_(lock), taken_(!lock.MineAlready()) {
    if (taken_) lock_.Lock();
  }
  ~Locked() {
    if (taken_) lock_.Unlock();
  }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

 private:
  SpinLock& lock_;
  bool taken_;
};

/// One live offer, with copies of everything that must not change.
struct Slot {
  bool live;
  bool released;
  bool sealed;
  bool has_deleter;
  StructKind kind;
  int home;  // the slot whose struct area it lies in; another one after MakeInPlaceOf()
  int phase;
  const void* maker;  // the thread that made it
  Ledger* ledger;

  uint8_t* structure;
  size_t struct_size;
  uint8_t image[kMaxStruct];
  int64_t* shape;    // as in the struct; may be NULL
  int64_t* strides;  // likewise
  int entries;       // of both arrays
  int64_t shape_image[kMetadataEntries];
  int64_t strides_image[kMetadataEntries];

  abi::DLDataType dtype;
  int64_t item;   // bytes of an element; of a packed one in what callers hand over and get
  int packed;     // bits of a packed element, or 0
  uint64_t seed;  // of this slot
  int dims;
  int64_t extents[kDims];
  int64_t effective[kDims];  // strides in elements
  Reach reach;
  Placement placement;
  uint64_t on_device;  // where element 0 of the next offer lies that is placed on a device; 0: nowhere
  DataPlan plan;
  Zone data_zone;   // where the elements lie
  uint8_t* shadow;  // the bytes of [plan.begin, plan.end): small_shadow, or memory of large_shadow bytes
  size_t large_shadow;
  uint8_t small_shadow[kDataCapacity];

  int64_t expected_writes[kSteps];  // positions in the store that the library was asked to write
  int expected_write_count;
};

/// The bit of a packed element in the slot's memory, counted from that of plan.begin: element 0 starts a byte.
inline int64_t BitOf(const Slot& slot, int64_t position) {
  const auto below = static_cast<int64_t>(slot.plan.element0 - slot.plan.begin);
  return below * 8 + (slot.reach.lowest + position) * slot.packed;
}

struct ForgeState {
  int number;  // in the registry
  Arena arena;
  Slot slots[kSlots];
  int owner[kSlots];  // of each struct area: the slot that lies in it, or -1
  Ledger* ledger;     // of the latest Make()
  bool seal;
  ThreadProbe probe;
  std::function<void(int slot)> within;
  std::atomic<int> running_within{0};  // of released tensors
  SpinLock lock;
  std::atomic<int64_t> late_deletes{0};
};

// ---- The registry of the process: states are never freed. Safe on any thread and in a signal handler, but for the
// first two.

/// Gives back the memory of a large shadow.
void FreeShadow(Slot& slot);

/// A state that no forge has; the one that is unused for longest, or a new one.
ForgeState* TakeState();
void GiveBackState(ForgeState* state);
/// The state with that number; it exists.
ForgeState& StateOf(int number);
/// The state whose memory holds the address, or NULL.
ForgeState* StateAround(uint64_t address);

/// Fills the slot and writes struct, metadata, elements and canaries. Offered::forge stays NULL. The caller holds the
/// lock.
Offered MakeOffer(ForgeState& state, const Offer& offer, int slot, int home, Ledger& ledger);

/// The deleters of each state's tensors, one function for each: whatever pointer a caller passes, the call belongs to
/// the forge that made the tensor. What both kinds do: `self` is what the caller passed.
using LegacyDeleter = void (*)(abi::DLManagedTensor*);
using VersionedDeleter = void (*)(abi::DLManagedTensorVersioned*);
LegacyDeleter LegacyDeleterOf(const ForgeState& state);
VersionedDeleter VersionedDeleterOf(const ForgeState& state);
void Deleted(ForgeState& state, const void* self, bool from_destructor);

/// The slot whose struct lies at `self`, or -1.
int SlotAt(const ForgeState& state, const void* self);
/// Where the address lies as seen from that slot. The caller holds the lock.
Location LocateIn(const ForgeState& state, int index, uint64_t address);

/// Compares what the slot's memory holds with what was made. Reads nothing that is inaccessible.
void CheckDamage(ForgeState& state, Slot& slot, ImportLedger& record);

/// Position in the store of row-major element `index`; -1 where nothing is backed.
int64_t PositionOf(const Slot& slot, int64_t index);

void InstallHandlers();
bool HandlersAreInstalled();
/// Reads a byte of every page, which is cheaper than asking the kernel; false where that faults. Only while the
/// handlers are installed, and never of pages of the arena.
bool Touch(uint64_t address, uint64_t size);

}  // namespace dlpack_cts::forge

#endif  // DLPACK_CTS_HARNESS_FORGE_STATE_H_
