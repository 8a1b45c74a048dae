// engine/crowd_tensors.h: tensors outside of the forge, which has few slots, and their imports.
#ifndef DLPACK_CTS_ENGINE_CROWD_TENSORS_H_
#define DLPACK_CTS_ENGINE_CROWD_TENSORS_H_

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "engine/crowd.h"
#include "harness/oracle/oracle.h"
#include "harness/recipe/together.h"
#include "subject/readable.h"

namespace dlpack_cts {

/// A live tensor outside of the forge, which has only a few slots. It is never freed, so that a late or second call of
/// its deleter does no harm; its elements are.
class HeapTensor {
 public:
  /// Maps `bytes` of memory, with element 0 at `first`. Untouched pages cost nothing.
  HeapTensor(const Offer& offer, const int64_t* strides, size_t bytes, size_t first)
      : bytes_(bytes), shape_(offer.shape, offer.shape + offer.dims), strides_(strides, strides + offer.dims) {
    void* const memory =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    memory_ = memory == MAP_FAILED ? nullptr : static_cast<uint8_t*>(memory);
    first_ = memory_ + first;
    abi::DLTensor tensor{};
    tensor.data = first_;
    tensor.device = offer.device;
    tensor.ndim = offer.dims;
    tensor.dtype = offer.dtype;
    tensor.shape = shape_.data();
    tensor.strides = offer.strides_kind == StridesKind::kNull ? nullptr : strides_.data();
    if (offer.kind == StructKind::kLegacy) {
      legacy_ = {tensor, this, [](abi::DLManagedTensor* self) { Count(self->manager_ctx); }};
    } else {
      versioned_ = {{offer.major, offer.minor},
                    this,
                    [](abi::DLManagedTensorVersioned* self) { Count(self->manager_ctx); },
                    0,
                    tensor};
    }
  }
  HeapTensor(const HeapTensor&) = delete;
  HeapTensor& operator=(const HeapTensor&) = delete;

  Offered Offer(Forge& forge, StructKind kind) {
    const bool legacy = kind == StructKind::kLegacy;
    return {&forge,
            kind,
            legacy ? static_cast<void*>(&legacy_) : &versioned_,
            legacy ? &legacy_.dl_tensor : &versioned_.dl_tensor,
            legacy ? abi::kLegacyName : abi::kVersionedName,
            legacy ? abi::kUsedLegacyName : abi::kUsedVersionedName};
  }
  void FreeElements() {
    if (memory_ != nullptr) munmap(memory_, bytes_);
    memory_ = nullptr;
  }
  uint8_t* first() const { return first_; }
  bool mapped() const { return memory_ != nullptr; }
  bool Holds(uint64_t address) const {
    const auto begin = reinterpret_cast<uint64_t>(memory_);
    return memory_ != nullptr && address >= begin && address < begin + bytes_;
  }
  int deletions() const { return deletions_; }

 private:
  static void Count(void* self) { ++static_cast<HeapTensor*>(self)->deletions_; }

  abi::DLManagedTensor legacy_ = {};
  abi::DLManagedTensorVersioned versioned_ = {};
  std::atomic<int> deletions_ = 0;
  size_t bytes_;
  uint8_t* memory_ = nullptr;
  uint8_t* first_ = nullptr;
  std::vector<int64_t> shape_;
  std::vector<int64_t> strides_;
};

inline HeapTensor& NewTensor(const Offer& offer, const int64_t* strides, size_t bytes, size_t first) {
  static std::vector<std::unique_ptr<HeapTensor>> tensors;
  return *tensors.emplace_back(std::make_unique<HeapTensor>(offer, strides, bytes, first));
}

/// One import: the tensor, and the array that the library made of it.
struct Imported {
  int number;
  Offer offer;
  HeapTensor* tensor;
  std::vector<uint8_t> elements;
  int64_t byte_strides[kDims] = {};
  Handle array = nullptr;
  int capsules = 0;
  bool owed = false;  // the library took the tensor over, and has to release it
};

class Imports {
 public:
  Imports(LifeState& life, Releases& releases, const Step& step)
      : life_(life), releases_(releases), step_(step), subject_(life.ConsumerOf(step)) {}

 protected:
  /// False if the library refuses the tensor.
  bool Import(Imported& member) {
    return IsByTable(static_cast<Sharing>(step_.argument)) ? ImportByTable(member) : ImportByProtocol(member);
  }

  /// Whether the array has the extents, strides and elements of its tensor.
  bool IsRight(const Imported& member) const {
    Description told{};
    subject_.Describe(member.array, told);
    const Offer& offer = member.offer;
    const bool scalar = offer.dims == 0;  // may arrive with extents of 1
    if (told.has_shape != 0 && !scalar &&
        (told.ndim != offer.dims || !std::equal(offer.shape, offer.shape + offer.dims, told.shape))) {
      return false;
    }
    const bool shares = told.has_pointer != 0 && told.pointer == reinterpret_cast<uint64_t>(member.tensor->first());
    for (int d = 0; d < offer.dims && shares && told.has_shape != 0 && told.has_strides != 0; ++d) {
      if (offer.shape[d] > 1 && told.byte_strides[d] != member.byte_strides[d]) return false;
    }
    // What the library converts has other elements.
    if (told.known_dtype != 0 && !(told.dtype == offer.dtype)) return true;
    const Meant meant{offer.device, offer.dtype, ElementCount(offer.shape, offer.dims)};
    const int64_t may = BytesToRead(told, meant, life_.scratch.got.size());
    const int64_t bytes = may > 0 ? subject_.Values(member.array, life_.scratch.got) : -1;
    return bytes < 0 || (bytes == static_cast<int64_t>(member.elements.size()) &&
                         std::memcmp(life_.scratch.got.data(), member.elements.data(), member.elements.size()) == 0);
  }

  bool IsReleasedEarly(const Imported& member) const {
    Description told{};
    subject_.Describe(member.array, told);
    return told.has_pointer != 0 && member.tensor->Holds(told.pointer) && member.tensor->deletions() > 0;
  }

  /// Drops the arrays. The first error of their releases.
  Race Drop(std::vector<Imported>& members) {
    for (Imported& member : members) {
      if (member.array != nullptr) subject_.Drop(member.array);
      member.array = nullptr;
    }
    const auto settled = [&] {
      return std::ranges::all_of(members,
                                 [](const Imported& member) { return !member.owed || member.tensor->deletions() > 0; });
    };
    if (!settled()) releases_.CollectAll();
    if (!settled()) {
      subject_.runtime().Waiting([] { std::this_thread::sleep_for(std::chrono::milliseconds(50)); });
      releases_.CollectAll();
    }
    Race race = settled() ? Race::kFair : Race::kNotReleased;
    for (const Imported& member : members) {
      if (member.tensor->deletions() > std::max(1, member.capsules)) race = Race::kReleasedTwice;
      if (!member.owed || member.tensor->deletions() > 0) member.tensor->FreeElements();
    }
    members.clear();
    return race;
  }

  LifeState& life_;
  Releases& releases_;
  const Step& step_;
  Subject& subject_;
  std::unique_ptr<Ledger> ledger_ = std::make_unique<Ledger>();

 private:
  bool ImportByProtocol(Imported& member) {
    constexpr int kSlot = 0;
    Importer& importer = subject_.importer();
    Clear(*ledger_);
    const Offered offered = member.tensor->Offer(life_.forge, member.offer.kind);
    const auto sharing = static_cast<Sharing>(step_.argument);
    const bool bare =
        sharing == Sharing::kManyBare || sharing == Sharing::kFarBare || sharing == Sharing::kReexportsBare;
    member.array = importer.Import(member.offer, life_.recipe.call(step_.call), kSlot, offered, bare, *ledger_);
    importer.InspectCapsule(kSlot, *ledger_);
    const ImportLedger& seen = ledger_->imports[kSlot];
    member.capsules = seen.capsules;
    const bool used = seen.name_after == NameSeen::kUsedLegacy || seen.name_after == NameSeen::kUsedVersioned;
    member.owed = member.array != nullptr && (used || !subject_.IsPython());
    importer.DropProducer(kSlot);
    importer.DropCapsule(kSlot);
    (void)subject_.runtime().ForgetException();
    return member.array != nullptr;
  }

  /// By the table of the library's arrays, which an earlier step looked up.
  bool ImportByTable(Imported& member) {
    const int from = LifeState::SourceOf(step_);
    const bool found = life_.ledger.tables[from].found != 0 && life_.sources[from].owner == &subject_;
    if (!found || subject_.table() == nullptr || member.offer.kind != StructKind::kVersioned) return false;
    Clear(*ledger_);
    const Offered offered = member.tensor->Offer(life_.forge, member.offer.kind);
    member.array = subject_.table()->Import(static_cast<abi::DLManagedTensorVersioned*>(offered.managed),
                                            ledger_->tables[0], ledger_->imports[0].import);
    member.owed = member.array != nullptr;
    (void)subject_.runtime().ForgetException();
    return member.array != nullptr;
  }
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_ENGINE_CROWD_TENSORS_H_
