// harness/forge/state.h: the state of the forge's slots; only for the files of this folder.
#ifndef DLPACK_CTS_HARNESS_FORGE_STATE_H_
#define DLPACK_CTS_HARNESS_FORGE_STATE_H_

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "harness/forge/arena.h"
#include "harness/forge/device.h"
#include "harness/forge/forge.h"
#include "harness/forge/layout.h"

namespace dlpack_cts::forge {

inline constexpr int kMetadataEntries = static_cast<int>(kMetadataBytes / sizeof(int64_t));
inline constexpr size_t kMaxStruct = sizeof(abi::DLManagedTensorVersioned);
inline constexpr uint8_t kCanary = 0xC5;

/// Identifies the calling thread; async-signal-safe.
const void* ThisThread();

/// A lock for a few instructions. Its holder may fault, so the fault handler checks the holder before it waits.
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
  int handed;  // exports of this tensor; the deleter call of the last one releases it
  StructKind kind;
  int home;  // the slot whose struct area it uses; another one after MakeInPlaceOf()
  int phase;
  const void* maker;  // the thread that made it
  Ledger* ledger;

  uint8_t* structure;
  size_t struct_size;
  uint8_t image[kMaxStruct];
  int64_t* shape;    // as in the struct; may be NULL
  int64_t* strides;  // as in the struct; may be NULL
  int entries;       // of both arrays
  int64_t shape_image[kMetadataEntries];
  int64_t strides_image[kMetadataEntries];

  abi::DLDataType dtype;
  int64_t item;   // bytes of an element; for packed ones, the bytes that callers pass
  int packed;     // bits of a packed element, else 0
  uint64_t seed;  // of this slot
  int dims;
  int64_t extents[kDims];
  int64_t effective[kDims];  // in elements
  Reach reach;
  Placement placement;
  DeviceMemory* memory;  // NULL if the elements are in host memory
  abi::DLDevice device;  // of `memory`
  DataPlan plan;
  Zone data_zone;   // the zone of the elements
  uint8_t* shadow;  // a copy of [plan.begin, plan.end): small_shadow, or allocated memory of large_shadow bytes
  size_t large_shadow;
  uint8_t small_shadow[kDataCapacity];

  int64_t expected_writes[kSteps];  // positions in the store that the library was asked to write
  int expected_write_count;
};

/// The bit of a packed element in the slot's memory, counted from plan.begin. Element 0 starts at a byte.
inline int64_t BitOf(const Slot& slot, int64_t position) {
  const auto below = static_cast<int64_t>(slot.plan.element0 - slot.plan.begin);
  return below * 8 + (slot.reach.lowest + position) * slot.packed;
}

struct ForgeState {
  int number;  // in the registry
  Arena arena;
  Slot slots[kSlots];
  int owner[kSlots];  // of each struct area: the slot that uses it, or -1
  Ledger* ledger;     // of the latest Make()
  bool seal;
  DeviceMemory* memory;  // for Placement::kDevice; NULL: no device has memory
  bool stands_in;        // host memory stands for device memory
  ThreadProbe probe;
  std::function<void(int slot)> within;
  std::atomic<int> running_within{0};  // of released tensors
  SpinLock lock;
  ForgeState* heir;  // counts the late calls of this state, whose forge left it behind; NULL: none
  std::atomic<int64_t> late_deletes{0};
};

// ---- The registry of the process. States are never freed. Usable on any thread and in a signal handler, except for
// the first two functions.

/// Frees the memory of a large shadow.
void FreeShadow(Slot& slot);

/// A state without a forge: the one that is unused for longest, or a new one.
ForgeState* TakeState();
void GiveBackState(ForgeState* state);
/// The state with that number, which must exist.
ForgeState& StateOf(int number);
/// The state whose memory contains the address, or NULL.
ForgeState* StateAround(uint64_t address);

/// Fills the slot and writes struct, metadata, elements and canaries. Does not set Offered::forge. The caller holds the
/// lock.
Offered MakeOffer(ForgeState& state, const Offer& offer, int slot, int home, Ledger& ledger);

/// The deleters of each state's tensors, one function per state. So a call belongs to the forge that made the tensor,
/// whatever pointer the caller passes as `self`.
using LegacyDeleter = void (*)(abi::DLManagedTensor*);
using VersionedDeleter = void (*)(abi::DLManagedTensorVersioned*);
LegacyDeleter LegacyDeleterOf(const ForgeState& state);
VersionedDeleter VersionedDeleterOf(const ForgeState& state);
void Deleted(ForgeState& state, const void* self, bool from_destructor);

/// The slot whose struct is at `self`, or -1.
int SlotAt(const ForgeState& state, const void* self);
/// The position of the address relative to that slot's offer. The caller holds the lock.
Location LocateIn(const ForgeState& state, int index, uint64_t address);

/// Compares the slot's memory with the original. Reads only accessible memory.
void CheckDamage(ForgeState& state, Slot& slot, ImportLedger& record);

/// Places the elements in device memory. False if that is not possible.
bool PlanOnDevice(DeviceMemory& memory, const Offer& offer, int index, Slot& slot);
/// Copies elements and pattern to the device, if the slot's are there. Not while the lock is held.
void FillDevice(const Slot& slot);
/// What the memory of a slot on a device holds.
struct DeviceContent {
  std::vector<uint8_t> elements;  // a copy of [begin, end)
  int32_t changed_pattern;        // bytes beside it that are not the pattern
};
/// Missing if the elements are not on a device, or cannot be copied. Not while the lock is held.
std::optional<DeviceContent> ContentOnDevice(const Slot& slot);
/// As CheckDamage(), for that content.
void CheckDeviceDamage(Slot& slot, const DeviceContent& content, ImportLedger& record);

/// The position in the store of element `index` (row-major); -1 if it has no memory.
int64_t PositionOf(const Slot& slot, int64_t index);

void InstallHandlers();
bool HandlersAreInstalled();
/// Reads one byte of every page, which costs less than asking the kernel. False if that faults. Only while the handlers
/// are installed, and not for pages of the arena.
bool Touch(uint64_t address, uint64_t size);

}  // namespace dlpack_cts::forge

#endif  // DLPACK_CTS_HARNESS_FORGE_STATE_H_
