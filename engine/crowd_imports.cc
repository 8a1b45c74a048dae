// engine/crowd_imports.cc: hundreds of imported arrays that are alive at once, and tensors whose elements lie far
// apart.
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "engine/crowd.h"
#include "harness/oracle/oracle.h"
#include "harness/recipe/elements.h"
#include "harness/recipe/together.h"
#include "subject/readable.h"

namespace dlpack_cts {
namespace {

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

HeapTensor& NewTensor(const Offer& offer, const int64_t* strides, size_t bytes, size_t first) {
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
    constexpr int kSlot = 0;
    Importer& importer = subject_.importer();
    Clear(*ledger_);
    const Offered offered = member.tensor->Offer(life_.forge, member.offer.kind);
    const auto sharing = static_cast<Sharing>(step_.argument);
    const bool bare = sharing == Sharing::kManyBare || sharing == Sharing::kFarBare;
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
};

class ImportCrowd : public Imports {
 public:
  using Imports::Imports;

  Race Run() {
    const int most = SizeOf(life_, [this] {
      const bool added = Add(0);
      Drop(members_);
      return added;
    });
    bool refused = false;
    for (int number = 0; number < most && !refused; ++number) refused = !Add(number);
    Race race = Race::kFair;
    int culprit = 0;
    for (const Imported& member : members_) {
      if (member.array == nullptr) continue;
      const bool early = IsReleasedEarly(member);
      if (race != Race::kFair || (!early && IsRight(member))) continue;
      race = early ? Race::kReleasedEarly : Race::kOtherTensor;
      culprit = member.number;
    }
    const Race release = Drop(members_);
    if (refused) return Race::kNotRun;
    if (race == Race::kFair) race = release;
    if (race == Race::kFair) return race;
    // The control: the same import without the others.
    const bool right_alone = Add(culprit) && !IsReleasedEarly(members_[0]) && IsRight(members_[0]);
    return right_alone && Drop(members_) == Race::kFair ? race : Race::kNotRun;
  }
  ~ImportCrowd() { Drop(members_); }
  ImportCrowd(const ImportCrowd&) = delete;
  ImportCrowd& operator=(const ImportCrowd&) = delete;

 private:
  bool Add(int number) {
    Imported member{.number = number, .offer = life_.recipe.offer(step_.block), .tensor = nullptr, .elements = {}};
    Offer& offer = member.offer;
    SetMember(number, offer);
    const int64_t item = ItemSize(offer.dtype);
    const int64_t count = ElementCount(offer.shape, offer.dims);
    int64_t strides[kDims] = {};
    CompactStrides(offer.shape, offer.dims, strides);
    // Explicit strides are column-major.
    if (offer.strides_kind == StridesKind::kExplicit) {
      int64_t stride = 1;
      for (int d = 0; d < offer.dims; stride *= offer.shape[d++]) strides[d] = stride;
      std::copy_n(strides, offer.dims, offer.strides);
    }
    for (int d = 0; d < offer.dims; ++d) member.byte_strides[d] = strides[d] * item;
    const auto bytes = static_cast<size_t>(count * item);
    member.tensor = &NewTensor(offer, strides, bytes, 0);
    if (!member.tensor->mapped()) return false;
    ElementRun(offer.dtype, SlotSeed(offer.seed, 0), 0, 1, count, member.tensor->first());
    member.elements.resize(bytes);
    ExpectedElements(offer, 0, member.elements);
    const bool taken = Import(member);
    members_.push_back(std::move(member));
    return taken;
  }

  std::vector<Imported> members_;
};

class FarImports : public Imports {
 public:
  using Imports::Imports;

  Race Run() {
    const Offer& base = life_.recipe.offer(step_.block);
    const int64_t item = ItemSize(base.dtype);
    const int64_t far = (int64_t{1} << 31) / item;  // in elements
    const int64_t distances[] = {32768, 32769, 65536, 65537, far, far + 1, 2 * far, 2 * far + 1};
    const double latest = Now() + life_.patience.measuring;
    bool any = false;
    // A negative stride of the offer asks for distances in both directions.
    for (const int64_t sign : {int64_t{1}, int64_t{-1}}) {
      if (sign < 0 && base.strides[0] >= 0) break;
      for (const int64_t distance : distances) {
        for (int axis = 0; axis < base.dims; ++axis) {
          if (any && Now() > latest) return Race::kFair;
          const Race race = RunOne(axis, sign * distance);
          any = any || race != Race::kNotRun;
          if (race == Race::kNotRun || race == Race::kFair) continue;
          // The control: the same layout with its elements close together.
          return RunOne(axis, sign * 3) == Race::kFair ? race : Race::kNotRun;
        }
      }
    }
    return any ? Race::kFair : Race::kNotRun;
  }

 private:
  /// Two elements in dimension `axis` that lie `distance` elements apart, and two neighbours in the next dimension.
  Race RunOne(int axis, int64_t distance) {
    std::vector<Imported> members;
    Imported member{.number = 0, .offer = life_.recipe.offer(step_.block), .tensor = nullptr, .elements = {}};
    Offer& offer = member.offer;
    const int64_t item = ItemSize(offer.dtype);
    std::fill_n(offer.shape, offer.dims, 1);
    std::fill_n(offer.strides, offer.dims, 1);
    offer.strides_kind = StridesKind::kExplicit;
    offer.shape[axis] = 2;
    offer.strides[axis] = distance;
    const int next = (axis + 1) % offer.dims;
    if (next != axis) offer.shape[next] = 2;
    for (int d = 0; d < offer.dims; ++d) member.byte_strides[d] = offer.strides[d] * item;
    constexpr size_t kRoom = 4096;
    const auto reach = static_cast<size_t>(Magnitude(distance) * item);
    member.tensor = &NewTensor(offer, offer.strides, reach + 2 * kRoom, distance < 0 ? reach + kRoom : 0);
    if (!member.tensor->mapped()) return Race::kNotRun;
    WriteElements(member);
    if (!Import(member)) {
      members.push_back(std::move(member));
      (void)Drop(members);
      return Race::kNotRun;
    }
    const bool early = IsReleasedEarly(member);
    const bool right = early || IsRight(member);
    members.push_back(std::move(member));
    const Race release = Drop(members);
    if (early) return Race::kReleasedEarly;
    return right ? release : Race::kOtherTensor;
  }

  static void WriteElements(Imported& member) {
    const Offer& offer = member.offer;
    const int64_t item = ItemSize(offer.dtype);
    const int64_t count = ElementCount(offer.shape, offer.dims);
    member.elements.resize(static_cast<size_t>(count * item));
    for (int64_t i = 0; i < count; ++i) {
      uint8_t* const element = member.elements.data() + i * item;
      ElementBits(offer.dtype, offer.seed, i, element);
      int64_t at = 0;
      int64_t rest = i;
      for (int d = offer.dims - 1; d >= 0; rest /= offer.shape[d--]) at += rest % offer.shape[d] * offer.strides[d];
      std::memcpy(member.tensor->first() + at * item, element, static_cast<size_t>(item));
    }
  }
};

}  // namespace

Race RunImportCrowd(LifeState& life, Releases& releases, const Step& step) {
  return ImportCrowd(life, releases, step).Run();
}

Race RunFarImports(LifeState& life, Releases& releases, const Step& step) {
  return FarImports(life, releases, step).Run();
}

}  // namespace dlpack_cts
